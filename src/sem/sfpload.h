/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOAD: what a mode makes of a Dst cell is in fmt/dst_lreg.h. */
#ifndef TX_SEM_SFPLOAD_H
#define TX_SEM_SFPLOAD_H

#include "sem/sem.h"
#include "fmt/dst_lreg.h"

#endif
