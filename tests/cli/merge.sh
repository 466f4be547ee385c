#!/usr/bin/env bash
# merge, and convert --shard: what a person sees, exit codes, that nothing half written stays, and bounded memory.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
make_dataset

# three shards, named out of order, are the whole again
for i in 1 2 3; do
  expect_exit 0 ulhff convert -q --shard "$i/3" data "part.$i.ulhff"
  expect_exit 0 ulhff verify -q "part.$i.ulhff"
done
expect_exit 0 ulhff merge part.3.ulhff part.1.ulhff part.2.ulhff whole.ulhff
cmp data.ulhff whole.ulhff || fail "merged shards are not the whole"
expect_line stdout 'whole.ulhff: 8 pairs of 7 media'
expect_exit 0 ulhff info part.2.ulhff
expect_line stdout '2 of 3'
expect_exit 0 ulhff info --json part.2.ulhff
expect_line stdout '"shards"'
ulhff info whole.ulhff | grep -q 'shard ' && fail "a whole file is no shard"

# what is wrong is one line
expect_exit 3 ulhff merge part.1.ulhff part.3.ulhff x.ulhff
expect_line stderr 'shard 2 of 3 is missing'
[ "$(wc -l <stderr)" -eq 1 ] || fail "not one line"
expect_exit 3 ulhff merge part.1.ulhff data.ulhff x.ulhff
expect_exit 2 ulhff merge part.1.ulhff part.2.ulhff part.3.ulhff whole.ulhff
expect_line stderr 'whole.ulhff exists; --force replaces it'
expect_exit 2 ulhff merge data.ulhff data.ulhff
expect_exit 3 ulhff merge data/LICENSE x.ulhff
expect_exit 1 ulhff merge none.ulhff x.ulhff
for shard in 0/3 4/3 3 1/ /3 a/b 1/0 -1/3 1/65537; do
  expect_exit 2 ulhff convert --shard="$shard" data x.ulhff
done
[ ! -e x.ulhff ] || fail "a failed merge left a file"

# a program; a dry run; extras; alignment
expect_exit 0 ulhff merge --json --dry-run data.ulhff x.ulhff
python3 -c 'import json; r = json.load(open("stdout")); assert r["pairs"] == 8 and r["dry_run"], r'
[ ! -e x.ulhff ] || fail "a dry run left a file"
expect_exit 0 ulhff merge -q --extras none --align 512 --threads 1 data.ulhff x.ulhff
expect_exit 0 ulhff info x.ulhff
grep -q '^  others' stdout && fail "extras are still there"
expect_exit 0 ulhff convert -q -f x.ulhff y.ulhff
expect_exit 0 ulhff merge -q -f --duplicates rename x.ulhff y.ulhff x2.ulhff

# damage names file, path and byte
python3 - <<'END'
data = bytearray(open("data.ulhff", "rb").read())
at = data.index(b"media 2")
data[at] ^= 1
open("bad.ulhff", "wb").write(data)
open("at", "w").write(f"bad.ulhff: a/2.jpg: byte {at}: media chunk 0: checksum")
END
expect_exit 3 ulhff merge data.ulhff bad.ulhff bad2.ulhff
expect_line stderr "$(cat at)"

# killed in the middle it leaves nothing, and the old file as it was
head -c 60000000 /dev/urandom >big.bin
mkdir big
for i in 1 2 3 4; do { echo "$i"; cat big.bin; } >"big/$i.jpg"; done
rm big.bin
ulhff convert -q big big.ulhff
rm -r big
mkdir target
cp data.ulhff target/out.ulhff
for signal in TERM KILL; do
  ulhff merge -q -f big.ulhff target/out.ulhff 2>stderr &
  sleep 0.1
  kill -"$signal" $! 2>/dev/null || true
  wait $! && fail "it was done before the signal came"
  cmp data.ulhff target/out.ulhff || fail "an interrupted merge changed OUT"
  expect_same out.ulhff "$(ls -A target)"
done
rm big.ulhff

# memory: not the names, not the texts
[ -z "$ULHFF_SANITIZE" ] || exit 0
python3 - <<'END'
import json
with open("many.jsonl", "w") as table:
    for i in range(150000):
        name = f"data/a/{i % 5 + 1}.jpg"
        json.dump({"image": name, "caption": f"caption number {i} " + "x" * 300}, table)
        table.write("\n")
END
ulhff convert -q many.jsonl many.ulhff
python3 - <<'END'
import resource, subprocess
subprocess.check_call(["ulhff", "merge", "-q", "many.ulhff", "many.ulhff", "many.ulhff", "merged.ulhff"])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
assert peak < 80, f"{peak} MiB for 450,000 pairs"
print(peak, "MiB")
END
expect_exit 0 ulhff verify -q merged.ulhff
