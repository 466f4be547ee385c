#!/usr/bin/env bash
# Converts the dataset IN to the ULHFF file OUT, building the `ulhff` command first where it is missing.
# Usage: conversion.sh [CONVERT OPTION...] IN OUT
set -euo pipefail
. "$(dirname "$0")/common.sh"
[ $# -ge 2 ] || die "usage: conversion.sh [CONVERT OPTION...] IN OUT"

if [ ! -x "$root_dir/build/release/bin/ulhff" ]; then
  "$root_dir/scripts/install-deps.sh"
  say "Building"
  build release programs
fi
exec "$root_dir/build/release/bin/ulhff" convert "$@"
