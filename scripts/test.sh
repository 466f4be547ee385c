#!/usr/bin/env bash
# Installs dependencies, builds, and runs every test; says which were skipped and why.
# Usage: [PRESET=release|debug|asan|tsan] [ULHFF_WERROR=ON] test.sh [CTEST ARGUMENT...]
set -euo pipefail
. "$(dirname "$0")/common.sh"
preset=${PRESET:-release}

"$root_dir/scripts/install-deps.sh"
open_fuse_device || say "No /dev/fuse here: tests that mount will be skipped"

say "Building (preset $preset)"
build "$preset" all -- -DULHFF_WERROR="${ULHFF_WERROR:-OFF}"

say "Testing"
cd "$root_dir"
status=0
ctest --preset "$preset" -j "$(nproc)" --output-junit tests.xml "$@" |
  tee "build/$preset/tests.log" || status=$?
python3 scripts/skipped_tests.py "build/$preset/tests.xml"
# Once more at the very end, where a reader looks for it.
grep -E '^[0-9]+% tests passed' "build/$preset/tests.log" || true
exit $status
