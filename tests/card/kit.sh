#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kit (kit/tensix_kit) on the emulated card of both chips: it runs to its end, a report finds
# every answer as the emulator has it, answers and readings that were changed are named, and files
# that are none are refused.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/../cli/lib.bash"
export TENSIX_KIT_DATA=$work/data PYTHONPATH=$TX_SOURCE/kit PYTHONDONTWRITEBYTECODE=1 TENSIX
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

# Vectors are as the emulator; what states its own answers has the first one everywhere. The
# campaign asks the whole kit on both chips.
kit list bh --safe | cut -f1 | grep -E '^(vector/.*/0/0$|open/|cores/|noc/)' >"$work/names"
check "it runs to its end" on bh "" run "$work/bh.json.gz" --names "$work/names" --quiet
check "the answers are the emulator's" kit report "$work/bh.json.gz" --quiet
check "there are some" grep -Eq '^  [0-9]+ agrees, [0-9]+ decides$' "$work/last.out"

# A core that stops: the answer is that there is none, and the tile answers again afterwards.
kit list wh --only ebreak | cut -f1 >"$work/names"
echo cores/misaligned-sw >>"$work/names"
got=0
on wh "" run "$work/hang.json" --names "$work/names" --seconds 2 --quiet || got=$?
same "a hang is told" "0 1" "$got $(grep -c 'cores/ebreak: no answer in 2 s' "$work/err")"
check "and is the answer" kit report "$work/hang.json" --quiet
same "two questions decided" "  2 decides" "$(tail -1 "$work/check.out")"

# A card that has two other readings: the report names both, and its patch makes them the defaults.
got=0
on wh macro-forget=always,macro-delay=frozen run "$work/planted.json" --quiet --only vector/macro
kit report "$work/planted.json" --quiet --patch "$work/rules.diff" --issues "$work/issues" \
    >"$work/out" || got=$?
sed -n 's/^  RULE \(.*\): the card has \([^,]*\),.*/\1=\2/p' "$work/out" >"$work/named"
same "two readings" "1 macro-delay=frozen macro-forget=always " "$got $(tr '\n' ' ' <"$work/named")"
mkdir "$work/tree" "$work/tree/isa"
cp "$TX_SOURCE/isa/rules.def" "$work/tree/isa"
(cd "$work/tree" && git apply "$work/rules.diff")
diff "$TX_SOURCE/isa/rules.def" "$work/tree/isa/rules.def" | sed -n 's/^> //p' >"$work/rows"
same "a patch of the table" 'RULE(MACRO_DELAY, "macro-delay", T7, "frozen", "isa", "per-unit")
RULE(MACRO_FORGET, "macro-forget", E_FORGET, "always", "scheduled")' "$(cat "$work/rows")"
same "a text for each" "wh-vector-macro-delay.md wh-vector-macro-forget.md" \
    "$(cd "$work/issues" && echo *)"
check "which names the program" grep -q '^sfpmov L12,L0,1; .*sfploadmacro 0,L1,0,3,3' \
    "$work/issues/wh-vector-macro-delay.md"
check "and what the card said" grep -q '^- that is the reading: macro-delay=frozen$' \
    "$work/issues/wh-vector-macro-delay.md"

# One answer changed, with and without a new hash.
python3 - "$work" <<'EOF'
import gzip, json, sys
from tensix_kit import result
folder = sys.argv[1]
data = json.loads(gzip.open(f"{folder}/bh.json.gz").read())
entry = data["questions"]["vector/SFPMAD/0/0"]
entry["words"] = "%08x" % (int(entry["words"][:8], 16) ^ 1) + entry["words"][8:]
result.write(f"{folder}/forged.json", data)
data["hash"] = result.signature(data)
result.write(f"{folder}/changed.json", data)
EOF
refuses "a result that was changed" 2 "the hash is not" kit report "$work/forged.json"
got=0
kit report "$work/changed.json" --quiet >"$work/out" || got=$?
same "a changed answer is named" "1 1" "$got $(grep -c 'vector/SFPMAD/0/0: differs' "$work/out")"
same "and nothing else" 1 "$(grep -c ": differs\$" "$work/out")"
refuses "no result" 2 "is not JSON" kit report "$0"
refuses "no card" 2 "there is no card 0" kit run "$work/none.json"
check "dry run" on bh "" run "$work/dry.json" --dry-run
check "nothing was written" test ! -e "$work/dry.json"
on bh "" run "$work/times.json" --only time/addi --quiet
same "a row of figures" "k014 core bh 1" "$(kit figures "$work/times.json" | tail -1 |
    cut -f1,2,3,6 | tr '\t' ' ')"
check "changed results are read or refused" python3 "$TX_SOURCE/tests/card/kit_fuzz.py" \
    "$work/hang.json" 60
check "docs/disagreements.md is that of the questions" \
    python3 "$TX_SOURCE/scripts/disagreements.py" "$TENSIX" --check --kept

# Locks of others, workers that run, a process that ends in the middle, a failing read, dead tiles.
check "faults" "$TENSIX" card --arch wh -- python3 "$TX_SOURCE/tests/card/kit_faults.py" "$work"

# The process that asks is killed in the middle of a question: the run goes on without it, and puts
# L1 back. Then both are: no result, a journal, and the next run says so.
# begun FILE: starts a run that hangs, and waits until it has asked.
begun() {
    setsid "$TENSIX" card -- python3 -m tensix_kit run "$1" --only ebreak --seconds 60 \
        >/dev/null 2>"$work/err" &
    command=$!
    for _ in $(seq 600); do
        worker=$(pgrep -s "$command" -f tensix_kit.apart || true)
        [ -n "$worker" ] && [ -s "$1.journal" ] && break
        sleep 0.05
    done
}
begun "$work/lost.json"
sleep 1
kill -9 "$worker"
got=0
wait "$command" || got=$?
same "a process that is killed" '1 {"said":"it ended with status -9","state":"lost"}' \
    "$got $(grep -o '{"said[^}]*}' "$work/lost.json")"
check "what it left is put back" test ! -e "$work/lost.json.journal"
begun "$work/killed.json"
pkill -9 -s "$command"
wait "$command" 2>/dev/null || true
check "no result of a run that was killed" test ! -e "$work/killed.json"
got=0
on bh "" run "$work/killed.json" --only misa --quiet || got=$?
same "the next run names the journal" "2 1" "$got $(grep -c 'of a run that was killed' "$work/err")"
check "restore" on bh "" restore "$work/killed.json.journal"
finish
