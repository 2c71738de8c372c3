#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of examples/kernels/fit: errors and cycles as their heads and docs/find.md have them,
# over all inputs of BF16; those without an .arch on both chips.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
folder=$TX_SOURCE/examples/kernels/fit

# FILE ULP EXACT CYCLES
cat >"$work/both" <<'END'
cosh_bf16.s 0 65282 1056
cosh_fp32.s 1 64636 1376
exp2_bf16.s 0 65282 528
exp2_fp32.s 1 65184 752
log_bf16.s 1 65522 864
log_fp32.s 1 62978 1152
sinh_bf16.s 0 65282 1216
sinh_fp32.s 1 65216 1568
softplus_bf16.s 1 65270 1120
softplus_fp32.s 2 62434 2048
END
cat >"$work/bh" <<'END'
tanh_bf16.s 1 65280 704
tanh_fp32.s 1 58414 1280
END
cat >"$work/wh" <<'END'
tanh_bf16_wh.s 1 65256 672
tanh_fp32_wh.s 2 62852 1328
END

# CHIP FILES WANTED: what a sweep of the files says on the chip.
figures() {
    local chip=$1 wanted=$2
    mapfile -t files < <(sed 's/ .*//; s|^|'"$folder"'/|' "$wanted")
    "$TENSIX" sweep "${files[@]}" --arch "$chip" --domain bf16 --no-progress \
        --csv "$work/csv" >/dev/null
    # kernel, largest error, exact results, cycles; findings must be none
    awk -F, 'NR > 1 && $17 == 0 { print $1, $10, $9, $18 }' "$work/csv" >"$work/got"
    check "$chip, $(wc -l <"$wanted") kernels: errors and cycles" diff "$wanted" "$work/got"
}
sort "$work/both" "$work/bh" >"$work/all.bh"
sort "$work/both" "$work/wh" >"$work/all.wh"
figures bh "$work/all.bh"
figures wh "$work/all.wh"
check "constants can be fitted again" \
    test "$(grep -l '^\.free ' "$folder"/*.s | wc -l)" -eq "$(ls "$folder"/*.s | wc -l)"
same "each kernel has its line" "$(ls "$folder"/*.s | wc -l)" \
    "$(cat "$work/both" "$work/bh" "$work/wh" | wc -l)"
finish
