"""One cell of the benchmark: a layout, a loader and a condition; run once, it gives a first and a steady pass."""
import array
import contextlib
import dataclasses
import itertools
import os
import random
import time

import dataset as datasets
from conditions import cgroup, disk, requests
from conditions.requests import RequestCounter
from processes import Credentials, Daemon, Loader, LoaderFailed

RUN_NUMBERS = itertools.count(1)
TIMEOUT = 3600  # seconds a pass may take


@dataclasses.dataclass(frozen=True)
class Cell:
    shape: str
    layout: str
    loader: str = "python"
    workers: int = 1
    memory: int = 0  # percent of the de-duplicated size; 0: no limit
    disk: str = "as-is"  # or reads/s ("600"), "sshfs", "2ms" (more for each lookup, open and read)
    user: str = "root"
    pairs: int = 0  # per pass; 0: all
    section: str = dataclasses.field(default="", compare=False)  # of the plan

    def condition(self):
        """What must be equal for two cells to be compared."""
        return dataclasses.replace(self, layout="", section="")

    def __str__(self):
        memory = f"{self.memory} %" if self.memory else "no limit"
        return (
            f"{self.shape} {self.layout}: {self.workers} {self.loader} loader(s), memory {memory}, "
            f"disk {self.disk}, {self.user}"
        )


class Run:
    """What a layout and a pass work with while one cell runs; undone by close()."""

    def __init__(self, cell, lab, data, base):
        self.cell, self.dataset, self.base = cell, data, base
        self.tools, self.scratch = lab.tools, lab.scratch
        self.credentials = Credentials(cell.user)
        self.undo = contextlib.ExitStack()
        self.log = self.undo.enter_context(open(lab.log, "ab"))
        self.log.write(f"\n== {cell}\n".encode())
        self.log.flush()
        self.give_to_user(os.path.join(self.scratch, "latencies"))
        self.group = cgroup.make_group(f"ulhff-bench-{os.getpid()}-{next(RUN_NUMBERS)}", lab.device)
        self.defer(lambda: cgroup.remove(self.group))
        self.group.limit_reads(0)
        self.memory_limit = data.unique_bytes * cell.memory // 100  # bytes; 0: none
        if self.memory_limit:
            self.group.limit_memory(self.memory_limit)
        self.daemons, self.loaders = [], []

    def defer(self, function):
        self.undo.callback(function)

    def mountpoint(self, name):
        return self.give_to_user(os.path.join(self.scratch, f"mnt-{name}"))

    def give_to_user(self, folder):
        """A folder that the cell's user may write."""
        os.makedirs(folder, exist_ok=True)
        os.chown(folder, self.credentials.entry.pw_uid, self.credentials.entry.pw_gid)
        return folder

    def mount_daemon(self, command, mountpoint):
        daemon = Daemon(command, mountpoint, self.group, self.credentials, self.log)
        self.daemons.append(daemon)
        self.defer(daemon.close)

    def start_loaders(self, command):
        for _ in range(self.cell.workers):
            loader = Loader(command, self.credentials, self.log)
            self.loaders.append(loader)
            self.defer(loader.close)
        for loader in self.loaders:
            loader.receive(TIMEOUT)

    def open_loaders(self):
        """Moves them under the limits and lets them open the data; returns the slowest one's seconds."""
        for loader in self.loaders:
            cgroup.enter(self.group, loader.pid)
            loader.send("open")
        return max(loader.receive(TIMEOUT)["seconds"] for loader in self.loaders)

    def ask_all(self, line):
        """Sends `line` to all loaders at once, {} standing for a loader's number; returns their answers."""
        for number, loader in enumerate(self.loaders):
            loader.send(line.replace("{}", str(number)))
        return [loader.receive(TIMEOUT) for loader in self.loaders]

    def close(self):
        self.undo.close()


def write_order(path, pairs, seed):
    """The pairs in the shuffled order that every layout of a round is read in."""
    order = array.array("I", range(pairs))
    random.Random(seed).shuffle(order)
    datasets.save_array(path, "I", order)
    os.chmod(path, 0o644)


def quantile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0


class Passes:
    """Runs and measures passes of a Run's loaders."""

    def __init__(self, run, folder, seed, count_requests):
        self.run, self.folder, self.seed = run, folder, seed
        self.count_requests = count_requests and bool(run.daemons) and requests.available()
        self.pairs = min(run.cell.pairs or run.dataset.pairs, run.dataset.pairs)
        self.order = f"{run.scratch}/order.u32"

    def limit(self, on):
        """Puts the condition's slowness on or off."""
        if self.run.cell.disk.isdigit():
            self.run.group.limit_reads(int(self.run.cell.disk) if on else 0)
        if self.folder:
            self.folder.set_slow(on)

    def read(self, pairs, seed, latencies):
        write_order(self.order, self.run.dataset.pairs, seed)
        where = f"{self.run.scratch}/latencies/{{}}" if latencies else "-"
        for stale in os.scandir(f"{self.run.scratch}/latencies"):
            os.unlink(stale)
        answers = self.run.ask_all(f"pass {self.order} {pairs} {{}} {self.run.cell.workers} {where}")
        if sum(answer["wrong"] for answer in answers):
            raise WrongBytes(f"{sum(answer['wrong'] for answer in answers)} pairs read wrong bytes")
        return answers

    def warm_up(self):
        """A whole pass at full speed, so that a steady pass may be shorter than the dataset."""
        self.limit(False)
        self.read(self.run.dataset.pairs, f"{self.seed}/warm", latencies=False)

    def measure(self, name):
        """One timed pass; returns its results as a dictionary."""
        run = self.run
        self.limit(True)
        if self.folder:
            self.folder.statistics()
        counter = RequestCounter(run.daemons[-1].mountpoint) if self.count_requests else None
        reads, read_bytes = run.group.reads()
        answers = self.read(self.pairs, f"{self.seed}/{name}", latencies=True)
        reads, read_bytes = (b - a for a, b in zip((reads, read_bytes), run.group.reads()))
        result = summary(answers, self.latencies())
        result |= {"pass": name, "reads": reads, "read_bytes": read_bytes}
        result |= self.folder.statistics() if self.folder else {}
        result |= self.memory()
        if counter:
            counts = counter.counts()
            counter.close()
            result["requests"] = ";".join(f"{k}={v}" for k, v in counts.items() if v)
        return result

    def latencies(self):
        values = array.array("f")
        for number in range(self.run.cell.workers):
            with open(f"{self.run.scratch}/latencies/{number}", "rb") as file:
                values.frombytes(file.read())
        return sorted(values)

    def memory(self):
        sizes = [daemon.memory_kib() for daemon in self.run.daemons]
        return {
            "daemon_kib": sum(size for size, _ in sizes),
            "daemon_peak_kib": sum(peak for _, peak in sizes),
            "kernel_kib": self.run.group.kernel_bytes() // 1024,
        }


class WrongBytes(Exception):
    """A loader got other bytes than the source has: the whole benchmark fails."""


def summary(answers, latencies):
    seconds = max(a["end"] for a in answers) - min(a["start"] for a in answers)
    pairs = sum(a["pairs"] for a in answers)
    return {
        "pairs": pairs,
        "seconds": seconds,
        "rate": pairs / seconds,
        "media_bytes": sum(a["media_bytes"] for a in answers),
        "p50_us": quantile(latencies, 0.5) * 1e6,
        "p99_us": quantile(latencies, 0.99) * 1e6,
    }


def run_cell(cell, layout, lab, seed, count_requests):
    """Runs the cell once. Returns result rows (first pass, steady pass), or one row that says why not."""
    data = lab.dataset(cell.shape)
    folder, base = lab.folder(cell.disk, data)
    run = Run(cell, lab, data, base)
    begin = time.monotonic()
    try:
        root = layout.start(run)
        run.start_loaders(layout.command(run, root, cell.loader))
        passes = Passes(run, folder, seed, count_requests)
        passes.limit(True)
        disk.drop_caches(lab.data_folder)
        common = {"status": "ok", "open_seconds": run.open_loaders()}
        rows = [passes.measure("first") | common]
        if passes.pairs < data.pairs:
            passes.warm_up()
        rows.append(passes.measure("steady") | common)
        return rows
    except LoaderFailed as error:
        status = "out of memory" if run.group.out_of_memory() else "failed"
        return [{"status": status, "note": str(error), "seconds": time.monotonic() - begin}]
    finally:
        run.close()


def verify_layout(cell, layout, lab):
    """Reads every pair of a layout once and compares every byte; raises WrongBytes."""
    data = lab.dataset(cell.shape)
    cell = dataclasses.replace(cell, memory=0, workers=1)
    run = Run(cell, lab, data, data.folder)
    try:
        root = layout.start(run)
        run.start_loaders(layout.command(run, root, cell.loader))
        run.open_loaders()
        (answer,) = run.ask_all(f"verify {data.pairs}")
        if answer["wrong"] or answer["pairs"] != data.pairs:
            raise WrongBytes(f"{cell.layout}: {answer['wrong']} of {answer['pairs']} pairs differ")
    finally:
        run.close()
