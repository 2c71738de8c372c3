/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "debug": wherever one goes and whichever way, the machine is as it was when it was there for
 * the first time; a step back costs a few thousand cycles, however long the run is; the screen
 * keeps to its size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/debug.h>
#include <tensix-lab/kernel.h>

#include "debug/debug.h"

enum { CYCLES = 5000, WALKS = 60, LONG = 1000000, BACK_MOST = 20000 };

static const char text[] = ".arch blackhole\n.dst fp32\n"
                           ".init\nsfploadi L7, 0x4000, 0\n"
                           ".tile\nsfploadi L6, 0x3f80, 0\n.rept 40\n"
                           "sfpload L0, 0, 3, 0\nsfpmad L1, L0, L7, L6, 0\nsfpmul L1, L1, L1, 0\n"
                           "sfpadd L6, L6, L1, 0\nsfpstore L6, 0, 3, 0\nincrwc 0, 2, 0, 0\n"
                           ".endr\n";

struct session {
    struct tx_program *program;
    txl_debug *debug;
};

static void open_session(struct session *s, uint64_t tiles)
{
    struct txl_error err = {.status = TXL_OK};
    const struct txl_run_options run = {.size = sizeof run};
    const struct txl_debug_options how = {.size = sizeof how, .tiles = tiles};
    assert_int_equal(txl_kernel_assemble(&err, "k.s", text, sizeof text - 1, NULL, &s->program),
                     TXL_OK);
    if (txl_debug_open(&err, s->program, NULL, &run, &how, &s->debug) != TXL_OK) {
        fail_msg("%s", err.message);
    }
}

static void close_session(struct session *s)
{
    txl_debug_close(s->debug);
    tx_program_free(s->program);
}

static void say(struct session *s, const char *line)
{
    struct txl_error err = {.status = TXL_OK};
    char *answer = NULL;
    if (txl_debug_do(&err, s->debug, line, &answer, NULL) != TXL_OK) {
        fail_msg("%s: %s", line, err.message);
    }
    free(answer);
}

static uint64_t fold(uint64_t digest, uint32_t word)
{
    return (digest ^ word) * UINT64_C(0x100000001B3);
}

/* Registers, Dst, counters, findings. */
static uint64_t digest_of(const struct session *s)
{
    const tx_machine *m = s->debug->machine;
    uint64_t digest = 1469598103934665603U;
    uint32_t v[32] = {0};
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        (void)tx_read(m, TX_FILE_LREG, reg, v, 32);
        for (unsigned i = 0; i < 32; i++) {
            digest = fold(digest, v[i]);
        }
    }
    for (unsigned row = 0; row < 64; row++) {
        (void)tx_read(m, TX_FILE_DST, row, v, 16);
        for (unsigned i = 0; i < 16; i++) {
            digest = fold(digest, v[i]);
        }
    }
    (void)tx_read(m, TX_FILE_RWC, 1, v, TX_RWC_COUNT);
    for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
        digest = fold(digest, v[i]);
    }
    return fold(digest, (uint32_t)tx_finding_count(m));
}

static void test_walk(void **state)
{
    (void)state;
    struct session s;
    uint64_t *digests = calloc(CYCLES + 1, sizeof *digests);
    assert_non_null(digests);
    open_session(&s, 40);
    for (unsigned t = 0; t <= CYCLES; t++) {
        digests[t] = digest_of(&s);
        assert_true(travel_tick(s.debug));
    }
    unsigned random = 12345;
    for (unsigned i = 0; i < WALKS; i++) {
        random = random * 1103515245U + 12345U;
        const uint64_t to = i % 3 == 0 ? s.debug->now.tick - 1 : (random >> 8) % CYCLES;
        travel_to(s.debug, to % CYCLES);
        assert_int_equal(s.debug->now.tick, to % CYCLES);
        assert_true(digests[s.debug->now.tick] == digest_of(&s));
    }
    close_session(&s);
    free(digests);
}

/* What is run again for a step back does not grow with the run. */
static void test_cost(void **state)
{
    (void)state;
    static const char *const steps[] = {"back",      "back cycle", "back row", "back issue",
                                        "back step", "back 3",     "back tile"};
    struct session s;
    char line[40];
    open_session(&s, 100000);
    snprintf(line, sizeof line, "goto %d", LONG);
    say(&s, line);
    assert_int_equal(debug_cycle(s.debug), LONG);
    for (unsigned i = 0; i < 7 * 6; i++) {
        const uint64_t before = s.debug->again;
        say(&s, steps[i % 7]);
        assert_true(s.debug->again - before < BACK_MOST);
    }
    say(&s, "goto 0"); /* and forwards through what is known */
    snprintf(line, sizeof line, "goto %d", LONG / 2);
    say(&s, line);
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t again = s.debug->again;
        say(&s, steps[i]);
        assert_true(s.debug->again - again < BACK_MOST);
    }
    snprintf(line, sizeof line, "goto %d", LONG);
    say(&s, line);
    const uint64_t before = s.debug->again;
    say(&s, "watch L6[3]");
    say(&s, "reverse-continue");
    assert_true(s.debug->again - before < BACK_MOST);
    assert_true(debug_cycle(s.debug) > LONG - 3000);
    close_session(&s);
}

/* Cycles as the machine counts them in what it reports. */
static uint64_t seen;

static void notes_cycle(void *user, const struct tx_event *event)
{
    (void)user;
    seen = event->cycle;
}

static void test_cycles(void **state)
{
    (void)state;
    struct session s;
    open_session(&s, 3);
    const struct tx_sink sink = {notes_cycle, NULL};
    say(&s, "tile");
    say(&s, "tile");
    say(&s, "cycle 5");
    const uint64_t to = s.debug->now.tick;
    const uint64_t cycle = debug_cycle(s.debug);
    travel_to(s.debug, to - 1);
    travel_again(s.debug, to, &sink);
    assert_int_equal(seen, cycle - 1);
    close_session(&s);
}

static void test_screen(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct session s;
    txl_debug_screen *screen = NULL;
    static const char keys[] = "break sfpmad\r\rc\rregs\rpane dst\rpane quit\rnonsense\r";
    open_session(&s, 2);
    assert_int_equal(txl_debug_screen_open(&err, s.debug, &screen), TXL_OK);
    for (const char *k = keys; *k != '\0'; k++) {
        assert_int_equal(txl_debug_screen_key(&err, screen, *k == '\r' ? TXL_KEY_ENTER : *k),
                         TXL_OK);
    }
    for (int key = TXL_KEY_ENTER; key <= TXL_KEY_CLEAR; key++) {
        assert_int_equal(txl_debug_screen_key(&err, screen, key), TXL_OK);
    }
    for (unsigned rows = 1; rows < 60; rows += 7) {
        for (unsigned columns = 10; columns < 200; columns += 33) {
            unsigned row = 0;
            unsigned column = 0;
            char *cells = malloc((size_t)rows * columns);
            unsigned char *looks = malloc((size_t)rows * columns);
            assert_true(cells != NULL && looks != NULL);
            const bool fits = rows >= 8 && columns >= 40;
            txl_error_clear(&err);
            assert_int_equal(
                txl_debug_screen_draw(&err, screen, rows, columns, cells, looks, &row, &column),
                fits ? TXL_OK : TXL_INPUT);
            for (size_t i = 0; fits && i < (size_t)rows * columns; i++) {
                assert_true(cells[i] >= ' ' && cells[i] < 0x7F);
                assert_true(looks[i] <= TXL_LOOK_COMMAND);
            }
            assert_true(!fits || (row < rows && column < columns));
            free(cells);
            free(looks);
        }
    }
    txl_debug_screen_close(screen);
    close_session(&s);
}

/* Escape sequences of whoever writes commands and texts do not reach the terminal. */
static void test_hostile(void **state)
{
    (void)state;
    static const char *const lines[] = {"break \x1b[2Jfoo",
                                        "print \x1b]0;title\x07",
                                        "\x1b[31m",
                                        "watch L3[\x9b"
                                        "7]",
                                        "cfg \x1b[H",
                                        "help \x1b[H",
                                        "info \x1b[H",
                                        "thread \x1b[H",
                                        "list \x1b[H"};
    struct session s;
    open_session(&s, 1);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct txl_error err = {.status = TXL_OK};
        char *answer = NULL;
        assert_int_equal(txl_debug_do(&err, s.debug, lines[i], &answer, NULL), TXL_INPUT);
        assert_null(answer);
        assert_false(txl_has_controls(err.message));
        assert_true(err.message[0] != '\0');
    }
    close_session(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),    cmocka_unit_test(test_cost),
        cmocka_unit_test(test_cycles),  cmocka_unit_test(test_screen),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
