#!/usr/bin/env bash
# Installs what building, testing and running need, on Debian 12 and Ubuntu 24.04.
# Usage: install-deps.sh [--dev | --bench | --bundled | --interop]     --dev adds clang, clang-tidy and clang-format;
# --bench what bench/ measures against (SquashFS, EROFS, sshfs ...), plots with and is built from;
# --bundled what libfuse is built with (preset bundled); --interop what environments of Python are made with
# ULHFF_SKIP_DEPS=1 makes it do nothing, for systems where you installed the packages yourself.
set -euo pipefail
. "$(dirname "$0")/common.sh"

packages=(g++ cmake ninja-build pkg-config fuse3 libfuse3-dev libxxhash-dev libfmt-dev
  libboost-program-options-dev rapidjson-dev libcsv-dev libutf8proc-dev zlib1g-dev libzstd-dev libprotobuf-dev
  libcrypto++-dev libarchive-dev libgtest-dev libgmock-dev lowdown python3)

case "${1:-}" in
  "") ;;
  --dev) dev=yes ;;
  --bench)
    packages+=(meson liburing-dev libnuma-dev libbenchmark-dev python3-matplotlib python3-venv squashfs-tools squashfuse
      erofs-utils sshfs openssh-server openssh-client)
    ;;
  --bundled) packages+=(meson liburing-dev libnuma-dev) ;;
  --interop) packages+=(python3-venv) ;;
  *) die "unknown argument '$1' (usage: install-deps.sh [--dev | --bench | --bundled | --interop])" ;;
esac
[ -z "${ULHFF_SKIP_DEPS:-}" ] || exit 0

system=$(. /etc/os-release 2>/dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || system=unknown
case "$system" in
  "debian 12") clang=(clang-14 libclang-rt-14-dev clang-tidy-14 clang-format-14) ;;
  "ubuntu 24.04") clang=(clang libclang-rt-dev clang-tidy clang-format) ;;
  *)
    die "only Debian 12 and Ubuntu 24.04 are known here, this is '$system'. Install what your system" \
      "has for: ${packages[*]}; then run again with ULHFF_SKIP_DEPS=1"
    ;;
esac
[ -z "${dev:-}" ] || packages+=("${clang[@]}")

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
  sed -n 's/^installed //p') || true
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

say "Installing ${missing[*]}"
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}")
# The lists of a fresh machine are empty, those of an old one point at packages that are gone.
as_root "${install[@]}" >/dev/null 2>&1 </dev/null || {
  quietly as_root apt-get update -qq || die "apt-get update failed"
  quietly as_root "${install[@]}" || die "apt-get could not install: ${missing[*]}"
}
