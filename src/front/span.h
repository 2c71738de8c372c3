/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a run: first and last issue and last completion, from which the cycle counters come. */
#ifndef TX_FRONT_SPAN_H
#define TX_FRONT_SPAN_H

#include "pipe/pipe.h"

struct span {
    bool started;
    /* Cycles: first issue, last issue, last one with anything under way. */
    uint64_t first, last_issue, end;
    uint64_t issued; /* instructions issued before the present cycle */
    bool busy;
};

static inline void span_before(struct span *s, const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    s->issued = m->counters.instructions;
    s->busy = (u->requests | u->config_writes | u->scalar.live) != 0 || pipe_busy(m);
}

static inline void span_after(struct span *s, const struct tx_machine *m)
{
    const bool issued = m->counters.instructions != s->issued;
    const uint64_t now = m->state.cycle - 1;
    if (issued) {
        s->first = s->started ? s->first : now;
        s->started = true;
        s->last_issue = now;
    }
    if (s->busy || issued) {
        s->end = now;
    }
}

static inline void span_count(const struct span *s, struct tx_machine *m)
{
    if (s->started) {
        m->counters.cycles += s->end - s->first + 1;
        m->counters.issue_cycles += s->last_issue - s->first + 1;
    }
}

#endif
