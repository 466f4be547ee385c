"""Writes a dataset as Hugging Face `datasets` on disk, a row per pair. Usage: write_arrow.py DATASET_FOLDER"""
import sys
import tempfile

import datasets
from dataset import Dataset

source = Dataset(sys.argv[1])
datasets.disable_progress_bars()
features = datasets.Features(
    {"image": datasets.Image(decode=False), "caption": datasets.Value("string")}
)


def rows():
    for pair, content, text in source.pair_records():
        yield {"image": {"bytes": content, "path": f"{pair}"}, "caption": text.decode()}


with tempfile.TemporaryDirectory(dir=source.folder) as cache:
    made = datasets.Dataset.from_generator(rows, features=features, cache_dir=cache)
    made.save_to_disk(source.path("arrow"))
