#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks of a sweep whose launcher does not end them all: one never begins, one is killed. With a
# launcher: sweep.sh.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
sweep=("$TENSIX" sweep --no-progress "$TX_SOURCE/examples/kernels/tanh.s" --arch bh --jobs 1)
"${sweep[@]}" >"$work/one.txt"
mkdir "$work/ranks"
rank() { # RANK SIZE: in place of the shell, so that all have one parent
    exec env --default-signal=INT,TERM PMI_RANK="$1" PMI_SIZE="$2" TMPDIR="$work/ranks" \
        TENSIX_RANK_WAIT="${wait:-60}" "${sweep[@]}"
}
rank 1 2 >"$work/rank1.txt" 2>&1 &
rank 0 2 >"$work/rank0.txt" 2>&1 &
wait
check "2 ranks" cmp "$work/one.txt" "$work/rank0.txt"
same "2 ranks: nothing is left" "" "$(ls "$work/ranks")"
wait=3 # the second of three never begins
rank 0 3 >"$work/rank0.txt" 2>&1 &
zero=$!
rank 2 3 >"$work/rank2.txt" 2>&1 &
status=0
wait $zero || status=$?
wait
same "a rank is missing: status" 2 $status
same "a rank is missing: one line" "tensix sweep: rank 1 of 3 has ended or never began: no sign \
of it for 3 seconds (TENSIX_RANK_WAIT)" "$(cat "$work/rank0.txt")"
same "a rank is missing: nothing is left" "" "$(ls "$work/ranks")"
wait=60
rank 0 2 >"$work/rank0.txt" 2>&1 &
zero=$!
began() { [ -e "$work"/ranks/*/1-of-2 ]; }
soon began || true
kill -TERM $zero
wait $zero || status=$?
same "rank 0 is ended: status" $((128 + 15)) $status
same "rank 0 is ended: nothing is left" "" "$(ls "$work/ranks")"
mkdir -m 777 "$work/open"
PMI_RANK=1 PMI_SIZE=2 TMPDIR=$work/open "${sweep[@]}" >"$work/out"
probe=$(ls "$work/open")
rm -rf "$work/open/$probe"
ln -s "$work/ranks" "$work/open/$probe"
refuses "a scratch folder that somebody else has made" 2 'not a folder of this user alone' \
    env PMI_RANK=1 PMI_SIZE=2 TMPDIR="$work/open" "${sweep[@]}"
same "nothing is written there" "" "$(ls "$work/ranks")"
finish
