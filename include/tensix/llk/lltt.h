/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLTT_H
#define TENSIX_LLK_LLTT_H

#include <tensix/ckernel_ops.h>

#endif
