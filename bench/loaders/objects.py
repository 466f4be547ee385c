"""The floor: a bare pread of the byte range of a pair's object, and nothing around it.

Options: path (the objects), index (../layouts/records.py), first_pair; direct=1 for O_DIRECT.
"""
import array
import bisect

from record_file import RecordFile
from serve import load_numbers, serve


def load_u64(path):
    values = array.array("Q")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


class ObjectsLoader:
    def __init__(self, options):
        self.file = RecordFile(options["path"], options.get("direct") == "1")
        self.first_pair = load_numbers(options["first_pair"])
        self.offsets = load_u64(options["index"] + ".offset.u64")
        self.media_sizes = load_u64(options["index"] + ".media_size.u64")
        self.text_ends = load_u64(options["index"] + ".text_end.u64")

    def read(self, pair):
        number = bisect.bisect_right(self.first_pair, pair) - 1
        last = self.first_pair[number + 1] - 1
        record = self.file.read(self.offsets[number], self.text_ends[last])
        size = self.media_sizes[number]
        begin = size if pair == self.first_pair[number] else self.text_ends[pair - 1]
        return record[:size], record[begin : self.text_ends[pair]]


if __name__ == "__main__":
    serve(ObjectsLoader)
