/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that wait while others of their tile work, in two tiles: one core changes words of L1, by
 * stores, atomics and the NoC, a register of a stream, a counter of its network interface, and the
 * code of loops; each of the others waits for one of these, round for round, and writes down when
 * it has seen it. All that must be as on a chip on which every core runs in every cycle.
 */
#include "chip/naps.h"

/* A core that waits until the word at "address" is 1, 1 + step ... and does so in a longer loop. */
static void waits(struct code *c, enum tx_core core, uint32_t address, unsigned step,
                  unsigned rounds)
{
    li(c, S0, address);
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    li(c, A1, LOCAL);
    li(c, A2, 1);
    li(c, A3, 1 + rounds * step);
    const uint32_t round = c->at;
    const uint32_t loop = c->at;
    for (unsigned i = 0; i < (unsigned)core; i++) {
        addi(c, T2, T2, 0);
    }
    sw(c, A2, A1, 0);
    word(c, 0x0000000F); /* fence */
    lw(c, T1, S0, 0);
    bne(c, T1, A2, loop);
    seen(c);
    addi(c, A2, A2, (int)step);
    bne(c, A2, A3, round);
    j_self(c);
    start(c, core);
}

/* A core in loops that end when another one overwrites their ends. */
static void is_overwritten(struct code *c, enum tx_core core)
{
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    li(c, A5, LOOPS);
    word(c, A5 << 15 | X0 << 7 | 0x67u); /* jalr */
    struct code loops = {c->tile, LOOPS, LOOPS};
    for (unsigned i = 0; i < ROUNDS; i++) {
        loops.at = LOOPS + 0x40 * i;
        addi(&loops, T2, T2, 0);
        word(&loops, branch(0x63u, loops.at, LOOPS + 0x40 * i)); /* beq x0, x0 */
        seen(&loops);
        while (loops.at < LOOPS + 0x40 * (i + 1)) {
            word(&loops, NOP);
        }
    }
    j_self(&loops);
    start(c, core);
}

/* The core that changes what the others wait for. */
static void works(const struct pair *p, struct code *c, enum tx_core core)
{
    const struct layout *l = &layouts[p->arch == TX_BLACKHOLE];
    place(c, p->arch, NIU, SOURCE, p->at[0]);
    store(c, NIU + 0x1C, 0x2092);
    store(c, NIU + 0x20, 4);
    li(c, S1, 1);
    li(c, A1, DELAYS);
    li(c, A2, REMOTE);
    li(c, A3, 1);
    li(c, A4, LOOPS + 4);
    const uint32_t round = c->at;
    lw(c, T0, A1, 0);
    addi(c, A1, A1, 4);
    const uint32_t rest = c->at;
    addi(c, T0, T0, -1);
    bne(c, T0, X0, rest);
    li(c, T1, NOP);
    sw(c, T1, A4, 0);
    addi(c, A4, A4, 0x40);
    li(c, S0, PLAIN);
    sw(c, S1, S0, 0);
    li(c, S0, ATOMIC);
    if (p->arch == TX_BLACKHOLE) {
        word(c, 0x0000202Fu | (uint32_t)A3 << 20 | (uint32_t)S0 << 15 | T1 << 7); /* amoadd.w */
    } else {
        sw(c, S1, S0, 0);
    }
    li(c, S0, STREAM);
    sw(c, S1, S0, 0);
    li(c, S0, SOURCE);
    sw(c, S1, S0, 0);
    word(c, 0x0000000F);
    /* To the other tile: one word after the other, from the first again. */
    li(c, A0, NIU + 0xC);
    sw(c, A2, A0, 0);
    li(c, T1, p->arch == TX_BLACKHOLE ? p->at[1] : p->at[1] << 4);
    sw(c, T1, A0, p->arch == TX_BLACKHOLE ? 8 : 4);
    li(c, A0, NIU + l->command);
    sw(c, A3, A0, 0);
    addi(c, A2, A2, 0x20);
    li(c, T1, REMOTE + 0x20 * TX_CORES);
    const uint32_t skip = c->at;
    bne(c, A2, T1, skip + 12);
    li(c, A2, REMOTE);
    addi(c, S1, S1, 1);
    li(c, T0, ROUNDS + 1);
    bne(c, S1, T0, round);
    j_self(c);
    start(c, core);
}

/* The worker has number "worker"; the others wait in an order that "turn" changes. */
static void begin(const struct pair *p, enum tx_core worker, unsigned turn)
{
    const uint8_t zero[0x400] = {0};
    const struct tx_chip_place at[2] = {{.x = p->at[0] & 63u, .y = p->at[0] >> 6},
                                        {.x = p->at[1] & 63u, .y = p->at[1] >> 6}};
    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t to = RESULTS; to < RESULTS + 0x10000; to += sizeof zero) {
            assert_int_equal(tx_chip_write(p->chip, at[k], to, zero, sizeof zero), TX_OK);
        }
    }
    uint32_t delays[ROUNDS];
    uint32_t random = 12345 + turn;
    for (unsigned i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        delays[i] = 1 + (random >> 16) % (i % 3 == 0 ? 30 : 900);
    }
    assert_int_equal(tx_chip_write(p->chip, at[0], DELAYS, delays, sizeof delays), TX_OK);
    tx_tensix *tile = tx_chip_tensix(p->chip, p->index[0]);
    unsigned kind = turn;
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct code c = code_at(tile, codes[core]);
        if (core == worker) {
            works(p, &c, worker);
            continue;
        }
        switch (kind++ % 5) {
        case 0:
            waits(&c, (enum tx_core)core, PLAIN, 1, ROUNDS);
            break;
        case 1:
            waits(&c, (enum tx_core)core, ATOMIC, 1, ROUNDS);
            break;
        case 2:
            waits(&c, (enum tx_core)core, STREAM, 1, ROUNDS);
            break;
        case 3:
            waits(&c, (enum tx_core)core, NIU + 0x204, 1, ROUNDS);
            break;
        default:
            is_overwritten(&c, (enum tx_core)core);
            break;
        }
    }
    tile = tx_chip_tensix(p->chip, p->index[1]);
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct code c = code_at(tile, codes[core]);
        set(tile, REMOTE + 0x20 * core, 0);
        waits(&c, (enum tx_core)core, REMOTE + 0x20 * core, TX_CORES, 4);
        /* The value of its first round. */
        c.at = codes[core] + 3 * 8;
        li(&c, A2, 1 + core);
        li(&c, A3, 1 + core + 4 * TX_CORES);
    }
}

/* Each has seen every round, one after the other. */
static void expect_all(const struct pair *p, enum tx_core worker)
{
    for (unsigned k = 0; k < 2; k++) {
        tx_tensix *tile = tx_chip_tensix(p->chip, p->index[k]);
        for (unsigned core = 0; core < TX_CORES; core++) {
            const unsigned rounds = k == 1 ? 4 : core == worker ? 0 : ROUNDS;
            uint32_t last = 0;
            for (unsigned i = 0; i < rounds; i++) {
                const uint32_t now = get(tile, RESULTS + SEEN * core + 4 * i);
                assert_true(now > last);
                last = now;
            }
            assert_int_equal(get(tile, RESULTS + SEEN * core + 4 * rounds), 0);
        }
    }
}

static void test_naps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        const enum tx_core worker = i % 4 < 2 ? TX_CORE_B : i % 4 == 2 ? TX_CORE_T1 : TX_CORE_NC;
        const struct pair a = open_pair(chips[i / 10], false);
        const struct pair b = open_pair(chips[i / 10], true);
        begin(&a, worker, i % 5);
        begin(&b, worker, i % 5);
        for (unsigned k = 0; k < 3; k++) { /* somebody looks meanwhile */
            assert_int_equal(tx_chip_cycle(a.chip, CYCLES / 4 + 101 * k), TX_OK);
            assert_int_equal(tx_chip_cycle(b.chip, CYCLES / 4 + 101 * k), TX_OK);
            expect_same(&a, &b);
        }
        assert_int_equal(tx_chip_cycle(a.chip, CYCLES), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, CYCLES), TX_OK);
        expect_same(&a, &b);
        expect_all(&a, worker);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/* A chip whose cores wait sleeps; what the host does to DRAM or reads wakes nothing, a word does.
 */
static void test_sleeps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct pair p = open_pair(chips[i], false);
        const struct tx_chip_place at = {.x = p.at[1] & 63u, .y = p.at[1] >> 6};
        const struct tx_chip_place dram = {.x = i != 0 ? 17 : 16, .y = i != 0 ? 12 : 16};
        uint32_t value = 7;
        begin(&p, TX_CORE_B, 0);
        assert_false(tx_chip_sleeps(p.chip));
        assert_int_equal(tx_chip_cycle(p.chip, 4 * CYCLES), TX_OK);
        assert_true(tx_chip_sleeps(p.chip));
        assert_int_equal(tx_chip_write(p.chip, dram, 0x100, &value, sizeof value), TX_OK);
        assert_int_equal(tx_chip_read(p.chip, dram, 0x100, &value, sizeof value), TX_OK);
        assert_true(tx_chip_sleeps(p.chip));
        assert_int_equal(tx_chip_write(p.chip, at, PLAIN, &value, sizeof value), TX_OK);
        assert_false(tx_chip_sleeps(p.chip));
        tx_chip_close(p.chip);
    }
}

static uint64_t executed(const struct pair *p, unsigned tile, unsigned core)
{
    struct tx_core_state s;
    assert_int_equal(
        tx_tensix_core(tx_chip_tensix(p->chip, p->index[tile]), (enum tx_core)core, &s), TX_OK);
    return s.instructions;
}

/* The first cores wait for a word, see it and end; the last one gives it, and waits for ever. */
static void begin_end(const struct pair *p, uint32_t rest)
{
    const uint32_t zero = 0;
    const struct tx_chip_place at = {.x = p->at[0] & 63u, .y = p->at[0] >> 6};
    assert_int_equal(tx_chip_write(p->chip, at, PLAIN, &zero, sizeof zero), TX_OK);
    assert_int_equal(tx_chip_write(p->chip, at, ATOMIC, &zero, sizeof zero), TX_OK);
    tx_tensix *tile = tx_chip_tensix(p->chip, p->index[0]);
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct code c = code_at(tile, codes[core]);
        li(&c, S0, core == TX_CORE_T2 ? ATOMIC : PLAIN);
        li(&c, T0, rest);
        li(&c, A2, 1);
        const uint32_t loop = c.at;
        if (core == TX_CORE_NC) {
            for (unsigned i = 0; i < 64; i++) { /* the others are found to wait meanwhile */
                addi(&c, T2, T2, 0);
            }
            addi(&c, T0, T0, -1);
            bne(&c, T0, X0, loop);
            sw(&c, A2, S0, 0);
            j_self(&c);
        } else {
            lw(&c, T1, S0, 0);
            bne(&c, T1, A2, loop);
            ebreak(&c);
        }
        start(&c, (enum tx_core)core);
    }
}

/* ---- loops that store the clock ---- */

enum { KINDS = 5 };

static void sub(struct code *c, unsigned rd, unsigned a, unsigned b)
{
    word(c, 0x40000033u | b << 20 | a << 15 | rd << 7);
}

/* Waits until the clock shows a multiple of 2^bits, which is no loop that naps. */
static void until_time(struct code *c, unsigned bits)
{
    li(c, A0, CLOCK);
    lw(c, A5, A0, 0);
    srli(c, A5, A5, bits);
    const uint32_t loop = c->at;
    lw(c, T1, A0, 0);
    srli(c, T2, T1, bits);
    sub(c, T2, T2, A5);
    bne(c, T2, X0, c->at + 8);
    word(c, branch(0x63u, c->at, loop));
}

/* After some time each looks at what has been stored, in its own way. */
static void looks(const struct pair *p, struct code *c, enum tx_core core, unsigned kind)
{
    const struct layout *l = &layouts[p->arch == TX_BLACKHOLE];
    if (kind == 3) {
        place(c, p->arch, NIU, SHOWN, p->at[0]);
        place(c, p->arch, NIU + 0xC, REMOTE, p->at[1]);
        store(c, NIU + 0x1C, 0x2092);
        store(c, NIU + 0x20, 16);
    }
    li(c, S0, SHOWN);
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    li(c, A1, DELAYS);
    li(c, A2, 1);
    li(c, A3, REMOTE);
    li(c, A4, ROUND);
    const uint32_t round = c->at;
    lw(c, T0, A1, 0);
    addi(c, A1, A1, 4);
    for (unsigned i = 0; i < (unsigned)core; i++) {
        addi(c, T0, T0, 1);
    }
    const uint32_t rest = c->at;
    addi(c, T0, T0, -1);
    bne(c, T0, X0, rest);
    if (kind == 1) {
        until_time(c, 6);
    }
    switch (kind) {
    case 0: /* the worker */
        lw(c, T1, S0, 0);
        sw(c, T1, S1, 0);
        sw(c, A2, A4, 0);
        break;
    case 1: /* overwrites it, looks, and looks again */
        sw(c, A2, S0, 0);
        lw(c, T1, S0, 0);
        sw(c, T1, S1, 0);
        break;
    case 2:
        if (p->arch == TX_BLACKHOLE) {
            word(c, 0x0000202Fu | (uint32_t)A2 << 20 | (uint32_t)S0 << 15 | T1 << 7); /* amoadd.w */
        } else {
            lw(c, T1, S0, 4);
        }
        sw(c, T1, S1, 0);
        break;
    case 3: /* sends it to the other tile */
        li(c, A0, NIU + l->command);
        li(c, T1, 1);
        li(c, A0, NIU + 0xC); /* to the next place */
        sw(c, A3, A0, 0);
        addi(c, A3, A3, 16);
        li(c, A0, NIU + l->command);
        sw(c, X0, S0, 12); /* which may be what is there already, but not what should be */
        sw(c, T1, A0, 0);
        lw(c, T1, A4, 0);
        sw(c, T1, S1, 0);
        break;
    default: /* a word beside it */
        sw(c, A2, S0, 8);
        lw(c, T1, S0, 12);
        sw(c, T1, S1, 0);
        break;
    }
    addi(c, S1, S1, 4);
    addi(c, A2, A2, 1);
    li(c, T0, ROUNDS + 1);
    bne(c, A2, T0, round);
    j_self(c);
    start(c, core);
}

/* Waits for higher bits of the clock, in a word that another core stores and seldom changes. */
static void sees_time(struct code *c, enum tx_core core)
{
    li(c, S0, SHOWN);
    li(c, S1, RESULTS + SEEN * (uint32_t)core);
    li(c, A2, 1);
    const uint32_t loop = c->at;
    lw(c, T1, S0, 16);
    bne(c, T1, A2, loop);
    seen(c);
    addi(c, A2, A2, 1);
    li(c, T0, 12);
    bne(c, A2, T0, loop);
    j_self(c);
    start(c, core);
}

static void begin_clock(const struct pair *p, enum tx_core teller, unsigned turn, bool polled)
{
    uint32_t delays[ROUNDS];
    uint32_t random = 99 + turn;
    const uint8_t zero[0x400] = {0};
    const struct tx_chip_place at = {.x = p->at[0] & 63u, .y = p->at[0] >> 6};
    for (uint32_t to = RESULTS; to < RESULTS + 0x10000; to += sizeof zero) {
        assert_int_equal(tx_chip_write(p->chip, at, to, zero, sizeof zero), TX_OK);
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        delays[i] = 1 + (random >> 16) % (i % 3 == 0 ? 30 : 2500);
    }
    assert_int_equal(tx_chip_write(p->chip, at, DELAYS, delays, sizeof delays), TX_OK);
    tx_tensix *tile = tx_chip_tensix(p->chip, p->index[0]);
    unsigned kind = 0;
    for (unsigned core = 0; core < TX_CORES; core++) {
        struct code c = code_at(tile, codes[core]);
        if (core == teller) {
            tells_time(&c, teller, 1 + turn * 7 % 30);
        } else if (polled && kind == 1) {
            sees_time(&c, (enum tx_core)core);
            kind++;
        } else {
            looks(p, &c, (enum tx_core)core, kind == 0 ? 0 : 1 + (kind + turn) % (KINDS - 1));
            kind++;
        }
    }
}

/* A loop that only stores the clock naps; whoever looks at what it stores finds the time. */
static void test_clock(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 36; i++) {
        static const enum tx_core tellers[] = {TX_CORE_B, TX_CORE_T1, TX_CORE_NC};
        const enum tx_core teller = tellers[i % 3];
        const struct pair a = open_pair(chips[i / 18], false);
        const struct pair b = open_pair(chips[i / 18], true);
        begin_clock(&a, teller, i, i % 4 == 3);
        begin_clock(&b, teller, i, i % 4 == 3);
        for (unsigned k = 0; k < 6; k++) { /* somebody looks meanwhile */
            assert_int_equal(tx_chip_cycle(a.chip, 10000 + 101 * k), TX_OK);
            assert_int_equal(tx_chip_cycle(b.chip, 10000 + 101 * k), TX_OK);
            expect_same_bytes(&a, &b);
        }
        assert_int_equal(tx_chip_cycle(a.chip, 2 * CYCLES), TX_OK);
        assert_int_equal(tx_chip_cycle(b.chip, 2 * CYCLES), TX_OK);
        const struct tx_chip_place at = {.x = a.at[0] & 63u, .y = a.at[0] >> 6};
        uint32_t shown = 0;
        assert_true(tx_chip_sleeps(a.chip)); /* although one core tells the time */
        assert_int_equal(tx_chip_read(a.chip, at, SHOWN, &shown, sizeof shown), TX_OK);
        assert_true(tx_chip_cycles(a.chip) - shown < 400);
        expect_same_bytes(&a, &b);
        expect_same(&a, &b);
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/* While a core waits for a division another one overwrites what it would execute next. */
static void test_rests(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pair p[2];
        for (unsigned k = 0; k < 2; k++) {
            p[k] = open_pair(chips[i], k == 1);
            begin_clock(&p[k], TX_CORE_T1, 0, false); /* for memory that is zero */
            tx_tensix *tile = tx_chip_tensix(p[k].chip, p[k].index[0]);
            struct code c = code_at(tile, codes[TX_CORE_T0]);
            struct code w = code_at(tile, codes[TX_CORE_NC]);
            li(&c, S1, RESULTS + SEEN * TX_CORE_T0);
            li(&c, A3, 0x7FFFFFFF);
            for (unsigned n = 0; n < ROUNDS; n++) {
                until_time(&c, 10);
                until_time(&w, 10);
                li(&c, A4, 3);
                word(&c, 0x02004033u | (uint32_t)A4 << 20 | (uint32_t)A3 << 15 | A4 << 7); /* div */
                li(&w, A3, NOP);
                li(&w, A4, c.at);
                for (unsigned j = 0; j < n; j++) {
                    addi(&w, A5, A5, 0);
                }
                sw(&w, A3, A4, 0);
                addi(&c, A4, A4, 0); /* waits for it, as long as this stands here */
                seen(&c);
            }
            j_self(&c);
            j_self(&w);
            start(&c, TX_CORE_T0);
            start(&w, TX_CORE_NC);
            assert_int_equal(tx_chip_cycle(p[k].chip, 2 * CYCLES), TX_OK);
        }
        expect_same_bytes(&p[0], &p[1]);
        expect_same(&p[0], &p[1]);
        tx_tensix *tile = tx_chip_tensix(p[0].chip, p[0].index[0]);
        uint32_t least = 1024;
        uint32_t most = 0;
        for (unsigned n = 0; n < ROUNDS; n++) {
            const uint32_t at = get(tile, RESULTS + SEEN * TX_CORE_T0 + 4 * n) % 1024;
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        assert_true(least != 0 && most < 200 && most - least > 8); /* some did not wait so long */
        tx_chip_close(p[0].chip);
        tx_chip_close(p[1].chip);
    }
}

/* A core that has ended executes nothing while the others of its tile nap. */
static void test_ends(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        const struct pair a = open_pair(chips[i / 16], false);
        const struct pair b = open_pair(chips[i / 16], true);
        uint64_t before[TX_CORES];
        begin_end(&a, 3 + 7 * (i % 16));
        begin_end(&b, 3 + 7 * (i % 16));
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(tx_chip_cycle(a.chip, CYCLES / 6), TX_OK);
            assert_int_equal(tx_chip_cycle(b.chip, CYCLES / 6), TX_OK);
            expect_same(&a, &b);
            for (unsigned c = 0; c < TX_CORES; c++) {
                const bool ended = c != TX_CORE_T2 && c != TX_CORE_NC;
                assert_true(k == 0 || (executed(&a, 0, c) == before[c]) == ended);
                before[c] = executed(&a, 0, c);
            }
            set(tx_chip_tensix(a.chip, a.index[0]), RESULTS, k); /* wakes them all */
            set(tx_chip_tensix(b.chip, b.index[0]), RESULTS, k);
        }
        tx_chip_close(a.chip);
        tx_chip_close(b.chip);
    }
}

/* Nor does one of a chip that was reset while its tiles slept. */
static void test_reset(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct pair p = open_pair(chips[i], false);
        begin(&p, TX_CORE_B, 0);
        assert_int_equal(tx_chip_cycle(p.chip, 4 * CYCLES), TX_OK);
        assert_true(tx_chip_sleeps(p.chip));
        tx_chip_reset(p.chip);
        assert_int_equal(tx_chip_cycle(p.chip, CYCLES), TX_OK);
        for (unsigned k = 0; k < 2; k++) {
            const struct tx_chip_place at = {.x = p.at[k] & 63u, .y = p.at[k] >> 6};
            const uint32_t value = 7;
            assert_int_equal(tx_chip_write(p.chip, at, PLAIN, &value, sizeof value), TX_OK);
            for (unsigned c = 0; c < TX_CORES; c++) {
                assert_int_equal(executed(&p, k, c), 0);
            }
        }
        tx_chip_close(p.chip);
    }
}

/* ---- loops that count where only F and V see it ---- */

enum { F_TURNS = 0x45000000 /* 2048.0 */, V_TURNS = 2048 };

/* Adds 1.0 to a register of F until it is as large as another one; no register x changes. */
static void counts_in_f(struct code *c)
{
    li(c, T0, 0x3F800000);
    word(c, 0xF0000053u | (uint32_t)X0 << 15 | 0u << 7); /* fmv.w.x f0, x0 */
    word(c, 0xF0000053u | (uint32_t)T0 << 15 | 1u << 7); /* fmv.w.x f1, t0 */
    li(c, T0, F_TURNS);
    word(c, 0xF0000053u | (uint32_t)T0 << 15 | 2u << 7); /* fmv.w.x f2, t0 */
    const uint32_t loop = c->at;
    word(c, 0x00107053u);                     /* fadd.s f0, f0, f1 */
    word(c, 0xA0201053u | (uint32_t)T1 << 7); /* flt.s t1, f0, f2 */
    bne(c, T1, X0, loop);
}

/* The same with the elements of a vector. */
static void counts_in_v(struct code *c)
{
    li(c, T0, V_TURNS);
    word(c, 0xC0000057u | 0x10u << 20 | 4u << 15 | 7u << 12); /* vsetivli x0, 4, e32, m1 */
    word(c, 0x5E003057u);                                     /* vmv.v.i v0, 0 */
    const uint32_t loop = c->at;
    word(c, 0x0200B057u);                      /* vadd.vi v0, v0, 1 */
    word(c, 0x6E004157u | (uint32_t)T0 << 15); /* vmslt.vx v2, v0, t0 */
    word(c, 0x42282057u | (uint32_t)T1 << 7);  /* vcpop.m t1, v2 */
    bne(c, T1, X0, loop);
}

/* They end, in the cycle in which they end where no tile sleeps. */
static void test_other_registers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const enum tx_core core = i == 0 ? TX_CORE_B : TX_CORE_T2;
        const struct pair p[2] = {open_pair(TX_BLACKHOLE, false), open_pair(TX_BLACKHOLE, true)};
        for (unsigned k = 0; k < 2; k++) {
            tx_tensix *tile = tx_chip_tensix(p[k].chip, p[k].index[0]);
            const uint8_t zero[SEEN * TX_CORES] = {0};
            assert_int_equal(tx_tensix_write(tile, RESULTS, zero, sizeof zero), TX_OK);
            struct code c = code_at(tile, codes[core]);
            li(&c, S1, RESULTS + SEEN * (uint32_t)core);
            if (i == 0) {
                counts_in_f(&c);
            } else {
                counts_in_v(&c);
            }
            seen(&c);
            j_self(&c);
            start(&c, core);
            assert_int_equal(tx_chip_cycle(p[k].chip, CYCLES), TX_OK);
        }
        tx_tensix *tile = tx_chip_tensix(p[0].chip, p[0].index[0]);
        assert_true(get(tile, RESULTS + SEEN * (uint32_t)core) > 2048);
        assert_int_equal(
            get(tile, RESULTS + SEEN * (uint32_t)core),
            get(tx_chip_tensix(p[1].chip, p[1].index[0]), RESULTS + SEEN * (uint32_t)core));
        assert_true(executed(&p[0], 0, core) > 3 * 2048);
        tx_chip_close(p[0].chip);
        tx_chip_close(p[1].chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naps),           cmocka_unit_test(test_sleeps),
        cmocka_unit_test(test_clock),          cmocka_unit_test(test_rests),
        cmocka_unit_test(test_ends),           cmocka_unit_test(test_reset),
        cmocka_unit_test(test_other_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
