"""The numbers the project set itself (design: "Numbers to reach"), each judged by the runs there are."""
import dataclasses

LIMITED = (10, 30)
ALL_MEMORY = (10, 30, 60, 100)


@dataclasses.dataclass(frozen=True)
class Target:
    """`layout` reaches `at_least` times `base` in the pass `name`, wherever the conditions hold."""

    text: str
    layout: str
    base: str
    at_least: float
    passes: tuple = ("first", "steady")
    disk: str = "as-is"
    memory: tuple = ALL_MEMORY + (0,)
    loader: str = "python"
    workers: int = 1

    def applies(self, condition):
        return (
            condition.disk == self.disk
            and condition.memory in self.memory
            and condition.loader == self.loader
            and condition.workers == self.workers
        )


def mount_targets(mount):
    return (
        Target("600 reads/s, first pass: >= 4x Files", mount, "files", 4, ("first",), "600", (30, 60, 100)),
        Target("600 reads/s, first pass, x = 10: >= 3.8x Files", mount, "files", 3.8, ("first",), "600", (10,)),
        Target("600 reads/s, after: >= 0.9x the floor", mount, "floor", 0.9, ("steady",), "600", ALL_MEMORY),
        Target("3,000 reads/s: >= 0.7x the floor", mount, "floor", 0.7, disk="3000", memory=ALL_MEMORY),
        Target("3,000 reads/s: >= 1.5x Files", mount, "files", 1.5, disk="3000", memory=ALL_MEMORY),
        Target("3,000 reads/s: >= 1.2x linked", mount, "linked", 1.2, disk="3000", memory=ALL_MEMORY),
        Target("network file system: >= 3x Files", mount, "files", 3, disk="sshfs", memory=ALL_MEMORY),
        Target("32 loaders, 2 ms: >= 0.85x the floor", mount, "floor", 0.85, ("first",), "2ms", loader="native", workers=32),
        Target("32 loaders, 2 ms: >= 5x Files", mount, "files", 5, ("first",), "2ms", loader="native", workers=32),
        Target("two processes, x <= 30: >= 1.1x Files", mount, "files", 1.1, ("steady",), memory=LIMITED, workers=2),
        Target("two processes, unlimited: >= 2x Files", mount, "files", 2, ("first",), memory=(0,), workers=2),
        Target("one process, x <= 30: >= 0.8x Files", mount, "files", 0.8, ("steady",), memory=LIMITED),
        Target("one process, x = 100: >= 1.2x Files", mount, "files", 1.2, ("steady",), memory=(100,)),
        Target("C++ loader, warm: >= 0.95x Files", mount, "files", 0.95, ("steady",), memory=(0,), loader="native"),
        Target(">= 2x SquashFS where steady state reads the disk", mount, "squashfs", 2, ("steady",), memory=ALL_MEMORY),
        Target(">= 2x squashfuse_ll there", mount, "squashfuse_ll", 2, ("steady",), memory=ALL_MEMORY),
        Target(">= 2x ratarmount there", mount, "ratarmount", 2, ("steady",), memory=ALL_MEMORY),
    )  # fmt: skip


LIBRARY_TARGETS = (
    Target("library: >= 0.95x bare pread", "libulhff", "floor", 0.95, loader="native"),
    Target("library, batches: >= 1.5x FFSlim in Python", "libulhff-batch", "ffslim", 1.5),
    Target("library: ahead of MDS", "libulhff", "mds", 1),
    Target("library: ahead of MindRecord", "libulhff", "mindrecord", 1),
    Target("library: ahead of HF Arrow", "libulhff", "arrow", 1),
)


def judge(target, groups):
    """Rows of (target text, condition, pass, ratio, verdict) for every condition measured."""
    for condition, group in groups.items():
        if not target.applies(condition):
            continue
        for name in target.passes:
            ratio = group.ratio(target.layout, target.base, name)
            if ratio:
                verdict = "reached" if ratio.low >= target.at_least else "**missed**"
                yield target.text, condition, name, ratio, verdict


MAX_READS_PER_OBJECT = 1.05


def reads_per_object(groups, mounts, lab):
    """Rows: the block layer's reads per object, in first passes that nothing limits and that touch every object."""
    for condition, group in groups.items():
        if condition.disk != "as-is" or condition.memory or condition.pairs or condition.workers != 1:
            continue
        for mount in mounts:
            series = group.get(mount, "first")
            if series:
                media = lab.dataset(condition.shape).media
                yield condition, mount, [row["reads"] / media for row in series.rows]


def reads_table(groups, mounts, lab):
    from report.compare import quantile
    from report.tables import describe

    text = ""
    for condition, mount, values in reads_per_object(groups, mounts, lab):
        reads = quantile(values, 0.75)
        verdict = "reached" if reads <= MAX_READS_PER_OBJECT else "**missed**"
        text += f"| {mount} | {describe(condition)} | {quantile(values, 0.5):.3f} ({reads:.3f}) | {len(values)} | {verdict} |\n"
    head = (
        f"Reads of the disk per object first touched, at most {MAX_READS_PER_OBJECT} (in brackets the upper quartile):\n\n"
        "| of | condition | reads per object | runs | |\n|---|---|--:|--:|---|\n"
    )
    return head + text + "\n" if text else ""


def verdict_table(groups, mounts):
    from report.tables import describe

    text = (
        "A target is reached when the lower quartile of the ratios passes; the design asks for seven runs "
        "and 60,000 files or more.\n\n"
        "| of | target | condition | pass | ratio (lower quartile) | runs | |\n|---|---|---|---|--:|--:|---|\n"
    )
    rows = 0
    for target in [t for mount in mounts for t in mount_targets(mount)] + list(LIBRARY_TARGETS):
        for label, condition, name, ratio, verdict in judge(target, groups):
            text += (
                f"| {target.layout} | {label} | {describe(condition)} | {name} | {ratio} "
                f"| {len(ratio.values)} | {verdict} |\n"
            )
            rows += 1
    return text + "\n" if rows else "No condition of a target was measured.\n\n"
