#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_kit.sh: the whole kit on the emulated card of both chips, with a report in which nothing
# disagrees; every other value of every rule planted, alone and several at once; faults on both
# chips; changed results. A quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
tensix=$(realpath "${BUILD:-build}/tensix")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TENSIX=$tensix TENSIX_KIT_DATA=$work/data PYTHONPATH=$PWD/kit PYTHONDONTWRITEBYTECODE=1
python3 scripts/kit_data.py "$tensix" "$work/data"
python3 scripts/kit_data.py "$tensix" "$work/data" --check
for chip in bh wh; do
    # Three questions hang on purpose, and their answer is that.
    "$tensix" card --arch "$chip" -- python3 -m tensix_kit run "$work/$chip.json" --seconds 10 \
        --quiet 2>"$work/err"
    [ "$(grep -c 'no answer in 10 s' "$work/err")" = 3 ]
    python3 -m tensix_kit report "$work/$chip.json" --quiet --page "$work/$chip.html"
    "$tensix" card --arch "$chip" -- python3 tests/card/kit_faults.py "$work" 2>"$work/err"
done
python3 -m tensix_kit report "$work/bh.json" "$work/wh.json" --quiet >"$work/both"
python3 tests/card/kit_fuzz.py "$work/bh.json" 5000
python3 tests/card/kit_planted.py "$tensix" bh wh
