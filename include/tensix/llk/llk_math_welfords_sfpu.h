/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLK_MATH_WELFORDS_SFPU_H
#define TENSIX_LLK_LLK_MATH_WELFORDS_SFPU_H

#include <tensix/llk/llk_sfpu_faces.h>

#if __has_include(<sfpu/ckernel_sfpu_welfords.h>)
#include <sfpu/ckernel_sfpu_welfords.h>

inline void _llk_math_welfords_sfpu_init_()
{
    ckernel::tx_llk_init(0);
    _program_welfords_replay_buffer_(); /* the vendor defines it outside any namespace */
}
#endif

#endif
