"""Positioned reads of byte ranges of one big file, buffered or direct."""
import mmap
import os

BLOCK = 4096


class RecordFile:
    """read(offset, size) gives bytes. Direct reads round outwards to blocks, into one reused buffer."""

    def __init__(self, path, direct):
        self.direct = direct
        self.fd = os.open(path, os.O_RDONLY | (os.O_DIRECT if direct else 0))
        self.buffer = mmap.mmap(-1, 1 << 20) if direct else None

    def read(self, offset, size):
        if not self.direct:
            return os.pread(self.fd, size, offset)
        skip = offset % BLOCK
        span = -(-(skip + size) // BLOCK) * BLOCK
        if span > len(self.buffer):
            self.buffer = mmap.mmap(-1, span)
        os.preadv(self.fd, [memoryview(self.buffer)[:span]], offset - skip)
        return self.buffer[skip : skip + size]
