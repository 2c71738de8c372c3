#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sequences of tt-llk's kernels from L1 to L1, in every format, on both chips:
# tests/tiles/recipes.py writes them as vectors with the L1 that model.py computes.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
if ! python3 -c 'import numpy' 2>/dev/null; then
    echo "skipped: numpy is missing (make deps)"
    exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
mkdir "$work/kernels"
python3 "$TX_SOURCE/tests/tiles/recipes.py" "$work/recipes.jsonl" "$work/kernels" >"$work/runs"
count=$(wc -l <"$work/recipes.jsonl")
check "recipes of both chips: $count, nine hundred or more" test "$count" -ge 900
check "every byte of L1 is as expected" "$TENSIX" check "$work/recipes.jsonl"
# What shipping kernels do is no finding (but U10: Wormhole's row of zeros between 32-bit data).
while read -r arguments; do
    # shellcheck disable=SC2086 # several words
    "$TENSIX" run $arguments >"$work/out" 2>&1 || echo "$arguments: no success"
    grep -q '^findings *none$' "$work/out" || sed "s|^|$arguments: |" "$work/out"
done <"$work/runs" >"$work/found"
same "no findings in $(wc -l <"$work/runs") kernels" "" "$(cut -c1-300 "$work/found" | head -5)"
# What is compared is seen: a bit of the result is turned round, and each vector fails.
python3 - "$work/recipes.jsonl" >"$work/wrong.jsonl" <<'PY'
import json, sys
for line in list(open(sys.argv[1]))[::10]:
    vector = json.loads(line)
    regions = vector["final"]["l1"]
    at = max(regions, key=lambda address: int(address, 16))
    i = len(regions[at]) // 2
    turned = format(int(regions[at][i], 16) ^ 1, "x")
    regions[at] = regions[at][:i] + turned + regions[at][i + 1:]
    print(json.dumps(vector))
PY
same "a wrong bit is found" "0 passed, $(((count + 9) / 10)) failed" \
    "$("$TENSIX" check -q "$work/wrong.jsonl" || true)"
finish
