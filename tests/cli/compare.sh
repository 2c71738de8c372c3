#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix compare: identical kernels, different ones, one on two chips.
set -uo pipefail
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels

# compares NAME STATUS OPTIONS...: into $work/out
compares() {
    local name=$1 status=$2 got=0
    shift 2
    "$TENSIX" compare --no-progress "$@" >"$work/out" 2>"$work/err" || got=$?
    same "$name: exit status" "$status" "$got"
    same "$name: nothing on stderr" "" "$(cat "$work/err")"
}

compares "a macro kernel and its expansion" 0 "$kernels/macro/recip_fp32.s" \
    <("$TENSIX" expand "$kernels/macro/recip_fp32.s") --domain fp32 --stride 8191
check "identical" grep -qx identical "$work/out"
check "cycles of a" grep -q '^a .* cycles a tile 169, ' "$work/out"
check "cycles of b" grep -qE '^b .* cycles a tile [0-9]{3}, ' "$work/out"
for file in exp_clamped max_fp32 where; do
    "$TENSIX" expand "$kernels/macro/$file.s" --arch bh -o "$work/$file.s" >/dev/null
done
compares "pairs" 0 --arch bh "$kernels/macro/max_fp32.s" "$work/max_fp32.s" \
    --domain fp32xfp32 --sample 100000
compares "three operands" 0 --arch bh "$kernels/macro/where.s" "$work/where.s" \
    --domain bf16xbf16xbf16 --sample 50000

# One coefficient is another one: the instruction that reads it is where values part.
sed 's/sfpmad      L2, L0, L7, L6, 0/sfpmad      L2, L0, L7, L5, 0/' \
    "$kernels/exp.s" >"$work/other.s"
compares "another register" 1 "$kernels/exp.s" "$work/other.s" --arch bh
check "names a's instruction" \
    grep -qE '^part at +a cycle 12: LReg = .* by sfpmad L2,L0,L7,L6,0$' "$work/out"
check "names b's instruction" \
    grep -qE '^ +b cycle 12: LReg = .* by sfpmad L2,L0,L7,L5,0$' "$work/out"
differing=$(sed -n 's/^differing  *\([0-9]*\) of 65536$/\1/p' "$work/out")
for side in "$kernels/exp.s" "$work/other.s"; do
    "$TENSIX" sweep "$side" --arch bh --points "$work/$(basename "$side").csv" >/dev/null
done
same "as many as two sweeps have" "$(paste -d, "$work/exp.s.csv" "$work/other.s.csv" |
    awk -F, 'NR > 1 && $2 != $12 { n++ } END { print n }')" "$differing"
compares "any number of threads" 1 "$kernels/exp.s" "$work/other.s" --arch bh --jobs 1 --json
cp "$work/out" "$work/one.json"
compares "any number of threads" 1 "$kernels/exp.s" "$work/other.s" --arch bh --jobs 7 --json
check "the same answer" cmp "$work/one.json" "$work/out"
same "JSON" "False $differing sfpmad L2,L0,L7,L6,0 12" "$(python3 -c "
import json
r = json.load(open('$work/out'))
p = r['a']['part_at']
print(r['identical'], r['differing'], p['instruction'], p['cycle'])")"

# A multiply-add makes 7fc00000 of any NaN on Blackhole; Wormhole hands the payload on.
compares "two chips" 1 "$kernels/exp.s" --arch bh --arch-b wh
check "the NaN" grep -q '^first  *x0 nan 7f810000  a nan 7fc00000  b nan 7f800001$' "$work/out"
compares "two chips, numbers only" 0 "$kernels/exp.s" --arch bh --arch-b wh --domain=-100:100 \
    --stride 30011

# Integers of Dst, where -5 is what SFPNOT makes of 4: 2048 of the 65536 are in the row it works on.
row='.arch blackhole\n.dst int32\n.tile\nsfpload L0,0,4,3\n%s L0,L0%s\nsfpstore L0,0,4,3\n'
printf "$row" sfpabs ,0 >"$work/abs.s"
printf "$row" sfpnot "" >"$work/not.s"
compares "integers" 1 "$work/abs.s" "$work/not.s" --domain uint16
check "as many as the row has" grep -q '^differing  *2048 of 65536$' "$work/out"
check "and as they are" grep -q 'a 4 00000004  b -5 fffffffb$' "$work/out"
refuses "integers for floats" 2 'works on floats, int32 are not' \
    "$TENSIX" compare "$kernels/exp.s" --arch bh --arch-b wh --domain int32

refuses "one kernel, one chip" 2 'two kernels are needed, or one and --arch-b' \
    "$TENSIX" compare "$kernels/exp.s" --arch bh
refuses "three kernels" 2 'at most 2 kernels' "$TENSIX" compare a b c
refuses "operands" 2 '--domain: .* takes 3 inputs, bf16 has 1' \
    "$TENSIX" compare "$kernels/where.s" --arch bh --arch-b wh
refuses "another engine" 2 "'quick' is none of auto" \
    "$TENSIX" compare "$kernels/exp.s" --arch bh --arch-b wh --engine quick
finish
