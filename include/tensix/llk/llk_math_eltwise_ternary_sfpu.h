/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLK_MATH_ELTWISE_TERNARY_SFPU_H
#define TENSIX_LLK_LLK_MATH_ELTWISE_TERNARY_SFPU_H

#include <tensix/llk/llk_sfpu_faces.h>

template <SfpuType op> inline void _llk_math_eltwise_ternary_sfpu_init_()
{
    ckernel::tx_llk_init(op == SfpuType::where ? 2 : 0);
}

inline void _llk_math_eltwise_ternary_sfpu_uninit_()
{
}

template <ckernel::DstSync> inline void _llk_math_eltwise_ternary_sfpu_start_(std::uint32_t tile)
{
    ckernel::tx_llk_start(tile);
}

inline void _llk_math_eltwise_ternary_sfpu_done_()
{
    ckernel::tx_llk_done(true);
}

inline void _llk_math_eltwise_ternary_sfpu_inc_dst_face_addr_()
{
    ckernel::tx_llk_skip_faces(1);
}

#endif
