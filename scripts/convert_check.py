#!/usr/bin/env python3
"""Checks that a conversion stays small however large the set is: 10 M pairs of 1 M media, each kind of source anew, may
take 64 MiB and 64 bytes a media. What comes out is verified and counted. No part of the tests: takes some 40 minutes
and 20 GB of disk for all kinds.

Usage: convert_check.py [--pairs N] [--media M] [--program ULHFF] [--kinds KIND,...] [WORK_DIRECTORY]

Kinds: table (CSV), jsonl, coco (one JSON document), token (Flickr's), files (M media, a text each), tar (the same, on
standard input). The pairs of one media lie as far apart in the source as they can.
"""
import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PER_DIRECTORY = 1000


def media_name(number):
    return f"images/{number // PER_DIRECTORY:05}/{number:09}.jpg"


def media_bytes(number):
    return b"\xff\xd8\xff\xe0" + number.to_bytes(8, "big") + b"\xff\xd9"


def text(pair):
    return f"caption {pair} of this picture"


def write_media(root, media):
    for number in range(media):
        path = os.path.join(root, media_name(number))
        if number % PER_DIRECTORY == 0:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(media_bytes(number))


def write_table(path, pairs, media):
    with open(path, "w") as table:
        table.write("image,caption\n")
        table.writelines(f"{media_name(pair % media)},{text(pair)}\n" for pair in range(pairs))


def write_jsonl(path, pairs, media):
    with open(path, "w") as table:
        for pair in range(pairs):
            table.write(json.dumps({"image": media_name(pair % media), "caption": text(pair)}) + "\n")


def write_coco(path, pairs, media):
    with open(path, "w") as document:
        document.write('{"annotations": [')
        for pair in range(pairs):
            entry = {"image_id": pair % media, "id": pair, "caption": text(pair)}
            document.write((", " if pair else "") + json.dumps(entry))
        document.write('], "images": [')
        for number in range(media):
            document.write((", " if number else "") + json.dumps({"id": number, "file_name": media_name(number)}))
        document.write("]}\n")


def write_token(path, pairs, media):
    with open(path, "w") as table:
        table.writelines(f"{media_name(pair % media)}#{pair // media}\t{text(pair)}\n" for pair in range(pairs))


def write_texts(root, media):
    for number in range(media):
        with open(os.path.join(root, media_name(number)[:-3] + "txt"), "w") as file:
            file.write(text(number))


def write_tar(to, media):
    with tarfile.open(fileobj=to, mode="w|", format=tarfile.USTAR_FORMAT) as tar:
        for number in range(media):
            for name, data in ((media_name(number), media_bytes(number)),
                               (media_name(number)[:-3] + "txt", text(number).encode())):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))


TABLES = {
    "table": ("captions.csv", write_table),
    "jsonl": ("captions.jsonl", write_jsonl),
    "coco": ("captions.json", write_coco),
    "token": ("captions.token", write_token),
}
KINDS = (*TABLES, "files", "tar")


def convert(program, source, out, media):
    """(seconds, peak of the process in KiB); `media` samples are written to its input if it reads one."""
    begin = time.monotonic()
    process = subprocess.Popen([program, "convert", "--quiet", "--force", source, out],
                               stdin=subprocess.PIPE if source == "-" else None)
    if source == "-":
        write_tar(process.stdin, media)
        process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"convert_check.py: ulhff convert {source}: exit status {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss


def check(program, kind, work, pairs, media):
    """Prints a line about it; whether it is within the limit and whole."""
    source, written = "-", None
    if kind in TABLES:
        name, write = TABLES[kind]
        source = written = os.path.join(work, name)
        write(written, pairs, media)
    elif kind == "files":
        source = os.path.join(work, "images")
        write_texts(work, media)
    expected = pairs if kind in TABLES else media
    out = os.path.join(work, "out.ulhff")
    seconds, peak = convert(program, source, out, media)
    subprocess.run([program, "verify", out], check=True, stdout=subprocess.DEVNULL)
    info = json.loads(subprocess.run([program, "info", "--json", out], check=True, capture_output=True).stdout)
    limit = 64 * 1024 + 64 * media // 1024
    good = peak <= limit and (info["pairs"], info["objects"]) == (expected, media)
    print(f"{'PASS' if good else 'FAIL'}  {kind:6} {info['pairs']:>10,} pairs of {info['objects']:,} media: "
          f"{seconds:6.1f} s, peak {peak / 1024:5.1f} MiB of {limit / 1024:.1f} MiB", flush=True)
    if written:
        os.remove(written)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--media", type=int, default=1_000_000)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/release/bin/ulhff"))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("work_directory", nargs="?", default=os.path.join(ROOT, "build"))
    arguments = parser.parse_args()
    kinds = arguments.kinds.split(",")
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"no such kind: {', '.join(unknown)}")
    work = tempfile.mkdtemp(prefix="convert.", dir=arguments.work_directory)
    try:
        if set(kinds) != {"tar"}:
            write_media(work, arguments.media)
        # "files" at last of those that read the directory: the others would find its texts there.
        kinds.sort(key=KINDS.index)
        good = [check(arguments.program, kind, work, arguments.pairs, arguments.media) for kind in kinds]
    finally:
        shutil.rmtree(work)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
