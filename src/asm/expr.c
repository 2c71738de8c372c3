/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions with the operators of C, over 64-bit integers with wrap-around. */
#include "asm/state.h"

#include <string.h>

static bool conditional(struct asm_state *a, int64_t *value);

int asm_lreg(const char *text, size_t length)
{
    if (length < 2 || length > 3 || asm_lower(text[0]) != 'l' || text[1] < '0' || text[1] > '9') {
        return -1;
    }
    int number = text[1] - '0';
    if (length == 3) {
        if (text[1] != '1' || text[2] < '0' || text[2] > '5') {
            return -1; /* L01 and L16 are not names */
        }
        number = 10 + text[2] - '0';
    }
    return number;
}

static bool deeper(struct asm_state *a)
{
    if (a->nesting >= ASM_MAX_NESTING) {
        return asm_fail(a, TX_ELIMIT, a->token.text, a->token.length,
                        "expression is nested deeper than %d", ASM_MAX_NESTING);
    }
    a->nesting++;
    return true;
}

/* Evaluates float(1.5) and the like, whose argument is a decimal number, not an expression. */
static bool float_function(struct asm_state *a, const struct asm_float_format *format,
                           int64_t *value)
{
    const char *start = a->p; /* after the parenthesis */
    const char *stop = start;
    while (stop < a->end && *stop != ')' && *stop != '\n') {
        stop++;
    }
    const char *first = start, *last = stop;
    while (first < last && (*first == ' ' || *first == '\t')) {
        first++;
    }
    while (last > first && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) {
        last--;
    }
    uint32_t bits = 0;
    switch (asm_float_parse(first, (size_t)(last - first), format, &bits)) {
    case FLOAT_SYNTAX:
        return asm_fail(a, TX_EPARSE, first, (size_t)(last - first),
                        "a decimal number of at most 60 digits is expected, as in 1.5e-3");
    case FLOAT_RANGE:
        return asm_fail(a, TX_EPARSE, first, (size_t)(last - first),
                        "number is too large for the format");
    case FLOAT_OK:
        break;
    }
    *value = bits;
    a->p = stop;
    asm_next(a);
    return asm_expect(a, ')', "after the number");
}

/* Returns whether the name is the vendor's function from a semaphore's number to its bit. */
static bool is_t6_sem(const struct asm_token *name)
{
    static const char space[] = "ckernel::", text[] = "semaphore::t6_sem";
    const size_t n = sizeof space - 1;
    const bool spaced = name->length > n && memcmp(name->text, space, n) == 0;
    const size_t length = name->length - (spaced ? n : 0);
    return length == sizeof text - 1 && memcmp(name->text + (spaced ? n : 0), text, length) == 0;
}

static bool function(struct asm_state *a, const struct asm_token *name, int64_t *value)
{
    static const struct asm_float_format fp32 = {24, 127, 32}, bf16 = {8, 127, 16},
                                         fp16 = {11, 15, 16};
    /* The current token is the opening parenthesis. */
    if (asm_is_word(name, "float")) {
        return float_function(a, &fp32, value);
    }
    if (asm_is_word(name, "bf16")) {
        return float_function(a, &bf16, value);
    }
    if (asm_is_word(name, "fp16")) {
        return float_function(a, &fp16, value);
    }
    const bool high = asm_is_word(name, "hi16");
    const bool semaphore = is_t6_sem(name);
    if (!high && !semaphore && !asm_is_word(name, "lo16")) {
        return asm_fail(a, TX_EPARSE, name->text, name->length,
                        "there is no function '%.*s' (float, bf16, fp16, hi16, lo16, "
                        "semaphore::t6_sem)",
                        SHOW(name->text, name->length));
    }
    asm_next(a);
    const char *argument = a->token.text;
    if (!conditional(a, value)) {
        return false;
    }
    if (semaphore && (*value < 0 || *value > 7)) {
        return asm_fail(a, TX_EPARSE, argument, (size_t)(a->token.text - argument),
                        "semaphore %lld is outside 0..7", (long long)*value);
    }
    *value =
        semaphore ? INT64_C(1) << *value : (int64_t)((uint64_t)*value >> (high ? 16 : 0) & 0xffff);
    return asm_expect(a, ')', "after the argument");
}

static bool named(struct asm_state *a, int64_t *value)
{
    const struct asm_token name = a->token;
    asm_next(a);
    if (asm_is_op(a, '(')) {
        return function(a, &name, value);
    }
    if (a->template_vd != 0 && name.length == 2 && memcmp(name.text, "VD", 2) == 0) {
        *value = a->template_vd;
        return true;
    }
    const struct asm_name *user = asm_find(a, name.text, name.length, NAME_USER);
    if (user != NULL) {
        *value = user->value;
        a->free_kind = user->free_kind != 0 ? user->free_kind : a->free_kind;
        return true;
    }
    const int lreg = asm_lreg(name.text, name.length);
    if (lreg >= 0) {
        *value = lreg;
        return true;
    }
    if (asm_find_constant(a, name.text, name.length, value) ||
        asm_find_mode(a, name.text, name.length, value)) {
        return true;
    }
    struct asm_near near;
    if (asm_nearest_name(a, name.text, name.length, &near)) {
        return asm_fail(a, TX_EPARSE, name.text, name.length,
                        "name '%.*s' is not defined; did you mean '%.*s'?",
                        SHOW(name.text, name.length), (int)near.length, near.text);
    }
    return asm_fail(a, TX_EPARSE, name.text, name.length, "name '%.*s' is not defined%s",
                    SHOW(name.text, name.length),
                    a->arch == TX_ARCH_NONE ? " (.arch or --arch comes first)" : "");
}

static bool primary(struct asm_state *a, int64_t *value)
{
    if (a->token.kind == TOKEN_NUMBER) {
        *value = a->token.number;
        asm_next(a);
        return a->status == TX_OK;
    }
    if (a->token.kind == TOKEN_NAME) {
        return named(a, value);
    }
    if (asm_accept(a, '(')) {
        return conditional(a, value) && asm_expect(a, ')', "at the end of the expression");
    }
    if (a->token.kind == TOKEN_END) {
        return FAIL_TOKEN(a, "a value is expected here");
    }
    return FAIL_TOKEN(a, "a value is expected instead of '%.*s'",
                      SHOW(a->token.text, a->token.length));
}

static bool unary(struct asm_state *a, int64_t *value)
{
    const unsigned op = a->token.kind == TOKEN_OP ? a->token.op : 0;
    if (op != '-' && op != '+' && op != '~' && op != '!') {
        return primary(a, value);
    }
    if (!deeper(a)) {
        return false;
    }
    asm_next(a);
    if (!unary(a, value)) {
        return false;
    }
    a->nesting--;
    switch (op) {
    case '-':
        *value = (int64_t)(0 - (uint64_t)*value);
        break;
    case '~':
        *value = ~*value;
        break;
    case '!':
        *value = *value == 0;
        break;
    default:
        break;
    }
    return true;
}

/* Returns the precedence of the current token as a binary operator, as in C; 0 if it is none. */
static unsigned strength(const struct asm_state *a)
{
    if (a->token.kind != TOKEN_OP) {
        return 0;
    }
    switch (a->token.op) {
    case '*':
    case '/':
    case '%':
        return 10;
    case '+':
    case '-':
        return 9;
    case TWO('<', '<'):
    case TWO('>', '>'):
        return 8;
    case '<':
    case '>':
    case TWO('<', '='):
    case TWO('>', '='):
        return 7;
    case TWO('=', '='):
    case TWO('!', '='):
        return 6;
    case '&':
        return 5;
    case '^':
        return 4;
    case '|':
        return 3;
    case TWO('&', '&'):
        return 2;
    case TWO('|', '|'):
        return 1;
    default:
        return 0;
    }
}

static bool divide(struct asm_state *a, const struct asm_token *op, int64_t left, int64_t right,
                   int64_t *value)
{
    if (right == 0) {
        *value = 0;
        return a->dead > 0 || asm_fail(a, TX_EPARSE, op->text, op->length, "division by zero");
    }
    if (right == -1) {
        *value = op->op == '/' ? (int64_t)(0 - (uint64_t)left) : 0;
    } else {
        *value = op->op == '/' ? left / right : left % right;
    }
    return true;
}

static bool shift(struct asm_state *a, const struct asm_token *op, int64_t left, int64_t right,
                  int64_t *value)
{
    if (right < 0 || right > 63) {
        *value = 0;
        return a->dead > 0 || asm_fail(a, TX_EPARSE, op->text, op->length,
                                       "shift count %lld is outside 0..63", (long long)right);
    }
    if (op->op == TWO('<', '<')) {
        *value = (int64_t)((uint64_t)left << right);
    } else {
        *value = left < 0 ? ~(~left >> right) : left >> right;
    }
    return true;
}

static bool apply(struct asm_state *a, const struct asm_token *op, int64_t left, int64_t right,
                  int64_t *value)
{
    const uint64_t l = (uint64_t)left, r = (uint64_t)right;
    switch (op->op) {
    case '*':
        *value = (int64_t)(l * r);
        break;
    case '+':
        *value = (int64_t)(l + r);
        break;
    case '-':
        *value = (int64_t)(l - r);
        break;
    case '&':
        *value = (int64_t)(l & r);
        break;
    case '^':
        *value = (int64_t)(l ^ r);
        break;
    case '|':
        *value = (int64_t)(l | r);
        break;
    case '<':
        *value = left < right;
        break;
    case '>':
        *value = left > right;
        break;
    case TWO('<', '='):
        *value = left <= right;
        break;
    case TWO('>', '='):
        *value = left >= right;
        break;
    case TWO('=', '='):
        *value = left == right;
        break;
    case TWO('!', '='):
        *value = left != right;
        break;
    case TWO('&', '&'):
        *value = left != 0 && right != 0;
        break;
    case TWO('|', '|'):
        *value = left != 0 || right != 0;
        break;
    case '/':
    case '%':
        return divide(a, op, left, right, value);
    default:
        return shift(a, op, left, right, value);
    }
    return true;
}

static bool binary(struct asm_state *a, unsigned least, int64_t *value)
{
    if (!unary(a, value)) {
        return false;
    }
    for (;;) {
        const unsigned bind = strength(a);
        if (bind < least || bind == 0) {
            return true;
        }
        const struct asm_token op = a->token;
        asm_next(a);
        const bool skip =
            (op.op == TWO('&', '&') && *value == 0) || (op.op == TWO('|', '|') && *value != 0);
        a->dead += skip;
        int64_t right;
        if (!binary(a, bind + 1, &right) || !apply(a, &op, *value, right, value)) {
            return false;
        }
        a->dead -= skip;
    }
}

static bool conditional(struct asm_state *a, int64_t *value)
{
    if (!deeper(a) || !binary(a, 1, value)) {
        return false;
    }
    if (asm_accept(a, '?')) {
        const bool truth = *value != 0;
        int64_t yes, no;
        a->dead += !truth;
        if (!conditional(a, &yes) || !asm_expect(a, ':', "of '?'")) {
            return false;
        }
        a->dead -= !truth;
        a->dead += truth;
        if (!conditional(a, &no)) {
            return false;
        }
        a->dead -= truth;
        *value = truth ? yes : no;
    }
    a->nesting--;
    return true;
}

bool asm_expression(struct asm_state *a, int64_t *value)
{
    const struct asm_token first = a->token;
    a->nesting = 0;
    a->dead = 0;
    a->free_kind = 0;
    if (!conditional(a, value) || a->status != TX_OK) {
        return false;
    }
    /* An expression that is more than the name of a .free constant is derived from it. */
    const char *end = a->token.text;
    while (end > first.text && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    if (a->free_kind != 0 && end != first.text + first.length) {
        a->free_kind = FREE_MIXED;
    }
    return true;
}
