#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of examples/kernels/fit: errors and cycles as their heads and docs/find.md have them.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
folder=$TX_SOURCE/examples/kernels/fit

# FILE CYCLES ULP EXACT: of all inputs of BF16.
while read -r file cycles most exact; do
    check "$file: at most $most ULP" "$TENSIX" sweep "$folder/$file" --domain bf16 --max-ulp "$most"
    cp "$work/check.out" "$work/out"
    same "$file: cycles of a tile" "$cycles" \
        "$(sed -n 's/^cycles *a tile \([0-9]*\),.*/\1/p' "$work/out")"
    same "$file: exact results" "$exact" \
        "$(sed -n 's/^exact *\([0-9]*\) of 65536.*/\1/p' "$work/out")"
    check "$file: no findings" grep -q '^findings *none' "$work/out"
    check "$file: constants can be fitted again" grep -q '^\.free ' "$folder/$file"
done <<'END'
cosh_fp32.s 1344 3 63466
exp2_bf16.s 448 1 64363
exp2_fp32.s 608 2 62867
log_bf16.s 864 1 65423
sinh_bf16.s 928 1 65118
softplus_bf16.s 1024 1 65133
tanh_bf16.s 480 1 65038
END
ls "$folder"/*.s | wc -l >"$work/count"
same "each kernel has its line" "7" "$(tr -d ' ' <"$work/count")"
finish
