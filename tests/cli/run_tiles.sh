#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix run on tiles, patterns and .npz: through unpacker, Dst and packer.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
second="python3 $TX_SOURCE/tests/cli/formats.py"
cd "$work"
run() { "$TENSIX" run "$@"; }
convert() { "$TENSIX" convert "$@" >convert.out; }

# A kernel of which each step is known: unpack, x * x in BF16, pack, against the second statement.
npy x.npy f4 "(2, 70, 40)" "[random.uniform(0.25, 8) * random.choice((1, -1)) for _ in range(5600)]"
for format in bfp8_b bfp4_b float16_b; do
    $second pack $format x.npy x.tile
    for to in bfp8_b bfp4_b bfp2_b float16_b; do
        $second square x.tile $format want.tile $to
        for arch in bh wh; do
            run square-bf16.s --arch $arch --in x.tile:$format --out got.tile:$to >out
            check "$format, x * x, $to on $arch" cmp want.tile got.tile
        done
    done
done
check "the report names the way" grep -q \
    '^output .*got.tile:float16_b: float16_b, packed from Dst bf16 with intermediate float16_b' out
run square-bf16.s --arch bh --in x.tile:float16_b --out t1.tile:bfp8_b --threads 1 >out
run square-bf16.s --arch bh --in x.tile:float16_b --out t5.tile:bfp8_b --threads 5 >out
check "any number of threads" cmp t1.tile t5.tile

# Tiles, patterns and numbers of the same array give the same.
convert --route host x.npy p.npy:bf16
convert --route host p.npy:bf16 x.tile:bf16
convert --route host p.npy:bf16 n.npy
for in in x.tile:bf16 p.npy:bf16 n.npy; do
    run square-bf16.s --arch wh --in $in --shape 2,70,40 --layout tiles \
        --out "y-${in%%.*}.npy" --reference square >out
    check "$in: reference" grep -q '^exact' out
    run square-bf16.s --arch wh --in $in --shape 2,70,40 --layout tiles \
        --out "q-${in%%.*}.npy:bf16" >out
    run square-bf16.s --arch wh --in $in --shape 2,70,40 --layout tiles \
        --out "t-${in%%.*}.tile:bfp8_b" --compare y-x.npy >out
    check "$in: compares" grep -q 'max error       0 ULP' out
done
check "patterns as tiles" cmp y-x.npy y-p.npy
check "numbers as tiles" cmp y-x.npy y-n.npy
check "packed, patterns" cmp q-x.npy q-p.npy
check "packed, numbers" cmp q-x.npy q-n.npy
check "packed tiles" cmp t-x.tile t-p.tile
check "packed tiles of numbers" cmp t-x.tile t-n.tile
convert --arch wh q-x.npy:bf16 t.tile:bfp8_b
check "packed twice" cmp t.tile t-x.tile

# Two inputs, tiles that take their shape from the array.
printf '.inputs 2\n.output 0\n.dst bf16\n.tile\nsfpnop\n' >first.s
run first.s --arch bh --in n.npy --in x.tile:bf16 --out f.npy >out
check "shape of the array" grep -q '(2, 70, 40)' out
check "input 0 comes out" "$TENSIX" diff f.npy n.npy
printf '.inputs 2\n.output 1\n.dst bf16\n.tile\nsfpnop\n' >second.s
run second.s --arch bh --in n.npy --in x.tile:bf16 --out s.tile:bf16 >out
check "input 1 comes out" cmp s.tile x.tile

# Denormals, NaN payloads and -0 pass through Dst bit for bit.
printf '.dst fp32\n.tile\nsfpnop\n' >nop.s
printf '.dst int32\n.tile\nsfpnop\n' >nop-int.s
npy w.npy u4 "(4,)" "[0x00000001, 0x7f800001, 0x80000000, 0xffffffff]"
run nop.s --arch bh --in w.npy:float32 --out w2.npy:float32 >out
check "FP32 patterns" "$TENSIX" diff w.npy w2.npy
$second pack bfp8_b x.npy b.tile

# Through SrcA where the unpacker does not widen into Dst.
run square.s --arch bh --in x.tile:bf16 --out wide.npy --shape 2,70,40 >out
check "through SrcA" grep -q 'unpacked through SrcA' out
check "the same numbers" "$TENSIX" run square.s --arch bh --in n.npy --layout tiles \
    --compare wide.npy
check "exactly" grep -q 'max error       0 ULP' "$work/last.out"

if convert --route host n.npy n.npz:v 2>/dev/null; then
    run square-bf16.s --arch bh --in n.npz:v --out z.npz:r >out
    run square-bf16.s --arch bh --in n.npy --out z.npy >out
    check "npz in and out" "$TENSIX" diff z.npz:r z.npy
fi

# Triples that do not exist, and files that do not fit.
y=y.npy
refuses "bfp8_b into Dst int32" 2 'no route bfp8_b -> Dst int32 on blackhole: between integers' \
    run nop-int.s --arch bh --in b.tile:bfp8_b --out $y
refuses "bf16 Dst to int8" 2 'no route Dst bf16 -> int8 on wormhole_b0: between integers' \
    run square-bf16.s --arch wh --in n.npy --out y.tile:int8
refuses "E4M3 on Wormhole" 2 'no route Dst bf16 -> fp8_e4m3 .*Blackhole only' \
    run square-bf16.s --arch wh --in n.npy --out $y:fp8_e4m3
refuses "block format in an array" 2 'only tiles have its exponents' \
    run square-bf16.s --arch bh --in n.npy --out $y:bfp8_b
head -c 1000 x.tile >short.tile
refuses "short file" 2 'short.tile:bfp8_b: 1000 bytes are no whole number' \
    run square-bf16.s --arch bh --in short.tile:bfp8_b --out $y
refuses "no format" 2 'does not name its format' \
    run square-bf16.s --arch bh --in x.tile --out $y
refuses "no output format" 2 'a file of tiles needs its format' \
    run square-bf16.s --arch bh --in n.npy --out y.tile
npy w4.npy f4 "(4,)" "range(4)"
refuses "wrong shape" 2 'the shape takes' \
    run first.s --arch bh --in w4.npy --in x.tile:bf16 --out $y
refuses "flat layout of tiles" 2 'hold blocks of 32x32' \
    run square-bf16.s --arch bh --in x.tile:bf16 --layout flat --out $y
check "no half file" bash -c "! ls $work/y.* 2>/dev/null"
finish
