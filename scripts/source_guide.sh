#!/usr/bin/env bash
# Prints the README's guide to the source: each unit of src/, fuse/ and converter/ with the one job its first line names.
# Usage: source_guide.sh [--update]   (--update: writes it into README.md, between the markers)
export LC_ALL=C  # one order everywhere
set -euo pipefail
cd "$(dirname "$0")/.."

# unit_lines FOLDER: "- `name`: job", from the header's first line, else the source's.
unit_lines() {
  local file unit
  for unit in $(printf "%s\n" "$1"/*.cc "$1"/*.h | sed "s/\.[a-z]*$//" | sort -u); do
    file=$unit.h
    [ -e "$file" ] || file=$unit.cc
    # A first comment may run over several lines; its first sentence is the job.
    awk -v name="${unit##*/}" '
      !/^\/\// { exit }
      { sub(/^\/\/ ?/, ""); text = text (text == "" ? "" : " ") $0 }
      END { if (match(text, /\. [A-Z(]/)) text = substr(text, 1, RSTART); printf "- `%s`: %s\n", name, text }' "$file"
  done
}

guide() {
  printf '**`src/`: libulhff.** Start with `reader.h` and `tree.h`; `docs/format.md` is what they read.\n\n'
  unit_lines src
  printf '\n**`fuse/`: the daemon `ulhff-fuse`.**\n\n'
  unit_lines fuse
  printf '\n**`converter/`: the command `ulhff`.** A new kind of source is one file that implements `source.h`.\n\n'
  unit_lines converter
}

case "${1:-}" in
  --update)
    guide_file=$(mktemp)
    trap 'rm -f "$guide_file"' EXIT
    guide >"$guide_file"
    sed -i -e '/<!-- guide -->/,/<!-- end of guide -->/{//!d}' -e "/<!-- guide -->/r $guide_file" README.md
    ;;
  *) guide ;;
esac
