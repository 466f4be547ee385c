#!/usr/bin/env bash
# export: the promises E1..E7 of docs/semantics.md.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
make_dataset
times() { (cd "$1" && find . -mindepth 1 -printf '%P %T@\n' | sort); }

# E1: contents, names, times, empty directories.
expect_exit 0 ulhff export data.ulhff out
expect_line stdout '16 files'
diff -r data out || fail "export differs from the source"
# Names that share a media show the first name's time.
times data | grep -av 'copy of 1.jpg' >wanted
times out | grep -av 'copy of 1.jpg' >got
diff wanted got || fail "times differ"

# E2: no link in the target is followed.
mkdir -p outside trap1 trap2/a
ln -s "$work/outside" trap1/a
expect_exit 1 ulhff export data.ulhff trap1
expect_exit 1 ulhff export --force data.ulhff trap1
ln -s "$work/outside/file" trap2/a/1.jpg
expect_exit 1 ulhff export data.ulhff trap2
expect_exit 0 ulhff export --force data.ulhff trap2
[ ! -L trap2/a/1.jpg ] || fail "a link was written through"
[ -z "$(ls -A outside)" ] || fail "something was written outside"

# E3: existing files are replaced with --force only; a file never replaces a directory.
printf 'mine' >out/a/2.jpg
expect_exit 1 ulhff export data.ulhff out
expect_line stderr '--force'
expect_same mine "$(cat out/a/2.jpg)"
expect_exit 0 ulhff export -q --force data.ulhff out
[ ! -s stdout ] || fail "-q is not quiet"
diff -r data out || fail "--force left old files"
rm out/a/2.jpg
mkdir out/a/2.jpg
expect_exit 1 ulhff export --force data.ulhff out
[ -d out/a/2.jpg ] || fail "a directory was replaced"

# E5: duplicates as links, in one view and over all.
expect_exit 0 ulhff export --hard-links data.ulhff linked
diff -r data linked || fail "--hard-links changed contents"
expect_same 2 "$(stat -c %h linked/a/1.jpg)"
expect_same "$(stat -c %i linked/a/1.jpg)" "$(stat -c %i 'linked/b/copy of 1.jpg')"
expect_same 1 "$(stat -c %h linked/a/2.jpg)"
expect_exit 0 ulhff export --hard-links --view all data.ulhff all
expect_same 5 "$(stat -c %h all/source/a/1.jpg)"
expect_exit 0 ulhff export --hard-links --force --view all data.ulhff all
expect_same 5 "$(stat -c %h all/source/a/1.jpg)"
diff -r data all/source

# E4: nothing temporary stays behind, an interrupted export included.
head -c 30000000 /dev/zero >big.jpg
mkdir -p many
for i in $(seq 40); do { printf '%s' "$i"; cat big.jpg; } >"many/$i.jpg"; done
ulhff convert -q many many.ulhff
code=0
ulhff export many.ulhff stopped 2>/dev/null & pid=$!
sleep 0.2
kill -TERM $pid 2>/dev/null || true
wait $pid || code=$?
[ "$code" -eq 143 ] || [ "$code" -eq 0 ] || fail "exit $code when terminated"
for file in stopped/*; do
  [ -e "$file" ] || break
  cmp "$file" "many/${file##*/}" || fail "an incomplete file has its name"
done
[ -z "$(find . -name '.ulhff-export*')" ] || fail "temporary files were left"
rm -rf many many.ulhff stopped big.jpg
# Nor does what a killed export left, once it is done again; what a running one writes is not touched.
for again in '' --force; do
  touch out/a/.ulhff-export.99.7 out/a/.ulhff-export.99.8 out/a/.ulhff-export.notes
  rm -rf out/a/2.jpg
  [ -n "$again" ] || rm -rf out/[!a]* out/a/[!.]*
  exec 9>out/a/.ulhff-export.99.8
  flock -n 9
  # shellcheck disable=SC2086
  expect_exit 0 ulhff export -q $again data.ulhff out
  exec 9>&-
  expect_same '.ulhff-export.99.8 .ulhff-export.notes' "$(cd out/a && echo .ulhff*)"
  rm out/a/.ulhff*
done

# E6: names that differ in case only.
mkdir case
for name in A a É é b; do printf '%s' "$name" >"case/$name.jpg"; done
ulhff convert -q case case.ulhff
expect_exit 3 ulhff export --check-case case.ulhff never
expect_line stderr 'A.jpg  a.jpg'
expect_line stderr 'É.jpg  é.jpg'
[ ! -e never ] || fail "--check-case wrote something"
expect_exit 0 ulhff export --check-case data.ulhff checked

# E7: damage is named and left out.
python3 - <<'END'
data = bytearray(open("data.ulhff", "rb").read())
at = data.index(b"media 2")
data[at] ^= 1
open("damaged.ulhff", "wb").write(data)
END
expect_exit 3 ulhff export damaged.ulhff rest
expect_line stderr 'a/2.jpg: damaged.ulhff: offset '
expect_same 'Only in data/a: 2.jpg' "$(diff -r data rest || true)"
expect_exit 3 ulhff cat damaged.ulhff a/1.jpg a/2.jpg a/3.jpg
expect_same 'media 1media 3' "$(cat stdout)"
