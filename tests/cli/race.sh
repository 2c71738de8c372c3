#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix race: planted races and their repaired twins (tests/race), the shipped programs, options.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

check "planted races, and none in their twins" python3 "$TX_SOURCE/tests/race/planted.py" \
    "$TENSIX" "$TX_SOURCE/examples/tiles/tile.inc" "$TX_SOURCE/tests/race"
check "delays show most of them, and change no twin" python3 "$TX_SOURCE/tests/race/planted.py" \
    "$TENSIX" "$TX_SOURCE/examples/tiles/tile.inc" "$TX_SOURCE/tests/race" witness
check "random programs: what is not connected by force" python3 \
    "$TX_SOURCE/tests/race/closure.py" "$TENSIX" 1 80
twins=$(find "$TX_SOURCE/tests/race" -name '*_ok.s' | wc -l)
check "at least thirty of each" test "$twins" -ge 30
for program in "$TX_SOURCE"/examples/tiles/*.s; do
    for arch in bh wh; do
        check "$(basename "$program") on $arch: no race" "$TENSIX" race "$program" --arch $arch
    done
done

cp "$TX_SOURCE/examples/tiles/tile.inc" "$TX_SOURCE/tests/race/cfg_setc16_matrix.s" "$work"
status=0
"$TENSIX" race "$work/cfg_setc16_matrix.s" --arch bh >"$work/out" || status=$?
same "a race: exit status" 1 "$status"
same "a race: one line for it" 1 "$(grep -c '^race: ' "$work/out")"
same "a race: details behind it" 5 "$(grep -c '^    ' "$work/out")"
same "a race: the last line counts" 1 "$(grep -c ': 1 race, ' "$work/out")"
"$TENSIX" race "$work/cfg_setc16_matrix.s" --arch bh >"$work/again" || true
check "the same report each time" cmp "$work/out" "$work/again"

# A tile begins with counters of zero, whatever .init has left: both words are about row 0 of Dst.
cat >"$work/begin.s" <<'PROGRAM'
.include "tile.inc"
.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    unpack_a
    zero_b
.thread math
.init
    operands
    ttincrwc 0, 8, 0, 0
    ttincrwc 0, 8, 0, 0
.tile
    ttmova2d 0, 0, 0, 2, 0
    ttsetrwc 0, 0, 0, 0, 0, 4
    sfpload L0, 0, 2, 3
PROGRAM
"$TENSIX" race "$work/begin.s" --arch bh >"$work/out" || true
same "a tile begins with counters of zero" 1 "$(grep -c '^race: Dst row 0: ' "$work/out")"

cat >"$work/format.s" <<'PROGRAM'
.include "tile.inc"
.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
    unpack_a
    zero_b
.thread math
.tile
    ttmvmul 0, 0, 0, 0
    .setcfg ALU_FORMAT_SPEC_REG0_SrcA, 5
PROGRAM
check "what silicon does right is no race" "$TENSIX" race "$work/format.s" --arch bh --evidence
check "and --evidence says which" grep -q '^note: I-ALU-ISSUE' "$work/last.out"
same "and what nobody looks at" "not looked at: requests to the NoC that instructions make" \
    "$(grep '^not looked at' "$work/last.out")"
status=0
"$TENSIX" race "$work/format.s" --arch bh --all >"$work/out" || status=$?
same "--all reports it: exit status" 1 "$status"
same "--all reports it" 1 "$(grep -c '^race: ALU_FORMAT_SPEC_REG0_SrcA' "$work/out")"
for bad in T3/0~1 T0/0 T0/0~ T0/0~1,x; do
    refuses "--delays $bad" 2 "delays.*'$bad' is not" "$TENSIX" race "$work/format.s" --arch bh \
        --delays $bad
done

# Delays out of a file, as words on several lines.
cp "$TX_SOURCE/tests/race/gpr_load.s" "$work"
printf ' T0/0~1,\nT0/1~1\n' >"$work/delays"
check "--delays of a file" "$TENSIX" race "$work/format.s" --arch bh --delays "$work/delays"
same "--delays of a file: says which" 1 \
    "$(grep -c "^with delays $work/delays: nothing" "$work/check.out")"
printf 'T0/0~1,T9/0~1\n' >"$work/delays"
refuses "--delays of a file that has none" 2 'does not hold at most 16 delays' "$TENSIX" race \
    "$work/format.s" --arch bh --delays "$work/delays"

# --known: written by the first run, which fails; not written again; others are new.
status=0
"$TENSIX" race "$work/gpr_load.s" --arch bh --known "$work/known" >"$work/out" || status=$?
same "--known writes: exit status" 1 "$status"
same "--known writes: the race" 1 "$(grep -vc '^#' "$work/known")"
same "--known writes: and says so" 1 "$(grep -c ': written as known: 1$' "$work/out")"
cp "$work/known" "$work/before"
check "--known: no failure" "$TENSIX" race "$work/gpr_load.s" --arch bh --known "$work/known"
same "--known: no report" 0 "$(grep -c '^race: ' "$work/check.out")"
same "--known: counts" 1 "$(grep -c ': 1 known, 0 new, 0 known no longer found$' "$work/check.out")"
check "--known: left as it was" cmp "$work/known" "$work/before"
# Two threads may come in either order.
awk -F '\t' '/^#/ { print; next } { print $1 "\t" $3 "\t" $2 "\r" }' "$work/before" >"$work/known"
check "--known: in either order" "$TENSIX" race "$work/gpr_load.s" --arch bh --known "$work/known"
status=0
"$TENSIX" race "$work/cfg_setc16_matrix.s" --arch bh --known "$work/known" >"$work/out" || status=$?
same "--known: a new one fails" 1 "$status"
same "--known: a new one is told" 1 "$(grep -c '^race: ' "$work/out")"
same "--known: one is gone" 1 "$(grep -c ': 0 known, 1 new, 1 known no longer' "$work/out")"
"$TENSIX" race "$work/gpr_load.s" --arch bh --known "$work/before" --json >"$work/out"
same "--known in JSON" "True 1 0" "$(python3 -c 'import json, sys
o = json.load(sys.stdin)
print(o["races"][0]["known"], o["known"], o["known_no_longer_found"])' <"$work/out")"
printf 'GPRs\tT0 x\n' >"$work/bad"
refuses "--known: a line that is none" 2 'bad:1: not a race' "$TENSIX" race "$work/gpr_load.s" \
    --arch bh --known "$work/bad"
refuses "--known: a device" 2 'is not a file' "$TENSIX" race "$work/gpr_load.s" --arch bh \
    --known /dev/zero

# One missing wait, eight rows: one report; --every has all pairs of places.
{
    printf '.include "tile.inc"\n.thread unpack\n.tile\n'
    for row in 0 4 8 12 16 20 24 28; do printf '    sfpstore L0, %s, 2, 3\n' "$row"; done
    printf '    ttsempost p_stall::SEMAPHORE_2\n.init\n    ttseminit 1, 0, p_stall::SEMAPHORE_2\n'
    printf '.thread math\n.tile\n'
    printf '    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO\n'
    for row in 0 4 8 12 16 20 24 28; do printf '    sfpload L1, %s, 2, 3\n' "$row"; done
} >"$work/many.s"
"$TENSIX" race "$work/many.s" --arch wh >"$work/out" || true
same "one missing wait is one race" 1 "$(grep -c '^race: ' "$work/out")"
"$TENSIX" race "$work/many.s" --arch wh --every --all >"$work/out" || true
same "--every has all of it" 8 "$(grep -c '^race: ' "$work/out")"

# run --races: the result, and the same report behind it.
status=0
"$TENSIX" race "$work/cfg_setc16_matrix.s" --arch bh >"$work/out" || status=$?
"$TENSIX" run "$work/cfg_setc16_matrix.s" --arch bh --l1-out 0x20000:uint32:4:rows="$work/l1.bin" \
    --races >"$work/both" && status=0 || status=$?
same "run --races: exit status" 1 "$status"
check "run --races: the result comes first" grep -q '^instructions ' "$work/both"
same "run --races: output written" 16 "$(wc -c <"$work/l1.bin")"
check "run --races: then the races" cmp "$work/out" <(tail -n "$(wc -l <"$work/out")" "$work/both")
"$TENSIX" run "$work/cfg_setc16_matrix.s" --arch bh --l1-out 0x20000:uint32:4:rows="$work/l1.bin" \
    --races --json >"$work/both" || true
same "run --races --json: one object" "1 True" "$(python3 -c 'import json, sys
o = json.load(sys.stdin)
print(len(o["races"]["races"]), "findings" in o)' <"$work/both")"
check "run --races: silent, status 0" "$TENSIX" run "$work/format.s" --arch bh --races \
    --l1-out 0x20000:uint32:4:rows="$work/l1.bin" --evidence
check "run --races --evidence" grep -q '^note: I-ALU-ISSUE' "$work/last.out"
refuses "run --races --profile" 2 'exclude each other' "$TENSIX" run "$work/format.s" --arch bh \
    --races --profile
refuses "no kernel" 2 'no kernel given' "$TENSIX" race
refuses "a file that is not there" 2 'no.bin' "$TENSIX" race --arch bh \
    "$TX_SOURCE/examples/tiles/datacopy.s" --l1 0x10000="$work/no.bin"
finish
