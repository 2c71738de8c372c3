/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as assembler text; what comes out must survive a style of the disassembler, of one
 * input in 16 all three. Each input is taken in one of four ways.
 */
#include <tensix/asm.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Words looked at: .rept makes millions of equal ones. */
enum { FEW = 4, MANY = 64, STYLES = 3 };

/* What the disassembler says of these words, at most MANY, gives them again. */
static void check_words(enum tx_arch arch, const uint32_t *words, size_t count,
                        enum tx_dis_style style)
{
    enum { LINE = 128 };
    static char text[MANY * LINE];
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        const enum tx_status status = tx_disassemble(arch, words[i], style, at, LINE);
        if (status != TX_OK && status != TX_ENOENT) {
            abort();
        }
        at += strlen(at);
        *at++ = '\n';
    }
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    if (tx_assemble(text, (size_t)(at - text), &options, &program, NULL) != TX_OK ||
        tx_program_count(program, TX_SECTION_TILE) != count ||
        memcmp(tx_program_words(program, TX_SECTION_TILE), words, count * sizeof *words) != 0) {
        abort();
    }
    tx_program_free(program);
}

struct whole {
    const char *text;
    size_t size;
};

/* .include names a piece of the same text: from where its first character says, so that it may
 * contain itself. */
static enum tx_status piece(void *user, struct tx_include *include)
{
    const struct whole *whole = user;
    const size_t skip = (unsigned char)include->name[0] % 16 * (whole->size / 16);
    if (include->name[0] == '!') {
        memcpy(include->message, "no", 3);
        return TX_ENOENT;
    }
    include->text = whole->text + skip;
    include->length = whole->size - skip;
    memcpy(include->path, include->name, strlen(include->name) + 1);
    return TX_OK;
}

/* hash: which words are checked, and how. */
static void run(const struct tx_asm_options *way, const char *text, size_t size, uint32_t hash)
{
    struct whole whole = {text, size};
    struct tx_asm_options how = *way;
    const struct tx_asm_options *options = &how;
    how.include = hash / 64 % 4 != 0 ? piece : NULL;
    how.include_user = &whole;
    const bool all = hash % 16 == 0;
    const size_t style = hash / 16 % STYLES;
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const enum tx_status status = tx_assemble(text, size, options, &program, &diag);
    if ((status == TX_OK) != (program != NULL)) {
        abort();
    }
    if (status != TX_OK) {
        /* Every error but memory says what and points into a line that exists. */
        if (diag.message[0] == '\0' || memchr(diag.message, '\0', sizeof diag.message) == NULL ||
            (status != TX_ENOMEM && (diag.line == 0 || diag.column == 0 || diag.length == 0))) {
            abort();
        }
        return;
    }
    static const enum tx_dis_style styles[STYLES] = {TX_DIS_NORMAL, TX_DIS_OBJDUMP, TX_DIS_MACRO};
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        const size_t have = tx_program_count(program, s);
        const size_t most = all ? MANY : FEW;
        const size_t from = have > most ? hash % (have - most + 1) : 0;
        const size_t count = have < most ? have : most;
        for (size_t i = 0; i < STYLES && count > 0; i++) {
            if (all || i == style) {
                check_words(tx_program_arch(program), tx_program_words(program, s) + from, count,
                            styles[i]);
            }
        }
    }
    tx_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* exactly the text: reads behind it are seen */
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    char *exact = realloc(text, size > 0 ? size : 1);
    text = exact != NULL ? exact : text;
    static const struct tx_asm_options ways[] = {
        {.arch = TX_BLACKHOLE},
        {.arch = TX_WORMHOLE, .force_arch = true},
        {.arch = TX_ARCH_NONE},
        {.arch = TX_BLACKHOLE, .hex = true, .ttinsn = true},
    };
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    run(&ways[hash >> 30], text, size, hash >> 4 & 0xFFFFFu);
    free(text);
    return 0;
}
