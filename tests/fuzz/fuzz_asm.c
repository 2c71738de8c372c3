/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as assembler text for both chips; what comes out must survive all three styles. */
#include <tensix/asm.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHECKED = 64 }; /* words looked at: .rept makes millions of equal ones */

static void check_word(enum tx_arch arch, uint32_t word)
{
    static const enum tx_dis_style styles[] = {TX_DIS_NORMAL, TX_DIS_OBJDUMP, TX_DIS_MACRO};
    for (size_t i = 0; i < 3; i++) {
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

static void run(const struct tx_asm_options *options, const char *text, size_t size)
{
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
        for (size_t i = 0; i < tx_program_count(program, s) && i < CHECKED; i++) {
            check_word(tx_program_arch(program), tx_program_words(program, s)[i]);
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
    run(&(struct tx_asm_options){.arch = TX_BLACKHOLE}, text, size);
    run(&(struct tx_asm_options){.arch = TX_WORMHOLE, .force_arch = true}, text, size);
    run(&(struct tx_asm_options){.arch = TX_ARCH_NONE}, text, size);
    run(&(struct tx_asm_options){.arch = TX_BLACKHOLE, .hex = true, .ttinsn = true}, text, size);
    free(text);
    return 0;
}
