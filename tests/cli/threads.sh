#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs of several threads: .thread, three files, the trace's gates, deadlocks, .mop, .setcfg.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

# Issue column of a row of the trace: issue FILE T
issue() { grep -E "^ *$2 \|" "$1" | awk -F'|' '{ gsub(/^ +| +$/, "", $7); print $7 }'; }

# T0 loads, T1 squares, T2 stores; semaphores 1 and 2 pass the row on.
cat >"$work/relay.s" <<'EOS'
.dst fp32
.init
.thread 0
ttseminit 1,0,6
.tile
ttnop
ttsemwait 511,2,2
sfpload L0,0,3,3
ttsempost 2
.thread 1
ttsemwait 511,2,1
sfpmul L0,L0,L0,0
ttsemget 2
ttsempost 4
.thread 2
ttsemwait 511,4,1
sfpstore L0,0,3,3
ttsemget 4
EOS
for chip in bh wh; do
    "$TENSIX" trace "$work/relay.s" --arch $chip >"$work/t"
    # timing.md c.5: one SEM instruction a cycle over all threads; a met wait costs two cycles.
    same "$chip: turns" \
        "T0 ttnop; T1 ttsemwait 511,2,1; T2 stall: semwait waits: T1 enters the unit" \
        "$(issue "$work/t" 0)"
    same "$chip: one of three" "T1 ttsemget 2; T2 stall: dst +0=L0 fp32 waits: its SEMWAIT: \
semaphore 2 (0 of 1) to be above 0" "$(issue "$work/t" 8)"
    same "$chip: the last" "T2 ttsemget 4" "$(issue "$work/t" 12)"
    same "$chip: end" "# 13 cycles, 11 instructions issued, 18 cycles stalled" \
        "$(tail -1 "$work/t")"
    "$TENSIX" trace "$work/relay.s" --arch $chip --json >"$work/t"
    check "$chip: json names the thread" grep -q '"ev": "issue".*"thread": 2' "$work/t"
    "$TENSIX" run --cycles "$work/relay.s" --arch $chip >"$work/t"
    check "$chip: cycles" grep -q '^cycles, tile *13,' "$work/t"
    # without one SEMPOST: a deadlock that names its semaphore
    grep -v 'ttsempost 4' "$work/relay.s" >"$work/dead.s"
    for command in trace "run --cycles"; do
        status=0
        # shellcheck disable=SC2086 # the words of the command
        "$TENSIX" $command "$work/dead.s" --arch $chip >/dev/null 2>"$work/err" || status=$?
        same "$chip: $command, deadlock" 1 "$status"
        check "$chip: $command names thread and wait" grep -q \
            '^  T2 .*since cycle .* before SFPSTORE, by SEMWAIT of cycle ' "$work/err"
        check "$chip: $command names the semaphore" grep -qF \
            '  semaphore 2 (0 of 1) to be above 0  SEMPOST of semaphore 2' "$work/err"
        same "$chip: $command, a line and a table" 3 "$(wc -l <"$work/err")"
    done
done

# The same as three files.
for t in 0 1 2; do
    {
        echo ".arch bh"
        echo ".dst fp32"
        awk -v t=$t '/^\.thread/ { now = $2; next } /^\.(init|tile)/ { print; next }
                     /^\.dst/ { next } now == t' "$work/relay.s"
    } >"$work/t$t.s"
done
"$TENSIX" trace "$work/t0.s" "$work/t1.s" "$work/t2.s" | sed 1d >"$work/three"
"$TENSIX" trace "$work/relay.s" --arch bh | sed 1d >"$work/one"
check "three files" cmp "$work/one" "$work/three"
check "run takes three files" "$TENSIX" run --cycles "$work/t0.s" "$work/t1.s" "$work/t2.s"

# What is refused: message and status.
refuse() { # NAME STATUS MESSAGE COMMAND...
    local name=$1 want=$2 message=$3 status=0
    shift 3
    "$@" >"$work/out" 2>"$work/err" || status=$?
    same "$name" "$want" "$status"
    check "$name: message" grep -qF "$message" "$work/err"
}
refuse "four files" 2 "at most 3 kernels" \
    "$TENSIX" trace "$work/t0.s" "$work/t1.s" "$work/t2.s" "$work/t0.s"
refuse "threads in one of several" 2 "a program of several threads" \
    "$TENSIX" trace "$work/relay.s" "$work/t1.s" --arch bh
sed 's/^.arch bh/.arch wh/' "$work/t1.s" >"$work/w.s"
refuse "two chips" 2 "for two chips" "$TENSIX" trace "$work/t0.s" "$work/w.s"
refuse "lint" 2 "a program of several threads" "$TENSIX" lint "$work/relay.s" --arch bh
refuse "gaps" 2 "several threads, and gaps are for one" \
    "$TENSIX" run --cycles --gaps=each=1..2 "$work/relay.s" --arch bh
printf '.arch bh\n.thread 3\nttnop\n' >"$work/bad.s"
refuse "thread 3" 2 "bad.s:2:" "$TENSIX" trace "$work/bad.s"

same "asm says the thread" "# .thread 0 # .thread 0 # .thread 1 # .thread 2" \
    "$("$TENSIX" asm --arch bh "$work/relay.s" | grep thread | tr '\n' ' ' | sed 's/ $//')"

# .mop, then a MOP: four words out of one.
cat >"$work/mop.s" <<'EOS'
.arch bh
.mop 0, 0, 0, 0x02000000, 0x71120001
.mop 7, 0x02000000
ttmop 0,3,4
EOS
"$TENSIX" trace "$work/mop.s" >"$work/t"
check "MOP: first word" grep -Eq '^ +0 .*ttmop 0,3,4; sfploadi L1,1,2' "$work/t"
check "MOP: third word is skipped" grep -Eq '^ +2 .*ttnop' "$work/t"
same "MOP: end" "# 4 cycles, 4 instructions issued, 0 cycles stalled" "$(tail -1 "$work/t")"
printf '.arch bh\n.mop 8, 1, 2\n' >"$work/bad.s"
refuse "MopCfg has nine words" 2 "MopCfg has nine words" "$TENSIX" asm "$work/bad.s"

# Configuration fields by name: positions of cfg_defines.h as isa/config.def has them.
words() { "$TENSIX" asm --arch "$1" "$2" | grep -v '^#' | tr '\n' ' '; }
cat >"$work/cfg.s" <<'EOS'
.setcfg ADDR_MOD_DST_SEC7_DestIncr, 2
.setcfg ADDR_MOD_DST_SEC0_DestIncr, 3, ADDR_MOD_DST_SEC0_DestClear, 1
.setcfg ALU_FORMAT_SPEC_REG1_SrcB, 5
ttsetc16 ADDR_MOD_DST_SEC7_DestIncr_ADDR32, 2 << ADDR_MOD_DST_SEC7_DestIncr_SHAMT
ttsetc16 CFG_STATE_ID_StateID, CFG_STATE_ID_StateID_MASK
EOS
index() { # FIELD CHIP: its word by the table
    sed -n "s/^THREAD_CFG(\($2\|BOTH\), $1, \([0-9]*\),.*/\2/p" "$TX_SOURCE/isa/config.def" |
        head -1
}
bh7=$(printf 'b2%02x0002' "$(index ADDR_MOD_DST_SEC7_DestIncr BH)")
bh0=$(printf 'b2%02x0803' "$(index ADDR_MOD_DST_SEC0_DestIncr BH)")
# REG1_SrcB is word 1, bits 24:21: byte 2 mask e0 value a0, byte 3 mask 01 value 00
same "bh: .setcfg" "$bh7 $bh0 b5e0a001 b6010001 $bh7 b2000001 " "$(words bh "$work/cfg.s")"
wh7=$(printf 'b2%02x0002' "$(index ADDR_MOD_DST_SEC7_DestIncr WH)")
wh0=$(printf 'b2%02x0803' "$(index ADDR_MOD_DST_SEC0_DestIncr WH)")
same "wh: .setcfg" "$wh7 $wh0 b5e0a001 b6010001 $wh7 b2000001 " "$(words wh "$work/cfg.s")"
printf '.arch bh\n.setcfg NO_SUCH_FIELD, 2\n' >"$work/bad.s"
refuse "no such field" 2 "no such configuration field" "$TENSIX" asm "$work/bad.s"
printf '.arch bh\n.setcfg CFG_STATE_ID_StateID, 2\n' >"$work/bad.s"
refuse "value too big" 2 "bad.s:2:" "$TENSIX" asm "$work/bad.s"
printf '.arch bh\n.setcfg CFG_STATE_ID_StateID, 1, SFPU_STACK_Incr, 1\n' >"$work/bad.s"
refuse "two words" 2 "share a word" "$TENSIX" asm "$work/bad.s"

finish
