/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: calls a kernel face by face. The
 * kernel receives the tile numbers first, then its arguments.
 */
#ifndef TENSIX_LLK_LLK_MATH_ELTWISE_BINARY_SFPU_PARAMS_H
#define TENSIX_LLK_LLK_MATH_ELTWISE_BINARY_SFPU_PARAMS_H

#include <tensix/llk/llk_math_eltwise_binary_sfpu.h>

template <bool APPROXIMATE, typename Kernel, typename... Args>
inline void _llk_math_eltwise_binary_sfpu_params_(Kernel &&kernel, std::uint32_t dst_index_in0,
                                                  std::uint32_t dst_index_in1,
                                                  std::uint32_t dst_index_out,
                                                  int vector_mode = int(ckernel::VectorMode::RC),
                                                  Args &&...args)
{
    TX_LLK_FITS(dst_index_in0);
    TX_LLK_FITS(dst_index_in1);
    TX_LLK_FITS(dst_index_out);
    _llk_math_eltwise_binary_sfpu_start_<DST_SYNC_MODE>(0);
    ckernel::tx_llk_faces(vector_mode,
                          [&] { kernel(dst_index_in0, dst_index_in1, dst_index_out, args...); });
    _llk_math_eltwise_binary_sfpu_done_();
}

#endif
