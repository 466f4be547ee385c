#!/usr/bin/env bash
# Checks that the cost of a mount does not grow with the dataset: a file of 10 M pairs, 2 M media and one source
# directory of 2 M names is mounted after the same few reads as a file of 1,000 pairs, and the daemon stays small while
# `find` lists all of it and a million random files are read. Takes some minutes and 1 GB of disk; no part of the tests.
# Usage: [OBJECTS=2000000] [READS=1000000] [MOUNT_OPTIONS=...] [ULHFF_FUSE_PROGRAM=...] scale_check.sh [WORK_DIRECTORY]
set -euo pipefail
. "$(dirname "$0")/common.sh"

objects=${OBJECTS:-2000000}
reads=${READS:-1000000}
max_ready_bytes=$((256 * 1024))
max_anon_kib=$((32 * 1024))
work=$(mktemp -d "${1:-$root_dir/build}/scale.XXXXXX")
mount_dir=$work/mnt
bin=$root_dir/build/release/bin
mkdir "$mount_dir"
failed=0
pid=

# The daemon is ours: it unmounts when it is told to end.
stop() {
  [ -z "$pid" ] || { kill "$pid" && wait "$pid"; } || true
  pid=
}
trap 'stop; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

# start FILE: mounts it; $pid is the daemon.
start() {
  "${ULHFF_FUSE_PROGRAM:-$bin/ulhff-fuse}" -f ${MOUNT_OPTIONS:+-o "$MOUNT_OPTIONS"} "$1" "$mount_dir" 2>>"$work/log" &
  pid=$!
  # Not mountpoint(1): it would ask the mount, and be counted.
  until grep -qF " $mount_dir " /proc/self/mountinfo; do
    kill -0 "$pid" 2>/dev/null || { cat "$work/log" >&2; die "cannot mount $1"; }
    sleep 0.05
  done
}

io() { sed -n "s/^$1: //p" "/proc/$pid/io"; }
anon_kib() { awk '/^RssAnon:/ { print $2 }' "/proc/$pid/status"; }

# check NAME VALUE CONDITION...: prints a line and remembers a failure.
check() {
  local name=$1 value=$2
  shift 2
  local result=PASS
  [ "$@" ] || { result=FAIL; failed=1; }
  printf '%-4s  %-58s %s\n' "$result" "$name" "$value"
}

say "Building"
build release ulhff-fuse scale_make scale_read
tools=$root_dir/build/release/tests

say "Making the files"
"$tools/scale_make" 200 "$work/small.ulhff"
time "$tools/scale_make" "$objects" "$work/large.ulhff"

say "Bytes read when the mount is ready (warm program, cold file)"
start "$work/small.ulhff"
stop
declare -A rchar disk
for size in small large; do
  sync "$work/$size.ulhff"
  dd if="$work/$size.ulhff" iflag=nocache count=0 status=none
  start "$work/$size.ulhff"
  rchar[$size]=$(io rchar)
  disk[$size]=$(io read_bytes)
  [ "$size" = large ] || stop
done
check "1,000 pairs: bytes by read calls / from the disk" "${rchar[small]} / ${disk[small]}" "${rchar[small]}" -le "$max_ready_bytes"
check "$objects media: bytes by read calls / from the disk" "${rchar[large]} / ${disk[large]}" "${rchar[large]}" -le "$max_ready_bytes"
check "the same number for both" "$((rchar[large] - rchar[small])) more" "${rchar[large]}" -eq "${rchar[small]}"
check "from the disk at most 256 KiB" "${disk[large]}" "${disk[large]}" -le "$max_ready_bytes"

say "Listing everything"
time names=$(find "$mount_dir" | wc -l)
check "names found" "$names" "$names" -ge "$objects"
check "RssAnon after find, at most 32 MiB" "$(anon_kib) KiB" "$(anon_kib)" -le "$max_anon_kib"

say "Reading $reads random files"
wrong=0
time "$tools/scale_read" "$mount_dir" "$objects" "$reads" 4 || wrong=1
check "every file held what it should" "" "$wrong" -eq 0
check "RssAnon after the reads, at most 32 MiB" "$(anon_kib) KiB" "$(anon_kib)" -le "$max_anon_kib"
check "threads of the daemon" "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" -d "/proc/$pid"
exit $failed
