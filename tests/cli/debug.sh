#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The debugger without a screen: steps, breakpoints, watchpoints, values, both ways, both chips.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

python3 - <<'PY'
import numpy as np
np.save("x.npy", np.arange(3072, dtype=np.float32))
np.save("twice.npy", np.arange(3072, dtype=np.float32) * 2)
wrong = np.arange(3072, dtype=np.float32) * 2
wrong[1024 + 34] = 7 # row 1 of Dst, column 2
np.save("wrong.npy", wrong)
PY

# Doubles lanes of even columns of the first four rows, and of the next four. Lane 7 is column 14 of
# the first row: element 14. One thread: a word a cycle, but for what the interlock holds.
kernel() { # CHIP
    cat <<EOS
.arch $1
.dst fp32
.init
sfploadi L7, 0x4000, 0
.tile
sfpload L0, 0, 3, 0
sfpmul L3, L0, L7, 0
sfpnop
sfpstore L3, 0, 3, 0
sfpload L0, 4, 3, 0
sfpmul L3, L0, L7, 0
sfpnop
sfpstore L3, 4, 3, 0
EOS
}
kernel bh >bh.s
kernel wh >wh.s

# json KEY...: of the last line of $work/out, an object
json() {
    python3 -c '
import json, sys
o = json.loads(open("out").read().splitlines()[-1])
for key in sys.argv[1:]:
    o = o[int(key)] if isinstance(o, list) else o.get(key)
print(o)' "$@"
}
# debug CHIP COMMAND...: each an object in $work/out
debug() {
    local chip=$1 list=()
    shift
    for c in "$@"; do list+=(-c "$c"); done
    "$TENSIX" debug "$chip.s" --in x.npy --json "${list[@]}" >out
}

for chip in bh wh; do
    debug $chip "break sfpstore" c
    same "$chip: a mnemonic stops before it" "3 4" "$(json next 0 place) $(json cycle)"
    debug $chip "break sfpstore" c c "print L3[7]"
    same "$chip: twice the value of the second four rows" 284 "$(json values 0)"
    debug $chip "break sfpstore" c c rc "print L3[7]"
    same "$chip: and back at the first" 28 "$(json values 0)"
    debug $chip "break init:0" "break :6" c c
    same "$chip: a line" "0 6" "$(json next 0 place) $(json next 0 line)"
    debug $chip "break 5" c stepi back
    same "$chip: a word, on and back" 5 "$(json next 0 place)"
    debug $chip "break cycle 4" c
    same "$chip: a cycle" 4 "$(json cycle)"
    debug $chip tile tile "print L0[0]" tile info
    same "$chip: tiles" "2 0" "$(json tile) $(json tile_cycle)"
    debug $chip "goto end" "back tile" "back tile" "back tile" "back tile"
    same "$chip: back by tiles, to .init" "init" "$(json section)"
    debug $chip tile row
    same "$chip: a row is written" "4" "$(json tile_cycle)"
    debug $chip "watch L3[7]" c
    check "$chip: a lane changes, and who did it" grep -q \
        'L3\[7\]: 00000000 0 -> 41e00000 28, by T1.s sfpmul L3,L0,L7,0 of cycle 2' out
    debug $chip "watch L3[7]" "goto end" rc
    same "$chip: back to before the last change" "4124 -> 4380" \
        "$(json what | sed 's/.* \(4124 ->\).* \(4380\),.*/\1 \2/')"
    debug $chip "watch L3[7] == 284" c "print L3[7]"
    same "$chip: becomes a value" 284 "$(json values 0)"
    debug $chip "watch dst[0][14]" c
    check "$chip: a cell of Dst" grep -q 'dst\[0\]\[14\]: 41600000 14 -> 41e00000 28, by T1' out
    debug $chip "watch dst[1][2] differs wrong.npy" c
    same "$chip: the first difference from an array" 1 "$(json tile)"
    check "$chip: from which value" grep -q 'dst\[1\]\[2\].* 2116 instead of 40e00000 7, by T1' out
    debug $chip "break cycle 3" "goto end" rc rc
    same "$chip: backwards to the beginning" "begin 0" "$(json stop) $(json cycle)"
done
# A word stops where it is issued and where it is replayed. What .init has recorded is no word of
# .tile, also where it is replayed there.
cat >replay.s <<'EOS'
.arch bh
.dst fp32
.init
ttreplay 0, 2, 0, 1
sfpmad L1, L1, L10, L10, 0
sfpnop
.tile
ttreplay 2, 2, 1, 1
sfpmad L0, L0, L10, L10, 0
sfpnop
ttreplay 2, 2, 0, 0
sfpnop
ttreplay 0, 2, 0, 0
EOS
stops() { # of the object on each line of out but the first
    python3 -c '
import json
for line in open("out").read().splitlines()[1:]:
    o = json.loads(line)
    print("tile %d cycle %d, %s" % (o["tile"], o["tile_cycle"], o["what"]), end="; ")'
}
word="replay.s:9: sfpmad L0,L0,L10,L10,0"
debug replay "break 1" c c c
same "a word of .tile, and its replay, but no word of .init" \
    "tile 0 cycle 1, $word; tile 0 cycle 3, $word; tile 1 cycle 1, $word; " "$(stops)"

# Everything that can be watched, each met once in a tile, in this order.
cat >all.s <<'EOS'
.arch bh
.dst fp32
.init
.loadi L7, float(inf)
.tile
sfpload L0, 0, 3, 0
sfpencc 3, 10
sfpmul L5, L7, L9, 0
sfpencc 0, 0
ttsetdmareg 0, 7, 0, 8
ttsetc16 12, 5
sfpmul L3, L0, L0, 0
sfpmul L3, L3, L0, 0
sfppopc 0
sfpstore L3, 0, 3, 0
EOS
watches=("watch flags == 0xffffffff" "watch L5[3] nan" "watch gpr4"
    "watch ADDR_MOD_AB_SEC0_SrcAIncr != 0" "break stall MAD" "break finding")
debug all "${watches[@]}" c && same "flags become a value" "1 3" "$(json breakpoint) $(json cycle)"
debug all "${watches[@]}" c c && same "the first NaN" 2 "$(json breakpoint)"
check "inf times 0, and whose" grep -q 'L5\[3\].* nan, by T1.s sfpmul L5,L7,L9,0' out
debug all "${watches[@]}" c c c && same "a GPR" "gpr4: 00000000 0 -> 00000007 7; issued in \
that cycle: T1's ttsetdmareg 0,7,0,8" "$(json what)"
debug all "${watches[@]}" c c c c && same "a field of the configuration" 4 "$(json breakpoint)"
debug all "${watches[@]}" c c c c c && same "a stall" 5 "$(json breakpoint)"
debug all "${watches[@]}" c c c c c c && same "a finding" 6 "$(json breakpoint)"
check "and which" grep -q 'flag stack .* \[R3\]' out
debug all "${watches[@]}" c c c c c c rc rc && same "back to the stall" 5 "$(json breakpoint)"
debug all "${watches[@]}" c c c c c c rc rc rc rc rc rc && same "back at the first" \
    "1 2" "$(json breakpoint) $(json cycle)"

# What the lanes hold, in any reading.
debug bh tile tile "goto 20" "p/x L7[0]" "p/d L7[0]"
same "as an integer" 1073741824 "$(json values 0)"
debug bh "goto end" "p L15"
same "32 lanes" 32 "$(python3 -c 'import json
print(len(json.loads(open("out").read().splitlines()[-1])["values"]))')"

# One graph of values, two that ask it.
npy halves.npy f4 "(1024,)" "[i / 512 + 0.25 for i in range(1024)]"
check "why tells what the shadow blames, of eleven kernels" python3 \
    "$TX_SOURCE/tests/cli/debug_why.py" "$TENSIX" "$TX_SOURCE/examples"

# A value that was begun far away: the search looks further back, each time with a new graph, and
# tells what it tells where it need not.
for far in 10 270000; do
    printf '.arch bh\n.dst fp32\n.tile\nsfpadd L1, L1, L10, 0\nsfpnop\n.rept %u\nsfpnop\n%s' \
        $far $'.endr\nsfpadd L1, L1, L10, 0\nsfpnop\n' >far.s
    "$TENSIX" debug far.s -c c -c "why L1[5]" | grep ' L1\[5\] \| L10\[5\] ' |
        sed "s/^ *$((far + 2)) /end /" | tr -s ' ' >"far$far"
done
same "why: two additions and what they begin with" 4 "$(wc -l <far10)"
check "why of a value from far away" cmp far10 far270000

# A value's graph begins with the first word of .init, which loads 2.0.
for chip in bh wh; do
    "$TENSIX" debug $chip.s -c c -c "why L3[5]" >out
    same "$chip: why goes back to .init" 1 "$(grep -c \
        'sfploadi L7,16384,0 *L7\[5\] *40000000 2  *constant$' out)"
done

# The source that .loc names; one that is no file is none.
printf '// one\n// two\nSFPLOAD\n// four\nSFPNOP\n' >rel.cpp
printf '%s\n' '.arch bh' '.file 1, "rel.cpp"' .tile '.loc 1, 3' 'sfpload L0, 0, 3, 0' '.loc 1, 5' \
    sfpnop >loc.s
"$TENSIX" debug loc.s -c 'break rel.cpp:5' -c c -c list >out
check "a line of .loc is shown" grep -qx '>    5  SFPNOP' out
mkfifo pipe
sed 's/rel.cpp/pipe/' loc.s >fifo.s
refuses "a source that is no file" 2 'there is no text' timeout 600 "$TENSIX" debug fifo.s -c list

# What is refused is told in a line, and nothing behind it is done.
refuses "no such command" 2 "no command 'frob'" "$TENSIX" debug bh.s -c frob -c info
refuses "no such lane" 2 "not a number from 0 to 31" "$TENSIX" debug bh.s -c 'print L3[32]'
refuses "no such word" 2 ".tile has 8 words: no word '99'" "$TENSIX" debug bh.s -c 'break 99'
refuses "no such array" 2 'none.npy: No such file' "$TENSIX" debug bh.s \
    -c 'watch L3 differs none.npy'
refuses "no L1" 2 'there is no L1' "$TENSIX" debug bh.s -c 'print l1[0]'
refuses "an array too many" 2 'takes 1 input' "$TENSIX" debug bh.s --in x.npy --in x.npy
refuses "options of kernels for cores" 2 "are programs of a tile's cores" \
    "$TENSIX" debug --elf t0=x.elf --seed 3
refuses "no file of commands" 2 'none.txt: cannot be read' "$TENSIX" debug bh.s --batch none.txt
printf 'break :6\n# a remark\n\nc\ninfo breakpoints\n' >batch.txt
"$TENSIX" debug bh.s --batch batch.txt >out
same "a file of commands" 3 "$(grep -c '^(tensix)' out)"
"$TENSIX" debug bh.s <batch.txt >piped
same "and from standard input" "$(cat out)" "$(cat piped)"
printf 'stepi\nquit\ninfo\n' | "$TENSIX" debug bh.s >out
same "quit ends it" 2 "$(grep -c '^(tensix)' out)"

# A deadlock is where a run ends, and the way back leads out of it.
printf '.arch bh\n.thread 1\nsfpnop\nttsemwait 511,4,1\nsfpnop\n' >stuck.s
"$TENSIX" debug stuck.s -c continue -c threads -c back >out
check "a deadlock" grep -q 'T1 waits since .* for semaphore 2' out
check "and before it" grep -q 'ttsemwait' out
finish
