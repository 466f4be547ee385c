#!/usr/bin/env python3
"""A dataset of plain files as training code reads it: lists a tree, pairs by stem, reads in random order.

Knows nothing of ULHFF: it runs unchanged on the original folder and on a mount, and the digests of the two are
equal when every name and every byte is.

Usage: files_loader.py DIRECTORY [EPOCHS]
"""
import hashlib
import os
import random
import sys
import time

TEXT_EXTENSIONS = (".txt", ".text", ".caption", ".captions", ".lab", ".json")
MEDIA_EXTENSIONS = (
    ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff",
    ".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a",
    ".mp4", ".webm", ".mkv", ".avi", ".mov",
)


def read(path):
    with open(path, "rb") as file:
        return file.read()


class FilesDataset:
    """Item i is (name, media, text), the bytes as they are; text is None where the media has none."""

    def __init__(self, root):
        self.root = root
        self.samples = []  # (path of the media below root, path of the text or None)
        for folder, folders, names in os.walk(root, followlinks=True):
            folders.sort()
            present = set(names)
            for name in sorted(names):
                stem, extension = os.path.splitext(name)
                if extension.lower() in MEDIA_EXTENSIONS:
                    texts = [stem + e for e in TEXT_EXTENSIONS if stem + e in present]
                    text = os.path.join(folder, texts[0]) if texts else None
                    self.samples.append((os.path.join(folder, name), text))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        media, text = self.samples[i]
        return os.path.relpath(media, self.root), read(media), read(text) if text else None


def run_epoch(dataset, epoch):
    """Reads every sample once, shuffled; returns (media bytes, text bytes, texts, digest of all in order)."""
    order = list(range(len(dataset)))
    random.Random(epoch).shuffle(order)
    media_bytes = text_bytes = texts = 0
    digest = hashlib.sha256()
    for i in order:
        name, media, text = dataset[i]
        media_bytes += len(media)
        texts += text is not None
        text_bytes += len(text or b"")
        for part in (os.fsencode(name), media, text or b""):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    return media_bytes, text_bytes, texts, digest.hexdigest()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: files_loader.py DIRECTORY [EPOCHS]")
    dataset = FilesDataset(sys.argv[1])
    if not dataset:
        print("no media files found, nothing to load")
    for epoch in range(int(sys.argv[2]) if len(sys.argv) == 3 and dataset else bool(dataset)):
        start = time.monotonic()
        media_bytes, text_bytes, texts, digest = run_epoch(dataset, epoch)
        seconds = time.monotonic() - start
        print(
            f"{len(dataset)} samples, {texts} with text, {media_bytes} + {text_bytes} bytes, "
            f"{len(dataset) / seconds:.0f} samples/s, sha256 {digest[:16]}"
        )


if __name__ == "__main__":
    main()
