/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measured loop of tt-llk's performance test of matrix products, in L1_TO_L1: which of the
 * library's functions a thread calls in which order is what a card was measured with, the
 * functions are the library's own. tests/interop/llk_figures.py compiles it for each thread.
 * Facts of tenstorrent/tt-metal 00d13a9 (tt_metal/tt-llk/tests/sources/matmul_perf.cpp).
 */
#include <cstdint>

#include "ckernel.h"
#include "ckernel_defs.h"
#include "llk_defs.h"
#include "params.h"
#include "perf.h"
#include "profiler.h"

std::uint32_t unp_cfg_context = 0;
std::uint32_t pack_sync_tile_dst_ptr = 0;
std::uint32_t math_sync_tile_dst_index = 0;

#ifdef LLK_TRISC_UNPACK

#include "llk_unpack_AB_matmul.h"
#include "llk_unpack_common.h"

void run_kernel(RUNTIME_PARAMETERS p)
{
    const std::uint32_t loops = p.LOOP_FACTOR;
    const std::uint32_t bytes_a = p.TILE_SIZE_UNPACK_A, bytes_b = p.TILE_SIZE_UNPACK_B;
    const std::uint32_t faces_a = p.num_faces_A, faces_b = p.num_faces_B;
    const std::uint32_t columns = p.CT_DIM, rows = p.RT_DIM, inner = p.KT_DIM;
    const bool transpose = p.UNPACK_TRANSPOSE_FACES;
    const FormatConfig &f = p.formats;
    {
        ZONE_SCOPED("INIT")
        _llk_unpack_hw_configure_<is_fp32_dest_acc_en>(
            f.unpack_A_src, f.unpack_B_src, f.unpack_A_dst, f.unpack_B_dst, FACE_R_DIM, FACE_R_DIM,
            faces_a, faces_b, bytes_a, bytes_b);
        _llk_unpack_AB_matmul_init_<>(transpose, columns, rows, inner, FACE_R_DIM, FACE_R_DIM,
                                      faces_a, faces_b, false, false);
        PROFILER_SYNC();
    }
    ZONE_SCOPED("TILE_LOOP")
    for (std::uint32_t loop = 0; loop < loops; loop++) {
        for (std::uint32_t j = 0; j < inner; j++) {
            _llk_unpack_AB_matmul_<>(PERF_ADDRESS(PERF_INPUT_A, j), PERF_ADDRESS(PERF_INPUT_B, j),
                                     j, j * columns, bytes_a, bytes_b, false, false, columns, rows,
                                     inner);
        }
    }
    PROFILER_SYNC();
}

#endif

#ifdef LLK_TRISC_MATH

#include "llk_math_common.h"
#include "llk_math_matmul.h"

void run_kernel(RUNTIME_PARAMETERS p)
{
    const std::uint32_t loops = p.LOOP_FACTOR;
    const std::uint32_t columns = p.CT_DIM, rows = p.RT_DIM, inner = p.KT_DIM;
    {
        ZONE_SCOPED("INIT")
        _llk_math_hw_configure_<is_fp32_dest_acc_en>(p.formats.math, p.formats.math);
        _llk_math_pack_sync_init_<dest_sync, is_fp32_dest_acc_en>();
        _llk_math_matmul_init_<MATH_FIDELITY, 0>(TILE_R_DIM, TILE_C_DIM, TILE_R_DIM, TILE_C_DIM,
                                                 false, false, columns, rows);
        PROFILER_SYNC();
    }
    ZONE_SCOPED("TILE_LOOP")
    for (std::uint32_t loop = 0; loop < loops; loop++) {
        LLK_ASSERT((get_dest_max_matmul_tiles(0, columns, rows) <
                    get_dest_max_tiles<dest_sync, is_fp32_dest_acc_en, DstTileShape::Tile32x32>()),
                   "the product has more tiles than Dst has room for");
        _llk_math_wait_for_dest_available_<dest_sync>();
        for (std::uint32_t j = 0; j < inner; j++) {
            _llk_math_matmul_<MATH_FIDELITY, 0>(0, columns, rows);
        }
        _llk_math_dest_section_done_<dest_sync, is_fp32_dest_acc_en>();
    }
    PROFILER_SYNC();
}

#endif

#ifdef LLK_TRISC_PACK

#include "llk_lib_pack_wrappers.h"
#include "llk_pack_common.h"

constexpr std::uint32_t DST_TILES = is_fp32_dest_acc_en ? 4 : 8;

void run_kernel(RUNTIME_PARAMETERS p)
{
    const std::uint32_t loops = p.LOOP_FACTOR;
    const std::uint32_t columns = p.CT_DIM, rows = p.RT_DIM;
    {
        ZONE_SCOPED("INIT")
        _llk_pack_hw_configure_wrapper_<is_fp32_dest_acc_en, PackMode::Default>(
            p.formats.pack_src, p.formats.pack_dst, p.TILE_SIZE_PACK);
        _llk_pack_init_wrapper_<PackMode::Default, false>(p.formats.pack_dst);
        _llk_pack_dest_init_<dest_sync, is_fp32_dest_acc_en>();
        PROFILER_SYNC();
    }
    ZONE_SCOPED("TILE_LOOP")
    for (std::uint32_t loop = 0; loop < loops; loop++) {
        _llk_packer_wait_for_math_done_();
        for (std::uint32_t tile = 0; tile < columns * rows; tile++) {
            const std::uint32_t at = tile % DST_TILES;
            LLK_ASSERT(
                (at <
                 get_dest_max_tiles<dest_sync, is_fp32_dest_acc_en, DstTileShape::Tile32x32>()),
                "a tile that is packed is one of Dst");
            _llk_pack_<dest_sync, is_fp32_dest_acc_en, ckernel::PackMode::Default>(
                at, PERF_ADDRESS(PERF_OUTPUT, at));
        }
        _llk_pack_dest_section_done_<dest_sync, is_fp32_dest_acc_en>();
    }
    PROFILER_SYNC();
}

#endif
