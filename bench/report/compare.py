"""Medians, and ratios of runs of the same round: what tables, plots and verdicts are made of."""
import statistics


def quantile(values, share):
    """Linear interpolation, as numpy's default."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


class Ratio:
    """Of one layout's rates to another's, round by round."""

    def __init__(self, values):
        self.values = values
        self.median = statistics.median(values)
        self.low, self.high = quantile(values, 0.25), quantile(values, 0.75)

    def __str__(self):
        return f"{self.median:.2f} ({self.low:.2f})"


class Series:
    """All measured runs of one layout under one condition and in one pass."""

    def __init__(self, rows):
        self.rows = rows
        self.rates = {row["round"]: row["rate"] for row in rows}

    @property
    def rate(self):
        return statistics.median(self.rates.values())

    def ratio_to(self, other):
        common = sorted(self.rates.keys() & other.rates.keys())
        return Ratio([self.rates[r] / other.rates[r] for r in common]) if common else None

    def median_of(self, column):
        values = [row[column] for row in self.rows if row[column] is not None]
        return statistics.median(values) if values else None

    def reads_per_pair(self):
        return statistics.median(row["reads"] / row["pairs_read"] for row in self.rows)

    def requests_per_pair(self):
        """opcode -> FUSE requests per pair, from the run that counted them; empty where none did."""
        for row in self.rows:
            if row["requests"]:
                pairs = (part.split("=") for part in row["requests"].split(";"))
                return {name: int(count) / row["pairs_read"] for name, count in pairs}
        return {}


class Group:
    """What can be compared: the layouts run under one condition."""

    def __init__(self, condition):
        self.condition = condition
        self.series = {}  # (layout, pass) -> Series

    def get(self, layout, name):
        return self.series.get((layout, name))

    def layouts(self):
        return list(dict.fromkeys(layout for layout, _ in self.series))

    def ratio(self, layout, base, name):
        """Of `layout` to `base` in the pass `name`, or None where either was not measured."""
        one, other = self.get(layout, name), self.get(base, name)
        return one.ratio_to(other) if one and other else None


def group_rows(rows):
    """condition -> Group, in the order in which they were first run."""
    collected = {}
    for row in rows:
        key = (row["cell"].condition(), row["cell"].layout, row["pass"])
        collected.setdefault(key, []).append(row)
    groups = {}
    for (condition, layout, name), members in collected.items():
        group = groups.setdefault(condition, Group(condition))
        group.series[layout, name] = Series(members)
    return groups
