#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_chip.sh bh|wh COUNT SEED: random vectors of a chip, whose results a second statement of
# spec/chip.md computes (tests/chip/chip_model.py), through `tensix check`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tests/chip/chip_vectors.py "$1" "$2" "$3" >"$work/vectors.jsonl"
"${BUILD:-build}/tensix" check "$work/vectors.jsonl"
