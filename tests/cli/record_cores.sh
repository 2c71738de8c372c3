#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix record --elf and lint --elf: what the cores of a tile push, as a kernel that run takes.
# shellcheck disable=SC1091,SC2154,SC2119 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
python3 "$TX_SOURCE/tests/cli/tile_elf.py" .
if "$TENSIX" tile run --arch bh --elf t0=t0.elf 2>&1 | grep -q 'without libelf'; then
    echo "skipped: built without libelf"
    exit 77
fi

# A core's stores are words that do the same, before what it pushes after them.
for chip in bh wh; do
    "$TENSIX" record --arch "$chip" --elf t1=push.elf -o push.s
    same "$chip: the thread's words" "RMWCIB0(0x23,0x23,60) RMWCIB1(0x01,0x01,60)
SETDMAREG(0,0x0123,0,6) SEMPOST(8) sfpmad sfpmov" \
        "$(sed -n '/^.thread math/,/^.thread pack/p' push.s | grep -v 'STALLWAIT\|^\.\|^$' |
            sed 's/^ *TTI_//; s/^ *//; s/, /,/g; s/ .*//' | paste -sd ' ' |
            sed 's/ SETD/\nSETD/')"
    check "$chip: it waits before and behind" test "$(grep -c STALLWAIT push.s)" -eq 2
    check "$chip: run takes it" "$TENSIX" run push.s --l1-out 0x20000:uint32:4:rows=out.bin
done
check "lint: Blackhole holds the second word" "$TENSIX" lint --arch bh --elf t1=push.elf
status=0
"$TENSIX" lint --arch wh --elf t1=push.elf >text || status=$?
same "lint: Wormhole does not" 1 "$status"
check "lint: in the thread" \
    grep -q '^thread math: word 1: hazard \[E-HAZ\] wh: SFPMOV .*SFPMAD' text
status=0
"$TENSIX" lint --arch wh --elf t1=push.elf --elf t0=t0.elf --json >json || status=$?
same "lint as JSON" "1 thread math ." "$status $(python3 -c '
import json
root = json.load(open("json"))
print(root["results"][0]["file"], root["tile"] + ".")')"
status=0
"$TENSIX" lint --arch wh --elf t0=t0.elf --elf t1=t1.elf >text || status=$?
same "lint: what the run finds: a word that nobody has written yet" 1 "$status"
check "lint: is told" grep -q '^finding .*E-L1INIT.*core t1' text
check "nothing to lint" "$TENSIX" lint --arch bh --elf t0=t0.elf
same "record as JSON" "tile" "$("$TENSIX" record --arch bh --elf t1=push.elf --json | python3 -c '
import json, sys
print(json.load(sys.stdin)["name"])')"
refuses "a store that no word does" 1 'core t1 stores 00000000 to ffbd8000 .*no word stores' \
    "$TENSIX" record --arch bh --elf t1=window.elf -o never.s
refuses "a deadlock" 1 'deadlock after' "$TENSIX" record --arch bh --elf t1=dead.elf -o never.s
check "no file" test ! -e never.s
# The core's own instructions, with what they push.
"$TENSIX" dis --riscv --arch bh push.elf stored.elf >text
check "dis: configuration" \
    grep -q '^0000a008: sw a1, 240(a0)  # configuration word 60 = 0x123$' text
check "dis: GPR" grep -q '^0000a010: sw a1, 12(a0)  # GPR3 = 0x123$' text
check "dis: a word" grep -q '^0000a01c: sfpmad L0,' text
check "dis: a word that is stored" grep -q '^0000a00c: sw a1, 0(a0)  # pushes ttnop$' text
check "dis: where a branch comes back nothing is known" grep -q '^0000a010: sw a1, 0(a0)$' text
refuses "dis: not with words" 2 riscv "$TENSIX" dis --riscv --words --arch bh push.elf
refuses "a source besides" 2 'do not go with --elf' "$TENSIX" record a.cpp --arch bh \
    --elf t1=push.elf
refuses "a file besides" 2 'do not go with --elf' "$TENSIX" lint a.s --arch bh --elf t1=push.elf

# Whole kernels: the same bytes in L1.
if ! command -v riscv64-unknown-elf-gcc >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-gcc, so no kernel was compiled"
    finish
    exit 0
fi
npy a.npy f4 "(32, 32)" "[float(i % 13 - 6) for i in range(1024)]"
npy b.npy f4 "(32, 32)" "[float(i % 7 - 3) for i in range(1024)]"
io="--l1 0x21000=a.npy:bf16 --l1 0x24000=b.npy:bf16 --l1-out 0x28000:uint32:512:rows"
for chip in bh wh; do
    for name in datacopy matmul; do
        "$TENSIX" cc --arch "$chip" "$TX_SOURCE/examples/llk_style/tile_$name.cpp" -o elves
        third="--poke 0x20004=0x24000 --poke 0x20008=0x28000"
        [ $name = matmul ] || third="--poke 0x20004=0x28000 --poke 0x20008=1"
        elves="--elf t0=elves/unpack.elf --elf t1=elves/math.elf --elf t2=elves/pack.elf"
        # shellcheck disable=SC2086 # words
        "$TENSIX" tile run --arch "$chip" $elves --poke 0x20000=0x21000 $third $io=want.bin \
            >/dev/null
        # shellcheck disable=SC2086 # words
        check "$chip: $name is recorded" "$TENSIX" record --arch "$chip" $elves \
            --poke 0x20000=0x21000 $third ${io% --l1-out*} -o "$name.s"
        # shellcheck disable=SC2086 # words
        check "$chip: $name runs" "$TENSIX" run "$name.s" $io=got.bin
        check "$chip: $name leaves the same L1" cmp want.bin got.bin
        rm -f want.bin got.bin
    done
done
finish
