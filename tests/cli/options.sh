#!/usr/bin/env bash
# Options that convert would heed nowhere, and fields that no mount could show, are usage errors.
. "$ULHFF_SOURCE_DIR/tests/cli/lib.bash" || exit
mkdir S
for name in a b; do
  printf '\xff\xd8\xff%s' "$name" >"S/$name.jpg"
  printf 'text %s' "$name" >"S/$name.txt"
done
cp -r S P0
printf 'image,caption\na.jpg,x\nb.jpg,y\n' >S/c.csv

# refused WORDS OPTION...
refused() {
  local words=$1
  shift
  expect_exit 2 ulhff convert "$@" o.ulhff
  grep -qF -- "$words" stderr || fail "no '$words': $(cat stderr)"
  [ "$(grep -c 'ulhff convert:' stderr)" -eq 1 ] || fail "not one line: $(cat stderr)"
  [ ! -e o.ulhff ] || fail "something was written: $*"
}
for option in --text-column=x --id-column=x --media-root=zz --split-column=x --no-header \
  --delimiter=tab --keep-columns --strip-prefix=x --key-rule=last-dot; do
  refused "${option%=*} means nothing" --from files "$option" S
done
refused '--from with a file' --from files:x S
for option in --pair-dirs=a:b --text-ext=txt; do
  refused "${option%=*} means nothing" --from table "$option" S/c.csv
done
refused '--texts lines means nothing' --from table --texts lines S/c.csv
refused '--pair-dirs means nothing' --pair-dirs a:b S/c.csv
refused 'no directory of either name' --from files --pair-dirs X:Y S
refused 'contradicts' --media-template '{image}' --media-column image S/c.csv
refused 'only with --no-header' --columns a,b S/c.csv
for option in media-ext text-ext from media-column media-root; do
  refused "--$option: is empty" "--$option" '' S
done

refused '--text-column means nothing for this source, which is read as files' --text-column caption P0
refused 'no file in it has an extension of --media-ext png' --media-ext png P0
refused 'P0/nope.csv: there is no such file' --from table:nope.csv P0
refused 'without --from it is read as files' --from coco P0
for option in --missing-media=skip --multi-media=each --lenient; do
  refused "${option%=*} means nothing" "$option" P0
done
refused '--unpaired-text means nothing' --from table --unpaired-text skip S/c.csv

# What the views would call the same
refused 'would both be called KEY.t.txt' --field t=caption --field t=image S/c.csv
refused 'would both be called KEY.txt' --field txt=caption S/c.csv
printf '\xff\xd8\xff' >S/d.txt
printf 'image,caption\nd.txt,x\n' >S/d.csv
refused 'a media and a text would both be called KEY.txt' --media-column image S/d.csv

# A file of fields in another order of extensions can be shown
mkdir P
for name in a b c; do printf '\xff\xd8\xff' >"P/$name.jpg" && printf 't' >"P/$name.txt"; done
printf 'c' >P/a.caption
expect_exit 0 ulhff convert -q --text-ext caption,txt P p.ulhff
expect_exit 0 ulhff ls --view pairs p.ulhff
