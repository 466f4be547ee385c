#!/usr/bin/env bash
# export --as: each layout, converted again, gives the same pairs (X1..X6 of docs/semantics.md).
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit

# pairs FILE: every pair in the order of the source: the sum of its media, its text and split.
cat >pairs.py <<'END'
import hashlib, json, subprocess, sys
file, *drop = sys.argv[1:]
table = subprocess.run(["ulhff", "table", "--view", "objects", file], capture_output=True, check=True).stdout
sums = {}
for line in table.splitlines():
    row = json.loads(line)
    path = row.pop("file_name")
    if path not in sums:
        media = subprocess.run(["ulhff", "cat", "--view", "objects", file, path], capture_output=True, check=True)
        sums[path] = hashlib.sha256(media.stdout).hexdigest()[:12]
    for column in drop:
        row.pop(column, None)
    if "absent" in drop and row["text"] is None:
        row["text"] = ""
    print(sums[path], json.dumps(row))
END
pairs() { python3 pairs.py "$@"; }

# Two pairs of one media that are not beside each other, absent and empty texts, odd bytes, odd names.
make_dataset
printf 'nul \0, "quote", \xff and\r\nlines' >data/a/2.txt
head -c 5000000 /dev/urandom >data/b/z.jpg # not held in memory
ulhff convert -q -f data data.ulhff
pairs data.ulhff >wanted
expect_same 9 "$(wc -l <wanted)"

# X1, X2: plain files, numbered in the order of the source.
expect_exit 0 ulhff export --as files data.ulhff files
[ -e files/00000/000000008.jpg ] || fail "no ninth pair"
ulhff convert -q files files.ulhff
pairs files.ulhff | diff wanted - || fail "files changed the pairs"
expect_exit 0 ulhff export --as files --hard-links data.ulhff linked
expect_line stdout 'hard link'
diff -r files linked || fail "--hard-links changed contents"
expect_same 2 "$(stat -c %h linked/00000/000000000.jpg)"
expect_same "$(stat -c %Y data/a/4.jpg)" "$(stat -c %Y linked/00000/000000003.jpg)"
expect_exit 0 ulhff export -q --as files --view objects data.ulhff objects
[ -e objects/00000/000000000.1.txt ] || fail "--as files --view is not that view"

# X3: media once and a table. CSV cannot tell absent from empty; JSON Lines cannot hold odd bytes.
expect_exit 0 ulhff export --as tdp data.ulhff tdp
expect_line stderr 'the media of 2 pairs have several names in the source'
cmp data/a/1.jpg tdp/a/1.jpg
expect_same 8 "$(find tdp -name '*.jpg' -printf x | wc -c)"
ulhff convert -q tdp tdp.ulhff
diff <(pairs data.ulhff absent) <(pairs tdp.ulhff absent) || fail "tdp changed the pairs"
printf 'two' >data/a/2.txt
ulhff convert -q -f data plain.ulhff
expect_exit 0 ulhff export -q --as tdp --table jsonl plain.ulhff jsonl
rm -f "jsonl/"*$'\xff'*
grep -v udcff jsonl/captions.jsonl >rows
mv rows jsonl/captions.jsonl
ulhff convert -q jsonl jsonl.ulhff
diff <(pairs plain.ulhff | grep -v "$(printf bytes | sha256sum | cut -c 1-12)") <(pairs jsonl.ulhff) ||
  fail "tdp jsonl changed the pairs"

# X4: tar shards.
expect_exit 0 ulhff export --as webdataset --shard-pairs 4 data.ulhff shards
expect_same '00000.tar 00001.tar 00002.tar' "$(cd shards && echo *)"
expect_same '000000000.jpg 000000000.txt 000000001.jpg' "$(tar tf shards/00000.tar | sed -n 1,3p | paste -sd ' ')"
tar tvf shards/00000.tar --numeric-owner >listed 2>said
[ ! -s said ] || fail "tar complains: $(cat said)"
expect_line listed '-rw-r--r-- 0/0'
ulhff convert -q shards shards.ulhff
pairs shards.ulhff | diff wanted - || fail "webdataset changed the pairs"
expect_exit 0 ulhff export -q --as webdataset --shard-pairs 4 data.ulhff again
diff -r shards again || fail "the same export gives other bytes"
expect_exit 0 ulhff export -q --as webdataset --shard-size 1 data.ulhff small
expect_same 2 "$(find small -name '*.tar' | wc -l)"
ulhff convert -q small small.ulhff
pairs small.ulhff | diff wanted - || fail "small shards changed the pairs"
python3 - <<'END'
import tarfile
members = tarfile.open("shards/00000.tar").getmembers()
assert [m.mtime for m in members if m.name == "000000003.jpg"] == [-157766400], members
END

# Fields and splits.
mkdir -p set/img
for name in a b c; do printf 'media %s' "$name" >"set/img/$name.jpg"; done
cat >set/rows.jsonl <<'END'
{"image": "img/a.jpg", "caption": "one", "tags": "x", "split": "train"}
{"image": "img/b.jpg", "caption": "[1, 2]", "split": "validation"}
{"image": "img/a.jpg", "caption": "", "tags": "", "split": "train"}
{"image": "img/c.jpg", "split": "validation"}
END
ulhff convert -q --field tags=tags set set.ulhff
pairs set.ulhff >wanted
expect_exit 0 ulhff export --as tdp --table jsonl set.ulhff set-tdp
expect_line stderr 'ulhff convert --text-column caption --field tags=tags'
ulhff convert -q --text-column caption --field tags=tags set-tdp set-tdp.ulhff
pairs set-tdp.ulhff | diff wanted - || fail "tdp changed fields or splits"
# Several splits are directories: the order of the source is kept in each.
expect_exit 0 ulhff export --as webdataset set.ulhff set-tar
expect_line stderr 'ulhff convert --text-column txt --field tags=tags.txt'
ulhff convert -q --text-column txt --field tags=tags.txt set-tar set-tar.ulhff
diff <(sort wanted) <(pairs set-tar.ulhff | sort) || fail "webdataset changed fields or splits"
diff <(grep train wanted) <(pairs set-tar.ulhff | grep train) || fail "the order in a split changed"
expect_exit 0 ulhff export -q --as files set.ulhff set-files
[ -e set-files/validation/00000/000000001.jpg ] || fail "no directory for a split"

# Existing files stop it, unless --force; nothing temporary stays.
for layout in files 'tdp --table jsonl' webdataset; do
  name=${layout/webdataset/tar}
  # shellcheck disable=SC2086
  expect_exit 1 ulhff export --as $layout set.ulhff "set-${name%% *}"
  expect_line stderr '--force'
  # shellcheck disable=SC2086
  expect_exit 0 ulhff export -q --force --as $layout set.ulhff "set-${name%% *}"
done
[ -z "$(find . -name '.ulhff-export*')" ] || fail "temporary files were left"

# Splits come back under their names, whatever these are, with several texts of a media and a field.
mkdir -p named/img
cp set/img/* named/img
for splits in 'train val' 'restval a.b' 'val2017 test'; do
  read -r one two <<<"$splits"
  sed "s/\"train\"/\"$one\"/; s/\"validation\"/\"$two\"/; s/\"tags\"/\"json\"/" set/rows.jsonl >named/rows.jsonl
  ulhff convert -q -f --field json=json named named.ulhff
  for layout in files webdataset 'tdp --table jsonl'; do
    rm -rf back
    # The words are separate arguments.
    # shellcheck disable=SC2086
    expect_exit 0 ulhff export --as $layout named.ulhff back
    read -ra options < <(sed -n 's/.*to convert it again: ulhff convert \(.*\) \.\.\.$/\1/p' stderr)
    ulhff convert -q -f "${options[@]}" back back.ulhff
    diff <(pairs named.ulhff | sort) <(pairs back.ulhff | sort) ||
      fail "--as $layout changed pairs of splits $splits"
  done
done

# Plain files cannot tell a pair without its first text: this is said.
echo '{"image": "img/a.jpg", "tags": "only", "split": "train"}' | cat set/rows.jsonl - >set/absent.jsonl
ulhff convert -q --field tags=tags set/absent.jsonl absent.ulhff
expect_exit 0 ulhff export --as files absent.ulhff absent
expect_line stderr '1 pair has no text but further fields'
# A damaged pair is none of these: it is not there.
python3 - <<'END'
data = bytearray(open("absent.ulhff", "rb").read())
data[data.index(b"media a")] ^= 1
open("absent-hurt.ulhff", "wb").write(data)
END
expect_exit 3 ulhff export --as files absent-hurt.ulhff absent-hurt
if grep -q 'further fields' stderr; then fail "a pair that was left out is counted"; fi
expect_exit 0 ulhff export --as tdp absent.ulhff absent-tdp
if grep -q 'further fields' stderr; then fail "tdp keeps them apart"; fi

sed 's/"validation"/"val"/' set/rows.jsonl >set/val.jsonl
ulhff convert -q -f set/val.jsonl val.ulhff
rm -rf back
ulhff export -q --as webdataset val.ulhff back
ulhff convert -q -f back back.ulhff
diff <(pairs val.ulhff | sort) <(pairs back.ulhff | sort) || fail "val is another split than val"

# --force over a larger export leaves nothing of it; what is not of an export stays.
ulhff convert -q -f set/img bare.ulhff
for layout in 'files' 'webdataset --shard-pairs 2' 'tdp'; do
  rm -rf over
  # shellcheck disable=SC2086
  ulhff export -q --as $layout data.ulhff over
  mkdir -p over/00000
  echo mine | tee over/mine.txt over/notes.tar >over/00000/mine.txt
  # shellcheck disable=SC2086
  expect_exit 1 ulhff export -q --as $layout bare.ulhff over
  # shellcheck disable=SC2086
  expect_exit 0 ulhff export -q --force --as $layout bare.ulhff over
  cat over/mine.txt over/notes.tar over/00000/mine.txt >/dev/null || fail "a file of someone else is gone"
  rm over/mine.txt over/notes.tar
  [ "$layout" = tdp ] && continue
  ulhff convert -q -f --extras none over over.ulhff
  expect_same 3 "$(pairs over.ulhff | wc -l)"
done
# A damaged file does not cost the whole pairs that an older export left.
rm -rf over
ulhff export -q --as files data.ulhff over
cp data.ulhff hurt.ulhff
python3 - <<'END'
data = bytearray(open("hurt.ulhff", "rb").read())
data[data.index(b"media 4")] ^= 1
open("hurt.ulhff", "wb").write(data)
END
expect_exit 3 ulhff export --force --as files hurt.ulhff over
expect_line stderr 'files of an older export were left'
[ -e over/00000/000000003.jpg ] || fail "the whole file is gone"
# Whatever lies in the target would be read together with the export: of another layout, of a view, of
# someone else. An export that was interrupted is done again with --force.
for first in '--as files' '--as webdataset' '--as tdp' '--view source'; do
  for layout in 'files' 'webdataset' 'tdp' 'files --view pairs'; do
    rm -rf over
    # shellcheck disable=SC2086
    ulhff export -q $first bare.ulhff over
    find over -printf '%P %T@\n' | sort >before
    # shellcheck disable=SC2086
    expect_exit 1 ulhff export --as $layout data.ulhff over
    expect_line stderr 'over: not empty (over/'
    expect_line stderr 'name an empty directory, or --force'
    find over -printf '%P %T@\n' | sort | diff before - || fail "a refused export changed the target"
    # shellcheck disable=SC2086
    expect_exit 0 ulhff export -q --force --as $layout data.ulhff over
  done
done
rm -rf over && mkdir -p over/empty over/links && ln -s nowhere over/links/dangling
expect_exit 1 ulhff export -q --as files bare.ulhff over
expect_line stderr 'over/links/dangling'
rm over/links/dangling
expect_exit 0 ulhff export -q --as webdataset val.ulhff over
# Shards of another export, with or without splits, are not mixed with the new ones.
for files in 'val bare' 'bare val'; do
  read -r old new <<<"$files"
  rm -rf over
  ulhff export -q --as webdataset "$old.ulhff" over
  expect_exit 1 ulhff export -q --force --as webdataset "$new.ulhff" over
  expect_line stderr 'would be taken for a part of the export'
done

# --force takes away what killed exports left, wherever it lies; a running export's files are locked.
for layout in files webdataset tdp; do
  rm -rf over && mkdir -p over/deep/er/down
  for place in over over/deep over/deep/er/down; do touch $place/.ulhff-export.99.{1,2}; done
  exec 9>over/deep/.ulhff-export.99.2
  flock -n 9
  expect_exit 0 ulhff export -q --force --as $layout bare.ulhff over
  exec 9>&-
  expect_same over/deep/.ulhff-export.99.2 "$(find over -name '.ulhff*')"
done
# What cannot be looked into does not count as empty, but for the lost+found of a file system.
chmod 755 . # of mktemp -d
nobody=(setpriv --reuid 65534 --clear-groups)
if [ "$(id -u)" -eq 0 ] && "${nobody[@]}" ulhff info bare.ulhff >/dev/null 2>&1; then
  for force in '' --force; do
    rm -rf over && mkdir -m 777 over && mkdir -m 700 over/closed
    touch over/closed/f
    # shellcheck disable=SC2086
    expect_exit 1 "${nobody[@]}" ulhff export -q $force --as webdataset bare.ulhff over
    expect_line stderr 'over/closed: Permission denied'
    mv over/closed over/lost+found
    # shellcheck disable=SC2086
    expect_exit 0 "${nobody[@]}" ulhff export -q $force --as webdataset bare.ulhff over
  done
fi

# What is called as a file of the layout, but not known to be of an export, is never removed.
refuses_mixing() { # refuses_mixing PATH OPTIONS...: with over/PATH, which stays
  local path=$1
  shift
  expect_exit 1 ulhff export -q --force --as "$@" over
  expect_line stderr "over/$path: would be taken for a part of the export"
  [ -e "over/$path" ] || [ -L "over/$path" ] || fail "over/$path is gone"
}
for path in 00123.tar 00001.tar; do
  rm -rf over && mkdir over && echo precious >over/$path
  refuses_mixing $path webdataset bare.ulhff
done
for path in 00007/000070000.wav 00000/000009998.precious; do
  rm -rf over && mkdir -p over/${path%/*} && echo precious >over/$path
  refuses_mixing $path files bare.ulhff
done
rm -rf over && mkdir -p over/00000 && ln -s ../../data/a/1.jpg over/00000/000000000.jpg
refuses_mixing 00000/000000000.jpg files bare.ulhff
rm -rf over && mkdir over && ln -s ../shards/00000.tar over/00000.tar
refuses_mixing 00000.tar webdataset bare.ulhff
rm -rf over && mkdir -p over/media/00000 && echo precious | tee over/captions.csv >over/media/00000/000000123.jpg
refuses_mixing captions.csv tdp --table jsonl bare.ulhff
expect_exit 0 ulhff export -q --force --as tdp bare.ulhff over
[ -e over/media/00000/000000123.jpg ] || fail "a media that no export made is gone"
# Neither is what only begins like one. What is removed is told.
rm -rf over
ulhff export -q --as files data.ulhff over
mkdir -p over/00000/000000008.d over/00003
echo mine | tee over/00000/000000008.d/x over/00000/0000000009.jpg >over/00003/000000009.jpg
expect_exit 0 ulhff export --force --as files bare.ulhff over
expect_line stdout "$(($(find files -type f | wc -l) - 3)) files of an older export removed"
cat over/00000/000000008.d/x over/00000/0000000009.jpg over/00003/000000009.jpg >/dev/null ||
  fail "a file of someone else is gone"

# Refusals.
for wrong in '--as zip' '--as tdp --view pairs' '--as files --shard-pairs 3' '--as webdataset --hard-links' \
  '--shard-size 3' '--as webdataset --shard-size 0' '--as tdp --table xml' '--as tdp -o flat'; do
  # The words are separate arguments.
  # shellcheck disable=SC2086
  expect_exit 2 ulhff export $wrong set.ulhff never
done
[ ! -e never ] || fail "a refused export wrote something"

# X6: damage in a media and in a text: the pairs are named and left out, the others are whole.
python3 - <<'END'
data = bytearray(open("data.ulhff", "rb").read())
for wanted in b"media 4", b"caption 5":
    data[data.index(wanted)] ^= 1
open("damaged.ulhff", "wb").write(data)
END
for layout in files tdp webdataset; do
  expect_exit 3 ulhff export --as $layout damaged.ulhff "damaged-$layout"
  expect_line stderr 'pair 3 (00000/000000004.jpg): damaged.ulhff: offset '
  expect_line stderr 'pair 4 ('
  expect_line stderr '2 of the pairs above'
  ulhff convert -q "damaged-$layout" "damaged-$layout.ulhff"
  expect_same 7 "$(pairs "damaged-$layout.ulhff" | wc -l)"
done
