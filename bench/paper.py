"""The paper's other measures: storage, index memory, write throughput; and converting against cp."""
import json
import os
import pickle
import shutil
import statistics
import subprocess
import time

from conditions.disk import drop_caches
from layouts import all_layouts
from layouts.base import build_once
from shapes import SHAPES, TABLE_1

FILE_COST = 4096  # bytes a file costs beside its data, in the paper's measure
# KB in the paper (arXiv 2608.27865): its own index, 16 bytes an object in hybrid sets.
PAPER_INDEX_KB = {"vqa2": 1387, "gqa": 1083}
ROUNDS = 3
BLOCK = 4096  # what an index is held in


def container_of(data, tools):
    """The dataset converted from its table."""
    path = data.path("table.ulhff")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(tools.program("ulhff")):
        if os.path.exists(path):
            os.unlink(path)
        command = [tools.program("ulhff"), "convert", data.path("tdp", "pairs.csv"), path]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def information(container, tools):
    command = [tools.program("ulhff"), "info", "--json", container]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def pickle_overhead(example):
    """Bytes a pickled record of this shape has beside its media and texts."""
    payload = len(example["image"]) + sum(map(len, example.get("captions", [example.get("caption", "")])))
    return len(pickle.dumps(example, protocol=5)) - payload


def sizes(data, container):
    """layout -> bytes in the paper's measure: data + 4 KiB per file."""
    info = data.info
    counts = [b - a for a, b in zip(data.first_pair, data.first_pair[1:])]
    repeated = sum(size * count for size, count in zip(data.media_sizes, counts))
    texts = info["text_bytes"]
    pair = pickle_overhead({"image": bytes(1 << 17), "caption": "x" * 63})
    media = pickle_overhead({"image": bytes(1 << 17), "captions": ["x" * 63] * round(info["pairs"] / info["media"])})
    table = os.path.getsize(data.path("tdp", "pairs.csv"))
    return {
        "Files": repeated + texts + 2 * info["pairs"] * FILE_COST,
        "linked": info["media_bytes"] + texts + (info["media"] + info["pairs"]) * FILE_COST,
        "TDP": info["media_bytes"] + table + (info["media"] + 1) * FILE_COST,
        "FFRecord": repeated + texts + info["pairs"] * (pair + 12) + 12 + FILE_COST,
        "FFSlim": info["media_bytes"] + texts + info["media"] * (media + 12) + 12 + FILE_COST,
        "ULHFF": os.path.getsize(container) + FILE_COST,
    }


def storage_table(lab):
    """Sizes of the seven shapes as shares of TDP, and the mean of them."""
    text = (
        f"## Storage (data + 4 KiB per file), scale {lab.scale:g}\n\nPercent of TDP.\n\n"
        "| shape | TDP, MB | Files | linked | FFRecord | FFSlim | ULHFF |\n|---|--:|--:|--:|--:|--:|--:|\n"
    )
    shares = []
    for shape in TABLE_1:
        data = lab.dataset(shape)
        found = sizes(data, container_of(data, lab.tools))
        percent = {name: 100 * size / found["TDP"] for name, size in found.items()}
        shares.append(percent["ULHFF"])
        columns = (f"{percent[x]:.1f}" for x in ("Files", "linked", "FFRecord", "FFSlim", "ULHFF"))
        text += f"| {shape} | {found['TDP'] / 1e6:.1f} | {' | '.join(columns)} |\n"
    below = 100 - statistics.mean(shares)
    verdict = "reached" if below >= 2 else "**missed**"
    return text + f"\nULHFF is {below:.2f} % below TDP on average; target: 2.0 % ({verdict}).\n\n"


def index_table(lab):
    """Index bytes held in memory, extrapolated to scale 1, against the paper and a hash table."""
    text = (
        "## Index memory, extrapolated to scale 1\n\nThe limit is the design's: 4 bytes an object for one-to-one "
        "and fixed ratios, 8 for hybrid sets. The hash table is std::unordered_map, a node a pair.\n\n"
        "| shape | bytes an object | limit | ULHFF, KB | hash table, KB | paper's index, KB | |\n"
        "|---|--:|--:|--:|--:|--:|---|\n"
    )
    for shape in TABLE_1:
        data = lab.dataset(shape)
        index = information(container_of(data, lab.tools), lab.tools)["index_bytes"]
        an_object = index / data.media
        limit = 4 if SHAPES[shape].fixed else 8
        hashed = data.pairs / lab.scale * 40 / 1e3  # 32 bytes a node, 8 a bucket
        one_block = index <= BLOCK and an_object > limit
        verdict = "reached" if an_object <= limit else "one block, too few to tell" if one_block else "**missed**"
        text += (
            f"| {shape} | {an_object:.2f} | {limit} | {an_object * SHAPES[shape].media / 1e3:,.0f} "
            f"| {hashed:,.0f} | {PAPER_INDEX_KB.get(shape, '')} | {verdict} |\n"
        )
    return text + "\n"


def peak_kib(pid):
    """The most memory a process has had. (wait4 would tell that of our own copy before its exec, if that was more.)"""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0)
    except FileNotFoundError:
        return 0


def timed(command, lab):
    """(seconds, peak KiB) of `command` with a cold source, the sync at its end included."""
    drop_caches(lab.data_folder)
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, peak_kib(process.pid))
            time.sleep(0.01)
    os.sync()
    seconds = time.monotonic() - begin
    if process.returncode:
        raise RuntimeError(f"{command[0]} failed: {command}")
    return seconds, peak


def fresh(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)
    return path


def interleaved(commands, target, lab):
    """name -> list of (seconds, peak KiB), each command writing `target` anew, round by round."""
    found = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            fresh(target)
            found[name].append(timed([*command, target], lab))
    fresh(target)
    return found


def copy_table(lab):
    """Write throughput: copying each converted form of one set."""
    data = lab.dataset("flickr30k")
    layouts = all_layouts(lab.tools)
    for name in ("files", "linked", "ffrecord", "ffslim"):
        build_once(layouts[name], data, lab.tools)
    forms = {
        "Files": "files", "linked": "linked", "TDP": "tdp", "FFRecord": "ffrecord.ffr",
        "FFSlim": "ffslim.ffr", "ULHFF": os.path.basename(container_of(data, lab.tools)),
    }  # fmt: skip
    commands = {name: ["cp", "-a", data.path(path)] for name, path in forms.items()}
    found = interleaved(commands, data.path("copy"), lab)
    text = (
        f"## Write throughput: cp -a of {data.pairs:,} pairs ({data.name}), source cold, ended by sync\n\n"
        f"Medians of {ROUNDS} interleaved runs.\n\n| form | samples/s | x Files |\n|---|--:|--:|\n"
    )
    for name, runs in found.items():
        rate = statistics.median(data.pairs / seconds for seconds, _ in runs)
        ratio = statistics.median(a[0] / b[0] for a, b in zip(found["Files"], runs))
        text += f"| {name} | {rate:,.0f} | {ratio:.2f} |\n"
    return text + "\n"


def convert_table(lab):
    """Converting against cp -r of the same source."""
    text = (
        "## Converting, source cold, ended by sync\n\nTarget: no slower than `cp -r`; memory 64 MiB + 64 bytes an "
        "object.\n\n| source | cp -r, s | convert, s | cp / convert | peak MiB | |\n|---|--:|--:|--:|--:|---|\n"
    )
    convert = [lab.tools.program("ulhff"), "convert"]
    layouts = all_layouts(lab.tools)
    for shape, source, operand in (
        ("onetoone", "tdp", os.path.join("tdp", "pairs.csv")),
        ("flickr30k", "files", "files"),
    ):
        data = lab.dataset(shape)
        if source == "files":
            build_once(layouts["files"], data, lab.tools)
        commands = {"cp": ["cp", "-r", data.path(source)], "convert": [*convert, data.path(operand)]}
        found = interleaved(commands, data.path("converted.ulhff"), lab)
        ratios = [a[0] / b[0] for a, b in zip(found["cp"], found["convert"])]
        seconds = {name: statistics.median(s for s, _ in runs) for name, runs in found.items()}
        peak = max(peak for _, peak in found["convert"]) / 1024
        good = statistics.median(ratios) >= 1 and peak <= 64 + 64 * data.media / 2**20
        text += (
            f"| {data.name} {operand} | {seconds['cp']:.1f} | {seconds['convert']:.1f} "
            f"| {statistics.median(ratios):.2f} | {peak:.0f} | {'reached' if good else '**missed**'} |\n"
        )
    return text + "\n"


def write(folder, lab):
    """Measures all and writes paper.md."""
    text = (
        "# The paper's other measures\n\nOur medium is the disk named in report.md; the paper's figures come from another "
        "machine and stand beside ours for orientation only.\n\n"
    )
    for part in (storage_table, index_table, copy_table, convert_table):
        print(part.__doc__.splitlines()[0], flush=True)
        text += part(lab)
    path = os.path.join(folder, "paper.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"wrote {path}")
