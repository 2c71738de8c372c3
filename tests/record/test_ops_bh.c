/* SPDX-License-Identifier: Apache-2.0 */
#define TENSIX_ARCH_BLACKHOLE 1
#define TEST_ARCH TX_BLACKHOLE
#define FORM_BH(id, fields) FORM_HERE(id, fields)
#define FORM_WH(id, fields)
#include "ops_body.h"
