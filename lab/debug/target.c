/* SPDX-License-Identifier: Apache-2.0 */
/* Parses targets, reads their values from the machine, and converts values to text and back. */
#include "debug/target.h"
#include "base/small.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LREGS = 17, COLUMNS = 16, DST_ROWS = 1024, SRC_ROWS = 64, GPRS = 64, TF32_SHIFT = 13 };

/* ---- parsing ---- */

struct parser {
    struct txl_debug *d;
    const char *all, *at;
};

static int wrong(const struct parser *p, const char *why)
{
    return txl_fail(p->d->err, "'%s': %s", p->all, why);
}

static bool target_number(struct parser *p, int64_t most, unsigned *value)
{
    char digits[24];
    size_t n = 0;
    int64_t got;
    while (n + 1 < sizeof digits && (isalnum((unsigned char)p->at[n]) != 0)) {
        digits[n] = p->at[n];
        n++;
    }
    digits[n] = '\0';
    if (!txl_number(digits, 0, most, &got)) {
        return false;
    }
    p->at += n;
    *value = (unsigned)got;
    return true;
}

/* Parses an index or range, "[3]", "[0:7]", "[0..7]"; *given tells whether there was one. */
static int bracket(struct parser *p, int64_t most, unsigned *first, unsigned *last, bool *given)
{
    *given = *p->at == '[';
    if (!*given) {
        return TXL_CONTINUE;
    }
    p->at++;
    char why[80];
    snprintf(why, sizeof why, "not a number from 0 to %lld, or A:B of them, between [ and ]",
             (long long)most);
    if (!target_number(p, most, first)) {
        return wrong(p, why);
    }
    *last = *first;
    if (*p->at == ':' || strncmp(p->at, "..", 2) == 0) {
        p->at += *p->at == ':' ? 1 : 2;
        if (!target_number(p, most, last) || *last < *first) {
            return wrong(p, why);
        }
    }
    return *p->at++ == ']' ? TXL_CONTINUE : wrong(p, why);
}

static bool takes(struct parser *p, const char *word)
{
    const size_t n = strlen(word);
    if (strncasecmp(p->at, word, n) != 0 || isalpha((unsigned char)p->at[n]) != 0) {
        return false;
    }
    p->at += n;
    return true;
}

static int parse_lreg(struct parser *p, struct target *t)
{
    unsigned last = TX_LANES - 1;
    bool given;
    if (!target_number(p, LREGS - 1, &t->index)) {
        return wrong(p, "LRegs are L0 to L16");
    }
    const int result = bracket(p, TX_LANES - 1, &t->first, &last, &given);
    t->count = last - t->first + 1;
    return result;
}

/* Parses a row and then a column or range of columns. */
static int parse_rows(struct parser *p, struct target *t, unsigned rows)
{
    unsigned last_row;
    unsigned last = COLUMNS - 1;
    bool given;
    int result = bracket(p, rows - 1, &t->index, &last_row, &given);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (!given || last_row != t->index) {
        return wrong(p, "one row is to be named, as in dst[5] or dst[5][3]");
    }
    result = bracket(p, COLUMNS - 1, &t->first, &last, &given);
    t->count = last - t->first + 1;
    return result;
}

static int parse_gpr(struct parser *p, struct target *t)
{
    unsigned last;
    bool given;
    t->count = 1;
    t->thread = debug_thread(p->d);
    if (isdigit((unsigned char)*p->at) != 0) {
        return target_number(p, GPRS - 1, &t->index) ? TXL_CONTINUE
                                                     : wrong(p, "GPRs are gpr0 to gpr63");
    }
    int result = bracket(p, GPRS - 1, &t->index, &last, &given);
    return result == TXL_CONTINUE && !given ? wrong(p, "GPRs are gpr0 to gpr63") : result;
}

static int parse_l1(struct parser *p, struct target *t)
{
    const uint32_t size = tx_l1_size(p->d->arch);
    unsigned bytes = 4;
    unsigned address = 0;
    if (*p->at++ != '[' || !target_number(p, size - 4, &address)) {
        return wrong(p, "an address of L1 is to be named, as in l1[0x1000] or l1[0x1000:64]");
    }
    if (*p->at == ':' && (p->at++, !target_number(p, 4 * TARGET_MOST, &bytes))) {
        return wrong(p, "behind the colon stands how many bytes, at most 4096");
    }
    if (*p->at++ != ']' || address % 4 != 0 || bytes % 4 != 0 || bytes == 0 ||
        address + bytes > size) {
        return wrong(p, "whole words of L1 are l1[ADDRESS] or l1[ADDRESS:BYTES], multiples of 4");
    }
    uint32_t word;
    if (tx_l1_read(p->d->machine, address, &word, sizeof word) != TX_OK) {
        return wrong(p, "there is no L1: the kernel begins and ends in Dst");
    }
    t->address = address;
    t->count = bytes / 4;
    return TXL_CONTINUE;
}

static int parse_cfg(struct parser *p, struct target *t)
{
    uint32_t value;
    if (*p->at == '.') {
        p->at++;
    }
    const struct tx_config_field *f = tx_config_field_find(p->d->arch, p->at);
    if (f == NULL && tx_config_get(p->d->machine, 0, p->at, &value) != TX_OK) {
        return wrong(p, "there is no such field of the configuration; 'cfg PART' lists them");
    }
    t->count = 1;
    p->at += strlen(p->at);
    return TXL_CONTINUE;
}

static int parse_kind(struct parser *p, struct target *t)
{
    static const struct {
        const char *word;
        enum target_kind kind;
    } kinds[] = {{"dst", TARGET_DST}, {"srca", TARGET_SRCA}, {"srcb", TARGET_SRCB},
                 {"gpr", TARGET_GPR}, {"cfg", TARGET_CFG},   {"flags", TARGET_FLAGS}};
    const unsigned c = (unsigned char)p->at[0];
    /* "l1[" is L1, the memory; "l1" without bracket is the register. */
    if (strncmp(p->at, "l1[", 3) == 0) {
        p->at += 2;
        t->kind = TARGET_L1;
        return parse_l1(p, t);
    }
    if ((c == 'l' || c == 'L') && isdigit((unsigned char)p->at[1]) != 0) {
        p->at++;
        t->kind = TARGET_LREG;
        return parse_lreg(p, t);
    }
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!takes(p, kinds[i].word)) {
            continue;
        }
        t->kind = kinds[i].kind;
        switch (t->kind) {
        case TARGET_DST:
            return parse_rows(p, t, DST_ROWS);
        case TARGET_SRCA:
        case TARGET_SRCB:
            return parse_rows(p, t, SRC_ROWS);
        case TARGET_GPR:
            return parse_gpr(p, t);
        case TARGET_CFG:
            return parse_cfg(p, t);
        default:
            t->count = 1;
            return TXL_CONTINUE;
        }
    }
    if (tx_config_field_find(p->d->arch, p->at) != NULL) {
        t->kind = TARGET_CFG;
        return parse_cfg(p, t);
    }
    return wrong(p, "neither a register nor a place in memory: L3[7], dst[5][3], srca[0], gpr4, "
                    "l1[0x1000:64], flags, or a field of the configuration");
}

static void name_of(struct target *t, const char *text, const struct parser *p)
{
    static const char *const names[] = {"L", "dst", "srca", "srcb", "gpr", "", "l1", "flags"};
    switch (t->kind) {
    case TARGET_CFG:
        snprintf(t->name, sizeof t->name, "%s", strncmp(text, "cfg", 3) == 0 ? text + 4 : text);
        break;
    case TARGET_L1:
    case TARGET_FLAGS:
        snprintf(t->name, sizeof t->name, "%s", names[t->kind]);
        break;
    case TARGET_LREG:
    case TARGET_GPR:
        snprintf(t->name, sizeof t->name, "%s%u", names[t->kind], t->index);
        break;
    default:
        snprintf(t->name, sizeof t->name, "%s[%u]", names[t->kind], t->index);
        break;
    }
    (void)p;
}

int target_parse(struct txl_debug *d, const char *text, struct target *target)
{
    struct parser p = {d, text, text};
    uint32_t words[COLUMNS];
    *target = (struct target){.thread = debug_thread(d)};
    const int result = parse_kind(&p, target);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (*p.at != '\0') {
        return wrong(&p, "what does the end mean?");
    }
    name_of(target, text, &p);
    if (target->kind == TARGET_DST && !dst_row(d, debug_dst(d), target->index, words)) {
        return wrong(&p, "Dst has no such row in its format");
    }
    return TXL_CONTINUE;
}

/* ---- values ---- */

enum tx_dst_format debug_dst(const struct txl_debug *d)
{
    return d->dst;
}

bool dst_row(const struct txl_debug *d, enum tx_dst_format format, unsigned row, uint32_t *words)
{
    uint32_t values[TX_TILE_ELEMENTS];
    if (format == TX_DST_FORMAT_UNSET) {
        return tx_read(d->machine, TX_FILE_DST, row, words, COLUMNS) == TX_OK;
    }
    if (tx_dst_store_tile(d->machine, row / 64, format, values) != TX_OK) {
        return false;
    }
    for (unsigned c = 0; c < COLUMNS; c++) {
        words[c] = values[tx_tile_element(row % 64, c)];
    }
    return true;
}

static bool read_src(const struct txl_debug *d, const struct target *t, uint32_t *cells)
{
    const unsigned src = t->kind == TARGET_SRCB ? 1 : 0;
    uint32_t banks[4] = {0};
    (void)tx_read(d->machine, TX_FILE_SRC_BANK, src, banks, 4);
    if (tx_read(d->machine, TX_FILE_SRC, t->index + 64 * banks[0] + 128 * src, cells, COLUMNS) !=
        TX_OK) {
        return false;
    }
    for (unsigned i = 0; i < COLUMNS; i++) {
        cells[i] = tx_convert(TX_CELL_SRC_TF32_PLAIN, d->arch, cells[i]) << TF32_SHIFT;
    }
    return true;
}

static unsigned read_l1(const struct txl_debug *d, const struct target *t, uint32_t *values)
{
    uint8_t bytes[4 * TARGET_MOST];
    if (tx_l1_read(d->machine, t->address, bytes, 4 * (size_t)t->count) != TX_OK) {
        return 0;
    }
    for (unsigned i = 0; i < t->count; i++) {
        values[i] = word_of_bytes(bytes + 4 * (size_t)i);
    }
    return t->count;
}

unsigned target_read(struct txl_debug *d, const struct target *t, uint32_t *values)
{
    uint32_t all[TX_LANES] = {0};
    bool good = false;
    switch (t->kind) {
    case TARGET_LREG:
        good = tx_read(d->machine, TX_FILE_LREG, t->index, all, TX_LANES) == TX_OK;
        break;
    case TARGET_DST:
        good = dst_row(d, d->dst, t->index, all);
        break;
    case TARGET_SRCA:
    case TARGET_SRCB:
        good = read_src(d, t, all);
        break;
    case TARGET_GPR:
        good = tx_read(d->machine, TX_FILE_GPR, t->index + 64 * t->thread, all, 1) == TX_OK;
        break;
    case TARGET_CFG:
        good = tx_config_get(d->machine, t->thread, t->name, all) == TX_OK;
        break;
    case TARGET_FLAGS:
        good = tx_read(d->machine, TX_FILE_LANE_FLAGS, 0, all, 1) == TX_OK;
        break;
    case TARGET_L1:
        return read_l1(d, t, values);
    }
    memcpy(values, all + t->first, t->count * sizeof *values);
    return good ? t->count : 0;
}

const struct fact_write *target_writer(const struct txl_debug *d, const struct target *t,
                                       unsigned i)
{
    const unsigned kind = t->kind == TARGET_LREG    ? TX_EVENT_WRITE_LREG
                          : t->kind == TARGET_DST   ? TX_EVENT_WRITE_DST
                          : t->kind == TARGET_FLAGS ? TX_EVENT_WRITE_FLAGS
                                                    : UINT8_MAX;
    const struct fact_write *found = NULL;
    const unsigned row = t->index;
    for (unsigned k = 0; k < d->facts.writes; k++) {
        const struct fact_write *w = &d->facts.write[k];
        const bool lane = t->kind == TARGET_FLAGS || (w->lanes >> (t->first + i) & 1u) != 0;
        if (w->kind != kind || !lane || (t->kind == TARGET_LREG && w->index != row)) {
            continue;
        }
        /* A 32-bit row of Dst occupies two physical rows, eight apart. */
        const bool same = t->kind != TARGET_DST || w->index == row ||
                          (w->index & ~8u) == ((row & ~7u) << 1 | (row & 7u));
        found = same || found == NULL ? w : found;
    }
    return found;
}

const char *target_element(const struct target *t, unsigned i, char *text, size_t size)
{
    if (t->kind == TARGET_L1) {
        snprintf(text, size, "l1[0x%x]", t->address + 4 * i);
    } else if (t->kind == TARGET_LREG || t->kind == TARGET_DST || t->kind == TARGET_SRCA ||
               t->kind == TARGET_SRCB) {
        snprintf(text, size, "%s[%u]", t->name, t->first + i);
    } else {
        snprintf(text, size, "%s", t->name);
    }
    return text;
}

/* ---- readings ---- */

static const struct {
    const char *name, *letter;
} readings[] = {
    [READ_DEFAULT] = {"", ""}, [READ_FP32] = {"fp32", "f"}, [READ_BF16] = {"bf16", "h"},
    [READ_INT] = {"int", "d"}, [READ_UINT] = {"uint", "u"}, [READ_SM] = {"sm", "s"},
    [READ_HEX] = {"hex", "x"},
};

bool reading_parse(const char *text, enum reading *reading)
{
    for (unsigned i = READ_FP32; i < sizeof readings / sizeof *readings; i++) {
        if (strcasecmp(text, readings[i].name) == 0 || strcmp(text, readings[i].letter) == 0) {
            *reading = (enum reading)i;
            return true;
        }
    }
    if (strcasecmp(text, "int32") == 0 || strcasecmp(text, "uint32") == 0) {
        *reading = tolower((unsigned char)text[0]) == 'i' ? READ_INT : READ_UINT;
        return true;
    }
    return false;
}

const char *reading_name(enum reading reading)
{
    return readings[reading].name;
}

enum reading target_reading(const struct txl_debug *d, const struct target *t)
{
    switch (t->kind) {
    case TARGET_LREG:
    case TARGET_SRCA:
    case TARGET_SRCB:
        return READ_FP32;
    case TARGET_DST:
        return d->dst == TX_DST_FORMAT_UNSET ? READ_HEX
               : d->dst == TX_DST_FORMAT_FP32 || d->dst == TX_DST_FORMAT_BF16 ||
                       d->dst == TX_DST_FORMAT_FP16
                   ? READ_FP32
                   : READ_INT;
    case TARGET_GPR:
    case TARGET_CFG:
        return READ_UINT;
    case TARGET_L1:
    case TARGET_FLAGS:
        break;
    }
    return READ_HEX;
}

const char *reading_text(enum reading reading, uint32_t word, char text[48])
{
    char high[24];
    char low[24];
    switch (reading) {
    case READ_FP32:
    case READ_DEFAULT:
        return txl_number_text(TX_DST_FORMAT_FP32, word, text, 48);
    case READ_BF16:
        snprintf(text, 48, "%s,%s",
                 txl_number_text(TX_DST_FORMAT_BF16, word & 0xFFFF0000u, high, sizeof high),
                 txl_number_text(TX_DST_FORMAT_BF16, word << 16, low, sizeof low));
        break;
    case READ_INT:
        snprintf(text, 48, "%d", (int)(int32_t)word);
        break;
    case READ_UINT:
        snprintf(text, 48, "%u", (unsigned)word);
        break;
    case READ_SM:
        snprintf(text, 48, "%c%u", word >> 31 != 0 ? '-' : '+', (unsigned)(word & 0x7FFFFFFFu));
        break;
    case READ_HEX:
        snprintf(text, 48, "%08x", (unsigned)word);
        break;
    }
    return text;
}

/* Parses a value; 0x... stands for the bits in any reading. */
bool reading_value(enum reading reading, const char *text, uint32_t *word)
{
    int64_t whole;
    char *end = NULL;
    if (strncasecmp(text, "0x", 2) == 0 || reading == READ_INT || reading == READ_UINT ||
        reading == READ_HEX) {
        const bool good = txl_number(text, INT32_MIN, UINT32_MAX, &whole);
        *word = (uint32_t)whole;
        return good;
    }
    if (reading == READ_SM) {
        const bool good = txl_number(text, -INT32_MAX, INT32_MAX, &whole);
        *word = whole < 0 ? 0x80000000u | (uint32_t)-whole : (uint32_t)whole;
        return good;
    }
    const float value = strtof(text, &end);
    memcpy(word, &value, sizeof *word);
    if (reading == READ_BF16) {
        *word &= 0xFFFF0000u;
    }
    return end != text && *end == '\0';
}
