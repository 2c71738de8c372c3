#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs of examples/tiles on both chips, against numbers that Python computes.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
tiles=$TX_SOURCE/examples/tiles
second="python3 $TX_SOURCE/tests/cli/formats.py"
cd "$work"

# BF16 numbers come out as they go in; what the packer makes of NaN and -0 is not among them.
npy x.npy f4 "(32, 32)" "[random.choice((1, -1)) * random.randint(128, 255) *
    2.0 ** random.randint(-60, 60) for _ in range(1024)]"
$second pack float16_b x.npy x.tile
for arch in bh wh; do
    "$TENSIX" run "$tiles/datacopy_$arch.s" --l1 0x10000=x.tile:bf16 \
        --l1-out 0x20000:bf16:32x32=y.tile >out
    check "datacopy on $arch" cmp x.tile y.tile
    check "datacopy on $arch: no finding" grep -q '^findings *none$' out
    "$TENSIX" run "$tiles/datacopy_$arch.s" --strict --l1 0x10000=x.tile:bf16 >out
    check "datacopy on $arch: strict" grep -q '^findings *none$' out
done

# Whole numbers: every sum is exact in BF16, at every fidelity.
npy a.npy f4 "(32, 32)" "[float(random.randint(-2, 2)) for _ in range(1024)]"
npy b.npy f4 "(32, 32)" "[float((i * 7 + i // 32) % 5 - 2) for i in range(1024)]"
$second pack bfp8_b x.npy x8.tile
for arch in bh wh; do
    "$TENSIX" run "$tiles/bfp8_$arch.s" --l1 0x10000=x8.tile:bfp8_b \
        --l1-out 0x20000:bfp8_b:32x32=y8.tile >out
    check "BFP8 on $arch" cmp x8.tile y8.tile
    check "BFP8 on $arch: no finding" grep -q '^findings *none$' out
done

cat >transposed.py <<'PY'
import struct
def load(path):
    return struct.unpack("<1024f", open(path, "rb").read()[-4096:])
x, y = load("x.npy"), load("y.npy")
assert all(y[32 * i + k] == x[32 * k + i] for i in range(32) for k in range(32))
PY
for arch in bh wh; do
    "$TENSIX" run "$tiles/transpose_$arch.s" --l1 0x10000=x.npy:bf16 \
        --l1-out 0x20000:bf16:32x32=y.npy >out
    check "transpose on $arch" python3 transposed.py
    check "transpose on $arch: no finding" grep -q '^findings *none$' out
done
cat >sum.py <<'PY'
import struct
def load(path):
    return struct.unpack("<1024f", open(path, "rb").read()[-4096:])
a, b, c = load("a.npy"), load("b.npy"), load("c.npy")
assert all(z == x + y for x, y, z in zip(a, b, c))
PY
for arch in bh wh; do
    "$TENSIX" run "$tiles/add_$arch.s" --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
        --l1-out 0x20000:bf16:32x32=c.npy >out
    check "add on $arch" python3 sum.py
    check "add on $arch: no finding" grep -q '^findings *none$' out
    "$TENSIX" run "$tiles/accumulate_$arch.s" --l1 0x10000=a.npy:bf16 --l1 0x20000=b.npy:bf16 \
        --l1-out 0x20000:bf16:32x32=c.npy >out
    check "accumulate on $arch" python3 sum.py
    check "accumulate on $arch: no finding" grep -q '^findings *none$' out
done
cat >product.py <<'PY'
import struct, sys
def load(path):
    data = open(path, "rb").read()
    return struct.unpack("<1024f", data[-4096:])
a, b, c = load("a.npy"), load("b.npy"), load("c.npy")
relu = len(sys.argv) > 1
for i in range(32):
    for j in range(32):
        want = sum(a[32 * i + k] * b[32 * k + j] for k in range(32))
        want = max(want, 0) if relu else want
        assert c[32 * i + j] == want, (i, j, want, c[32 * i + j])
PY
for arch in bh wh; do
    "$TENSIX" run "$tiles/matmul_relu_$arch.s" --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
        --l1-out 0x20000:bf16:32x32=c.npy >out
    check "matmul and ReLU on $arch" python3 product.py relu
    check "matmul and ReLU on $arch: no finding" grep -q '^findings *none$' out
    for fidelity in 1 2 3 4; do
        sed "s/^.equ FIDELITY, 4/.equ FIDELITY, $fidelity/" "$tiles/matmul_$arch.s" >matmul.s
        "$TENSIX" run matmul.s --l1 0x10000=a.npy:bf16 --l1 0x18000=b.npy:bf16 \
            --l1-out 0x20000:bf16:32x32=c.npy >out
        check "matmul on $arch, $fidelity phases" python3 product.py
        check "matmul on $arch, $fidelity phases: no finding" grep -q '^findings *none$' out
    done
done
finish
