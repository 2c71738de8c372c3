#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix run --gaps and --cycles.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels/macro
s=$work/square.s

npy "$work/x.npy" f4 "(3000,)" "[random.uniform(-10, 10) for _ in range(3000)]"
"$TENSIX" run "$s" --arch bh --in "$work/x.npy" --out "$work/a.npy" >/dev/null
for how in seed=7 each=1..3 at=2:5; do
    check "--gaps $how" "$TENSIX" run "$s" --arch bh --in "$work/x.npy" --out "$work/b.npy" \
        --gaps $how
    check "--gaps $how leaves plain code alone" cmp "$work/a.npy" "$work/b.npy"
done
cycles() {
    "$TENSIX" run "$s" --arch bh --in "$work/x.npy" "$@" | sed -n 's/^cycles  *\([0-9]*\).*/\1/p'
}
same "at=2:5 costs 5 cycles a tile" $(($(cycles) + 15)) "$(cycles --gaps at=2:5)"
check "all= on plain code" bash -c \
    "'$TENSIX' run '$s' --arch bh --gaps all=0..2 --budget 500 | grep -q 'no pattern changes'"
for how in seed= each=3 at=1 all=2..1 every=1; do
    refuses "--gaps $how" 2 'is none of seed=N' "$TENSIX" run "$s" --arch bh --gaps $how
done
refuses "--gaps past the end" 2 'tile has' "$TENSIX" run "$s" --arch bh --gaps at=100000:1 \
    --in "$work/x.npy"

k=$kernels/recip_fp32_l16.s
if [ -e "$k" ]; then
    status=0
    "$TENSIX" run "$k" --arch bh --gaps all=0..3 --budget 2000 >"$work/out" || status=$?
    same "the reciprocal through L16: found" 1 "$status"
    check "one idle cycle suffices" grep -q '^gap  *1 idle cycle before word' "$work/out"
    check "the operation that moved" grep -q '^moved .*sfpmad .*on MAD' "$work/out"
    check "its repaired form is immune" "$TENSIX" run "$kernels/recip_fp32.s" --arch bh \
        --gaps all=0..3 --budget 2000
    check "json" bash -c "'$TENSIX' run '$k' --arch bh --gaps all=0..1 --json |
        python3 -c 'import json, sys; r = json.load(sys.stdin); assert r[\"found\"], r
assert r[\"gaps\"][0][\"gap\"] == 1 and r[\"moved\"]'"
fi

# The form that shipped fails at one place only: behind the first SFPNOP of the tail.
k=$kernels/recip_fp32_replayed.s
"$TENSIX" run "$k" --arch bh --gaps all=0..3 --budget 4000 >"$work/out" || true
line=$(grep -n 'ttreplay *1, 1, 0, 0' "$k" | cut -d: -f1)
check "replayed: that place" grep -q "^gap .*1 idle cycle before word 34 .*line $line:" "$work/out"
check "replayed: no other" grep -q '^changes .* 32 of 1024 elements; 0 other words' "$work/out"
check "replayed: what moved" grep -q '^moved .*sfpmad .*on MAD, .*sfploadmacro 3,L2' "$work/out"
sed '/^\.sequence  3,/s/[<>]L16//g' "$k" >"$work/repaired.s"
check "replayed, repaired: immune" "$TENSIX" run "$work/repaired.s" --arch bh \
    --gaps all=0..3 --budget 4000
npy "$work/r.npy" f4 "(2048,)" "[random.uniform(-9, 9) for _ in range(2048)]"
for form in recip_fp32 recip_fp32_l16 recip_fp32_replayed; do
    "$TENSIX" run "$kernels/$form.s" --in "$work/r.npy" --out "$work/$form.npy" >/dev/null
    check "$form: the same values" cmp "$work/recip_fp32.npy" "$work/$form.npy"
done

printf '    sfpmad L2,L0,L1,L9,0\n    sfpabs L3,L2,1\n' >"$work/early.s"
refuses "--cycles of a kernel that strict stops" 1 \
    'reads L2.*E-HAZ. at instruction 1: sfpabs L3,L2,1' \
    "$TENSIX" run "$work/early.s" --arch wh --cycles --strict
check "--cycles without arrays" "$TENSIX" run "$s" --arch bh --cycles
check "--cycles, per second" grep -q "elements at 1.35 GHz" "$work/last.out"
check "--cycles json" bash -c "'$TENSIX' run '$s' --arch wh --cycles --in '$work/x.npy' --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin)[\"cycle_report\"]
assert r[\"tile_cycles\"] == 32 * r[\"row_cycles\"] == 4 * r[\"face_cycles\"], r
assert r[\"clock_hz\"] == 1e9 and r[\"vector\"] + r[\"sfpnop\"] == r[\"tile_cycles\"], r'"
printf '.dst fp32\n.rept 32\nsfpload L0,0,3,3\nsfpmad L0,L0,L0,L0,0\nsfpstore L0,0,3,3\n.endr\n' \
    >"$work/stall.s"
"$TENSIX" run "$work/stall.s" --arch bh --cycles >"$work/out"
check "stall-bound" grep -q '^bound  *stall-bound: ' "$work/out"
check "its cause, with its number" grep -q 'waits on .*MAD sub-unit.*: 32$' "$work/out"
finish
