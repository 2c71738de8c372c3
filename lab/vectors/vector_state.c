/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the initial and final state of a vector, key by key. */
#include "vectors/vector_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

const char *const vector_rwc_names[VEC_RWC] = {
    [TX_RWC_DST] = "dst",           [TX_RWC_DST_CR] = "dst_cr", [TX_RWC_SRCA] = "srca",
    [TX_RWC_SRCA_CR] = "srca_cr",   [TX_RWC_SRCB] = "srcb",     [TX_RWC_SRCB_CR] = "srcb_cr",
    [TX_RWC_FIDELITY] = "fidelity", [TX_RWC_SP] = "sp",         [TX_RWC_BIAS] = "extra"};

static bool take_hex(const struct vector_take *t, const char *key, json_t *value, uint32_t *out,
                     size_t count, unsigned digits)
{
    if (!json_is_string(value) ||
        !jx_parse_hex(json_string_value(value), json_string_length(value), out, count, digits)) {
        return fail_false(t->err, "%s: %s is not %zu hex digits", t->what, key, count * digits);
    }
    return true;
}

/* Reads "0" to "most" without sign, blanks or leading zeros. Returns -1 for anything else. */
static int index_of(const char *text, unsigned most)
{
    unsigned value = 0;
    if (text[0] == '\0' || (text[0] == '0' && text[1] != '\0')) {
        return -1;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return -1;
        }
        value = value * 10 + (unsigned)(*text - '0');
        if (value > most) {
            return -1;
        }
    }
    return (int)value;
}

static bool take_lreg(const struct vector_take *t, json_t *value)
{
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: lreg is not an object", t->what);
    }
    const char *key;
    json_t *lanes;
    json_object_foreach(value, key, lanes)
    {
        int index = index_of(key, TX_LREGS - 1);
        if (index < 0) {
            return fail_false(t->err, "%s: lreg '%.20s' is none of 0..16", t->what, key);
        }
        char name[24];
        snprintf(name, sizeof name, "lreg %d", index);
        if (!take_hex(t, name, lanes, t->state->lreg[index], TX_LANES, 8)) {
            return false;
        }
        t->state->lregs |= 1U << index;
    }
    return true;
}

static bool take_stack(const struct vector_take *t, json_t *value)
{
    size_t size = json_array_size(value);
    if (!json_is_array(value) || size > VEC_STACK) {
        return fail_false(t->err, "%s: flag_stack is not a list of at most 8", t->what);
    }
    for (size_t i = 0; i < size; i++) {
        json_t *entry = json_array_get(value, i);
        if (json_array_size(entry) != 2) {
            return fail_false(t->err, "%s: flag_stack entry %zu is not a pair", t->what, i);
        }
        for (unsigned k = 0; k < 2; k++) {
            if (!take_hex(t, "flag_stack", json_array_get(entry, k), &t->state->stack[i][k], 1,
                          8)) {
                return false;
            }
        }
    }
    t->state->stack_depth = (unsigned)size;
    return true;
}

static bool take_words(const struct vector_take *t, const char *key, json_t *value, uint32_t *out,
                       size_t count)
{
    if (!json_is_array(value) || json_array_size(value) != count) {
        return fail_false(t->err, "%s: %s is not a list of %zu words", t->what, key, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_hex(t, key, json_array_get(value, i), out + i, 1, 8)) {
            return false;
        }
    }
    return true;
}

static bool take_macro(const struct vector_take *t, json_t *value)
{
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: macro is not an object", t->what);
    }
    const char *key;
    json_t *part;
    json_object_foreach(value, key, part)
    {
        bool good = false;
        if (strcmp(key, "template") == 0) {
            t->state->keys |= VEC_MACRO_TEMPLATE;
            good = take_words(t, "macro template", part, t->state->macro_template, 4);
        } else if (strcmp(key, "sequence") == 0) {
            t->state->keys |= VEC_MACRO_SEQUENCE;
            good = take_words(t, "macro sequence", part, t->state->macro_sequence, 4);
        } else if (strcmp(key, "misc") == 0) {
            t->state->keys |= VEC_MACRO_MISC;
            good = take_hex(t, "macro misc", part, &t->state->macro_misc, 1, 8);
        } else {
            fail_false(t->err, "%s: unknown key '%.40s' in macro", t->what, key);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool take_dst(const struct vector_take *t, json_t *value)
{
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: dst is not an object", t->what);
    }
    const char *key;
    json_t *cells;
    json_object_foreach(value, key, cells)
    {
        int row = index_of(key, TX_DST_ROWS - 1);
        if (row < 0) {
            return fail_false(t->err, "%s: dst row '%.20s' is none of 0..1023", t->what, key);
        }
        char name[24];
        uint32_t values[TX_DST_WIDTH] = {0};
        snprintf(name, sizeof name, "dst row %d", row);
        if (!take_hex(t, name, cells, values, TX_DST_WIDTH, 4)) {
            return false;
        }
        for (unsigned c = 0; c < TX_DST_WIDTH; c++) {
            t->state->dst[row][c] = (uint16_t)values[c];
        }
    }
    return true;
}

/* A number of 1024 bits; its last digit holds rows 0 to 3. */
static bool take_valid(const struct vector_take *t, json_t *value)
{
    enum { DIGITS = TX_DST_ROWS / 4 };
    uint32_t digits[DIGITS] = {0};
    if (!take_hex(t, "dst_valid", value, digits, DIGITS, 1)) {
        return false;
    }
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        t->state->dst_valid[row] = (uint8_t)(digits[DIGITS - 1 - row / 4] >> (row % 4) & 1U);
    }
    return true;
}

static bool take_number(const struct vector_take *t, const char *where, const char *key,
                        json_t *value, uint32_t *out)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > UINT32_MAX) {
        return fail_false(t->err, "%s: %s %.64s is not a number of 32 bits", t->what, where, key);
    }
    *out = (uint32_t)number;
    return true;
}

static bool take_rwc(const struct vector_take *t, json_t *value)
{
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: rwc is not an object", t->what);
    }
    const char *key;
    json_t *number;
    json_object_foreach(value, key, number)
    {
        unsigned i = 0;
        while (i < VEC_RWC && strcmp(key, vector_rwc_names[i]) != 0) {
            i++;
        }
        if (i == VEC_RWC) {
            return fail_false(t->err, "%s: unknown key '%.40s' in rwc", t->what, key);
        }
        if (!take_number(t, "rwc", key, number, &t->state->rwc[i])) {
            return false;
        }
        t->state->rwcs |= 1U << i;
    }
    return true;
}

static bool take_config(const struct vector_take *t, json_t *value)
{
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: config is not an object", t->what);
    }
    size_t size = json_object_size(value);
    t->state->config = calloc(size + 1, sizeof *t->state->config);
    if (t->state->config == NULL) {
        return fail_false(t->err, "out of memory");
    }
    const char *key;
    json_t *number;
    json_object_foreach(value, key, number)
    {
        struct vec_config *c = &t->state->config[t->state->config_count];
        if (strlen(key) >= sizeof c->name) {
            return fail_false(t->err, "%s: config name '%.40s...' is too long", t->what, key);
        }
        if (!take_number(t, "config", key, number, &c->value)) {
            return false;
        }
        snprintf(c->name, sizeof c->name, "%s", key);
        t->state->config_count++;
    }
    return true;
}

static bool take_semaphores(const struct vector_take *t, json_t *value)
{
    size_t size = json_array_size(value);
    if (!json_is_array(value) || size > 8) {
        return fail_false(t->err, "%s: sem is not a list of at most 8", t->what);
    }
    for (size_t i = 0; i < size; i++) {
        json_t *pair = json_array_get(value, i);
        if (json_array_size(pair) != 2) {
            return fail_false(t->err, "%s: sem entry %zu is not a pair", t->what, i);
        }
        for (unsigned k = 0; k < 2; k++) {
            if (!take_number(t, "sem", "entry", json_array_get(pair, k),
                             &t->state->semaphore[i][k])) {
                return false;
            }
        }
    }
    t->state->semaphores = (unsigned)size;
    return true;
}

/* Reads rows of one bank. Rows that are not named keep their value, which is zero or src_fill. */
static bool take_src_rows(const struct vector_take *t, const char *key, json_t *value,
                          uint32_t rows[TX_SRC_ROWS][16])
{
    const char *number;
    json_t *cells;
    json_object_foreach(value, number, cells)
    {
        int row = index_of(number, TX_SRC_ROWS - 1);
        if (row < 0) {
            return fail_false(t->err, "%s: %s row '%.20s' is none of 0..63", t->what, key, number);
        }
        if (!take_hex(t, key, cells, rows[row], 16, 5)) {
            return false;
        }
        for (unsigned c = 0; c < 16; c++) {
            if (rows[row][c] > 0x7FFFF) {
                return fail_false(t->err, "%s: %s has a cell of more than 19 bits", t->what, key);
            }
        }
    }
    return true;
}

static bool take_src(const struct vector_take *t, const char *key, json_t *value)
{
    const unsigned src = key[3] == 'b';
    const char *name;
    json_t *rows;
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: %s is not an object", t->what, key);
    }
    json_object_foreach(value, name, rows)
    {
        int bank = index_of(name, 1);
        if (bank < 0 || !json_is_object(rows)) {
            return fail_false(t->err, "%s: %s: '%.20s' is none of the banks 0 and 1", t->what, key,
                              name);
        }
        t->state->src_banks |= 1U << (2 * src + (unsigned)bank);
        if (!take_src_rows(t, key, rows, t->state->src[src][bank])) {
            return false;
        }
    }
    return true;
}

static bool take_srca(const struct vector_take *t, json_t *value)
{
    return take_src(t, "srca", value);
}

static bool take_srcb(const struct vector_take *t, json_t *value)
{
    return take_src(t, "srcb", value);
}

/* Reads {"a": [bank 0, bank 1], "b": [...]}. */
static bool take_by_bank(const struct vector_take *t, const char *key, json_t *value,
                         uint32_t out[2][2], uint32_t most)
{
    static const char *const names[2] = {"a", "b"};
    for (unsigned src = 0; src < 2; src++) {
        json_t *list = json_object_get(value, names[src]);
        if (json_object_size(value) != 2 || json_array_size(list) != 2) {
            return fail_false(t->err, "%s: %s is not two lists of two, a and b", t->what, key);
        }
        for (unsigned bank = 0; bank < 2; bank++) {
            if (!take_number(t, key, names[src], json_array_get(list, bank), &out[src][bank])) {
                return false;
            }
            if (out[src][bank] > most) {
                return fail_false(t->err, "%s: %s: %u is too big", t->what, key,
                                  (unsigned)out[src][bank]);
            }
        }
    }
    return true;
}

static bool take_src_valid(const struct vector_take *t, json_t *value)
{
    return take_by_bank(t, "src_valid", value, t->state->src_valid, 1);
}

static bool take_src_format(const struct vector_take *t, json_t *value)
{
    return take_by_bank(t, "src_fmt", value, t->state->src_format, 15);
}

static bool take_src_bank(const struct vector_take *t, json_t *value)
{
    static const char *const names[2][2] = {{"ma", "ua"}, {"mb", "ub"}};
    for (unsigned src = 0; src < 2; src++) {
        for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
            uint32_t *out = &t->state->src_bank[src][unpacker];
            json_t *number = json_object_get(value, names[src][unpacker]);
            if (json_object_size(value) != 4 ||
                !take_number(t, "src_bank", names[src][unpacker], number, out) || *out > 1) {
                return fail_false(t->err, "%s: src_bank is not ma, mb, ua, ub of 0 or 1", t->what);
            }
        }
    }
    return true;
}

static bool take_plain_hex(const struct vector_take *t, const char *key, json_t *value, bool *known)
{
    struct vec_state *s = t->state;
    const struct {
        const char *key;
        uint32_t bit, *out;
        size_t count;
    } fields[] = {
        {"lane_flags", VEC_LANE_FLAGS, &s->lane_flags, 1},
        {"use_lane_flags", VEC_USE_LANE_FLAGS, &s->use_lane_flags, 1},
        {"prng", VEC_PRNG, s->prng, TX_LANES},
        {"lane_config", VEC_LANE_CONFIG, s->lane_config, TX_COLUMNS},
        {"gpr", VEC_GPR, s->gpr, TX_GPRS},
        {"shift_latch", VEC_SHIFT_LATCH, s->shift_latch, TX_LANES},
        {"replay", VEC_REPLAY, s->replay, 32},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(key, fields[i].key) == 0) {
            *known = true;
            s->keys |= fields[i].bit;
            return take_hex(t, key, value, fields[i].out, fields[i].count, 8);
        }
    }
    *known = false;
    return true;
}

static bool take_key(const struct vector_take *t, const char *key, json_t *value)
{
    static const struct {
        const char *key;
        uint32_t bit;
        bool (*take)(const struct vector_take *t, json_t *value);
    } objects[] = {
        {"lreg", VEC_LREG, take_lreg},
        {"flag_stack", VEC_FLAG_STACK, take_stack},
        {"macro", 0, take_macro},
        {"dst", VEC_DST, take_dst},
        {"dst_valid", VEC_DST_VALID, take_valid},
        {"rwc", VEC_RWC_SOME, take_rwc},
        {"config", VEC_CONFIG, take_config},
        {"sem", VEC_SEMAPHORE, take_semaphores},
        {"srca", 0, take_srca},
        {"srcb", 0, take_srcb},
        {"src_valid", VEC_SRC_VALID, take_src_valid},
        {"src_bank", VEC_SRC_BANK, take_src_bank},
        {"src_fmt", VEC_SRC_FORMAT, take_src_format},
        {"src_format", VEC_SRC_FORMAT, take_src_format},
        {"src_fill", VEC_SRC_FILL, vector_take_src_fill},
        {"src_state", VEC_SRC_BANK | VEC_SRC_VALID, vector_take_src_state},
        {"adc", VEC_ADC, vector_take_adc},
        {"l1", VEC_L1, vector_take_l1},
    };
    bool known = false;
    if (!take_plain_hex(t, key, value, &known)) {
        return false;
    }
    for (size_t i = 0; i < sizeof objects / sizeof objects[0] && !known; i++) {
        if (strcmp(key, objects[i].key) == 0) {
            t->state->keys |= objects[i].bit;
            return objects[i].take(t, value);
        }
    }
    if (known) {
        return true;
    }
    if (strcmp(key, "mop") == 0 || strcmp(key, "pending") == 0) {
        return fail_false(t->err, "%s: '%s' is reserved and not supported", t->what, key);
    }
    return fail_false(t->err, "%s: unknown key '%.40s'", t->what, key);
}

bool vector_take_state(json_t *object, const char *what, struct vec_state *state,
                       struct txl_error *err)
{
    if (!json_is_object(object)) {
        return fail_false(err, "%s is not an object", what);
    }
    struct vector_take t = {.what = what, .state = state, .err = err};
    memset(state->dst_valid, 1, sizeof state->dst_valid);
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!take_key(&t, key, value)) {
            return false;
        }
    }
    return true;
}
