"""Writes a dataset as WebDataset shards, a sample per pair. Usage: write_webdataset.py DATASET_FOLDER"""
import os
import sys

from dataset import Dataset
from webdataset import ShardWriter

SHARD_BYTES = 1 << 28

dataset = Dataset(sys.argv[1])
os.makedirs(dataset.path("webdataset"))
pattern = dataset.path("webdataset", "%06d.tar")
with ShardWriter(pattern, maxsize=SHARD_BYTES, verbose=0) as writer:
    for pair, content, text in dataset.pair_records():
        writer.write({"__key__": f"{pair:09d}", dataset.extension: content, "txt": text})
