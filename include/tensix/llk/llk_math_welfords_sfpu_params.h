/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLK_MATH_WELFORDS_SFPU_PARAMS_H
#define TENSIX_LLK_LLK_MATH_WELFORDS_SFPU_PARAMS_H

#include <tensix/llk/llk_math_eltwise_ternary_sfpu.h>

template <typename Kernel, typename... Args>
inline void _llk_math_welfords_sfpu_params_(Kernel &&kernel, std::uint32_t dst_index0,
                                            Args &&...args)
{
    TX_LLK_FITS(dst_index0);
    _llk_math_eltwise_ternary_sfpu_start_<DST_SYNC_MODE>(dst_index0);
    kernel(std::forward<Args>(args)...);
    _llk_math_eltwise_ternary_sfpu_done_();
}

#endif
