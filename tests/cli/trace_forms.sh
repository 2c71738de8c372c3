#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix trace --chrome and --konata: every line against the formats' descriptions, and all forms
# tell the same (trace_forms.py).
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

# forms NAME KERNEL OPTION...: writes the three forms and compares them.
forms() {
    local name=$1
    shift
    if ! "$TENSIX" trace "$@" --json --chrome "$work/c.json" --konata "$work/k.log" \
        >"$work/lines" 2>"$work/err"; then
        not_ok "$name" "$(cat "$work/err")"
        return
    fi
    check "$name" python3 "$TX_SOURCE/tests/cli/trace_forms.py" \
        "$work/lines" "$work/c.json" "$work/k.log" ${part:+"$part"}
    cat "$work/check.out"
}

for kernel in "$TX_SOURCE"/examples/kernels/*.s "$TX_SOURCE"/examples/kernels/macro/*.s; do
    arch=$(sed -n 's/^\.arch *//p' "$kernel")
    forms "${kernel##*/}" "$kernel" --arch "${arch:-bh}"
done

# Each cause of a stall, a false dependency, and other units between.
cat >"$work/stall.s" <<'EOS'
sfpload L0,0,3,3
sfpmad L1,L0,L0,L9,0
sfpadd L2,L1,L10,0
sfpmul L0,L1,L1,0
sfpstochrnd L3,L0,L2,0,1,0
sfpswap L0,L1,1
sfpmov L4,L3,0
ttincrwc 0,0,0,0
sfpshft2 L2,L1,0,3
sfpstore L2,0,3,3
sfpmul L0,L1,L1,0
EOS
forms "stalls" "$work/stall.s" --arch bh
same "four are held" "4 held," "$(grep -o '4 held,' "$work/check.out")"
forms "stalls on Wormhole" "$work/stall.s" --arch wh
part=part forms "a part" "$work/stall.s" --arch bh --cycles 4:9
forms "several tiles" "$work/stall.s" --arch bh --tiles 3

# A regular cast in the cycle of a scheduled one is dropped.
cat >"$work/drop.s" <<'EOS'
.arch blackhole
.init
    sfpcast L12,L0,0
.loadi L0, 0x00000044
    sfpconfig 4,0,0
    sfpconfig 8,0x100,1
    sfpnop
.tile
    sfploadmacro 0,L0,0,6,3
    sfpabs L1,L2,1
    sfpnop
EOS
forms "dropped" "$work/drop.s"
same "one is" 1 "$(grep -c '"dropped": true' "$work/lines")"
forms "with .init" "$work/drop.s" --init
finish
