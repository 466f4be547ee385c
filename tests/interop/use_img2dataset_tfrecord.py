"""img2dataset's TFRecord, which needs TensorFlow, as TensorFlow itself reads it."""
import os

import tensorflow
from use_img2dataset import fetch, serve


def read(case):
    for name in sorted(n for n in os.listdir(case.source) if n.endswith(".tfrecord")):
        for record in tensorflow.data.TFRecordDataset(os.path.join(case.source, name)):
            features = tensorflow.train.Example.FromString(record.numpy()).features.feature
            yield features["png"].bytes_list.value[0], features["txt"].bytes_list.value[0]


if __name__ == "__main__":
    case = fetch("tfrecord", "tfrecord", serve())
    case.done(read(case))
