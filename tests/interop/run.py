#!/usr/bin/env python3
"""Lets the real tools write small sets, converts them, and compares pair by pair with what the real readers give.

Usage: run.py [--venvs FOLDER] [--ulhff PROGRAM] [--all | TOOL...]

A tool is a script use_TOOL.py beside this one that runs in an environment of its own, made from PyPI with the
versions pinned here. Without --all or names: those whose packages take less than 500 MB.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))

from read_ulhff import Ulhff  # noqa: E402

SMALL = {
    "webdataset": ("webdataset==1.0.2",),
    "tfrecord": ("tfrecord==1.14.6", "numpy==2.3.5", "protobuf==6.33.5"),
    "datasets": ("datasets==5.2.0", "pillow==13.0.0"),
}
LARGE = {
    "audiofolder": ("datasets[audio]==5.2.0", "pillow==13.0.0"),
    "streaming": ("mosaicml-streaming==0.13.0",),
    "mindspore": ("mindspore==2.10.0",),
    "img2dataset": ("img2dataset==1.47.0",),
    "img2dataset_tfrecord": ("img2dataset==1.47.0", "tensorflow-cpu==2.16.2", "tensorflow-io==0.37.1", "pyarrow==17.0.0"),
    "open_clip": ("open_clip_torch[training]==3.2.0", "pandas"),
}


def environment(folder, tool):
    """The Python of the tool's environment, which is made if it is not there; None where it cannot be installed."""
    path = os.path.join(folder, tool)
    python = os.path.join(path, "bin", "python3")
    done = os.path.join(path, "made")
    packages = (SMALL | LARGE)[tool]
    if os.path.exists(done):
        with open(done, encoding="ascii") as file:
            if file.read() == "\n".join(packages):
                return python
    print(f"{tool}: installing {' '.join(packages)}", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", path], check=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-cache-dir"]
    if subprocess.run([*pip, *packages]).returncode:
        print(f"{tool:12} SKIPPED: its packages cannot be installed here", flush=True)
        return None
    with open(done, "w", encoding="ascii") as file:
        file.write("\n".join(packages))
    return python


def convert(ulhff, folder, case):
    """Converts a case's source as a user would; returns the file's path."""
    out = os.path.join(folder, "out.ulhff")
    command = [ulhff, "convert", "-q", *case["arguments"]]
    if case["command"]:
        with subprocess.Popen(case["command"], stdout=subprocess.PIPE) as script:
            subprocess.run([*command, "-", out], stdin=script.stdout, check=True)
        if script.returncode:
            raise subprocess.CalledProcessError(script.returncode, script.args)
    else:
        subprocess.run([*command, os.path.join(folder, case["operand"]), out], check=True)
    return out


def converted_pairs(path):
    """[digest of the media, text in hexadecimal or None] in the order of the source."""
    file = Ulhff(path)
    fields = file.info["fields"]
    objects, pairs = {}, []
    for pair in file.order():
        number, slot = file.locate(pair)
        if number not in objects:
            media, texts = file.object(number)
            objects[number] = hashlib.sha256(media).hexdigest(), texts
        digest, texts = objects[number]
        text = texts[slot * fields] if fields else None
        pairs.append([digest, None if text is None else text.hex()])
    return pairs, file.info


def difference(got, case):
    """Where they differ, in words; empty where they do not."""
    want = case["expected"]
    if not case["ordered"]:
        got, want = sorted(got, key=str), sorted(want, key=str)
    if got == want:
        return ""
    if len(got) != len(want):
        return f"{len(got)} pairs, the real reader gives {len(want)}"
    number = next(i for i, (a, b) in enumerate(zip(got, want)) if a != b)
    return f"pair {number} is {got[number]}, the real reader gives {want[number]}"


def check(ulhff, tool, python, work):
    """Runs all cases of a tool; returns how many failed."""
    failed = 0
    if subprocess.run([python, os.path.join(HERE, f"use_{tool}.py"), work]).returncode:
        print(f"{tool:12} FAILED to write or read (see above)", flush=True)
        failed += 1
    for name in sorted(os.listdir(work)):
        folder = os.path.join(work, name)
        description = os.path.join(folder, "case.json")
        if not os.path.exists(description):
            continue  # the tool failed before
        with open(description, encoding="ascii") as file:
            case = json.load(file)
        try:
            pairs, info = converted_pairs(convert(ulhff, folder, case))
            fault = difference(pairs, case)
        except subprocess.CalledProcessError as error:
            fault = f"{' '.join(error.cmd)}: exit status {error.returncode}"
        failed += bool(fault)
        verdict = f"FAILED: {fault}" if fault else f"{len(pairs)} pairs of {info['objects']} media, equal"
        print(f"{tool:12} {name:20} {verdict}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(SMALL | LARGE)}")
    parser.add_argument("--all", action="store_true", help="all tools (several GB)")
    parser.add_argument("--venvs", default=os.path.join(ROOT, "build", "interop"), help="folder of the environments")
    parser.add_argument("--ulhff", default=os.path.join(ROOT, "build", "release", "bin", "ulhff"), help="the program")
    arguments = parser.parse_args()
    tools = arguments.tools or (SMALL | LARGE if arguments.all else SMALL)
    unknown = [tool for tool in tools if tool not in SMALL | LARGE]
    if unknown:
        parser.error(f"unknown tool {unknown[0]}")
    failed = 0
    for tool in tools:
        python = environment(arguments.venvs, tool)
        if python is None:
            continue
        with tempfile.TemporaryDirectory(prefix="ulhff-interop-") as work:
            failed += check(arguments.ulhff, tool, python, work)
    if failed:
        sys.exit(f"{failed} case(s) differ")


if __name__ == "__main__":
    main()
