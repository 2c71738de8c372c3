#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix expand: straight-line forms that agree, refusals that say why.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels/macro

for k in exp_clamped fp32_to_u16 i32_to_fp32 max_fp32 max_scalar signbit_fp32 u16_to_fp32 where; do
    for arch in bh wh; do
        check "$k on $arch" "$TENSIX" expand "$kernels/$k.s" --arch $arch -o "$work/$k.s"
        check "$k on $arch: no SFPLOADMACRO is left" bash -c "! grep -q sfploadmacro '$work/$k.s'"
        check "$k on $arch: no hazard" bash -c \
            "'$TENSIX' lint '$work/$k.s' | grep -q ': 0 hazards'"
    done
done
check "recip_fp32" "$TENSIX" expand "$kernels/recip_fp32.s" --arch bh -o "$work/r.s"
special="[0.0, -0.0, 1e-40, 3e38, float('inf'), float('-inf'), float('nan'), 1.0, -1.0, 1e-38]"
npy "$work/x.npy" f4 "(5000,)" "[random.uniform(-9, 9) for _ in range(4990)] + $special"
"$TENSIX" run "$kernels/recip_fp32.s" --arch bh --in "$work/x.npy" --out "$work/a.npy" >/dev/null
"$TENSIX" run "$work/r.s" --arch bh --in "$work/x.npy" --out "$work/b.npy" >/dev/null
check "recip_fp32: the same array" cmp "$work/a.npy" "$work/b.npy"
check "json" bash -c "'$TENSIX' expand '$kernels/where.s' --arch bh --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin); assert r[\"equal\"] and r[\"text\"]'"
refuses "nothing to expand" 1 'no SFPLOADMACRO' "$TENSIX" expand "$work/square.s" --arch bh
refuses "no kernel" 2 'no kernel given' "$TENSIX" expand
refuses "a schedule that cannot be serialised" 1 'no straight-line form: cycle [0-9]+: ' \
    "$TENSIX" expand "$kernels/recip_bf16.s" --arch bh -o "$work/y.npy"
finish
