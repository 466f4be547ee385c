"""Writes a dataset as one MindRecord file, a row per pair. Usage: write_mindrecord.py DATASET_FOLDER"""
import os
import sys

from dataset import Dataset
from mindspore.mindrecord import FileWriter

BATCH = 200  # rows given to the writer at once

dataset = Dataset(sys.argv[1])
os.makedirs(dataset.path("mindrecord"))
writer = FileWriter(dataset.path("mindrecord", "set.mindrecord"), shard_num=1)
writer.add_schema(
    {"pair": {"type": "int64"}, "image": {"type": "bytes"}, "caption": {"type": "string"}}, "pairs"
)
rows = []
for pair, content, text in dataset.pair_records():
    rows.append({"pair": pair, "image": content, "caption": text.decode()})
    if len(rows) == BATCH:
        writer.write_raw_data(rows)
        rows = []
if rows:
    writer.write_raw_data(rows)
writer.commit()
