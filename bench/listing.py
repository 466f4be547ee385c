"""What depends on the number of names: listing against ext4, and mounts of very many pairs."""
import contextlib
import os
import random
import statistics
import subprocess
import time

from conditions import cgroup
from conditions.disk import drop_caches
from layouts import all_layouts
from layouts.base import build_once
from layouts.ulhff import CONTAINER
from processes import Credentials, Daemon

ROUNDS = 3
NAMES = 1_200_000  # of the tree that `find` walks
NAMES_PER_DIRECTORY = 20_000
PAIRS = (1_000, 10_000_000)  # five texts a media, all media in one directory
RANDOM_READS = 1_000_000


class Mounted(contextlib.AbstractContextManager):
    """A container mounted by one daemon, with nothing cached when it starts."""

    def __init__(self, lab, command, container):
        self.mountpoint = os.path.join(lab.scratch, "mnt-listing")
        os.makedirs(self.mountpoint, exist_ok=True)
        self.group = cgroup.make_group(f"ulhff-bench-{os.getpid()}", lab.device)
        self.group.limit_reads(0)
        drop_caches(lab.data_folder)
        log = open(lab.log, "ab")  # the daemon's until __exit__
        self.undo = contextlib.ExitStack()
        self.undo.enter_context(log)
        self.undo.callback(cgroup.remove, self.group)
        begin = time.monotonic()
        words = [*command, "-f", container, self.mountpoint]
        self.daemon = Daemon(words, self.mountpoint, self.group, Credentials("root"), log)
        self.undo.callback(self.daemon.close)
        self.seconds = time.monotonic() - begin
        self.bytes_read = self.group.reads()[1]

    def private_mib(self):
        return self.daemon.memory_kib()[0] / 1024

    def __exit__(self, *_):
        self.undo.close()


def timed(command):
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin


def compare(lab, command, tree, container):
    """daemon -> seconds of `command` on the plain tree and on the mount, cold, interleaved."""
    found = {name: [] for name in lab.tools.daemons}
    for _ in range(ROUNDS):
        drop_caches(lab.data_folder)
        plain = timed([*command, tree])
        for name, daemon in lab.tools.daemons.items():
            with Mounted(lab, daemon, container) as mounted:
                found[name].append((plain, timed([*command, mounted.mountpoint])))
    return found


def listing_row(what, found, limit):
    text = ""
    for name, runs in found.items():
        ratio = statistics.median(mounted / plain for plain, mounted in runs)
        plain, mounted = (statistics.median(run[i] for run in runs) for i in (0, 1))
        verdict = "reached" if ratio <= limit else "**missed**"
        text += f"| {what} | {name} | {plain:.2f} | {mounted:.2f} | {ratio:.2f} | {limit} | {verdict} |\n"
    return text


def many_names(lab):
    """A tree of NAMES small files and its container, made once; returns both paths."""
    tree = os.path.join(lab.data_folder, "names")
    container = f"{tree}.ulhff"
    if not os.path.exists(container):
        for number in range(NAMES // 2):
            folder = os.path.join(tree, f"{number * 2 // NAMES_PER_DIRECTORY:06d}")
            if number * 2 % NAMES_PER_DIRECTORY == 0:
                os.makedirs(folder, exist_ok=True)
            for extension in ("jpg", "txt"):
                with open(os.path.join(folder, f"{number:09d}.{extension}"), "wb") as file:
                    file.write(f"{number}".encode())
        command = [lab.tools.program("ulhff"), "convert", tree, container]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return tree, container


def listing_table(lab):
    """Listing against ext4."""
    text = (
        "## Listing, cold, seconds\n\n| what | daemon | ext4 | mount | ratio | at most | |\n"
        "|---|---|--:|--:|--:|--:|---|\n"
    )
    layouts, data = all_layouts(lab.tools), lab.dataset("flickr30k")
    build_once(layouts["files"], data, lab.tools)
    build_once(layouts["mount-nopool"], data, lab.tools)
    what = f"ls -lR of {2 * data.pairs:,} names"
    found = compare(lab, ["ls", "-lR"], data.path("files"), data.path(CONTAINER))
    text += listing_row(what, found, 1)
    found = compare(lab, ["find"], *many_names(lab))
    return text + listing_row(f"find over {NAMES:,} names", found, 1.5) + "\n"


def sample_file(lab, pairs):
    path = os.path.join(lab.data_folder, f"sample-{pairs}.ulhff")
    if not os.path.exists(path):
        program = lab.tools.program("bench_sample_file")
        subprocess.run([program, path, str(pairs), "fixed"], check=True)
    return path


def read_at_random(folder, media, count):
    """Opens and reads `count` media in random order; returns seconds."""
    rng = random.Random(1)
    begin = time.monotonic()
    for _ in range(count):
        number = rng.randrange(media)
        with open(f"{folder}/media/{number:09d}.jpg", "rb", buffering=0) as file:
            if file.read() != f"{number}".encode():
                raise RuntimeError(f"wrong bytes of media {number}")
    return time.monotonic() - begin


def scale_table(lab):
    """Mounts of very many pairs."""
    text = (
        f"## Very many pairs (one directory of a fifth as many media; {RANDOM_READS:,} random reads)\n\n"
        "Targets: at most 256 KiB read until the mount is ready, whatever the number of pairs; private memory of at "
        "most 32 MiB after `find` and the reads.\n\n"
        "| pairs | daemon | ready, ms | KiB read by then | find, s | reads/s | private MiB after | |\n"
        "|--:|---|--:|--:|--:|--:|--:|---|\n"
    )
    for pairs in PAIRS:
        for name, daemon in lab.tools.daemons.items():
            with Mounted(lab, daemon, sample_file(lab, pairs)) as mounted:
                find = timed(["find", mounted.mountpoint])
                seconds = read_at_random(mounted.mountpoint, pairs // 5, RANDOM_READS)
                private, kib = mounted.private_mib(), mounted.bytes_read / 1024
                verdict = "reached" if private <= 32 and kib <= 256 else "**missed**"
                text += (
                    f"| {pairs:,} | {name} | {mounted.seconds * 1e3:.0f} | {kib:.0f} | {find:.2f} "
                    f"| {RANDOM_READS / seconds:,.0f} | {private:.1f} | {verdict} |\n"
                )
    return text + "\n"


def write(folder, lab):
    """Measures all and writes listing.md."""
    text = "# Names and numbers\n\n"
    for part in (listing_table, scale_table):
        print(part.__doc__, flush=True)
        text += part(lab)
    path = os.path.join(folder, "listing.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"wrote {path}")
