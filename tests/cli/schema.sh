#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every key of what --json prints stands in docs/json.txt, and what stands there is printed: runs of
# every command, in which each key occurs (scripts/schemas.py). SCHEMA_RUNS: where to leave them.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
quick_kernels
if ! command -v riscv64-unknown-elf-g++ >/dev/null; then
    echo "skipped: no riscv64-unknown-elf-g++ (make deps)"
    exit 77
fi
runs=${SCHEMA_RUNS:-$work/runs}
mkdir -p "$runs"
s=$TX_SOURCE
cd "$work"
number=0
# run FORM COMMAND...: keeps what the command prints with --json, whatever its status.
run() {
    local form=$1
    shift
    number=$((number + 1))
    "$TENSIX" "$@" --json >"$runs/$form.$number.json" 2>"$work/err" || true
    [ ! -s "$work/err" ] || not_ok "$form $*" "stderr: $(head -c 200 "$work/err")"
    [ -s "$runs/$form.$number.json" ] || not_ok "$form $*" "prints nothing"
}

npy x.npy f4 "(50, 50)" "[i * 0.1 - 100 for i in range(2500)]"
npy d.npy f8 "(40, 40)" "[i * 1e36 - 100 for i in range(1600)]"
cp "$s"/examples/tiles/{tile.inc,matmul.s} "$s"/examples/kernels/{exp,sigmoid}.s .
cp "$s"/tests/race/cfg_setc16_matrix.s race.s
printf '70500012\n84012390\nffffffff\n' >words.hex
python3 "$s/tests/cli/tile_elf.py" .

run help help
run version --version
run help-command run --help
run error run nothing.s --arch bh
run error run --nothing
printf 'sfpnop\n  sfpmda L1,L2\n' >wrong.s
run error asm wrong.s --arch bh
run asm asm square.s --arch bh
run asm asm matmul.s --arch bh
run dis dis --arch bh words.hex
run dis dis --arch bh 93001281 91031281 0x84012390
run eval eval --arch bh 'sfpmad L2,L0,L1,L9,0; sfpload L3,0,3,0' L0=1.5 L1=nan
run eval eval --arch wh 'sfpload L3,0,3,0; sfpmad L1,L2,L3,L1,9; ttsetadcxx 7,1,0' L0=1.5
run lint lint square.s --arch bh
run lint lint "$s"/tests/lint/*.s
run race race square.s --arch bh
run race race race.s --arch bh --witness --budget 20 --all
run race-delays race race.s --arch bh --delays T1/5~3
run compare compare square.s square.s --arch bh --domain bf16 --sample 1000
run compare compare exp.s square.s --arch bh --domain bf16 --sample 1000
run sweep sweep exp.s --arch bh --domain bf16 --sample 5000 --max-ulp 1
run sweep sweep exp.s --arch bh --domain bf16 --sample 5000 --blame --traces 2 --atol 1
run sweeps sweep exp.s square.s --arch bh --domain bf16 --sample 1000 --max-ulp 1
run expand expand "$s/examples/kernels/macro/where.s" --arch bh
run expand expand "$s/examples/kernels/macro/where.s" --arch bh -o where.s
run schedule schedule square.s --arch bh --sample 1000 --time 5
run opt opt square.s --arch bh --sample 1000
run explain explain sfpswap
run explain explain 0x84012390
run explain explain E-MODE
run explain explain ROW_MASK
run explain explain ERR-MISS-SWAP
run explain explain .sequence 1b550400
run isa isa
run map map --arch bh 6
run convert convert x.npy x.tile:bfp8_b --arch bh
run convert convert x.npy x2.tile:bfp4_b --arch bh --route pack
run routes convert --routes
run tile-show tile show x.tile --format bfp8_b --rows 0-1
head -c 1024 /dev/zero >flat.tile
run tile-show tile show flat.tile --format uint8 --rows 0
run diff diff x.npy x.tile:bfp8_b
"$TENSIX" check --record square.s --arch bh --out v.jsonl
run check check v.jsonl
run check check v.jsonl --engine fast
printf '{"name": "n", "arch": "bh", "program": [], "wrong": 1}\nnot json\n' >bad.jsonl
run check check bad.jsonl
run run run square.s --arch bh --in x.npy --out y.npy --reference exp --evidence
run run run square.s --arch bh --in d.npy --out y.npy --races
run run run square.s --arch bh --in x.tile:bfp8_b --out y.tile:bfp8_b
run run-cycles run square.s --arch bh --cycles
run run-gaps run square.s --arch bh --in x.npy --gaps all=0..1 --budget 10
run run-shadow run exp.s --arch bh --in x.npy --shadow
run run-profile run square.s --arch bh --in x.npy --profile
run tile-run tile run --arch bh --elf t0=t0.elf
run tile-run tile run --arch bh --elf t0=t0.elf --elf t1=t1.elf --races --profile
run chip-map chip map --product n150
run record record "$s/examples/llk_style/relu.cpp" --arch bh --tile kernel
run debug debug square.s --arch bh -c step -c regs -c help
run bench bench --quick --row mad/mixed
"$TENSIX" sweep exp.s --arch bh --domain bf16 --sample 1000 --json >a.json
sed 's/"max_ulp": [0-9.]*/"max_ulp": 9999/' a.json >b.json
run sweep-diff sweep diff a.json b.json
run bench-diff bench --base "$runs"/bench.*.json "$runs"/bench.*.json
run fit-front fit --front --form "poly:1 lut:6" --reference exp --arch bh --domain bf16:-1:1 \
    --time 1
run fit fit "$s/examples/kernels/fit/cosh_fp32.s" --arch bh --domain bf16 --sample 200 --bound \
    --restarts 1 --time 4
if [ -e "$TX_BINARY_DIR/libtensix-card.so" ]; then
    "$TENSIX" card --json -- true >"$runs/card.1.json"
else
    touch "$runs/card.none" # this build has none
fi
cat >noc.tsv <<'TSV'
u1	latency	bh	read of 4 bytes	cycles	100	cycles	made up
TSV
run silicon silicon noc.tsv

# What needs a compiler for RISC-V.
cp -r "$s/examples/chip" "$s/examples/llk_style" .
npy chip/a.npy f4 "(256, 512)" "[i % 64 * 0.25 for i in range(131072)]"
cp chip/a.npy chip/b.npy
run chip-run chip run chip/vecadd.json
run chip-run chip run chip/vecadd.json --grid 2x2 --profile
run chip-run chip run chip/vecadd.json --races
printf '#include <tensix/kernel/tensix.h>\nvoid kernel_main(void) {}\n' >empty.cpp
run cc cc empty.cpp --arch bh -o empty
gcc=riscv64-unknown-elf-gcc
$gcc -march=rv32im -mabi=ilp32 -Os -g -ffreestanding -ffunction-sections -DBLACKHOLE=1 \
    -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections -Wl,-Ttext=0x5000 -Wl,-e,reader \
    "$s/tests/order/cases.c" -o reader.elf
run race-tiles race 1,2/b=reader.elf --arch bh --fill 1,2:0x1F000:64=0 --fill 2,2:0x1F000:64=0 \
    --fill 3,2:0x1F000:64=0 --fill 2,2:0x24000:64=1
status=0
python3 "$s/scripts/schemas.py" --check "$s/docs/json.txt" "$runs" >"$work/out" 2>&1 || status=$?
same "the keys of every form" "0 0 problems" "$status $(tail -1 "$work/out" | sed 's/.*, //')"
head -30 "$work/out"
finish
