"""The loader of a table and a media folder (TDP): texts in memory, media opened by path.

Options: root (holds img/ and pairs.csv).
"""
import csv
import os

from serve import serve


class TdpLoader:
    def __init__(self, options):
        self.root = options["root"]
        with open(os.path.join(self.root, "pairs.csv"), newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            next(rows)
            self.rows = [(path, text) for path, text in rows]

    def read(self, pair):
        path, text = self.rows[pair]
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read(), text.encode()


if __name__ == "__main__":
    serve(TdpLoader)
