#!/usr/bin/env bash
# table: rows in the order of the source, their media in a mount; and back again.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit

# Two captions of a.jpg are not beside each other; an absent, an empty and an odd text; two splits.
mkdir -p set/img
for name in a b c; do printf 'media %s' "$name" >"set/img/$name.jpg"; done
cat >set/rows.jsonl <<'END'
{"image": "img/a.jpg", "caption": "one", "split": "train"}
{"image": "img/b.jpg", "caption": "\"two\", too\nagain\t\u0000", "split": "val"}
{"image": "img/a.jpg", "caption": "", "split": "train"}
{"image": "img/c.jpg", "split": "val"}
END
ulhff convert -q set set.ulhff

# Every path opens below the root of the view, and leads to the pair's media.
cat >check.py <<'END'
import json, sys
rows = [json.loads(line) for line in open("table.jsonl")]
source = [json.loads(line) for line in open("set/rows.jsonl")]
assert len(rows) == len(source), rows
for row, wanted in zip(rows, source):
    assert list(row) == ["file_name", "text", "split"], row
    assert open(row["file_name"], "rb").read() == open("set/" + wanted["image"], "rb").read(), row
    assert row["text"] == wanted.get("caption") and row["split"] == wanted["split"], row
END
for view in source pairs objects all; do
  ulhff export -q --view $view set.ulhff "out-$view"
  expect_exit 0 ulhff table --view $view --prefix "out-$view" set.ulhff
  mv stdout table.jsonl
  python3 check.py
done
expect_exit 0 ulhff table --view pairs -o flat,width=2 set.ulhff
expect_line stdout '"train/01.jpg"'

# A file of plain files: absent texts, fields by name, several names of one media.
make_dataset
printf '{"k": 1}' >data/a/1.json
ulhff convert -q -f data data.ulhff
expect_exit 0 ulhff table --view pairs data.ulhff
if grep -q 'several names' stderr; then fail "in the pairs view each pair has a name of its own"; fi
expect_exit 0 ulhff table data.ulhff
expect_line stderr 'the media of 2 pairs have several names in the source'
expect_same '{"file_name": "a/1.jpg", "text": "caption 1\r\n", "json": "{\"k\": 1}"}' "$(head -n 1 stdout)"
expect_line stdout '{"file_name": "a/1.jpg", "text": "another caption", "json": null}'
expect_line stdout '"b/new\nline \udcff.jpg"'
# Both commands that give a first name say so in the same words.
mkdir twice
printf 'media' | tee twice/a.jpg >twice/b.jpg
printf 'image,caption,split\na.jpg,one,train\nb.jpg,two,val\n' >twice/t.csv
ulhff convert -q twice twice.ulhff
expect_exit 0 ulhff table --view source --split val twice.ulhff
expect_line stderr 'table: the media of 1 pair has several names in the source; each pair is given the first (--view pairs: '
expect_exit 0 ulhff table --view source twice.ulhff
mv stderr said
expect_exit 0 ulhff export --as tdp twice.ulhff tdp
sed 's/ table: / export: /; s/--view pairs/--as files/' said | diff - <(head -n 1 stderr) ||
  fail "two wordings of one thing"
expect_exit 0 ulhff table --format csv data.ulhff
expect_line stdout 'a/2.jpg,"caption 2'

# Texts as nothing, as "", in JSON and CSV; OpenCLIP's columns.
expect_exit 0 ulhff table --format csv --split val set.ulhff
expect_same 2 "$(grep -c ',val$' stdout)"
expect_line stdout '000000002.jpg,,val'
expect_exit 0 ulhff table --format csv set.ulhff
expect_line stdout '000000000.jpg,"",train'
expect_exit 0 ulhff table --format csv --delimiter tab --media-column filepath --text-column title --prefix /mnt/ set.ulhff
expect_same $'filepath\ttitle\tsplit' "$(head -n 1 stdout)"
expect_line stdout $'/mnt/objects/00000/000000000.jpg\tone\ttrain'

# COCO and LAVIS are JSON with each media once, or each text once.
for format in coco lavis; do
  expect_exit 0 ulhff table --format $format set.ulhff
  mv stdout $format.json
done
expect_exit 0 ulhff table --format coco --split train set.ulhff
mv stdout train.json
python3 - <<'END'
import json
coco = json.load(open("coco.json"))
assert [i["id"] for i in coco["images"]] == [0, 1, 2]
assert [(a["image_id"], a["caption"][:4]) for a in coco["annotations"]] == [(0, "one"), (1, '"two'), (0, "")]
assert len({a["id"] for a in coco["annotations"]}) == 3
lavis = json.load(open("lavis.json"))
assert [r["image_id"] for r in lavis] == [0, 1, 0] and lavis[0]["caption"] == "one"
assert lavis[0]["image"] == coco["images"][0]["file_name"]
train = json.load(open("train.json"))
assert len(train["images"]) == 1 and len(train["annotations"]) == 2
END

# A table and what it names, converted again: the same pairs in the same order.
dump() { ulhff table --view objects "$1"; }
ulhff table --format csv --view source --text-column caption set.ulhff >out-source/captions.csv
rm out-source/rows.jsonl
ulhff convert -q out-source again.ulhff
dump set.ulhff | sed 's/"text": null/"text": ""/' >wanted # CSV: an empty cell is an empty text
dump again.ulhff | diff wanted - || fail "csv changed the pairs"
rm out-source/captions.csv
ulhff table --view source set.ulhff >out-source/captions.jsonl
ulhff convert -q out-source again.ulhff --force
diff <(dump set.ulhff) <(dump again.ulhff) || fail "jsonl changed the pairs"

# Refusals, each one line.
for wrong in '--format xml' '--split none' '--delimiter ab --format csv' '--delimiter tab' \
  '--format coco --text-column x' '--text-column split' '--media-column text'; do
  # The words are separate arguments.
  # shellcheck disable=SC2086
  expect_exit 2 ulhff table $wrong set.ulhff
  [ "$(wc -l <stderr)" -eq 1 ] || fail "an error is one line"
done
expect_exit 2 ulhff table --split none set.ulhff
expect_line stderr 'train, val'

# Damage: the row is named and left out.
python3 - <<'END'
data = bytearray(open("set.ulhff", "rb").read())
data[data.index(b'"two", too')] ^= 1
open("damaged.ulhff", "wb").write(data)
END
expect_exit 3 ulhff table damaged.ulhff
expect_line stderr '000000001.jpg: damaged.ulhff: offset '
expect_line stderr '1 of the pairs could not be read'
expect_same 3 "$(wc -l <stdout)"
