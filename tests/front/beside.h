/* SPDX-License-Identifier: Apache-2.0 */
/* A machine with a sink, which goes every way in full, beside one without: is all the same? */
#ifndef TX_TEST_BESIDE_H
#define TX_TEST_BESIDE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensix/tensix.h>

#include "state/machine.h"

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 32) * below >> 32);
}

static void count_event(void *user, const struct tx_event *event)
{
    *(uint64_t *)user += event->cycle != 0;
}

/* What is left of instructions that are no longer in flight, and of what they do not write. */
static void forget_flights(tx_machine *m)
{
    for (unsigned i = 0; i < FLIGHTS; i++) {
        struct in_flight *f = &m->state.flight[i];
        if ((m->state.flights >> i & 1u) == 0) {
            memset(f, 0, sizeof *f);
        }
        for (unsigned reg = 0; reg < 17; reg++) {
            f->effect.mask[reg] &= 0u - (f->effect.lregs >> reg & 1u);
            for (unsigned lane = 0; lane < 32; lane++) {
                f->effect.value[reg][lane] &= 0u - (f->effect.mask[reg] >> lane & 1u);
            }
        }
        memset(f->effect.config, 0, sizeof f->effect.config);
        memset(f->effect.store, 0, sizeof f->effect.store);
        memset(f->effect.latch, 0, sizeof f->effect.latch);
    }
}

static void same(tx_machine *a, tx_machine *b, unsigned program)
{
    forget_flights(a);
    forget_flights(b);
    static uint8_t x[3u << 20], y[3u << 20]; /* not given back, and so mapped once */
    const size_t size = tx_snapshot_size(a);
    assert_true(size <= sizeof x);
    assert_int_equal(tx_snapshot(a, x, size), TX_OK);
    assert_int_equal(tx_snapshot(b, y, size), TX_OK);
    for (size_t i = 0; memcmp(x, y, size) != 0; i++) {
        if (x[i] != y[i]) {
            fail_msg("program %u: byte %zu of the state differs: %u, %u", program, i, x[i], y[i]);
        }
    }
    const struct tx_counters p = tx_machine_counters(a);
    const struct tx_counters q = tx_machine_counters(b);
    assert_int_equal(p.cycles, q.cycles);
    assert_int_equal(p.instructions, q.instructions);
    assert_int_equal(p.stall_cycles, q.stall_cycles);
    assert_int_equal(p.issue_cycles, q.issue_cycles);
    assert_int_equal(tx_finding_count(a), tx_finding_count(b));
    for (size_t i = 0; i < tx_finding_count(a); i++) {
        const struct tx_finding *f = tx_finding_at(a, i);
        const struct tx_finding *g = tx_finding_at(b, i);
        assert_int_equal(f->cycle, g->cycle);
        assert_int_equal(f->count, g->count);
        assert_string_equal(f->message, g->message);
    }
}

#endif
