#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Integer formats of Dst by name, what the commands say of them, 16-bit data in a 32-bit Dst.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

rows='I = 0
.rept 32'
printf '.arch bh\n.inputs 2\n.tile\n%s
    sfpload L0,I,4,3\n    sfpload L1,I+64,4,3\n    sfpiadd L0,L1,0,4\n    sfpstore L0,I,4,3
    I = I + 2\n.endr\n' "$rows" >add.s
printf '.arch wh\n.tile\n%s
    sfpload L0,I,6,3\n    sfpcast L1,L0,0\n    sfpstore L1,I,3,3\n    I = I + 2\n.endr\n' \
    "$rows" >cast.s
npy a.npy i4 "(1024,)" "[-2**31, 2**31 - 1, -1, 5] + list(range(-510, 510))"
npy b.npy i4 "(1024,)" "[-1, 1, -1, -7] + list(range(1020, 0, -1))"
npy u.npy u2 "(1024,)" "[65535, 0, 32768, 1] + list(range(3, 65000, 64))[:1012] + [65534] * 8"

values() { python3 -c "
import struct, sys
data = open('$1', 'rb').read()
print(*struct.unpack('<4$2', data[-1024 * struct.calcsize('$2'):][:4 * struct.calcsize('$2')]))"; }

for engine in reference fast; do
    "$TENSIX" run add.s --in a.npy --in b.npy --dst int32 --out y.npy --engine $engine >t.txt
    same "$engine: sums wrap" "2147483647 -2147483648 -2 -2" "$(values y.npy i)"
    check "$engine: what was used" grep -qx "kernel .* Dst int32 (two's complement)" t.txt
    check "$engine: clean" grep -qx 'findings        none' t.txt
    "$TENSIX" run add.s --in a.npy --in b.npy --dst int32-sm --engine $engine >t.txt
    check "$engine: the other encoding is found" grep -q \
        "\[E-INT\] .*: SFPIADD takes for two's complement what .* sign and magnitude" t.txt
done
rm -f y.npy
check "JSON" bash -c "'$TENSIX' run add.s --in a.npy --in b.npy --dst int32-sm --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
assert (r[\"dst\"], r[\"dst_encoding\"]) == (\"int32-sm\", \"sign and magnitude\"), r'"
check "compare says it" bash -c "'$TENSIX' compare add.s add.s --dst uint32 \
    --domain bf16:1:2xbf16:1:2 | grep -q 'Dst uint32 (unsigned): cycles'"

"$TENSIX" run cast.s --in u.npy --dst uint16-dst32 --out-dst fp32 --out f.npy >t.txt
same "uint16 to FP32 in a 32-bit Dst" "65535.0 0.0 32768.0 1.0" "$(values f.npy f)"
check "no finding" grep -qx 'findings        none' t.txt
"$TENSIX" run cast.s --in u.npy --dst uint32 --out-dst fp32 >t.txt
check "a mixed view is a finding" grep -q '\[E-VIEW\] .*: SFPLOAD of 16-bit data from Dst row' t.txt
check "the bit by itself" bash -c "'$TENSIX' run cast.s --in u.npy --dst uint32 \
    --out-dst fp32 --set DBG_FEATURE_DISABLE=0x800 | grep -qx 'findings        none'"

# The result is read in the width that it was stored in, or that is a finding, on every engine.
for engine in reference fast; do
    "$TENSIX" run cast.s --in u.npy --dst uint16-dst32 --out-dst bf16 --set DBG_FEATURE_DISABLE=0 \
        --engine $engine --json >t.json
    check "$engine: a result in another width" grep -q \
        '"the result is read as 16-bit data: 64 of its 64 [^"]* 32-bit data"' t.json
done
refuses "strict: so it is an error" 1 'the result is read as 16-bit data.* \[E-VIEW\]$' \
    "$TENSIX" run add.s --in a.npy --in b.npy --dst int32 --out-dst bf16 --strict --out y.npy

printf '.arch bh\n.dst uint16\n.tile\n%s
    sfpload L0,I,6,3\n    sfpstore L0,I,6,3\n    I = I + 2\n.endr\n' "$rows" >same.s
"$TENSIX" run same.s --in u.npy --out v.npy >t.txt
same "uint16 comes back as it is" "65535 0 32768 1" "$(values v.npy H)"
check "sweep: all of uint16" bash -c "'$TENSIX' sweep same.s --reference identity |
    grep -q 'outcomes  *exact 65536\$'"
refuses "no such format" 2 "'int64' is none of fp32, .*int32-sm" "$TENSIX" run same.s --in u.npy \
    --dst int64
finish
