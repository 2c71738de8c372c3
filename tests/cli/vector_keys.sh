#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix check: the keys of unpackers and packers, read, compared, and refused where they are wrong.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
. "$(dirname "$0")/lib.bash"

# vector FINAL [TOP [INITIAL]]: Y of unpacker 0 = 5, and 32 bits to byte 0x20 of L1.
vector() {
    echo "{\"name\": \"v\", \"arch\": \"bh\", \"thread\": 0, ${2-}
        \"program\": [\"50240005\", \"66a00081\"],
        \"initial\": {${3-}}, \"final\": {$1}}" | tr -d '\n'
    echo
}

# passes NAME ARGUMENTS-OF-vector
passes() {
    local name=$1
    shift
    vector "$@" >"$work/v.jsonl"
    "$TENSIX" check "$work/v.jsonl" >"$work/out" 2>&1 || cat "$work/out"
    same "$name" "1 passed, 0 failed" "$(tail -1 "$work/out")"
}

# fails NAME MESSAGE ARGUMENTS-OF-vector
fails() {
    local name=$1 message=$2 got=0
    shift 2
    vector "$@" >"$work/v.jsonl"
    "$TENSIX" check "$work/v.jsonl" >"$work/out" 2>&1 || got=$?
    same "$name: exit code" 1 "$got"
    check "$name: message" grep -qF -- "$message" "$work/out"
}

zeros='[0,0,0,0,0,0,0,0]'
five='[0,5,0,0,0,5,0,0]'
gpr="\"gpr\": \"$(printf '%08x' 0 2 0xaabbccdd $(for ((i = 3; i < 64; i++)); do echo 0; done))\""
passes "address counters" "\"adc\": {\"0\": {\"unp0\": {\"ch0\": $five}}}" "" "$gpr, \"l1\": {}"
passes "and as a list" "\"adc\": {\"0\": {\"p\": [$zeros, $zeros]}}" "" "$gpr, \"l1\": {}"
fails "another counter" "adc of thread 0, unp0 channel 0 Y: expected 6, got 5" \
    '"adc": {"0": {"unp0": {"ch0": [0,6,0,0,0,5,0,0]}}}' "" "$gpr, \"l1\": {}"
fails "a number too big" "not within 18 bits" \
    '"adc": {"0": {"unp0": {"ch0": [262144,6,0,0,0,5,0,0]}}}'
fails "no such unit" "adc: 'unp2' is none of unp0, unp1, pack" '"adc": {"0": {"unp2": {}}}'
fails "no such thread" "adc: '3' is no thread" '"adc": {"3": {}}'
fails "no such channel" "adc: 'ch2' is no channel" "\"adc\": {\"0\": {\"unp0\": {\"ch2\": $zeros}}}"
fails "a short channel" "not a list of eight numbers" '"adc": {"0": {"unp0": {"ch0": [1]}}}'

passes "bytes of L1" '"l1": {"20": "DDCCBBAA"}' "" "$gpr, \"l1\": {\"7\": \"01\"}"
fails "a byte that nobody names" "l1 byte 20: expected 00, got dd" '"l1": {"7": "01"}' "" \
    "$gpr, \"l1\": {\"7\": \"01\"}"
fails "bytes twice" "names byte 21 twice" '"l1": {"20": "0000", "21": "00"}'
fails "beyond L1" "reaches beyond L1" '"l1": {"17ffff": "0000"}'
fails "no address" "is not a hexadecimal address" '"l1": {"x": "00"}'
fails "no bytes" "is not a hexadecimal address with hexadecimal bytes" '"l1": {"0": "0"}'

fill='"src_fill": {"a": "00155", "b": "40277"}'
rows=$(printf '00155%.0s' {1..16})
other=$(printf '00156%.0s' {1..16})
passes "Src rows that nobody names" "\"srca\": {\"0\": {\"3\": \"$rows\"}}" "" \
    "$gpr, \"l1\": {}, $fill"
fails "a Src row that differs" "srca bank 0 row 3" "\"srca\": {\"0\": {\"3\": \"$other\"}}" "" \
    "$gpr, \"l1\": {}, $fill"
fails "cells of 20 bits" "src_fill is not two cells of 19 bits" "" "" \
    '"src_fill": {"a": "80000", "b": "00000"}'
state='"src_state": {"valid": {"a": [1, 0], "b": [0, 1]}, "unpack": [1, 0], "matrix": [0, 1]}'
passes "owners" "$state" "" "$gpr, \"l1\": {}, $state"
fails "other owners" "src_bank ua: expected 00000000, got 00000001" \
    "${state/unpack\": \[1/unpack\": [0}" "" \
    "$gpr, \"l1\": {}, $state"
fails "an owner of 2" "src_state is not valid" "${state/\[1, 0\]/[2, 0]}"

# stalled: every word is done where it says nothing.
passes "nothing stalls" "" '"stalled": {},' "$gpr, \"l1\": {}"
fails "a word that is done" "stalled: thread 0: expected word 1 of 2, got word 2" "" \
    '"stalled": {"0": 1},' "$gpr, \"l1\": {}"
fails "no such word" "stalled: '0' is no thread with a word of its own" "" '"stalled": {"0": 2},'
# A SEMWAIT that nobody answers has not completed, and its block mask catches the word behind it.
echo '{"name": "s", "arch": "wh", "programs": {"0": ["02000000", "a6ff8005", "50240005"]},
    "stalled": {"0": 1}, "final": {"adc": {"0": {"unp0": {"ch0": [0,0,0,0,0,0,0,0]}}}}}' |
    tr -d '\n' >"$work/v.jsonl"
"$TENSIX" check "$work/v.jsonl" >"$work/out" 2>&1 || cat "$work/out"
same "a word that is held" "1 passed, 0 failed" "$(tail -1 "$work/out")"
# A thread is 0, 1 or 2.
for thread in 2 3; do
    vector "$gpr, \"l1\": {}" | sed "s/\"thread\": 0/\"thread\": $thread/" >"$work/v.jsonl"
    "$TENSIX" check "$work/v.jsonl" >"$work/out$thread" 2>&1 || true
done
check "thread 3" grep -q "thread is not a number from 0 to 2" "$work/out3"
check "thread 2 is one" bash -c "! grep -q 'thread is not a number' '$work/out2'"
finish
