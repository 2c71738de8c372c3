#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The report of tensix sweep against mpmath: inputs of three kernels, $REPORT_COUNT of each.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -uo pipefail
. "$(dirname "$0")/lib.bash"
here=$TX_SOURCE/tests/cli
if ! python3 -c 'import mpmath' 2>/dev/null; then
    echo "skipped: python3-mpmath is missing (make deps)"
    exit 77
fi

# The campaign takes more.
count=${REPORT_COUNT:-20000}
# report FUNCTION KERNEL CHIP EXPRESSION: of an element i
report() {
    npy "$work/x.npy" f4 "($count,)" "[$4 for i in range($count)]"
    "$TENSIX" run "$2" --arch "$3" --in "$work/x.npy" --out "$work/y.npy" >/dev/null
    "$TENSIX" sweep "$2" --arch "$3" --domain "$work/x.npy" --reference "$1" --worst 100 \
        --traces 0 --json >"$work/r.json"
    check "$1 on $3" python3 "$here/report_check.py" "$1" "$work/x.npy" "$work/y.npy" \
        "$work/r.json"
    rm -f "$work/y.npy"
}

kernels=$TX_SOURCE/examples/kernels
bits='struct.unpack("f", struct.pack("I", random.getrandbits(32)))[0]'
report exp "$kernels/exp.s" bh "random.uniform(-90, 90) if i % 2 else $bits"
report gelu "$kernels/gelu.s" wh "random.uniform(-15, 15) if i % 4 else $bits"
report recip "$TX_SOURCE/examples/blame/recip_additive.s" bh "$bits"
finish
