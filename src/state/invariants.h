/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of the state between two cycles; for the build that checks itself (base/check.h). */
#ifndef TX_STATE_INVARIANTS_H
#define TX_STATE_INVARIANTS_H

#include "state/machine.h"

#if defined(TX_CHECK)
void invariants_check(const struct tx_machine *m);
#else
static inline void invariants_check(const struct tx_machine *m)
{
    (void)m;
}
#endif

#endif
