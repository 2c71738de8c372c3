/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's lexer: tokens, comments, skipping statements, and recording of errors. */
#include "asm/state.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

bool asm_fail(struct asm_state *a, enum tx_status status, const char *text, size_t length,
              const char *format, ...)
{
    if (a->status != TX_OK) {
        return false; /* only the first error is useful */
    }
    a->status = status;
    struct tx_diag *diag = a->diag;
    if (diag == NULL) {
        return false;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(diag->message, sizeof diag->message, format, args);
    va_end(args);
    diag->line = diag->column = diag->length = 0;
    diag->source[0] = diag->file[0] = '\0';
    if (a->depth == 0 || text == NULL) {
        return false;
    }
    const struct asm_frame *frame = &a->frames[a->depth - 1];
    const char *start = frame->line_start;
    unsigned line = frame->first_line;
    for (const char *p = frame->text; p < text && p < frame->end; p++) {
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    }
    const char *stop = start;
    while (stop < frame->end && *stop != '\n' && *stop != '\r') {
        stop++;
    }
    if (frame->file != 0) {
        memcpy(diag->file, a->program->source[frame->file - 1], sizeof diag->file);
    }
    diag->line = line;
    diag->column = (unsigned)(text - start) + 1;
    diag->length = length > 0 ? (unsigned)length : 1;
    const size_t shown = (size_t)(stop - start) < sizeof diag->source - 1 ? (size_t)(stop - start)
                                                                          : sizeof diag->source - 1;
    memcpy(diag->source, start, shown);
    diag->source[shown] = '\0';
    return false;
}

/*
 * Returns the end of the block comment that begins at p; one that is not closed ends with the text.
 */
static const char *skip_comment(struct asm_state *a, const char *p)
{
    for (p += 2; p < a->end; p++) {
        if (*p == '\n') {
            a->line++;
        } else if (*p == '*' && p + 1 < a->end && p[1] == '/') {
            return p + 2;
        }
    }
    return p;
}

static const char *skip_blank(struct asm_state *a)
{
    const char *p = a->p;
    while (p < a->end) {
        if (*p == ' ' || *p == '\t' || *p == '\r' || (*p == '\n' && a->open > 0)) {
            if (*p == '\n') {
                a->line++;
            }
            p++;
        } else if (*p == '/' && p + 1 < a->end && p[1] == '*') {
            p = skip_comment(a, p);
        } else if (a->open > 0 && (*p == '#' || (*p == '/' && p + 1 < a->end && p[1] == '/'))) {
            while (p < a->end && *p != '\n') {
                p++;
            }
        } else {
            break;
        }
    }
    return p;
}

static unsigned digit_value(char c)
{
    if (digit(c)) {
        return (unsigned)(c - '0');
    }
    const char low = asm_lower(c);
    return low >= 'a' && low <= 'z' ? (unsigned)(low - 'a') + 10 : 99;
}

static void read_number(struct asm_state *a, const char *p)
{
    unsigned base = 10;
    if (*p == '0' && p + 1 < a->end) {
        const char mark = asm_lower(p[1]);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : digit(mark) ? 8 : 10;
        p += base == 16 || base == 2 ? 2 : base == 8 ? 1 : 0;
    }
    const char *const first = p;
    uint64_t value = 0;
    bool over = false;
    while (p < a->end && digit_value(*p) < base) {
        over = over || value > (UINT64_MAX - digit_value(*p)) / base;
        value = value * base + digit_value(*p);
        p++;
    }
    const bool none = p == first;
    while (p < a->end && (asm_lower(*p) == 'u' || asm_lower(*p) == 'l')) {
        p++; /* suffixes as in C */
    }
    a->token.kind = TOKEN_NUMBER;
    a->token.number = (int64_t)value;
    const bool fraction = p + 1 < a->end && *p == '.' && digit(p[1]);
    const bool bad = none || (p < a->end && (name_start(*p) || digit(*p)));
    while (p < a->end && (name_start(*p) || digit(*p))) {
        p++;
    }
    a->token.length = (size_t)(p - a->token.text);
    a->p = p;
    if (fraction) {
        FAIL_TOKEN(a, "fractions stand in float(), bf16() or fp16() only");
    } else if (bad) {
        FAIL_TOKEN(a, "'%.*s' is not a number", SHOW(a->token.text, a->token.length));
    } else if (over) {
        FAIL_TOKEN(a, "number does not fit 64 bits");
    }
}

static void read_char(struct asm_state *a, const char *p)
{
    static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
    char value = 0;
    bool good = false;
    if (p + 2 < a->end && p[1] != '\\' && p[1] != '\'' && p[1] != '\n') {
        value = p[1];
        p += 2;
        good = *p == '\'';
    } else if (p + 3 < a->end && p[1] == '\\') {
        const char *found = p[2] != '\0' ? strchr(from, p[2]) : NULL;
        good = found != NULL && p[3] == '\'';
        value = found != NULL ? to[found - from] : '\0';
        p += 3;
    }
    a->token.kind = TOKEN_NUMBER;
    a->token.number = (unsigned char)value;
    a->p = p < a->end ? p + 1 : a->end;
    a->token.length = (size_t)(a->p - a->token.text);
    if (!good) {
        a->token.length = 1;
        FAIL_TOKEN(a, "character constants look like 'a' or '\\n'");
    }
}

static void read_string(struct asm_state *a, const char *p)
{
    for (p++; p < a->end && *p != '"' && *p != '\n'; p++) {}
    a->token.kind = TOKEN_STRING;
    if (p >= a->end || *p != '"') {
        a->p = p;
        FAIL_TOKEN(a, "string is not closed");
        return;
    }
    a->p = p + 1;
    a->token.length = (size_t)(a->p - a->token.text);
}

static void read_name(struct asm_state *a, const char *p)
{
    while (p < a->end) {
        if (name_start(*p) || digit(*p)) {
            p++;
        } else if (*p == ':' && p + 2 < a->end && p[1] == ':' && name_start(p[2])) {
            p += 2;
        } else {
            break;
        }
    }
    a->token.kind = TOKEN_NAME;
    a->token.length = (size_t)(p - a->token.text);
    a->p = p;
}

static void read_op(struct asm_state *a, const char *p)
{
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    a->token.kind = TOKEN_OP;
    a->token.op = (unsigned char)*p;
    a->token.length = 1;
    if (p + 1 < a->end) {
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            if (p[0] == pairs[i][0] && p[1] == pairs[i][1]) {
                a->token.op = TWO(p[0], p[1]);
                a->token.length = 2;
            }
        }
    }
    a->p = p + a->token.length;
    if (*p == '\0' || strchr("+-*/%<>&|^~!=()?:,{}[]\\@", *p) == NULL) {
        if (*p >= ' ' && *p <= '~') {
            FAIL_TOKEN(a, "'%c' means nothing here", *p);
        } else {
            FAIL_TOKEN(a, "byte 0x%02x means nothing here", (unsigned)(unsigned char)*p);
        }
    }
}

void asm_next(struct asm_state *a)
{
    const char *p = skip_blank(a);
    a->token.text = p;
    a->token.length = 0;
    a->p = p;
    if (p >= a->end || *p == '\n' || *p == ';' || *p == '#' ||
        (*p == '/' && p + 1 < a->end && p[1] == '/')) {
        a->token.kind = TOKEN_END;
    } else if (name_start(*p)) {
        read_name(a, p);
    } else if (digit(*p)) {
        read_number(a, p);
    } else if (*p == '\'') {
        read_char(a, p);
    } else if (*p == '"') {
        read_string(a, p);
    } else {
        read_op(a, p);
    }
}

void asm_enter(struct asm_state *a, const char *p)
{
    a->p = p;
    a->end = a->frames[a->depth - 1].end;
}

/*
 * Returns the length of a character constant at p, such as ';', within which nothing separates
 * statements, or 0 if there is none.
 */
static size_t char_length(const char *p, const char *end)
{
    if (end - p >= 4 && p[0] == '\'' && p[1] == '\\' && p[3] == '\'') {
        return 4;
    }
    return end - p >= 3 && p[0] == '\'' && p[1] != '\n' && p[2] == '\'' ? 3 : 0;
}

/* Characters that do not only belong to a statement: they end it, or begin what may hide an end. */
static const bool special[UCHAR_MAX + 1] = {
    ['\n'] = true, [';'] = true, ['"'] = true, ['#'] = true, ['\''] = true, ['/'] = true};

/* Returns the end of the string that p is in: its '"', or '\n' or end where none comes before. */
static const char *string_end(const char *p, const char *end)
{
    while (p < end && *p != '"' && *p != '\n') {
        p++;
    }
    return p;
}

void asm_skip_statement(struct asm_state *a)
{
    const char *p = a->p;
    for (;;) {
        while (p < a->end && !special[(unsigned char)*p]) {
            p++;
        }
        if (p >= a->end || *p == '\n' || *p == ';') {
            break;
        }
        const char next = p + 1 < a->end ? p[1] : '\0';
        const size_t constant = *p == '\'' ? char_length(p, a->end) : 0;
        if (*p == '/' && next == '*') {
            p = skip_comment(a, p);
        } else if (*p == '#' || (*p == '/' && next == '/')) {
            p = memchr(p, '\n', (size_t)(a->end - p));
            p = p != NULL ? p : a->end;
        } else if (*p == '"') {
            p = string_end(p + 1, a->end);
            p += p < a->end && *p == '"';
        } else {
            p += constant != 0 ? constant : 1;
        }
    }
    p = p < a->end ? p : a->end;
    if (p < a->end) {
        a->line += *p == '\n';
        p++;
    }
    a->p = p;
}

bool asm_is_op(const struct asm_state *a, unsigned op)
{
    return a->token.kind == TOKEN_OP && a->token.op == op;
}

bool asm_is_word(const struct asm_token *token, const char *lower_case)
{
    for (size_t i = 0; i < token->length; i++) {
        if (lower_case[i] == '\0' || asm_lower(token->text[i]) != lower_case[i]) {
            return false;
        }
    }
    return lower_case[token->length] == '\0';
}

bool asm_accept(struct asm_state *a, unsigned op)
{
    if (!asm_is_op(a, op)) {
        return false;
    }
    asm_next(a);
    return true;
}

bool asm_expect(struct asm_state *a, unsigned op, const char *where)
{
    if (asm_accept(a, op)) {
        return true;
    }
    return FAIL_TOKEN(a, "'%c' expected %s", (char)op, where);
}

bool asm_expect_end(struct asm_state *a)
{
    if (a->token.kind == TOKEN_END) {
        return true;
    }
    return FAIL_TOKEN(a, "'%.*s' is left over at the end of the statement",
                      SHOW(a->token.text, a->token.length));
}
