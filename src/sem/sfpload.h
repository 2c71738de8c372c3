/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOAD: fmt/dst_lreg.h has the conversion of a Dst cell by its mode. */
#ifndef TX_SEM_SFPLOAD_H
#define TX_SEM_SFPLOAD_H

#include "sem/sem.h"
#include "fmt/dst_lreg.h"

#endif
