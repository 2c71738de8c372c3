#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A card (docs/card.md): stores and loads of memory beside a copy within the program, accesses to a
# register beside system calls, in processor time; the second line of each is warm.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${BUILD:=build}"
[ -e "$BUILD/tests/card/card_open" ] || { echo "this build has no card"; exit 0; }
for arch in bh wh; do
    echo "-- $arch"
    "$BUILD/tensix" card --arch "$arch" -- "$BUILD/tests/card/card_open" speed 2>/dev/null |
        grep -v failed
done
