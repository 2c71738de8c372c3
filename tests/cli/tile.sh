#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix tile show: the documents' vectors of the unpacker, and faces where they lie.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
show_() { "$TENSIX" tile show "$@"; }
line() { show_ "$@" | tail -n 1 | tr -s ' '; }
python3 - <<'PY'
import struct
def tile(name, exponent, data):
    open(name, "wb").write(bytes([exponent]) + bytes(15) + bytes(data))
tile("b4", 127, [0x10, 0x32, 0x54, 0x76, 0x98, 0, 0, 0])
tile("b2", 127, [0xE4, 0, 0, 0])
tile("b8", 127, [0x40, 0x7F, 0x01, 0xC0, 0x80] + [0] * 11)
tile("a8", 31, [0x40, 0x7F, 0x80] + [0] * 13)
tile("wrap", 3, [0x01] + [0] * 15)
open("e4", "wb").write(bytes([0x01, 0x08, 0x38, 0x7E, 0x7F, 0xFF] + [0] * 10))
open("e5", "wb").write(bytes([0x3F, 0x7F] + [0] * 14))
open("i8", "wb").write(bytes([0x7F, 0xFF, 0x81] + [0] * 13))
# 32x32: the datum is its own number in L1; two tiles, the second all ones.
open("t32", "wb").write(struct.pack("<1024I", *range(1024)) + b"\1\0\0\0" * 1024)
# A block tile whose groups have exponents 100, 101, ...
open("g8", "wb").write(bytes(range(100, 164)) + bytes([0x40] * 1024))
PY

same "bfp4, E = 127" \
    " 0 exp 127 | 0 0.25 0.5 0.75 1 1.25 1.5 1.75 -inf -0.25 0 0 0 0 0 0" \
    "$(line b4 --format bfp4_b --tile 1x16)"
same "its bits" " 0 exp 127 | 0 1 2 3 4 5 6 7 8 9 0 0 0 0 0 0" \
    "$(line b4:bfp4_b --tile 1x16 --bits)"
same "bfp2" " 0 exp 127 | 0 1 -inf -1" "$(line b2:bfp2_b --tile 1x16 --columns 0-3)"
same "bfp8" " 0 exp 127 | 1 1.984375 0.015625 -1 -inf" \
    "$(line b8:bfp8_b --tile 1x16 --columns 0-4)"
# BFP8a (40,31) is FP16 7C00, an ordinary 65536; (7F,31) is 7FF0; (80) is FC00.
same "bfp8a" " 0 exp 31 | 65536 130048 -65536" "$(line a8:bfp8_a --tile 1x16 --columns 0-2)"
# X(01,3) = 7E80: the exponent wraps.
same "the exponent wraps" " 0 exp 3 | $(python3 -c "print('%.7g' % 2.0**126)")" \
    "$(line wrap:bfp8_b --tile 1x16 --columns 0)"
# E4M3 01 = 0080, exponent 0; 08 = 2400; 38 = 3C00; 7E = 5F00; 7F = 5FFF; FF = DFFF.
same "E4M3" " 0 0 0.015625 1 448 511.75 -511.75" "$(line e4:fp8_e4m3 --tile 1x16 --columns 0-5)"
# E5M2 7F = 7F00 on Wormhole, 7FFF on Blackhole.
same "E5M2, Wormhole" " 0 1.75 114688" "$(line e5:lf8 --arch wh --tile 1x16 --columns 0-1)"
same "E5M2, Blackhole" " 0 1.75 131008" "$(line e5:lf8 --arch bh --tile 1x16 --columns 0-1)"
same "INT8" " 0 127 -127 -1" "$(line i8:int8 --tile 1x16 --columns 0-2)"
same "INT8, two's complement" " 0 127 -1 -127" \
    "$(line i8:int8 --twos-complement --tile 1x16 --columns 0-2)"

show_ t32 --format uint32 >out
same "four faces" "face 0: rows 0 to 15, columns 0 to 15 of the tile
face 1: rows 0 to 15, columns 16 to 31 of the tile
face 2: rows 16 to 31, columns 0 to 15 of the tile
face 3: rows 16 to 31, columns 16 to 31 of the tile" "$(grep face out)"
same "68 lines and four heads" 73 "$(wc -l <out)"
same "row 2 of face 1" " 2 $(seq -s' ' 288 303)" \
    "$(line t32 --format uint32 --face 1 --rows 2 | sed 's/^ *2/ 2/')"
same "the other tile" " 15 1 1" "$(line t32:uint32 --index 1 --columns 3-4)"
same "exponents of face 3" "148 149 150" \
    "$(show_ g8:bfp8_b --face 3 --rows 0-2 | awk '/exp [0-9]/ { print $3 }' | xargs)"
same "faces of a 4x32 tile" 2 "$(head -c 512 t32 >p; show_ p:uint32 --tile 4x32 | grep -c face)"
python3 -c "
open('odd', 'wb').write(bytes([1] * 37 + [255, 255] + [254] * 25) + bytes([0x40] * 1024))
open('odd5', 'wb').write(bytes([31] * 3 + [32] + [0] * 60) + bytes(1024))"
check "exponent 255" bash -c "'$TENSIX' tile show odd:bfp8_b | grep -q \
    '^odd exponents: 2, 255, infinity or NaN to host code and the SFPU; the first in face 2, row 5'"
check "exponent above 31" bash -c "'$TENSIX' tile show odd5:bfp8_a | grep -q \
    '^odd exponents: 1, more than 31, .*; the first in face 0, row 3'"
check "convert tells too" bash -c "'$TENSIX' convert --arch bh odd:bfp8_b o.npy | grep -q \
    '^odd exponents   2 of IN: 255, .*; the first in tile 0, row of 16 data 37'"
show_ g8:bfp8_b --face 2 --rows 1 --columns 0-1 --json >out
same "JSON" "2 16 0 1 133 4040 ['64', '64']" "$(python3 -c "
import json
f = json.load(open('out'))['faces'][0]
r = f['rows'][0]
print(f['face'], f['row'], f['column'], r['row'], r['exponent'], r['data'], r['values'])")"

refuses "no action" 2 "the action is 'show'" "$TENSIX" tile t32
refuses "no file" 2 'no file given' "$TENSIX" tile show
refuses "no format" 2 'does not name its format' show_ t32
refuses "no such tile" 2 'has 2 tiles: no tile 2' show_ t32:uint32 --index 2
refuses "wrong size" 2 'no whole number of bfp4_b tiles' show_ t32:bfp4_b
refuses "face" 2 "--face: '4' is not N or N-M from 0 to 3" show_ t32:uint32 --face 4
refuses "rows" 2 "--rows: '5-2'" show_ t32:uint32 --rows 5-2
refuses "chip is needed" 2 'depends on the chip' show_ e5:lf8 --tile 1x16
refuses "E4M3 on Wormhole" 2 'Blackhole only' show_ e4:fp8_e4m3 --arch wh --tile 1x16
npy n.npy f4 "(3,)" "[1, 2, 3]"
refuses "an array" 2 'is an array' show_ n.npy
finish
