/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "gdb", time: where a run stands after any way forwards and backwards is compared with a run
 * that nobody has debugged.
 */
#include "gdb_session.h"

/* ---- the run itself, cycle by cycle ---- */

static struct moment *trace_of(enum tx_arch arch, bool untimed)
{
    struct moment *t = calloc(CYCLES + 1, sizeof *t);
    assert_non_null(t);
    txl_tensix *run = open_run(arch, untimed);
    for (unsigned c = 0; c <= CYCLES; c++) {
        t[c] = moment_of(txl_tensix_tile(run));
        (void)tx_tensix_cycle(txl_tensix_tile(run), 1);
    }
    txl_tensix_close(run);
    return t;
}

static void stands_at(struct session *s, const struct moment *trace, uint64_t cycle)
{
    const struct moment m = moment_of(s->tile);
    assert_int_equal(now_of(s), cycle);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(m.pc[i], trace[cycle].pc[i]);
        assert_int_equal(m.a1[i], trace[cycle].a1[i]);
        assert_int_equal(m.instructions[i], trace[cycle].instructions[i]);
    }
}

/* Where a step of that core ends that begins at "from". */
static uint64_t step_of(const struct moment *t, unsigned core, uint64_t from)
{
    uint64_t c = from;
    while (t[c].instructions[core] == t[from].instructions[core]) {
        c++;
    }
    return c;
}

static uint64_t back_of(const struct moment *t, unsigned core, uint64_t from)
{
    uint64_t c = from;
    while (t[c].instructions[core] == t[from].instructions[core] && c > 0) {
        c--;
    }
    return c;
}

static bool comes(const struct moment *t, unsigned core, uint32_t pc, uint64_t c)
{
    return c > 0 && t[c].pc[core] == pc && t[c].instructions[core] != t[c - 1].instructions[core];
}

/* Steps and breakpoints in both directions, at random, over the distance of many checkpoints. */
static void test_walk(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        const enum tx_arch arch = (kind & 1u) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        struct moment *t = trace_of(arch, (kind & 2u) != 0);
        struct session *s = open_session(arch, (kind & 2u) != 0);
        uint64_t at = 0;
        bool told = false; /* T0 has been stopped where it stands */
        uint32_t random = 7 + kind;
        for (unsigned i = 0; i < 120; i++) {
            random = random * 1664525u + 1013904223u;
            const unsigned core = random >> 20 & 1u;
            switch (random >> 24 & 7u) {
            case 0:
            case 1:
                SAYS(s, "OK", "Hc%x", core + 2);
                (void)say(s, "bs");
                at = back_of(t, core, at);
                told = core == 0;
                break;
            case 2:
                (void)say(s, "vCont;s:%x;c", core + 2);
                told = told && t[step_of(t, core, at)].instructions[0] == t[at].instructions[0];
                told = told || core == 0;
                at = step_of(t, core, at);
                break;
            case 3: { /* back to where T1 adds */
                SAYS(s, "OK", "Z1,%x,4", ADDS);
                (void)say(s, "bc");
                for (at -= at > 0; at > 0 && !comes(t, 1, ADDS, at);) {
                    at--;
                }
                told = false;
                SAYS(s, "OK", "z1,%x,4", ADDS);
                break;
            }
            default: /* forwards by some of those */
                SAYS(s, "OK", "Z0,%x,4", SENDS);
                for (unsigned k = 0; k < (random >> 8 & 7u) && at < CYCLES - 4000; k++) {
                    assert_int_equal(say(s, "vCont;c")[0], 'T');
                    if (told || t[at].pc[0] != SENDS) {
                        for (at++; !comes(t, 0, SENDS, at);) {
                            at++;
                        }
                    }
                    told = true;
                }
                SAYS(s, "OK", "z0,%x,4", SENDS);
                break;
            }
            stands_at(s, t, at);
        }
        assert_true(at > 10000);
        assert_non_null(strstr(say(s, "bc"), "replaylog:begin;"));
        stands_at(s, t, 0);
        assert_non_null(strstr(say(s, "bs"), "replaylog:begin;"));
        SAYS(s, "OK", "D");
        close_session(s);
        free(t);
    }
}

/* What gdb does at a breakpoint: the core alone steps over it. The run takes the same cycles. */
static void test_step_over(void **state)
{
    (void)state;
    struct moment *t = trace_of(TX_BLACKHOLE, false);
    struct session *s = open_session(TX_BLACKHOLE, false);
    for (unsigned i = 0; i < 200; i++) {
        SAYS(s, "OK", "Z0,%x,4", LOOP);
        (void)say(s, "vCont;c");
        SAYS(s, "OK", "z0,%x,4", LOOP);
        (void)say(s, "vCont;s:2");
        stands_at(s, t, now_of(s));
        assert_int_equal(moment_of(s->tile).pc[0], LOOP + 4);
    }
    /* Without a breakpoint there the others stand still. */
    const uint64_t before = moment_of(s->tile).instructions[1];
    for (unsigned i = 0; i < 200; i++) {
        (void)say(s, "vCont;s:2");
    }
    assert_int_equal(moment_of(s->tile).instructions[1], before);
    /* Once gdb has gone nothing stands still. */
    txl_gdb_close(s->gdb);
    s->gdb = NULL;
    (void)tx_tensix_cycle(s->tile, 1000);
    assert_true(moment_of(s->tile).instructions[1] > before);
    close_session(s);
    free(t);
}

/* A store is seen by its core at once, a step back takes it back; watchpoints stop before it. */
static void test_store(void **state)
{
    (void)state;
    struct session *s = open_session(TX_BLACKHOLE, false);
    SAYS(s, "OK", "Z2,20000,4");
    for (unsigned i = 0; i < 5; i++) {
        const char *stop = say(s, "vCont;c");
        assert_non_null(strstr(stop, "watch:20000;"));
        assert_non_null(strstr(stop, "thread:2;"));
        assert_int_equal(moment_of(s->tile).pc[0], 0x600C);
        assert_int_equal(word_at(s, 0x20000), i);
        SAYS(s, "OK", "z2,20000,4");
        (void)say(s, "vCont;s:2");
        assert_int_equal(word_at(s, 0x20000), i + 1);
        SAYS(s, "OK", "Z2,20000,4");
    }
    SAYS(s, "OK", "Hc2");
    assert_non_null(strstr(say(s, "bc"), "watch:20000;"));
    assert_int_equal(word_at(s, 0x20000), 5);
    (void)say(s, "bs");
    assert_int_equal(word_at(s, 0x20000), 4);
    assert_int_equal(moment_of(s->tile).pc[0], 0x600C);
    assert_non_null(strstr(say(s, "bc"), "watch:20000;"));
    assert_int_equal(word_at(s, 0x20000), 4);
    SAYS(s, "OK", "z2,20000,4");
    SAYS(s, "OK", "Z3,ffec1000,4"); /* T1 takes a word: nothing was taken yet */
    assert_non_null(strstr(say(s, "vCont;c"), "rwatch:ffec1000;"));
    assert_int_equal(moment_of(s->tile).pc[1], 0xA008);
    close_session(s);
}

/* What is changed by hand is there again when the time comes round once more. */
static void test_changes(void **state)
{
    (void)state;
    struct session *s = open_session(TX_WORMHOLE, false);
    SAYS(s, "OK", "Z0,%x,4", SENDS);
    (void)say(s, "vCont;c");
    assert_int_equal(moment_of(s->tile).a1[0], 64);
    SAYS(s, "OK", "Hg2");
    SAYS(s, "OK", "Pb=00100000"); /* a1 = 0x1000 */
    SAYS(s, "OK", "M20040,4:78563412");
    const uint64_t then = now_of(s);
    for (unsigned i = 0; i < 60; i++) {
        (void)say(s, "vCont;c");
    }
    assert_true(now_of(s) > then + 16384);
    assert_int_equal(moment_of(s->tile).a1[0], 0x1000 + 60 * 64);
    SAYS(s, "OK", "z0,%x,4", SENDS);
    SAYS(s, "OK", "Z0,%x,4", LOOP);
    (void)say(s, "bc");
    assert_int_equal(moment_of(s->tile).a1[0], 0x1000 + 59 * 64 + 63);
    SAYS(s, "OK", "z0,%x,4", LOOP);
    SAYS(s, "OK", "Z0,%x,4", SENDS);
    for (unsigned i = 0; i < 60; i++) {
        (void)say(s, "bc");
    }
    assert_int_equal(now_of(s), then);
    assert_int_equal(moment_of(s->tile).a1[0], 0x1000);
    assert_int_equal(word_at(s, 0x20040), 0x12345678);
    (void)say(s, "bs");
    SAYS(s, "OK", "Hg2");
    assert_int_equal(moment_of(s->tile).a1[0], 64);
    assert_int_equal(word_at(s, 0x20040), 0);
    /* From here another course. */
    SAYS(s, "OK", "Pb=08000000");
    (void)say(s, "vCont;c");
    assert_int_equal(word_at(s, 0x20000), 64);
    assert_int_equal(word_at(s, 0x20040), 0);
    close_session(s);
}

/* Within .ttinsn that Blackhole pushes at once. */
static void test_group(void **state)
{
    (void)state;
    struct session *s = open_session(TX_BLACKHOLE, false);
    SAYS(s, "OK", "Z0,%x,4", GROUP_END);
    for (unsigned i = 1; i < 4; i++) {
        (void)say(s, "vCont;c");
        assert_int_equal(moment_of(s->tile).pc[0], GROUP_END);
        assert_int_equal(moment_of(s->tile).a1[0], i);
    }
    (void)say(s, "bc");
    assert_int_equal(moment_of(s->tile).a1[0], 2);
    close_session(s);
}

/* Both cores stop, T1 first; then T0 goes alone. */
static void test_threads(void **state)
{
    (void)state;
    struct session *s = open_session(TX_BLACKHOLE, false);
    SAYS(s, "m1,2,3,4,5", "qfThreadInfo");
    SAYS(s, "l", "qsThreadInfo");
    assert_non_null(strstr(say(s, "?"), "thread:2;"));
    const char *xml = say(s, "qXfer:threads:read::0,fff");
    assert_non_null(strstr(xml, "<thread id=\"1\" core=\"0\" name=\"b\">in reset</thread>"));
    SAYS(s, "OK", "Z0,%x,4", ADDS);
    SAYS(s, "OK", "Z0,%x,4", SENDS);
    assert_non_null(strstr(say(s, "vCont;c"), "thread:2;"));
    assert_non_null(strstr(say(s, "vCont;c"), "thread:3;"));
    SAYS(s, "QC3", "qC");
    const struct moment m = moment_of(s->tile);
    (void)say(s, "vCont;c:2");
    assert_int_equal(moment_of(s->tile).pc[1], m.pc[1]);
    assert_int_equal(moment_of(s->tile).pc[0], SENDS);
    SAYS(s, "E16", "T6");
    SAYS(s, "OK", "T5");
    close_session(s);
}

static void test_ends(void **state)
{
    (void)state;
    struct session *s = open_session(TX_BLACKHOLE, false);
    s->patience = 9000; /* as Ctrl-C */
    assert_int_equal(strncmp(say(s, "vCont;c"), "T02", 3), 0);
    assert_true(now_of(s) >= 9000 && now_of(s) < LIMIT);
    s->patience = 0;
    assert_int_equal(strncmp(say(s, "vCont;c"), "T18", 3), 0); /* SIGXCPU: max_cycles */
    assert_int_equal(now_of(s), LIMIT);
    (void)say(s, "bc");
    assert_int_equal(now_of(s), 0);
    /* ebreak behind the loop's first round: told once, then it rests like any other. */
    SAYS(s, "OK", "Hg2");
    SAYS(s, "OK", "M6020,4:73001000");
    assert_int_equal(strncmp(say(s, "vCont;c"), "T05", 3), 0);
    assert_non_null(strstr(s->console, "t0 at 00006024, "));
    assert_non_null(strstr(s->console, "paused by the ebreak"));
    assert_int_equal(strncmp(say(s, "vCont;c"), "T11", 3), 0); /* T1 waits for ever */
    assert_non_null(strstr(s->console, "deadlock after"));
    assert_non_null(strstr(s->console, "t1 at 0000a008, lw a1, 0(a3): waits for the answer"));
    (void)say(s, "vCont;s:2"); /* on behind it */
    assert_int_equal(moment_of(s->tile).pc[0], 0x6028);
    close_session(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),  cmocka_unit_test(test_step_over),
        cmocka_unit_test(test_store), cmocka_unit_test(test_changes),
        cmocka_unit_test(test_group), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
