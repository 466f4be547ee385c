"""MosaicML Streaming: MDSWriter writes, StreamingDataset reads; raw and zstd, text beside bytes and jpeg encodings."""
import sys

import streaming
from samples import Case, pairs

for name, compression in (("raw", None), ("zstd", "zstd:7"), ("gz", "gz")):
    case = Case(sys.argv[1], name)
    columns = {"image": "bytes", "caption": "str", "number": "int"}
    with streaming.MDSWriter(out=case.source, columns=columns, compression=compression, size_limit=1 << 14) as writer:
        for number, (media, text) in enumerate(pairs()):
            writer.write({"image": media, "caption": text, "number": number})
    reader = streaming.LocalDataset(case.source) if compression is None else streaming.StreamingDataset(
        local=case.source, shuffle=False, batch_size=1, keep_zip=True
    )
    case.done((reader[i]["image"], reader[i]["caption"]) for i in range(len(pairs())))
