#!/usr/bin/env bash
# verify: sound files, and findings by path for damage of every kind.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
make_dataset

expect_exit 0 ulhff verify data.ulhff
expect_same 'data.ulhff: sound' "$(cut -d ' ' -f 1-2 stdout)"
expect_exit 0 ulhff verify -q --threads 3 data.ulhff
[ ! -s stdout ] || fail "-q prints"
expect_exit 2 ulhff verify --threads x data.ulhff
expect_exit 2 ulhff verify --threads 100000 data.ulhff

# damage BYTES FILE: FILE is data.ulhff with the last byte of BYTES changed where they stand first.
damage() {
  python3 - "$1" "$2" <<'END'
import sys
data = bytearray(open("data.ulhff", "rb").read())
wanted = sys.argv[1].encode()
data[data.index(wanted) + len(wanted) - 1] ^= 1
open(sys.argv[2], "wb").write(data)
END
}
damage 'media 4' media.ulhff
damage 'caption 5' text.ulhff
damage 'licence' blob.ulhff
# What has several names is told by the first of them and their number.
damage 'media 1' shared.ulhff
expect_exit 3 ulhff verify shared.ulhff
expect_line stdout 'a/1.jpg (one of 2 names): offset '
expect_exit 3 ulhff verify --json shared.ulhff
expect_line stdout '"names": 2'
expect_exit 3 ulhff verify media.ulhff
expect_line stdout 'a/4.jpg: offset '
expect_line stdout 'damaged (1 finding)'
expect_exit 3 ulhff verify text.ulhff
expect_line stdout 'a/5.txt: offset '
expect_exit 3 ulhff verify blob.ulhff
expect_line stdout 'LICENSE: offset '
expect_exit 3 ulhff verify -q blob.ulhff
[ ! -s stdout ] || fail "-q prints findings"

expect_exit 3 ulhff verify --json media.ulhff
python3 - stdout <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["sound"] is False
[finding] = found["findings"]
assert finding["path"] == "a/4.jpg" and finding["offset"] >= 8192 and finding["what"], finding
END
expect_exit 0 ulhff verify --json data.ulhff
expect_line stdout '"sound": true'

# A table's texts have no name in the source: another view names them.
mkdir table
printf 'image,caption\n1.jpg,first text\n2.jpg,second text\n' >table/captions.csv
printf 1 >table/1.jpg
printf 2 >table/2.jpg
ulhff convert -q table data.ulhff --force
damage 'second text' row.ulhff || fail "no such text"
expect_exit 3 ulhff verify row.ulhff
grep -E 'pairs/00000/000000001.txt: offset|captions.csv: offset' stdout >/dev/null || fail "$(cat stdout)"

# Any byte of the file that matters is under a checksum: flip one in each 4096.
python3 - <<'END'
import subprocess
data = bytearray(open("data.ulhff", "rb").read())
for at in range(100, len(data), 4096):
    if 4096 <= at < 8192:
        continue  # the second superblock slot is not in use
    data[at] ^= 4
    open("flipped.ulhff", "wb").write(data)
    data[at] ^= 4
    code = subprocess.run(["ulhff", "verify", "flipped.ulhff"], capture_output=True).returncode
    assert code == 3 or (code == 0 and data[at] == 0), (at, code)
END
