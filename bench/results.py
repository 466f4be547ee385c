"""The CSV of runs: appended run by run, so that an interrupted benchmark goes on where it stopped."""
import csv
import dataclasses
import os

from cell import Cell

CELL = [field.name for field in dataclasses.fields(Cell)]
MEASURED = [
    "pass", "status", "rate", "pairs_read", "seconds", "media_bytes", "open_seconds", "p50_us", "p99_us",
    "reads", "read_bytes", "daemon_kib", "daemon_peak_kib", "kernel_kib", "requests",
    "in_flight_mean", "in_flight_max", "note",
]  # fmt: skip
COLUMNS = ["time", "round", *CELL, *MEASURED]
NUMBERS = {"workers": int, "memory": int, "pairs": int, "round": int}


class Results:
    def __init__(self, path):
        self.path = path
        self.rows = []
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                self.rows = [parse(row) for row in csv.DictReader(file)]

    def has(self, cell, round_number):
        return any(row["cell"] == cell and row["round"] == round_number for row in self.rows)

    def add(self, cell, round_number, results, when):
        """Appends a row per result of one run."""
        new = not os.path.exists(self.path)
        with open(self.path, "a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if new:
                writer.writeheader()
            for result in results:
                row = {"time": when, "round": round_number} | dataclasses.asdict(cell)
                row |= {name: plain(result.get(name, "")) for name in MEASURED if name != "pairs_read"}
                row["pairs_read"] = result.get("pairs", "")
                writer.writerow(row)
                self.rows.append(parse({k: str(v) for k, v in row.items()}))

    def measured(self):
        return [row for row in self.rows if row["status"] == "ok"]


def plain(value):
    return f"{value:.6g}" if isinstance(value, float) else value


def parse(row):
    """Numbers as numbers, and the row's Cell beside them."""
    parsed = {}
    for name, text in row.items():
        if name in NUMBERS:
            parsed[name] = NUMBERS[name](text)
        elif name in CELL or name in ("time", "pass", "status", "requests", "note"):
            parsed[name] = text
        else:
            parsed[name] = float(text) if text else None
    parsed["cell"] = Cell(**{name: parsed[name] for name in CELL})
    return parsed
