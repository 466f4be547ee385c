"""The unmodified loader of plain files: computes the names of a pair, opens and reads both.

Options: root, extension, and list=1 to list every directory first, as ImageFolder-like loaders do.
"""
import os

from serve import serve

PAIRS_PER_DIRECTORY = 10_000


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


class FilesLoader:
    def __init__(self, options):
        self.root = options["root"]
        self.extension = options["extension"]
        if options.get("list") == "1":
            self.names = [name for _, _, names in os.walk(self.root) for name in sorted(names)]

    def read(self, pair):
        folder, number = divmod(pair, PAIRS_PER_DIRECTORY)
        stem = f"{self.root}/{folder:06d}/{number:06d}"
        return read_file(f"{stem}.{self.extension}"), read_file(f"{stem}.txt")


if __name__ == "__main__":
    serve(FilesLoader)
