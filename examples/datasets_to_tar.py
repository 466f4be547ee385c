#!/usr/bin/env python3
"""A `datasets` dataset to ULHFF:  datasets_to_tar.py DIRECTORY | ulhff convert - OUT.ulhff

Needs datasets. DIRECTORY is what save_to_disk wrote. Several splits: convert --split-column split.
Any other Dataset: call stream_split from your own script. Nothing is decoded.
"""
import datasets

import tar_stream


def undecoded(dataset):
    """The same rows with the bytes of images, audio and videos as they were stored."""
    for name, feature in dataset.features.items():
        if type(feature).__name__ in ("Image", "Audio", "Video"):
            dataset = dataset.cast_column(name, type(feature)(decode=False))
    return dataset


def stream_split(dataset, arguments, stream, split=None):
    left = tar_stream.choose_columns(arguments, list(dataset.features))
    for row in undecoded(dataset):
        stream.add(tar_stream.media_of(row[arguments.media]),
                   [text for name in arguments.text for text in tar_stream.texts_of(row[name])],
                   {name: row[name] for name in left}, split)


if __name__ == "__main__":
    parser = tar_stream.parser(__doc__.splitlines()[0])
    parser.add_argument("directory")
    arguments = parser.parse_args()
    loaded = datasets.load_from_disk(arguments.directory)
    splits = loaded if isinstance(loaded, dict) else {None: loaded}
    stream = tar_stream.TarStream()
    for split, dataset in splits.items():
        stream_split(dataset, arguments, stream, split)
    stream.close()
