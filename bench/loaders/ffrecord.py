"""FFRecord-style and FFSlim loaders: one file of pickled records behind an array of offsets.

Options: path; direct=1 for O_DIRECT; scheme=pair (FFRecord: a record is one pair) or scheme=object (FFSlim: a
record is one media with all its texts, found by arithmetic where each media has `ratio` texts, else by binary search).
"""
import array
import bisect
import os
import pickle
import struct

from record_file import RecordFile
from serve import load_numbers, serve


class RecordLoader:
    def __init__(self, options):
        path = options["path"]
        self.file = RecordFile(path, options.get("direct") == "1")
        with open(path, "rb") as file:
            (count,) = struct.unpack_from("<q", file.read(12), 4)
            file.seek(12 + 4 * count)
            self.offsets = array.array("q")
            self.offsets.frombytes(file.read(8 * count))
        self.offsets.append(os.path.getsize(path))

    def record(self, number):
        offset = self.offsets[number]
        return pickle.loads(self.file.read(offset, self.offsets[number + 1] - offset))

    def read(self, pair):
        record = self.record(pair)
        return record["image"], record["caption"].encode()


class ObjectLoader(RecordLoader):
    """FFSlim: sample -> (object, slot) by its adaptive retrieval."""

    def __init__(self, options):
        super().__init__(options)
        self.ratio = int(options.get("ratio", 0))
        self.first_pair = load_numbers(options["first_pair"])

    def locate(self, pair):
        if self.ratio:
            return divmod(pair, self.ratio)
        number = bisect.bisect_right(self.first_pair, pair) - 1
        return number, pair - self.first_pair[number]

    def read(self, pair):
        number, slot = self.locate(pair)
        record = self.record(number)
        return record["image"], record["captions"][slot].encode()


def open_scheme(options):
    return (ObjectLoader if options["scheme"] == "object" else RecordLoader)(options)


if __name__ == "__main__":
    serve(open_scheme)
