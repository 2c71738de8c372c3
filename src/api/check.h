/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build that checks itself (cmake --preset check, TX_CHECK): what a short way has done is done
 * again the long way, from the same state, with every word at its gate in its cycle, and all state
 * is compared. A difference prints which short way, where, and the first place that differs, and
 * aborts. In other builds these functions are empty.
 */
#ifndef TX_API_CHECK_H
#define TX_API_CHECK_H

#include "state/machine.h"

struct check;
#if defined(TX_CHECK)
/* Remembers the machine as it is before a short way, which these words may take. */
struct check *check_before(const struct tx_machine *m, const uint32_t *words, size_t count);
/*
 * "passed" of the thread's words have passed since; the one behind them has been presented in vain,
 * or nothing if words is NULL.
 */
void check_after(struct tx_machine *m, struct check *c, const char *way, unsigned thread,
                 const uint32_t *words, size_t passed);
#else
static inline struct check *check_before(const struct tx_machine *m, const uint32_t *words,
                                         size_t count)
{
    (void)m, (void)words, (void)count;
    return NULL;
}
static inline void check_after(struct tx_machine *m, struct check *c, const char *way,
                               unsigned thread, const uint32_t *words, size_t passed)
{
    (void)m, (void)c, (void)way, (void)thread, (void)words, (void)passed;
}
#endif

#endif
