#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# "Life of one instruction" of CONTRIBUTING.md, with an instruction that does not exist, in a copy
# of the tree: each step fails, or works, as the text says. Only the files that a step concerns are
# compiled, and for the last one the reference engine. $TX_SOURCE_DIR as ctest sets it.
set -euo pipefail

export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/python/tensix"
cp -r "${TX_SOURCE_DIR:?}"/{isa,include,src,scripts} "$tree"
mkdir -p "$tree"/tests/{isa,insn} "$work"/{objects,build/coverage}
cp "$TX_SOURCE_DIR"/tests/isa/test_{reals,modes}.c "$tree/tests/isa"
cp "$TX_SOURCE_DIR"/tests/insn/{test_insn.c,line.h,image.h} "$tree/tests/insn"
cp -r "$TX_SOURCE_DIR"/tests/{coverage,oracle} "$tree/tests"
cd "$tree"
status=0
ok() { echo "ok   $1"; }
not_ok() {
    echo "FAIL $1"
    [ ! -s "$work/out" ] || sed 's/^/    /' "$work/out" | head -20
    status=1
}
flags=(-std=c17 -O0 -Iinclude -Isrc -I. '-DFAST_OPTIONS=""')
compile() { "${CC:-cc}" "${flags[@]}" "$@" >"$work/out" 2>&1; }
compiles() { # WHAT FILE
    if compile -fsyntax-only "$2"; then ok "$1"; else not_ok "$1"; fi
}
fails() { # WHAT FILE MESSAGE
    if compile -fsyntax-only "$2" || ! grep -qF -e "$3" "$work/out"; then
        not_ok "$1"
    else
        ok "$1"
    fi
}
before() { # FILE LINE-BEGINNING TEXT: puts the text before the first such line
    grep -q "^$2" "$1"
    awk -v start="$2" -v text="$3" \
        'index($0, start) == 1 && !done { print text; done = 1 } { print }' "$1" >"$work/new"
    cp "$work/new" "$1"
}
# The tables and the assembler alone, and what they say of the word 9a000121 on Blackhole.
cat >"$work/ask.c" <<'EOS'
#include <tensix/asm.h>
#include <tensix/isa.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    static const char text[] = "sfpscratch L2,L1,TWICE";
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    struct tx_decoded d;
    struct tx_diag diag;
    tx_program *program = NULL;
    char line[128], formula[512] = "-";
    tx_disassemble(TX_BLACKHOLE, 0x9a000121, TX_DIS_NORMAL, line, sizeof line);
    tx_decode(TX_BLACKHOLE, 0x9a000121, &d);
    if (d.row != NULL) {
        tx_row_mode_text(TX_BLACKHOLE, d.row, d.mode, TX_INSN_MODE_FORMULA, formula, 512);
    }
    const bool known = tx_assemble(text, strlen(text), &options, &program, &diag) == TX_OK;
    printf("%s; row %s; %s; ", line, d.row != NULL ? d.row->id : "none", formula);
    printf(known ? "%08x\n" : "%08x %s\n",
           known ? (unsigned)tx_program_words(program, TX_SECTION_TILE)[0] : 0u, diag.message);
    return 0;
}
EOS
says() { # WHAT PATTERN
    if compile "$work/ask.c" src/base/*.c src/isa/*.c src/asm/*.c src/fmt/formats.c \
        -o "$work/ask" && "$work/ask" >"$work/out" &&
        grep -q -e "$2" "$work/out"; then ok "$1"; else not_ok "$1"; fi
}

# The reference engine of this tree: all of src but the fast engine, the tile and the chip, as
# objects.
export work
object() { # FILE
    local level=()
    case $1 in
    *_avx2.c) level=(-mavx2 -mfma -mbmi2) ;;
    *_avx512.c) level=(-mavx2 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd) ;;
    esac
    "${CC:-cc}" -std=c17 -O0 -Iinclude -Isrc -I. "${level[@]}" -c "$1" \
        -o "$work/objects/${1//\//_}.o" >>"$work/out" 2>&1
}
export -f object
engine() { # FIND'S OPTIONS
    : >"$work/out"
    find src -name '*.c' ! -path 'src/fast/*' ! -path 'src/tile/*' ! -path 'src/riscv/*' \
        ! -path 'src/chip/*' ! -path 'src/noc/*' ! -path 'src/host/*' ! -path 'src/dram/*' \
        ! -name 'fast*.c' "$@" -print0 |
        xargs -0 -P2 -I{} bash -c 'object {}' || not_ok "the reference engine compiles"
}
# A test program of this tree. What is not among the objects is what it does not call.
program() { # FILE
    compile -std=gnu17 -Itests -Itests/oracle "-DTX_SOURCE_DIR=\"$tree\"" \
        "-DTX_BINARY_DIR=\"$work/build\"" "$1" "$work"/objects/*.o -lcmocka -lm \
        -no-pie -Wl,--unresolved-symbols=ignore-all \
        -o "$work/program" && "$work/program" >"$work/out" 2>&1
}
passes() { # WHAT FILE
    if program "$2"; then ok "$1"; else not_ok "$1"; fi
}
refuses() { # WHAT FILE MESSAGE
    if program "$2" || ! grep -qF -e "$3" "$work/out"; then not_ok "$1"; else ok "$1"; fi
}

# 1. The mnemonic.
before isa/mnemonics.def 'MNEMONIC(ATGETM' '
MNEMONIC(SFPSCRATCH, "sfpscratch", "SFPSCRATCH", 0x9a, SIMPLE)
FORM_P(SFPSCRATCH, BH, 0xfff000, 0x000000, (F(lreg_c, 8, 4, LREG) F(lreg_dest, 4, 4, LREG)
     F(instr_mod1, 0, 4, MOD)),
    (R(lreg_dest, 4, 8) R(lreg_c, 8, 16) M(instr_mod1, 0, 0x0003, 0x0000, NONE)))'
fails "a mnemonic: the generated names are behind" src/isa/insn.c TX_INSN_SFPSCRATCH
python3 scripts/ckernel_ops.py
compiles "after scripts/ckernel_ops.py they are not" src/isa/insn.c

# 2. The behaviour.
before isa/isa.def 'ROW(SFPABS,' '
ROW(SFPSCRATCH, SFPSCRATCH, BH, CD_MOD, ANY, 0x0003, SIMPLE, 1, LANE(sfpscratch), B, NOTHING,
    VC, SAME, VD, NON_CONTRACTUAL_BEHAVIOR, "inferred", "VD = VC or twice VC")'
python3 scripts/ckernel_ops.py
fails "a row: the reference engine has no body" src/pipe/exec.c sem_sfpscratch

# 3. The body.
cat >src/sem/sfpscratch.h <<'EOS'
#ifndef TX_SEM_SFPSCRATCH_H
#define TX_SEM_SFPSCRATCH_H
#include "sem/sem.h"
SEM_BODY(sfpscratch)
{
    return sem_value(in, in->c << (op->mode & 1u));
}
#endif
EOS
before src/sem/all.h '#include "sem/sfpsetcc.h"' '#include "sem/sfpscratch.h"'
compiles "a body: the reference engine has it" src/pipe/exec.c
compiles "and the fast engine, without being told" src/fast/level_base.c
compiles "and what it is made of" src/fast/lower_exec.c
engine
refuses "a result that no table states: isa.reals" tests/isa/test_reals.c \
    "SFPSCRATCH mode 0: stated in 0 tables"
before isa/reals.def 'REAL(SFPABS,' 'REAL(SFPSCRATCH, ANY, OWN, NONE, NONE, TWOS, 0)'
engine -name relations.c
passes "with a line of reals.def it is" tests/isa/test_reals.c

# 4. The modes.
refuses "modes without a name: isa.modes" tests/isa/test_modes.c SFPSCRATCH
says "before its modes are told they have no formula" \
    "^sfpscratch L2,L1,1; row SFPSCRATCH; ; 00000000 name 'TWICE' is not defined"
before isa/modes.def 'MODE(SFPABS,' '
MODE(SFPSCRATCH, BH, MOD, 1, 0, "ONCE", "", "a copy", "VD = VC")
MODE(SFPSCRATCH, BH, MOD, 1, 1, "TWICE", "SFPSCRATCH_MOD1_TWICE", "twice", "VD = VC << 1")'
says "then assembler, disassembler and tables know them" \
    "^sfpscratch L2,L1,1; row SFPSCRATCH; VD = VC << 1; 9a000121$"
python3 scripts/ckernel_ops.py
engine -name mode.c
passes "and isa.modes has nothing to say" tests/isa/test_modes.c

# 5. The vectors. Of other programs there is nothing to cover here.
for name in oracle timing macro macro_lanes macro_kernels replay threads waits dst_formats l1 \
    pcie; do
    : >"$work/build/coverage/$name.cov"
done
vector() { # MODE RESULT ALSO
    echo "bh | sfpscratch L2,L1,$1 | L1=5 | L2=$2$3 | a scratch instruction, bit 0 doubles"
}
covers() { # WHAT LINES: that many modes of the row are left which no stated vector runs
    program tests/coverage/test_coverage.c || true # there is much that nothing exercises here
    if grep -q 'never exercised.*erratum' "$work/out" &&
        [ "$(grep -c 'never exercised.*SFPSCRATCH' "$work/out")" = "$2" ]; then
        ok "$1"
    else
        not_ok "$1"
    fi
}
vector 0 5 "" >tests/insn/sfpscratch.txt
passes "a vector: it runs" tests/insn/test_insn.c
covers "coverage names the other legal mode, and those outside the contract" 15
vector 1 B "" >>tests/insn/sfpscratch.txt
refuses "a vector that is wrong: insn.insn" tests/insn/test_insn.c sfpscratch.txt:2
for mode in {0..15}; do
    finds=
    [ "$mode" -lt 2 ] || finds=" finds NonContractualBehavior E-MODE"
    if [ $((mode % 2)) = 0 ]; then vector "$mode" 5 "$finds"; else vector "$mode" A "$finds"; fi
done >tests/insn/sfpscratch.txt
passes "vectors of all modes" tests/insn/test_insn.c
covers "coverage has nothing left to name" 0
exit $status
