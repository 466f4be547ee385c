"""A generated dataset: its TDP tree (media in img/, a CSV of pairs) and what a reader must get from it.

Folder of a dataset:
    tdp/img/000000.jpg ...  each media once          tdp/pairs.csv   image_path,caption, a row a pair
    meta/info.json          shape, scale, counts     meta/first_pair.u32, media_size.u64
    meta/sampled.u32        fingerprint of each pair, as loaders compute it while they are timed
    meta/full.u32           CRC-32 of all bytes of each pair
"""
import array
import csv
import json
import os
import zlib

PAIRS_PER_DIRECTORY = 10_000  # of the Files tree: small enough that ext4 is not flattered
SAMPLE = 64  # bytes looked at in three places of a media


def sampled_fingerprint(media, text):
    """CRC-32 of the text and of three places of the media: about 1 us, so it fits into timed loops."""
    size = len(media)
    crc = zlib.crc32(media[:SAMPLE], size & 0xFFFFFFFF)
    crc = zlib.crc32(media[size // 2 : size // 2 + SAMPLE], crc)
    crc = zlib.crc32(media[-SAMPLE:], crc)
    return zlib.crc32(text, crc)


def full_fingerprint(media, text):
    return zlib.crc32(text, zlib.crc32(media))


def save_array(path, typecode, values):
    with open(path, "wb") as file:
        array.array(typecode, values).tofile(file)


def load_array(path, typecode):
    values = array.array(typecode)
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


def files_name(pair, extension):
    """FFSlim's naming of plain files: directory / number within it."""
    folder, number = divmod(pair, PAIRS_PER_DIRECTORY)
    return f"{folder:06d}/{number:06d}.{extension}"


class Dataset:
    """Read access to a generated dataset; layouts are derived from it, results checked against it."""

    def __init__(self, folder):
        self.folder = folder
        with open(self.meta("info.json"), encoding="utf-8") as file:
            self.info = json.load(file)
        self.name = os.path.basename(folder)
        self.extension = self.info["extension"]
        self.pairs = self.info["pairs"]
        self.media = self.info["media"]
        self.media_sizes = load_array(self.meta("media_size.u64"), "Q")
        self.first_pair = load_array(self.meta("first_pair.u32"), "I")  # media + 1 entries

    def meta(self, name):
        return os.path.join(self.folder, "meta", name)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    @property
    def unique_bytes(self):
        """Bytes of each media and each text once: what the memory limits are shares of."""
        return self.info["media_bytes"] + self.info["text_bytes"]

    def media_path(self, media):
        return self.path("tdp", "img", f"{media:06d}.{self.extension}")

    def read_media(self, media):
        with open(self.media_path(media), "rb") as file:
            return file.read()

    def objects(self):
        """Yields (media number, its bytes, its texts) in order."""
        texts = self.texts()
        for media in range(self.media):
            count = self.first_pair[media + 1] - self.first_pair[media]
            yield media, self.read_media(media), [next(texts) for _ in range(count)]

    def pair_records(self):
        """Yields (pair number, media bytes, text) in order; a media's bytes are read once."""
        pair = 0
        for _, content, texts in self.objects():
            for text in texts:
                yield pair, content, text
                pair += 1

    def texts(self):
        with open(self.path("tdp", "pairs.csv"), newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            next(rows)
            for row in rows:
                yield row[1].encode()
