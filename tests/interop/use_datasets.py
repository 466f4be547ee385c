"""Hugging Face datasets: imagefolder (CSV, JSON Lines, splits), and Parquet and Arrow by examples/."""
import csv
import io
import json
import os
import sys

import datasets
from samples import Case, pairs, png, put

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
datasets.disable_progress_bars()


# Its reader of CSV takes these texts for missing values; convert keeps them as they are.
MISSING_IN_CSV = ("NA", "null", "nan")


def rows_of(make, extension, metadata):
    """(media, file name, text): a file for each media, named again by each of its pairs."""
    names = {}
    for media, text in pairs(make, hard=False):
        if metadata == "metadata.csv" and text in MISSING_IN_CSV:
            continue
        names.setdefault(media, f"{len(names):04d}.{extension}")
        yield media, names[media], text


def folder(name, make, extension, column, metadata, split=""):
    case = Case(sys.argv[1], name)
    base = os.path.join(case.source, split)
    rows = list(rows_of(make, extension, metadata))
    for media, file_name, _ in rows:
        put(os.path.join(base, file_name), media)
    lines = io.StringIO(newline="")
    if metadata == "metadata.csv":
        writer = csv.writer(lines)
        writer.writerow(["file_name", "text"])
        writer.writerows([file_name, text] for _, file_name, text in rows)
    else:
        for _, file_name, text in rows:
            lines.write(json.dumps({"file_name": file_name, "text": text}) + "\n")
    put(os.path.join(base, metadata), lines.getvalue().encode())
    kind = {"image": "imagefolder", "audio": "audiofolder"}[column]
    feature = {"image": datasets.Image, "audio": datasets.Audio}[column](decode=False)
    features = datasets.Features({column: feature, "text": datasets.Value("string")})
    loaded = datasets.load_dataset(kind, data_dir=case.source, split=split or "train", features=features)
    case.done(read(loaded, column))


def read(loaded, column):
    for row in loaded:
        media = row[column]["bytes"]
        if media is None:
            with open(row[column]["path"], "rb") as file:
                media = file.read()
        yield media, row["text"]


def made():
    features = datasets.Features({"image": datasets.Image(decode=False), "text": datasets.Value("string")})
    rows = [{"image": {"bytes": media, "path": f"{i}.png"}, "text": text} for i, (media, text) in enumerate(pairs())]
    return datasets.Dataset.from_list(rows, features=features)


def parquet():
    case = Case(sys.argv[1], "parquet")
    path = os.path.join(case.source, "train-00000-of-00001.parquet")
    made().to_parquet(path)
    loaded = datasets.load_dataset("parquet", data_files=path, split="train")
    case.done(
        read(loaded.cast_column("image", datasets.Image(decode=False)), "image"),
        command=[sys.executable, os.path.join(EXAMPLES, "parquet_to_tar.py"), path],
    )


def saved():
    case = Case(sys.argv[1], "save_to_disk")
    made().save_to_disk(case.source)
    case.done(
        read(datasets.load_from_disk(case.source), "image"),
        command=[sys.executable, os.path.join(EXAMPLES, "datasets_to_tar.py"), case.source],
    )


if __name__ == "__main__":
    folder("imagefolder_csv", png, "png", "image", "metadata.csv")
    folder("imagefolder_jsonl", png, "png", "image", "metadata.jsonl")
    folder("imagefolder_split", png, "png", "image", "metadata.jsonl", split="validation")
    parquet()
    saved()
