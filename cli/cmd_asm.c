/* SPDX-License-Identifier: Apache-2.0 */
/* tensix asm: assembles kernel files to words, or to the stores with which a core pushes them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_TTINSN, KEY_HEX, KEY_LIST, KEY_PUSH };

struct asm_args {
    struct cli *cli;
    const char *file, *out;
    struct txl_kernel_options how;
    bool ttinsn, list, push;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the file's .arch", 1},
    {"out", 'o', "OUT.hex", 0, "Where to, default: standard output", 1},
    {"ttinsn", KEY_TTINSN, NULL, 0,
     "Rotate the words (and hex words of the input) as in a RISC-V "
     "instruction stream",
     1},
    {"list", 'l', NULL, 0, "Each word with its disassembly behind a #", 1},
    {"push", KEY_PUSH, NULL, 0,
     "Lines of C that push the words, for a kernel of 'tensix cc' to #include, with #line for "
     "where "
     "they come from",
     1},
    {"hex", KEY_HEX, NULL, 0, "FILE is a list of hex words (as .hex files are)", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Assembles a file ('-': standard input) into hex words, one a line.\vThe input may be in the "
    "syntax of the vendor's disassembler (sfpmad L4,L1,L2,L3,0), in macro syntax "
    "(TTI_SFPMAD(1,2,3,4,0)), or hex words, with .arch, .init, .tile, .thread, .dst, .config, "
    ".setcfg, .mop, .set, .rept, .macro and .include. An error shows file, line, column and the "
    "line itself. The sections .init and "
    ".tile follow each other; a comment names each.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct asm_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case 'o':
        a->out = arg;
        return 0;
    case KEY_TTINSN:
        a->ttinsn = true;
        a->how.ttinsn = true;
        return 0;
    case 'l':
        a->list = true;
        return 0;
    case KEY_PUSH:
        a->push = true;
        return 0;
    case KEY_HEX:
        a->how.hex = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "file", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

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
    const char *file = from != 0 ? tx_program_source(p, from) : a->file;
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
            a->ttinsn ? ", rotated (.ttinsn)" : "");
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
                    a->ttinsn ? tx_ttinsn(word) : word);
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

int cmd_asm(struct cli *cli, int argc, char **argv)
{
    struct asm_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "FILE", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL) {
        return cli_fail(cli, "no file given; see 'tensix asm --help'");
    }
    cli->caret = true;
    a.how.size = sizeof a.how;
    a.how.any_word = true;
    a.how.threads = true;
    struct tx_program *program = NULL;
    result = txl_kernel_load(&cli->error, &a.file, 1, &a.how, &program);
    if (result != TXL_OK) {
        return result;
    }
    result = CLI_OK;
    if (a.out != NULL) {
        result = write_file(&a, program);
    }
    if (cli->json && result == CLI_OK) {
        result = cli_put(cli, txl_program_json(program, a.ttinsn));
    } else if (a.out == NULL) {
        write_text(&a, program, stdout);
    }
    tx_program_free(program);
    return result;
}
