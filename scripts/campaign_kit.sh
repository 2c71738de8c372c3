#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_kit.sh: the whole kit on the emulated card of both chips, with a report in which nothing
# disagrees; the same behind the vendor's simulator, where $TTSIM is a folder in which its make.py
# has been run; every other value of every rule planted, alone and several at once; faults on both
# chips; changed results. A quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
tensix=$(realpath "${BUILD:-build}/tensix")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TENSIX=$tensix TENSIX_KIT_DATA=$work/data PYTHONPATH=$PWD/kit PYTHONDONTWRITEBYTECODE=1
kit() {
    python3 -m tensix_kit "$@"
}
python3 scripts/kit_data.py "$tensix" "$work/data"
python3 scripts/kit_data.py "$tensix" "$work/data" --check
for chip in bh wh; do
    # Three questions hang on purpose, and their answer is that.
    "$tensix" card --arch "$chip" -- python3 -m tensix_kit run "$work/$chip.json" --seconds 10 \
        --quiet 2>"$work/err"
    [ "$(grep -c 'no answer in 10 s' "$work/err")" = 3 ]
    kit report "$work/$chip.json" --quiet --page "$work/$chip.html" --patch "$work/$chip.diff"
    grep -qx '# every rule that was decided is the default' "$work/$chip.diff"
    "$tensix" card --arch "$chip" -- python3 tests/card/kit_faults.py "$work" 2>"$work/err"
done
kit report "$work/bh.json" "$work/wh.json" --quiet >"$work/both"
python3 tests/card/kit_fuzz.py "$work/bh.json" 5000
python3 scripts/disagreements.py "$tensix" --check

# Only the process that waits is killed: the one that asks puts the worker back, and ends. Then both
# are: no result, a journal, and the next run says so.
# begun FILE: starts a run that hangs, and waits until it has taken a worker.
begun() {
    setsid "$tensix" card -- python3 -m tensix_kit run "$1" --only ebreak --seconds 60 \
        >/dev/null 2>"$work/err" &
    command=$!
    until [ -s "$1.journal" ]; do sleep 0.1; done
    sleep 1
}
begun "$work/gone.json"
kill -9 "$(pgrep -s "$command" -f '^[^ ]*python3 -m tensix_kit run')"
wait "$command" || true
for _ in $(seq 300); do
    [ -e "$work/gone.json.journal" ] || break
    sleep 0.1
done
[ ! -e "$work/gone.json.journal" ]
begun "$work/killed.json"
pkill -9 -s "$command"
wait "$command" || true
[ ! -e "$work/killed.json" ]
on() {
    "$tensix" card -- python3 -m tensix_kit "$@" 2>"$work/err"
}
on run "$work/killed.json" --only misa --quiet || [ $? = 2 ]
grep -q 'of a run that was killed' "$work/err"
on restore "$work/killed.json.journal"
on run "$work/killed.json" --only misa --quiet

# A library behind --door that ends the process at what it does not have: the next process is
# careful, and the question that ends it alone is lost.
"${CC:-cc}" -shared -fPIC -O1 -std=gnu17 -o "$work/picky.so" tests/card/picky.c
printf '%s\n' cores/ebreak cores/misaligned-sw vector/SFPMAD/0/0 >"$work/names"
PICKY_DOOR=$(realpath "${BUILD:-build}/ttsim/bh/libtensix-ttsim-bh.so") "$tensix" card --arch bh \
    --door "$work/picky.so" -- python3 -m tensix_kit run "$work/picky.json" \
    --names "$work/names" --quiet 2>"$work/err" || [ $? = 1 ]
grep -Fq '"cores/ebreak":{"said":"[1] ERROR: UnsupportedFunctionality: ebreak","state":"lost"}' \
    "$work/picky.json"
grep -q 'only configuration that questions write themselves is cleared' "$work/picky.json"
kit report "$work/picky.json" --quiet >"$work/out" || [ $? = 1 ]
grep -qx '  1 agrees, 1 decides, 1 lost' "$work/out"

# The vendor's simulator: the kit as it is. What it has otherwise is what the table of rulings says.
if [ -n "${TTSIM:-}" ]; then
    for chip in bh wh; do
        "$tensix" card --arch "$chip" --door "$TTSIM/src/_out/release_$chip/libttsim.so" -- \
            python3 -m tensix_kit run "$work/ttsim-$chip.json" --quiet >"$work/log" 2>&1 ||
            [ $? = 1 ]
    done
    python3 tests/card/kit_simulator.py "$tensix" "$work/ttsim-bh.json" "$work/ttsim-wh.json"
else
    echo "TTSIM is not set: the vendor's simulator was not asked"
fi
python3 tests/card/kit_planted.py "$tensix" bh wh
