#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix record, ckernel_ops.h and examples/llk_style.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
style=$TX_SOURCE/examples/llk_style
kernels=$TX_SOURCE/examples/kernels
listings=$TX_SOURCE/tests/data/llk_style

if ! command -v "${CXX:=c++}" >/dev/null; then
    echo "no C++ compiler"
    exit 77
fi
: "${CC:=cc}"
check "the generated macros are current" python3 "$TX_SOURCE/scripts/ckernel_ops.py" --check

export TMPDIR=$work/scratch
mkdir "$TMPDIR"

# The compilers that are there, each once: of the build, and gcc and clang.
pairs=()
seen=" "
for pair in "$CC $CXX" "gcc g++" "clang clang++" "clang-14 clang++-14"; do
    if command -v "${pair% *}" >/dev/null && command -v "${pair#* }" >/dev/null; then
        binary=$(readlink -f "$(command -v "${pair#* }")")
        if [[ $seen != *" $binary "* ]]; then
            seen="$seen$binary "
            pairs+=("$pair")
        fi
    fi
done

# options NAME: what the head of the example says to give.
options() {
    sed -n "s,^//  *tensix record $1 --arch .. \(.*\) -o .*,\1,p" "$style/$1"
}

# ---- the examples: words, results ----
for source in relu.cpp sqrt.cpp exp.cpp where.c sigmoid.cpp; do
    name=${source%.*}
    for chip in bh wh; do
        for pair in "${pairs[@]}"; do
            # What differs from chip to chip does not differ from compiler to compiler.
            [ $chip = bh ] || [ "$pair" = "${pairs[0]}" ] || continue
            # Further compilers with one example, and in the campaign with all.
            case $pair/$name in
            "${pairs[0]}"/* | */where) ;;
            *) whole || continue ;;
            esac
            # shellcheck disable=SC2046 # several words
            check "$source records on $chip with $pair" env CC="${pair% *}" CXX="${pair#* }" \
                "$TENSIX" record "$style/$source" --arch $chip $(options $source) \
                -o "$work/$name-$chip.s"
            "$TENSIX" asm "$work/$name-$chip.s" -o "$work/$name-$chip.hex"
            check "its words are the listing's" cmp "$work/$name-$chip.hex" \
                "$listings/$name-$chip.hex"
        done
    done
done
for chip in bh wh; do
    for both in relu:relu sqrt:sqrt exp:macro/exp_clamped sigmoid:sigmoid; do
        check "${both%:*}: ${both#*:}.s bit for bit on $chip, all BF16 inputs" bash -c \
            "'$TENSIX' compare '$work/${both%:*}-$chip.s' '$kernels/${both#*:}.s' --arch $chip |
                grep -qx identical"
    done
    npy "$work/c.npy" f4 "(4096,)" "[random.choice([0, -0.0, 1, -2.5]) for _ in range(4096)]"
    npy "$work/a.npy" f4 "(4096,)" "[random.uniform(-9, 9) for _ in range(4096)]"
    npy "$work/b.npy" f4 "(4096,)" "[random.uniform(-9, 9) for _ in range(4096)]"
    for kernel in "$work/where-$chip.s" "$kernels/where.s"; do
        "$TENSIX" run "$kernel" --arch $chip --in "$work/c.npy" --in "$work/a.npy" \
            --in "$work/b.npy" --out "$work/$(basename "$kernel").npy" >/dev/null
    done
    check "where: where.s bit for bit on $chip" cmp "$work/where-$chip.s.npy" "$work/where.s.npy"
done

# ---- the other commands take the recorded file ----
check "trace" bash -c "'$TENSIX' trace '$work/exp-bh.s' | grep -q 'sfploadmacro'"
check "sweep" bash -c "'$TENSIX' sweep '$work/sqrt-wh.s' | grep -qi 'ulp'"
check "lint" "$TENSIX" lint "$work/relu-bh.s" "$work/sqrt-wh.s"
check "lint of what SFPI's style became" bash -c \
    "! '$TENSIX' lint '$work/sigmoid-bh.s' '$work/sigmoid-wh.s' | grep -v ': 0 hazards, 0 other'"
# A datum that was just stored is loaded back: no SFPNOP, and nothing to find in any format.
cat >"$work/back.cpp" <<'EOS'
#include <tensix/sfpi.hpp>
using namespace sfpi;
void back()
{
    for (int row = 0; row < 32; row++) {
        dst_reg[0] = dst_reg[0] * 2.0f;
        dst_reg[0] = dst_reg[0] + 1.0f;
        dst_reg++;
    }
}
EOS
printf '%s --tile back --dst %s\n' fp32 fp32 bf16 bf16 >"$work/back.txt"
for arch in bh wh; do
    check "stored and loaded, $arch" "$TENSIX" record "$work/back.cpp" --arch $arch \
        --list "$work/back.txt" -o "$work/back"
    for dst in fp32 bf16; do
        check "no finding in $dst" bash -c "'$TENSIX' lint '$work/back/$dst.s' |
            grep -q ': 0 hazards, 0 other findings, 0 superfluous SFPNOPs$'"
    done
done

# ---- lines of the source ----
cat >"$work/hazard.cpp" <<'EOS'
#include <tensix/ckernel_ops.h>
using namespace ckernel;
template <int N> void rows()
{
    for (int i = 0; i < N; i++) {
        TTI_SFPMUL(p_sfpu::LREG0, p_sfpu::LREG0, p_sfpu::LCONST_0, p_sfpu::LREG1, 0);
        TTI_SFPMOV(0, p_sfpu::LREG1, p_sfpu::LREG2, 0);
        sfpi::dst_reg++;
    }
}
EOS
cd "$work"
check "a template and its argument" "$TENSIX" record hazard.cpp --arch wh --tile 'rows<2>' \
    -o hazard.s
check "lint names the line of the source" bash -c \
    "'$TENSIX' lint hazard.s | grep -q '^hazard.cpp:7:.*sfpmov'"
check "and so does its JSON" bash -c "'$TENSIX' lint hazard.s --json | python3 -c '
import json, sys
at = json.load(sys.stdin)[\"results\"][0][\"findings\"][0][\"place\"]
assert at[\"source\"] == \"hazard.cpp\" and at[\"line\"] == 7, at'"
check "run names it" bash -c "'$TENSIX' run hazard.s --in c.npy | grep -q 'hazard.cpp:7'"
check "trace names it" bash -c "'$TENSIX' trace hazard.s | grep -q 'sfpmov.*hazard.cpp:7'"
check "trace's JSON lines have it" bash -c \
    "'$TENSIX' trace hazard.s --json | grep -q '\"source\": \"hazard.cpp:7\"'"
printf '.arch bh\n.loc 1, 2\n' >loc.s
refuses ".loc without .file" 2 'loc.s:2:6: there was no .file 1' "$TENSIX" run loc.s

# ---- arguments outside their fields, and other mistakes ----
cat >"$work/bad.cpp" <<'EOS'
#include <tensix/ckernel_ops.h>
using namespace ckernel;
#ifdef CONSTANT
void bad()
{
    TTI_SFPLOAD(p_sfpu::LREG0, 16, 0, 0);
}
#endif
#ifdef NEGATIVE
template <int N> void bad() { TTI_SFPIADD(N, 0, 0, 5); }
#endif
void late(int n) { TT_SFPLOADI(0, 2, n << 14); }
void endless() { for (;;) { TTI_SFPNOP; } }
void crash() { abort(); }
void talk() { puts("hello"); TTI_SFPNOP; }
void leave() { exit(3); }
void short_replay() { load_replay_buf(0, 3, [] { TTI_SFPNOP; }); }
void long_replay() { load_replay_buf(0, 40, [] { for (int i = 0; i < 40; i++) { TTI_SFPNOP; } }); }
void long_record() { lltt::record(0, 33); }
void long_emit() { lltt::replay(0, 33); }
EOS
cat >"$work/bad.c" <<'EOS'
#include <tensix/ckernel_ops.h>
static void bad(void)
{
    TTI_SFPLOAD(0, 16, 0, 0);
}
#ifdef TABLE
const uint32_t table[] = {TT_OP_SFPNOP,
                          TT_OP_SFPLOAD(0, 16, 0, 0)};
#endif
static void good(void)
{
    TTI_SFPLOAD(0, 15, 0, 0);
}
EOS
cat >"$work/unused.cpp" <<'EOS'
#include <tensix/ckernel_ops.h>
using namespace ckernel;
// ADDR_MOD_6 does not fit in Wormhole's two bits: bit 2 changes the format's lowest bit.
template <int N> void wide() { TTI_SFPLOAD(8, 4, ADDR_MOD_6, 0); }
template <int N> void only()
{
    if constexpr (N < 2) {
#pragma GCC unroll N
        for (int i = 0; i < N; i++) {
            TTI_SFPNOP;
        }
    } else static_assert ( false , "one of: 0, 1");
}
void used() { only<1>(); }
void address() { TTI_SFPLOAD(0, 4, 3, 0x4001); }
EOS
for pair in "${pairs[@]}"; do
    export CC="${pair% *}" CXX="${pair#* }"
    refuses "constant outside, C++, $CXX" 2 'bad.cpp:6: 16 is 16 and must lie in 0..15' \
        "$TENSIX" record bad.cpp --arch bh --tile bad -D CONSTANT -o y.npy
    refuses "template argument outside, $CXX" 2 'bad.cpp:10: N is -1 and must lie in 0..4095' \
        "$TENSIX" record bad.cpp --arch wh --tile 'bad<-1>' -D NEGATIVE
    refuses "constant outside, C, $CC" 2 'bad.c:4: 16 is 16 and must lie in 0..15' \
        "$TENSIX" record bad.c --arch bh --tile bad
    refuses "constant outside in a table, C, $CC" 2 'bad.c:8: .*constant' \
        "$TENSIX" record bad.c --arch bh --tile good -D TABLE
    # What nothing calls is not judged: arguments, static_assert(false), unroll in a template.
    check "unused is not judged, $CXX" "$TENSIX" record unused.cpp --arch wh --tile used
    check "unused is not judged, $CC" "$TENSIX" record bad.c --arch bh --tile good
    refuses "static_assert(false) that is reached, $CXX" 2 'unused.cpp:12: one of: 0, 1' \
        "$TENSIX" record unused.cpp --arch wh --tile 'only<2>'
done
record=("$TENSIX" record bad.cpp --arch bh -o y.npy)
refuses "what is reached is judged" 2 'unused.cpp:4: ADDR_MOD_6 is 6 and must lie in 0..3' \
    "$TENSIX" record unused.cpp --arch wh --tile 'wide<0>'
# 0x70000000 + (8 << 20) + (4 << 16) + (6 << 14), the sum that the vendor's macro makes.
check "--spill" bash -c "'$TENSIX' record unused.cpp --arch wh --tile 'wide<0>' --spill \
    -o spill.s 2>spill.err && '$TENSIX' asm spill.s | grep -qx 70858000 &&
    grep -q '^# spills: unused.cpp:4: ADDR_MOD_6' spill.s &&
    grep -q '^tensix record: unused.cpp:4: ADDR_MOD_6 is 6 .*: it spills' spill.err"
# 0x4001 reaches the address modifier 3 at bit 14, where the sum carries on: 3 + 1 = 4.
check "--spill carries" bash -c "'$TENSIX' record unused.cpp --arch wh --tile address --spill \
    2>spill.err | '$TENSIX' asm - | grep -qx 70050001"

# ---- many kernels from one compilation ----
cat >list.txt <<'EOS'
# name and options, quotes as in a shell
first --tile 'rows<1>' --dst bf16
  second.two --tile "rows<2>" --title='two rows' --inputs 2 # comment

EOS
check "a list" bash -c "'$TENSIX' record hazard.cpp --arch wh --list list.txt -o listed \
    --dst fp32 | grep -qx '2 kernels recorded in listed'"
same "its files" "first.s second.two.s" "$(cd listed && echo *)"
same "their heads" ".arch wormhole_b0 .dst fp32 .dst bf16" "$(grep -h '^\.[ad][rs]' listed/first.s |
    tr '\n' ' ' | sed 's/ $//')"
"$TENSIX" record hazard.cpp --arch wh --tile 'rows<2>' --dst fp32 --title 'two rows' --inputs 2 \
    -o alone.s
check "a kernel of a list is the kernel" cmp alone.s listed/second.two.s
printf 'good --tile "late(3)"\nbad --tile "late(4)"\n' >mixed.txt
refuses "one of a list" 2 'mixed.txt:2: bad: bad.cpp:12: n << 14 is 65536' "$TENSIX" record \
    bad.cpp --arch bh --list mixed.txt -o mixed
same "the others are there" good.s "$(ls mixed)"
printf 'a --tile nothing\n' >wrong.txt
refuses "no such function in a list" 2 'wrong.txt:1: .*nothing' "$TENSIX" record bad.cpp \
    --arch bh --list wrong.txt -o none
for line in 'a --tile late --frob 1|no option .--frob' 'a --tile|no value after' \
    'a|no --tile FUNC' '../a --tile late|a kernel.s name' "a --tile 'late|quote is not closed" \
    '# a|no kernel in'; do
    echo "${line%%|*}" >wrong.txt
    refuses "list: ${line%%|*}" 2 "wrong.txt:.*${line#*|}" "$TENSIX" record bad.cpp \
        --arch bh --list wrong.txt -o none
done
printf 'a --tile late\na --tile late\n' >wrong.txt
refuses "a name twice" 2 "wrong.txt:2: .*twice: 'a'" "$TENSIX" record bad.cpp --arch bh \
    --list wrong.txt -o none
refuses "a list and no folder" 2 '.*-o DIR' "$TENSIX" record bad.cpp --arch bh --list mixed.txt

check "in range at run time" "$TENSIX" record bad.cpp --arch bh --tile 'late(3)'
check "a kernel that prints" bash -c \
    "'$TENSIX' record bad.cpp --arch bh --tile talk -v 2>talk.err | grep -q '    sfpnop' &&
     grep -qx hello talk.err"
refuses "outside at run time" 2 'bad.cpp:12: n << 14 is 65536 and must lie in 0..65535' \
    "${record[@]}" --tile 'late(4)'
refuses "a kernel without end" 2 'bad.cpp:13: more than 1048576 words' "${record[@]}" --tile endless
refuses "a kernel that crashes" 2 'bad.cpp: the kernel was ended by signal 6' "${record[@]}" \
    --tile crash
refuses "a kernel that leaves" 2 'bad.cpp: the kernel ended with status 3' "${record[@]}" \
    --tile leave
cat >replays.txt <<'EOS'
short --tile short_replay
long --tile long_replay
recorded --tile long_record
emitted --tile long_emit
EOS
got=0
"$TENSIX" record bad.cpp --arch bh --list replays.txt -o replays >out 2>err || got=$?
same "replays that cannot be: status" 2 $got
same "and what is wrong with each" "short: bad.cpp:17: 1 words are recorded here, 3 announced
long: bad.cpp:18: a replay of 40 words: the buffer holds 32
recorded: bad.cpp:19: a replay of 33 words: the buffer holds 32
emitted: bad.cpp:20: a replay of 33 words: the buffer holds 32" \
    "$(sed 's/^tensix: replays.txt:[1-4]: //' err)"
refuses "no such function" 2 "bad.cpp: .*(nothing|not declared|undeclared)" "${record[@]}" \
    --tile nothing
refuses "no --tile" 2 'tile FUNC is missing' "$TENSIX" record bad.cpp --arch bh
refuses "no --arch" 2 'arch is missing' "$TENSIX" record bad.cpp --tile late
refuses "no source" 2 'no source given' "$TENSIX" record
refuses "no file" 2 'none.cpp: No such file' "$TENSIX" record none.cpp --arch bh --tile f
refuses "no compiler" 2 "the compiler 'none-such' cannot be run" "${record[@]}" --tile endless \
    --compiler none-such
refuses "no such format" 2 "there is no format 'fp7'" "${record[@]}" --tile 'late(1)' --dst fp7
check "json" bash -c "'$TENSIX' record hazard.cpp --arch bh --tile 'rows<4>' --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin); assert r[\"tile\"] == 12, r'"
same "no scratch folder is left" "" "$(ls "$TMPDIR")"

# ---- the vendor's headers: a MOP, formats, the kernels of another folder ----
mkdir -p theirs/sfpu
cat >theirs/sfpu/ckernel_sfpu_load_config.h <<'EOS'
#pragma once
inline void theirs() { TTI_SFPLOAD(0, ckernel::InstrModLoadStore::DEFAULT, 3, 0); }
EOS
cat >mop.cpp <<'EOS'
#include "ckernel_sfpu.h"
#include "ckernel_template.h"
using namespace ckernel;
static_assert(GetSfpLoadStoreInstrMod<DataFormat::UInt32>() == InstrModLoadStore::INT32);
static_assert(is_valid_instruction_mode(InstrModLoadStore::LO16));
static_assert(SfpuType::isinf != SfpuType::isnan && BinaryOp::XLOGY == BinaryOp(6));
void setup()
{
    ckernel_template mop(32, 1, TT_OP_SFPLOAD(0, 0, 3, 0), TT_OP_SFPMOV(0, 0, 1, 1));
    mop.set_end_ops(TT_OP_SFPSTORE(1, 0, 3, 0), TT_OP_INCRWC(0, 2, 0, 0));
    mop.program();
    mop.program();
}
void negate() { ckernel_template::run(); }
void second()
{
    setup();
    ckernel_template(2, 1, TT_OP_NOP).program();
}
void other() { theirs(); }
EOS
check "a MOP" bash -c "'$TENSIX' record mop.cpp --arch bh --init setup --tile negate -I theirs \
    --dst bf16 --reference neg -o mop.s &&
    '$TENSIX' sweep mop.s | grep -q 'outcomes  *exact 65536\$'"
refuses "a second MOP" 2 'mop.cpp:18: a second MOP: a kernel has one' "$TENSIX" record mop.cpp \
    --arch wh --tile second -I theirs

# ---- by hand: C and C++ in one program, warnings as errors, no library ----
cat >part.c <<'EOS'
#include <tensix/ckernel_ops.h>
void part(int row);
void part(int row)
{
    TT_SFPLOAD(p_sfpu_LREG0, InstrModLoadStore_FP32, ADDR_MOD_3, row);
}
void part_other(void);
void part_other(void)
{
    TTI_TRNSPSRCA;
    TTI_SFPCONFIG(0x330, 8, SFPCONFIG_MOD1_ARG_IMM);
}
const uint32_t part_table[2] = {TT_OP_SFPNOP, TT_OP_SFPMAD(1, 2, 3, 4, 0)};
EOS
cat >whole.cpp <<'EOS'
#include <tensix/ckernel_ops.h>
extern "C" void part(int row);
extern "C" void part_other();
extern "C" const std::uint32_t part_table[2];
constexpr std::uint32_t word = TT_OP_SFPMAD(1, 2, 3, 4, 0);
static_assert(word == 0x84012340);
int main()
{
    tx_recorder recorder;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    part(2);
    TTI_SFPNOP;
    part_other();
    tx_record(0xff123456, "none.c", 1);
    const bool good = recorder.section[TX_RECORD_TILE].count == 5 && part_table[1] == word &&
                      tx_recorder_write(&recorder, stdout);
    tx_recorder_close(&recorder);
    return good ? 0 : 1;
}
EOS
flags=(-I "$TX_SOURCE/include" -DTENSIX_ARCH_BLACKHOLE -Wall -Wextra -Wconversion -Wpedantic
    -Werror)
for pair in "${pairs[@]}"; do
    check "C and C++ share a recorder, $pair" bash -c \
        "${pair% *} -std=c17 ${flags[*]} -c part.c -o part.o &&
         ${pair#* } -std=c++17 ${flags[*]} whole.cpp part.o -o whole && ./whole >by_hand.s"
    same "and write mnemonics" "TTI_SFPLOAD(0, 3, 3, 2) TTI_SFPNOP TTI_TRNSPSRCA \
TTI_SFPCONFIG(816, 8, 1) .word 0xff123456" \
        "$(sed -n 's/^    //p' by_hand.s | tr '\n' ' ' | sed 's/ $//')"
    same "which are the words" "70036002 8f000000 14000000 91033081" \
        "$(grep -v '\.word' by_hand.s | "$TENSIX" asm - | sed 1d | tr '\n' ' ' | sed 's/ $//')"
done

# Constants that fit may choose keep their names, and are loaded by as many words as when recorded.
cat >free.cpp <<'EOS'
#include <tensix/free_constant.hpp>
using namespace ckernel;
constexpr tensix::free_constant c2("c2", 0.4f, tensix::free_format::fp32, 0.25f, 1.0f);
constexpr tensix::free_constant c3("c3", 0.3f, tensix::free_format::bf16);
void init()
{
    c2.load(p_sfpu::LREG6);
    c3.load(p_sfpu::LREG7);
}
void kernel()
{
    for (unsigned row = 0; row < 64; row += 2) {
        TTI_SFPLOAD(0, 0, 3, row);
        TTI_SFPMAD(7, 0, 6, 1, 0);
        TTI_SFPNOP;
        TTI_SFPMAD(1, 0, 10, 1, 0);
        TTI_SFPNOP;
        TTI_SFPMAD(1, 0, 10, 1, 0);
        TTI_SFPNOP;
        TTI_SFPSTORE(1, 0, 3, row);
    }
    c3.load(p_sfpu::LREG7);
}
EOS
check "a kernel with free constants" "$TENSIX" record free.cpp --arch bh --init init --tile kernel \
    --dst fp32 --reference exp -o free.s
same "their lines" \
    ".free c2 = float(0.400000006) in fp32 [0.25, 1] .free c3 = float(0.300000012) in bf16" \
    "$(grep '^\.free' free.s | tr '\n' ' ' | sed 's/ $//')"
same "their loads" "71683ecc 716acccd 71703e9a 71703e9a" "$("$TENSIX" asm free.s |
    grep -E '^71[67]' | tr '\n' ' ' | sed 's/ $//')"
check "fit chooses them" "$TENSIX" fit free.s --domain bf16:0.01:0.06 --restarts 1 -o fitted.s
check "in the file" grep -q '^\.free c2 = float(0\.49' fitted.s
finish
