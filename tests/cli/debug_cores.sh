#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The debugger on whole tiles: kernels of three threads from L1 to L1, and compiled programs of the
# cores, both ways.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
npy x.npy f4 "(32, 32)" "[i / 8 for i in range(1024)]"

# json KEY...: of the last line of out, an object
json() {
    python3 -c '
import json, sys
o = json.loads(open("out").read().splitlines()[-1])
for key in sys.argv[1:]:
    o = o[int(key)] if isinstance(o, list) else o.get(key)
print(o)' "$@"
}

# Elements 2 and 3 of the tile, 0.25 and 0.375 in BF16, are the second word that the packer writes.
threads() {
    local list=()
    for c; do list+=(-c "$c"); done
    "$TENSIX" debug "$TX_SOURCE/examples/tiles/datacopy.s" --arch bh --l1 0x10000=x.npy:bf16 \
        --json "${list[@]}" >out
}
threads "watch l1[0x20004]" c "print/x l1[0x20004]"
same "a packer's word in L1" 3ec03e80 "$(json values 0)"
threads "watch l1[0x20004]" "goto end" rc "print/x l1[0x20004]"
same "and back before it" 00000000 "$(json values 0)"
threads "watch srca[0][3]" c "print srca[0][3]"
same "a cell of SrcA" 0.375 "$(json values 0)"
threads "break pacr thread 2" c
same "a thread's instruction" 2 "$(json next 0 thread)"
threads "break stall semaphore" c threads
check "what a thread waits for" test "$(grep -c semaphore out)" -ge 2
threads "thread 0" stepi stepi back info
threads "goto 40" "watch gpr1" "goto end" "pipeline 20"
check "units have their columns" grep -q 'Unpack 0' out

if ! command -v riscv64-unknown-elf-g++ >/dev/null; then
    echo "without riscv64-unknown-elf-g++ (make deps) the rest is left out"
    finish
    exit
fi
for chip in bh wh; do
    "$TENSIX" cc --arch $chip "$TX_SOURCE/examples/llk_style/tile_datacopy.cpp" -o $chip
    how=(--arch $chip --elf t0=$chip/unpack.elf --elf t1=$chip/math.elf --elf t2=$chip/pack.elf
        --poke 0x20000=0x21000 --poke 0x20004=0x28000 --poke 0x20008=1 --l1 0x21000=x.npy:bf16)
    cores() {
        local list=()
        for c; do list+=(-c "$c"); done
        "$TENSIX" debug "${how[@]}" --json "${list[@]}" >out
    }
    cores "break t1:kernel_main" c
    same "$chip: a function" "t1 kernel_main" "$(json core core) $(json core function)"
    pc=$(json core pc)
    cores "break *$pc" c stepi
    same "$chip: a core's step" 4 "$(($(json core pc) - pc))"
    cores "break *$pc" c stepi back
    same "$chip: and back" "$pc" "$(json core pc)"
    line=$(grep -n 'TTI_SEMPOST(p_stall::SEMAPHORE_1)' "$TX_SOURCE/examples/llk_style/tile.hpp" |
        head -1 | cut -d: -f1)
    cores "break t1:tile.hpp:$line" c
    check "$chip: a line that was inlined" grep -q "tile.hpp:$line" out
    cores "watch l1[0x28004]" c "print/x l1[0x28004]"
    same "$chip: a packer's word" 3ec03e80 "$(json values 0)"
    cores "goto end"
    same "$chip: as many cycles as without" "$("$TENSIX" tile run "${how[@]}" --json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])')" "$(json cycle)"
    cores "goto end" "break mova2d" rc
    same "$chip: backwards to an instruction" 1 "$(json next 0 thread)"
done
refuses "words of cores" 2 'is no function' "$TENSIX" debug "${how[@]}" -c 'break 7'
refuses "tiles of cores" 2 "tiles are a kernel's" "$TENSIX" debug "${how[@]}" -c tile
finish
