#!/usr/bin/env python3
"""Runs clang-tidy over the product's sources, or over those named.

Usage: tidy.py [FILE.cc...]     Needs build/asan, configured with Clang: CXX=clang++-14 cmake --preset asan

Most of clang-tidy's time goes into headers, which every file includes again. So files of one target are included by
one generated file and checked together; those that cannot share a translation unit, since names of
their anonymous namespaces collide, go into another, and at last alone. Not the tests: GoogleTest's macros take it
longer than all of the product, and both compilers warn there.
"""
import concurrent.futures
import functools
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "asan"
FOLDERS = ("src", "fuse", "converter", "examples")
BATCH_SIZE = 20


def die(text):
    sys.exit(f"tidy.py: {text}")


def flags_of_sources():
    """What compile_commands.json says: source -> (compiler, flags but for input and output)."""
    database = BUILD / "compile_commands.json"
    if not database.exists():
        die(f"no {database}: configure first (CXX=clang++-14 cmake --preset asan)")
    flags = {}
    for entry in json.loads(database.read_text()):
        source = pathlib.Path(entry["file"])
        arguments = shlex.split(entry["command"])
        for option, length in (("-o", 2), ("-c", 2)):
            at = arguments.index(option)
            del arguments[at:at + length]
        flags[source] = tuple(arguments)
    return flags


def translation_unit(path, sources):
    # clang-tidy would say that sources are no headers.
    text = "".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in sources)
    path.write_text(text)


def colliding(sources, flags, unit):
    """Those of `sources` that do not compile where the ones before them are included, too."""
    translation_unit(unit, sources)
    result = subprocess.run([*flags, "-w", "-fsyntax-only", "-ferror-limit=0", str(unit)], cwd=BUILD, text=True,
                            stderr=subprocess.PIPE, check=False)
    lines = re.findall(rf"^In file included from (?:\S*/)?{re.escape(unit.name)}:(\d+):", result.stderr, re.MULTILINE)
    if result.returncode != 0 and not lines:
        return set(sources)
    return {sources[int(line) - 1] for line in lines}


def has_idle_alias(source):
    """Whether a namespace alias may be unused: misc-unused-alias-decls looks at a main file only."""
    text = source.read_text()
    return any(not re.search(rf"\b{name}::", text) for name in re.findall(r"\bnamespace (\w+) =", text))


def split_into_batches(sources, flags, unit):
    alone = [source for source in sources if has_idle_alias(source)]
    left = [source for source in sources if source not in alone]
    batches = [[source] for source in alone]
    while len(left) > 1:
        apart = colliding(left, flags, unit)
        together = [source for source in left if source not in apart]
        if not together:
            break
        batches += [together[at:at + BATCH_SIZE] for at in range(0, len(together), BATCH_SIZE)]
        left = [source for source in left if source in apart]
    return batches + [[source] for source in left]


def run_tidy(tidy, batch, flags, unit):
    """Returns whether clang-tidy had anything to say, having printed it."""
    if len(batch) == 1:
        command = [tidy, "-p", str(BUILD), "--quiet", str(batch[0])]
    else:
        translation_unit(unit, batch)
        command = [tidy, "--quiet", str(unit), "--", *flags[1:]]
    result = subprocess.run(command, cwd=BUILD, text=True, capture_output=True, check=False)
    if len(batch) > 1 and (result.returncode < 0 or "[clang-diagnostic-" in result.stdout):
        return any([run_tidy(tidy, [source], flags, unit) for source in batch])
    print(result.stdout, end="", flush=True)
    if result.returncode != 0 and not result.stdout:
        print(f"{batch}: clang-tidy fails ({result.returncode})", result.stderr, sep="\n", flush=True)
    return result.returncode != 0 or bool(result.stdout)


def main():
    tidy = shutil.which("clang-tidy-14") or shutil.which("clang-tidy") or die("clang-tidy is missing")
    flags = flags_of_sources()
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    listed = subprocess.run(["git", "ls-files", *(f"{folder}/*.cc" for folder in FOLDERS)], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, check=True).stdout.split()
    sources = named or [ROOT / name for name in listed]
    unknown = [str(source) for source in sources if source not in flags]
    if unknown:
        die(f"not in build/asan/compile_commands.json, configure again: {' '.join(unknown)}")

    def target(source):
        return str(source.parent), flags[source]

    targets = [list(group) for _, group in itertools.groupby(sorted(sources, key=target), target)]
    # Below the checkout, where clang-tidy finds .clang-tidy.
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="tidy-") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def each(action, groups):
            units = [pathlib.Path(folder) / f"batch_{number}.cc" for number in range(len(groups))]
            return list(pool.map(lambda group, unit: action(group, flags[group[0]], unit), groups, units))

        batches = list(itertools.chain(*each(split_into_batches, targets)))
        batches.sort(key=len, reverse=True)  # the longest first, lest it runs alone at the end
        found = each(functools.partial(run_tidy, tidy), batches)
    sys.exit(any(found))


if __name__ == "__main__":
    main()
