/* SPDX-License-Identifier: Apache-2.0 */
/* SFPSTORE: fmt/dst_lreg.h has the conversion of an LReg value by its mode. */
#ifndef TX_SEM_SFPSTORE_H
#define TX_SEM_SFPSTORE_H

#include "sem/sem.h"
#include "fmt/dst_lreg.h"

#endif
