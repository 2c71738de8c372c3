#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The door of host tools with the tools themselves: tt-umd and tt-exalens out of PyPI, and a program
# for each core compiled by Debian's RISC-V compiler. What cannot be had is a reason to skip.
# LIBRARIES=DIR takes DIR/bh/*.so and DIR/wh/*.so instead of ours (of tenstorrent/ttsim, say), with
# their soc_descriptor.yaml, and leaves tt-exalens out, which needs the debug units of the cores.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
skip() {
    echo "interop: skipped: $1"
    exit 0
}

[ -e "$BUILD/ttsim/bh/libtensix-ttsim-bh.so" ] || scripts/build.sh
libraries=${LIBRARIES:-$BUILD/ttsim}
tools="umd exalens umd-all exalens-all"
[ -z "${LIBRARIES-}" ] || tools="umd umd-all"
command -v riscv64-unknown-elf-gcc >/dev/null ||
    skip "no riscv64-unknown-elf-gcc for the door's programs"
work=$BUILD/interop/door
venv=$work/venv
mkdir -p "$work"
if ! [ -e "$venv/ready" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv" >"$work/pip.log" 2>&1 || skip "python3 -m venv does not work"
    "$venv/bin/pip" install --quiet tt-umd==0.9.14 tt-exalens==0.4.2 >>"$work/pip.log" 2>&1 ||
        skip "tt-umd 0.9.14 and tt-exalens 0.4.2 cannot be had from PyPI ($work/pip.log)"
    touch "$venv/ready"
fi

programs=()
core=0
for start in 0x6000 0xA000 0xE000 0x0; do # T0, T1, T2, B
    elf=$work/core$core.elf
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -nostartfiles -DCORE=$core \
        -Wl,--section-start=.init=$start,-z,max-page-size=16 -o "$elf" tests/interop/door_kernel.S
    programs+=("$elf")
    core=$((core + 1))
done

for chip in bh wh; do
    library=$(echo "$libraries/$chip"/*.so)
    for tool in $tools; do
        "$venv/bin/python" tests/interop/door.py "$tool" "$chip" "$library" \
            "${programs[@]}" >"$work/$tool-$chip.log" 2>&1 || {
            cat "$work/$tool-$chip.log" >&2
            echo "interop: the door of $chip failed with $tool" >&2
            exit 1
        }
        grep '^door:' "$work/$tool-$chip.log" || true
        echo "interop: $tool and the door of $chip: passed"
    done
done
