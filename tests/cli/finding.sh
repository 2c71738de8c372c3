#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A finding reads alike wherever it is shown: as a line of a report, in the sentence of an error or
# a trace, and as JSON. SFPABS has the modes 0 and 1.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
category=NonContractualBehavior
rule=E-MODE
message="SFPABS: modifier 5 is outside the contract"
text=sfpabs\ L0,L1,5
printf '.arch bh\n.tile\n%s\n' "$text" >f.s
npy x.npy f4 "(1024,)" "[0] * 1024"

line="finding         $category [$rule] x1: $message ($text)"
dated="finding         $category [$rule] x1, first in cycle 0: $message ($text)"
sentence="$category: $message [$rule]"
same "run, the line first" "${line/ $category/ f.s:3: $category}" \
    "$("$TENSIX" run f.s --in x.npy --out y.npy | grep ^finding)"
"$TENSIX" run f.s --in x.npy --out y.npy >said
same "run, what a card does and what to change, once behind the cause" "1 1" \
    "$(grep -c '^  on a card     the modifier is outside' said) $(grep -c \
        '^  change        use a modifier that the instruction has' said)"
same "eval" "$line" "$("$TENSIX" eval --arch bh "$text" | grep ^finding)"
same "debug" "$dated" "$("$TENSIX" debug f.s -c continue -c findings | grep ^finding)"
same "trace" "       ! $sentence" "$("$TENSIX" trace f.s | grep '!')"
"$TENSIX" trace f.s --html t.html
check "the page of trace" grep -qF "$sentence" t.html
strict() { # strict NAME COMMAND...: what it stops with
    local name=$1
    shift
    "$TENSIX" "$@" --strict >/dev/null 2>err || true
    check "$name --strict" grep -qF "$sentence at instruction 0" err
}
strict run run f.s --in x.npy --out z.npy
strict trace trace f.s
strict eval eval --arch bh "$text"
keys='import json, sys
for line in sys.stdin.read().split("\n{\"schema\""):
    line = line if line.startswith("{") else "{\"schema\"" + line
    for f in json.loads(line).get("findings", []):
        print(f["category"], f["rule"], f["count"], f["message"], f["text"], sep="|")'
want="$category|$rule|1|$message|$text"
same "run --json" "$want" \
    "$("$TENSIX" run f.s --in x.npy --out y.npy --json | python3 -c "$keys")"
same "eval --json" "$want" "$("$TENSIX" eval --arch bh "$text" --json | python3 -c "$keys")"
same "debug --json" "$want" \
    "$("$TENSIX" debug f.s --json -c continue -c findings | python3 -c "$keys")"

# An instruction of a core is none of the coprocessor: sw a4, 256(a5), 10e7a023, to a stream's
# counter that Wormhole does not have. As a word of the coprocessor it would be a ttzeroacc.
printf '\xb7\x07\xb4\xff\x13\x07\x10\x00\x23\xa0\xe7\x10\x6f\x00\x00\x00' >core.bin
"$TENSIX" tile run --arch wh --elf t0=core.bin >said
"$TENSIX" tile run --arch wh --elf t0=core.bin --json >>said
check "of a core" grep -qF 'E-NOC] x1: core t0 at 00006008, sw a4, 256(a5)' said
same "of a core, no word of the coprocessor" 0 "$(grep -ciE 'zeroacc|"text"' said)"
finish
