/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLK_MATH_ELTWISE_UNARY_SFPU_H
#define TENSIX_LLK_LLK_MATH_ELTWISE_UNARY_SFPU_H

#include <tensix/llk/llk_sfpu_faces.h>

template <SfpuType op> inline void _llk_math_eltwise_unary_sfpu_init_()
{
    using ckernel::tx_llk_one_of;
    constexpr bool steps =
        (TX_RECORD_BLACKHOLE && op == SfpuType::reciprocal) ||
        tx_llk_one_of<op, SfpuType::typecast, SfpuType::signbit, SfpuType::unary_max,
                      SfpuType::unary_min, SfpuType::unary_max_int32, SfpuType::unary_min_int32,
                      SfpuType::unary_max_uint32, SfpuType::unary_min_uint32>;
    ckernel::tx_llk_init(op == SfpuType::topk_local_sort ? 32 : steps ? 2 : 0);
}

inline void _llk_math_eltwise_unary_sfpu_uninit_()
{
}

template <ckernel::DstSync> inline void _llk_math_eltwise_unary_sfpu_start_(std::uint32_t tile)
{
    ckernel::tx_llk_start(tile);
}

inline void _llk_math_eltwise_unary_sfpu_done_()
{
    ckernel::tx_llk_done(!TX_RECORD_BLACKHOLE);
}

inline void _llk_math_eltwise_unary_sfpu_inc_dst_face_addr_()
{
    ckernel::tx_llk_skip_faces(1);
}

#endif
