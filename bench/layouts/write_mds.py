"""Writes a dataset as MosaicML MDS shards, a sample per pair. Usage: write_mds.py DATASET_FOLDER"""
import sys

from dataset import Dataset
from streaming import MDSWriter

dataset = Dataset(sys.argv[1])
with MDSWriter(out=dataset.path("mds"), columns={"image": "bytes", "caption": "str"}) as writer:
    for _, content, text in dataset.pair_records():
        writer.write({"image": content, "caption": text.decode()})
