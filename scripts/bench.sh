#!/usr/bin/env bash
# Installs what the benchmark needs, builds, and runs it; see bench/README.md.
# Usage: bench.sh [--quick | --full] [--venvs] [OPTION...]      bench.sh --help lists the options
# Needs root: memory and disk limits, cache drops and loop devices are root's.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# Debian's Python, also where another one stands first on PATH: it has matplotlib and ordinary users may run it.
python=/usr/bin/python3
case " $* " in
  *" --help "* | *" -h "*) exec "$python" "$root_dir/bench/bench.py" --help ;;
esac
[ "$(id -u)" -eq 0 ] || die "needs root (memory and disk limits, cache drops, mounts): run it with sudo"

"$root_dir/scripts/install-deps.sh" --bench
open_fuse_device || die "no /dev/fuse here"
say "Building"
build release programs bench_programs -- -DULHFF_BENCH=ON
quietly cmake --preset bundled && quietly cmake --build --preset bundled --target ulhff-fuse ||
  say "No libfuse with io_uring can be built here: only /dev/fuse is measured"
exec "$python" "$root_dir/bench/bench.py" "$@"
