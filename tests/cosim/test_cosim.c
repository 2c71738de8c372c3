/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The co-simulation without another simulator: words are legal, all behaviours are drawn, programs
 * shrink, and of a second machine of ours in the other one's place, which has planted faults,
 * another reading or refuses words, exactly that is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cosim/float.h"
#include "cosim/noc.h"
#include "cosim/riscv.h"
#include "cosim/scalar.h"
#include "cosim/tile.h"
#include "cosim/unpack.h"

/* ---- a machine of ours in the place of another simulator ---- */

static struct {
    tx_machine *m;
    const char *chip;
    uint8_t l1[1536 * 1024];
    uint32_t faulty, also, refused; /* instructions; 0: none */
    const char *reason;
    void *before;
    bool waits; /* at a STALLWAIT-like word: the faulty one */
    tx_chip *chip_there;
} fake;

static void fake_open(void)
{
    tx_reset(fake.m);
}

static size_t fake_size(void)
{
    return tx_snapshot_size(NULL);
}

static void fake_save(void *state)
{
    assert_int_equal(tx_snapshot(fake.m, state, fake_size()), TX_OK);
}

static void fake_restore(const void *state)
{
    assert_int_equal(tx_restore(fake.m, state, fake_size()), TX_OK);
}

static uint32_t fake_run(uint32_t thread, const uint32_t *words, uint32_t count)
{
    fake.reason = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t insn = words[i] >> 24;
        if (insn == fake.refused || (insn == fake.faulty && fake.waits)) {
            fake.reason = fake.waits ? NULL : "unsupported: value=12";
            return i;
        }
        const uint32_t gap = 4;
        fake_save(fake.before);
        const enum tx_status status = tx_run_gaps(fake.m, thread, &words[i], 1, &gap);
        if (status == TX_FAULT) {
            fake.reason = tx_fault(fake.m)->message;
        }
        if (status != TX_OK) { /* or it waits, and has begun to in an unpacker */
            fake_restore(fake.before);
            return i;
        }
        if (insn != 0 && (insn == fake.faulty || insn == fake.also)) {
            uint32_t lanes[32];
            assert_int_equal(tx_read(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
            lanes[insn == fake.faulty ? 7 : 9] ^= 4u;
            assert_int_equal(tx_write(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
        }
    }
    return count;
}

static const char *fake_refusal(void)
{
    return fake.reason;
}

static const struct side_file *file_of(unsigned file)
{
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        if (side_files[i].file == file) {
            return &side_files[i];
        }
    }
    return NULL;
}

static bool fake_put(unsigned file, unsigned index, const uint32_t *v)
{
    return tx_write(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static bool fake_get(unsigned file, unsigned index, uint32_t *v)
{
    return tx_read(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static uint8_t *fake_l1(void)
{
    return fake.l1;
}

enum { MUL = 0x02000033, MUL_MASK = 0xFE00707F, FADD = 0x53, FADD_MASK = 0xFE00007F };

static bool is_faulty(uint32_t word)
{
    return fake.faulty != 0 && (word & (fake.faulty == MUL ? MUL_MASK : FADD_MASK)) == fake.faulty;
}

/* A core of ours, which takes each faulty instruction for a NOP. */
static bool fake_core(unsigned t, uint32_t pc, uint32_t until, uint64_t most, uint32_t *at)
{
    static struct riscv core;
    for (uint32_t i = pc; i < until; i += 4) {
        uint32_t word;
        memcpy(&word, fake.l1 + i, 4);
        fake.reason = NULL;
        if (fake.refused != 0 && (word & FADD_MASK) == fake.refused) {
            fake.reason = "unsupported: value=12";
            *at = i;
            return false;
        }
        word = is_faulty(word) ? CORE_NOP : word;
        memcpy(fake.l1 + i, &word, 4);
    }
    riscv_close(&core);
    riscv_open(&core, TX_BLACKHOLE, (enum riscv_core)(RISCV_T0 + t));
    core.env.l1 = fake.l1;
    core.env.l1_size = RISCV_L1_MAX;
    riscv_release(&core, pc, false);
    riscv_run(&core, most);
    const bool there = core.s.phase == RISCV_PAUSED && core.s.x[17] == 64;
    *at = core.s.pc;
    riscv_close(&core);
    return there;
}

/* ---- a chip of ours in the place of another one ---- */

static size_t fake_place(enum tx_chip_kind kind, unsigned number)
{
    struct tx_chip_tile t;
    size_t i = 0;
    while (tx_chip_tile_at(fake.chip_there, i, &t) == TX_OK &&
           (t.kind != kind || t.number != number)) {
        i++;
    }
    return i;
}

static bool fake_memory(bool dram, unsigned number, uint32_t address, uint8_t *to,
                        const uint8_t *from, size_t size)
{
    struct tx_chip_tile t;
    (void)tx_chip_tile_at(fake.chip_there, fake_place(dram ? TX_CHIP_DRAM : TX_CHIP_TENSIX, number),
                          &t);
    const struct tx_chip_place at = {0, t.translated_x, t.translated_y};
    return (to != NULL ? tx_chip_read(fake.chip_there, at, address, to, size)
                       : tx_chip_write(fake.chip_there, at, address, from, size)) == TX_OK;
}

/* The faulty kind of request is executed twice; a broadcast is refused, if that is asked for. */
static bool fake_store(unsigned tile, uint32_t address, uint32_t value)
{
    tx_tensix *const to = tx_chip_tensix(fake.chip_there, fake_place(TX_CHIP_TENSIX, tile));
    const bool starts = (address & 0x7FFu) == 0x40 && address < NOC_STREAM_AT;
    uint32_t control = 0;
    fake.reason = NULL;
    (void)tx_core_peek(to, TX_CORE_B, (address & ~0x7FFu) + AT_CTRL, &control, 4);
    if (starts && fake.refused != 0 && (control & NOC_FLAG_MANY) != 0) {
        fake.reason = "unsupported: value=12";
        return false;
    }
    bool good = tx_core_poke(to, TX_CORE_B, address, &value, 4) == 4;
    (void)tx_chip_cycle(fake.chip_there, 1);
    if (starts && fake.faulty != 0 && (control & 3u) == NOC_FLAG_ATOMIC) {
        good = tx_core_poke(to, TX_CORE_B, address, &value, 4) == 4 && good;
        (void)tx_chip_cycle(fake.chip_there, 1);
    }
    return good;
}

static bool fake_load(unsigned tile, uint32_t address, uint32_t *value)
{
    tx_tensix *const to = tx_chip_tensix(fake.chip_there, fake_place(TX_CHIP_TENSIX, tile));
    return tx_core_peek(to, TX_CORE_B, address, value, 4) == 4;
}

/* The threads of a machine of ours; the faulty instruction works on another row of Dst. */
static void fake_threads(const uint32_t *const words[3], const uint32_t count[3], uint32_t done[3])
{
    enum { ROW = 16 };
    static uint32_t copy[3][TILE_TEXT / 4];
    struct tx_stream s[TX_THREADS];
    fake.reason = NULL;
    for (unsigned t = 0; t < 3; t++) {
        done[t] = count[t];
        for (uint32_t i = 0; i < count[t]; i++) {
            const uint32_t insn = words[t][i] >> 24;
            copy[t][i] = words[t][i] ^ (insn == fake.faulty ? ROW : 0);
            if (insn == fake.refused && done[t] == count[t]) {
                done[t] = i;
                fake.reason = "unsupported: value=12";
            }
        }
        s[t] = (struct tx_stream){copy[t], done[t]};
    }
    (void)tx_run_threads(fake.m, s, TILE_LIMIT);
}

static const struct beside fake_side = {"bh",     fake_open,   fake_run,   fake_core, fake_refusal,
                                        fake_put, fake_get,    fake_size,  fake_save, fake_restore,
                                        fake_l1,  fake_memory, fake_store, fake_load, fake_threads};

static void fake_begin(struct cosim *c, enum tx_arch arch, const struct kind *kind,
                       const char *rule)
{
    struct tx_settings settings;
    tx_settings_default(&settings, arch);
    if (rule != NULL) {
        assert_int_equal(tx_settings_rule(&settings, rule), TX_OK);
    }
    memset(&fake, 0, sizeof fake);
    struct tx_host host;
    tx_host_default(&host);
    host.l1 = fake.l1;
    host.l1_size = tx_l1_size(arch);
    assert_int_equal(tx_open(&settings, &fake.m), TX_OK);
    fake.before = malloc(fake_size());
    assert_non_null(fake.before);
    assert_int_equal(tx_host_set(fake.m, &host), TX_OK);
    cosim_open(c, kind, &fake_side, arch, 7);
    c->out = fopen("/dev/null", "w");
    assert_non_null(c->out);
}

static void fake_end(struct cosim *c)
{
    fclose(c->out);
    cosim_close(c);
    tx_close(fake.m);
    free(fake.before);
}

/* ---- words ---- */

static bool takes_all(const struct tx_row *row)
{
    (void)row;
    return true;
}

static void test_words(void **state)
{
    static struct draw_forms forms;
    struct bridge_rng r = {1};
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        const enum tx_arch arch = (enum tx_arch)a;
        forms.count = 0;
        draw_collect(&forms, arch, takes_all);
        assert_true(forms.count > 150);
        for (unsigned i = 0; i < forms.count; i++) {
            uint32_t ones = 0;
            for (unsigned k = 0; k < 600; k++) {
                const uint32_t word = draw_word(&r, &forms.form[i]);
                struct tx_decoded d;
                assert_int_equal(tx_decode(arch, word, &d), TX_OK);
                if (d.row != forms.form[i].row || !d.canonical || d.other != 0) {
                    fail_msg("%s: %08x is no legal word of %s", tx_arch_short(arch), (unsigned)word,
                             forms.form[i].row->id);
                }
                ones |= word;
            }
            /* Registers of SFPMAD: VA at bit 16, VB at 12, VC at 8, VD at 4 (isa SFPMAD). */
            if (forms.form[i].row->insn == TX_INSN_SFPMAD) {
                assert_int_equal(ones & 0xFFFF0u, 0xFFFF0u);
            }
        }
    }
}

/* ---- shrinking ---- */

/* Shown by a 3 that stands anywhere behind a 9. */
static bool nine_three(void *user, const uint32_t *words, unsigned count)
{
    bool nine = false;
    ++*(unsigned *)user;
    for (unsigned i = 0; i < count; i++) {
        if (words[i] == 3 && nine) {
            return true;
        }
        nine = nine || words[i] == 9;
    }
    return false;
}

static void test_shrink(void **state)
{
    (void)state;
    for (unsigned count = 2; count <= 64; count++) {
        uint32_t words[64];
        unsigned tried = 0;
        for (unsigned i = 0; i < count; i++) {
            words[i] = i == count / 3 ? 9 : i == count - 1 - count / 4 ? 3 : 100 + i;
        }
        assert_int_equal(shrink(words, count, nine_three, &tried), 2);
        assert_int_equal(words[0], 9);
        assert_int_equal(words[1], 3);
        assert_true(tried < 200);
    }
}

/* ---- whole runs ---- */

static void test_equal(void **state)
{
    static struct cosim c;
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        fake_begin(&c, (enum tx_arch)a, &vector_class, NULL);
        for (uint64_t i = 0; i < 40; i++) {
            assert_true(cosim_program(&c, i));
        }
        assert_int_equal(c.programs, 40);
        assert_int_equal(c.executed, 40 * vector_class.words);
        assert_int_equal(c.differ + c.refusals + c.waiting + c.skipped, 0);
        fake_end(&c);
    }
}

/* Units whose words may wait for a bank, and the packers, on both sides alike. */
static void test_units(void **state)
{
    static const struct kind *const classes[] = {&matrix_class, &pack_class, &unpack_class,
                                                 &scalar_class};
    static struct cosim c;
    static struct kind kind;
    uint64_t waiting = 0;
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kind = *classes[i / 2];
        kind.rules[0][0] = kind.rules[1][0] = NULL;
        fake_begin(&c, i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE, &kind, NULL);
        for (uint64_t k = 0; k < 100; k++) {
            assert_true(cosim_program(&c, k));
        }
        waiting += c.waiting;
        assert_int_equal(c.programs, 100);
        assert_int_equal(c.differ + c.skipped, 0);
        assert_true(c.executed > 300);
        fake_end(&c);
    }
    assert_true(waiting > 5);
}

/* Bytes that streams still hold at the end are in L1 by one reading, not by the other. */
static void test_bytes(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t bytes = 0;
    (void)state;
    kind = pack_class;
    kind.rules[1][0] = NULL;
    kind.known = NULL;
    fake_begin(&c, TX_BLACKHOLE, &kind, "pack-tail=at-once");
    for (uint64_t i = 0; i < 400; i++) {
        struct difference d;
        if (!cosim_program(&c, i)) {
            begin(&c, c.with[0], i);
            draw_program(&c);
            shrink_difference(&c, i, &d);
            bytes += d.place.file == NULL;
            assert_int_equal(d.words[d.count - 1] >> 24, 0x41); /* PACR */
        }
    }
    assert_true(bytes > 5);
    fake_end(&c);
}

/* A reading of the other side that shows in products is found, and the word that shows it. */
static void test_product(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t differ = 0;
    (void)state;
    kind = matrix_class;
    kind.rules[1][0] = NULL;
    kind.known = NULL;
    fake_begin(&c, TX_BLACKHOLE, &kind, "src-truncate=both");
    for (uint64_t i = 0; i < 60; i++) {
        differ += !cosim_program(&c, i);
    }
    assert_true(differ > 10);
    fake_end(&c);
}

/* The only instruction with a fault is what is left of the program. */
static void test_fault(void **state)
{
    static struct cosim c;
    struct difference d;
    unsigned found = 0;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.faulty = TX_INSN_SFPABS;
    for (uint64_t i = 0; i < 60; i++) {
        if (cosim_program(&c, i)) {
            continue;
        }
        begin(&c, c.with[0], i);
        draw_program(&c);
        shrink_difference(&c, i, &d);
        assert_int_equal(d.count, 1);
        assert_int_equal(d.words[0] >> 24, TX_INSN_SFPABS);
        assert_int_equal(d.place.file->file, TX_FILE_LREG);
        assert_int_equal(d.place.index, 5);
        assert_int_equal(d.place.value, 7);
        assert_int_equal(d.place.here ^ d.place.there, 4);
        found++;
    }
    assert_true(found > 5);
    assert_int_equal(c.unexplained, found);
    fake_end(&c);
}

/* A word that is refused is left out, all of it, and its reason is counted without the number. */
static void test_refused(void **state)
{
    static struct cosim c;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.refused = TX_INSN_SFPABS;
    for (uint64_t i = 0; i < 60; i++) {
        assert_true(cosim_program(&c, i));
        for (unsigned k = 0; k < c.count; k++) {
            assert_int_not_equal(c.words[k] >> 24, TX_INSN_SFPABS);
        }
    }
    assert_true(c.refusals > 5);
    assert_int_equal(c.executed + c.refusals, 60 * vector_class.words);
    assert_int_equal(c.reason_count, 1);
    assert_string_equal(c.reasons[0].text, "unsupported: value=#");
    fake_end(&c);
}

/* Only the other side waits. */
static void test_waits(void **state)
{
    static struct cosim c;
    unsigned told = 0;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.faulty = TX_INSN_SFPABS;
    fake.waits = true;
    for (uint64_t i = 0; i < 60; i++) {
        told += !cosim_program(&c, i);
    }
    assert_true(told > 5);
    assert_int_equal(c.waiting, told);
    fake_end(&c);
}

/* Another reading on the other side, with and without the class's knowing it. */
static void test_reading(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t differ = 0;
    (void)state;
    for (unsigned knows = 0; knows < 2; knows++) {
        kind = vector_class;
        kind.rules[1][0] = "swap-stall=overlap"; /* of time only */
        kind.rules[1][1] = knows != 0 ? "store-fp32=keep" : NULL;
        fake_begin(&c, TX_BLACKHOLE, &kind, "store-fp32=keep");
        for (uint64_t i = 0; i < 2000; i++) {
            (void)cosim_program(&c, i);
        }
        assert_int_equal(c.by_rule[0], 0);
        assert_int_equal(c.by_rule[RULES], 0);
        if (knows == 0) {
            differ = c.differ;
        } else {
            assert_int_equal(c.differ, 0);
            assert_true(c.by_rule[1] > 0);
        }
        fake_end(&c);
    }
    assert_true(differ > 5);
}

/* Programs of cores are equal; with a faulty instruction all others of a program are left out. */
static void test_cores(void **state)
{
    static const struct {
        const struct kind *kind;
        uint32_t faulty;
    } cases[] = {{&riscv_class, 0},
                 {&riscv_class, MUL},
                 {&float_class, 0},
                 {&float_class, FADD},
                 {&vector_core_class, 0}};
    static struct cosim c;
    struct difference d;
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found = 0;
        fake_begin(&c, TX_BLACKHOLE, cases[i].kind, NULL);
        fake.faulty = cases[i].faulty;
        for (uint64_t number = 1; number < 24; number++) {
            if (cases[i].kind == &riscv_class && number % 4 == 0) {
                continue; /* long ones take long to shrink */
            }
            if (!cosim_program(&c, number)) {
                shrink_difference(&c, number, &d);
                const struct cores *k = c.own;
                unsigned others = 0;
                for (unsigned w = 0; w < d.count; w++) {
                    k->make(&c, &d.words[w], 1);
                    others += !is_faulty(k->last);
                }
                assert_int_equal(d.count - others, 1);
                /* The loop, and what stores the registers. */
                assert_in_range(others, 0, cases[i].kind == &riscv_class ? 34 : 2);
                found++;
            }
        }
        assert_int_equal(c.skipped, 0);
        assert_int_equal(c.refusals, 0);
        assert_true(c.executed > 400);
        assert_true(cases[i].faulty != 0 ? found > 2 : found == 0);
        fake_end(&c);
    }
}

/* An instruction that stops the other side's core is left out, and only that one. */
static void test_core_refused(void **state)
{
    static struct cosim c;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &float_class, NULL);
    fake.refused = FADD;
    for (uint64_t number = 0; number < 24; number++) {
        assert_true(cosim_program(&c, number));
        for (unsigned i = 0; i < c.count; i++) {
            float_make(&c, &c.words[i], 1);
            assert_int_not_equal(((struct cores *)c.own)->last & FADD_MASK, FADD);
        }
    }
    assert_true(c.refusals > 10);
    assert_int_equal(c.executed + c.refusals, 24 * FLOAT_WORDS);
    assert_int_equal(c.reason_count, 1);
    fake_end(&c);
}

/* Requests on two chips of ours are equal; one that is executed twice is what is left. */
static void test_requests(void **state)
{
    static struct cosim c;
    struct difference d;
    (void)state;
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        struct tx_chip_settings settings;
        uint64_t forms[6] = {0};
        unsigned found = 0;
        (void)tx_chip_settings_default(&settings, "p150");
        settings.policy = TX_CHIP_PROMPT;
        settings.bad_dram = 1u << 2;
        fake_begin(&c, TX_BLACKHOLE, &noc_class, NULL);
        assert_int_equal(tx_chip_open(&settings, &fake.chip_there), TX_OK);
        fake.faulty = faulty;
        fake.refused = 1;
        for (uint64_t i = 0; i < 40; i++) {
            if (!cosim_program(&c, i)) {
                shrink_difference(&c, i, &d);
                assert_int_equal(d.count, 1);
                assert_int_equal(noc_draw(&c, d.words[0]).form, FORM_ATOMIC);
                found++;
            }
            for (unsigned k = 0; k < c.count; k++) {
                forms[noc_draw(&c, c.words[k]).form]++;
            }
        }
        for (unsigned k = 0; k < 6; k++) {
            assert_true(k == FORM_MANY ? forms[k] == 0 : forms[k] > 10);
        }
        assert_true(c.refusals > 10);
        assert_int_equal(c.reason_count, 1);
        assert_true(faulty != 0 ? found > 10 : found == 0);
        tx_chip_close(fake.chip_there);
        fake_end(&c);
    }
}

/* Whole tiles are equal; of one with a faulty instruction a step with it and one that shows it
 * stay. */
static void test_tiles(void **state)
{
    static struct cosim c;
    static struct kind kind;
    struct difference d;
    (void)state;
    kind = tile_class;
    for (unsigned i = 0; i < 6; i++) {
        const enum tx_arch arch = i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE;
        unsigned found = 0;
        unsigned packs = 0;
        kind.rules[0][0] = kind.rules[1][0] = NULL;
        fake_begin(&c, arch, &kind, NULL);
        fake.faulty = i / 2 == 1 ? TX_INSN_ELWSUB : 0;
        fake.refused = i / 2 == 2 ? TX_INSN_SFPLOAD : 0;
        for (uint64_t number = 0; number < 40; number++) {
            if (!cosim_program(&c, number)) {
                shrink_difference(&c, number, &d);
                assert_in_range(d.count, 1, 3);
                char text[200];
                unsigned with = 0;
                for (unsigned k = 0; k < d.count; k++) {
                    tile_step_text(&c, d.words[k], text);
                    with += strstr(text, "elwsub") != NULL;
                }
                assert_int_equal(with, 1);
                found++;
            }
            for (unsigned k = 0; k < c.count; k++) {
                char text[200];
                tile_step_text(&c, c.words[k], text);
                assert_true(fake.refused == 0 || strstr(text, "sfpload") == NULL);
                packs += strstr(text, "pack_tile") != NULL || strstr(text, "dst_full") != NULL;
            }
        }
        assert_true(packs > 40);
        assert_int_equal(c.skipped, 0);
        assert_true(fake.refused != 0 ? c.refusals > 10 : c.refusals == 0);
        assert_true(fake.faulty != 0 ? found > 5 : found == 0);
        fake_end(&c);
    }
}

/* What is known of an instruction explains its difference, and no other one's. */
static void test_known(void **state)
{
    static const struct known known[] = {{"X-1", 3, "SFPABS SFPNOT", NULL, "planted"},
                                         {.id = NULL}};
    static struct cosim c;
    static struct kind kind;
    (void)state;
    kind = vector_class;
    kind.known = known;
    for (unsigned other = 0; other < 2; other++) {
        fake_begin(&c, TX_BLACKHOLE, &kind, NULL);
        fake.faulty = other != 0 ? TX_INSN_SFPAND : TX_INSN_SFPABS;
        for (uint64_t i = 0; i < 60; i++) {
            (void)cosim_program(&c, i);
        }
        assert_true(c.differ > 5);
        assert_int_equal(c.unexplained, other != 0 ? c.differ : 0);
        assert_int_equal(c.known_count, other != 0 ? 0 : 1);
        fake_end(&c);
    }
}

/* An explained word hides no fault of another one in the same program. */
static void test_behind(void **state)
{
    static const struct known known[] = {{"X-1", 3, "SFPABS", NULL, "planted"}, {.id = NULL}};
    static struct cosim c;
    static struct kind kind;
    uint64_t told[2];
    uint64_t both = 0;
    (void)state;
    kind = vector_class;
    kind.known = known;
    for (unsigned with = 0; with < 2; with++) {
        fake_begin(&c, TX_BLACKHOLE, &kind, NULL);
        fake.faulty = with != 0 ? TX_INSN_SFPABS : 0;
        fake.also = TX_INSN_SFPAND;
        for (uint64_t i = 0; i < 100; i++) {
            const uint64_t explained = c.known_count != 0 ? c.known[0].count : 0;
            const bool good = cosim_program(&c, i);
            both += !good && c.known_count != 0 && c.known[0].count != explained;
        }
        told[with] = c.unexplained;
        fake_end(&c);
    }
    assert_true(told[0] > 10);
    assert_true(told[1] >= told[0]); /* without the explained words more of a fault may show */
    assert_true(both > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),    cmocka_unit_test(test_shrink),
        cmocka_unit_test(test_equal),    cmocka_unit_test(test_units),
        cmocka_unit_test(test_bytes),    cmocka_unit_test(test_product),
        cmocka_unit_test(test_fault),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_waits),    cmocka_unit_test(test_reading),
        cmocka_unit_test(test_cores),    cmocka_unit_test(test_core_refused),
        cmocka_unit_test(test_requests), cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_known),    cmocka_unit_test(test_behind),
    };
    return cmocka_run_group_tests_name("cosim", tests, NULL, NULL);
}
