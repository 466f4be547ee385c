#!/usr/bin/env python3
"""Generates one dataset shape as TDP (media in img/, pairs.csv), the same bytes for the same seed.

Usage: generate.py [--scale S] [--seed N] SHAPE FOLDER      (shapes: see shapes.py)
"""
import argparse
import csv
import json
import os
import random
import shutil

from dataset import Dataset, full_fingerprint, sampled_fingerprint, save_array
from shapes import SHAPES, media_content, text_content


class Recorder:
    """Collects what Dataset needs to know while the generator writes."""

    def __init__(self):
        self.first_pair = [0]
        self.media_sizes = []
        self.text_bytes = 0
        self.sampled = []
        self.full = []

    def add(self, media, texts):
        self.media_sizes.append(len(media))
        self.first_pair.append(self.first_pair[-1] + len(texts))
        for text in texts:
            self.text_bytes += len(text)
            self.sampled.append(sampled_fingerprint(media, text))
            self.full.append(full_fingerprint(media, text))

    def save(self, folder, info):
        save_array(os.path.join(folder, "first_pair.u32"), "I", self.first_pair)
        save_array(os.path.join(folder, "media_size.u64"), "Q", self.media_sizes)
        save_array(os.path.join(folder, "sampled.u32"), "I", self.sampled)
        save_array(os.path.join(folder, "full.u32"), "I", self.full)
        info |= {
            "media": len(self.media_sizes),
            "pairs": len(self.sampled),
            "media_bytes": sum(self.media_sizes),
            "text_bytes": self.text_bytes,
        }
        with open(os.path.join(folder, "info.json"), "w", encoding="utf-8") as file:
            json.dump(info, file, indent=1)


def write_tdp(shape, scale, seed, folder):
    """Writes media and table below `folder`; returns the Recorder."""
    recorder = Recorder()
    rng = random.Random(f"{seed}/{shape.name}")
    count = shape.media_at(scale)
    with open(os.path.join(folder, "pairs.csv"), "w", newline="", encoding="utf-8") as table:
        rows = csv.writer(table, lineterminator="\n")
        rows.writerow(("image_path", "caption"))
        for media, text_count in enumerate(shape.texts_per_media(count, rng)):
            content = media_content(shape, seed, media, shape.media_size(rng))
            texts = [text_content(rng, shape.text_size(rng)) for _ in range(text_count)]
            name = f"img/{media:06d}.{shape.extension}"
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
            rows.writerows((name, text.decode()) for text in texts)
            recorder.add(content, texts)
    return recorder


def generate(shape, scale, seed, folder):
    """Makes the dataset unless it is there; returns it. An interrupted run leaves nothing valid."""
    if not os.path.exists(os.path.join(folder, "meta", "info.json")):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "tdp", "img"))
        os.makedirs(os.path.join(folder, "meta"))
        recorder = write_tdp(shape, scale, seed, os.path.join(folder, "tdp"))
        info = {"shape": shape.name, "scale": scale, "seed": seed, "extension": shape.extension}
        recorder.save(os.path.join(folder, "meta"), info)
    return Dataset(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("folder")
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    info = generate(SHAPES[args.shape], args.scale, args.seed, args.folder).info
    print(json.dumps(info))


if __name__ == "__main__":
    main()
