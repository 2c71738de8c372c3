#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C and SIGTERM: one line, the signal's status, no output that looks whole, nothing behind.
# sweep, which tells what it has done, has its own (sweep.sh).
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

# Seconds of work for every command.
{
    printf '.arch blackhole\n.dst fp32\n.tile\n.rept 300000\n'
    printf 'sfpmad L1,L0,L0,L1,0\nsfpnop\n.endr\n'
} >long.s
npy x.npy f4 "(409600,)" "[1] * 409600"

# interrupted NAME SIGNAL NUMBER FILE COMMAND...: ended when FILE is there; "-": when it has worked.
interrupted() {
    local name=$1 signal=$2 number=$3 file=$4 got=0 child
    shift 4
    # A background job of a script has SIGINT ignored, under nohup SIGHUP: in a terminal neither is.
    env --default-signal=INT,TERM,HUP "$@" >out 2>err &
    child=$!
    for ((i = 0; i < 1500; i++)); do
        [ ! -e "$file" ] || break
        [ "$file" != - ] || ! worked $child || break
        sleep 0.02
    done
    kill -"$signal" $child || true # where it has ended already, the status tells
    wait $child || got=$?
    same "$name, SIG$signal: status" $((128 + number)) $got
    same "$name, SIG$signal: what it says" "tensix: interrupted" "$(cat err)"
}
end() { # NAME SIGNAL NUMBER COMMAND...
    interrupted "$1" "$2" "$3" - "${@:4}"
    check "$1: no report" test ! -s out
}
end lint INT 2 "$TENSIX" lint long.s
end lint TERM 15 "$TENSIX" lint long.s
end run INT 2 "$TENSIX" run long.s --in x.npy --out y.npy --engine reference
end "run to JSON" TERM 15 "$TENSIX" run long.s --json --in x.npy --out y.npy --engine reference
check "run: no output" bash -c '! ls y.npy* 2>/dev/null'
words='.rept 1000000
sfpstochrnd L1,L0,L0,1,0,1
.endr'
end eval INT 2 "$TENSIX" eval --arch bh "$words"
interrupted trace INT 2 - "$TENSIX" trace long.s
check "trace: no end" bash -c '! grep -q "cycles stalled" out'
interrupted "trace to a file" HUP 1 - "$TENSIX" trace long.s --konata t.log
check "trace: no file" bash -c '! ls t.log* 2>/dev/null'

# ---- sweep: a reference without an answer ----

cat >hangs.py <<EOP
import os, time
def reference(x):
    open("asked", "w").write(str(os.getpid()))
    time.sleep(600)
EOP
printf '.arch blackhole\n.dst bf16\n.tile\nsfpload L0,0,0,3\nsfpstore L0,0,0,3\n' >id.s
got=0
env --default-signal=INT "$TENSIX" sweep id.s --sample 9 --reference hangs.py >out 2>err &
child=$!
for ((i = 0; i < 1500; i++)); do
    [ ! -s asked ] || break
    sleep 0.02
done
kill -INT $child
wait $child || got=$?
same "sweep, a reference that hangs: status" 1 $got
check "and what is done" grep -q 'interrupted after 0 of 9 inputs' err
check "and nothing stays" bash -c '! kill -0 "$(cat asked)" 2>/dev/null'

# ---- record: its folder and its compilers ----

cat >slow <<EOS
#!/bin/sh
for word; do
    [ "\$word" != -E ] || exec ${CXX:-c++} "\$@"
done
sleep 1234.$$ &
: >"$work/began"
sleep 1234.$$
EOS
cat >hang.cpp <<EOS
#include <tensix/ckernel_ops.h>
#include <unistd.h>
void kernel()
{
    fclose(fopen("$work/began", "w"));
    sleep(1234);
}
void good()
{
    TTI_SFPMUL(0, 0, 9, 1, 0);
}
EOS
chmod +x slow
mkdir tmp
orphans() { pgrep -f "sleep 1234[.]$$|$work/tmp/" || true; }
for case in "INT 2" "TERM 15" "HUP 1"; do
    rm -f began
    # shellcheck disable=SC2086 # two words
    TMPDIR=$work/tmp interrupted "record, compiling" $case "$work/began" \
        "$TENSIX" record hang.cpp --arch bh --tile good --compiler ./slow -o y.s
    same "no folder" "" "$(ls -A tmp)"
    same "no compiler" "" "$(orphans)"
done
rm -f began
TMPDIR=$work/tmp interrupted "record, running" TERM 15 "$work/began" \
    "$TENSIX" record hang.cpp --arch bh --tile kernel -o y.s
same "no folder" "" "$(ls -A tmp)"
same "no kernel" "" "$(orphans)"
check "no output" test ! -e y.s
check "uninterrupted" "$TENSIX" record hang.cpp --arch bh --tile good -o y.s
finish
