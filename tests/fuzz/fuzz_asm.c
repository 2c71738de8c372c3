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

static void check_word(enum tx_arch arch, uint32_t word, size_t first, size_t end)
{
    static const enum tx_dis_style styles[STYLES] = {TX_DIS_NORMAL, TX_DIS_OBJDUMP, TX_DIS_MACRO};
    for (size_t i = first; i < end; i++) {
        char line[128];
        const enum tx_status status = tx_disassemble(arch, word, styles[i], line, sizeof line);
        const struct tx_asm_options options = {.arch = arch};
        struct tx_program *program = NULL;
        if ((status != TX_OK && status != TX_ENOENT) ||
            tx_assemble(line, strlen(line), &options, &program, NULL) != TX_OK ||
            tx_program_count(program, TX_SECTION_TILE) != 1 ||
            tx_program_words(program, TX_SECTION_TILE)[0] != word) {
            abort();
        }
        tx_program_free(program);
    }
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
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        const size_t count = tx_program_count(program, s);
        const size_t most = all ? MANY : FEW;
        const size_t from = count > most ? hash % (count - most + 1) : 0;
        for (size_t i = from; i < count && i < from + most; i++) {
            check_word(tx_program_arch(program), tx_program_words(program, s)[i], all ? 0 : style,
                       all ? STYLES : style + 1);
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
