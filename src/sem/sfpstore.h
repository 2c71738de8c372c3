/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSTORE: what a mode makes of an LReg value is in fmt/dst_lreg.h. */
#ifndef TX_SEM_SFPSTORE_H
#define TX_SEM_SFPSTORE_H

#include "sem/sem.h"
#include "fmt/dst_lreg.h"

#endif
