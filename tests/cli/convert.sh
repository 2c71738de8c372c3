#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix convert: every direction against tests/cli/formats.py and the documented vectors.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
# One process for all of it: starting Python costs more than the work.
coproc second { exec python3 "$TX_SOURCE/tests/cli/formats.py" serve; }
second() {
    printf '%q ' "$@" >&"${second[1]}"
    echo >&"${second[1]}"
    local answer=
    read -r answer <&"${second[0]}" && [ "$answer" = done ]
}
convert() { "$TENSIX" convert "$@"; }

# float32 -> tiles -> float32: shapes, tiles, formats, both chips.
spread="[random.uniform(-2, 2) * 2.0 ** random.randint(-20, 20)"
spread="$spread for _ in range(math.prod(eval(shape)))]"
special="[float(x) for x in '0 -0 inf -inf nan 1e-40 -1e-40 3.4e38'.split()] * 375"
npy a.npy f4 "(40, 50)" "$spread"
npy b.npy f4 "(2, 3, 33, 17)" "$spread"
npy c.npy f4 "(70,)" "$spread"
npy d.npy f4 "(3000,)" "$special"
npy e.npy f4 "()" "[1.5]"
npy f.npy f4 "(33, 2100)" "$spread"
declare -A shapes=([a]="40,50" [b]="2,3,33,17" [c]="70," [d]="3000," [e]="1," [f]="33,2100")
for format in float32 float16_b bfp8_b bfp4_b bfp2_b; do
    for array in a b c d e f; do
        for tile in 32x32 16x16 4x32 1x32; do
            [ "$array" = a ] || [ $tile = 32x32 ] || continue
            [ "$array" != f ] || [ $format = bfp8_b ] || continue # many tiles: one format
            shape=${shapes[$array]}
            name="$array $format $tile"
            second pack $format $array.npy want.tile $tile
            for arch in bh wh; do
                convert --arch $arch --to $format --tile $tile $array.npy got.tile >out
                check "pack $name $arch" cmp want.tile got.tile
            done
            second unpack $format want.tile want.npy "($shape)" $tile
            convert --arch bh --from $format --tile $tile --shape "${shape%,}" got.tile got.npy >out
            check "unpack $name" cmp want.npy got.npy
        done
    done
done

# numbers FILE COUNT CODE: the last numbers of a file, as struct has them.
numbers() {
    python3 -c "
import struct, sys
code = '<' + sys.argv[2] + sys.argv[3]
print(*struct.unpack(code, open(sys.argv[1], 'rb').read()[-struct.calcsize(code):]))" "$@"
}

# The documents' vectors of BFP assembly (C.8.5) and of the unpacker (C.5).
tile() { # HEX of 16 BF16 patterns -> one 1x16 tile through the packer
    python3 -c "
import struct, sys
w = [int(x, 16) << 16 for x in sys.argv[1].split(',')]
w += [0] * (16 - len(w))
h = b\"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 16), }\"
h = h.ljust(117) + b'\n'
start = b'\x93NUMPY\1\0' + struct.pack('<H', 118)
open('v.npy', 'wb').write(start + h + struct.pack('<16I', *w))" "$1"
    convert --arch "$3" --to "$2" --tile 1x16 v.npy v.tile >out
    python3 -c "
d = open('v.tile', 'rb').read()
print('%02x' % d[0], d[16:].hex())"
}
zeros() { printf '00%.0s' $(seq "$1"); }
for arch in bh wh; do
    same "vector 1 bfp8 $arch" "7f 4041ff$(zeros 13)" "$(tile 3F80,3F81,BFFF bfp8_b $arch)"
    same "vector 1 bfp4 $arch" "7f 440f$(zeros 6)" "$(tile 3F80,3F81,BFFF bfp4_b $arch)"
    same "vector 1 bfp2 $arch" "7f 35000000" "$(tile 3F80,3F81,BFFF bfp2_b $arch)"
    same "vector 2 bfp8 $arch" "7f 40008182$(zeros 12)" \
        "$(tile 3F80,BB80,BC00,BD00 bfp8_b $arch)"
    same "vector 3 bfp8 $arch" "ff 4000c0$(zeros 13)" \
        "$(tile 7F80,3F80,FF80 bfp8_b $arch)"
    same "vector 4 bfp8 $arch" "7f 7f7f7f78$(zeros 12)" \
        "$(tile 3FFE,3FFD,3FFF,3FF0 bfp8_b $arch)"
    same "vector 5 bfp8 $arch" "00 $(zeros 16)" "$(tile 0 bfp8_b $arch)"
done
python3 -c "
open('n.tile', 'wb').write(bytes([127] + [0] * 15 + [0x10, 0x32, 0x54, 0x76, 0x98, 0, 0, 0]))"
convert --arch bh --from bfp4_b --tile 1x16 n.tile n.npy >out
same "unpack bfp4, E = 127" \
    "0 0.25 0.5 0.75 1 1.25 1.5 1.75 -inf -0.25" "$(show n.npy 10 | cut -d' ' -f5-)"

# Host: nearest even, patterns in and out as uint16, V2, ml_dtypes' way.
second bf16 d.npy want.npy
convert --route host d.npy got.npy --to bfloat16 >out
check "host bf16 of special values" cmp want.npy got.npy
second bf16 a.npy want.npy
convert --route host a.npy got.npy:bf16 >out
check "host bf16" cmp want.npy got.npy
sed "s/'<u2'/'<V2'/" got.npy >v2.npy
for file in got.npy v2.npy; do
    convert --route host --from bf16 $file back.npy >out
    check "bf16 patterns of $file are exact" grep -q '^exact  *2000 of 2000' out
    convert --route host back.npy again.npy:bf16 >out
    check "and come back" cmp got.npy again.npy
    convert --arch wh $file:bf16 t1.tile:bfp8_b >out
    convert --arch wh back.npy t2.tile:bfp8_b >out
    check "patterns of $file to tiles" cmp t1.tile t2.tile
done
npy h.npy f2 "(4,)" "[1.5, -2.0, 65504, 0.25]"
convert --route host h.npy h16.npy --to float16 >out
same "float16 numbers" "15872 49152 31743 13312" \
    "$(numbers h16.npy 4 H)"
npy v1.npy u1 "(4,)" "[0x38, 0x08, 0x7e, 0xb8]"
convert --arch bh v1.npy:fp8_e4m3 v1f.npy >out
same "E4M3 of the unpacker: 7E is 448" "1 0.015625 448 -1" "$(show v1f.npy 4 | cut -d' ' -f3-)"
sed "s/'|u1'/'|V1'/" v1.npy >v1v.npy
convert --arch bh v1v.npy:fp8_e4m3 v1g.npy >out
check "V1 the same" cmp v1f.npy v1g.npy

npy d.npy f8 "(8,)" "[0.1, 1.5, 2.0, 1e-300, 1e300, -1e39, float('inf'), 0.0]"
convert --route host d.npy d.tile:bf16 >out
same "float64 rounded, too large, too small" \
    "rounded before 1,overflow before 2,vanished before 1" \
    "$(sed -n 's/ float64 values.*//p' out | tr -s ' ' | paste -sd,)"

npy over.npy f4 "(4,)" "[300, 1000, 240, 448]"
convert --route host over.npy over.tile:fp8_e4m3 >out
check "E4M3 of the host ends at 240" grep -q '^saturated  *3 of 4' out
convert --arch bh over.npy over.tile:fp8_e4m3 >out
check "E4M3 of the packer goes on" grep -q '^rounded  *1 of 4' out
check "to 480" grep -q '^saturated  *1 of 4' out

# Integers: sign and magnitude in L1, two's complement where asked.
npy i.npy i4 "(6,)" "[0, 1, -1, 200, -200, -2**31]"
convert --arch bh --tile 1x16 i.npy i.tile:int8 >out
same "int32 to int8 saturates" "00 01 81 7f ff ff" \
    "$(python3 -c "print(*('%02x' % b for b in open('i.tile','rb').read()[:6]))")"
check "and says so" grep -q '^saturated  *3 of 6' out
convert --route host --twos-complement --tile 1x16 i.npy i.tile:int32 >out
same "two's complement" "0 1 -1 200 -200 -2147483648" \
    "$(python3 -c "import struct; print(*struct.unpack('<6i', open('i.tile','rb').read()[:24]))")"
convert --route host i.npy i.tile:int32 >out
convert --arch bh --shape 6 i.tile:int32 half.tile:int16 >out
check "the packer's high half is no clamping" grep -q '^flushed  *4 of 6' out
npy u.npy u4 "(3,)" "[1, 2**31, 2**32 - 1]"
convert --route host u.npy u2.npy --to uint16 >out
same "uint32 to uint16" "1 65535 65535" \
    "$(numbers u2.npy 3 H)"
convert --route host i.npy u4.npy --to uint32 >out
same "negative to uint32" "0 1 0 200 0 0" \
    "$(numbers u4.npy 6 I)"
npy u8.npy u8 "(2,)" "[2**32 - 1, 7]"
check "uint64 that fits" convert --route host u8.npy u32.npy --to uint32

# A single conversion by its name: vectors of C.5 and C.8.
npy s.npy u4 "(5,)" "[0x007FFFFF, 0x807FFFFF, 0x7F800001, 0x3F818000, 0x3F800000]"
convert s.npy s16.npy --route unpack.fp32_bf16 >out
same "unpack.fp32_bf16" "0 32768 32640 16257 16256" "$(numbers s16.npy 5 H)"
same "without a format: words" "s16.npy: uint16 (5,)" "$(sed -n 's/^to  *//p' out)"
convert s.npy s16.npy --route unpack.fp32_bf16 --to bf16 >out
same "with one: of which format" "s16.npy: float16_b as uint16 (5,)" "$(sed -n 's/^to  *//p' out)"
convert --routes >routes
check "routes are listed" grep -q '^unpack.fp32_bf16 .*WH BH' routes

# .npz, of which Python knows what is in it.
if convert --route host a.npy probe.npz >out 2>err; then
    second npz one.npz first=a.npy
    second npz two.npz first=a.npy second=c.npy --deflate
    convert --route host one.npz z.npy >out
    check "npz in" cmp a.npy z.npy
    convert --route host one.npz own.npy >out <&-
    check "npz in, where no file is open before" cmp a.npy own.npy
    printf '.arch bh\n.tile\nsfpload L0,0,0,3\n' >load.s
    for command in "run load.s --in one.npz" "run load.s --in a.npy --out t.npz:a" \
        "trace load.s --in one.npz" "run load.s --l1 0x20000=one.npz" \
        "trace load.s --l1 0x20000=one.npz" \
        "eval sfpnop --arch bh --l1 0x20000=one.npz" "diff one.npz a.npy" \
        "convert --route host one.npz w.npy"; do
        # shellcheck disable=SC2086
        check "TMPDIR: $command" env TMPDIR="$work" "$TENSIX" $command
        # shellcheck disable=SC2086
        refuses "no TMPDIR: $command" 2 'No such file' env TMPDIR="$work/none" "$TENSIX" $command
    done
    convert --route host two.npz:second z.npy >out
    check "npz in, deflated, by name" cmp c.npy z.npy
    convert --route host a.npy out.npz:third >out
    check "npz out" python3 -c "
import zipfile
z = zipfile.ZipFile('out.npz')
assert z.testzip() is None and z.namelist() == ['third.npy'], z.namelist()
assert z.read('third.npy') == open('a.npy', 'rb').read()"
    convert --route host a.npy out2.npz:third >out
    check "npz out, the same bytes again" cmp out.npz out2.npz
    refuses "npz, which array" 2 'two\.npz: holds 2 arrays.*first, second' \
        convert --route host two.npz y.npy
    refuses "npz, no such array" 2 "holds no array 'none'" convert --route host two.npz:none y.npy
    head -c 500 one.npz >cut.npz
    refuses "npz, cut" 2 'cut\.npz: not an \.npz' convert --route host cut.npz y.npy
    python3 -c "
d = bytearray(open('one.npz','rb').read()); d[2000] ^= 1; open('crc.npz','wb').write(d)"
    refuses "npz, damaged" 2 'crc\.npz: the archive cannot be read: .*CRC' \
        convert --route host crc.npz y.npy
else
    check "a build without libzip says so" grep -q 'without libzip' err
fi

# A forced shared exponent: the tiles have none, and read as if each group had that one.
python3 - <<'PY'
import random
random.seed(8)
for name, exponents, size in (("bfp8_b", 64, 1024), ("bfp4_b", 64, 512), ("bfp2_b", 64, 256)):
    data = bytes(random.randrange(256) for _ in range(size))
    open(f"{name}.with", "wb").write(bytes([131]) * exponents + data)
    open(f"{name}.bare", "wb").write(data)
PY
for format in bfp8_b bfp4_b bfp2_b; do
    second unpack $format $format.with want.npy "(32, 32)" 32x32
    for arch in bh wh; do
        convert --arch $arch --shared-exp 131 --shape 32,32 $format.bare:$format got.npy >out
        check "forced exponent, $format $arch" cmp want.npy got.npy
        convert --arch $arch --shared-exp 131 --dst float32 $format.bare:$format got.tile:bf16 >out
        convert --arch $arch --dst float32 $format.with:$format want.tile:bf16 >out
        check "forced exponent to tiles, $format $arch" cmp want.tile got.tile
    done
done
convert --arch bh --shared-exp 0x83 bfp4_b.bare:bfp4_b got.npy >out
check "the report says so" grep -q 'in 1 tiles 32x32, 512 bytes' out
check "and where" grep -q 'unpacker (shared exponent 131) -> Dst' out
convert --arch bh --shared-exp 255 bfp4_b.bare:bfp4_b got.npy >out
check "255 is odd" grep -q '^odd exponents   64 of IN: 255' out
refuses "a forced exponent of an array" 2 'forced on tiles, not on an array' \
    convert --arch bh --shared-exp 1 a.npy y:bfp8_b
refuses "a forced exponent of floats" 2 'float16_b has no shared exponents' \
    convert --arch bh --shared-exp 1 got.tile:bf16 y.npy
refuses "a forced exponent by host code" 2 'no host code has it' \
    convert --route host --shared-exp 1 bfp4_b.bare:bfp4_b y.npy
refuses "an exponent too large" 2 '256' \
    convert --arch bh --shared-exp 256 bfp4_b.bare:bfp4_b y.npy
refuses "exponents where there are none" 2 '576 bytes are no whole number' \
    convert --arch bh --shared-exp 1 bfp4_b.with:bfp4_b y.npy

# What is refused, each in one line and without an output.
convert --arch bh a.npy t.tile:bfp8_b >out
head -c 1087 t.tile >short.tile
y=y.npy
refuses "short file" 2 '1087 bytes are no whole number of bfp8_b tiles 32x32 \(1088 each\)' \
    convert --arch bh short.tile:bfp8_b $y
refuses "wrong size for the shape" 2 'the shape takes 16 tiles, 17408 bytes of bfp8_b; there are' \
    convert --arch bh t.tile:bfp8_b $y --shape 128,128
refuses "shape that overflows" 2 'larger than any file' \
    convert --arch bh t.tile:bfp8_b $y --shape 4294967296,4294967296,4294967296
refuses "no format" 2 'state it as FILE:FORMAT, such as t.tile:bfp8_b$' convert --arch bh t.tile $y
refuses "no output format" 2 '--to: no format for y' convert --arch bh a.npy y
refuses "ambiguous" 2 "'bfp8' is ambiguous" convert --arch bh a.npy y:bfp8
refuses "unknown format" 2 "did you mean 'float16_b'" convert --arch bh --to flot16_b a.npy $y
refuses "no chip" 2 'no chip is given' convert a.npy $y:bf16
refuses "block format in an array" 2 'only tiles have its exponents' \
    convert --arch bh a.npy $y:bfp8_b
refuses "V2 without a format" 2 'no meaning of its own' convert --arch bh v2.npy $y
refuses "numbers taken for patterns" 2 'dtype float32 holds numbers' \
    convert --arch bh a.npy:bf16 $y
refuses "integers to floats" 2 'only the SFPU converts' convert --arch bh i.npy $y:bf16
refuses "E4M3 on Wormhole" 2 'FP8 E4M3 exists on Blackhole only' \
    convert --arch wh a.npy $y:fp8_e4m3
refuses "Dst format that cannot be" 2 'no route bfp8_b -> Dst int32' \
    convert --arch bh --dst int32 t.tile:bfp8_b $y
refuses "pack from tiles" 2 'pack starts from numbers' \
    convert --arch bh --route pack t.tile:bfp8_b y:bfp4_b
refuses "unknown route" 2 "did you mean 'pack'" convert --arch bh --route pak a.npy $y
refuses "single conversion of another width" 2 'takes elements of 16 bits, not float32' \
    convert --arch bh --route host.bf16_fp32 a.npy $y
refuses "tile that is none" 2 '7x32: a tile has' convert --arch bh --tile 7x32 a.npy y:bf16
for text in ' 2x32' 32x-2 +1x16 32x32x 0x10 x32 ''; do
    refuses "tile '$text'" 2 'is not ROWSxCOLUMNS|a tile has' \
        convert --arch bh --tile "$text" a.npy y:bf16
done
refuses "npz, array without a name" 2 'the array has no name' \
    convert --route host a.npy out.npz:
refuses "npz, a long name" 2 'name of the array is too long' \
    convert --route host a.npy "out.npz:$(printf 'n%.0s' {1..201})"
# The lines of the campaign take all conversions of 32-bit words between them.
convert --routes --json >routes.json
same "conversions that no line of the campaign takes" "" "$(python3 -c "
import json, re, sys
text = open(sys.argv[1]).read()
lines = re.findall(r'^fmt-.*campaign_convert (.*)$', text, re.M)
starts = tuple(' '.join(lines).split())
assert len(lines) == 3 and all(starts)
wide = [r['name'] for r in json.load(open('routes.json'))['routes'] if r['in_bits'] > 19]
assert len(wide) >= 50
print(*(n for n in wide if not n.startswith(starts)))" "$TX_SOURCE/scripts/campaign.sh")"
refuses "missing file" 2 'none\.npy: No such file' convert --arch bh none.npy $y
refuses "directory that is not there" 2 'No such file' convert --arch bh a.npy none/y.tile:bf16
check "no half file" bash -c "! ls $work/y $work/y.npy* 2>/dev/null"

# Large: a few pieces in memory, whatever the size.
python3 - <<'PY'
import struct
h = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }".ljust(117) + b"\n"
row = struct.pack("<4096f", *(i / 7 - 300 for i in range(4096)))
with open("large.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + h)
    for _ in range(4096):
        f.write(row)
PY
if [ "${TX_SANITIZE:-off}" = off ]; then
    check "4096x4096 in 64 MiB of address space" bash -c \
        "ulimit -v 65536; '$TENSIX' convert --arch bh large.npy large.tile:bfp8_b >out"
    same "its size" 17825792 "$(stat -c %s large.tile)"
fi
finish
