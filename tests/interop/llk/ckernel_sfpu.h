/* SPDX-License-Identifier: Apache-2.0 */
/* Instead of tt-llk's file of this name: vector functions that are written without SFPI. */
#ifndef INTEROP_CKERNEL_SFPU_H
#define INTEROP_CKERNEL_SFPU_H

#include <limits>

#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_globals.h"
#include "sfpi.h"
#include "sfpu/ckernel_sfpu_load_config.h"

#include "sfpu/ckernel_sfpu_add_int.h"
#include "sfpu/ckernel_sfpu_cumsum.h"
#include "sfpu/ckernel_sfpu_reduce.h"
#include "sfpu/ckernel_sfpu_reshuffle_rows.h"
#include "sfpu/ckernel_sfpu_shift.h"
#include "sfpu/ckernel_sfpu_sub_int.h"
#include "sfpu/ckernel_sfpu_topk.h"
#include "sfpu/ckernel_sfpu_where.h"

#endif
