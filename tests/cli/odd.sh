#!/usr/bin/env bash
# Odd input: what every policy keeps, and that nothing is left out uncounted.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit

media() {
  mkdir -p "$(dirname "$1")"
  printf '\xff\xd8\xff%s' "$1" >"$1"
}
convert() { expect_exit 0 ulhff convert -qf --report r.jsonl "$@" o.ulhff; }
# pairs COUNT
pairs() { expect_same "$1" "$(ulhff info --json o.ulhff | grep -oE '"pairs": ?[0-9]+' | grep -oE '[0-9]+')"; }
# counted KIND COUNT: lines of the report
counted() { expect_same "$2" "$(grep -c "\"kind\":\"$1\"" r.jsonl)"; }

# Two images of one id
media coco/1.jpg
media coco/2.jpg
printf '{"images":[{"id":1,"file_name":"1.jpg"},\n{"id":1,"file_name":"2.jpg"}],
"annotations":[{"image_id":1,"caption":"text"}]}' >coco/c.json
expect_exit 3 ulhff convert coco o.ulhff
expect_line stderr 'c.json:2'
expect_line stderr '(first: c.json:1)'
image() { ulhff cat --view pairs o.ulhff "00000/00000000$1"; }
convert --duplicates first coco/c.json
pairs 1
expect_same coco/1.jpg "$(image 0.jpg | tail -c 10)"
convert --duplicates last coco/c.json
pairs 1
expect_same coco/2.jpg "$(image 0.jpg | tail -c 10)"
expect_same text "$(image 0.txt)"
convert --duplicates rename coco/c.json
pairs 2
expect_same text "$(image 0.txt)"

# Many media of one name: those of equal bytes stay one
mkdir same
for i in 1 2 3; do media "same/$i/x.jpg" && printf '%s' "$i" >"same/$i/x.txt"; done
convert --duplicates rename same/1 same/2 same/3
pairs 3

# A file and a directory of one name: in a tar, since no file system has both
mkdir t && printf 'file' >t/pet
tar -cf pet.tar -C t pet
rm t/pet && media t/pet/cat.jpg && printf 'cat' >t/pet/cat.txt
tar -rf pet.tar -C t pet/cat.jpg pet/cat.txt
expect_exit 3 ulhff convert --report pet.jsonl pet.tar o2.ulhff
expect_line stderr 'pet (also: a directory by pet.tar'
expect_line pet.jsonl '"duplicate_name"'
convert --duplicates rename pet.tar
expect_same file "$(ulhff cat --view source o.ulhff 'pet~2')"
expect_same cat "$(ulhff cat --view source o.ulhff pet/cat.txt)"
counted duplicate_name 1

# An empty media that is left out leaves its text behind
media empty/a.jpg && printf 'a' >empty/a.txt
: >empty/e.jpg && printf 'e' >empty/e.txt
convert --empty skip empty
counted empty_media 1
counted unpaired_text 1
expect_same e "$(ulhff cat --view source o.ulhff e.txt)"

# A file of lines without any
media lines/f.jpg && : >lines/f.txt
media lines/g.jpg && printf 'g\n' >lines/g.txt
convert --texts lines lines
counted unpaired_media 1
expect_exit 3 ulhff convert --texts lines --unpaired-media error lines o2.ulhff

# Every file of a hidden directory counts
media hidden/a.jpg
mkdir -p hidden/__MACOSX/sub && touch hidden/__MACOSX/1 hidden/__MACOSX/sub/{2,3}
convert --drop-hidden hidden
counted hidden_file 3

# A malformed JSON file is told, whatever the directory is read as
media json/a.jpg && printf 'a' >json/a.txt
echo '{"questions": [{"question_id": 1}],, "x": 1}' >json/questions.json
echo '{"fine": [1, 2]}' >json/other.json
convert json
counted malformed_json 1
expect_exit 3 ulhff convert -f --strict json o.ulhff
expect_line stderr '  json/questions.json:1: byte'
convert --from files json
counted malformed_json 0

# A name alone makes no TFRecord of a file beside media
media named/a.jpg && : >named/x.tfrecord
convert named
pairs 1

# What --extras none leaves out, and extensions beyond those that a file has room for
media extras/a.jpg && touch extras/{LICENSE,README}
convert --extras none extras
counted dropped_extra 2
mkdir many
for i in $(seq 130); do printf '%s' "$i" >"many/m.x$i"; done
convert --media-ext "$(seq -s, -f 'x%g' 130)" many
counted lost_extension 2
