#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix bench: what is measured is what it says, the figures agree with each other, and a build
# that is slower is found.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_kernels

# ---- the kernels: as many instructions as are counted, the same result on the engines ----

npy "$work/x.npy" f4 "(3, 1024)" "[random.gauss(0, 1) for _ in range(3072)]"
npy "$work/i.npy" i4 "(3, 1024)" "[random.getrandbits(31) for _ in range(3072)]"
count() { # MNEMONIC-PATTERN: lines of .tile
    sed '1,/^\.tile/d' "$work/row.s" | grep -cE "^($1) "
}
"$TENSIX" bench --list >"$work/list"
while read -r name _; do
    "$TENSIX" bench --text --row "$name" | awk '/^# /{ if (n++) exit } { print }' >"$work/row.s"
    said=$(sed -n '1s/.*: \([0-9]*\) instructions count$/\1/p' "$work/row.s")
    case $name in
    matrix/*) # the Matrix Unit is the reference engine's alone
        op=${name#matrix/}
        same "$name, instructions" "$said" "$(count "tt${op%%/*}")"
        same "$name, its length" "$said" 256
        continue
        ;;
    l1/*) # 32 vectors of 32 data, or machine cycles
        of=32
        [ "$name" != l1/datacopy ] || of=0
        same "$name, its length" "$said" "$of"
        continue
        ;;
    load-store/* | recip24 | recipn2 | exp22 | int20 | mad20 | compiled/* | threads/* | single/* | \
        reference/*)
        there=$(count 'sfp[a-z0-9]*')
        case ${name#compiled/} in
        load-store/*) of=2 ;;
        recip24) of=8 ;;
        recipn2) of=10 ;;
        */int20 | int20 | *mad20) of=20 ;;
        *) of=22 ;;
        esac
        same "$name, its length" "$said" $((32 * of))
        ;;
    v_if) there=$(($(count 'sfppushc|sfpsetcc|sfppopc') * 4 / 3)) ;;
    mov) there=$(($(count sfpmov) - 32)) ;; # the group's own
    xor) there=$(($(count sfpxor) - 56)) ;;
    *)
        op=${name%%/*}
        there=$(grep -cE "^sfp$op( |\$)" "$work/row.s")
        ;;
    esac
    same "$name, instructions" "$said" "$there"
    input=x
    ! grep -q '^\.dst int' "$work/row.s" || input=i
    engines=(fast reference)
    case $name in compiled/*) engines+=(compiled) ;; esac
    for engine in "${engines[@]}"; do
        "$TENSIX" run "$work/row.s" --in "$work/$input.npy" --out "$work/$engine.npy" \
            --engine $engine >"$work/out" 2>&1 || cat "$work/out"
    done
    for engine in "${engines[@]}"; do
        check "$name, $engine agrees" cmp "$work/$engine.npy" "$work/reference.npy"
    done
done <"$work/list"

# ---- figures ----

"$TENSIX" bench --quick --row xor --row reference/int20 --json >"$work/two.json"
same "figures agree" "xor reference/int20" "$(python3 - "$work/two.json" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
for row in report["rows"]:
    assert row["rate"] > 0 and row["spread"] >= 0, row
    assert row["ratio"] == row["of_" + row["against"]], row
    for name, rate in row["loops"].items():
        assert rate > 0, row
        ratio = row["rate"] / rate # medians of five: near, not equal
        assert 0.25 * ratio < row["of_" + name] < 4 * ratio, (name, row)
    assert row["loops"]["fma"] > row["loops"]["scalar"], row
assert report["runs"] >= 5
print(*(row["name"] for row in report["rows"]))
PY
)"
check "text" "$TENSIX" bench --quick --row cast --level base
check "text has the row" grep -q '^cast .* bh ' "$work/last.out"
"$TENSIX" bench --quick --arch bh "$TX_SOURCE/examples/kernels/relu.s" >"$work/out"
for name in relu.s relu.s/compiled relu.s/reference; do
    check "a kernel: $name" grep -q "^$name  *bh " "$work/out"
done
check "a row compiled" "$TENSIX" bench --quick --row recip24 --engine compiled
check "is the engine's" grep -q '; engine compiled, ' "$work/last.out"
status=0
CC=/nothere "$TENSIX" bench --quick --row mad/mixed --engine compiled >"$work/out" 2>"$work/err" ||
    status=$?
same "compiled, without a compiler" \
    "2 tensix bench: mad/mixed: no C compiler '/nothere': No such file or directory" \
    "$status $(cat "$work/err")"
CC=/nothere TENSIX_CACHE=$work/none "$TENSIX" bench --quick --arch bh \
    "$TX_SOURCE/examples/kernels/relu.s" >"$work/out"
check "no compiler is told" \
    grep -q "^relu.s/compiled *no C compiler '/nothere': No such" "$work/out"
check "and no harm" grep -q '^relu.s/reference ' "$work/out"
printf '%s\n' '.arch blackhole' '.dst fp32' .tile 'sfpload L0, 0, 3, 3' 'sfpmov L1, L15, 8' \
    'sfpstore L1, 0, 3, 3' >"$work/beyond.s"
check "a kernel for the reference engine" "$TENSIX" bench --quick --arch bh "$work/beyond.s"
check "which is told" grep -q '^beyond.s  *SFPMOV reads' "$work/last.out"
refuses "no such row" 2 "no row 'mda'; did you mean" "$TENSIX" bench --row mda
refuses "no such level" 2 "has no 'sse'" "$TENSIX" bench --level sse
refuses "no such engine" 2 "'quick' is none of" \
    "$TENSIX" bench --engine quick
refuses "too few runs" 2 'is not a number from 5 to 31' "$TENSIX" bench --runs 4

# ---- two builds ----

made() { # FILE ROW=RATIO...
    local file=$work/$1 row list=
    shift
    for row in "$@"; do
        list="$list${list:+, }{\"name\": \"${row%=*}\", \"ratio\": ${row#*=}}"
    done
    echo "{\"rows\": [$list]}" >"$file"
}
against() { # BASE... -- NEW...: the verdicts, and the exit status
    local options=() status=0
    while [ "$1" != -- ]; do
        options+=(--base "$work/$1")
        shift
    done
    shift
    "$TENSIX" bench "${options[@]}" "${@/#/$work/}" >"$work/verdict" 2>&1 || status=$?
    echo "$(awk '/^(a|b|c) / { printf "%s %s, ", $1, $NF }' "$work/verdict")$status"
}
made old a=0.50 b=0.030 c=1
made same a=0.46 b=0.0271 c=1.09
made slow a=0.51 b=0.0269 c=1.2
made short a=0.50 b=0.030
made wild a=0.50 b=0.001 c=9
same "none is lost" "a same, b same, c same, 0" "$(against old -- same)"
same "one is lost" "a same, b regression, c faster, 1" "$(against old -- slow)"
check "and counted" grep -q '^1 regressions of more than 10 %' "$work/verdict"
same "a row is missing" "a same, b same, c missing, 1" "$(against old -- short)"
same "a new row" "a same, b same, 0" "$(against short -- old)"
same "the median counts" "a same, b same, c same, 0" "$(against old wild old -- same wild old)"
same "the median is lost" "a same, b regression, c faster, 1" \
    "$(against old wild old -- slow wild slow)"
echo '{"rows": [{"name": "a", "ratio": 2, "scaling": 1.95}]}' >"$work/two"
echo '{"rows": [{"name": "a", "ratio": 2, "scaling": 1.6}]}' >"$work/one"
same "threads by how they scale" "a regression, 1" "$(against two -- one)"
check "a tolerance" "$TENSIX" bench --tolerance 20 --base "$work/two" "$work/one"
check "JSON" bash -c "! '$TENSIX' bench --json --base '$work/old' '$work/slow' >'$work/cmp.json'"
same "JSON, the row" "b" "$(python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
assert report["regressions"] == 1
print(*(r["name"] for r in report["rows"] if r["verdict"] == "regression"))' "$work/cmp.json")"
check "a file with itself" "$TENSIX" bench --base "$work/two.json" "$work/two.json"
echo '{"rows": [' >"$work/broken"
echo '{}' >"$work/empty"
# Names longer than their column: it is as wide as the longest.
long=a_kernel_whose_name_is_longer_than_any_column
echo '{"rows": [{"name": "short", "ratio": 2}, {"name": "'$long'", "ratio": 2}]}' >"$work/names"
"$TENSIX" bench --base "$work/names" "$work/names" >"$work/names.txt"
same "bench --base, a long name" 1 \
    "$(awk '/ 2\.0000 / { print index($0, " 2.0000 ") }' "$work/names.txt" | sort -u | wc -l)"
cp "$TX_SOURCE/examples/kernels/relu.s" "$work/$long.s"
"$TENSIX" bench --quick --engine reference --arch bh "$work/$long.s" \
    "$TX_SOURCE/examples/kernels/relu.s" >"$work/names.txt"
same "bench, a long name" 1 "$(awk 'NR > 1 { print match($0, / (chip|bh  ) /) }' \
    "$work/names.txt" | sort -u | wc -l)"

refuses "a broken file" 2 'broken:[0-9]+: ' "$TENSIX" bench --base "$work/old" "$work/broken"
refuses "a file without rows" 2 'empty: no rows' "$TENSIX" bench --base "$work/empty" "$work/old"
refuses "no file" 2 'nothere' "$TENSIX" bench --base "$work/old" "$work/nothere"
refuses "nothing to compare" 2 'no file of the newer build' "$TENSIX" bench --base "$work/old"
finish
