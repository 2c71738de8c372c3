/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler's main loop: statement by statement to words, and the public function tx_assemble.
 */
#include "asm/state.h"
#include "base/sized.h"
#include "isa/chip.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of text that may be read beyond the source itself. */
#ifndef EXPANSION
#define EXPANSION (1 << 26)
#endif

bool asm_emit(struct asm_state *a, uint32_t word, unsigned line)
{
    struct tx_program *program = a->program;
    const unsigned s = a->section;
    if (a->arch == TX_ARCH_NONE) {
        return FAIL_TOKEN(a,
                          "the chip is not known: .arch (or --arch) comes before the first word");
    }
    if (program->section[0].count + program->section[1].count >= ASM_MAX_WORDS) {
        return asm_fail(a, TX_ELIMIT, a->token.text, 1, "more than %d words", ASM_MAX_WORDS);
    }
    if (program->section[s].count == a->capacity[s]) {
        const size_t capacity = a->capacity[s] == 0 ? 64 : a->capacity[s] * 2;
        uint32_t *words = realloc(program->section[s].words, capacity * sizeof *words);
        if (words != NULL) {
            program->section[s].words = words;
        }
        uint32_t *lines = realloc(program->section[s].lines, capacity * sizeof *lines);
        if (lines != NULL) {
            program->section[s].lines = lines;
        }
        uint8_t *threads = realloc(program->section[s].threads, capacity);
        if (threads != NULL) {
            program->section[s].threads = threads;
        }
        uint8_t *files = realloc(program->section[s].files, capacity);
        if (files != NULL) {
            program->section[s].files = files;
        }
        if (words == NULL || lines == NULL || threads == NULL || files == NULL) {
            return asm_fail(a, TX_ENOMEM, NULL, 0, "out of memory");
        }
        a->capacity[s] = capacity;
    }
    program->section[s].words[program->section[s].count] = word;
    program->section[s].lines[program->section[s].count] = a->loc_file != 0 ? a->loc_line : line;
    program->section[s].files[program->section[s].count] =
        (uint8_t)(a->loc_file != 0 ? a->loc_file : asm_file(a));
    program->section[s].threads[program->section[s].count] = (uint8_t)a->thread;
    program->threaded = program->threaded || a->thread != TX_THREADS;
    program->section[s].count++;
    return true;
}

/* ---- one statement ---- */

/* Returns a hint for a message: text behind ";" is usually meant as a comment. */
static const char *semicolon_hint(const struct asm_state *a)
{
    const char *p = a->token.text;
    while (p > a->frames[a->depth - 1].text && (p[-1] == ' ' || p[-1] == '\t')) {
        p--;
    }
    return p > a->frames[a->depth - 1].text && p[-1] == ';'
               ? "; ';' separates statements, comments begin with # or //"
               : "";
}

static bool unknown(struct asm_state *a)
{
    const struct asm_token *token = &a->token;
    if (a->arch == TX_ARCH_NONE) {
        return FAIL_TOKEN(a, "the chip is not known: .arch (or --arch) comes before the first "
                             "instruction");
    }
    char name[64];
    const size_t length = token->length < sizeof name ? token->length : 0;
    memcpy(name, token->text, length);
    name[length] = '\0';
    for (unsigned other = 1; other < CHIPS; other++) {
        const struct tx_insn *insn = tx_insn_find((enum tx_arch)other, name);
        if (insn != NULL) { /* not of this chip, for which it is unknown */
            return FAIL_TOKEN(a, "%s exists on %s only", insn->name,
                              tx_arch_name((enum tx_arch)other));
        }
    }
    const char *nearest = asm_nearest_insn(a->arch, token->text, token->length);
    if (nearest != NULL) {
        return FAIL_TOKEN(a, "there is no instruction '%.*s'; is it %s?",
                          SHOW(token->text, token->length), nearest);
    }
    return FAIL_TOKEN(a, "there is no instruction '%.*s'%s", SHOW(token->text, token->length),
                      semicolon_hint(a));
}

/* Reads the vendor's TT_OP(opcode, params). */
static bool raw_macro(struct asm_state *a)
{
    const unsigned line = a->line;
    const struct asm_token name = a->token;
    int64_t opcode, params;
    asm_next(a);
    asm_next(a);
    if (!asm_expression(a, &opcode) || !asm_expect(a, ',', "behind the opcode") ||
        !asm_expression(a, &params)) {
        return false;
    }
    if (opcode < 0 || opcode > 0xff || params < 0 || params > 0xffffff) {
        return asm_fail(a, TX_EPARSE, name.text, name.length,
                        "TT_OP takes an opcode of 8 bits and parameters of 24");
    }
    return asm_expect(a, ')', "behind the parameters") &&
           asm_emit(a, (uint32_t)opcode << 24 | (uint32_t)params, line);
}

/* Eight digits are how lists of hex words are written: to take them for decimal would be silent. */
static bool looks_like_hex(const struct asm_token *token)
{
    unsigned digits = 0;
    while (digits < token->length && token->text[digits] >= '0' && token->text[digits] <= '9') {
        digits++;
    }
    return digits == 8 && token->length == 8;
}

static bool raw_word(struct asm_state *a)
{
    const struct asm_token token = a->token;
    const unsigned line = a->line;
    if (looks_like_hex(&token)) {
        return FAIL_TOKEN(a, "a word here is decimal without 0x: write 0x%.8s (or .word %.8s)",
                          token.text, token.text);
    }
    if (token.number < 0 || token.number > UINT32_MAX) {
        return FAIL_TOKEN(a, "a word has 32 bits");
    }
    asm_next(a);
    const uint32_t word = (uint32_t)token.number;
    return asm_emit(a, a->ttinsn ? tx_ttinsn_undo(word) : word, line);
}

/* Returns whether the next character, blanks apart, is "=" and does not begin "==". */
static bool assignment_follows(const struct asm_state *a)
{
    const char *p = a->p;
    while (p < a->end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p < a->end && *p == '=' && (p + 1 == a->end || p[1] != '=');
}

/*
 * Executes a statement that begins with a name. *done becomes true for directives and macro calls,
 * which go on to the next statement themselves.
 */
static bool named_statement(struct asm_state *a, bool *done)
{
    const struct asm_token token = a->token;
    if (assignment_follows(a)) {
        asm_next(a);
        asm_next(a);
        return asm_assign(a, &token);
    }
    const struct asm_name *found;
    if (token.text[0] == '.') {
        *done = true;
        found = asm_find(a, token.text, token.length, NAME_DIRECTIVE);
        return found != NULL
                   ? asm_directive(a, found)
                   : FAIL_TOKEN(a, "there is no directive '%.*s'", SHOW(token.text, token.length));
    }
    bool prefixed;
    const struct insn_form *form = asm_find_insn(a, token.text, token.length, &prefixed);
    if (form != NULL) {
        return asm_instruction(a, form, prefixed);
    }
    found = asm_find(a, token.text, token.length, NAME_MACRO);
    if (found != NULL) {
        *done = true;
        return asm_macro_call(a, found->macro);
    }
    if (asm_is_word(&token, "tt_op") && a->p < a->end && *a->p == '(') {
        return raw_macro(a);
    }
    return unknown(a);
}

static bool statement(struct asm_state *a)
{
    asm_next(a);
    bool done = false;
    bool good = true;
    if (a->token.kind == TOKEN_NAME) {
        good = named_statement(a, &done);
    } else if (a->token.kind == TOKEN_NUMBER) {
        good = raw_word(a);
    } else if (a->token.kind != TOKEN_END) {
        return FAIL_TOKEN(a, "an instruction is expected here");
    }
    if (!good || done) {
        return good;
    }
    if (!asm_expect_end(a)) {
        return false;
    }
    asm_end_statement(a);
    return true;
}

static void assemble_run(struct asm_state *a, const char *text, size_t length)
{
    const struct asm_frame source = {
        .text = text, .end = text + length, .line_start = text, .first_line = 1, .repeat = 1};
    a->budget = (uint64_t)length + EXPANSION;
    if (!asm_directives_load(a) || !asm_push(a, &source, NULL)) {
        return;
    }
    while (a->depth > 0 && a->status == TX_OK) {
        if (a->budget == 0) {
            asm_fail(a, TX_ELIMIT, a->p, 1, "the text expands to too much");
            return;
        }
        if (a->p >= a->end) {
            a->budget--;
            asm_pop(a);
            continue;
        }
        const char *from = a->p;
        const unsigned depth = a->depth;
        if (!statement(a)) {
            return;
        }
        /* A block that opened a frame has been charged for its text already. */
        const uint64_t bytes = a->depth == depth ? (uint64_t)(a->p - from) : 1;
        a->budget = bytes < a->budget ? a->budget - bytes : 0;
    }
}

/* ---- a list of hex words ---- */

static void run_hex(struct asm_state *a, const char *text, size_t length)
{
    const struct asm_frame source = {
        .text = text, .end = text + length, .line_start = text, .first_line = 1, .repeat = 1};
    (void)asm_push(a, &source, NULL);
    while (a->p < a->end && a->status == TX_OK) {
        while (a->p < a->end && (*a->p == ' ' || *a->p == '\t')) {
            a->p++;
        }
        const char *start = a->p, *p = start;
        if (p + 1 < a->end && p[0] == '0' && asm_lower(p[1]) == 'x') {
            p += 2;
        }
        uint64_t word = 0;
        const char *const digits = p;
        for (; p < a->end; p++) {
            const char c = asm_lower(*p);
            if (c >= '0' && c <= '9') {
                word = (word & 0xffffffffff) << 4 | (uint64_t)(c - '0');
            } else if (c >= 'a' && c <= 'f') {
                word = (word & 0xffffffffff) << 4 | (uint64_t)(c - 'a' + 10);
            } else {
                break;
            }
        }
        a->p = p;
        asm_next(a); /* the end of the statement, or superfluous text */
        if (p > start) {
            if (p == digits || word > UINT32_MAX) {
                asm_fail(a, TX_EPARSE, start, (size_t)(p - start),
                         "a hex word of 32 bits is expected");
                return;
            }
            const uint32_t plain = (uint32_t)word;
            if (!asm_emit(a, a->ttinsn ? tx_ttinsn_undo(plain) : plain, a->line)) {
                return;
            }
        }
        if (a->token.kind != TOKEN_END) {
            FAIL_TOKEN(a, "one hex word a line is expected, not '%.*s'",
                       SHOW(a->token.text, a->token.length));
            return;
        }
        asm_end_statement(a);
    }
}

/* ---- public ---- */

static enum tx_status assemble(const char *text, size_t length,
                               const struct tx_asm_options *options, struct tx_program **out,
                               struct tx_diag *diag)
{
    if ((text == NULL && length > 0) ||
        (options->arch != TX_ARCH_NONE && !chip_known(options->arch))) {
        return TX_EINVAL;
    }
    struct asm_state *a = calloc(1, sizeof *a);
    struct tx_program *program = calloc(1, sizeof *program);
    if (a == NULL || program == NULL) {
        free(a);
        free(program);
        return TX_ENOMEM;
    }
    program->inputs = 1;
    a->arch = options->arch;
    a->force_arch = options->force_arch && options->arch != TX_ARCH_NONE;
    a->ttinsn = options->ttinsn;
    a->include = options->include;
    a->include_user = options->include_user;
    a->program = program;
    a->section = TX_SECTION_TILE;
    a->thread = TX_THREADS;
    a->diag = diag;
    if (options->hex) {
        run_hex(a, text != NULL ? text : "", length);
    } else {
        assemble_run(a, text != NULL ? text : "", length);
    }
    program->arch = a->arch;
    while (a->depth > 0) {
        free(a->frames[--a->depth].owned);
    }
    asm_names_free(a);
    const enum tx_status status = a->status;
    free(a);
    if (status != TX_OK) {
        tx_program_free(program);
        return status;
    }
    *out = program;
    return TX_OK;
}

enum tx_status tx_assemble_sized(const char *text, size_t length,
                                 const struct tx_asm_options *options, size_t options_size,
                                 struct tx_program **out, struct tx_diag *diag, size_t diag_size)
{
    struct tx_asm_options how = {.arch = TX_ARCH_NONE};
    struct tx_diag found = {.line = 0};
    enum tx_status status = TX_EINVAL;
    if (out != NULL) {
        *out = NULL;
        if (options == NULL || (sized_take(&how, sizeof how, options, options_size,
                                           offsetof(struct tx_asm_options, include)) &&
                                how.reserved == 0)) {
            status = assemble(text, length, &how, out, &found);
        }
    }
    if (diag != NULL) {
        sized_give(diag, diag_size, &found, sizeof found);
    }
    return status;
}
