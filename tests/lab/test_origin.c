/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the words of a MOP come from: the machine itself expands MOPs with counts of every width,
 * and each word that it issues is to have the place of the MOP, the word behind it its own.
 */
#include "kernel/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1 << 16, MOP = 7, BEHIND = 9 };

static uint32_t issued[MOST];
static size_t issued_count;

static void on_event(void *user, const struct tx_event *event)
{
    (void)user;
    if (event->kind == TX_EVENT_ISSUE && issued_count < MOST) {
        issued[issued_count++] = event->word;
    }
}

/* What was given to the thread: the MOP, and one word behind it. */
struct given {
    uint32_t cfg[9], words[2];
    unsigned next;
};

static bool next(void *user, unsigned thread, uint32_t *word, uint32_t *place)
{
    struct given *g = user;
    assert_int_equal(thread, 1);
    if (g->next == 2) {
        return false;
    }
    *place = g->next == 0 ? MOP : BEHIND;
    *word = g->words[g->next++];
    return true;
}

static void mop(void *user, unsigned thread, uint32_t cfg[9])
{
    (void)thread;
    memcpy(cfg, ((struct given *)user)->cfg, 9 * sizeof *cfg);
}

static uint32_t word_of(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    tx_program *program;
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, NULL), TX_OK);
    const uint32_t word = tx_program_words(program, TX_SECTION_TILE)[0];
    tx_program_free(program);
    return word;
}

/* Runs a MOP and a word behind it; returns how many words have the MOP's place. */
static size_t followed(enum tx_arch arch, const uint32_t cfg[9])
{
    struct given g = {.words = {word_of(arch, "ttmop 1,0,0"), word_of(arch, "ttincrwc 0,8,0,0")}};
    struct tx_settings settings;
    tx_machine *m;
    memcpy(g.cfg, cfg, sizeof g.cfg);
    tx_settings_default(&settings, arch);
    settings.sink = (struct tx_sink){on_event, NULL};
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(tx_mop_config(m, 1, i, cfg[i]), TX_OK);
    }
    issued_count = 0;
    const struct tx_stream streams[TX_THREADS] = {{NULL, 0}, {g.words, 2}, {NULL, 0}};
    assert_int_equal(tx_run_threads(m, streams, 1000000), TX_OK);
    tx_close(m);
    struct origin o = {.arch = arch, .next = next, .mop = mop, .user = &g};
    struct origin_thread thread = {.mop = ORIGIN_NONE};
    size_t of_mop = 0, behind = 0;
    for (size_t i = 0; i < issued_count; i++) {
        if (issued[i] == g.words[0]) {
            continue; /* the MOP itself, which no gate sees */
        }
        const uint32_t place = origin_of(&o, &thread, 1, issued[i]);
        assert_int_equal(place, issued[i] == g.words[1] ? BEHIND : MOP);
        of_mop += place == MOP;
        behind += place == BEHIND;
    }
    origin_free(&thread);
    assert_int_equal(behind, 1);
    return of_mop;
}

static void expand(enum tx_arch arch, uint32_t outer, uint32_t inner, bool two)
{
    const uint32_t nop = word_of(arch, "ttnop");
    const uint32_t cfg[9] = {outer,
                             inner,
                             nop,
                             nop,
                             nop,
                             word_of(arch, "ttincrwc 0,1,0,0"),
                             two ? word_of(arch, "ttincrwc 0,2,0,0") : nop,
                             word_of(arch, "ttincrwc 0,3,0,0"),
                             word_of(arch, "ttincrwc 0,4,0,0")};
    const uint32_t most = arch == TX_BLACKHOLE ? 1023 : 127;
    assert_int_equal(followed(arch, cfg), (size_t)(outer & most) * (inner & most) * (two ? 2 : 1));
}

static void test_counts(void **state)
{
    (void)state;
    static const uint32_t counts[][2] = {{1, 1},   {1, 100}, {2, 127},  {127, 2}, {1, 128},
                                         {1, 200}, {130, 3}, {3, 1023}, {1000, 2}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            const bool empty =
                arch == TX_WORMHOLE && (counts[i][0] % 128 == 0 || counts[i][1] % 128 == 0);
            for (unsigned two = 0; two < 2 && !empty; two++) {
                expand(arch, counts[i][0], counts[i][1], two != 0);
            }
        }
    }
}

/*
 * One empty iteration with an end word: Wormhole emits the word 129 times, Blackhole 2 times, or
 * with a second end word each of them 1025 times (spec/timing.md c.3).
 */
static void test_runaway(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (unsigned ends = 1; ends <= 2; ends++) {
            const uint32_t nop = word_of(arch, "ttnop");
            const uint32_t end = word_of(arch, "ttincrwc 0,1,0,0");
            const uint32_t cfg[9] = {1, 0, nop, end, ends == 2 ? end : nop, nop, nop, nop, nop};
            const unsigned times = arch == TX_WORMHOLE ? 129 : ends == 1 ? 2 : 1025;
            assert_int_equal(followed(arch, cfg), ends * times);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_runaway)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
