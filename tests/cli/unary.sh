#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of examples/kernels/unary: exact for all numbers and infinities of BF16, on both
# chips, and as short behind opt as docs/find.md has it, where that takes no search.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
unary=$TX_SOURCE/examples/kernels/unary
cd "$work"

# Numbers that are not exact, and whether none but the 254 NaN are mismatched.
inexact() {
    "$TENSIX" sweep "$1" --arch "$2" --domain bf16 --no-progress --json |
        python3 -c 'import json, sys
r = json.load(sys.stdin)
a = r["accuracy"]
print(a["compared"] - a["exact"] - a["mismatched"], a["mismatched"] in (0, 254), r["findings"])'
}

for kernel in "$unary"/*.s; do
    name=$(basename "$kernel" .s)
    for chip in bh wh; do
        same "$name on $chip" "0 True []" "$(inexact "$kernel" "$chip")"
    done
done

# NAME CYCLES
for case in 'abs 34' 'round 70'; do
    read -r name cycles <<<"$case"
    for chip in bh wh; do
        "$TENSIX" opt "$unary/$name.s" --arch "$chip" -o fast.s --json >o.json
        same "$name, opt on $chip" "$cycles" "$(sed -n 's/^  "cycles": \(.*\),$/\1/p' o.json)"
        same "which is exact" "0 True []" "$(inexact fast.s "$chip")"
    done
done
finish
