#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kit (kit/tensix_kit) on the emulated card of both chips: it runs to its end, a report finds
# answers as the emulator has them, answers and readings that were changed are named, and files
# that are none are refused.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/../cli/lib.bash"
export TENSIX_KIT_DATA=$work/data PYTHONPATH=$TX_SOURCE/kit PYTHONPYCACHEPREFIX=$work/pyc TENSIX
kit() {
    python3 -m tensix_kit "$@"
}
# on CHIP RULES ARGUMENTS...: the kit with an emulated card that has those readings.
on() {
    local chip=$1 rules=$2
    shift 2
    TENSIX_CARD_RULES=$rules "$TENSIX" card --arch "$chip" -- python3 -m tensix_kit "$@" \
        2>"$work/err"
}

check "data" python3 "$TX_SOURCE/scripts/kit_data.py" "$TENSIX" "$work/data"

# A card that has another reading. The report names it and nothing else: vectors are as the
# emulator, what states its own answers has the first one everywhere. The campaign asks the whole
# kit on both chips and plants every reading. The patch makes this one the default.
kit list bh --safe | cut -f1 | grep -E '^(vector/.*/0/0$|open/|cores/|noc/)' >"$work/names"
printf 'vector/%s\n' swap-tie lut16-zero macro-forget >>"$work/names"
check "it runs to its end" on bh swap-tie=strict run "$work/bh.json.gz" \
    --names "$work/names" --quiet
got=0
kit report "$work/bh.json.gz" --quiet --patch "$work/rules.diff" --issues "$work/issues" \
    >"$work/out" || got=$?
sed -n 's/^  RULE \(.*\): the card has \([^,]*\),.*/\1=\2/p' "$work/out" >"$work/named"
same "another reading" "1 swap-tie=strict " "$got $(tr '\n' ' ' <"$work/named")"
same "and nothing else" 3 "$(grep -c . "$work/out")"
check "all is judged" grep -Eq '^  [0-9]+ agrees, [0-9]+ decides(, [0-9]+ explained)?$' "$work/out"
mkdir "$work/tree" "$work/tree/isa"
cp "$TX_SOURCE/isa/rules.def" "$work/tree/isa"
(cd "$work/tree" && git apply "$work/rules.diff")
diff "$TX_SOURCE/isa/rules.def" "$work/tree/isa/rules.def" | sed -n 's/^> //p' >"$work/rows"
same "a patch of the table" 'RULE(SWAP_TIE, "swap-tie", R6, "strict", "sign")' "$(cat "$work/rows")"
same "a text of it" "bh-vector-swap-tie.md" \
    "$(cd "$work/issues" && echo *)"
check "which names the program" grep -q '^sfpconfig 15,6,1; .*sfpswap L0,L1,1; sfpnop$' \
    "$work/issues/bh-vector-swap-tie.md"
check "and what the card said" grep -q '^- that is the reading: swap-tie=strict$' \
    "$work/issues/bh-vector-swap-tie.md"

# A core that stops: the answer is that there is none, and the tile answers again afterwards.
printf '%s\n' cores/ebreak cores/misaligned-sw vector/SFPMAD/0/0 time/addi noc/multicast/write \
    >"$work/names"
got=0
on wh "" run "$work/hang.json" --names "$work/names" --seconds 2 --quiet || got=$?
same "a hang is told" "0 1" "$got $(grep -c 'cores/ebreak: no answer in 2 s' "$work/err")"
same "a row of figures" "k012 core wh 0.625" "$(kit figures "$work/hang.json" | tail -1 |
    cut -f1,2,3,6 | tr '\t' ' ')"

# One answer changed, with and without a new hash.
python3 - "$work" <<'EOF'
import json, sys
from tensix_kit import result
folder = sys.argv[1]
data = json.loads(open(f"{folder}/hang.json").read())
entry = data["questions"]["vector/SFPMAD/0/0"]
entry["words"] = "%08x" % (int(entry["words"][:8], 16) ^ 1) + entry["words"][8:]
result.write(f"{folder}/forged.json", data)
data["hash"] = result.signature(data)
result.write(f"{folder}/changed.json", data)
EOF
refuses "a result that was changed" 2 "the hash is not" kit report "$work/forged.json"
got=0
kit report "$work/changed.json" --simulator "$work/hang.json" --quiet >"$work/out" || got=$?
same "a changed answer is named" \
    "1   vector/SFPMAD/0/0: differs (the simulator: the default answer)" \
    "$got $(tail -1 "$work/out")"
same "it says who has answered" "Wormhole n150 emulated by tensix" "$(head -1 "$work/out" |
    cut -d, -f1)"
same "a hang is an answer" "  2 agrees, 2 decides, 1 differs" "$(sed -n 2p "$work/out")"
same "and no other" 3 "$(grep -c . "$work/out")"
refuses "no result" 2 "is not JSON" kit report "$0"
refuses "no card" 2 "there is no card 0" kit run "$work/none.json"
check "dry run" on bh "" run "$work/dry.json" --dry-run --only misa
check "nothing was written" test ! -e "$work/dry.json"
check "changed results are read or refused" python3 "$TX_SOURCE/tests/card/kit_fuzz.py" \
    "$work/hang.json" 60
check "docs/disagreements.md is that of the questions" \
    python3 "$TX_SOURCE/scripts/disagreements.py" "$TENSIX" --check --kept

# Locks of others, workers that run, a process that ends in the middle, a failing read, dead tiles,
# firmware that is too old.
check "faults" "$TENSIX" card --arch wh -- python3 "$TX_SOURCE/tests/card/kit_faults.py" "$work"

# The process that asks is killed in the middle of a question: the run goes on without it, and puts
# L1 back. The campaign kills the other one, and both.
setsid "$TENSIX" card -- python3 -m tensix_kit run "$work/lost.json" --only ebreak --seconds 60 \
    >/dev/null 2>"$work/err" &
command=$!
until worker=$(pgrep -s "$command" -f tensix_kit.apart) && [ -s "$work/lost.json.journal" ]; do
    sleep 0.1
done
sleep 1
kill -9 "$worker"
got=0
wait "$command" || got=$?
same "a process that is killed" '1 {"said":"it ended with status -9","state":"lost"}' \
    "$got $(grep -o '{"said[^}]*}' "$work/lost.json")"
check "what it left is put back" test ! -e "$work/lost.json.journal"
finish
