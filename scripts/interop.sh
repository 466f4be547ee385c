#!/usr/bin/env bash
# Converts what the real tools write (WebDataset, datasets, TFRecord, MDS ...) and compares with what they read.
# Usage: interop.sh [--all | TOOL...]      without arguments: the tools that take less than 500 MB to install
set -euo pipefail
. "$(dirname "$0")/common.sh"
"$root_dir/scripts/install-deps.sh" --interop
build release ulhff_command
# Debian's Python, also where another one stands first on PATH.
exec /usr/bin/python3 "$root_dir/tests/interop/run.py" "$@"
