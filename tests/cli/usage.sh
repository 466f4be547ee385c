#!/usr/bin/env bash
# Command lines: help, versions, errors and exit codes of every command, and the manual page's options.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
make_dataset
commands='convert merge info verify ls cat export table'

expect_exit 0 ulhff --version
expect_line stdout '(format ULHFF 1.0)'
expect_exit 0 ulhff --help
[ "$(wc -l <stdout)" -le 25 ] || fail "--help is longer than 25 lines"
for command in $commands; do
  expect_line stdout "  $command "
done

for command in $commands; do
  expect_exit 0 ulhff "$command" --help
  expect_line stdout "Usage: ulhff $command "
  cp stdout "$command.help"
  expect_exit 0 ulhff "$command" -h
  cmp stdout "$command.help"
  expect_exit 2 ulhff "$command" --no-such-option data.ulhff
  expect_line stderr "(try 'ulhff $command --help')"
  [ "$(wc -l <stderr)" -eq 1 ] || fail "a usage error is one line"
  expect_exit 2 ulhff "$command"
done
expect_exit 2 ulhff
expect_exit 2 ulhff no-such-command
expect_line stderr "'no-such-command'"
expect_exit 2 ulhff info data.ulhff data.ulhff
expect_exit 2 ulhff info --jso data.ulhff
expect_exit 2 ulhff ls --view nothing data.ulhff
expect_line stderr 'view: '
expect_exit 2 ulhff ls -o fan_out=0 data.ulhff
expect_exit 2 ulhff ls -o allow_other data.ulhff
expect_exit 2 ulhff ls --view pairs -o text_ext=jpg data.ulhff
expect_line stderr 'KEY.jpg'

expect_exit 2 ulhff convert data
expect_line stderr "OUT.ulhff is missing"
mkdir table && printf 'file,caption\n1.jpg,a cat\n' >table/t.csv && printf 'picture' >table/1.jpg
expect_exit 2 ulhff convert --from coco table t.ulhff
! grep -q -- --help stderr || fail 'the help tells nothing of it'
expect_exit 0 ulhff convert table/t.csv t.ulhff
expect_line stdout '32 bytes in 2 files'

# Options in --help and in ulhff(1), both ways. convert's stand in --help and docs/sources.md.
manual=$ULHFF_SOURCE_DIR/docs/man/ulhff.1.md
options() { grep -oE -- '(^|[^[:alnum:]-])--[a-z][a-z-]*' | grep -oE -- '--[a-z-]*' | sort -u; }
section() { awk -v name="$1" '/^#+ /{on = ($2 == name)} on' "$manual" | tr -d '\\'; }
for command in merge info verify ls cat export table; do
  tail -n +3 "$command.help" | sed '/^Examples/,$d' | options | grep -vx -- --help >"$command.a"
  {
    section "$command"
    ! grep -qx -- --view "$command.a" || section VIEW
  } | options | grep -vx -- --help >"$command.b"
  diff "$command.a" "$command.b" || fail "--help and ulhff(1) differ for $command"
done

# Input that is no ULHFF file, or none at all.
: >nothing
head -c 5000 data.ulhff >cut
printf 'x' | dd of=cut bs=1 seek=0 conv=notrunc status=none
for command in info verify ls; do
  expect_exit 3 ulhff "$command" nothing
  expect_exit 3 ulhff "$command" cut
  expect_exit 1 ulhff "$command" none.ulhff
  expect_line stderr 'none.ulhff: No such file'
  expect_exit 1 ulhff "$command" data
  [ "$(wc -l <stderr)" -eq 1 ] || fail "an error is one line"
done

# A reader that goes away, and a full disk.
for _ in 1 2 3; do
  { ulhff ls -R data.ulhff 2>stderr || true; } | true
  [ ! -s stderr ] || fail "a closed pipe is told: $(cat stderr)"
done
if [ -c /dev/full ]; then
  code=0
  ulhff info data.ulhff >/dev/full 2>stderr || code=$?
  expect_same 1 "$code"
  expect_line stderr 'No space left'
fi
