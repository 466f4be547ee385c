# What the scripts share; sourced, not run. Sets root_dir to the checkout.
# shellcheck shell=bash
root_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export root_dir

# say TEXT: one line about what happens next.
say() { printf '==> %s\n' "$*"; }

# die TEXT: one line about why nothing more happens.
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# as_root COMMAND...: runs it as root, by sudo where needed.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root or sudo to run: $*"
  fi
}

# quietly COMMAND...: shows the command's output only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ $status -ne 0 ]; then
    tail -n 60 "$log" >&2
  fi
  rm -f "$log"
  return $status
}

# build PRESET TARGET... [-- CONFIGURE_ARGUMENT...]: leaves up-to-date targets in build/PRESET.
build() {
  local preset=$1
  shift
  local targets=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    targets+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  (
    cd "$root_dir" || exit
    quietly cmake --preset "$preset" "$@" || die "configuring failed (preset $preset)"
    quietly cmake --build --preset "$preset" --target "${targets[@]}" ||
      die "building failed (preset $preset)"
  )
}

# open_fuse_device: lets every user mount, as udev does on ordinary systems; 1 where nobody can.
open_fuse_device() {
  [ -c /dev/fuse ] || (as_root modprobe fuse) 2>/dev/null || true
  [ -c /dev/fuse ] || return 1
  local mode
  mode=$(stat -c %a /dev/fuse)
  if [ $((0$mode & 6)) -ne 6 ]; then
    say "/dev/fuse is closed to ordinary users (mode $mode): setting 0666, the usual mode"
    (as_root chmod 0666 /dev/fuse)
  fi
}
