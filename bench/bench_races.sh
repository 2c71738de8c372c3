#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tile run --races costs beside the same timed run: processor time of whole commands, each the
# best of nine in turns. Kernels: 150 tiles through three threads that wait for each other, a vector
# kernel that its core pushes, one that is replayed. $TENSIX is the command; default: that of the
# build directory.
set -euo pipefail
cd "$(dirname "$0")/.."
tensix=${TENSIX:-${BUILD:-build}/tensix}
command -v riscv64-unknown-elf-g++ >/dev/null || { echo "bench_races: no RISC-V compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for name in mul_int32 exp; do
    for thread in unpack math; do
        "$tensix" cc --arch bh --thread $thread bench/silicon/$name.cpp -o "$work/$name-$thread.elf"
    done
done
"$tensix" cc --arch bh examples/llk_style/tile_datacopy.cpp -o "$work"

python3 - "$tensix" "$work" <<'PY'
import resource, subprocess, sys
tensix, work = sys.argv[1:]
LIMIT = 4.0
def poke(*values):
    return [w for i, v in enumerate(values) for w in ("--poke", f"{0x20000 + 4 * i}={v}")]
def elves(names):
    return [w for core, name in names.items() for w in ("--elf", f"{core}={work}/{name}.elf")]
ROWS = {
    "tile_datacopy.cpp": elves(dict(t0="unpack", t1="math", t2="pack"))
    + poke(0x21000, 0x90000, 150),
    "mul_int32.cpp": elves(dict(t0="mul_int32-unpack", t1="mul_int32-math")) + poke(16, 8, 4),
    "exp.cpp": elves(dict(t0="exp-unpack", t1="exp-math")) + poke(16, 8, 4),
}
def seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert done.returncode in (0, 1), done.stderr
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
print(f"{'races':24} {'timed':>9} {'--races':>9} {'factor':>7}  goal {LIMIT}")
for name, options in ROWS.items():
    command = [tensix, "tile", "run", "--arch", "bh", *options]
    pairs = [(seconds(command), seconds(command + ["--races"])) for _ in range(9)]
    plain, races = (min(column) for column in zip(*pairs))
    print(f"{name:24} {plain:8.3f}s {races:8.3f}s {races / plain:7.2f}")
PY
