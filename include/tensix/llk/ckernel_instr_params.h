/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_INSTR_PARAMS_H
#define TENSIX_LLK_CKERNEL_INSTR_PARAMS_H

#include <tensix/llk/ckernel.h>

#endif
