/* SPDX-License-Identifier: Apache-2.0 */
/* tensix asm: assembles kernel files to words, or to the stores with which a core pushes them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>

static const char *const section_names[TX_SECTIONS] = {"init", "tile"};

/*
 * Writes a #line for debuggers and traces: the source line of the next words or, when that is
 * unknown, their own line in the output, which is line `own`. A name that C could not read back is
 * left out.
 */
static void write_line(const struct asm_args *a, const struct tx_program *p, unsigned section,
                       size_t i, unsigned own, FILE *out)
{
    const uint32_t line = tx_program_lines(p, section)[i];
    const unsigned from = tx_program_files(p, section)[i];
    const char *file = from != 0 ? tx_program_source(p, from) : a->words.text[0];
    const bool known = line != 0 && file != NULL && file[0] != '\0' && strcmp(file, "-") != 0;
    const char *name = known ? file : a->out != NULL ? a->out : "words";
    if (strpbrk(name, "\"\\\r\n") == NULL) {
        fprintf(out, "#line %u \"%s\"\n", known ? line : own, name);
    } else {
        fputs("//\n", out);
    }
}

/* Returns whether the word comes from another line than the word before it. */
static bool new_line(const struct tx_program *p, unsigned section, size_t i)
{
    const uint32_t *lines = tx_program_lines(p, section);
    const uint8_t *files = tx_program_files(p, section);
    return i == 0 || lines[i] != lines[i - 1] || files[i] != files[i - 1];
}

static void write_text(const struct asm_args *a, const struct tx_program *p, FILE *out)
{
    const char *hash = a->push ? "//" : "#";
    bool both = tx_program_count(p, TX_SECTION_INIT) > 0;
    unsigned own = 1;
    fprintf(out, "%s %s%s\n", hash, tx_arch_name(tx_program_arch(p)),
            a->how.ttinsn ? ", rotated (.ttinsn)" : "");
    struct tx_macro_reader reader = {0};
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        if (both && tx_program_count(p, s) > 0) {
            fprintf(out, "%s .%s\n", hash, section_names[s]);
            own++;
        }
        for (size_t i = 0; i < tx_program_count(p, s); i++) {
            uint32_t word = tx_program_words(p, s)[i];
            unsigned thread = tx_program_threads(p, s)[i];
            if (thread != TX_THREADS && (i == 0 || thread != tx_program_threads(p, s)[i - 1])) {
                fprintf(out, "%s .thread %u\n", hash, thread);
                own++;
            }
            if (a->push && new_line(p, s, i)) {
                write_line(a, p, s, i, own + 2, out);
                own++;
            }
            fprintf(out, a->push ? "tx_push_word(0x%08x);" : "%08x",
                    a->how.ttinsn ? tx_ttinsn(word) : word);
            if (a->list) {
                char text[128];
                (void)tx_disassemble(tx_program_arch(p), word, TX_DIS_NORMAL, text, sizeof text);
                char macro[256];
                bool told = tx_macro_follow(&reader, tx_program_arch(p), word, macro, sizeof macro);
                fprintf(out, "  %s %s%s%s", hash, text, told ? "  # " : "", told ? macro : "");
            }
            fputc('\n', out);
            own++;
        }
    }
}

static int write_file(struct asm_args *a, const struct tx_program *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        return cli_fail(a->cli, "out of memory");
    }
    write_text(a, p, memory);
    const bool whole = ferror(memory) == 0;
    if (fclose(memory) != 0 || !whole || text == NULL) {
        free(text);
        return cli_fail(a->cli, "out of memory");
    }
    int result = txl_write_file(&a->cli->error, a->out, text, size);
    free(text);
    return result;
}

int cmd_asm(struct cli *cli, struct asm_args *a)
{
    struct tx_program *program = NULL;
    cli->caret = true;
    a->how.any_word = true;
    a->how.threads = true;
    int result = txl_kernel_load(&cli->error, a->words.text, 1, &a->how, &program);
    if (result != TXL_OK) {
        return result;
    }
    if (a->out != NULL) {
        result = write_file(a, program);
    }
    if (cli->json && result == CLI_OK) {
        result = cli_put(cli, txl_program_json(program, a->how.ttinsn));
    } else if (a->out == NULL) {
        write_text(a, program, stdout);
    }
    tx_program_free(program);
    return result;
}
