"""MindRecord: mindspore's FileWriter and FileReader, by examples/."""
import os
import sys

from mindspore.mindrecord import FileReader, FileWriter
from samples import Case, pairs

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")

case = Case(sys.argv[1], "mindrecord")
path = os.path.join(case.source, "set.mindrecord")
writer = FileWriter(path, shard_num=1)
writer.add_schema({"image": {"type": "bytes"}, "caption": {"type": "string"}}, "pairs")
writer.write_raw_data([{"image": media, "caption": text} for media, text in pairs()])
writer.commit()
reader = FileReader(path)
rows = [(bytes(row["image"]), row["caption"]) for row in reader.get_next()]
reader.close()
case.done(rows, command=[sys.executable, os.path.join(EXAMPLES, "mindrecord_to_tar.py"), path])
