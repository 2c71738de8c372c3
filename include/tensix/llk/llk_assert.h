/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name. As in the vendor's, a condition is
 * compiled but not evaluated unless ENABLE_LLK_ASSERT is defined; then a false condition is an
 * error of the recorder.
 */
#ifndef TENSIX_LLK_LLK_ASSERT_H
#define TENSIX_LLK_LLK_ASSERT_H

#include <tensix/ckernel_llk.h>

#ifndef LLK_ASSERT
#ifdef ENABLE_LLK_ASSERT
#define LLK_ASSERT(condition, message) \
    ((condition) ? (void)0 : ::ckernel::tx_record_refuse(message, __FILE__, __LINE__))
#else
#define LLK_ASSERT(condition, message) ((void)sizeof((condition)))
#endif
#endif

#endif
