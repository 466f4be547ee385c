#!/usr/bin/env bash
# Shows the whole of ulhff-fuse on DATASET, or on a small sample made here: install, build, convert, mount, compare, load.
# Usage: quickstart.sh [DATASET [CONVERT OPTION...]]
# DATASET is only read. Works as root, or as a user who has sudo or needs no installation. Leaves nothing behind but
# the build and what it installed; the container and the mount are gone at the end.
set -euo pipefail
. "$(dirname "$0")/common.sh"
case "${1:-}" in
  -h | --help)
    sed -n '2,5s/^# //p' "$0"
    exit 0
    ;;
esac

scripts=$root_dir/scripts
bin=$root_dir/build/release/bin
work=
mount_dir=

# take_down: unmounts, lazily where a killed daemon or a busy file left no other way, and removes the empty folder.
# rmdir, never rm -r: whatever may still be mounted there is not ours to delete.
take_down() {
  fusermount3 -u -q "$mount_dir" 2>/dev/null || fusermount3 -u -q -z "$mount_dir" 2>/dev/null || true
  rmdir "$mount_dir"
}

clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  if [ $status -ne 0 ]; then
    printf '==> Stopped (exit %s): the step above failed; removing mount and temporary files\n' $status >&2
  fi
  [ -z "$mount_dir" ] || take_down || true
  [ -z "$work" ] || rm -rf --one-file-system "$work"
  exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# show COMMAND...: prints it as one would type it, then runs it.
show() {
  printf '  $ %s\n' "${*/#$bin\//}"
  "$@" | sed 's/^/    /'
}

# first LINES COMMAND...: as show, but no more than LINES of its output.
first() {
  local lines=$1
  shift
  printf '  $ %s | head -n %s\n' "$*" "$lines"
  # The command may die of the closed pipe; its output is what counts.
  { "$@" 2>/dev/null || true; } | head -n "$lines" | sed 's/^/    /'
}

# fuse_is_usable: 1, with the reason, where mounting cannot work.
fuse_is_usable() {
  if [ ! -c /dev/fuse ]; then
    echo "there is no /dev/fuse (containers: docker run --device /dev/fuse --cap-add SYS_ADMIN ...)"
    return 1
  elif [ ! -r /dev/fuse ] || [ ! -w /dev/fuse ]; then
    echo "/dev/fuse is closed to $(id -un) (chmod 0666 /dev/fuse is the usual mode)"
    return 1
  fi
}

# compare ORIGINAL SHOWN: diff -r, where only what a mount cannot show may differ (docs/semantics.md).
compare() {
  local original=$1 shown=$2 differences=$work/diff.txt expected=$work/expected.txt status=0
  printf '  $ diff -r %s %s\n' "$original" "$shown"
  LC_ALL=C diff -r -- "$original" "$shown" >"$differences" 2>&1 || status=$?
  if [ $status -eq 0 ]; then
    echo "    identical: every name and every byte"
    return
  fi
  # Dangling and looping links, and devices, sockets and fifos.
  find "$original" \( -xtype l -o -type b -o -type c -o -type s -o -type p \) \
    -printf 'Only in %h: %f\ndiff: %p: No such file or directory\n' \
    -printf 'diff: %p: Too many levels of symbolic links\n' >"$expected"
  if grep -vxF -f "$expected" "$differences" >"$work/unexpected.txt"; then
    head -n 20 "$work/unexpected.txt" >&2
    die "the mount differs from the original"
  fi
  echo "    identical, but for what a mount cannot show (dangling links, devices, sockets, fifos):"
  sed 's/^/    /' "$differences"
}

# load DIRECTORY: runs the loader, keeps its digests in $digests.
load() {
  printf '  $ files_loader.py %s\n' "$1"
  local output
  output=$(python3 "$scripts/files_loader.py" "$1" 2)
  printf '    %s\n' "${output//$'\n'/$'\n    '}"
  digests=$(awk '{ print $NF }' <<<"$output")
}

# usage_of PATH: bytes, KiB on disk, inodes; links are followed, as the dataset's reader does.
usage_of() {
  local bytes disk inodes
  bytes=$(find -L "$1" -type f -printf '%s\n' 2>/dev/null | awk '{ n += $1 } END { printf "%.0f", n }')
  disk=$(du -skL "$1" 2>/dev/null | tail -n 1 | cut -f 1)
  inodes=$(find -L "$1" -printf '%D:%i\n' 2>/dev/null | sort -u | wc -l)
  printf '%15s bytes %12s KiB on disk %10s inodes\n' "$bytes" "$disk" "$inodes"
}

say "1/9 Installing dependencies"
"$scripts/install-deps.sh"
open_fuse_device || true
fuse_is_usable >/dev/null || die "cannot mount: $(fuse_is_usable)"

say "2/9 Building build/release/bin/ulhff and build/release/bin/ulhff-fuse (five minutes on two processors)"
build release programs
work=$(mktemp -d "$root_dir/build/quickstart.XXXXXX")

if [ $# -gt 0 ]; then
  [ -e "$1" ] || die "no such file or directory: $1"
  dataset=$(realpath -- "$1")
  shift
  say "3/9 Dataset: $dataset"
else
  dataset=$work/sample
  say "3/9 Making a sample dataset"
  show python3 "$scripts/make_sample.py" "$dataset"
fi

say "4/9 Converting it into one file"
container=$work/dataset.ulhff
show "$bin/ulhff" convert "$@" "$dataset" "$container"
show "$bin/ulhff" info "$container"

say "5/9 Mounting that file"
mount_dir=$(mktemp -d "$root_dir/build/mount.XXXXXX")
printf '  $ ulhff-fuse %s %s\n' "$container" "$mount_dir"
"$bin/ulhff-fuse" "$container" "$mount_dir"

# A table's mount holds all views; its `source` is what the original is compared with. Of records and archives, also of
# a directory of them, there is no tree to compare with.
shown=$mount_dir
pairs=$mount_dir
view=$("$bin/ulhff" info --json "$container" | sed -n 's/.*"default_view": "\(.*\)"/\1/p')
is_tree=
[ ! -d "$dataset" ] || [ "$view" = pairs ] || is_tree=1
if [ "$(LC_ALL=C ls -A "$mount_dir")" = $'objects\npairs\nsource' ]; then
  shown=$mount_dir/source
  pairs=$mount_dir/pairs
fi

say "6/9 Looking into it"
show ls "$mount_dir"
folder=$(find "$pairs" -type f -name '*.txt' -printf '%h\n' -quit)
folder=${folder:-$shown}
first 6 ls -li "$folder"
# Not head: it would close the pipe under sort's feet, which ends a script that heeds pipefail.
text=$(find "$folder" -maxdepth 1 -type f -name '*.txt' | LC_ALL=C sort | sed -n 1p)
if [ -n "$text" ]; then
  first 5 cat "$text"
  echo
fi

if [ -n "$is_tree" ]; then
  say "7/9 Comparing the mount with the original, byte by byte"
  compare "$dataset" "$shown"

  say "8/9 Reading both with a loader of plain files, two shuffled epochs each"
  load "$dataset"
  original_digests=$digests
  load "$shown"
  [ "$digests" = "$original_digests" ] || die "the loader read other bytes from the mount"
  echo "    same names, same bytes"
else
  say "7/9 Checking every checksum (the original is no tree of files to compare with)"
  show "$bin/ulhff" verify "$container"
  say "8/9 Reading the mount with a loader of plain files, two shuffled epochs"
  load "$shown"
fi

say "9/9 Sizes before and after, and unmounting"
printf '    before %s\n    after  %s\n' "$(usage_of "$dataset")" "$(usage_of "$container")"
printf '  $ fusermount3 -u %s\n' "$mount_dir"
fusermount3 -u "$mount_dir"
rmdir "$mount_dir"
mount_dir=

say "All done. With your own data:"
echo "    build/release/bin/ulhff convert DATASET dataset.ulhff"
echo "    build/release/bin/ulhff-fuse dataset.ulhff MOUNTPOINT      # fusermount3 -u MOUNTPOINT"
