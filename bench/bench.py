#!/usr/bin/env python3
"""Runs the benchmark: every cell of the plan, interleaved, resumable; then writes tables and plots.

Usually started by scripts/bench.sh, which builds first. Needs root for memory and disk limits.
"""
import argparse
import dataclasses
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import listing
import paper
import plan as plans
import venvs
from cell import WrongBytes, run_cell, verify_layout
from conditions import cgroup, uring
from conditions.disk import LoopDisk
from lab import Lab
from layouts import all_layouts
from layouts.base import HERE, Tools, build_once
from processes import LoaderFailed
from report.write import write_report
from results import Results

ROOT = os.path.dirname(HERE)
QUICK_MINUTES = 9.5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="the small plan, about 10 minutes (default)")
    size.add_argument("--full", action="store_true", help="the whole plan, hours; stop and resume at will")
    parser.add_argument("--section", action="append", help="only this section of the plan (repeatable)")
    parser.add_argument("--only", metavar="REGEX", help="only cells whose description matches")
    parser.add_argument("--list", action="store_true", help="print the cells and what is missing; run nothing")
    parser.add_argument("--report", action="store_true", help="only write the report of what was run")
    parser.add_argument("--paper", action="store_true", help="the paper's other measures instead: storage, "
                        "index memory, write throughput, converting")
    parser.add_argument("--listing", action="store_true", help="instead: listing against ext4, mounts of 10 M "
                        "pairs (--full sizes only; half an hour)")
    parser.add_argument("--rounds", type=int, help="runs of each cell")
    parser.add_argument("--pairs", type=int, help="pairs a pass, where the plan reads fewer than all")
    parser.add_argument("--minutes", type=float, help="begin no round that would end later (--quick: 9.5)")
    parser.add_argument("--scale", type=float, help="share of the paper's dataset sizes")
    parser.add_argument("--data", default=os.path.join(ROOT, "build", "bench-data"), help="data folder")
    parser.add_argument("--out", help="results folder (default: build/bench-quick or -full)")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="programs")
    parser.add_argument("--loop-disk", type=int, metavar="GIB", help="keep the data on an ext4 in a file")
    parser.add_argument("--venvs", action="store_true", help="first install the peers of PyPI (10 GB)")
    parser.add_argument("--no-verify", action="store_true", help="skip the full comparison of each layout")
    parser.add_argument(
        "--daemon", action="append", default=[], metavar="NAME=COMMAND",
        help="a mount to measure: NAME='PATH [OPTIONS]' (repeatable; default: mount=<bin>/ulhff-fuse)",
    )  # fmt: skip
    return parser.parse_args()


def daemons_of(args):
    """name -> words; a second build's daemon is measured as `mount-uring` where it is there."""
    if args.daemon:
        named = (text.split("=", 1) for text in args.daemon)
        return {name: shlex.split(command) for name, command in named}
    daemons = {"mount": [os.path.join(args.bin, "ulhff-fuse")]}
    bundled = os.path.join(ROOT, "build", "bundled", "bin", "ulhff-fuse")
    if os.path.exists(bundled) and os.path.exists(uring.SWITCH):
        daemons["mount-uring"] = [bundled, "-o", "transport=io_uring"]
    return daemons


def ablations_of(args):
    """Daemons with something taken away (the paper's Table V), for the sections that ask for them."""
    program = os.path.join(args.bin, "ulhff-fuse")
    return {
        "mount-nopool": [program, "-o", "whole_object=0"],
        "mount-buffered": [program, "-o", "io=buffered"],
        "mount-2-threads": [program, "-o", "threads=2"],
    }


def selected(args, plan, layouts):
    """The plan's cells that the arguments and the layouts' loaders allow, each once."""
    wanted = (
        dataclasses.replace(cell, pairs=args.pairs) if args.pairs and cell.pairs else cell
        for cell in plan.cells
        if (not args.section or cell.section in args.section)
        and (not args.only or re.search(args.only, str(cell)))
        and plans.supported(cell, layouts)
    )
    return list(dict.fromkeys(wanted))


def skip_missing(cells, layouts, lab):
    """Leaves out cells that cannot run here, and says so once per reason."""
    reasons = {}
    kept = []
    for cell in cells:
        reason = layouts[cell.layout].missing(lab.tools)
        key = f"{cell.layout}: {reason}"
        if not reason:
            reason = lab.missing(cell)
            key = f"disk {cell.disk}: {reason}"
        if reason:
            reasons[key] = reasons.get(key, 0) + 1
        else:
            kept.append(cell)
    skipped = [f"{key} ({count} cells)" for key, count in reasons.items()]
    for line in skipped:
        print(f"SKIPPED {line}", flush=True)
    return kept, skipped


def prepare(cells, layouts, lab, verify):
    """Builds and verifies what the cells need. Returns the cells that can run, and why others cannot."""
    failed = {}
    for shape, name in dict.fromkeys((cell.shape, cell.layout) for cell in cells):
        begin = time.monotonic()
        try:
            build_once(layouts[name], lab.dataset(shape), lab.tools)
            if verify:
                cell = next(c for c in cells if (c.shape, c.layout) == (shape, name))
                verify_once(cell, layouts[name], lab)
        except (subprocess.CalledProcessError, LoaderFailed) as error:
            failed[shape, name] = f"{name} on {shape} FAILED to be built or read: {error}"
            print(failed[shape, name], flush=True)
        if time.monotonic() - begin > 1:
            print(f"prepared {shape} {name} ({time.monotonic() - begin:.0f} s)", flush=True)
    kept = [cell for cell in cells if (cell.shape, cell.layout) not in failed]
    return kept, list(failed.values())


def verify_once(cell, layout, lab):
    """Compares the layout with the source, byte by byte, once after each build."""
    data = lab.dataset(cell.shape)
    verified = data.meta(f"verified-{cell.layout}")
    if not is_newer(verified, data.meta(f"built-{cell.layout}")):
        verify_layout(cell, layout, lab)
        with open(verified, "w", encoding="ascii"):
            pass


def is_newer(path, other):
    return os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(other)


def run_rounds(cells, layouts, lab, results, rounds, deadline):
    """Round by round through all cells, so that the machine's moods meet all layouts alike.

    No round is begun that would not end before `deadline` (monotonic seconds) if it took as long as the last one.
    """
    longest = 0
    for round_number in range(rounds):
        begin = time.monotonic()
        if begin + longest > deadline:
            print(f"the time allows no more than {round_number} round(s)", flush=True)
            return
        for cell in cells:
            if results.has(cell, round_number):
                continue
            # Requests are counted in the first round only: counting costs the mounts a little.
            rows = run_cell(cell, layouts[cell.layout], lab, round_number, round_number == 0)
            results.add(cell, round_number, rows, time.strftime("%Y-%m-%dT%H:%M:%S"))
            print(f"[{round_number + 1}/{rounds}] {cell}: {outcome(rows)}", flush=True)
        longest = max(longest, time.monotonic() - begin)


def outcome(rows):
    if rows[0]["status"] != "ok":
        return f"{rows[0]['status'].upper()}: {rows[0].get('note', '')}"
    return ", ".join(f"{row['pass']} {row['rate']:.0f}/s" for row in rows)


def check_rights():
    if os.getuid() != 0:
        sys.exit("bench: needs root (memory and disk limits, cache drops, mounts): run it with sudo")
    if not cgroup.version():
        sys.exit("bench: no memory cgroup here: mount cgroup2 with the memory and io controllers")


def main():
    args = arguments()
    check_rights()
    minutes = args.minutes or (float("inf") if args.full else QUICK_MINUTES)
    deadline = time.monotonic() + 60 * minutes
    # Mounts, loop devices and cgroups are taken down also when somebody ends the benchmark.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    tools = Tools(args.bin, os.path.join(args.data, "venvs"), daemons_of(args), ablations_of(args))
    if args.venvs:
        venvs.make(tools.venvs)
    kind = "full" if args.full else "quick"
    plan = (plans.full if args.full else plans.quick)(tuple(tools.daemons))
    out = args.out or os.path.join(ROOT, "build", f"bench-{kind}")
    os.makedirs(out, exist_ok=True)
    loop = None
    data = args.data
    if args.loop_disk:
        data = os.path.join(args.data, "loop")
        os.makedirs(args.data, exist_ok=True)
        loop = LoopDisk(os.path.join(args.data, "loop.img"), data, args.loop_disk)
    os.makedirs(data, exist_ok=True)
    layouts = all_layouts(tools)
    lab = Lab(data, tools, args.scale or plan.scale, os.path.join(out, "cells.log"))
    lab.undo.enter_context(uring.switched_on())
    try:
        if args.paper or args.listing:
            (paper if args.paper else listing).write(out, lab)
            return
        results = Results(os.path.join(out, "runs.csv"))
        cells, skipped = skip_missing(selected(args, plan, layouts), layouts, lab)
        if args.list:
            print("\n".join(str(cell) for cell in cells))
            return
        if not args.report:
            cells, failed = prepare(cells, layouts, lab, not args.no_verify)
            skipped += failed
            run_rounds(cells, layouts, lab, results, args.rounds or plan.rounds, deadline)
        write_report(out, results, lab, skipped, ROOT)
    except KeyboardInterrupt:
        sys.exit("bench: interrupted; the same command goes on where it stopped")
    except WrongBytes as error:
        sys.exit(f"bench: WRONG RESULT: {error}")
    except OSError as error:  # a full disk, above all
        sys.exit(f"bench: {error}; the same command goes on where it stopped")
    finally:
        lab.close()
        if loop:
            loop.close()


if __name__ == "__main__":
    main()
