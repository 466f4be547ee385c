"""OpenCLIP's CSV: written by pandas as its README says, read by its own CsvDataset."""
import os
import sys

import pandas
from open_clip_train.data import CsvDataset
from samples import Case, pairs, put

case = Case(sys.argv[1], "csv")
rows, names = [], {}
# Its reader takes empty cells, NA and the like for the text "nan": not what was written.
usual = [(media, text) for media, text in pairs(hard=False) if text not in ("NA", "null", "nan")]
for media, text in usual:
    names.setdefault(media, f"images/{len(names):03d}.png")
    put(os.path.join(case.source, names[media]), media)
    rows.append({"filepath": os.path.join(case.source, names[media]), "title": text})
table = os.path.join(case.source, "train.csv")
pandas.DataFrame(rows).to_csv(table, sep="\t", index=False)
reader = CsvDataset(table, transforms=lambda image: image, img_key="filepath", caption_key="title", sep="\t", tokenizer=lambda texts: texts)
read = []
for path, text in zip(reader.images, reader.captions):
    with open(path, "rb") as file:
        read.append((file.read(), str(text)))
case.done(read, operand="source/train.csv", arguments=["--allow-outside"])
