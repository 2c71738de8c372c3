#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix cc: the whole kernels of examples/llk_style on the tile's cores give what the programs of
# examples/tiles give without cores, bit for bit; what is wrong with a source is told at its line.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
if ! command -v riscv64-unknown-elf-g++ >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-g++ (make deps)"
    exit 77
fi
kernels=$TX_SOURCE/examples/llk_style
programs=$TX_SOURCE/examples/tiles
python3 - <<'EOF'
import numpy as np
for i, name in enumerate("abx"):
    values = np.random.default_rng(i).normal(size=(96 if name == "x" else 32, 32))
    np.save(name + ".npy", values.astype(np.float32))
EOF
equal() { # equal NAME [max0]: the second is the first, or the first without what is below zero
    python3 - "$@" <<'EOF'
import sys
import numpy as np
want, got = np.load("want.npy"), np.load("got.npy")
want = np.maximum(want, 0) if len(sys.argv) > 1 else want
sys.exit(want.view(np.uint32).tobytes() != got.view(np.uint32).tobytes())
EOF
}
tile() { # tile CHIP OPTIONS: runs what was compiled last, without time and with it
    local how
    for how in --untimed --races; do
        "$TENSIX" tile run --arch "$1" --elf t0=out/unpack.elf --elf t1=out/math.elf \
            --elf t2=out/pack.elf --strict "$how" "${@:2}" || return
        test "$how" = --races || mv got.npy untimed.npy
    done
    cmp got.npy untimed.npy
}
plain() { # plain CHIP NAME OUTPUT INPUTS: the program in assembler
    "$TENSIX" run "$programs/$2.s" --arch "$1" --l1 0x10000=a.npy:bf16 "${@:3}" \
        --l1-out 0x20000:bf16:32x32=want.npy >/dev/null
}
recorded_lines() { # by the ELF's line table: line 16 has SFPSWAP, once for each 4 rows of 32 lanes
    riscv64-unknown-elf-objdump --dwarf=decodedline out/math.elf >lines.txt
    test "$(awk '$1 == "relu.cpp" && $2 == 16' lines.txt | wc -l)" -ge 32
}
two="--poke 0x20000=0x21000 --poke 0x20004=0x24000 --poke 0x20008=0x28000
     --l1 0x21000=a.npy:bf16 --l1 0x24000=b.npy:bf16 --l1-out 0x28000:bf16:32x32=got.npy"

for chip in bh wh; do
    mkdir -p out
    check "$chip datacopy: compiles" "$TENSIX" cc --arch "$chip" "$kernels/tile_datacopy.cpp" -o out
    plain "$chip" datacopy
    check "$chip datacopy: runs" tile "$chip" --poke 0x20000=0x21000 --poke 0x20004=0x28000 \
        --poke 0x20008=1 --l1 0x21000=a.npy:bf16 --l1-out 0x28000:bf16:32x32=got.npy
    check "$chip datacopy: as datacopy.s" equal
    check "$chip datacopy: three tiles" tile "$chip" --poke 0x20000=0x21000 \
        --poke 0x20004=0x28000 --poke 0x20008=3 --l1 0x21000=x.npy:bf16 \
        --l1-out 0x28000:bf16:96x32=got.npy
    "$TENSIX" convert --arch "$chip" x.npy x.tile:bf16 >/dev/null
    "$TENSIX" convert --arch "$chip" x.tile:bf16 want.npy >/dev/null
    check "$chip datacopy: three tiles are the same three" equal

    "$TENSIX" record "$kernels/relu.cpp" --arch "$chip" --tile kernel -o out/relu.s
    "$TENSIX" asm --push out/relu.s -o out/relu.inc
    check "$chip add_relu: compiles with recorded words" \
        "$TENSIX" cc --arch "$chip" -I out "$kernels/tile_add_relu.cpp" -o out
    plain "$chip" add --l1 0x18000=b.npy:bf16
    # shellcheck disable=SC2086 # words
    check "$chip add_relu: the recorded words have the lines of relu.cpp" recorded_lines
    check "$chip add_relu: runs" tile "$chip" $two
    check "$chip add_relu: as add.s without what is below zero" equal max0

    check "$chip matmul: compiles" "$TENSIX" cc --arch "$chip" "$kernels/tile_matmul.cpp" -o out
    plain "$chip" matmul --l1 0x18000=b.npy:bf16
    # shellcheck disable=SC2086 # words
    check "$chip matmul: runs" tile "$chip" $two
    check "$chip matmul: as matmul.s" equal
done

# --races: the examples have none, as the exit status above says. One that SEMINIT may undo; a
# core's store that the unpacker may overtake, with the two ways to order them.
sed 's/^    dst_free();//' "$kernels/tile_matmul.cpp" >early.cpp
"$TENSIX" cc --arch bh -I "$kernels" early.cpp -o out
# shellcheck disable=SC2086 # words
tile bh $two >text || true
check "races: a post that SEMINIT may take back" grep -q '^race: semaphore 1: ' text
same "races: nothing else" 1 "$(grep -c '^race: ' text)"
store_base() { # store_base AFTER NAME: tile_datacopy.cpp whose core stores a base address
    at='reinterpret_cast<volatile uint32_t *>(0xFFEF0000u) + THCON_SEC0_REG3_Base_address_ADDR32'
    sed "s|^        unpack_begin();|&\n        tensix_sync();\n        *base = *base;\n        $1|
         s|^void kernel_main(void)|static volatile uint32_t *const base = $at;\n&|" \
        "$kernels/tile_datacopy.cpp" >"$2.cpp"
    "$TENSIX" cc --arch bh -I "$kernels" "$2.cpp" -o out
    tile bh --poke 0x20000=0x21000 --poke 0x20004=0x28000 --poke 0x20008=1 \
        --l1 0x21000=a.npy:bf16 --l1-out 0x28000:bf16:32x32=got.npy >"$2.txt"
}
store_base "" danger || true
check "races: the word and the core" grep -q \
    '^race: THCON_SEC0_REG3_Base_address .*(core t0) and .*(T0)$' danger.txt
check "races: the wait for it" grep -q \
    'ttstallwait p_stall::STALL_UNPACK, p_stall::TRISC_CFG' danger.txt
check "races: read back, there is none" store_base "if (*base == 1) { tensix_sync(); }" safe
store_base "(void)*base;" unused || true
check "races: read back, but nothing waits for the value" grep -q \
    '^race: THCON_SEC0_REG3_Base_address .*(core t0) and .*(T0)$' unused.txt
check "races: waited for, there is none" store_base \
    "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);" stall
check "races of cores: each is found, and none when it is repaired" python3 \
    "$TX_SOURCE/tests/race/cores.py" "$TENSIX" "$TX_SOURCE/tests/race/cores.cpp" "$kernels"

# A pack thread without its semaphore wait, and math that is slow: SEMGET finds nothing to get, and
# math waits for ever for room. Who waits for what, by function, instruction and condition.
mkdir -p nowait
sed '/^    TTI_SEMWAIT(p_stall::STALL_PACK/d' "$kernels/tile.hpp" >nowait/tile.hpp
sed 's/^        dst_free();/&\n        for (volatile int i = 0; i < 500; i++) {}/' \
    "$kernels/tile_datacopy.cpp" >nowait/slow.cpp
"$TENSIX" cc --arch bh nowait/slow.cpp -o out
if "$TENSIX" tile run --arch bh --elf t0=out/unpack.elf --elf t1=out/math.elf \
    --elf t2=out/pack.elf --poke 0x20000=0x21000 --poke 0x20004=0x28000 --poke 0x20008=3 \
    --l1 0x21000=x.npy:bf16 --l1-out 0x28000:bf16:96x32=never.npy >text 2>&1; then
    not_ok "a deadlock has status 1"
else
    same "a deadlock has status 1" 1 $?
fi
for core in t0 t1; do # t2 has ended
    check "a deadlock names where $core is and its instruction" \
        grep -Eq "^  core $core +0000[0-9a-f]{4} .*(_start|kernel_main)" text
done
check "a deadlock names what the core waits for" \
    grep -q '^  core t1 .*  the answer of ffe80004 (PC buffer, .*  the thread, working' text
row='^  T1 +since cycle [0-9]+, before [A-Z0-9]+, by SEMWAIT .*  semaphore 1 \(1 of 1\) '
check "a deadlock names what the thread waits for" grep -Eq "$row.*  SEMGET of semaphore 1\$" text
check "a deadlock leaves no output" test ! -e never.npy

# C, one thread, data in local memory, and what is wrong.
cat >plain.c <<'EOF'
#include <tensix/kernel/tensix.h>
static unsigned table[4] = {1, 20, 300, 4000};
static unsigned zero[3];
void kernel_main(void)
{
    for (unsigned i = 0; i < 4; i++) {
        zero[i % 3] += table[i];
    }
    TX_WORD(0x28000) = zero[0] + 2 * zero[1] + 3 * zero[2];
}
EOF
for chip in bh wh; do
    check "$chip: C" "$TENSIX" cc --arch "$chip" --thread math plain.c -o math.elf
    "$TENSIX" tile run --arch "$chip" --elf t1=math.elf --l1-out 0x28000:uint32:1:rows=word.bin \
        >/dev/null
    same "$chip: initialised and zeroed data" 4941 "$(od -An -tu4 word.bin | xargs)"
    other=$([ "$chip" = bh ] && echo wh || echo bh)
    check "$chip: not on the other chip" bash -c "! '$TENSIX' tile run --arch $other \
        --elf t1=math.elf >text 2>&1 &&
        grep -q 'math.elf: is a program of .*, and the tile is' text"
    printf 'int main;\n\tsfpnop\n' >text.s
    check "$chip: a text is no program" bash -c "! '$TENSIX' tile run --arch $chip \
        --elf t1=text.s >text 2>&1 && grep -q 'text.s: is a text' text"
done
# ELF files depend on the source alone: not on the run, nor on the folders that it works in.
cat >start.S <<'EOF'
    .globl kernel_main
kernel_main:
    li a0, 2
again:
    addi a0, a0, -1
    bnez a0, again
    ret
EOF
mkdir one two three
for folder in one two; do
    cp "$kernels/tile_datacopy.cpp" "$kernels"/*.hpp plain.c start.S $folder
    for file in tile_datacopy.cpp plain.c start.S; do
        (cd $folder && PWD=$work/$folder TMPDIR=$work/$folder \
            "$TENSIX" cc --arch bh $file -o "out-$file")
        check "$folder: $file" test -s "$folder/out-$file/math.elf"
    done
done
check "in another folder, byte for byte" diff -r one two
(cd one && TMPDIR=$work/three "$TENSIX" cc --arch bh tile_datacopy.cpp -o again)
check "in another run, byte for byte" diff -r one/again one/out-tile_datacopy.cpp
check "but not of another source" bash -c '! cmp -s one/again/math.elf one/out-plain.c/math.elf'
same "JSON names the files" "out/unpack.elf out/math.elf out/pack.elf" \
    "$("$TENSIX" cc --arch bh plain.c -o out --json | python3 -c \
        'import json, sys; print(*json.load(sys.stdin)["items"])')"
fails() { # fails WHAT TEXT OPTIONS
    local what=$1 text=$2 status=0
    shift 2
    rm -f bad.elf
    "$TENSIX" cc "$@" >text 2>&1 || status=$?
    same "$what: status" 2 "$status"
    check "$what: text" grep -q -- "$text" text
    check "$what: one line" test "$(wc -l <text)" -eq 1
    check "$what: no file" test ! -e bad.elf
}
printf 'int main(void) { return x; }\n' >wrong.c
fails "an error" 'wrong.c:1: ' --arch bh --thread math wrong.c -o bad.elf
kernel='#include <tensix/kernel/tensix.h>'
printf '%s\nvoid kernel_main(void) { TTI_SETADCXX(9, 0, 0); }\n' "$kernel" >wide.c
fails "an argument too wide" 'too wide' --arch bh --thread math wide.c -o bad.elf
printf '%s\nint b[3000] = {1};\nvoid kernel_main(void) { b[tx_argument(0)]++; }\n' "$kernel" \
    >big.c
fails "too much data" 'LOCAL' --arch wh --thread math big.c -o bad.elf
printf '%s\nvoid f(void);\nvoid kernel_main(void) { f(); }\n' "$kernel" >undefined.c
fails "a missing function" 'undefined reference to .f' --arch wh --thread math \
    undefined.c -o bad.elf
fails "no source, a folder" 'nosuch.c' --arch bh nosuch.c -o new
check "no source: no folder" test ! -e new
fails "no compiler" "the compiler 'nosuch' cannot be run" --arch bh --compiler nosuch \
    --thread pack plain.c -o bad.elf
fails "no source" 'nosuch.c' --arch bh --thread pack nosuch.c -o bad.elf
fails "no chip" 'SOURCE, -o or --arch is missing' --thread pack plain.c -o bad.elf
fails "no such thread" 'thread' --arch bh --thread dance plain.c -o bad.elf
finish
