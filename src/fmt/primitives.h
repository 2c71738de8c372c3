/* SPDX-License-Identifier: Apache-2.0 */
/* All headers that the expressions of conversions.def need. */
#ifndef TX_FMT_PRIMITIVES_H
#define TX_FMT_PRIMITIVES_H

#include "fmt/dst_lreg.h"
#include "fmt/host.h"
#include "fmt/pack_early.h"
#include "fmt/pack_late.h"
#include "fmt/src_cell.h"
#include "fmt/unpack.h"
#include "num/dst_cell.h"
#include "num/fp16_to_fp32.h"
#include "num/sm32.h"

#endif
