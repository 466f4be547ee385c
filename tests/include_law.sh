#!/bin/sh
# Enforces who may include what (CONTRIBUTING.md, "Layers") by reading every #include line.
# Usage: include_law.sh SOURCE_DIR
set -eu
cd "$1"
status=0

# forbid WHY PATTERN FILE...: none of the files may have an #include line that matches PATTERN.
forbid() {
  why=$1
  pattern=$2
  shift 2
  for file in "$@"; do
    [ -f "$file" ] || continue
    if grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)[>\"]" /dev/null "$file"; then
      echo "  ^ $why" >&2
      status=1
    fi
  done
}

forbid "only fuse/ may include libfuse" '(fuse3?/)?fuse[a-z_]*\.h' \
  src/* converter/* tests/*.cc tests/*.h examples/*
forbid "src/ knows neither fuse/ nor converter/" '(.*/)?(fuse|converter)/.*' src/*
forbid "files of src/ include each other as \"x.h\"" 'ulhff/.*' src/*
forbid "outside src/ the library is \"ulhff/x.h\"" '(\.\./)*src/.*' \
  fuse/* converter/* tests/*.cc tests/*.h tests/mount/* examples/*
forbid "the writer never includes the reader" '(reader|asr|index|tree|view|verify|pool)[a-z_]*\.h' \
  src/writer*.cc src/writer*.h src/sorter*.cc src/sorter*.h
forbid "the reader never includes the writer" '(writer|sorter)[a-z_]*\.h' \
  src/reader*.cc src/reader*.h src/asr*.cc src/asr*.h src/index*.cc src/index*.h \
  src/tree*.cc src/tree*.h src/view*.cc src/view*.h src/*_view.cc src/*_view.h \
  src/verify*.cc src/verify*.h src/pool*.cc src/pool*.h
forbid "fuse/ knows no format and never writes" 'ulhff/(format|writer|sorter)[a-z_]*\.h' fuse/*
forbid "fuse/ and converter/ never include each other" '(\.\./)*converter/.*' fuse/*
forbid "fuse/ and converter/ never include each other" '(\.\./)*fuse/.*' converter/*

exit $status
