#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels through the vendor's entry points: examples/llk_style, and the words around a kernel.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
style=$TX_SOURCE/examples/llk_style
judge=$(cd "$(dirname "$0")" && pwd)/llk_check.py

if ! command -v "${CXX:=c++}" >/dev/null; then
    echo "no C++ compiler"
    exit 77
fi
cd "$work"

# record_example NAME CHIP OUT OPTIONS...: with what the head of the example says to give.
record_example() {
    local name=$1 chip=$2 out=$3
    shift 3
    # shellcheck disable=SC2046 # several words
    "$TENSIX" record "$style/$name.cpp" --arch "$chip" \
        $(sed -n "s,^//  *tensix record $name.cpp --arch .. \(.*\) -o .*,\1,p" "$style/$name.cpp") \
        -o "$out" "$@"
}

# run_example NAME KERNEL: on the inputs of NAME, in-NAME-N.npy.
run_example() {
    local file ins=()
    for file in in-"$1"-*.npy; do
        ins+=(--in "$file")
    done
    [ "$1" != widen ] || ins+=(--out-dst fp32)
    "$TENSIX" run "$2" "${ins[@]}" --out out.npy --json >run.json
}

# ---- the examples: numbers that llk_check.py states in Python ----
python3 "$judge" inputs
# The one with SFPLOADMACRO on both chips, one more on each, and in the campaign all.
for chip in bh wh; do
    if whole; then
        names="absdiff select affine column_sum widen"
    elif [ $chip = bh ]; then
        names="affine widen"
    else
        names="select affine"
    fi
    for name in $names; do
        check "$name records on $chip" record_example $name $chip $name.s
        check "$name runs" run_example $name $name.s
        check "its numbers are right on $chip, with no finding" python3 "$judge" $name
        check "lint has no hazard" bash -c \
            "'$TENSIX' lint $name.s | grep -q ': 0 hazards, 0 other findings'"
    done
    # The one with SFPLOADMACRO again, as instructions.
    check "affine without SFPLOADMACRO" record_example affine $chip plain.s -D DISABLE_SFPLOADMACRO
    check "has none" bash -c "! grep -q sfploadmacro plain.s && grep -q sfploadmacro affine.s"
    check "runs" run_example affine plain.s
    check "and is right" python3 "$judge" affine
done

# ---- the words around a kernel are those of tt-llk's own headers ----
cat >around.cpp <<'EOS'
#include "llk_math_eltwise_binary_sfpu_params.h"
#include "llk_math_eltwise_ternary_sfpu_params.h"
#include "llk_math_eltwise_unary_sfpu_params.h"
template <int mode> void unary(int tile)
{
    _llk_math_eltwise_unary_sfpu_params_<false>([](int x) { TT_SFPLOADI(0, 2, x); }, tile, mode, 5);
}
template <int mode> void binary()
{
    _llk_math_eltwise_binary_sfpu_params_<false>(
        [](int a, int b, int c, int x) { TT_SFPLOADI(a, b, 100 * c + x); }, 1, 2, 3, mode, 5);
}
template <int mode> void ternary()
{
    _llk_math_eltwise_ternary_sfpu_params_<false>(
        [](int a, int b, int c, int d, int x) { TT_SFPLOADI(a, b, 1000 * d + 100 * c + x); }, 0, 1,
        2, 3, mode, 5);
}
EOS
sed -E -e 's,^(\w+) (\w+) (.*),\1 --init "_llk_math_eltwise_\2_sfpu_init_<SfpuType::\3,' \
    -e 's, \| ,>()" --tile ,' \
    >around.txt <<'EOS'
unary_abs unary abs | unary<VectorMode::RC>(0)
unary_typecast unary typecast | unary<VectorMode::R>(3)
unary_reciprocal unary reciprocal | unary<VectorMode::C>(1)
unary_topk unary topk_local_sort | unary<VectorMode::RC_custom>(7)
binary_add1 binary add1 | binary<VectorMode::RC>
binary_max binary max | binary<VectorMode::R>
binary_mul binary mul_uint16 | binary<VectorMode::C>
ternary_where ternary where | ternary<VectorMode::RC>
ternary_r ternary unused | ternary<VectorMode::R>
EOS
echo "ternary_none --tile ternary<VectorMode::None>" >>around.txt
for chip in bh wh; do
    check "the entry points record on $chip" \
        "$TENSIX" record around.cpp --arch $chip --list around.txt -o around
    while read -r name words; do
        same "$name on $chip: the vendor's words" "$words" \
            "$("$TENSIX" asm "around/$name.s" | grep -v '^#' | tr '\n' ' ' | sed 's/ $//')"
    done < <(grep -v '^#' "$TX_SOURCE/tests/data/llk_style/entry-$chip.txt")
done

# ---- configuration, semaphores, assertions ----
cat >rest.cpp <<'EOS'
#include "llk_math_common.h"
#include "llk_math_eltwise_unary_sfpu_params.h"
#ifdef ARCH_WORMHOLE
#error "ARCH_BLACKHOLE is the vendor's name"
#endif
void configure()
{
    cfg_reg_rmw_tensix<ALU_ACC_CTRL_Fp32_enabled_RMW>(1);
    cfg_reg_rmw_tensix<1, 4, 0x00fff0f0>(0xabc5);
}
void synchronise()
{
    t6_semaphore_init(semaphore::MATH_PACK, 0, 2);
    t6_semaphore_wait_on_max<p_stall::STALL_SFPU>(semaphore::MATH_PACK);
    t6_semaphore_post<p_stall::MATH>(semaphore::MATH_PACK);
    t6_semaphore_get(semaphore::MATH_PACK);
}
void halves()
{
    _llk_math_pack_sync_init_<DstSync::SyncHalf, false>();
    for (int half = 0; half < 2; half++) {
        _llk_math_wait_for_dest_available_<DstSync::SyncHalf>();
        _llk_math_eltwise_unary_sfpu_start_<DstSync::SyncHalf>(1);
        _llk_math_dest_section_done_<DstSync::SyncHalf, false>();
    }
}
template <bool wide, DataFormat format> void hardware()
{
    _llk_math_hw_configure_<wide>(std::uint32_t(format), std::uint32_t(format));
}
void both_ways()
{
    _llk_math_dbg_feature_disable_();
    _llk_math_dbg_feature_enable_();
}
void nothing() {}
void tile(int n) { _llk_math_eltwise_unary_sfpu_params_<false>(nothing, n); }
void post() { semaphore_post(semaphore::MATH_DONE); }
static_assert(get_dest_max_tiles<DstSync::SyncHalf, false, DstTileShape::Tile32x32>() == 8);
static_assert(get_dest_max_tiles<DstSync::SyncFull, true, DstTileShape::Tile16x16>() == 32);
EOS
cat >rest.txt <<'EOS'
configure --tile configure
synchronise --tile synchronise
halves --tile halves
beyond --tile tile(9)
uint16_in_32 --tile hardware<true,DataFormat::UInt16>
uint16 --tile hardware<false,DataFormat::UInt16>
int32 --tile hardware<true,DataFormat::Int32>
fp32 --tile hardware<true,DataFormat::Float32>
enabled --tile _llk_math_dbg_feature_enable_()
EOS
check "configuration, semaphores, halves, a tile beyond what the kernel has" \
    "$TENSIX" record rest.cpp --arch bh --list rest.txt -o rest
words() {
    "$TENSIX" asm "rest/$1.s" | grep -v '^#' | tr '\n' ' '
}
# Bit 29 of word 1; then 0xabc50 under the mask's bytes 0, 1 and 2.
same "cfg_reg_rmw_tensix" "b6202001 b3f05001 b4f0bc01 b5ff0a01 " "$(words configure)"
same "semaphores" "a3200008 a680000a a2010010 a4000008 a5000008 " "$(words synchronise)"
same "the halves of Dst by turns" "0 64 512 576 0 " \
    "$(grep -oE 'ttsetc16 1,[0-9]+' rest/halves.s | cut -d, -f2 | tr '\n' ' ')"
# tt-llk writes bit 11 for integers of 8 and 32 bits, and for UInt16 in a 32-bit Dst.
same "DBG_FEATURE_DISABLE" "enabled:0 int32:0x800 uint16_in_32:0x800 " \
    "$(cd rest && grep -o 'DBG_FEATURE_DISABLE, .*' ./*.s |
        sed -E 's,\./(.*)\.s:DBG_FEATURE_DISABLE\, ,\1:,' | tr '\n' ' ')"
refuses "one value of it" 2 'rest.cpp:[0-9]+: DBG_FEATURE_DISABLE is set and cleared' \
    "$TENSIX" record rest.cpp --arch bh --tile both_ways
refuses "such a tile, where assertions are on" 2 'dst_index exceeds max dest tiles' \
    "$TENSIX" record rest.cpp --arch bh --tile 'tile(8)' -D ENABLE_LLK_ASSERT
refuses "what the RISC-V core does" 2 'rest.cpp:[0-9]+: semaphore_post is the RISC-V core' \
    "$TENSIX" record rest.cpp --arch bh --tile post

# ---- names of sfpi 7.38 and newer, and of sources before sfpi 7 ----
cat >names.cpp <<'EOS'
#include "sfpi.h"
using namespace sfpi;
static_assert(SFP_DESTREG_COUNT == 512 && SFPXCMP_MOD1_TYPE_SMAG == 2 && SFPXBOOL_MOD1_NOT == 2);
static_assert(SFPSETCC_MOD1_COMP == 8 && SFPCONFIG_MOD1_XOR == 6 && SFPSHFT_MOD1_SHIFT_LREGC == 1);
static_assert(SFPSTOCHRND_MOD1_FP32_TO_SMAG16 == 7 && CREG_IDX_PRGM1 == 12);
static_assert(CREG_IDX_TILEID == 15);
static_assert(SFPLOAD_MOD0_FMT_SM32 == 12 && SFPCAST_MOD1_SM32_TO_FP32_RNS == 1);
void old()
{
    vFloat x = dst_reg[0];
    dst_reg[0] = x * s2vFloat16(1.5f) + s2vFloat16(0.3333333f, s2vFloat16::fp16a);
    dst_reg[1] = x * s2vFloat16(0x3c01, s2vFloat16::fp16a).negate();
}
void halves()
{
    for (float number : {65504.0f, 70000.0f, -5.9604645e-8f, 6.1e-5f, 1e-8f, 1.00048828125f}) {
        const std::uint32_t bits = s2vFloat16(number, s2vFloat16::fp16a).get();
        TT_SFPLOADI(0, SFPLOADI_MOD0_FLOATA, bits);
    }
}
EOS
printf 'old --tile old\nhalves --tile halves\n' >names.txt
check "names of sfpi" "$TENSIX" record names.cpp --arch bh --list names.txt -o names
# 1.5 is BF16 3fc0 = 16320; a third is FP16 3555 = 13653; -(1 + 2^-10) is bc01 = -17407.
same "s2vFloat16" "sfploadi L1,16320,0 sfploadi L2,13653,1 sfploadi L1,-17407,1 " \
    "$(grep -o 'sfploadi.*' names/old.s | tr '\n' ' ')"
# The last one is halfway between 1 and the next, 3c01.
same "FP16 of a float" "7bff 7fff 8001 03ff 0000 3c01 " \
    "$("$TENSIX" asm names/halves.s | sed -n 's/^7101//p' | tr '\n' ' ')"
finish
