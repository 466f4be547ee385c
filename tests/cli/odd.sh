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
