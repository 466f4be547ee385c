#!/usr/bin/env bash
# info, ls and cat: what a file holds, without a mount.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
make_dataset

# info for a person and for a program
expect_exit 0 ulhff info data.ulhff
expect_line stdout 'ULHFF 1.0'
expect_exit 0 ulhff info --json data.ulhff
python3 - stdout <<'END'
import json, re, sys
info = json.load(open(sys.argv[1]))
wanted = {"pairs": 8, "objects": 7, "duplicates_merged": 1, "splits": [], "ratio": 0, "version": "1.0",
          "type": "hybrid one-to-many", "index": "AvlPlus", "default_view": "source",
          "views": ["source", "pairs", "objects", "all"], "order_bytes": 0}
for key, value in wanted.items():
    assert key == "order_bytes" or info[key] == value, (key, info[key])
for key in "media_bytes text_bytes file_bytes index_bytes order_bytes".split():
    assert isinstance(info[key], int), key
assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", info["uuid"])
END

# ls: every name of the source, sorted, raw where it is no terminal
expect_exit 0 ulhff ls -R0 data.ulhff
(cd data && find . -mindepth 1 -printf '%P\0' | sort -z) >names
sort -z stdout | cmp - names || fail "ls -R0 does not list the source"
expect_exit 0 ulhff ls data.ulhff a
expect_same "$(ls data/a)" "$(cat stdout)"
for path in a/1.jpg /a/1.jpg ./a/1.jpg; do
  expect_exit 0 ulhff ls -l data.ulhff "$path"
  expect_line stdout ' 7 '
done
expect_exit 0 env TZ=UTC ulhff ls -l data.ulhff a/4.jpg
expect_line stdout '1965-01-01 00:00'
expect_exit 1 ulhff ls data.ulhff a/9.jpg
expect_line stderr 'a/9.jpg'

# on a terminal odd bytes are escaped
if command -v script >/dev/null; then
  script -qec "ulhff ls data.ulhff b" /dev/null >terminal
  expect_line terminal 'new\nline\ \377.jpg'
fi

# cat: exact bytes, several files, the rest after one that is missing
expect_exit 0 ulhff cat data.ulhff a/1.txt b/6.jpg a/2.txt
printf 'caption 1\r\ncaption 2\r\n' | cmp - stdout || fail "cat changed bytes"
expect_exit 1 ulhff cat data.ulhff a/none a a/2.txt
expect_line stderr 'a/none: No such file'
expect_line stderr 'a: Is a directory'
printf 'caption 2\r\n' | cmp - stdout || fail "cat stopped at the first error"

# views and their options
expect_exit 0 ulhff ls --view pairs data.ulhff
expect_same 00000 "$(cat stdout)"
expect_exit 0 ulhff ls --view pairs -o 'template=k{number:2},media_ext=png,text_ext=cap' data.ulhff
expect_same "$(printf '%s\n' k00.png k00.cap k01.png)" "$(head -n 3 stdout)"
expect_exit 0 ulhff cat --view objects data.ulhff 00000/000000000.1.txt
expect_same 'another caption' "$(cat stdout)"
expect_exit 0 ulhff ls -o view=all data.ulhff
expect_same "$(printf '%s\n' objects pairs source)" "$(cat stdout)"
# A comma in a value.
expect_exit 0 ulhff ls --view pairs -o 'flat,template=a\,{number}' data.ulhff
expect_line stdout 'a,0.jpg'

# what is no ULHFF file: the file first, then what is wrong with it
printf 'import os\n' >script.py
for command in info verify ls 'cat script.py a' 'export script.py out' table; do
  set -- $command
  expect_exit 3 ulhff "$1" script.py "${@:3}"
  expect_same "ulhff $1: script.py: offset 0: not a ULHFF file" "$(cat stderr)"
done
expect_exit 3 ulhff-fuse -f script.py .
expect_line stderr 'script.py: offset 0: not a ULHFF file'
