#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What card.card does a little of: a million accesses from eight threads, instructions that become
# jumps after other numbers of faults, children beside threads that map, programs and commands that
# are killed at random moments ($KILLED of them).
set -eu
: "${KILLED:=1000}"
programs=$BUILD/tests/card
"$BUILD"/tensix card -- "$programs/card_torture" 125000 8
for faults in 1 2 8 20; do
    TENSIX_CARD_PATCH=$faults "$BUILD"/tensix card -- "$programs/card_patch"
done
"$BUILD"/tensix card -- "$programs/card_fork" 1000
python3 tests/card/card_killed.py "$BUILD"/tensix "$programs/card_kill" "$KILLED" "$(date +%j)"
