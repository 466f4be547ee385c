"""WebDataset: shards read in sequence through a shuffle buffer. That is no full shuffle, and it is faster for it.

Options: path (folder of shards), buffer (samples in the shuffle buffer).
"""
import glob
import os

import webdataset
from serve import serve


class WebDatasetLoader:
    def __init__(self, options):
        self.shards = sorted(glob.glob(os.path.join(options["path"], "*.tar")))
        self.buffer = int(options["buffer"])

    def stream(self, pairs):
        """As many samples as `pairs` has; which ones, the shards' shuffled order decides."""
        data = webdataset.WebDataset(self.shards, shardshuffle=len(self.shards)).shuffle(self.buffer)
        for _, sample in zip(pairs, data):
            yield int(sample["__key__"]), self.media(sample), sample["txt"]

    @staticmethod
    def media(sample):
        return next(v for k, v in sample.items() if k in ("jpg", "mp4", "wav"))


if __name__ == "__main__":
    serve(WebDatasetLoader)
