/* SPDX-License-Identifier: Apache-2.0 */
#define TENSIX_ARCH_WORMHOLE 1
#define TEST_ARCH TX_WORMHOLE
#define FORM_BH(id, fields)
#define FORM_WH(id, fields) FORM_HERE(id, fields)
#include "ops_body.h"
