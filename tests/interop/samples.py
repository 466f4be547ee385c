"""The small set that every tool writes: real encoded pictures and sounds, captions that break parsers, duplicates."""
import hashlib
import io
import json
import math
import os
import struct
import wave
import zlib

CAPTIONS = (
    "A dog, a cat and a bird.",
    "NA",
    "null",
    "nan",
    " blanks at both ends ",
    'a "quoted" word and one quote more: "',
    "grün ist die Wiese 👍 e\u0301",
    "a back\\slash, a semicolon; a bar | and a #hash",
    "the same caption",
    "the same caption",
)
# What not every text format can hold.
HARD = ("two\nlines", "carriage\r\nreturn", "a\ttab", "")
PICTURES = 9
PAIRS_PER_MEDIA = 3


def png(number):
    """32 x 24 pixels in a pattern of this number."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(
        b"\0" + bytes((x * (number + 3) + y * 7 + c * number) % 256 for x in range(32) for c in range(3)) for y in range(24)
    )
    header = struct.pack(">IIBBBBB", 32, 24, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def wav(number):
    """A twentieth of a second of a tone of this number."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        tone = (int(9000 * math.sin(i * (number + 1) / 9)) for i in range(400))
        file.writeframes(b"".join(struct.pack("<h", value) for value in tone))
    return buffer.getvalue()


def pairs(make=png, hard=True):
    """(media, caption) in source order: a media's captions stand apart, and each media has several."""
    captions = CAPTIONS + (HARD if hard else ())
    count = PICTURES * PAIRS_PER_MEDIA
    return [(make(i % PICTURES), captions[i % len(captions)]) for i in range(count)]


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


class Case:
    """A set to be converted, with what the tool's own reader makes of it."""

    def __init__(self, work, name):
        self.folder = os.path.join(work, name)
        os.makedirs(self.folder)
        self.source = os.path.join(self.folder, "source")
        os.makedirs(self.source)

    def done(self, read, arguments=(), operand="source", command=None, ordered=True):
        """`read`: (media, text or None) pairs as the real reader gives them, in its order.

        `command`: words of a script that streams a tar to `ulhff convert -`, instead of `operand`.
        `ordered`: whether that order is the source's own.
        """
        expected = [
            [hashlib.sha256(media).hexdigest(), None if text is None else as_bytes(text).hex()] for media, text in read
        ]
        case = {
            "arguments": list(arguments), "operand": operand, "command": command, "ordered": ordered, "expected": expected,
        }  # fmt: skip
        with open(os.path.join(self.folder, "case.json"), "w", encoding="ascii") as file:
            json.dump(case, file)


def as_bytes(text):
    return text.encode() if isinstance(text, str) else bytes(text)
