#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A sample of the programs of tests/order/kernels.c with one barrier, flush, wait, page, letter or
# count taken away: tensix race reports each that is not spare. `make campaign ONLY=order-mutants`
# takes all.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
if ! command -v riscv64-unknown-elf-gcc >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-gcc (make deps)"
    exit 77
fi
check "a sample of ordered programs that lack one order" \
    python3 "$TX_SOURCE/scripts/order_mutants.py" --tensix "$TENSIX" --sample 16 --seed 1
# What the judgement is made of: a program that is ordered as it stands, one that is not, one line
# that is spare.
cd "$work"
python3 "$TX_SOURCE/scripts/order_mutants.py" --tensix "$TENSIX" --only tally >tally || true
same "spare lines are silent, others reported" \
    "6 removals reported, 4 harmless and silent, 2 originals silent, 0 otherwise" \
    "$(tail -1 tally)"
python3 "$TX_SOURCE/scripts/order_mutants.py" --tensix "$TENSIX" --only proven >proven || true
same "a source that receivers prove to have been read" \
    "12 removals reported, 0 harmless and silent, 2 originals silent, 0 otherwise" \
    "$(tail -1 proven)"
finish
