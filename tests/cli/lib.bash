# What cli tests share; sourced. Sets `work` (removed at the end) and a PATH on which `ulhff` is found.
# shellcheck shell=bash
set -euo pipefail
PATH=$ULHFF_BIN_DIR:$PATH
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# expect_exit CODE COMMAND...: runs it; its output is left in $work/stdout and $work/stderr.
expect_exit() {
  local wanted=$1 code=0
  shift
  "$@" >"$work/stdout" 2>"$work/stderr" || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit $code, not $wanted: $* ($(cat "$work/stderr"))"
}

# expect_line FILE TEXT: one line of FILE holds TEXT.
expect_line() {
  grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"
}

# expect_same WANTED GOT: two strings.
expect_same() {
  [ "$1" = "$2" ] || fail "wanted '$1', got '$2'"
}

# make_dataset: $work/data, a tree of files with duplicates and odd names, and $work/data.ulhff of it.
make_dataset() {
  mkdir -p data/a data/b data/empty
  for i in 1 2 3 4 5; do
    printf 'media %s' "$i" >"data/a/$i.jpg"
    printf 'caption %s\r\n' "$i" >"data/a/$i.txt"
  done
  cp data/a/1.jpg 'data/b/copy of 1.jpg'
  printf 'another caption' >'data/b/copy of 1.txt'
  : >data/b/6.jpg
  : >data/b/6.txt
  printf 'bytes' >$'data/b/new\nline \xff.jpg'
  printf 'licence\n' >data/LICENSE
  touch -d '2001-02-03 04:05:06.123456789 UTC' data/a/3.jpg data/a/3.txt data/LICENSE
  touch -d '1965-01-01 00:00:00.5 UTC' data/a/4.jpg
  touch -d '2011-11-11 11:11:11 UTC' data/empty data/a data
  ulhff convert -q data data.ulhff
}
