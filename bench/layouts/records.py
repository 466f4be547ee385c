"""Single files of records: FFRecord (a record per pair), FFSlim's scheme (a record per media), bare objects (floor)."""
import array
import os
import pickle
import struct
import zlib

from layouts.base import Layout, native_loader, python_loader

ALIGNMENT = 64


class RecordWriter:
    """Writes FFRecord's format: CRC, count, CRC of each record, offset of each record, records."""

    def __init__(self, path, count):
        self.count, self.offsets, self.sums = count, array.array("q"), array.array("I")
        self.file = open(path, "wb")  # closed by finish()
        self.file.seek(12 + 12 * count)

    def add(self, record):
        self.offsets.append(self.file.tell())
        self.sums.append(zlib.crc32(record))
        self.file.write(record)

    def finish(self):
        head = struct.pack("<q", self.count) + self.sums.tobytes() + self.offsets.tobytes()
        self.file.seek(0)
        self.file.write(struct.pack("<I", zlib.crc32(head)) + head)
        self.file.close()


class FfRecord(Layout):
    name = "ffrecord"
    stored = ("ffrecord.ffr",)
    direct = False

    def build(self, dataset, tools):
        writer = RecordWriter(dataset.path(*self.stored), dataset.pairs)
        for _, content, text in dataset.pair_records():
            writer.add(pickle.dumps({"image": content, "caption": text.decode()}, protocol=5))
        writer.finish()

    def options(self, run, root):
        return {"path": os.path.join(root, *self.stored), "direct": int(self.direct), "scheme": "pair"}

    def command(self, run, root, loader):
        return python_loader("ffrecord", run, **self.options(run, root))


class FfSlim(FfRecord):
    name = "ffslim"
    stored = ("ffslim.ffr",)

    def build(self, dataset, tools):
        writer = RecordWriter(dataset.path(*self.stored), dataset.media)
        for _, content, texts in dataset.objects():
            record = {"image": content, "captions": [text.decode() for text in texts]}
            writer.add(pickle.dumps(record, protocol=5))
        writer.finish()

    def options(self, run, root):
        counts = {b - a for a, b in zip(run.dataset.first_pair, run.dataset.first_pair[1:])}
        return super().options(run, root) | {
            "scheme": "object",
            "ratio": counts.pop() if len(counts) == 1 else 0,
            "first_pair": run.dataset.meta("first_pair.u32"),
        }


class FfSlimDirect(FfSlim):
    name = "ffslim-direct"
    direct = True


class Floor(Layout):
    """Media and texts of an object side by side, read by one bare pread."""

    name = "floor"
    loaders = ("python", "native")
    stored = ("objects.bin", "objects.offset.u64", "objects.media_size.u64", "objects.text_end.u64")
    direct = False

    def build(self, dataset, tools):
        offsets, media_sizes, text_ends = (array.array("Q") for _ in range(3))
        with open(dataset.path("objects.bin"), "wb") as file:
            for _, content, texts in dataset.objects():
                file.write(bytes(-file.tell() % ALIGNMENT))
                offsets.append(file.tell())
                media_sizes.append(len(content))
                end = len(content)
                for text in texts:
                    end += len(text)
                    text_ends.append(end)
                file.write(content + b"".join(texts))
        for name, values in zip(self.stored[1:], (offsets, media_sizes, text_ends)):
            with open(dataset.path(name), "wb") as file:
                values.tofile(file)

    def command(self, run, root, loader):
        options = {
            "path": os.path.join(root, "objects.bin"),
            "index": run.dataset.path("objects"),
            "first_pair": run.dataset.meta("first_pair.u32"),
            "direct": int(self.direct),
        }
        if loader == "native":
            return native_loader("objects", run, **options)
        return python_loader("objects", run, **options)


class FloorDirect(Floor):
    name = "floor-direct"
    direct = True
