"""Hugging Face datasets from an Arrow file on disk, the image undecoded. Options: path."""
from datasets import load_from_disk
from serve import serve


class ArrowLoader:
    def __init__(self, options):
        self.data = load_from_disk(options["path"])

    def read(self, pair):
        row = self.data[pair]
        return row["image"]["bytes"], row["caption"].encode()


if __name__ == "__main__":
    serve(ArrowLoader)
