#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The compiler that other tests use for kernels of cores (tests/cli/riscv_cc): it gives a program
# again only while every file that the program was made of is as it was.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
real=$(command -v riscv64-unknown-elf-g++) || {
    echo "skipped: no riscv64-unknown-elf-g++ (make deps)"
    exit 77
}
cd "$work"
options=(-march=rv32im -mabi=ilp32 -nostdlib -nostartfiles -frandom-seed=0)
# compiled ARGUMENT...: by way of what is kept, into kept.elf, and without, into own.elf.
compiled() {
    "$TX_SOURCE/tests/cli/riscv_cc" "$real" "$work/kept" "${options[@]}" "$@" -o kept.elf
    "$real" "${options[@]}" "$@" -o own.elf
    cmp kept.elf own.elf
}
programs() { find kept -name '*.sums' | wc -l; }
echo 'enum { VALUE = 1 };' >value.h
printf '#include "value.h"\nextern "C" int _start() { return VALUE; }\n' >one.cpp
check "compiled" compiled one.cpp
same "and kept" 1 "$(programs)"
# What is given again is what is kept: a mark in it stays, where a compilation would drop it.
for program in kept/*.sums; do echo mark >>"${program%.sums}"; done
"$TX_SOURCE/tests/cli/riscv_cc" "$real" "$work/kept" "${options[@]}" one.cpp -o kept.elf
same "given again" mark "$(tail -c 5 kept.elf)"
echo 'enum { VALUE = 2 };' >value.h
check "not after its header has changed" compiled one.cpp
same "then both are kept" 2 "$(programs)"
sed -i 's/VALUE;/VALUE + 1;/' one.cpp
check "not after its source has changed" compiled one.cpp
check "not with other options" compiled -DOTHER one.cpp
kept=$(programs)
printf '#warning look\nextern "C" int _start() { return 0; }\n' >loud.cpp
check "what is said comes through" grep -q look <("$TX_SOURCE/tests/cli/riscv_cc" "$real" \
    "$work/kept" "${options[@]}" loud.cpp -o loud.elf 2>&1)
same "and such a program is not kept" "$kept" "$(programs)"
status=0
"$TX_SOURCE/tests/cli/riscv_cc" "$real" "$work/kept" "${options[@]}" none.cpp -o none.elf 2>err ||
    status=$?
same "an error is one" "1 no" "$status $(test -e none.elf && echo yes || echo no)"
same "and nothing of it is left" "$kept 0" "$(programs) $(find kept -name 'part-*' | wc -l)"
finish
