#!/usr/bin/env bash
# Installs into an empty folder, moves it, and builds the examples against it by CMake's package and by pkg-config.
set -euo pipefail

if ! ls "$ULHFF_SOURCE_DIR"/examples/*.cc >/dev/null 2>&1; then
  echo "there are no examples yet"
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$ULHFF_BUILD_DIR" --prefix "$work/installed" >/dev/null
# Nothing in it may point at the place where it was installed first.
mv "$work/installed" "$work/moved"

flags=()
[ -z "$ULHFF_SANITIZE" ] || flags=("-fsanitize=$ULHFF_SANITIZE")

cmake -S "$ULHFF_SOURCE_DIR/examples" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_CXX_FLAGS="${flags[*]}" >/dev/null
cmake --build "$work/build" >/dev/null
echo "built by find_package(ulhff)"

pkgconfig=$(dirname "$(find "$work/moved" -name ulhff.pc)")
for example in "$ULHFF_SOURCE_DIR"/examples/*.cc; do
  # The words of pkg-config's output are separate arguments.
  # shellcheck disable=SC2046
  "$CXX" -std=c++20 "${flags[@]}" "$example" -o "$work/example" \
    $(PKG_CONFIG_PATH="$pkgconfig" pkg-config --cflags --libs ulhff)
done
echo "built by pkg-config"

for program in ulhff ulhff-fuse; do
  "$work/moved/bin/$program" --version >/dev/null
done
echo "installed programs start"

if command -v lowdown >/dev/null; then
  for page in ulhff ulhff-fuse; do
    manual=$work/moved/share/man/man1/$page.1
    grep -q "^\\.TH \"${page^^}\" \"1\"" "$manual"
    grep -q -- "$page - " "$manual"
  done
  echo "manual pages have their names"
fi
