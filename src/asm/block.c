/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directives that repeat or skip text: .rept, .macro and .if (.include is in include.c). They work
 * on stretches of source text that consist of whole statements; a frame is such a stretch being
 * read.
 */
#include "asm/state.h"

#include <stdlib.h>
#include <string.h>

bool asm_push(struct asm_state *a, const struct asm_frame *frame, const struct asm_token *at)
{
    if (a->depth == ASM_MAX_NESTING) {
        free(frame->owned);
        return asm_fail(a, TX_ELIMIT, at->text, at->length,
                        ".rept, macros and .include are nested deeper than %d", ASM_MAX_NESTING);
    }
    a->frames[a->depth++] = *frame;
    a->line = frame->first_line;
    asm_enter(a, frame->text);
    return true;
}

unsigned asm_file(const struct asm_state *a)
{
    return a->depth > 0 ? a->frames[a->depth - 1].file : 0;
}

/* Ends a frame: it is read again, or reading goes on in the frame below. */
void asm_pop(struct asm_state *a)
{
    struct asm_frame *frame = &a->frames[a->depth - 1];
    if (frame->if_depth > 0) {
        asm_fail(a, TX_EPARSE, frame->end > frame->text ? frame->end - 1 : frame->text, 1,
                 ".endif is missing");
        return;
    }
    if (--frame->repeat > 0) {
        a->line = frame->first_line;
        asm_enter(a, frame->text);
        return;
    }
    const char *resume = frame->resume;
    a->line = frame->resume_line;
    free(frame->owned);
    a->depth--;
    if (a->depth > 0) {
        asm_enter(a, resume);
    }
}

/* Goes on to the next statement; the current token is at the end of this one. */
void asm_end_statement(struct asm_state *a)
{
    a->p = a->token.text;
    asm_skip_statement(a);
}

/* ---- finding the end of a block ---- */

struct block_words {
    const char *open, *close;
    bool middle; /* .else and .elseif also end it */
};

static bool starts_with(const char *p, const char *end, const char *word)
{
    while (*word != '\0') {
        if (p == end || asm_lower(*p) != *word) {
            return false;
        }
        p++;
        word++;
    }
    return p == end || !((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
                         *p == '.' || (*p >= '0' && *p <= '9'));
}

/* Counts the text from "from" to the cursor against the limit on expansion. */
static bool charge(struct asm_state *a, const char *from)
{
    const uint64_t bytes = (uint64_t)(a->p - from) + 1;
    if (bytes > a->budget) {
        a->budget = 0;
        return asm_fail(a, TX_ELIMIT, from, 1, "the text expands to too much");
    }
    a->budget -= bytes;
    return true;
}

/*
 * Finds the statement that closes the block, from the start of a statement on. Returns the start of
 * its directive, as is a->p then, or NULL if the block is not closed (an error at the opening
 * token).
 */
static const char *find_close(struct asm_state *a, const struct block_words *words,
                              const struct asm_token *opening)
{
    const char *const from = a->p;
    unsigned depth = 0;
    while (a->p < a->end) {
        const char *p = a->p;
        while (p < a->end && (*p == ' ' || *p == '\t')) {
            p++;
        }
        if (p == a->end || *p != '.') {
            asm_skip_statement(a);
            continue;
        }
        if (starts_with(p, a->end, words->open)) {
            depth++;
        } else if (starts_with(p, a->end, words->close)) {
            if (depth == 0) {
                a->p = p;
                return charge(a, from) ? p : NULL;
            }
            depth--;
        } else if (words->middle && depth == 0 &&
                   (starts_with(p, a->end, ".else") || starts_with(p, a->end, ".elseif"))) {
            a->p = p;
            return charge(a, from) ? p : NULL;
        }
        asm_skip_statement(a);
    }
    asm_fail(a, TX_EPARSE, opening->text, opening->length, "%s is missing", words->close);
    return NULL;
}

/* Reads the closing directive at a->p and the rest of its statement. */
static bool pass_close(struct asm_state *a)
{
    asm_next(a);
    asm_next(a);
    if (!asm_expect_end(a)) {
        return false;
    }
    asm_end_statement(a);
    return true;
}

/* ---- .rept ---- */

/* Returns the beginning of the cursor's line, from which columns in messages are counted. */
static const char *line_start(const struct asm_state *a)
{
    const struct asm_frame *frame = &a->frames[a->depth - 1];
    const char *p = a->p;
    while (p > frame->text && p[-1] != '\n') {
        p--;
    }
    return p > frame->text ? p : frame->line_start;
}

bool asm_rept(struct asm_state *a)
{
    static const struct block_words words = {".rept", ".endr", false};
    const struct asm_token opening = a->token;
    int64_t count;
    if (!asm_expression(a, &count) || !asm_expect_end(a)) {
        return false;
    }
    if (count < 0) {
        return asm_fail(a, TX_EPARSE, opening.text, opening.length, "cannot repeat %lld times",
                        (long long)count);
    }
    asm_end_statement(a);
    struct asm_frame frame = {.text = a->p,
                              .line_start = line_start(a),
                              .first_line = a->line,
                              .file = asm_file(a),
                              .repeat = (uint64_t)count};
    frame.end = find_close(a, &words, &opening);
    if (frame.end == NULL || !pass_close(a)) {
        return false;
    }
    frame.resume = a->p;
    frame.resume_line = a->line;
    return count == 0 || asm_push(a, &frame, &opening);
}

/* ---- .macro ---- */

/* Reads the arguments of a definition: name or name=default, separated by commas or blanks. */
static bool macro_args(struct asm_state *a, struct asm_macro *macro)
{
    while (a->token.kind == TOKEN_NAME) {
        if (macro->arg_count == ASM_MAX_ARGS) {
            return FAIL_TOKEN(a, "a macro has at most %d arguments", ASM_MAX_ARGS);
        }
        const unsigned index = macro->arg_count++;
        macro->args[index].name = asm_keep(a, a->token.text, a->token.length);
        macro->args[index].name_length = a->token.length;
        if (macro->args[index].name == NULL) {
            return false;
        }
        asm_next(a);
        if (asm_is_op(a, '=')) {
            const char *start = a->p;
            int64_t ignored = 0;
            asm_next(a);
            if (!asm_expression(a, &ignored)) {
                return false;
            }
            macro->args[index].value_length = (size_t)(a->token.text - start);
            macro->args[index].value = asm_keep(a, start, macro->args[index].value_length);
            if (macro->args[index].value == NULL) {
                return false;
            }
        }
        (void)asm_accept(a, ',');
    }
    return asm_expect_end(a);
}

static bool macro_name(struct asm_state *a, struct asm_macro *macro)
{
    const struct asm_token name = a->token;
    bool prefixed;
    if (name.kind != TOKEN_NAME || name.length > 255) {
        return FAIL_TOKEN(a, "the name of the macro is expected here");
    }
    if (asm_find_insn(a, name.text, name.length, &prefixed) != NULL ||
        asm_find(a, name.text, name.length, NAME_DIRECTIVE) != NULL) {
        return FAIL_TOKEN(a, "'%.*s' is an instruction or directive already",
                          SHOW(name.text, name.length));
    }
    if (asm_find(a, name.text, name.length, NAME_MACRO) != NULL) {
        return FAIL_TOKEN(a, "macro '%.*s' is defined already", SHOW(name.text, name.length));
    }
    macro->name = asm_keep(a, name.text, name.length);
    macro->name_length = name.length;
    asm_next(a);
    return macro->name != NULL;
}

bool asm_macro_define(struct asm_state *a)
{
    static const struct block_words words = {".macro", ".endm", false};
    const struct asm_token opening = a->token;
    struct asm_macro macro = {.arg_count = 0};
    if (!macro_name(a, &macro)) {
        return false;
    }
    (void)asm_accept(a, ',');
    if (!macro_args(a, &macro)) {
        return false;
    }
    asm_end_statement(a);
    const char *body = a->p;
    macro.line = a->line;
    macro.file = asm_file(a);
    const char *close = find_close(a, &words, &opening);
    if (close == NULL || !pass_close(a)) {
        return false;
    }
    macro.body_length = (size_t)(close - body);
    macro.body = asm_keep(a, body, macro.body_length);
    struct asm_macro *kept = malloc(sizeof *kept);
    struct asm_name *name = NULL;
    if (macro.body != NULL && kept != NULL) {
        *kept = macro;
        name = asm_add(a, macro.name, macro.name_length, NAME_MACRO, 0);
    }
    if (name == NULL) {
        free(kept);
        return asm_fail(a, TX_ENOMEM, NULL, 0, "out of memory");
    }
    name->macro = kept;
    return true;
}

struct argument {
    const char *text;
    size_t length;
};

/* The arguments of a call as read so far. */
struct call {
    const struct asm_macro *macro;
    struct argument *args;    /* one per argument of the macro; an empty text means not given */
    unsigned count;           /* number of arguments given by position */
    bool named;               /* some were given by name, so that none by position may follow */
    bool taken[ASM_MAX_ARGS]; /* given, be it as an empty text */
};

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

/* Returns the length of NAME if the argument is written NAME=TEXT, otherwise 0. */
static size_t name_length(const struct argument *argument)
{
    size_t n = 0;
    size_t blanks = 0;
    while (n < argument->length && letter(argument->text[n])) {
        n++;
    }
    while (n + blanks < argument->length && argument->text[n + blanks] == ' ') {
        blanks++;
    }
    const char *behind = argument->text + n + blanks;
    const size_t rest = argument->length - n - blanks;
    const bool digit = n > 0 && argument->text[0] >= '0' && argument->text[0] <= '9';
    return n > 0 && !digit && rest > 0 && *behind == '=' && (rest == 1 || behind[1] != '=') ? n : 0;
}

/*
 * Assigns one argument of a call: by name if it is written NAME=TEXT, as in gas, otherwise by
 * position.
 */
static bool take_argument(struct asm_state *a, struct call *call, struct argument argument)
{
    const struct asm_macro *macro = call->macro;
    const size_t n = name_length(&argument);
    unsigned index = 0;
    if (n == 0) {
        index = call->count++;
        if (index >= macro->arg_count || call->named) {
            return asm_fail(a, TX_EPARSE, argument.text, argument.length,
                            call->named ? "arguments by position come before arguments by name"
                                        : "macro %.*s has %u arguments",
                            SHOW(macro->name, macro->name_length), macro->arg_count);
        }
    } else {
        while (index < macro->arg_count &&
               (macro->args[index].name_length != n ||
                memcmp(macro->args[index].name, argument.text, n) != 0)) {
            index++;
        }
        if (index == macro->arg_count || call->taken[index]) {
            return asm_fail(a, TX_EPARSE, argument.text, n,
                            index == macro->arg_count ? "macro %.*s has no argument '%.*s'"
                                                      : "macro %.*s is given '%.*s' twice",
                            SHOW(macro->name, macro->name_length), SHOW(argument.text, n));
        }
        const char *value = memchr(argument.text, '=', argument.length);
        argument.length -= (size_t)(value + 1 - argument.text);
        argument.text = value + 1;
        while (argument.length > 0 && (*argument.text == ' ' || *argument.text == '\t')) {
            argument.text++;
            argument.length--;
        }
        call->named = true;
    }
    call->taken[index] = true;
    call->args[index] = argument;
    return true;
}

/* Gives the arguments that a call leaves out their defaults. */
static bool default_arguments(struct asm_state *a, const struct call *call,
                              const struct asm_token *name)
{
    const struct asm_macro *macro = call->macro;
    for (unsigned i = 0; i < macro->arg_count; i++) {
        if (call->args[i].length != 0) {
            continue;
        }
        if (macro->args[i].value == NULL) {
            return asm_fail(a, TX_EPARSE, name->text, name->length,
                            "macro %.*s wants argument '%.*s'",
                            SHOW(macro->name, macro->name_length),
                            SHOW(macro->args[i].name, macro->args[i].name_length));
        }
        call->args[i] = (struct argument){macro->args[i].value, macro->args[i].value_length};
    }
    return true;
}

/* Splits the rest of the statement at commas outside parentheses and quotes. */
static bool call_args(struct asm_state *a, struct call *call, const struct asm_token *name)
{
    const char *p = a->token.text, *start = p;
    unsigned depth = 0;
    bool quoted = false;
    for (;; p++) {
        const bool stop =
            p >= a->end || *p == '\n' || *p == '\r' ||
            (!quoted && (*p == '#' || *p == ';' || (*p == '/' && p + 1 < a->end && p[1] == '/')));
        if (stop || (!quoted && depth == 0 && *p == ',')) {
            const char *first = start, *last = p;
            while (first < last && (*first == ' ' || *first == '\t')) {
                first++;
            }
            while (last > first && (last[-1] == ' ' || last[-1] == '\t')) {
                last--;
            }
            const bool only = call->count == 0 && !call->named;
            if ((!stop || !only || last > first) &&
                !take_argument(a, call, (struct argument){first, (size_t)(last - first)})) {
                return false;
            }
            start = p + 1;
        }
        if (stop) {
            break;
        }
        quoted = quoted != (*p == '"');
        depth += *p == '(';
        depth -= *p == ')' && depth > 0;
    }
    a->p = p;
    if (!default_arguments(a, call, name)) {
        return false;
    }
    asm_skip_statement(a);
    return true;
}

/*
 * Substitutes the arguments in the body and returns the length of the result. It is written to out,
 * unless out is NULL.
 */
static size_t substitute(const struct asm_macro *macro, const struct argument args[],
                         const char *serial, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < macro->body_length;) {
        const char *piece = macro->body + i;
        size_t piece_length = 1, taken = 1;
        if (*piece == '\\' && i + 1 < macro->body_length) {
            const size_t rest = macro->body_length - i - 1;
            size_t n = 0;
            while (n < rest && letter(piece[1 + n])) {
                n++;
            }
            if (n == 0 && piece[1] == '@') {
                taken = 2;
                piece = serial;
                piece_length = strlen(serial);
            } else if (n == 0 && rest >= 2 && piece[1] == '(' && piece[2] == ')') {
                taken = 3; /* \() separates an argument's name from letters that follow */
                piece_length = 0;
            }
            for (unsigned k = 0; n > 0 && k < macro->arg_count; k++) {
                if (macro->args[k].name_length == n &&
                    memcmp(macro->args[k].name, macro->body + i + 1, n) == 0) {
                    taken = n + 1;
                    piece = args[k].text;
                    piece_length = args[k].length;
                    break;
                }
            }
        }
        if (out != NULL) {
            memcpy(out + length, piece, piece_length);
        }
        length += piece_length;
        i += taken;
    }
    return length;
}

static void decimal(unsigned number, char out[12])
{
    char reversed[12];
    unsigned n = 0;
    do {
        reversed[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    for (unsigned i = 0; i < n; i++) {
        out[i] = reversed[n - 1 - i];
    }
    out[n] = '\0';
}

bool asm_macro_call(struct asm_state *a, const struct asm_macro *macro)
{
    struct argument args[ASM_MAX_ARGS] = {{NULL, 0}};
    struct call call = {.macro = macro, .args = args};
    const struct asm_token name = a->token;
    asm_next(a);
    if (!call_args(a, &call, &name)) {
        return false;
    }
    char serial[12];
    decimal(a->macro_serial++, serial);
    const size_t length = substitute(macro, args, serial, NULL);
    if (length > a->budget) {
        return asm_fail(a, TX_ELIMIT, name.text, name.length, "the text expands to too much");
    }
    a->budget -= length;
    char *text = malloc(length + 1);
    if (text == NULL) {
        return asm_fail(a, TX_ENOMEM, NULL, 0, "out of memory");
    }
    (void)substitute(macro, args, serial, text);
    const struct asm_frame frame = {.text = text,
                                    .end = text + length,
                                    .line_start = text,
                                    .owned = text,
                                    .first_line = macro->line,
                                    .file = macro->file,
                                    .repeat = 1,
                                    .resume = a->p,
                                    .resume_line = a->line};
    return asm_push(a, &frame, &name);
}

/* ---- .if ---- */

static const struct block_words if_words = {".if", ".endif", true};

static bool open_if(struct asm_state *a, bool else_seen)
{
    struct asm_frame *frame = &a->frames[a->depth - 1];
    if (frame->if_depth == 31) {
        return asm_fail(a, TX_ELIMIT, a->p, 1, ".if is nested deeper than 31");
    }
    frame->if_depth++;
    const uint32_t bit = UINT32_C(1) << frame->if_depth;
    frame->else_seen = else_seen ? frame->else_seen | bit : frame->else_seen & ~bit;
    return true;
}

/* The condition is false: looks for the branch to be read, from the start of a statement on. */
static bool choose_branch(struct asm_state *a, const struct asm_token *opening)
{
    for (bool last = false;;) {
        if (find_close(a, &if_words, opening) == NULL) {
            return false;
        }
        asm_next(a);
        const struct asm_token word = a->token;
        asm_next(a);
        if (asm_is_word(&word, ".endif")) {
            if (!asm_expect_end(a)) {
                return false;
            }
            asm_end_statement(a);
            return true;
        }
        if (last) {
            return asm_fail(a, TX_EPARSE, word.text, word.length,
                            "nothing follows .else but .endif");
        }
        last = asm_is_word(&word, ".else");
        int64_t truth = 1;
        if ((!last && !asm_expression(a, &truth)) || !asm_expect_end(a)) {
            return false;
        }
        asm_end_statement(a);
        if (truth != 0) {
            return open_if(a, last);
        }
    }
}

bool asm_if(struct asm_state *a)
{
    const struct asm_token opening = a->token;
    int64_t truth;
    if (!asm_expression(a, &truth) || !asm_expect_end(a)) {
        return false;
    }
    asm_end_statement(a);
    return truth != 0 ? open_if(a, false) : choose_branch(a, &opening);
}

/* The previous branch was read, so that this one and all others are skipped. */
bool asm_else(struct asm_state *a)
{
    struct asm_frame *frame = &a->frames[a->depth - 1];
    const struct asm_token opening = a->token;
    if (frame->if_depth == 0 || (frame->else_seen >> frame->if_depth & 1) != 0) {
        return FAIL_TOKEN(a, "there is no .if that this could belong to");
    }
    do {
        asm_end_statement(a);
        if (find_close(a, &if_words, &opening) == NULL) {
            return false;
        }
        asm_next(a);
    } while (!asm_is_word(&a->token, ".endif"));
    frame->if_depth--;
    asm_next(a);
    if (!asm_expect_end(a)) {
        return false;
    }
    asm_end_statement(a);
    return true;
}

bool asm_endif(struct asm_state *a)
{
    struct asm_frame *frame = &a->frames[a->depth - 1];
    if (frame->if_depth == 0) {
        return FAIL_TOKEN(a, "there is no .if that this could belong to");
    }
    frame->if_depth--;
    return true;
}
