/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .free: constants of a kernel that a search may vary. The values of each format are numbered in
 * ascending order, so that neighbouring values differ by 1.
 */
#include "asm/state.h"

#include <string.h>

/* An encoding of floating-point numbers without denormals. */
struct encoding {
    const char *name;
    struct asm_float_format format; /* to which decimals are rounded first */
    unsigned fraction;              /* number of bits */
    int least, greatest;            /* range of exponents, as powers of two */
};

static const struct encoding encodings[TX_FREE_KINDS] = {
    [TX_FREE_FP32] = {"fp32", {24, 127, 32}, 23, -126, 127},
    [TX_FREE_BF16] = {"bf16", {8, 127, 16}, 7, -126, 127},
    [TX_FREE_FP16] = {"fp16", {11, 127, 19}, 10, -14, 15},
    [TX_FREE_LUT8] = {"lut8", {5, 127, 13}, 4, -7, 0},
    [TX_FREE_LUT16] = {"lut16", {11, 127, 19}, 10, -15, 15},
    [TX_FREE_INT] = {.name = "int"},
};

const char *tx_free_kind_name(enum tx_free_kind kind)
{
    return (unsigned)kind < TX_FREE_KINDS ? encodings[kind].name : NULL;
}

/*
 * ---- numbering: 0 is zero, 1 the least positive number, -1 the negative one nearest to zero ----
 */

static uint32_t sign_bit(enum tx_free_kind kind)
{
    return kind == TX_FREE_FP32 ? 1u << 31 : kind == TX_FREE_LUT8 ? 1u << 7 : 1u << 15;
}

int64_t tx_free_order(enum tx_free_kind kind, uint32_t bits)
{
    const struct encoding *e = &encodings[kind];
    const uint32_t magnitude = bits & (sign_bit(kind) - 1);
    const uint32_t one = 1u << e->fraction;
    int64_t order;
    if (kind == TX_FREE_INT) {
        return (int32_t)bits;
    }
    if (kind == TX_FREE_LUT8) { /* exponents count down, all ones are zero */
        order = bits == 0xFF ? 0 : (int64_t)(7u - (magnitude >> 4)) * one + (magnitude & 15u) + 1;
    } else if (kind == TX_FREE_LUT16) { /* the highest exponent means zero */
        order = magnitude >> e->fraction == 31 ? 0 : (int64_t)magnitude + 1;
    } else { /* exponent 0: a denormal counts as zero */
        order = magnitude < one ? 0 : (int64_t)(magnitude - one) + 1;
    }
    return (bits & sign_bit(kind)) != 0 ? -order : order;
}

void tx_free_limits(enum tx_free_kind kind, int64_t *low, int64_t *high)
{
    const struct encoding *e = &encodings[kind];
    if (kind == TX_FREE_INT) {
        *low = INT32_MIN;
        *high = INT32_MAX;
        return;
    }
    *high = (int64_t)(e->greatest - e->least + 1) << e->fraction;
    *low = -*high;
}

uint32_t tx_free_bits(enum tx_free_kind kind, int64_t order)
{
    const struct encoding *e = &encodings[kind];
    const uint32_t one = 1u << e->fraction;
    const uint32_t sign = order < 0 ? sign_bit(kind) : 0;
    int64_t low;
    int64_t high;
    tx_free_limits(kind, &low, &high);
    order = order < low ? low : order > high ? high : order;
    if (kind == TX_FREE_INT) {
        return (uint32_t)(int32_t)order;
    }
    if (order == 0) {
        return kind == TX_FREE_LUT8 ? 0xFF : kind == TX_FREE_LUT16 ? 0x7C00 : 0;
    }
    const uint32_t magnitude = (uint32_t)(order < 0 ? -order : order) - 1;
    if (kind == TX_FREE_LUT8) {
        /* -1.9375 2^-7 would have the pattern of zero */
        const uint32_t byte = sign | (7u - (magnitude >> 4)) << 4 | (magnitude & 15u);
        return byte == 0xFF ? 0xFE : byte;
    }
    return sign | (kind == TX_FREE_LUT16 ? magnitude : magnitude + one);
}

uint32_t tx_free_fp32(enum tx_free_kind kind, uint32_t bits)
{
    const struct encoding *e = &encodings[kind];
    int64_t order = tx_free_order(kind, bits);
    const uint32_t sign = order < 0 ? 1u << 31 : 0;
    if (kind == TX_FREE_INT || kind == TX_FREE_FP32) {
        return bits;
    }
    if (order == 0) {
        return 0;
    }
    order = (order < 0 ? -order : order) - 1;
    return sign | (((uint32_t)(e->least + 127) << 23) + ((uint32_t)order << (23 - e->fraction)));
}

/* ---- the directive ---- */

/* The text of a decimal number without blanks around it. */
struct stretch {
    const char *text;
    size_t length;
};

/* Reads from the cursor up to the character "end", which becomes the current token. */
static bool read_until(struct asm_state *a, char end, struct stretch *out)
{
    const char *first = a->p;
    const char *stop = first;
    while (stop < a->end && *stop != end && *stop != '\n') {
        stop++;
    }
    const char *last = stop;
    while (first < last && (*first == ' ' || *first == '\t')) {
        first++;
    }
    while (last > first && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) {
        last--;
    }
    *out = (struct stretch){first, (size_t)(last - first)};
    a->p = stop;
    asm_next(a);
    return asm_is_op(a, (unsigned char)end) ||
           asm_fail(a, TX_EPARSE, stop, 1, "'%c' expected behind the number", end);
}

/* Rounds the decimal to the format and returns its number in *order. */
static bool round_to(struct asm_state *a, enum tx_free_kind kind, const struct stretch *text,
                     int64_t *order)
{
    const struct encoding *e = &encodings[kind];
    uint32_t bits = 0;
    const enum asm_float_result result =
        asm_float_parse(text->text, text->length, &e->format, &bits);
    const uint32_t sign = 1u << (e->format.width - 1);
    const int exponent = (int)((bits & (sign - 1)) >> e->fraction) - 127;
    if (result == FLOAT_SYNTAX) {
        return asm_fail(a, TX_EPARSE, text->text, text->length,
                        "a decimal number of at most 60 digits is expected, as in 1.5e-3");
    }
    if (result == FLOAT_RANGE || exponent > e->greatest) {
        return asm_fail(a, TX_EPARSE, text->text, text->length, "number is too large for %s",
                        e->name);
    }
    const uint32_t fraction = bits & ((1u << e->fraction) - 1);
    /* The decimal was rounded to a denormal. */
    const uint32_t half = exponent == -127 ? 1u << (e->fraction - 1) : 0;
    int64_t magnitude = 0;
    if (exponent >= e->least) {
        magnitude = ((int64_t)(exponent - e->least) << e->fraction) + fraction + 1;
    } else if (exponent == e->least - 1 && fraction > half) {
        magnitude = 1; /* it is nearer to the least number than to zero */
    }
    *order = (bits & sign) != 0 ? -magnitude : magnitude;
    return true;
}

/*
 * A value as written, float(1.5), 0x3fc00000 or an integer expression; its format is read only
 * after it.
 */
struct value {
    struct stretch decimal; /* text is NULL for an integer */
    int64_t number;
    const char *text;
    size_t length;
};

static bool read_value(struct asm_state *a, struct value *v)
{
    v->text = a->token.text;
    const char *end;
    if (a->token.kind == TOKEN_NAME && asm_is_word(&a->token, "float")) {
        asm_next(a);
        if (!asm_is_op(a, '(')) {
            return FAIL_TOKEN(a, "'(' expected behind float");
        }
        if (!read_until(a, ')', &v->decimal)) {
            return false;
        }
        end = a->token.text + 1;
        asm_next(a);
    } else {
        if (!asm_expression(a, &v->number)) {
            return false;
        }
        end = a->token.text;
        while (end > v->text && (end[-1] == ' ' || end[-1] == '\t')) {
            end--;
        }
    }
    v->length = (size_t)(end - v->text);
    return true;
}

static bool read_kind(struct asm_state *a, enum tx_free_kind *kind)
{
    if (a->token.kind != TOKEN_NAME || !asm_is_word(&a->token, "in")) {
        return FAIL_TOKEN(a, "'in' and a format are expected behind the value");
    }
    asm_next(a);
    for (unsigned i = 0; i < TX_FREE_KINDS; i++) {
        if (a->token.kind == TOKEN_NAME && asm_is_word(&a->token, encodings[i].name)) {
            *kind = (enum tx_free_kind)i;
            asm_next(a);
            return true;
        }
    }
    return FAIL_TOKEN(a, "there is no format '%.*s' (fp32 bf16 fp16 lut8 lut16 int)",
                      SHOW(a->token.text, a->token.length));
}

static bool is_hexadecimal(const char *text, const char *end)
{
    return end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/* Takes the bits of a number, which must be those of one that the format has. */
static bool take_bits(struct asm_state *a, enum tx_free_kind kind, const struct stretch *text,
                      int64_t bits, int64_t *order)
{
    *order = bits >= 0 && bits <= UINT32_MAX ? tx_free_order(kind, (uint32_t)bits) : 0;
    int64_t low;
    int64_t high;
    tx_free_limits(kind, &low, &high);
    return (*order >= low && *order <= high && tx_free_bits(kind, *order) == bits) ||
           asm_fail(a, TX_EPARSE, text->text, text->length,
                    "these are not the bits of a normal number or +0 in %s", encodings[kind].name);
}

/* The end of a range: a decimal number, or bits in hexadecimal. */
static bool read_number(struct asm_state *a, enum tx_free_kind kind, char end, int64_t *order)
{
    struct stretch text;
    if (!read_until(a, end, &text)) {
        return false;
    }
    if (!is_hexadecimal(text.text, text.text + text.length)) {
        return round_to(a, kind, &text, order);
    }
    int64_t bits = 0;
    for (size_t i = 2; i < text.length; i++) {
        const char c = asm_lower(text.text[i]);
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        bits = digit < 0 || bits > UINT32_MAX ? INT64_MAX / 16 : bits * 16 + digit;
    }
    return take_bits(a, kind, &text, bits, order);
}

static bool read_bound(struct asm_state *a, enum tx_free_kind kind, char end, int64_t *order)
{
    if (kind != TX_FREE_INT) {
        return read_number(a, kind, end, order);
    }
    asm_next(a);
    if (!asm_expression(a, order)) {
        return false;
    }
    return asm_is_op(a, (unsigned char)end) ||
           FAIL_TOKEN(a, "'%c' expected behind the number", end);
}

/* Reads [LOW, HIGH]; without it the range is that of the format. */
static bool read_range(struct asm_state *a, struct tx_free_constant *f)
{
    const char *start = a->token.text;
    tx_free_limits(f->kind, &f->low, &f->high);
    if (!asm_is_op(a, '[')) {
        return true;
    }
    if (!read_bound(a, f->kind, ',', &f->low) || !read_bound(a, f->kind, ']', &f->high)) {
        return false;
    }
    const char *end = a->token.text + 1;
    asm_next(a);
    if (f->order < f->low || f->order > f->high) {
        return asm_fail(a, TX_EPARSE, start, (size_t)(end - start),
                        "the value is not in its range");
    }
    return true;
}

static bool check_place(struct asm_state *a, const struct asm_token *name)
{
    const char *text = name->text;
    if (a->depth != 1) {
        return asm_fail(a, TX_EPARSE, text, name->length,
                        ".free belongs into the kernel file itself, not into .rept, .macro or "
                        ".include");
    }
    if (name->length >= TX_FREE_NAME || asm_lreg(text, name->length) >= 0) {
        return asm_fail(a, TX_EPARSE, text, name->length,
                        name->length >= TX_FREE_NAME ? "name is longer than %d characters"
                                                     : "a register is not a name to set",
                        TX_FREE_NAME - 1);
    }
    if (asm_find(a, text, name->length, NAME_USER) != NULL) {
        return asm_fail(a, TX_EPARSE, text, name->length, "name '%.*s' is taken",
                        SHOW(text, name->length));
    }
    if (a->program->free_count == TX_FREE_MOST) {
        return asm_fail(a, TX_ELIMIT, text, name->length, "more than %d .free lines", TX_FREE_MOST);
    }
    return true;
}

/* Reads a definition such as .free NAME = float(0.5) in fp32 [0.25, 0.75]. */
bool asm_free(struct asm_state *a)
{
    const struct asm_token name = a->token;
    struct tx_free_constant f = {.line = a->line};
    struct value v = {.decimal = {NULL, 0}};
    if (name.kind != TOKEN_NAME) {
        return FAIL_TOKEN(a, "a name is expected here");
    }
    asm_next(a);
    if (!check_place(a, &name) || !asm_expect(a, '=', "behind the name") || !read_value(a, &v) ||
        !read_kind(a, &f.kind)) {
        return false;
    }
    const bool bits = v.decimal.text == NULL && f.kind != TX_FREE_INT &&
                      is_hexadecimal(v.text, v.text + v.length);
    if (!bits && (v.decimal.text == NULL) != (f.kind == TX_FREE_INT)) {
        return asm_fail(a, TX_EPARSE, v.text, v.length,
                        f.kind == TX_FREE_INT ? "an integer is expected here"
                                              : "the value is written float(0.5), or as its bits "
                                                "in hexadecimal, as in 0x3f000000");
    }
    if (!bits && v.decimal.text == NULL && (v.number < INT32_MIN || v.number > INT32_MAX)) {
        return asm_fail(a, TX_EPARSE, v.text, v.length, "the value has more than 32 bits");
    }
    f.order = v.number;
    const struct stretch written = {v.text, v.length};
    if ((v.decimal.text != NULL && !round_to(a, f.kind, &v.decimal, &f.order)) ||
        (bits && !take_bits(a, f.kind, &written, v.number, &f.order)) || !read_range(a, &f)) {
        return false;
    }
    f.bits = tx_free_bits(f.kind, f.order);
    f.offset = (size_t)(v.text - a->frames[0].text);
    f.length = v.length;
    memcpy(f.name, name.text, name.length);
    const char *kept = asm_keep(a, name.text, name.length);
    struct asm_name *user =
        kept != NULL ? asm_add(a, kept, name.length, NAME_USER,
                               f.kind == TX_FREE_INT ? (int64_t)(int32_t)f.bits : (int64_t)f.bits)
                     : NULL;
    if (user == NULL) {
        return false;
    }
    user->free_kind = (uint8_t)(f.kind + 1);
    a->program->free[a->program->free_count++] = f;
    return true;
}
