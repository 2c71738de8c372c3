/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: what its kernels expect to come before
 * them. The kernels themselves are "sfpu/ckernel_sfpu_NAME.h", with -I on the folder of sfpu/.
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

#endif
