/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name. It includes those of the vendor's
 * kernels that the compiler finds in a folder sfpu/ given by -I, after the definitions they expect.
 */
#ifndef TENSIX_LLK_CKERNEL_SFPU_H
#define TENSIX_LLK_CKERNEL_SFPU_H

#include <tensix/llk/lltt.h>
#include <tensix/llk/sfpi.h>

#if __has_include(<sfpu/ckernel_sfpu_load_config.h>)
#include <sfpu/ckernel_sfpu_load_config.h>
#else
#include <tensix/llk/ckernel_sfpu_load_config.h>
#endif

#if __has_include(<sfpu/ckernel_sfpu_abs.h>)
#include <sfpu/ckernel_sfpu_abs.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_activations.h>)
#include <sfpu/ckernel_sfpu_activations.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_add_int.h>)
#include <sfpu/ckernel_sfpu_add_int.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_binary.h>)
#include <sfpu/ckernel_sfpu_binary.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_binary_bitwise.h>)
#include <sfpu/ckernel_sfpu_binary_bitwise.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_cast_fp32_to_fp16a.h>)
#include <sfpu/ckernel_sfpu_cast_fp32_to_fp16a.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_clamp.h>)
#include <sfpu/ckernel_sfpu_clamp.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_comp.h>)
#include <sfpu/ckernel_sfpu_comp.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_converter.h>)
#include <sfpu/ckernel_sfpu_converter.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_cumsum.h>)
#include <sfpu/ckernel_sfpu_cumsum.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_dropout.h>)
#include <sfpu/ckernel_sfpu_dropout.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_elu.h>)
#include <sfpu/ckernel_sfpu_elu.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_ema.h>)
#include <sfpu/ckernel_sfpu_ema.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_exp.h>)
#include <sfpu/ckernel_sfpu_exp.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_exp2.h>)
#include <sfpu/ckernel_sfpu_exp2.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_fill.h>)
#include <sfpu/ckernel_sfpu_fill.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_gelu.h>)
#include <sfpu/ckernel_sfpu_gelu.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_hardtanh.h>)
#include <sfpu/ckernel_sfpu_hardtanh.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_is_fp16_zero.h>)
#include <sfpu/ckernel_sfpu_is_fp16_zero.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_isinf_isnan.h>)
#include <sfpu/ckernel_sfpu_isinf_isnan.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_log.h>)
#include <sfpu/ckernel_sfpu_log.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_max_pool_indices.h>)
#include <sfpu/ckernel_sfpu_max_pool_indices.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_mul_int.h>)
#include <sfpu/ckernel_sfpu_mul_int.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_negative.h>)
#include <sfpu/ckernel_sfpu_negative.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_quant.h>)
#include <sfpu/ckernel_sfpu_quant.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_recip.h>)
#include <sfpu/ckernel_sfpu_recip.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_reduce.h>)
#include <sfpu/ckernel_sfpu_reduce.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_relu.h>)
#include <sfpu/ckernel_sfpu_relu.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_reshuffle_rows.h>)
#include <sfpu/ckernel_sfpu_reshuffle_rows.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_rounding_ops.h>)
#include <sfpu/ckernel_sfpu_rounding_ops.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_rsqrt.h>)
#include <sfpu/ckernel_sfpu_rsqrt.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_shift.h>)
#include <sfpu/ckernel_sfpu_shift.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_sigmoid.h>)
#include <sfpu/ckernel_sfpu_sigmoid.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_sign.h>)
#include <sfpu/ckernel_sfpu_sign.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_silu.h>)
#include <sfpu/ckernel_sfpu_silu.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_sqrt.h>)
#include <sfpu/ckernel_sfpu_sqrt.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_square.h>)
#include <sfpu/ckernel_sfpu_square.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_sub_int.h>)
#include <sfpu/ckernel_sfpu_sub_int.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_tanh.h>)
#include <sfpu/ckernel_sfpu_tanh.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_tanh_derivative.h>)
#include <sfpu/ckernel_sfpu_tanh_derivative.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_threshold.h>)
#include <sfpu/ckernel_sfpu_threshold.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_topk.h>)
#include <sfpu/ckernel_sfpu_topk.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_trigonometry.h>)
#include <sfpu/ckernel_sfpu_trigonometry.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_typecast.h>)
#include <sfpu/ckernel_sfpu_typecast.h>
#endif
#if __has_include(<sfpu/ckernel_sfpu_where.h>)
#include <sfpu/ckernel_sfpu_where.h>
#endif

#endif
