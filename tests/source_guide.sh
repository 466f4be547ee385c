#!/bin/sh
# Fails if the README's guide to the source is not what scripts/source_guide.sh prints.
# Usage: source_guide.sh SOURCE_DIRECTORY
set -eu
cd "$1"
wanted=$(bash scripts/source_guide.sh)
found=$(sed -n '/<!-- guide -->/,/<!-- end of guide -->/{//!p}' README.md)
[ "$wanted" = "$found" ] || {
  echo "README.md: the guide to the source is out of date: run scripts/source_guide.sh --update"
  exit 1
}
