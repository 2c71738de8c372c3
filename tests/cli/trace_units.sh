#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpackers, packers and Src banks in a trace: every form against the banks as the lines tell them
# (trace_units.py), and a few times that follow from isa/unpack.def by hand.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
tiles=$TX_SOURCE/examples/tiles
cd "$work"
cp "$tiles/tile.inc" .
npy x.npy f4 "(32, 32)" "[float(i % 7 - 3) for i in range(1024)]"

# units NAME CHIP OPTION...: all forms of one program of examples/tiles.
units() {
    local name=$1 chip=$2
    shift 2
    "$TENSIX" trace "$tiles/$name.s" --arch "$chip" --l1 0x10000=x.npy:bf16 \
        --l1 0x18000=x.npy:bf16 --l1 0x20000=x.npy:bf16 --json --chrome c.json --konata k.log >lines
    "$TENSIX" trace "$tiles/$name.s" --arch "$chip" --l1 0x10000=x.npy:bf16 \
        --l1 0x18000=x.npy:bf16 --l1 0x20000=x.npy:bf16 >table
    check "$name on $chip" \
        python3 "$TX_SOURCE/tests/cli/trace_units.py" lines c.json k.log table "$@"
    cat check.out
}
for chip in bh wh; do
    units datacopy $chip
    units matmul $chip overlap
    units matmul_relu $chip overlap
    units accumulate $chip
done

# 512 bytes: two cycles at the gate, then what a cycle brings.
# times CHIP THROTTLE CYCLES OPTION...
times() {
    local chip=$1 throttle=$2 cycles=$3
    shift 3
    {
        printf '.include "tile.inc"\n.thread unpack\n.init\n a_from 0x10000\n'
        printf ' .setcfg THCON_SEC0_REG2_Throttle_mode, %s\n' "$throttle"
        printf '.tile\n unpack_begin\n unpack_a\n'
    } >times.s
    "$TENSIX" trace times.s --arch "$chip" --l1 0x10000=x.npy:bf16 --json "$@" >lines
    same "$chip, throttle $throttle $*" "3 5 $cycles" "$(python3 -c "
import json
e = [json.loads(x) for x in open('lines')]
e = [x for x in e if x['ev'] == 'unpack' and x['phase'] == 'end'][0]
print(e['issued'], e['start'], e['cycles'])")"
}
times wh 0 32
times wh 1 16
times wh 2 8
times bh 2 8
times bh 2 4 --rule unpack-wide=128

# A third one finds both banks taken: the trace tells up to where it ends, and what it waits for.
printf '.include "tile.inc"\n.thread unpack\n.init\n a_from 0x10000\n' >third.s
printf '.tile\n unpack_begin\n unpack_a\n unpack_a\n unpack_a\n' >>third.s
for chip in bh wh; do
    got=0
    "$TENSIX" trace third.s --arch $chip --l1 0x10000=x.npy:bf16 \
        --l1-out 0x20000:bf16:32x32=no.npy >table 2>err || got=$?
    same "$chip, a third one: status" 1 "$got"
    same "$chip, a third one: a line, and a table of the one that waits" 3 "$(wc -l <err)"
    check "$chip, a third one: message" grep -q 'a bank of Src that the Matrix Unit has' err
    check "$chip, a third one: table" grep -q 'unpacr waits: bank 0 of SrcA, which math has' table
    check "$chip, a third one: no file" test ! -e no.npy
done

# A run, which counts cycles of mere waiting without going through them, and a trace, which goes
# through all of them, take as long; SFPSTORE holds a packer that is long busy.
sed 's/^    pack_tile/&\n    sfpstore L9, 0, 2, 3\n    pack_tile/' "$tiles/datacopy.s" >held.s
for chip in bh wh; do
    for program in held.s "$tiles/datacopy.s" "$tiles/matmul.s"; do
        "$TENSIX" run "$program" --arch $chip --l1 0x10000=x.npy:bf16 --l1 0x18000=x.npy:bf16 \
            --json >out
        "$TENSIX" trace "$program" --arch $chip --l1 0x10000=x.npy:bf16 \
            --l1 0x18000=x.npy:bf16 --json >lines
        same "${program##*/} on $chip: a run takes as long as a trace" "$(python3 -c "
import json
print(json.load(open('out'))['tile_total']['cycles'])")" "$(python3 -c "
import json
print([json.loads(x) for x in open('lines')][-1]['cycles'])")"
    done
done

# Bounds are told where there are any, and only there.
"$TENSIX" run "$tiles/datacopy.s" --arch bh --l1 0x10000=x.npy:bf16 >out
check "run tells a bound" grep -q '^cycles *at least [0-9]* (init [0-9]*)$' out
"$TENSIX" run "$tiles/datacopy.s" --arch bh --cycles --l1 0x10000=x.npy:bf16 >out
check "--cycles tells a bound" grep -q '^cycles, tile *at least [0-9]*, ' out
check "--cycles tells waits" grep -q '^waits on *a bank of SrcA that the unpacker has: ' out
"$TENSIX" run "$tiles/datacopy.s" --arch bh --cycles --l1 0x10000=x.npy:bf16 --json >out
check "--cycles tells a bound in JSON" grep -q '"at_least": true' out
got=0
"$TENSIX" run "$tiles/datacopy.s" --arch bh --cycles --l1-out 0:bf16:1=no.npy >out 2>err || got=$?
same "--cycles has no outputs" "2 tensix run: --l1-out and --cycles exclude each other" \
    "$got $(cat err)"
printf '.arch bh\nsfpnop\n' >plain.s
"$TENSIX" trace plain.s >table
"$TENSIX" run plain.s --cycles >>table
same "the Vector Unit's time is known" 0 "$(grep -c 'at least' table)"
finish
