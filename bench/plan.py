"""Which cells are run: the sections of the benchmark, small for --quick, whole for --full."""
import dataclasses

from cell import Cell
from conditions.slow import delay_ms

# Read one by one, in this order, within a round.
PEERS = ("squashfs", "squashfuse_ll", "erofs", "ratarmount")
CHANGED = ("files", "libulhff", "libulhff-batch", "mds", "mindrecord", "arrow", "webdataset")
ABLATIONS = ("mount-nopool", "mount-buffered", "mount-2-threads")
MEMORY = (10, 30, 60, 100, 0)


@dataclasses.dataclass(frozen=True)
class Plan:
    scale: float
    rounds: int
    cells: tuple  # of Cell


def cells(section, layouts, *, memory, disks=("as-is",), loaders=(("python", 1),), users=("root",), **more):
    """All combinations; layouts vary fastest, so that those to be compared run next to each other."""
    return [
        Cell(more.get("shape", "flickr30k"), layout, loader, workers, limit, disk, user,
             more.get("pairs", 0), section)
        for disk in disks
        for user in users
        for loader, workers in loaders
        for limit in memory
        for layout in layouts
    ]  # fmt: skip


def supported(cell, layouts):
    """A layout takes part with the loaders that it has, an image only on the disk itself."""
    layout = layouts.get(cell.layout)
    if layout is None or cell.loader not in layout.loaders:
        return False
    return not (layout.local_only and (cell.disk == "sshfs" or delay_ms(cell.disk)))


def quick(mounts):
    own = ("files", "linked", *mounts)
    made = [
        *cells("main", (*own, "floor", "ffslim", "libulhff", "libulhff-batch"), memory=(30, 0)),
        *cells("main", ("files", *mounts), memory=(30, 0), loaders=(("python", 2),)),
        *cells("main", (*own, "floor"), memory=(30,), disks=("600",), pairs=500),
        *cells("main", mounts, memory=(0,), users=("nobody",)),
        *cells("slow", ("files", *mounts, "floor"), memory=(0,), disks=("2ms",),
               loaders=(("native", 32),), pairs=800),
        *cells("changed", CHANGED, memory=(0,)),
        *cells("peers", PEERS, memory=(30,)),
    ]  # fmt: skip
    return Plan(scale=0.05, rounds=5, cells=tuple(made))


def full(mounts):
    own = ("files", "linked", *mounts)
    both = ("root", "nobody")
    processes = (("python", 1), ("python", 2), ("native", 1))
    singles = ("floor", "floor-direct", "tdp", "ffrecord", "ffslim", "ffslim-direct")
    bare = ("floor", "floor-direct", "libulhff", "libulhff-direct", "libulhff-hash", "libulhff-batch")
    made = [
        *cells("main", (*own, *singles, "libulhff", "libulhff-batch"), memory=MEMORY),
        *cells("main", own, memory=MEMORY, loaders=processes, users=both),
        *cells("main", (*own, "floor", "libulhff"), memory=MEMORY, disks=("600", "3000"), users=both,
               pairs=3000),
        *cells("peers", PEERS, memory=(10, 30, 100, 0)),
        *cells("peers", PEERS, memory=(30,), disks=("600", "3000"), pairs=3000),
        *cells("network", (*own, "floor"), memory=(30, 0), disks=("sshfs",), users=both),
        *cells("slow", (*own, "floor"), memory=(0,), disks=("2ms", "10ms"), loaders=(("native", 32),),
               users=both, pairs=6400),
        *cells("slow", (*own, "floor"), memory=(0,), disks=("2ms",), loaders=(("python", 32),),
               pairs=6400),
        *cells("changed", (*CHANGED, *mounts), memory=MEMORY),
        *cells("changed", (*CHANGED, *mounts), memory=(30,), disks=("600", "3000"), pairs=3000),
        *cells("listing", own, memory=(10, 30, 0), loaders=(("python-list", 1),)),
        *cells("library", bare, memory=(10, 30, 0), loaders=(("native", 1),)),
        *cells("library", bare, memory=(10, 30, 0), loaders=(("native", 1),), shape="gqa"),
        *cells("hybrid", (*own, "floor", "ffslim"), memory=(10, 30, 100, 0), shape="vqa2"),
        *cells("ablation", ("files", "linked", "mount", *ABLATIONS), memory=(10, 30, 100, 0)),
        *cells("ablation", ("files", "mount", *ABLATIONS), memory=(0,), disks=("2ms",),
               loaders=(("native", 32),), pairs=6400),
        *cells("figure12", ("files", "linked", "ffslim", *mounts), memory=tuple(range(10, 101, 10))),
    ]  # fmt: skip
    return Plan(scale=0.2, rounds=7, cells=tuple(made))
