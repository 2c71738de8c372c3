/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everyday vector instructions without waiting for the ends of cycles (src/front/straight.c): a
 * machine with a sink, which goes through every cycle, beside one without, over random programs of
 * one thread, in the two modes, with limits and watches. State, counters, findings, notes and the
 * way it ends are the same.
 */
#include "beside.h"

enum { PROGRAMS = 1200, WORDS = 64 };

/* The opcodes of vector instructions on the chip. */
static unsigned vector_opcodes(enum tx_arch arch, uint8_t opcodes[256])
{
    unsigned count = 0;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        struct tx_decoded d;
        if (tx_decode(arch, (uint32_t)opcode << 24, &d) == TX_OK && d.row != NULL &&
            d.row->unit >= TX_UNIT_LOAD && d.row->unit <= TX_UNIT_STORE) {
            opcodes[count++] = (uint8_t)opcode;
        }
    }
    assert_true(count > 30);
    return count;
}

/* Mostly vector words with nothing odd about them; else anything, replays and NOPs. */
static uint32_t any_word(enum tx_arch arch, const uint8_t opcodes[256], unsigned count, bool plain)
{
    if (any(8) == 0) { /* SFPNOP, or SFPSWAP, for lowest and highest */
        return any(3) == 0 ? 0x8F000000u : 0x92000001u | (any(0x7FFF) & 0x7770u);
    }
    for (unsigned tries = 0; any(16) != 0; tries++) {
        const uint32_t bits = any(0xFFFFFFFFu) & (any(4) == 0 ? 0xFFFFFFu : 0x777777u);
        const uint32_t word = (uint32_t)opcodes[any(count)] << 24 | bits;
        struct tx_decoded d;
        const bool config = (word >> 24) == 0x91 || (word >> 24) == 0x93; /* CONFIG, LOADMACRO */
        if (tx_decode(arch, word, &d) == TX_OK && (!config || !plain) &&
            (d.canonical || tries > 40)) {
            return word;
        }
    }
    switch (any(3)) {
    case 0:
        return 0x04000000u | any(32) << 14 | (1 + any(8)) << 4 | any(4); /* REPLAY */
    case 1:
        return 0x37000000u | 3u; /* SETRWC: what the Vector Unit has no part in */
    default:
        return 0x02000000u; /* NOP */
    }
}

/* Every 65536 cycles: goes on so often. */
static bool go_on(void *user)
{
    return (*(int *)user)-- > 0;
}

struct way {
    enum tx_mode mode;
    uint64_t limit;
    bool watched, wide;
};

static tx_machine *open_one(enum tx_arch arch, const struct way *way, uint64_t *events, int *left)
{
    struct tx_settings own;
    tx_machine *m;
    tx_settings_default(&own, arch);
    own.mode = way->mode;
    own.max_cycles = way->limit;
    if (events != NULL) {
        own.sink.event = count_event;
        own.sink.user = events;
    }
    if (way->watched) {
        own.watch.go_on = go_on;
        own.watch.user = left;
    }
    assert_int_equal(tx_open(&own, &m), TX_OK);
    assert_int_equal(tx_config_set(m, 0, "ALU_ACC_CTRL_SFPU_Fp32_enabled", way->wide), TX_OK);
    assert_int_equal(tx_config_set(m, 0, "ALU_ACC_CTRL_Fp32_enabled", way->wide), TX_OK);
    return m;
}

static void fill(tx_machine *m, uint64_t from)
{
    state = from;
    for (unsigned r = 0; r < 8; r++) {
        uint32_t v[32];
        for (unsigned i = 0; i < 32; i++) {
            v[i] = any(2) == 0 ? any(0xFFFFFFFFu) : 0x3F000000u + any(0x1800000);
        }
        assert_int_equal(tx_write(m, TX_FILE_LREG, r, v, 32), TX_OK);
    }
    for (unsigned r = 0; r < 64; r++) {
        const uint32_t one = 1;
        uint32_t v[16];
        for (unsigned i = 0; i < 16; i++) {
            v[i] = any(0x10000);
        }
        assert_int_equal(tx_write(m, TX_FILE_DST, r, v, 16), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_DST_VALID, r, &one, 1), TX_OK);
    }
    if (any(4) == 0) {
        assert_int_equal(tx_fpu_wrote(m, any(32), 1 + any(32)), TX_OK);
    }
    for (unsigned r = 0; r < 8 && any(4) == 0; r++) { /* as if from integers in Dst */
        m->state.lreg_encoding[r] = (uint8_t)any(3);
    }
}

static void notes_same(const tx_machine *a, const tx_machine *b)
{
    for (size_t i = 0; i < EVIDENCE_COUNT; i++) {
        assert_int_equal(tx_note_count(a, i), tx_note_count(b, i));
    }
    assert_int_equal(tx_fault(a) != NULL, tx_fault(b) != NULL);
    assert_int_equal(tx_machine_counters(a).vector_instructions,
                     tx_machine_counters(b).vector_instructions);
}

static void compare(enum tx_arch arch)
{
    uint8_t opcodes[256];
    const unsigned count = vector_opcodes(arch, opcodes);
    uint64_t events = 0;
    uint64_t instructions = 0;
    unsigned ended = 0;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        static uint32_t words[WORDS];
        const unsigned n = 1 + any(WORDS);
        const struct way way = {.mode = any(8) == 0 ? TX_MODE_STRICT : TX_MODE_SILICON,
                                .limit = any(4) == 0 ? 1 + any(n) : 0,
                                .watched = any(4) == 0,
                                .wide = any(2) == 0};
        const bool plain = any(4) != 0;
        for (unsigned i = 0; i < n; i++) {
            words[i] = any_word(arch, opcodes, count, plain);
        }
        const uint64_t from = state;
        const uint32_t cycles = any(3) == 0 ? TX_WATCH_CYCLES - 1 - any(2 * n) : 0;
        int left[2] = {(int)any(2), 0};
        left[1] = left[0];
        tx_machine *all = open_one(arch, &way, &events, &left[0]);
        tx_machine *some = open_one(arch, &way, NULL, &left[1]);
        fill(all, from);
        fill(some, from);
        all->watched = some->watched = cycles;
        const unsigned first = any(n + 1); /* in two runs */
        for (unsigned part = 0; part < 2; part++) {
            const unsigned at = part == 0 ? 0 : first;
            const unsigned end = part == 0 ? first : n;
            const enum tx_status want = tx_run(all, 1, words + at, end - at);
            assert_int_equal(tx_run(some, 1, words + at, end - at), want);
            same(all, some, program);
            notes_same(all, some);
            assert_int_equal(all->watched, some->watched);
            assert_int_equal(left[0], left[1]);
            ended += want == TX_OK;
        }
        instructions += tx_machine_counters(all).vector_instructions;
        tx_close(all);
        tx_close(some);
    }
    printf("%s: %u programs, %u halves to their end, %llu vector instructions, %llu events\n",
           tx_arch_short(arch), PROGRAMS, ended, (unsigned long long)instructions,
           (unsigned long long)events);
    assert_true(ended > PROGRAMS / 2);
    assert_true(instructions > 5 * PROGRAMS);
}

/*
 * A limit stops the words, and what is under way then ends by itself: no cycle beyond its end is
 * counted, though a unit's time, here the Matrix Unit's, still runs.
 */
static void test_end(void **unused)
{
    static const uint32_t words[] = {
        0x37000003u, 0x92003051u, 0x37000003u, 0x83274120u, 0x7A077362u, 0x85042437u,
        0x37000003u, 0x92001461u, 0x71101417u, 0x02000000u, 0x79713734u, 0x37000003u,
        0x7A275645u, 0x79563132u, 0x70156317u, 0x832E9F00u, 0x37000003u, 0x71020161u,
        0x8F000000u, 0x91717753u, 0x83156320u, 0x8E5404DCu, 0x8E365650u, 0x8E402566u,
        0x79063244u, 0x8F000000u, 0x937340EAu, 0x727580DEu, 0x75625002u, 0x37000003u,
        0x37000003u, 0x37000003u, 0x75A2AD10u, 0x37000003u, 0x8F000000u, 0x93152315u};
    const unsigned count = sizeof words / sizeof words[0];
    (void)unused;
    for (unsigned limit = 1; limit < count + 4; limit++) {
        const struct way way = {.mode = TX_MODE_SILICON, .limit = limit};
        uint64_t events = 0;
        int left = 0;
        tx_machine *all = open_one(TX_BLACKHOLE, &way, &events, &left);
        tx_machine *some = open_one(TX_BLACKHOLE, &way, NULL, &left);
        assert_int_equal(tx_run(all, 1, words, count), tx_run(some, 1, words, count));
        assert_int_equal(tx_run(all, 1, NULL, 0), tx_run(some, 1, NULL, 0));
        same(all, some, limit);
        tx_close(all);
        tx_close(some);
    }
}

static void test_bh(void **unused)
{
    (void)unused;
    compare(TX_BLACKHOLE);
}

static void test_wh(void **unused)
{
    (void)unused;
    compare(TX_WORMHOLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_end), cmocka_unit_test(test_bh),
                                       cmocka_unit_test(test_wh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
