#!/usr/bin/env python3
"""MindRecord files to ULHFF:  mindrecord_to_tar.py FILE... | ulhff convert - OUT.ulhff

Needs mindspore, and the .db beside each file. The files are read one after the other.
"""
import mindspore.mindrecord

import tar_stream

parser = tar_stream.parser(__doc__.splitlines()[0])
parser.add_argument("files", nargs="+")
arguments = parser.parse_args()
left = None
stream = tar_stream.TarStream()
for path in arguments.files:
    reader = mindspore.mindrecord.FileReader(path)
    for row in reader.get_next():
        if left is None:
            left = tar_stream.choose_columns(arguments, list(row))
        stream.add(tar_stream.media_of(row[arguments.media]),
                   [text for name in arguments.text for text in tar_stream.texts_of(row[name])],
                   {name: row[name] for name in left})
    reader.close()
stream.close()
