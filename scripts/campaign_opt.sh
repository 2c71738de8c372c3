#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_opt.sh FIRST LAST: random rows through opt (tests/lab/test_opt.c), 2000 for each of these
# seeds, one kernel in 500 compiled, too. A seed that is done leaves a file, so that an interrupted
# campaign goes on where it stopped, and several can share the seeds. The last line is the sum over
# all seeds that are done.
set -eu
cd "$(dirname "$0")/.."
: "${BUILD:=build}"
done=$BUILD/campaign/opt-rows
mkdir -p "$done"
for seed in $(seq "$1" "$2"); do
    if [ ! -e "$done/$seed" ]; then
        "$BUILD/tests/lab/test_opt" 1000 "$seed" 500 "$done/cache" >"$done/$seed.part" 2>&1 || {
            cat "$done/$seed.part"
            exit 1
        }
        mv "$done/$seed.part" "$done/$seed"
    fi
done
sed -n 's/^\([0-9]*\) rows on .*: \([0-9]*\) shorter.*order, \([0-9]*\) by.*/\1 \2 \3/p' \
    "$done"/[0-9]* |
    awk '{rows += $1; shorter += $2; selected += $3}
        END {print rows " rows, " shorter " become shorter, " selected " by selections, 0 differ"}'
