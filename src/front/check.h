/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build that checks itself (cmake --preset check, TX_CHECK): what a short way has done is done
 * again the long way, from the same state, with every word at its gate in its cycle, and all state
 * is compared. A difference prints which short way, where, and the first place that differs, and
 * aborts. In other builds these functions are empty. Where somebody watches, or where what is done
 * cannot be undone, only the invariants are looked at.
 *
 * A new short way of the coprocessor: check_before or check_cycle, the short way, then check_after,
 * or, where the long way is another one than cycles with words, "if (check_again(m, c)) { the long
 * way; check_end(m, c, name); }".
 */
#ifndef TX_FRONT_CHECK_H
#define TX_FRONT_CHECK_H

#include "state/machine.h"

struct check;
#if defined(TX_CHECK)
/* Frees what the long way has kept of a machine. */
void check_close(struct tx_machine *m);
/* Remembers the machine as it is before a short way, which these words may take. */
struct check *check_before(struct tx_machine *m, const uint32_t *words, size_t count);
/*
 * "passed" of the thread's words have passed since; the one behind them has been presented in vain,
 * or nothing if words is NULL.
 */
void check_after(struct tx_machine *m, struct check *c, const char *way, unsigned thread,
                 const uint32_t *words, size_t passed);
/*
 * Of cycles that only wait, one in so many is compared; of those in which a word has come to its
 * gate or an unpacker works, all.
 */
enum { CHECK_EACH = 64 };
/*
 * Remembers the machine before one cycle: with *word (or NULL) at the gate of the thread, or, with
 * TX_THREADS, with the words that stand in the queues.
 */
struct check *check_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word);
/* Brings that machine back to go the long way, if it is to be gone. */
bool check_again(struct tx_machine *m, struct check *c);
/* Nothing has been done. */
void check_forget(struct tx_machine *m, struct check *c);
/* The long way has been gone: compares, and leaves what the short way has made. */
void check_end(struct tx_machine *m, struct check *c, const char *way);
#else
static inline void check_close(struct tx_machine *m)
{
    (void)m;
}
static inline struct check *check_before(struct tx_machine *m, const uint32_t *words, size_t count)
{
    (void)m, (void)words, (void)count;
    return NULL;
}
static inline void check_after(struct tx_machine *m, struct check *c, const char *way,
                               unsigned thread, const uint32_t *words, size_t passed)
{
    (void)m, (void)c, (void)way, (void)thread, (void)words, (void)passed;
}
static inline struct check *check_cycle(struct tx_machine *m, unsigned thread, const uint32_t *word)
{
    (void)m, (void)thread, (void)word;
    return NULL;
}
static inline bool check_again(struct tx_machine *m, struct check *c)
{
    (void)m, (void)c;
    return false;
}
static inline void check_forget(struct tx_machine *m, struct check *c)
{
    (void)m, (void)c;
}
static inline void check_end(struct tx_machine *m, struct check *c, const char *way)
{
    (void)m, (void)c, (void)way;
}
#endif

#endif
