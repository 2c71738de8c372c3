#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench_beside.sh [BEGIN ...]: the rows of tensix bench that begin so (default: l1/ matrix/
# reference/ and the vector instructions) beside the vendor's simulator, on both chips. TTSIM is a
# checkout of tenstorrent/ttsim in which "cd src && python3 ../make.py _out/release_bh/libttsim.so
# _out/release_wh/libttsim.so" has run.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
if [ -z "${TTSIM:-}" ]; then
    sed -n '3,6s/^# //p' "$0" >&2
    exit 2
fi
scripts/build.sh beside
echo "$(date -u +%F) $(git rev-parse --short HEAD 2>/dev/null || echo '-'), ttsim" \
    "$(git -C "$TTSIM" rev-parse --short HEAD 2>/dev/null || echo '-')," \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
    "load $(cut -d' ' -f1 /proc/loadavg)"
echo
echo "| row | chip | M instructions/s | ttsim | ratio | left |"
echo "|---|---|---|---|---|---|"
for chip in bh wh; do
    library=$build/bench/beside/ttsim_$chip.so
    scripts/ttsim_tile.sh "$TTSIM" $chip "$library"
    "$build/bench/beside/beside" "$library" "$@"
done
