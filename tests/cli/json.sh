#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command's --json is one JSON object with the version of its form, for answers and errors.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

npy "$work/x.npy" f4 "(50, 50)" "[i * 0.1 - 100 for i in range(2500)]"
printf '70500012\n84012390\n' >"$work/words.hex"
"$TENSIX" check --record "$work/square.s" --arch bh --out "$work/v.jsonl"

# valid NAME STATUS COMMAND...
valid() {
    local name=$1 status=$2 got=0
    shift 2
    "$@" >"$work/out" 2>"$work/err" || got=$?
    if [ "$got" != "$status" ]; then
        not_ok "$name" "exit $got, expected $status"
    elif [ -s "$work/err" ]; then
        not_ok "$name" "stderr: $(head -c 200 "$work/err")"
    elif ! python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["schema"] != 1)' \
        <"$work/out" >/dev/null 2>&1; then
        not_ok "$name" "no JSON of schema 1: $(head -c 200 "$work/out")"
    else
        ok "$name"
    fi
}

valid "run" 0 "$TENSIX" run "$work/square.s" --arch bh --in "$work/x.npy" --out "$work/y.npy" \
    --reference exp --evidence --json
valid "run, error" 2 "$TENSIX" run "$work/square.s" --arch bh --in "$work/none.npy" --json
valid "option, error" 2 "$TENSIX" run --json --nonsense
valid "command, error" 2 "$TENSIX" --json nonsense
valid "asm" 0 "$TENSIX" asm "$work/square.s" --arch wh --json
valid "dis" 0 "$TENSIX" dis --arch bh "$work/words.hex" ffffffff --json
valid "dis, error" 2 "$TENSIX" dis --arch bh "$work/words.hex" nowhere --json
valid "eval" 0 "$TENSIX" eval --arch bh 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=nan --json
valid "eval, error" 2 "$TENSIX" eval --arch bh 'sfpmd L2' --json
same "dis: the list" "0x70500012 0x84012390" "$("$TENSIX" dis --arch bh "$work/words.hex" --json |
    python3 -c 'import json, sys; print(*(w["word"] for w in json.load(sys.stdin)["items"]))')"
valid "lint" 1 "$TENSIX" lint "$work/square.s" --arch bh --json
valid "race" 0 "$TENSIX" race "$work/square.s" --arch bh --json
valid "expand, error" 1 "$TENSIX" expand "$work/square.s" --arch bh --json
valid "compare" 0 "$TENSIX" compare "$work/square.s" "$work/square.s" --arch bh --domain bf16 \
    --sample 1000 --json
valid "schedule, error" 2 "$TENSIX" schedule "$work/none.s" --arch bh --json
valid "fit, error" 2 "$TENSIX" fit "$work/square.s" --arch bh --json
valid "bench" 0 "$TENSIX" bench --quick --row mad/mixed --json
valid "debug" 0 "$TENSIX" debug "$work/square.s" --arch bh --json -c step
valid "record" 0 "$TENSIX" record "$TX_SOURCE/examples/llk_style/relu.cpp" --arch bh \
    --tile kernel --json
valid "cc, error" 2 "$TENSIX" cc --arch bh "$work/none.cpp" -o "$work/z" --json
valid "tile run, error" 2 "$TENSIX" tile run --arch bh --elf "t0=$work/none.elf" --json
valid "check" 0 "$TENSIX" check "$work/v.jsonl" --json
valid "explain a mnemonic" 0 "$TENSIX" explain sfpswap --json
valid "explain a word" 0 "$TENSIX" explain 0x84012390 --json
valid "explain, error" 2 "$TENSIX" explain nothing-of-that-name --json
valid "isa" 0 "$TENSIX" isa --json
valid "isa of one chip" 0 "$TENSIX" isa --json --arch wh
valid "map" 0 "$TENSIX" map --arch bh 6 --json
valid "convert" 0 "$TENSIX" convert "$work/x.npy" "$work/x.tile:bfp8_b" --arch bh --json
valid "convert, error" 2 "$TENSIX" convert "$work/x.npy" "$work/x.tile:bfp8" --arch bh --json
valid "routes" 0 "$TENSIX" convert --routes --json
valid "tile show" 0 "$TENSIX" tile show "$work/x.tile" --format bfp8_b --json
valid "diff" 1 "$TENSIX" diff "$work/x.npy" "$work/x.tile:bfp8_b" --json
valid "run on tiles" 0 "$TENSIX" run "$work/square.s" --arch bh --in "$work/x.tile:bfp8_b" \
    --out "$work/y.tile:bfp8_b" --json
valid "sweep" 0 "$TENSIX" sweep "$work/square.s" --arch bh --domain fp16 --json
valid "version" 0 "$TENSIX" --json --version
printf '{"name": "n", "arch": "bh", "program": [], "wrong": 1}\nnot json\n' >"$work/bad.jsonl"
valid "check, failures" 1 "$TENSIX" check "$work/bad.jsonl" --json
printf 'sfpnop\n' >"$work/$(printf 'a\tb\377').s"
valid "a name that is no UTF-8" 2 "$TENSIX" run "$work/$(printf 'a\tb\377').s" --arch bh --json
finish
