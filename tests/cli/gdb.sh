#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix tile run --gdb: gdb-multiarch on the compiled copy of a tile, in both directions, and a
# client that sends what gdb does not.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"

# A client of its own: sockets, interrupts, lost connections. A count in T0, for ever.
printf '\x37\x05\x02\x00\x93\x85\x15\x00\x23\x20\xb5\x00\x6f\xf0\x9f\xff' >count.bin
check "a client of the protocol" python3 "$TX_SOURCE/tests/cli/gdb_client.py" "$TENSIX"
refuses "a port that is none" 2 '--gdb: .*neither a port' \
    "$TENSIX" tile run --arch bh --elf t0=count.bin --gdb 99999
mkdir there
refuses "a socket that cannot be" 2 'nowhere/s: No such file' \
    "$TENSIX" tile run --arch bh --elf t0=count.bin --gdb nowhere/s
refuses "no gdb comes" 3 'connection to gdb is lost' \
    sh -c "\"$TENSIX\" tile run --arch bh --elf t0=count.bin --gdb - </dev/null"

if ! command -v gdb-multiarch >/dev/null || ! command -v riscv64-unknown-elf-g++ >/dev/null; then
    echo "without gdb-multiarch or riscv64-unknown-elf-g++ (make deps) the rest is left out"
    finish
    exit
fi
python3 - <<'EOS'
import numpy as np
np.save("a.npy", np.random.default_rng(0).normal(size=(32, 32)).astype(np.float32))
EOS
kernel=$TX_SOURCE/examples/llk_style/tile_datacopy.cpp
cat >session <<'EOS'
set confirm off
set pagination off
set remotetimeout 300
set sysroot /
python
import os
gdb.execute("target remote | " + os.environ["RUN"] + " --gdb -")
def show(name, *texts):
    print("##", name, *texts)
def value(text):
    return int(gdb.parse_and_eval(text))
def thread():
    return gdb.selected_thread().num
def function():
    return gdb.selected_frame().name()
show("threads", *sorted((t.num, t.name) for t in gdb.selected_inferior().threads()))
show("reset", "in reset" in gdb.execute("info threads", to_string=True))
gdb.execute("break kernel_main thread 3")
gdb.execute("continue")
show("break", thread(), function())
gdb.execute("delete")
before = value("$pc")
gdb.execute("stepi")
show("step", value("$pc") - before, thread())
gdb.execute("watch *(int *)0x1ffbc")
gdb.execute("continue")
show("watch", thread(), value("*(int *)0x1ffbc"), value("$t1"))
gdb.execute("delete")
gdb.execute("reverse-stepi")
show("back", value("*(int *)0x1ffbc"), value("$t1"))
gdb.execute("stepi")
show("again", value("*(int *)0x1ffbc"))
gdb.execute("break kernel_main thread 3")
gdb.execute("reverse-continue")
show("reverse", thread(), function(), value("*(int *)0x1ffbc"))
gdb.execute("set var $lreg3.u[7] = 0x3f800000")
show("lane", float(gdb.parse_and_eval("$lreg3.f[7]")),
     gdb.execute("monitor lreg 3 7", to_string=True).split()[-1])
show("gpr", value("$gpr5"), value("$rwc_dst"), value("$semaphore1"))
gdb.execute("delete")
gdb.execute("reverse-continue")
show("begin", value("$pc") in (0x6000, 0xa000, 0xe000))
gdb.execute("break pack_end")
gdb.execute("continue")
show("pack", thread())
gdb.execute("thread 4")
gdb.execute("set scheduler-locking on")
gdb.execute("nexti")
gdb.execute("set scheduler-locking replay")
gdb.execute("watch *(int *)0x28000")
gdb.execute("continue")
full = value("*(int *)0x28000") != 0
gdb.execute("reverse-continue")
show("packer", full, value("*(int *)0x28000"))
gdb.execute("delete")
try:
    gdb.execute("monitor dance")
except gdb.error as e:
    show("refused", "Rcmd" in str(e))
gdb.execute("detach")
end
EOS
said() { sed -n "s/^## $1 //p" said; }
for chip in bh wh; do
    "$TENSIX" cc --arch "$chip" "$kernel" -o "out-$chip"
    RUN="$TENSIX tile run --arch $chip --elf t0=out-$chip/unpack.elf --elf t1=out-$chip/math.elf \
        --elf t2=out-$chip/pack.elf --poke 0x20000=0x21000 --poke 0x20004=0x28000 \
        --poke 0x20008=1 --l1 0x21000=a.npy:bf16"
    export RUN
    $RUN --l1-out 0x28000:bf16:32x32=want.npy >plain
    RUN="$RUN --l1-out 0x28000:bf16:32x32=got.npy"
    rm -f got.npy
    timeout 600 gdb-multiarch -nx -batch -x session >said 2>&1 || true
    same "$chip: threads" "(1, 'b') (2, 't0') (3, 't1') (4, 't2') (5, 'nc')" "$(said threads)"
    same "$chip: who is in reset" True "$(said reset)"
    same "$chip: a breakpoint on T1" "3 kernel_main" "$(said break | sed 's/()//')"
    same "$chip: a step" "4 3" "$(said step)"
    same "$chip: a watchpoint" "3 255 255" "$(said watch)"
    same "$chip: back over the store" "0 255" "$(said back)"
    same "$chip: and over it again" 255 "$(said again)"
    same "$chip: back to a breakpoint" "3 kernel_main 0" "$(said reverse | sed 's/()//')"
    same "$chip: a lane of an LReg" "1.0 1" "$(said lane)"
    same "$chip: other registers" "0 0 0" "$(said gpr)"
    same "$chip: the beginning" True "$(said begin)"
    same "$chip: what the packer writes is watched, both ways" "True 0" "$(said packer)"
    check "$chip: it says that no core wrote it" grep -q "not by a core" said
    same "$chip: a function of T2 alone" 4 "$(said pack)"
    same "$chip: an error of monitor" True "$(said refused)"
    soon test -e got.npy || true # gdb does not wait for the rest of the run
    check "$chip: after detach the run ends as without gdb" cmp want.npy got.npy
done

# The session that docs/gdb.md shows, in its order; paths and the
# lines of installed headers do not count.
mkdir doc
cd doc
cp -r ../out-bh out
cp ../a.npy x.npy
python3 - "$TX_SOURCE/docs/gdb.md" "$TENSIX" >differs <<'EOS'
import os, re, subprocess, sys
block = next(b for b in open(sys.argv[1]).read().split("```") if "target remote" in b)
shown = [line for line in block.splitlines() if line.strip()]
with open("session", "w") as out:
    out.write("set confirm off\nset pagination off\nset remotetimeout 300\n")
    out.writelines(line[6:] + "\n" for line in shown if line.startswith("(gdb) "))
folder = os.path.dirname(os.path.abspath(sys.argv[2]))
env = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
said = subprocess.run(["gdb-multiarch", "-nx", "-batch", "-x", "session"], env=env, timeout=600,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
def cut(line):
    line = re.sub(r"((tensix|push)\.h(:|, line ))\d+", r"\1N", line)
    return re.sub(r"[^ ]*/(?=(examples|tensix)/)", "", line).split()
lines = iter([cut(line) for line in said.splitlines()])
for line in shown:
    if not line.startswith("(gdb) ") and cut(line) not in lines:
        sys.exit(print("not said, or not there:", line))
EOS
same "docs/gdb.md" "" "$(cat differs)"
finish
