/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: calls a kernel face by face. The
 * kernel receives only its arguments, because Dst addresses start at its tile.
 */
#ifndef TENSIX_LLK_LLK_MATH_ELTWISE_UNARY_SFPU_PARAMS_H
#define TENSIX_LLK_LLK_MATH_ELTWISE_UNARY_SFPU_PARAMS_H

#include <tensix/llk/llk_math_eltwise_unary_sfpu.h>

template <bool APPROXIMATE, typename Kernel, typename... Args>
inline void _llk_math_eltwise_unary_sfpu_params_(Kernel &&kernel, std::uint32_t dst_index,
                                                 int vector_mode = int(ckernel::VectorMode::RC),
                                                 Args &&...args)
{
    TX_LLK_FITS(dst_index);
    _llk_math_eltwise_unary_sfpu_start_<DST_SYNC_MODE>(dst_index);
    ckernel::tx_llk_faces(vector_mode, [&] { kernel(args...); });
    _llk_math_eltwise_unary_sfpu_done_();
}

#endif
