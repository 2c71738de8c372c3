#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cosim.sh: random programs on our machine and on the vendor's simulator's tile in one process, from
# the same state, and what both leave compared (tests/cosim/engine.h). TTSIM is a built checkout, as
# scripts/ttsim_tile.sh says. COUNT words of each class (1000000), SEED (1), CLASS: only these
# classes, or one program as CLASS:NUMBER; CHIP: only this one; REASONS=1: what it refused, and why;
# KNOWN=ID: what that entry of a class's table explains.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
if [ -z "${TTSIM:-}" ]; then
    sed -n '3,8s/^# //p' "$0" >&2
    exit 2
fi
scripts/build.sh cosim
echo "$(date -u +%F) $(git rev-parse --short HEAD 2>/dev/null || echo '-'), ttsim" \
    "$(git -C "$TTSIM" rev-parse --short HEAD 2>/dev/null || echo '-')"
good=0
for chip in ${CHIP:-bh wh}; do
    library=$build/tests/cosim/ttsim_$chip.so
    scripts/ttsim_tile.sh "$TTSIM" "$chip" "$library"
    # shellcheck disable=SC2086 # CLASS are words
    "$build/tests/cosim/cosim" "$library" "${COUNT:-1000000}" "${SEED:-1}" ${CLASS:-} || good=1
done
exit $good
