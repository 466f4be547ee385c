#!/usr/bin/env python3
"""Hugging Face Parquet files, or directories of them, to ULHFF:  parquet_to_tar.py data/ | ulhff convert - OUT.ulhff

Needs pyarrow. Columns of images and audio are {bytes, path}, or plain binary, or lists of these.
"""
import glob
import os

import pyarrow.parquet

import tar_stream


def files_of(paths):
    for path in paths:
        pattern = os.path.join(glob.escape(path), "**", "*.parquet")
        yield from sorted(glob.glob(pattern, recursive=True)) if os.path.isdir(path) else [path]


parser = tar_stream.parser(__doc__.splitlines()[0])
parser.add_argument("paths", nargs="+")
arguments = parser.parse_args()
left = None
stream = tar_stream.TarStream()
for path in files_of(arguments.paths):
    file = pyarrow.parquet.ParquetFile(path)
    if left is None:
        left = tar_stream.choose_columns(arguments, file.schema_arrow.names)
    columns = [arguments.media, *arguments.text, *left]
    for batch in file.iter_batches(batch_size=16, columns=columns):
        for row in batch.to_pylist():
            stream.add(tar_stream.media_of(row[arguments.media]),
                       [text for name in arguments.text for text in tar_stream.texts_of(row[name])],
                       {name: row[name] for name in left})
stream.close()
