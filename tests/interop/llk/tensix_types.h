/* SPDX-License-Identifier: Apache-2.0 */
/* What tt-metal's header of this name has beside the numbers of formats, which are ours. */
#ifndef INTEROP_TENSIX_TYPES_H
#define INTEROP_TENSIX_TYPES_H

#include "../../../include/tensix/llk/tensix_types.h"

enum xmov_direction_t { XMOV_L0_TO_L1, XMOV_L1_TO_L0, XMOV_L0_TO_L0, XMOV_L1_TO_L1 };
enum tdma_mover_id_t { TDMA_MOVER0, TDMA_MOVER1 };

#endif
