/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares what a machine holds with the final state of a vector and reports the first difference.
 */
#include "vectors/check.h"

#include <stdarg.h>
#include <string.h>

/*
 * Fills in the error with the difference; what and where name the place, as "lreg 2" and "lane 5".
 * Returns false, so that a comparison can end with it.
 */
static bool differs(struct txl_error *err, const char *what, const char *unit, unsigned index,
                    uint32_t expected, uint32_t got)
{
    char place[32] = "";
    if (unit != NULL) {
        snprintf(place, sizeof place, " %s %u", unit, index);
    }
    return fail_false(err, "%s%s: expected %08x, got %08x", what, place, expected, got);
}

static bool unreadable(struct txl_error *err, const char *what)
{
    return fail_false(err, "%s cannot be read", what);
}

/* Compares one entry of a file; unit names its values. */
static bool same(const tx_machine *m, enum tx_file file, unsigned index, const char *what,
                 const char *unit, const uint32_t *expected, size_t count, struct txl_error *err)
{
    uint32_t got[TX_GPRS];
    if (tx_read(m, file, index, got, count) != TX_OK) {
        return unreadable(err, what);
    }
    for (unsigned i = 0; i < count; i++) {
        if (got[i] != expected[i]) {
            return differs(err, what, unit, i, expected[i], got[i]);
        }
    }
    return true;
}

static bool same_lregs(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned i = 0; i < TX_LREGS; i++) {
        char name[16];
        snprintf(name, sizeof name, "lreg %u", i);
        if ((s->lregs >> i & 1U) != 0 &&
            !same(m, TX_FILE_LREG, i, name, "lane", s->lreg[i], TX_LANES, err)) {
            return false;
        }
    }
    return true;
}

static bool same_stack(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    uint32_t depth[TX_LANES];
    for (unsigned i = 0; i < TX_LANES; i++) {
        depth[i] = s->stack_depth;
    }
    if (!same(m, TX_FILE_STACK_DEPTH, 0, "flag_stack depth", "lane", depth, TX_LANES, err)) {
        return false;
    }
    for (unsigned i = 0; i < s->stack_depth; i++) {
        char name[64];
        uint32_t got[2];
        if (tx_read(m, TX_FILE_FLAG_STACK, i, got, 2) != TX_OK) {
            return unreadable(err, "flag_stack");
        }
        for (unsigned k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "flag_stack entry %u %s", i,
                     k == 0 ? "lane_flags" : "use_lane_flags");
            if (got[k] != s->stack[i][k]) {
                return differs(err, name, NULL, 0, s->stack[i][k], got[k]);
            }
        }
    }
    return true;
}

static bool same_macro(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned i = 0; i < VEC_MACRO_WORDS; i++) {
        const struct vec_macro_word at = vec_macro_word(s, i);
        if (!at.given) {
            continue;
        }
        uint32_t lanes[TX_LANES];
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            lanes[lane] = at.word;
        }
        char name[32];
        snprintf(name, sizeof name, "macro %s %u",
                 at.file == TX_FILE_MACRO_TEMPLATE   ? "template"
                 : at.file == TX_FILE_MACRO_SEQUENCE ? "sequence"
                                                     : "misc",
                 at.index);
        if (!same(m, at.file, at.index, name, "lane", lanes, TX_LANES, err)) {
            return false;
        }
    }
    return true;
}

static bool same_dst(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        uint32_t got[TX_DST_WIDTH];
        if (tx_read(m, TX_FILE_DST, row, got, TX_DST_WIDTH) != TX_OK) {
            return unreadable(err, "dst");
        }
        for (unsigned c = 0; c < TX_DST_WIDTH; c++) {
            if (got[c] != s->dst[row][c]) {
                return fail_false(err, "dst row %u column %u: expected %04x, got %04x", row, c,
                                  s->dst[row][c], got[c]);
            }
        }
    }
    return true;
}

static bool same_valid(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        uint32_t got = 0;
        if (tx_read(m, TX_FILE_DST_VALID, row, &got, 1) != TX_OK) {
            return unreadable(err, "dst_valid");
        }
        if (got != s->dst_valid[row]) {
            return fail_false(err, "dst_valid row %u: expected %u, got %u", row, s->dst_valid[row],
                              got);
        }
    }
    return true;
}

static bool same_rwc(const tx_machine *m, unsigned thread, const struct vec_state *s,
                     struct txl_error *err)
{
    uint32_t got[TX_RWC_COUNT];
    if (tx_read(m, TX_FILE_RWC, thread, got, TX_RWC_COUNT) != TX_OK) {
        return unreadable(err, "rwc");
    }
    for (unsigned i = 0; i < VEC_RWC; i++) {
        if ((s->rwcs >> i & 1U) != 0 && got[i] != s->rwc[i]) {
            return fail_false(err, "rwc %s: expected %u, got %u", vector_rwc_names[i], s->rwc[i],
                              got[i]);
        }
    }
    return true;
}

static bool same_config(const tx_machine *m, unsigned thread, const struct vec_state *s,
                        struct txl_error *err)
{
    for (size_t i = 0; i < s->config_count; i++) {
        uint32_t got = 0;
        const struct vec_config *c = &s->config[i];
        if (tx_config_get(m, thread, c->name, &got) != TX_OK) {
            return fail_false(err, "final: config %s: no such field", c->name);
        }
        if (got != c->value) {
            return fail_false(err, "config %s: expected %u, got %u", c->name, c->value, got);
        }
    }
    return true;
}

static bool same_front(const tx_machine *m, unsigned thread, const struct vec_state *s,
                       struct txl_error *err)
{
    for (unsigned i = 0; i < TX_GPRS && (s->keys & VEC_GPR) != 0; i++) {
        char name[16];
        snprintf(name, sizeof name, "gpr %u", i);
        if (!same(m, TX_FILE_GPR, i + TX_GPRS * thread, name, NULL, &s->gpr[i], 1, err)) {
            return false;
        }
    }
    for (unsigned i = 0; i < 32 && (s->keys & VEC_REPLAY) != 0; i++) {
        char name[24];
        snprintf(name, sizeof name, "replay slot %u", i);
        if (!same(m, TX_FILE_REPLAY, i + 32 * thread, name, NULL, &s->replay[i], 1, err)) {
            return false;
        }
    }
    for (unsigned i = 0; i < s->semaphores; i++) {
        char name[24];
        snprintf(name, sizeof name, "sem %u", i);
        if (!same(m, TX_FILE_SEMAPHORE, i, name, "part", s->semaphore[i], 2, err)) {
            return false;
        }
    }
    return true;
}

static bool same_src(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    for (unsigned at = 0; at < 4 * TX_SRC_ROWS; at++) {
        const unsigned src = at / (2 * TX_SRC_ROWS);
        const unsigned bank = at / TX_SRC_ROWS % 2;
        char name[32];
        snprintf(name, sizeof name, "src%c bank %u row %u", src == 0 ? 'a' : 'b', bank,
                 at % TX_SRC_ROWS);
        if ((s->src_banks >> (at / TX_SRC_ROWS) & 1U) != 0 &&
            !same(m, TX_FILE_SRC, at, name, "column", s->src[src][bank][at % TX_SRC_ROWS], 16,
                  err)) {
            return false;
        }
    }
    for (unsigned src = 0; src < 2; src++) {
        uint32_t got[4];
        const char letter = src == 0 ? 'a' : 'b';
        char name[32];
        if (tx_read(m, TX_FILE_SRC_BANK, src, got, 4) != TX_OK) {
            return unreadable(err, "src_bank");
        }
        for (unsigned i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "src_bank %c%c", i == 0 ? 'm' : 'u', letter);
            if ((s->keys & VEC_SRC_BANK) != 0 && got[i] != s->src_bank[src][i]) {
                return differs(err, name, NULL, 0, s->src_bank[src][i], got[i]);
            }
            snprintf(name, sizeof name, "src_valid %c", letter);
            if ((s->keys & VEC_SRC_VALID) != 0 && got[2 + i] != s->src_valid[src][i]) {
                return differs(err, name, "bank", i, s->src_valid[src][i], got[2 + i]);
            }
        }
        snprintf(name, sizeof name, "src_fmt %c", letter);
        if ((s->keys & VEC_SRC_FORMAT) != 0 &&
            !same(m, TX_FILE_SRC_FORMAT, src, name, "bank", s->src_format[src], 2, err)) {
            return false;
        }
    }
    return true;
}

static bool same_plain(const tx_machine *m, const struct vec_state *s, struct txl_error *err)
{
    const struct {
        uint32_t key;
        const char *name, *unit;
        enum tx_file file;
        const uint32_t *values;
        size_t count;
    } parts[] = {
        {VEC_LANE_FLAGS, "lane_flags", NULL, TX_FILE_LANE_FLAGS, &s->lane_flags, 1},
        {VEC_USE_LANE_FLAGS, "use_lane_flags", NULL, TX_FILE_USE_LANE_FLAGS, &s->use_lane_flags, 1},
        {VEC_PRNG, "prng", "lane", TX_FILE_PRNG, s->prng, TX_LANES},
        {VEC_LANE_CONFIG, "lane_config", "column", TX_FILE_LANE_CONFIG, s->lane_config, TX_COLUMNS},
        {VEC_SHIFT_LATCH, "shift_latch", "lane", TX_FILE_SHIFT_LATCH, s->shift_latch, TX_LANES},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if ((s->keys & parts[i].key) != 0 &&
            !same(m, parts[i].file, 0, parts[i].name, parts[i].unit, parts[i].values,
                  parts[i].count, err)) {
            return false;
        }
    }
    return true;
}

bool check_compare(const tx_machine *m, unsigned thread, const struct vec_state *s,
                   struct txl_error *err)
{
    return same_lregs(m, s, err) && same_plain(m, s, err) &&
           ((s->keys & VEC_FLAG_STACK) == 0 || same_stack(m, s, err)) && same_macro(m, s, err) &&
           ((s->keys & VEC_DST) == 0 || same_dst(m, s, err)) &&
           ((s->keys & VEC_DST_VALID) == 0 || same_valid(m, s, err)) && same_src(m, s, err) &&
           same_rwc(m, thread, s, err) && same_config(m, thread, s, err) &&
           same_front(m, thread, s, err);
}
