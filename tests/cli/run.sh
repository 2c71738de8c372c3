#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix run: shapes, layouts, formats, threads, accuracy, no progress in a pipe.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
s=$work/square.s

npy "$work/x.npy" f4 "(1000, 1000)" "[random.uniform(-10, 10) for _ in range(1000000)]"
for arch in bh wh; do
    check "1000x1000 on $arch" "$TENSIX" run "$s" --arch $arch --in "$work/x.npy" \
        --out "$work/y-$arch.npy" --reference kernel
    check "all exact on $arch" grep -q '1000000 of 1000000 (100.000%)' "$work/last.out"
done
check "stderr is empty in a pipe" bash -c \
    "'$TENSIX' run '$s' --arch bh --in '$work/x.npy' --out '$work/z.npy' 2>&1 >/dev/null |
     (! grep -q .)"
check "same result as before" cmp "$work/y-bh.npy" "$work/z.npy"
"$TENSIX" run "$s" --arch bh --in "$work/x.npy" --out "$work/t1.npy" --threads 1 \
    --reference exp | grep -v output >"$work/t1.txt"
"$TENSIX" run "$s" --arch bh --in "$work/x.npy" --out "$work/t7.npy" --threads 7 \
    --reference exp | grep -v output >"$work/t7.txt"
check "any number of threads: the file" cmp "$work/t1.npy" "$work/t7.npy"
check "any number of threads: the report" cmp "$work/t1.txt" "$work/t7.txt"
check "layout tiles, same elementwise result" "$TENSIX" run "$s" --arch bh --in "$work/x.npy" \
    --out "$work/t.npy" --layout tiles
check "layout tiles, same file" cmp "$work/y-bh.npy" "$work/t.npy"
check "carry" "$TENSIX" run "$s" --arch bh --in "$work/x.npy" --out "$work/c.npy" --carry
check "carry, same file" cmp "$work/y-bh.npy" "$work/c.npy"
check "compare" "$TENSIX" run "$s" --arch bh --in "$work/x.npy" --compare "$work/y-bh.npy"
check "compare is exact" grep -q 'max error       0 ULP' "$work/last.out"

for shape in "()" "(1,)" "(1023,)" "(1025,)" "(0, 7)" "(3, 5, 33)" "(2, 33, 31)"; do
    count=$(python3 -c "import math; print(math.prod($shape))")
    npy "$work/s.npy" f4 "$shape" "[float(i) for i in range($count)]"
    for layout in flat tiles; do
        check "shape $shape $layout" "$TENSIX" run "$s" --arch bh --in "$work/s.npy" \
            --out "$work/sy.npy" --layout $layout --reference square
        same "shape $shape $layout, result" "<f4 $shape" \
            "$(show "$work/sy.npy" 0 | sed 's/ *$//')"
        check "shape $shape $layout, exact" "$TENSIX" run "$s" --arch bh --in "$work/sy.npy" \
            --layout $layout
    done
done
npy "$work/m.npy" f4 "(3, 40)" "[float(i) for i in range(120)]"
"$TENSIX" run "$s" --arch bh --in "$work/m.npy" --out "$work/my.npy" --layout tiles >/dev/null
same "values in place" "<f4 (3, 40) 0 1 4 9 16" "$(show "$work/my.npy" 5)"

npy "$work/d.npy" f8 "(8,)" "[0.1, 1.5, 2.0, 1e-300, 1e300, -1e39, float('inf'), 0.0]"
"$TENSIX" run "$s" --arch bh --in "$work/d.npy" --out "$work/dy.npy" >"$work/out"
check "float64 is rounded and reported" grep -q '^rounded  *1 float64 values' "$work/out"
check "float64 beyond FP32 is not rounded" grep -q '^overflowed  *2 float64 values' "$work/out"
check "float64 too small for FP32 is not rounded" grep -q '^vanished  *1 float64 values' "$work/out"
same "float64 in JSON" "1 2 1" "$("$TENSIX" run "$s" --arch bh --in "$work/d.npy" --json |
    python3 -c 'import json, sys
r = json.load(sys.stdin)
print(*(r[k + "_float64"] for k in ("rounded", "overflowed", "vanished")))')"
npy "$work/h.npy" f2 "(3,)" "[1.5, -2.0, 0.25]"
"$TENSIX" run "$work/square-fp16.s" --arch bh --in "$work/h.npy" --out "$work/hy.npy" >/dev/null
same "float16" "<f4 (3,) 2.25 4 0.0625" "$(show "$work/hy.npy" 3)"
npy "$work/b.npy" u2 "(2,)" "[0x3fc0, 0xc000]"
"$TENSIX" run "$work/square-bf16.s" --arch wh --raw bf16 --in "$work/b.npy" \
    --out "$work/by.npy" >/dev/null
same "raw bf16, uint16" "<f4 (2,) 2.25 4" "$(show "$work/by.npy" 2)"
npy "$work/v.npy" V2 "(2,)" "[0x3fc0, 0xc000]"
"$TENSIX" run "$work/square-bf16.s" --arch wh --raw bf16 --in "$work/v.npy" \
    --out "$work/by.npy" >/dev/null
same "raw bf16, V2" "<f4 (2,) 2.25 4" "$(show "$work/by.npy" 2)"

printf '.dst int32\nsfpload L0,0,4,3\nsfpiadd L0,L0,1,5\nsfpstore L0,0,4,3\n' >"$work/inc.s"
for type in i4 i1 u1 i8 u4; do
    npy "$work/i.npy" $type "(3,)" "[1, 2, 3]"
    "$TENSIX" run "$work/inc.s" --arch bh --in "$work/i.npy" --out "$work/iy.npy" >"$work/out" ||
        true
    same "integers from $type" "<i4 (3,)" "$(show "$work/iy.npy" 3 | cut -d' ' -f1-2)"
done
npy "$work/i.npy" i8 "(3,)" "[1, 2, 2**40]"
refuses "integers beyond 32 bits" 2 'element 2 does not fit' \
    "$TENSIX" run "$work/inc.s" --arch bh --in "$work/i.npy" --out "$work/y.npy"

"$TENSIX" asm "$s" --arch bh -o "$work/square.hex"
"$TENSIX" run "$work/square.hex" --arch bh --in "$work/x.npy" --out "$work/hex.npy" >/dev/null
check "a .hex kernel gives the same" cmp "$work/y-bh.npy" "$work/hex.npy"
cp "$work/x.npy" "$work/place.npy"
"$TENSIX" run "$s" --arch bh --in "$work/place.npy" --out "$work/place.npy" >/dev/null
check "output over input" cmp "$work/y-bh.npy" "$work/place.npy"
same "nothing but whole files" "" "$(find "$work" -name '*.npy.*')"

printf '.inputs 2\n.reference add\nA = 0\n.rept 32\nsfpload L0,A,3,3\nsfpload L1,A+64,3,3\n' \
    >"$work/add.s"
printf 'sfpadd L2,L0,L1,0\nsfpnop\nsfpstore L2,A,3,3\nA = A + 2\n.endr\n' >>"$work/add.s"
check "two inputs" "$TENSIX" run "$work/add.s" --arch bh --in "$work/x.npy" --in "$work/y-bh.npy" \
    --reference kernel --out "$work/sum.npy"
check "two inputs, accuracy is told" grep -q 'mean error' "$work/last.out"

# A condition that is never closed: each tile is right by itself, the next one is not.
printf '.dst fp32\n.init\nsfpencc 3,10\n.tile\nsfpload L0,0,0,3\n' >"$work/open.s"
printf 'sfpsetcc L0,0,0\nsfpmov L0,L0,1\nsfpstore L0,0,0,3\n' >>"$work/open.s"
check "what a tile leaves" "$TENSIX" run "$work/open.s" --arch bh --in "$work/x.npy" \
    --out "$work/o.npy"
check "what a tile leaves is told" grep -q \
    'E-LEFT. x1: the lane flags: what a tile leaves .* sfpload L0,0,0,3 writes L0' "$work/last.out"
refuses "what a tile leaves, strict" 1 'open.s: the lane flags: what a tile leaves there' \
    "$TENSIX" run "$work/open.s" --arch bh --in "$work/x.npy" --out "$work/o.npy" --strict
check "it is carried on purpose" "$TENSIX" run "$work/open.s" --arch bh --in "$work/x.npy" \
    --out "$work/o.npy" --carry
check "no finding then" grep -q '^findings *none' "$work/last.out"
sed -i 's/^.init/.carry\n.init/' "$work/open.s"
check "it says so itself" "$TENSIX" run "$work/open.s" --arch bh --in "$work/x.npy" \
    --out "$work/o.npy"
check "no finding for .carry" grep -q '^findings *none' "$work/last.out"
finish
