"""Markdown tables: one per condition, a row a layout."""
from conditions.slow import delay_ms

HEADER = (
    "| layout | first, samples/s | x Files | x linked | steady, samples/s | x Files | x linked | x floor "
    "| disk reads a pair, first / steady | p99, ms | daemon MiB | kernel MiB | FUSE requests a pair, first |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
)


def slow(condition):
    delay = delay_ms(condition.disk)
    return f"{delay} ms a lookup, open and read" if delay else ""


def describe(condition):
    memory = f"memory {condition.memory} %" if condition.memory else "memory unlimited"
    disks = {"as-is": "disk as it is", "sshfs": "sshfs on loopback"}
    disk = disks.get(condition.disk) or slow(condition) or f"disk limited to {condition.disk} reads/s"
    loaders = f"{condition.workers} {condition.loader} loader{'s' if condition.workers > 1 else ''}"
    user = "root" if condition.user == "root" else "ordinary user"
    pairs = f", {condition.pairs} pairs a pass" if condition.pairs else ""
    return f"{condition.shape}, {disk}, {memory}, {loaders}, {user}{pairs}"


def number(value, form=",.0f"):
    return "" if value is None else format(value, form)


def mebibytes(kibibytes):
    return number(kibibytes / 1024, ".1f") if kibibytes else ""


def requests(series):
    counts = series.requests_per_pair()
    return ", ".join(f"{name} {value:.2f}" for name, value in counts.items() if value >= 0.005)


def row(group, layout):
    first, steady = group.get(layout, "first"), group.get(layout, "steady")
    ratios = {
        (base, name): group.ratio(layout, base, name) or ""
        for base in ("files", "linked", "floor")
        for name in ("first", "steady")
    }
    cells = (
        layout,
        number(first.rate),
        ratios["files", "first"],
        ratios["linked", "first"],
        number(steady.rate),
        ratios["files", "steady"],
        ratios["linked", "steady"],
        ratios["floor", "steady"],
        f"{first.reads_per_pair():.2f} / {steady.reads_per_pair():.2f}",
        number(steady.median_of("p99_us") / 1000, ".2f"),
        mebibytes(steady.median_of("daemon_kib")),
        mebibytes(steady.median_of("kernel_kib")),
        requests(first),
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def in_flight(group):
    """Reads in flight at the slow file system, where it counted them."""
    lines = []
    for layout in group.layouts():
        series = group.get(layout, "first")
        if series and series.median_of("in_flight_mean") is not None:
            mean, most = series.median_of("in_flight_mean"), series.median_of("in_flight_max")
            lines.append(f"{layout} {mean:.1f} on average, {most:.0f} at most")
    return f"Reads in flight, first pass: {'; '.join(lines)}.\n\n" if lines else ""


def table(group):
    complete = [x for x in group.layouts() if group.get(x, "first") and group.get(x, "steady")]
    if not complete:
        return ""
    runs = max(len(group.get(x, "first").rates) for x in complete)
    text = f"### {describe(group.condition)}\n\nRuns of each: up to {runs}.\n\n{HEADER}"
    return text + "".join(row(group, layout) for layout in complete) + "\n" + in_flight(group)


def failures(rows):
    """What did not run to its end, each with how often."""
    counted = {}
    for entry in rows:
        if entry["status"] != "ok":
            text = f"{entry['cell']}: {entry['status']} ({entry['note']})"
            counted[text] = counted.get(text, 0) + 1
    return [f"{text}, {count} run(s)" for text, count in counted.items()]
