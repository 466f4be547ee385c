#!/usr/bin/env bash
# convert of tar archives made by tar itself: dialects, links, sparse files, shards, standard input.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit

mkdir -p data/sub data/empty
for i in 1 2 3; do
  head -c 3000 /dev/urandom >"data/$i.jpg"
  printf 'caption %s\r\n' "$i" >"data/$i.txt"
done
ln data/1.jpg data/sub/4.jpg
cp data/2.jpg 'data/sub/Größe.jpg'
printf 'size' >'data/sub/Größe.txt'
long=$(printf 'n%.0s' {1..200})
printf 'long' >"data/sub/$long.jpg"
touch -d '2001-02-03 04:05:06 UTC' data/2.jpg data/3.txt data/empty

# The source view is what tar would have unpacked, its times too.
times() { (cd "$1" && find . -mindepth 1 -type f -printf '%P %T@\n' | sort | sed 's/\.[0-9]*$//'); }
for format in gnu pax; do
  rm -rf out
  tar --format=$format --sort=name -cf $format.tar -C data .
  expect_exit 0 ulhff convert $format.tar $format.ulhff
  expect_line stderr 'tar file, samples by key'
  expect_line stdout '6 pairs of 4 media'
  expect_exit 0 ulhff export -q --view source $format.ulhff out
  diff -r data out || fail "$format: the source view is not the tree"
  # Names that share a media show the first name's time.
  diff <(times data | grep -v 'sub/') <(times out | grep -v 'sub/') || fail "$format: times differ"
done
tar --format=ustar --sort=name -cf ustar.tar --exclude="$long.jpg" -C data .
expect_exit 0 ulhff convert ustar.tar ustar.ulhff

# From a pipe, plain or compressed, the same bytes come out.
ulhff convert -q - pipe.ulhff <gnu.tar
gzip -c gnu.tar | ulhff convert -q - gzip.ulhff
cmp gnu.ulhff pipe.ulhff || fail "a pipe gives another file"
cmp gnu.ulhff gzip.ulhff || fail "a compressed pipe gives another file"
head -c 5000 gnu.tar >cut.tar
expect_exit 3 ulhff convert - cut.ulhff <cut.tar
expect_line stderr 'standard input: byte'
[ ! -e cut.ulhff ] || fail "something was left of a failed conversion"
expect_exit 2 ulhff convert - gnu.tar both.ulhff <gnu.tar

# A sparse file is expanded, in every version of the format.
mkdir sparse
truncate -s 10M sparse/a.jpg
printf 'text' | dd of=sparse/a.jpg bs=1 seek=5000000 conv=notrunc status=none
printf 'caption' >sparse/a.txt
for options in --format=gnu '--format=pax --sparse-version=0.0' '--format=pax --sparse-version=0.1' \
  '--format=pax --sparse-version=1.0'; do
  # shellcheck disable=SC2086
  tar $options -Scf sparse.tar -C sparse a.jpg a.txt
  [ "$(stat -c %s sparse.tar)" -lt 100000 ] || fail "$options: not sparse"
  ulhff convert -q -f sparse.tar sparse.ulhff
  cmp sparse/a.jpg <(ulhff cat --view source sparse.ulhff a.jpg) || fail "$options: not expanded"
done

# Several shards are one set, given one by one or by their directory.
mkdir -p shards/train shards/val
cp gnu.tar shards/train/0.tar
cp pax.tar shards/train/1.tar
gzip -c pax.tar >shards/val/0.tar.gz
expect_exit 0 ulhff convert shards/train/0.tar shards/train/1.tar shards/val/0.tar.gz set.ulhff
expect_line stderr 'one set with the 2 that follow'
expect_exit 0 ulhff convert shards set2.ulhff
for file in set set2; do
  ulhff ls --view source $file.ulhff >top
  expect_same 'train val' "$(tr '\n' ' ' <top | sed 's/ $//')"
  ulhff cat --view source $file.ulhff train/1/2.txt | cmp - data/2.txt || fail "$file: a text differs"
  ulhff cat --view source $file.ulhff val/0/2.jpg | cmp - data/2.jpg || fail "$file: a media differs"
  ulhff info $file.ulhff | grep -qw 'val' || fail "$file: no splits"
done
expect_exit 0 ulhff convert shards/train/0.tar shards/train/1.tar two.ulhff
expect_same '0 1' "$(ulhff ls --view source two.ulhff | tr '\n' ' ' | sed 's/ $//')"

# What leads outside is refused by name, a leading '/' is left out.
(cd sparse && tar -Pcf ../odd.tar --transform='s,^a.jpg,/b.jpg,;s,^a.txt,/b.txt,' a.jpg a.txt)
expect_exit 0 ulhff convert odd.tar odd.ulhff
expect_line stdout "2 absolute names in an archive, read without their '/'"
expect_same 'b.jpg b.txt' "$(ulhff ls --view source odd.ulhff | tr '\n' ' ' | sed 's/ $//')"
expect_exit 3 ulhff convert --strict -f odd.tar odd.ulhff
(cd sparse && tar -Pcf ../odd.tar --transform='s,^,../,' a.jpg a.txt)
expect_exit 3 ulhff convert -f odd.tar odd.ulhff
expect_line stderr '../a.jpg'
expect_line stderr "2 paths with '..' or outside the source"
expect_exit 0 ulhff convert -f --allow-outside odd.tar odd.ulhff
