#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix tile run: ELF files on the tile's cores, from L1 to L1; broken files; deadlocks.
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
run_() { "$TENSIX" tile run "$@"; }
u32() { od -An -tu4 -v "$1" | xargs; }

for chip in bh wh; do
    for how in "" --untimed; do
        check "$chip $how: two cores" run_ --arch "$chip" $how --elf t0=t0.elf --elf math=t1.elf \
            --l1-out 0x20000:uint32:2:rows="$work/out.bin"
        same "$chip $how: what they left" "42 43" "$(u32 out.bin)"
    done
done
run_ --arch bh --elf t0=t0.elf --elf t1=t1.elf >text
cp text text2
check "t1 polls what nobody has written" \
    grep -q 'E-L1INIT.* core t1 at 0000a004, lw a1, 0(a0): 00020000: load of bytes of L1' text
run_ --arch bh --elf t0=t0.elf --elf t1=t1.elf --poke 0x20000=0 >text
check "where they are" grep -q '^core t0 .* 4 instructions, paused at 00006010' text
check "and the other" grep -q '^core t1 .*, loops for ever at 0000a014 in wait_and_add+0x14' text
check "no findings" bash -c 'grep -q "^findings *none" text'
run_ --arch bh --elf t0=t0.elf --json >json
same "as JSON" "t0 paused 4" "$(python3 -c "
import json
c = [c for c in json.load(open('json'))['cores'] if c['core'] == 't0'][0]
print(c['core'], c['state'], c['instructions'])")"
check "an image" run_ --arch wh --elf t0=t0.bin --l1-out 0x20000:uint32:1:rows=out.bin
same "an image: result" 42 "$(u32 out.bin)"
# L1 of Wormhole has 1464 KiB; T0 starts at 0x6000.
head -c $((1464 * 1024 - 0x6000 + 1)) /dev/zero >large.bin
refuses "an image that is a byte too large" 2 "larger than what L1 has from the core's start" \
    "$TENSIX" tile run --arch wh --elf t0=large.bin
check "files in L1" run_ --arch bh --elf t1=t1.elf --l1 0x20000=out.bin \
    --l1-out 0x20000:uint32:2:rows=out2.bin
same "files in L1: result" "42 43" "$(u32 out2.bin)"
check "a word stored first" run_ --arch bh --elf t1=t1.elf --poke 0x20000=7 \
    --until 0x20004=8 --until 0x20000=7
check "a word of four different bytes" run_ --arch bh --elf t1=t1.elf --poke 0x20000=7 \
    --poke 0x20010=0x89ABCDEF --until 0x20010=0x89ABCDEF
check "local memory" run_ --arch wh --elf t0=local.elf --l1-out 0x20010:uint32:1:rows=out.bin
same "local memory: result" 51966 "$(u32 out.bin)"
check "by way of .loader_init" run_ --arch wh --elf t0=loader.elf \
    --l1-out 0x9000:uint32:1:rows=out.bin
same ".loader_init: in L1" 51966 "$(u32 out.bin)"
printf '\007\000\000\000' >seven.bin
check "room that two programs ask for" run_ --arch wh --elf t0=room.elf --elf t1=room1.elf \
    --l1 0x20000=seven.bin --l1-out 0x20000:uint32:2:rows=out.bin \
    --l1-out 0x9000:uint32:1:rows=out2.bin
same "room: what lies there stays" "7 8" "$(u32 out.bin)"
same "room: and takes the image" 51966 "$(u32 out2.bin)"
check "a word stored later" run_ --arch bh --elf t1=t1.elf --poke 0x20000=7@3000 \
    --until 0x20004=8 --json
run_ --arch bh --elf t1=t1.elf --poke 0x20000=7@3000 --json >json
same "a word stored later: the core has waited for it" yes "$(python3 -c "
import json
n = json.load(open('json'))['cycles']
print('yes' if 3000 < n < 3200 else n)")"
# B releases T0 by itself, tt-llk's way; here it only rests, so T0 stays in reset.
run_ --arch bh --elf b=t0.bin --elf t0=t0.elf --boot b >text
check "B alone" bash -c "grep -q '^core b ' text && ! grep -q '^core t0 ' text"

stands='core t1  0000a014 no_post.0x14 '
refuses "a deadlock" 1 \
    "deadlock after [0-9]+ cycles .*$stands.* T1 .* semaphore 1 .* SEM(POST|GET) of semaphore 1" \
    "$TENSIX" tile run --arch bh --elf t1=dead.elf
check "a finding of a core: where" bash -c \
    "grep -q '^finding .*wait_and_add+0x4: .*core t1 at 0000a004' text2"
refuses "a fault: where" 1 'fault in cycle .*core t1 at 0000a004.*; in wait_and_add.0x4$' \
    "$TENSIX" tile run --arch bh --elf t0=t0.elf --elf t1=t1.elf --strict
refuses "too few cycles" 1 'not done after 100 cycles; t1 at 0000a00[48]' \
    "$TENSIX" tile run --arch bh --elf t1=t1.elf --max-cycles 100 --poke 0x20000=0
refuses "never so" 1 'every core rests after 16 cycles, and 00020000 is 0000002a, not 00000001' \
    "$TENSIX" tile run --arch bh --elf t0=t0.elf --until 0x20000=1

# Programs that go astray: the core, where it stands, and what it did, in one line each.
for chip in bh wh; do
    for how in "" --untimed; do
        run_ --arch $chip $how --elf t0=nowhere.elf >text 2>&1 && status=0 || status=$?
        same "$chip $how: a jump to nowhere" 1 $status
        check "its line" grep -q 't0 at 40000000, .*instructions cannot be fetched from there' text
        check "its end" grep -q 'stopped after .*[0-9] cycles; t0 at 40000000, .*: stopped at' text
        run_ --arch $chip $how --elf t0=itself.elf >text 2>&1 || not_ok "itself" "$(cat text)"
        check "a changed instruction" \
            grep -q 't0 at 00006008, addi a2, a2, 2: .* overwritten where the core may' text
        run_ --arch $chip $how --elf t0=forever.elf --max-cycles 500 >text 2>&1 && status=0 ||
            status=$?
        same "$chip $how: no end" "1 not done after 500 cycles; t0 at 0000600" \
            "$status $(grep -o 'not done.* t0 at 0000600' text | sed 's/at least //')"
        run_ --arch $chip $how --elf t0=stack.elf --max-cycles 500 >text 2>&1 && status=0 ||
            status=$?
        same "$chip $how: a stack without end" 1 $status
        check "its first store beyond" \
            grep -q 't0 at 0000600c, sw ra, 0(sp): ffaffff0: below the local memory' text
    done
done

refuses "no chip" 2 'which chip' "$TENSIX" tile run --elf t0=t0.elf
refuses "no program" 2 '--elf: no program is given' "$TENSIX" tile run --arch bh
refuses "no such core" 2 "no core 't3'" "$TENSIX" tile run --arch bh --elf t3=t0.elf
refuses "no file" 2 'No such file' "$TENSIX" tile run --arch bh --elf t0=none.elf
refuses "twice" 2 'core t0 has two programs' "$TENSIX" tile run --arch bh --elf t0=t0.elf \
    --elf unpack=t0.elf
refuses "programs that overlap" 2 'overlaps that of t0.elf at 00006000' \
    "$TENSIX" tile run --arch bh --elf t0=t0.elf --elf t1=t0.elf
refuses "a bad word" 2 "'0x20001=1' is not" "$TENSIX" tile run --arch bh --elf t0=t0.elf \
    --poke 0x20001=1
refuses "a bad cycle" 2 '--poke' "$TENSIX" tile run --arch bh --elf t0=t0.elf --poke 0x20000=1@x
refuses "nothing there later" 2 'there is nothing at 00180000' "$TENSIX" tile run --arch bh \
    --elf t0=t0.elf --poke 0x180000=1@5
refuses "nothing there" 2 'there is nothing at 00180000' "$TENSIX" tile run --arch bh \
    --elf t0=t0.elf --poke 0x180000=1
refuses "boot" 2 'core b has no program' "$TENSIX" tile run --arch bh --elf t0=t0.elf --boot b
bad() { refuses "broken: $1" 2 "^tensix.*bad-$1.elf.*: .*$2" "$TENSIX" tile run --arch bh \
    --elf "t0=bad-$1.elf"; }
bad 64 '32 bits'
bad order '32 bits'
bad machine 'not of RISC-V \(machine 62\)'
bad type 'not a linked program'
bad entry 'begins at ffb00000'
bad odd 'begins at 00006002'
bad outside '4 bytes at 0017fffe, outside L1'
bad huge 'outside L1'
bad size 'not in the file'
bad offset 'not in the file'
bad overlap 'overlaps that of'
bad local 'beyond the core.s 4096 bytes of local memory'
bad loader '4 bytes for local memory and 2 in .loader_init'
bad nothing 'nothing to load'
bad short 'nothing to load'
bad head 'ELF'
for file in fuzz-*.elf; do
    status=0
    run_ --arch bh --elf "t0=$file" --max-cycles 2000 >out 2>err || status=$?
    [ "$status" -le 2 ] || not_ok "$file" "status $status: $(head -c 200 err)"
done
ok "broken at random"

# A compiled program, where there is a compiler for it.
if command -v riscv64-unknown-elf-gcc >/dev/null; then
    cat >sum.c <<'END'
static unsigned squares(unsigned n) { return n == 0 ? 0 : n * n + squares(n - 1); }
static unsigned table[4] = {1, 10, 100, 1000};
void _start(void) {
    __asm__ volatile("li sp, 0xFFB007F0");
    volatile unsigned *out = (volatile unsigned *)0x20000;
    out[0] = squares(30);
    for (unsigned i = 0; i < 4; i++) table[i] += i;
    out[1] = table[0] + table[1] + table[2] + table[3];
    out[2] = 1000000007u / out[1] % 1000u;
    __asm__ volatile("ebreak");
    for (;;) {}
}
END
    libdw=no
    ! pkg-config --exists libdw || libdw=yes
    for chip in bh wh; do
        march=rv32im
        [ "$chip" = wh ] || march=rv32im_zba_zbb
        check "$chip: compile" riscv64-unknown-elf-gcc -march="$march" -mabi=ilp32 -O1 \
            -fno-tree-vectorize -nostdlib -nostartfiles -g -Wl,-Ttext=0x6000,-Tdata=0x7000 \
            -o sum.elf sum.c
        check "$chip: a compiled program" run_ --arch "$chip" --elf t0=sum.elf \
            --l1-out 0x20000:uint32:3:rows=out.bin
        run_ --arch "$chip" --elf t0=sum.elf >text
        if [ "$libdw" = yes ]; then # the ebreak, and the loop behind it
            check "$chip: its line" grep -Eq '^core t0 .* in _start\+0x[0-9a-f]+, sum.c:1[01]$' text
        fi
        # 30 * 31 * 61 / 6; 1 + 11 + 102 + 1003; 1000000007 / 1117 % 1000
        same "$chip: its results" "9455 1117 $((1000000007 / 1117 % 1000))" "$(u32 out.bin)"
    done
    # SFPMOV of no mode, to three registers: stored, as an instruction, and by the MOP Expander.
    cat >pushed.c <<'END'
void _start(void) {
    volatile unsigned *mop = (volatile unsigned *)0xFFB80000;
    *(volatile unsigned *)0xFFE40000 = 0x7C00004C;
    __asm__ volatile(".word 0xF0000171"); /* 0x7C00005C, rotated */
    mop[0] = mop[1] = 1;
    mop[2] = mop[3] = mop[4] = mop[6] = 0x02000000;
    mop[5] = mop[8] = 0;
    mop[7] = 0x7C00006C;
    *(volatile unsigned *)0xFFE40000 = 0x01800000;
    __asm__ volatile("ebreak");
    for (;;) {}
}
END
    check "pushed: compile" riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -nostdlib \
        -nostartfiles -g -Wl,-Ttext=0x6000 -o pushed.elf pushed.c
    riscv64-unknown-elf-objcopy -O binary -j .text pushed.elf pushed.bin
    for how in bh wh "bh --untimed"; do
        # shellcheck disable=SC2086 # two words
        run_ --arch $how --elf t0=pushed.elf --json >json
        # A word in assembler text has no line of its own, but its place.
        same "pushed, $how: where from" "4c 3, 5c f0000171, 6c 8" "$(python3 -c "
import json, struct
text = open('pushed.bin', 'rb').read()
lines = {0x4c: '3', 0x6c: '8'}
said = []
for f in json.load(open('json'))['findings']:
    word = int(f['word'], 16) & 255
    place, _, line = f['source'].partition(', ')
    at = int(place.removeprefix('_start+'), 16)
    if word == 0x5c:
        line = '%08x' % struct.unpack_from('<I', text, at)
    elif '$libdw' == 'yes':
        line = line.removeprefix('pushed.c:')
    else:
        line = lines[word]
    said.append('%02x %s' % (word, line))
print(', '.join(sorted(said)))")"
    done
    run_ --arch bh --elf t0=pushed.elf >text
    check "pushed: in the text" grep -Eq '^finding +_start\+0x[0-9a-f]+.*: .*SFPMOV' text
else
    echo "skipped: no riscv64-unknown-elf-gcc, so nothing compiled was run"
fi
finish
