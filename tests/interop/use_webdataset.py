"""WebDataset: ShardWriter writes, WebDataset reads; plain and gzipped shards, with and without JSON beside the text."""
import glob
import os
import sys

import webdataset
from samples import Case, pairs


def write(case, suffix="", extra=None):
    pattern = os.path.join(case.source, "set-%04d.tar" + suffix)
    with webdataset.ShardWriter(pattern, maxcount=10, verbose=0) as writer:
        for number, (media, text) in enumerate(pairs()):
            sample = {"__key__": f"{number // 10:03d}/{number:06d}", "png": media, "txt": text}
            writer.write(sample | (extra(number) if extra else {}))


def read(case):
    shards = sorted(glob.glob(os.path.join(case.source, "*.tar*")))
    for sample in webdataset.WebDataset(shards, shardshuffle=False, empty_check=False):
        yield sample["png"], sample["txt"]


for name, suffix, extra in (
    ("plain", "", None),
    ("gzip", ".gz", None),
    ("json", "", lambda number: {"json": {"number": number}}),
):
    case = Case(sys.argv[1], name)
    write(case, suffix, extra)
    case.done(read(case))
