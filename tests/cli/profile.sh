#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --profile of run and tile run: every cycle of every lane, in all forms; what bounds a program.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
compiler=
if command -v riscv64-unknown-elf-g++ >/dev/null; then
    compiler=cc
fi
check "lanes, parts and path sum to the cycles, in every form" \
    python3 "$TX_SOURCE/tests/cli/profile_check.py" "$TENSIX" $compiler

check "the unit that was made slower is what bounds" \
    python3 "$TX_SOURCE/tests/cli/slowed_check.py" "$TENSIX" "$TX_SOURCE/examples/tiles/tile.inc"

check "what is named is what saves most, and as much as is printed" \
    python3 "$TX_SOURCE/tests/cli/constructed.py" "$TENSIX" "$TX_SOURCE/examples/tiles/tile.inc"

# What bounds: eight cycles of the Vector Unit in a chain that stalls, MVMULs to one block.
bound() { "$TENSIX" run "$1" --arch bh --profile --json | python3 -c "
import json, sys
p = json.load(sys.stdin)
t1 = [lane for lane in p['lanes'] if lane['lane'] == 'T1'][0]
print(p['cycles'], p['bound'], p['bound_cycles'], t1['works'], t1['waits'])"; }
for _ in 1 2 3 4; do echo 'sfpmad L0,L0,L0,L0,0'; done >chain.s
same "a chain of four: three stalls, one cycle to its end" "8 vector 7 4 3" "$(bound chain.s)"
cat >handover.s <<'EOS'
.thread pack
ttseminit 1,0,2
ttsemwait 256,2,1
sfpnop
.thread math
sfpnop
sfpnop
sfpnop
sfpnop
sfpnop
sfpnop
ttsempost 2
EOS
"$TENSIX" run handover.s --arch bh --profile --json >handover.json
check "the path goes on with who posts the semaphore" python3 -c "
import json
p = json.load(open('handover.json'))
lanes = [step['lane'] for step in p['path']]
assert lanes.index('T1') < lanes.index('T2') or lanes[0] == 'T2', lanes
waits = [s for lane in p['lanes'] if lane['lane'] == 'T2' for s in lane['parts']
         if s['text'] == 'semaphore 1 to be above 0']
assert len(waits) == 1 and waits[0]['cycles'] > 2, waits
last = max(s['to'] for s in p['path'] if s['lane'] == 'T1' and s['text'] == 'Sync Unit')
after = [s for s in p['path'] if s['from'] >= last]
assert all(s['lane'] == 'T2' for s in after[:1]), after
"

check "a run that only its time orders is said to be one" python3 -c "
import json
again = json.load(open('handover.json'))['again']
assert [t['stuck'] for t in again if t['unit'] == 'vector'] == [True], again
"

check "text into a file" "$TENSIX" run chain.s --arch bh --profile=p.txt
check "which says what to change" grep -q '^change first    T1' p.txt
check "a page" "$TENSIX" run chain.s --arch bh --profile=p.html
check "is one page" grep -q '^<title>tensix profile</title>' p.html
refuses() { # refuses NAME TEXT ARGUMENTS...
    local status=0
    "$TENSIX" "${@:3}" >out 2>err || status=$?
    same "$1: exit status" 2 "$status"
    check "$1: one line says why" grep -q -- "$2" err
}
cat chain.s chain.s chain.s chain.s >long.s
cycles() { "$TENSIX" run long.s --arch bh --cycles --json "$@" | grep -m1 tile_cycles; }
same "another unit's pace changes nothing" "$(cycles)" "$(cycles --pace pack=none)"
check "its own does" test "$(cycles)" != "$(cycles --pace vector=half)"
refuses "a pace without cycles" "for --cycles and --profile" run chain.s --arch bh --pace pack=none
refuses "an unknown pace" "is not UNIT=PACE" run chain.s --arch bh --cycles --pace dst=none
refuses "with --cycles" "--profile and --cycles exclude each other" run chain.s --arch bh \
    --profile --cycles
refuses "with an output" "--profile and --l1-out exclude each other" run chain.s --arch bh \
    --profile --l1-out 0x0:bf16:32x32=x.npy
refuses "with gdb" "--gdb and --profile exclude each other" tile run --arch bh \
    --elf t1=none.elf --gdb localhost:0 --profile
refuses "no such folder" "nowhere" run chain.s --arch bh --profile=nowhere/p.html
finish
