/* SPDX-License-Identifier: Apache-2.0 */
/* A machine whose macro configuration a test sets word by word. */
#ifndef TESTS_PIPE_MACRO_RIG_H
#define TESTS_PIPE_MACRO_RIG_H

#include "macro_log.h"

enum { SIMPLE, MAD, ROUND, STORE, UNITS };
enum { BY_VB = 0x80, TO_L16 = 0x40, IDLE = 0x38 };

struct rig {
    tx_machine *m;
    enum tx_arch arch;
    struct log *log;
    bool forget_always; /* rule macro-forget=always */
};

static struct rig rig_open_with(enum tx_arch arch, const char *rule)
{
    struct rig r = {.arch = arch, .log = calloc(1, sizeof *r.log)};
    struct tx_settings settings;
    const uint32_t all = 0xFFFF;
    assert_non_null(r.log);
    tx_settings_default(&settings, arch);
    settings.sink.event = note;
    settings.sink.user = r.log;
    r.log->arch = arch;
    r.forget_always = rule != NULL && strcmp(rule, "macro-forget=always") == 0;
    if (rule != NULL) {
        assert_int_equal(tx_settings_rule(&settings, rule), TX_OK);
    }
    coverage_rules(&settings);
    assert_int_equal(tx_open(&settings, &r.m), TX_OK);
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        assert_int_equal(tx_write(r.m, TX_FILE_DST_KNOWN, row, &all, 1), TX_OK);
    }
    return r;
}

static struct rig rig_open(enum tx_arch arch)
{
    return rig_open_with(arch, NULL);
}

static void rig_close(struct rig *r)
{
    tx_close(r->m);
    free(r->log);
}

static size_t words_of(const struct rig *r, const char *text, uint32_t *words, size_t room)
{
    const struct tx_asm_options how = {.arch = r->arch};
    struct tx_program *p;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &how, &p, &diag) != TX_OK) {
        fail_msg("%s: %s", diag.source, diag.message);
    }
    const size_t count = tx_program_count(p, TX_SECTION_TILE);
    assert_true(count <= room);
    memcpy(words, tx_program_words(p, TX_SECTION_TILE), count * sizeof *words);
    tx_program_free(p);
    return count;
}

/* Runs text after the cycles in gaps; the log starts anew, cycles count from the first issue. */
static void run_text_gaps(struct rig *r, const char *text, const uint32_t *gaps)
{
    uint32_t words[256];
    const size_t count = words_of(r, text, words, 256);
    r->log->count = 0;
    r->log->stalls = 0;
    assert_int_equal(tx_run_gaps(r->m, 1, words, count, gaps), TX_OK);
    const uint64_t base = r->log->count != 0 ? r->log->at[0].cycle : 0;
    for (size_t i = 0; i < r->log->count; i++) {
        r->log->at[i].cycle -= base;
    }
}

static void run_text(struct rig *r, const char *text)
{
    run_text_gaps(r, text, NULL);
}

static void set_lanes(struct rig *r, enum tx_file file, unsigned index, uint32_t value)
{
    uint32_t lanes[32];
    for (unsigned i = 0; i < 32; i++) {
        lanes[i] = value;
    }
    assert_int_equal(tx_write(r->m, file, index, lanes, 32), TX_OK);
}

static void set_template(struct rig *r, unsigned index, const char *text)
{
    uint32_t word;
    assert_int_equal(words_of(r, text, &word, 1), 1);
    set_lanes(r, TX_FILE_MACRO_TEMPLATE, index, word);
}

static uint32_t byte(unsigned select, unsigned delay, unsigned flags)
{
    return select | delay << 3 | flags;
}

static void set_sequence(struct rig *r, unsigned macro, uint32_t simple, uint32_t mad,
                         uint32_t round, uint32_t store)
{
    set_lanes(r, TX_FILE_MACRO_SEQUENCE, macro, simple | mad << 8 | round << 16 | store << 24);
}

static void set_misc(struct rig *r, uint32_t misc)
{
    set_lanes(r, TX_FILE_MACRO_MISC, 0, misc);
}

static void set_lreg(struct rig *r, unsigned reg, uint32_t value)
{
    set_lanes(r, TX_FILE_LREG, reg, value);
}

static uint32_t lreg(const struct rig *r, unsigned reg, unsigned lane)
{
    uint32_t lanes[32];
    assert_int_equal(tx_read(r->m, TX_FILE_LREG, reg, lanes, 32), TX_OK);
    return lanes[lane];
}

/* Dst as a tile of 32-bit patterns; every element of tile 0 the same. */
static void set_dst(struct rig *r, uint32_t value)
{
    uint32_t values[TILE];
    for (unsigned i = 0; i < TILE; i++) {
        values[i] = value;
    }
    assert_int_equal(tx_dst_load_tile(r->m, 0, TX_DST_FORMAT_FP32, values), TX_OK);
}

/* What lane sees at an address of tile 0. */
static uint32_t dst(const struct rig *r, unsigned address, unsigned lane)
{
    uint32_t values[TILE];
    const struct tx_dst_place place = tx_dst_place(address, lane);
    assert_int_equal(tx_dst_store_tile(r->m, 0, TX_DST_FORMAT_FP32, values), TX_OK);
    return values[tx_tile_element(place.row, place.column)];
}

/* Cycle in which the n-th instruction of a kind (unit and name) happened, or -1. */
static int when(const struct rig *r, char unit, const char *name, unsigned n)
{
    for (size_t i = 0; i < r->log->count; i++) {
        const struct happened *h = &r->log->at[i];
        if (h->unit == unit && strcmp(h->name, name) == 0 && n-- == 0) {
            return (int)h->cycle;
        }
    }
    return -1;
}

static unsigned findings(const struct rig *r, enum tx_category category, const char *rule,
                         const char *part)
{
    unsigned count = 0;
    for (size_t i = 0; i < tx_finding_count(r->m); i++) {
        const struct tx_finding *f = tx_finding_at(r->m, i);
        count += f->category == category && strcmp(f->rule, rule) == 0 &&
                         strstr(f->message, part) != NULL
                     ? (unsigned)f->count
                     : 0;
    }
    return count;
}

static const char unit_letters[] = "SMRT";
static const char *const unit_insn[UNITS] = {"sfpnot", "sfpmad", "sfpshft2", "sfpstore"};

/* Templates 0..2: NOT, MAD, SHFT2 by 0. */
static void usual_templates(struct rig *r)
{
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(r, 2, "sfpshft2 L14, L0, 0, 6");
}

static uint32_t usual_byte(unsigned unit, unsigned delay)
{
    static const unsigned select[UNITS] = {4, 5, 6, 3};
    return byte(select[unit], delay, unit == ROUND ? BY_VB : 0);
}

static void set_one(struct rig *r, unsigned macro, unsigned unit, uint32_t value)
{
    uint32_t b[UNITS] = {IDLE, IDLE, IDLE, IDLE};
    b[unit] = value;
    set_sequence(r, macro, b[SIMPLE], b[MAD], b[ROUND], b[STORE]);
}

/* a.7: with cycle counters an op of a launch at c runs at c + 1 + d, and a run waits for it. */
typedef void rule_body(struct rig *r);

static void on_both_chips(rule_body *body)
{
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct rig r = rig_open((enum tx_arch)arch);
        body(&r);
        rig_close(&r);
    }
}

#define RULE(name)                    \
    static void test_##name(void **s) \
    {                                 \
        (void)s;                      \
        on_both_chips(name);          \
    }

#endif
