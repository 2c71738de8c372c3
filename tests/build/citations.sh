#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every citation of the tree leads somewhere, and one that leads nowhere is noticed: each kind is
# planted in a small copy of the tree.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
failed=0
python3 scripts/check_citations.py || failed=1

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/lab/explain" "$tree/lab/race" "$tree/src"
cp -r docs/spec "$tree/docs/"
cp -r isa "$tree/isa"
cp lab/explain/spec_rows.def "$tree/lab/explain/"
cp lab/race/*.def "$tree/lab/race/"

plant() { # what, the line of a source, what the checker must say
    printf '/* %s */\n' "$2" >"$tree/src/planted.c"
    if TENSIX_TREE=$tree python3 scripts/check_citations.py >"$tree/said"; then
        echo "not noticed: $1"
        failed=1
    elif ! grep -qF -- "$3" "$tree/said"; then
        echo "$1: the checker does not say '$3' but"
        cat "$tree/said"
        failed=1
    fi
}

printf '/* Source: spec/unpack.md 5.9, 8; ruling U1; E-HAZ. */\n' >"$tree/src/planted.c"
TENSIX_TREE=$tree python3 scripts/check_citations.py >"$tree/said" || {
    echo "right citations are refused:"
    cat "$tree/said"
    failed=1
}
plant "a section that is not there" "Source: spec/timing.md a.77" "timing.md has no place 'a.77'"
plant "the second of two sections" "spec/unpack.md 5.9, 88" "unpack.md has no place '88'"
plant "an instruction the text does not have" "blackhole.md SFPNOSUCH" "no place 'SFPNOSUCH'"
plant "a ruling nobody made" "ruling U99" "nobody knows the ruling U99"
plant "an id without an entry" "the finding is E-NOSUCH" "explain E-NOSUCH"
sed -i '0,/U1"/s//U1x"/' "$tree/lab/explain/spec_rows.def"
plant "rows that are not those of the texts" "nothing" "spec_rows.def is not what"
exit $failed
