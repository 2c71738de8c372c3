/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine found, as JSON: one form wherever it is told. */
#ifndef LAB_BASE_FINDING_H
#define LAB_BASE_FINDING_H

#include <tensix-lab/json.h>
#include <tensix/machine.h>

/* count: how often, where the caller has counted over more than one run. */
txl_json *finding_json(const struct tx_finding *finding, uint64_t count);

#endif
