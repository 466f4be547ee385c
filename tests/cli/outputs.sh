#!/usr/bin/env bash
# What convert may overwrite: never a part of its source, and nothing else by accident.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit

fill() {
  rm -rf S && mkdir S
  printf '\xff\xd8\xffa' >S/a.jpg
  printf '\xff\xd8\xffb' >S/b.jpg
  printf 'text' >S/b.txt
}
# refused OUT WORDS [OPTION...]: exit 2 with one line, and the source is as it was.
refused() {
  local out=$1 words=$2
  shift 2
  expect_exit 2 ulhff convert "$@" S "$out"
  expect_line stderr "$words"
  [ "$(wc -l <stderr)" -eq 1 ] || fail "not one line: $(cat stderr)"
  diff -r S kept || fail "the source was changed"
}
fill
cp -a S kept
ln -s S to_S
ln S/b.jpg outside.jpg

for out in S/b.jpg S/b.txt ./S/../S/b.jpg to_S/b.jpg "$PWD/S/a.jpg" outside.jpg; do
  for option in -f -nf -n; do refused "$out" 'is a file of the source' "$option"; done
done
refused S/b.jpg 'exists; --force replaces it'
# Under a name that is a link in the source
printf 'other' >other
ln -s ../other S/link.txt && ln -s ../other kept/link.txt
refused other 'is a file of the source' -f
rm {S,kept}/link.txt

# A table that names it
printf 'file,caption\na.jpg,x\nb.jpg,y\n' >S/t.csv
cp -a S/t.csv kept
expect_exit 2 ulhff convert -f S/t.csv S/b.jpg
expect_line stderr 'is a file of the source'
cp S/t.csv t.csv
expect_exit 2 ulhff convert -f --media-root S t.csv S/b.jpg
diff -r S kept || fail "the source was changed"
rm {S,kept}/t.csv

# A ULHFF file there is replaced, and no part of itself
expect_exit 0 ulhff convert -q S S/o.ulhff
cp S/o.ulhff first
expect_exit 0 ulhff convert -qf S S/o.ulhff
cmp S/o.ulhff first
rm S/o.ulhff
# Converted to another name, an older one is a file like any other: both conversions say so
expect_exit 0 ulhff convert S S/o.ulhff
expect_line stdout '1 output that lies in its source: S/o.ulhff ('
expect_exit 0 ulhff convert -f --report r.jsonl to_S out.ulhff
expect_line stdout "1 ULHFF file among the files of a source, kept with them: o.ulhff: "
expect_line r.jsonl '"kind":"ulhff_extra"'
ulhff cat --view source out.ulhff o.ulhff | cmp - S/o.ulhff
expect_exit 3 ulhff convert -f --strict S out.ulhff
expect_line stderr 'if it is an older conversion, move it away'
expect_exit 0 ulhff convert -f --extras none S out.ulhff
if grep -q 'ULHFF file among' stdout; then fail "what is left out is no older conversion"; fi
expect_exit 0 ulhff convert -f S S/o.ulhff
if grep -q 'ULHFF file among' stdout; then fail "OUT is no part of its source"; fi
rm S/o.ulhff out.ulhff r.jsonl
# Anything else elsewhere is replaced with --force
printf 'notes' >o.ulhff
expect_exit 0 ulhff convert -qf S o.ulhff

# Words instead of an errno, before anything is read
ln -s o.ulhff link.ulhff
refused link.ulhff 'is a symbolic link' -f
refused '' 'OUT is empty'
expect_exit 2 ulhff convert '' x.ulhff
expect_line stderr 'SOURCE is empty'
code=0
(ulimit -f 10 && ulhff convert -q S o2.ulhff) 2>stderr || code=$?
expect_same 1 "$code"
expect_line stderr 'File too large'

# The report
rm -f o.ulhff
refused o.ulhff 'name a file' --report -
refused o.ulhff 'is OUT' --report o.ulhff
refused o.ulhff 'is OUT' --report ./o.ulhff
refused o.ulhff 'lies in the source' --report S/r.jsonl
refused o.ulhff 'lies in the source' --report to_S/r.jsonl
refused o.ulhff 'lies in the source' --report S/a.jpg -f
printf 'notes\n' >notes
# Where a link of the source leads
mkdir -p above/in && cp S/a.jpg above/in && ln -s .. above/in/up
expect_exit 2 ulhff convert --report above/r.jsonl above/in o.ulhff
expect_line stderr 'lies in the source'
rm -r above
refused o.ulhff 'exists; --force replaces it' --report notes
refused o.ulhff 'is no report' --report notes -f
expect_same notes "$(cat notes)"
[ ! -e o.ulhff ] && [ ! -e - ] || fail "something was made"
expect_exit 0 ulhff convert -q --report r.jsonl S o.ulhff
expect_line r.jsonl unpaired_media
expect_exit 0 ulhff convert -qf --report r.jsonl S o.ulhff
expect_exit 0 ulhff convert -qf --report /dev/null S o.ulhff

# Names in messages steer no terminal
name=$'\e[31mRED\n.ulhff'
for command in info verify ls; do
  expect_exit 1 ulhff "$command" "$name"
  expect_line stderr '\x1b[31mRED\x0a.ulhff: No such file'
  [ "$(wc -l <stderr)" -eq 1 ] || fail "an error is one line"
done
