/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever a program does, the host is asked (tx_watch) after a bounded amount of work, also inside
 * a cycle. Work is counted here, by what another place of the NoC, the counters of the NIU and
 * those of the machine show; no clock is read. campaign_work.c has the time that each case takes.
 */
#include "security/work_cases.h"

struct count {
    uint64_t bytes, instructions, cycles;
};

struct watched {
    struct work w; /* first: go_on gets its address */
    struct count last, most;
    bool after; /* something has been moved after the host had said no */
};

static uint64_t instructions(const struct work *w)
{
    uint64_t sum = tx_machine_counters(tx_tensix_machine(w->tile)).instructions;
    struct tx_core_state s;
    for (unsigned c = 0; c < TX_CORES; c++) {
        assert_int_equal(tx_tensix_core(w->tile, (enum tx_core)c, &s), TX_OK);
        sum += s.instructions;
    }
    return sum;
}

static void raise(uint64_t *most, uint64_t *last, uint64_t now)
{
    *most = now - *last > *most ? now - *last : *most;
    *last = now;
}

static bool go_on(void *user)
{
    struct watched *d = user;
    struct work *w = user;
    d->after = d->after || w->asked == w->end;
    raise(&d->most.bytes, &d->last.bytes, w->bytes);
    raise(&d->most.cycles, &d->last.cycles, tx_tensix_cycles(w->tile));
    raise(&d->most.instructions, &d->last.instructions, instructions(w));
    return ++w->asked < w->end;
}

/* The host is asked often enough, and its answer ends the run at once. */
static void test_asked(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4 * WORK_CASES; i++) {
        const struct work_case *c = &work_cases[i / 4];
        const enum tx_arch arch = chips[i % 2];
        const bool untimed = i / 2 % 2 != 0;
        struct watched d = {.after = false};
        work_open(&d.w, c, arch, untimed, go_on);
        d.w.end = c->questions;
        assert_int_equal(tx_tensix_cycle(d.w.tile, UINT64_MAX), TX_ELIMIT);
        if (d.w.asked != c->questions || d.after || d.most.bytes > c->bytes ||
            d.most.instructions > 6 * TX_WATCH_CYCLES || d.most.cycles > TX_WATCH_CYCLES + 64) {
            fail_msg("%s, %s%s: asked %llu times; between two at most %llu bytes, %llu "
                     "instructions, %llu cycles",
                     c->name, tx_arch_short(arch), untimed ? ", untimed" : "",
                     (unsigned long long)d.w.asked, (unsigned long long)d.most.bytes,
                     (unsigned long long)d.most.instructions, (unsigned long long)d.most.cycles);
        }
        tx_tensix_close(d.w.tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
