#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# "A chip is a table": a chip that does not exist is added to a copy of the tree. It takes
# Blackhole's column and differs in a trait and three numbers. Five rows and a constant suffice; the
# library is built, and a small program runs on the chip: assembled, through the MOP Expander, in
# the vector unit, on a core of a tile. $TX_SOURCE_DIR as ctest sets it.
set -euo pipefail

export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree" "$work/objects"
cp -r "${TX_SOURCE_DIR:?}"/{isa,include,src,scripts} "$tree"
cd "$tree"

# What a chip takes: its number, its row, and in what it is unlike its column.
sed -i 's/TX_BLACKHOLE = 2 }/TX_BLACKHOLE = 2, TX_MADEUP = 3 }/' include/tensix/base.h
grep -q TX_MADEUP include/tensix/base.h
sed -i '/^CHIP(BLACKHOLE/a\
CHIP(MADEUP, "madeup", "mu", BH)\
UNLIKE(MADEUP, CORES_HAVE_CSRS, 0)\
UNLIKE(MADEUP, L1_BYTES, 0x100000)\
UNLIKE(MADEUP, MOP_COUNT, 63)\
UNLIKE(MADEUP, CLOCK_MHZ, 77)' isa/chip.def
python3 scripts/ckernel_ops.py

cat >"$work/ask.c" <<'EOS'
#include <tensix/facts.h>
#include <tensix/tensix.h>
#include <tensix/tile.h>
#include <tensix/tile_debug.h>
#include <stdio.h>
#include <string.h>

static int failed;
#define HOLDS(what)                              \
    if (!(what)) {                               \
        printf("FAIL line %d: %s\n", __LINE__, #what); \
        failed = 1;                              \
    }

/* What a text computes in L2 of row 0. */
static uint32_t runs(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_settings settings;
    struct tx_diag diag = {.message = ""};
    tx_program *program = NULL;
    tx_machine *m = NULL;
    uint32_t lanes[32] = {0};
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        printf("%s\n", diag.message);
        return 0;
    }
    tx_settings_default(&settings, arch);
    HOLDS(tx_open(&settings, &m) == TX_OK);
    HOLDS(tx_run(m, 0, tx_program_words(program, TX_SECTION_TILE),
                 tx_program_count(program, TX_SECTION_TILE)) == TX_OK);
    HOLDS(tx_read(m, TX_FILE_LREG, 2, lanes, 32) == TX_OK);
    tx_close(m);
    tx_program_free(program);
    return lanes[0];
}

/* How many words a MOP of a hundred is. */
static size_t expands(enum tx_arch arch)
{
    const uint32_t config[9] = {1, 100, 0x02000000, 0x02000000, 0x02000000,
                                0x71120001, 0x02000000, 0x71120001, 0x71120001};
    size_t count = 0;
    HOLDS(tx_mop_expand(arch, 0x01800000, config, 0, NULL, 0, &count) == TX_OK);
    return count;
}

/* A core of a tile adds 40 and 2. */
static uint32_t adds(enum tx_arch arch)
{
    const uint32_t code[] = {tx_core_encode(TX_CORE_INSN_ADDI, 10, 0, 0, 40),
                             tx_core_encode(TX_CORE_INSN_ADDI, 10, 10, 0, 2),
                             tx_core_encode(TX_CORE_INSN_JAL, 0, 0, 0, 0)};
    struct tx_tensix_settings settings;
    tx_tensix *tile = NULL;
    uint32_t value = 0;
    tx_tensix_settings_default(&settings, arch);
    HOLDS(tx_tensix_open(&settings, &tile) == TX_OK);
    HOLDS(tx_tensix_write(tile, 0x1000, code, sizeof code) == TX_OK);
    HOLDS(tx_tensix_start(tile, TX_CORE_B, 0x1000) == TX_OK);
    HOLDS(tx_tensix_cycle(tile, 200) == TX_OK);
    HOLDS(tx_core_read(tile, TX_CORE_B, 10, &value) == TX_OK);
    tx_tensix_close(tile);
    return value;
}

int main(void)
{
    static const char program[] = "sfploadi L1, 0x4000, 0\nsfpmad L2, L1, L1, L1, 0\nsfpnop\n"
                                  ".if MADEUP\nsfpmad L2, L2, L1, L9, 0\nsfpnop\n.endif\n";
    enum tx_arch arch = TX_ARCH_NONE;
    struct tx_core_csr csr;
    HOLDS(tx_arch_parse("MadeUp", &arch) == TX_OK && arch == TX_MADEUP);
    HOLDS(tx_arch_parse("bh", &arch) == TX_OK && arch == TX_BLACKHOLE);
    HOLDS(strcmp(tx_arch_name(TX_MADEUP), "madeup") == 0 && TX_ARCH_LAST == TX_MADEUP);
    HOLDS(tx_arch_fact(TX_MADEUP, TX_FACT_CLOCK_MHZ) == 77);
    HOLDS(tx_arch_fact(TX_BLACKHOLE, TX_FACT_CLOCK_MHZ) == 1350);
    HOLDS(tx_arch_fact(TX_MADEUP, TX_FACT_PACKERS) == 1); /* Blackhole's column */
    HOLDS(tx_arch_fact((enum tx_arch)4, TX_FACT_PACKERS) == TX_FACT_NONE);
    HOLDS(tx_l1_size(TX_MADEUP) == 0x100000 && tx_l1_size(TX_BLACKHOLE) == 0x180000);
    HOLDS(expands(TX_BLACKHOLE) == 100 && expands(TX_MADEUP) == 100 % 64);
    HOLDS(tx_core_csr_at(TX_BLACKHOLE, 0, &csr) == TX_OK);
    HOLDS(tx_core_csr_at(TX_MADEUP, 0, &csr) == TX_ENOENT);
    HOLDS(runs(TX_BLACKHOLE, program) == 0x40C00000); /* 2 * 2 + 2 */
    HOLDS(runs(TX_MADEUP, program) == 0x41400000);    /* that, twice */
    HOLDS(adds(TX_BLACKHOLE) == 42 && adds(TX_MADEUP) == 42);
    return failed;
}
EOS

export work
object() { # FILE
    local level=()
    case $1 in
    *_avx2.c) level=(-mavx2 -mfma -mbmi2) ;;
    *_avx512.c) level=(-mavx2 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd) ;;
    esac
    "${CC:-cc}" -std=c17 -O0 -Iinclude -Isrc -I. "${level[@]}" -c "$1" \
        -o "$work/objects/${1//\//_}.o"
}
export -f object
# All but the fast engine and what stands around a tile, which none of this calls.
find src -name '*.c' ! -path 'src/fast/*' ! -path 'src/chip/*' ! -path 'src/host/*' \
    ! -path 'src/dram/*' ! -name 'fast*.c' -print0 | xargs -0 -P2 -I{} bash -c 'object {}'
"${CC:-cc}" -std=gnu17 -Iinclude "$work/ask.c" "$work"/objects/*.o -lm -no-pie \
    -Wl,--unresolved-symbols=ignore-all -o "$work/ask"
"$work/ask"
echo "a made-up chip: built, and runs"
