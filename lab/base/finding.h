/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's finding as JSON, in the one form that all reports use. */
#ifndef LAB_BASE_FINDING_H
#define LAB_BASE_FINDING_H

#include <tensix-lab/json.h>
#include <tensix/machine.h>

/* count is the number of occurrences, which the caller may have summed over several runs. */
txl_json *finding_json(const struct tx_finding *finding, uint64_t count);

#endif
