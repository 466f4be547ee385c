"""Writes samples to standard output as the tar that `ulhff convert - OUT.ulhff` reads.

What the other scripts of this directory share; only Python's own library. Texts and media go in as
they are, byte for byte.
"""
import argparse
import io
import json
import os
import sys
import tarfile

MEDIA = ["image", "images", "img", "jpg", "jpeg", "png", "webp", "audio", "wav", "flac", "mp3", "video", "mp4"]
TEXTS = ["caption", "captions", "text", "texts", "txt", "sentence", "sentences", "transcription", "title"]
MAGIC = [(b"\xff\xd8\xff", "jpg"), (b"\x89PNG", "png"), (b"GIF8", "gif"), (b"fLaC", "flac"), (b"OggS", "ogg"),
         (b"ID3", "mp3"), (b"\xff\xfb", "mp3"), (b"\x1aE\xdf\xa3", "webm"), (b"BM", "bmp"), (b"II*\0", "tif")]
RIFF = {b"WEBP": "webp", b"WAVE": "wav", b"AVI ": "avi"}


def parser(description):
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--media", metavar="COLUMN", help="column of the media (default: found by its name)")
    result.add_argument("--text", metavar="COLUMN", action="append", help="column of a text; repeatable")
    result.add_argument("--json", action="store_true", help="the other columns as a .json beside each media")
    return result


def choose_columns(arguments, columns):
    """Fills in what was not said, and tells what is not taken."""
    arguments.media = arguments.media or next((name for name in MEDIA if name in columns), None)
    arguments.text = arguments.text or [name for name in TEXTS if name in columns][:1]
    missing = [name for name in [arguments.media, *arguments.text] if name not in columns]
    if missing or not arguments.media:
        sys.exit(f"columns are {', '.join(columns)}: choose with --media and --text")
    left = [name for name in columns if name != arguments.media and name not in arguments.text]
    if left and not arguments.json:
        print(f"columns left out: {', '.join(left)} (--json keeps them)", file=sys.stderr)
    return left if arguments.json else []


def extension_of(media, path=None):
    """From the path, or the first bytes. `bin` is unknown: convert takes it with --media-column bin."""
    by_path = os.path.splitext(path or "")[1][1:]
    if by_path:
        return by_path
    if media[:4] == b"RIFF":
        return RIFF.get(media[8:12], "bin")
    if media[4:8] == b"ftyp":
        return "mp4"
    return next((name for magic, name in MAGIC if media.startswith(magic)), "bin")


def media_of(value):
    """(bytes, path) of each media: bytes, Hugging Face's {'bytes', 'path'}, or a list of these."""
    if value is None:
        return []
    if isinstance(value, dict):
        data, path = value.get("bytes"), value.get("path")
        if data is None and path is not None:
            with open(path, "rb") as file:
                data = file.read()
        return [] if data is None else [(bytes(data), path)]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return [(bytes(value), None)]
    if isinstance(value, (list, tuple)):
        return [media for one in value for media in media_of(one)]
    sys.exit(f"a media is bytes or a file, not {type(value).__name__}: choose another column with --media")


def texts_of(value):
    """A string, or a list of strings, as bytes each; anything else as its JSON."""
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in texts_of(one)]
    if isinstance(value, bytes):
        return [value]
    return [(value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")]


class TarStream:
    def __init__(self, out=None):
        self.tar = tarfile.open(fileobj=out or sys.stdout.buffer, mode="w|", format=tarfile.GNU_FORMAT)
        self.samples = 0

    def add(self, media, texts, row=None, split=None):
        """One sample. `row`: what goes to its .json. `split`: for convert --split-column split."""
        if not media:
            print(f"row {self.samples}: no media", file=sys.stderr)
        for number, (data, path) in enumerate(media):
            self._file(f"{number}." if len(media) > 1 else "", extension_of(data, path), data)
        for number, text in enumerate(texts):
            self._file(f"{number}." if len(texts) > 1 else "", "txt", text)
        if row:
            self._file("", "json", json.dumps(row, ensure_ascii=False, default=lambda value: None).encode())
        if split:
            self._file("", "split", split.encode())
        self.samples += 1

    def _file(self, number, extension, data):
        info = tarfile.TarInfo(f"{self.samples:09d}.{number}{extension}")
        info.size = len(data)
        self.tar.addfile(info, io.BytesIO(data))

    def close(self):
        self.tar.close()
        sys.stdout.buffer.flush()
