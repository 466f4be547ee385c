"""TFRecord by the tfrecord package: Example and, as im2txt writes it, SequenceExample."""
import os
import sys

import tfrecord
from samples import Case, pairs


def write_examples(path, rows):
    writer = tfrecord.TFRecordWriter(path)
    for media, text in rows:
        writer.write({"image_bytes": (media, "byte"), "image_caption": (text.encode(), "byte"), "height": (24, "int")})
    writer.close()


def examples():
    case = Case(sys.argv[1], "examples")
    shards = [os.path.join(case.source, f"set-{n:05d}-of-00003.tfrecord") for n in range(3)]
    rows = pairs()
    for number, shard in enumerate(shards):
        write_examples(shard, rows[number * 9 : number * 9 + 9])
    description = {"image_bytes": "byte", "image_caption": "byte"}
    case.done(
        (bytes(record["image_bytes"]), bytes(record["image_caption"]))
        for shard in shards
        for record in tfrecord.tfrecord_loader(shard, None, description)
    )


def sequences():
    case = Case(sys.argv[1], "sequences")
    path = os.path.join(case.source, "train-00000-of-00001")
    writer = tfrecord.TFRecordWriter(path)
    for media, text in pairs():
        words = [word.encode() for word in ["<S>", *text.split(), "</S>"]]
        writer.write({"image/data": (media, "byte")}, {"image/caption": (words, "byte")})
    writer.close()
    records = tfrecord.tfrecord_loader(
        path, None, {"image/data": "byte"}, sequence_description={"image/caption": "byte"}
    )
    # The words of a caption, with blanks between them: what was written is not to be had back.
    case.done(
        (bytes(context["image/data"]), b" ".join(bytes(word) for word in lists["image/caption"]))
        for context, lists in records
    )


examples()
sequences()
