/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of tt-llk in which a zone holds the vector kernel alone: which of the library's functions
 * a thread calls in which order is what a card was measured with, the functions are the library's
 * own. tests/interop/llk_silicon.py compiles it for each thread. Facts of tenstorrent/tt-metal,
 * tests/sources at the commits of bench/silicon/figures.tsv: sfpu_binary_bcast_test.cpp (a column
 * added), sfpu_ternary_test.cpp (where), eltwise_unary_typecast_test.cpp (uint16 to BF16).
 */
#include <cstdint>

#include "ckernel.h"
#include "llk_defs.h"
#include "params.h"
#include "profiler.h"

std::uint32_t unp_cfg_context = 0;
std::uint32_t pack_sync_tile_dst_ptr = 0;
std::uint32_t math_sync_tile_dst_index = 0;

constexpr auto HALF = ckernel::DstSync::SyncHalf;
#ifdef RUNTIME_FORMATS
#define FORMATS p.formats
#else
#define FORMATS formats
#endif

#ifdef LLK_TRISC_UNPACK

#include "llk_unpack_A.h"
#include "llk_unpack_common.h"

static inline void unpack(std::uint32_t address, const FormatConfig &f)
{
    _llk_unpack_A_<BroadcastType::NONE, false, EltwiseBinaryReuseDestType::NONE, unpack_to_dest>(
        L1_ADDRESS(address), f.unpack_A_src, f.unpack_A_dst);
}

void run_kernel(RUNTIME_PARAMETERS p)
{
    const FormatConfig &f = FORMATS;
    _llk_unpack_hw_configure_<is_fp32_dest_acc_en>(f.unpack_A_src, f.unpack_B_src, f.unpack_A_dst,
                                                   f.unpack_B_dst, FACE_R_DIM, FACE_R_DIM,
                                                   TILE_NUM_FACES, TILE_NUM_FACES);
    _llk_unpack_A_init_<BroadcastType::NONE, false, EltwiseBinaryReuseDestType::NONE,
                        unpack_to_dest>(
        0, 0, ckernel::make_tensor_shape_from_legacy(FACE_R_DIM, TILE_NUM_FACES), f.unpack_A_src,
        f.unpack_A_dst);
#ifdef SILICON_BCAST
    unpack(p.buffer_A[0], f);
    unpack(p.buffer_B[0], f);
#else
    for (std::uint32_t tile = 0; tile < p.NUM_BLOCKS * p.NUM_TILES_IN_BLOCK; tile++) {
        unpack(p.buffer_A[tile], f);
#ifdef SILICON_WHERE
        unpack(p.buffer_B[tile], f);
        unpack(p.buffer_C[tile], f);
#endif
    }
#endif
}

#endif

#ifdef LLK_TRISC_MATH

#include <ckernel_sfpu.h>
#include "llk_lib_math_wrappers.h"
#ifdef SILICON_BCAST
#include "llk_math_eltwise_binary_sfpu.h"
#include "sfpu/ckernel_sfpu_binary_bcast.h"
#else
#include "llk_math_eltwise_unary_sfpu.h"
#include "sfpu_operations.h"
#endif

using namespace ckernel;
using namespace ckernel::sfpu;

static inline void copy(std::uint32_t tile, const FormatConfig &f)
{
    _llk_math_eltwise_unary_datacopy_<DataCopyType::A2D, HALF, is_fp32_dest_acc_en,
                                      BroadcastType::NONE, unpack_to_dest>(tile, f.math, f.math);
}

static inline void copy_init(const FormatConfig &f)
{
    _llk_math_eltwise_unary_datacopy_init_wrapper_<DataCopyType::A2D, is_fp32_dest_acc_en,
                                                   BroadcastType::NONE, false, PackMode::Default>(
        TILE_NUM_FACES, f.math);
}

#ifdef SILICON_WHERE

void run_kernel(RUNTIME_PARAMETERS p)
{
    const FormatConfig &f = FORMATS;
    _llk_math_pack_sync_init_<HALF, is_fp32_dest_acc_en>();
    _llk_math_hw_configure_<is_fp32_dest_acc_en>(f.math, f.math);
    for (std::uint32_t block = 0; block < p.NUM_BLOCKS; block++) {
        for (std::uint32_t tile = 0; tile < p.NUM_TILES_IN_BLOCK; tile++) {
            _llk_math_wait_for_dest_available_<HALF>();
            copy_init(f);
            copy(0, f);
            copy(1, f);
            copy(2, f);
            _llk_math_eltwise_unary_datacopy_uninit_<BroadcastType::NONE, unpack_to_dest>();
            test_utils::call_ternary_sfpu_operation_init<SfpuType::where, APPROX_MODE,
                                                         is_fp32_dest_acc_en>();
            {
                ZONE_SCOPED("BODY")
                test_utils::call_ternary_sfpu_operation<HALF, is_fp32_dest_acc_en, SfpuType::where,
                                                        APPROX_MODE, is_fp32_dest_acc_en,
                                                        DataFormat::Float16_b, 8>(
                    0, 1, 2, 0, 0x40000000, VectorMode::RC);
            }
            _llk_math_dest_section_done_<HALF, is_fp32_dest_acc_en>();
        }
    }
}

#else

void run_kernel(RUNTIME_PARAMETERS p)
{
    const FormatConfig &f = FORMATS;
    copy_init(f);
    _llk_math_hw_configure_<is_fp32_dest_acc_en>(f.math, f.math);
    _llk_math_pack_sync_init_<HALF, is_fp32_dest_acc_en>();
#ifdef SILICON_BCAST
    _llk_math_eltwise_binary_sfpu_init_<SfpuType::add1>();
    _llk_math_wait_for_dest_available_<HALF>();
    copy(0, f);
    copy(1, f);
    _llk_math_eltwise_sfpu_start_(0);
    _sfpu_binary_bcast_init_<BroadcastType::COL>();
    {
        ZONE_SCOPED("BODY")
        _calculate_sfpu_binary_bcast_full_tile_<BinaryOp::ADD, BroadcastType::COL>(0, 1, 2);
    }
    _llk_math_eltwise_sfpu_done_();
    _llk_math_dest_section_done_<HALF, is_fp32_dest_acc_en>();
#else
    constexpr auto from = DataFormat::UInt16, to = DataFormat::Float16_b;
    test_utils::call_unary_sfpu_operation_init<SfpuType::typecast, APPROX_MODE, is_fp32_dest_acc_en,
                                               8, false, false, false, from, to>(f.math);
    LLK_ASSERT((p.NUM_TILES_IN_BLOCK <=
                get_dest_max_tiles<HALF, is_fp32_dest_acc_en, DstTileShape::Tile32x32>()),
               "tiles of a block have room in Dst");
    for (std::uint32_t block = 0; block < p.NUM_BLOCKS; block++) {
        _llk_math_wait_for_dest_available_<HALF>();
        for (std::uint32_t tile = 0; tile < p.NUM_TILES_IN_BLOCK; tile++) {
            copy(tile, f);
            ZONE_SCOPED("BODY")
            test_utils::call_unary_sfpu_operation<HALF, is_fp32_dest_acc_en, SfpuType::typecast,
                                                  APPROX_MODE, is_fp32_dest_acc_en, 8, false, false,
                                                  false, from, to>(tile);
        }
        _llk_math_dest_section_done_<HALF, is_fp32_dest_acc_en>();
    }
#endif
}

#endif
#endif

#ifdef LLK_TRISC_PACK

#include "llk_lib_pack_wrappers.h"
#include "llk_pack_common.h"

void run_kernel(RUNTIME_PARAMETERS p)
{
    const FormatConfig &f = FORMATS;
    _llk_pack_hw_configure_wrapper_<is_fp32_dest_acc_en, PackMode::Default>(
        f.pack_src, f.pack_dst, FACE_R_DIM * FACE_C_DIM * TILE_NUM_FACES);
    _llk_pack_init_wrapper_<PackMode::Default, false>(f.pack_dst, FACE_R_DIM, TILE_C_DIM,
                                                      TILE_NUM_FACES);
    _llk_pack_dest_init_<HALF, is_fp32_dest_acc_en>();
#ifdef SILICON_BCAST
    _llk_packer_wait_for_math_done_();
    _llk_pack_<HALF, is_fp32_dest_acc_en, ckernel::PackMode::Default>(2,
                                                                      L1_ADDRESS(p.buffer_Res[0]));
    _llk_pack_dest_section_done_<HALF, is_fp32_dest_acc_en>();
#else
    for (std::uint32_t block = 0; block < p.NUM_BLOCKS; block++) {
        _llk_packer_wait_for_math_done_();
        for (std::uint32_t tile = 0; tile < p.NUM_TILES_IN_BLOCK; tile++) {
            _llk_pack_<HALF, is_fp32_dest_acc_en, ckernel::PackMode::Default>(
                tile, L1_ADDRESS(p.buffer_Res[block * p.NUM_TILES_IN_BLOCK + tile]));
        }
        _llk_pack_dest_section_done_<HALF, is_fp32_dest_acc_en>();
    }
#endif
}

#endif
