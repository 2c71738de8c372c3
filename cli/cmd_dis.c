/* SPDX-License-Identifier: Apache-2.0 */
/* tensix dis: words, kernel files and ELF files as assembler text. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/dis.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_LIKE, KEY_MACROS, KEY_TTINSN, KEY_RISCV };

struct dis_args {
    struct cli *cli;
    struct txl_dis_options how;
    const char *const *items;
    size_t count;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"like", KEY_LIKE, "objdump", 0, "Print what the vendor's objdump prints, .insn included", 1},
    {"macros", KEY_MACROS, NULL, 0, "Print TTI_ macros", 1},
    {"riscv", KEY_RISCV, NULL, 0,
     "Of an ELF file: the core's own instructions too, by address, with what they push", 1},
    {"ttinsn", KEY_TTINSN, NULL, 0, "The words are rotated as in a RISC-V instruction stream", 1},
    {"words", 'w', NULL, 0, "Each line with its word behind a #", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Disassembles words given on the command line, in files of hex words, or on standard input "
    "('-'), or of the functions of a RISC-V ELF file.\vThe head that 'tensix asm' writes names "
    "chip and encoding, an ELF file its chip; other words need --arch. Words are up to 8 hex "
    "digits with or without 0x; in files they are separated by blanks, commas or ends of line, # "
    "begins a comment. Plain and --macros output goes through 'tensix asm' and back unchanged. A "
    "word that the chip does not have is printed as .word. What words configure of SFPLOADMACRO "
    "stands behind them as .template, .sequence or .misc.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct dis_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case KEY_LIKE:
        if (strcmp(arg, "objdump") != 0) {
            return cli_fail(a->cli, "--like: '%s' is not objdump", arg);
        }
        a->how.style = TX_DIS_OBJDUMP;
        return 0;
    case KEY_MACROS:
        a->how.style = TX_DIS_MACRO;
        return 0;
    case KEY_TTINSN:
        a->how.ttinsn = true;
        return 0;
    case KEY_RISCV:
        a->how.riscv = true;
        return 0;
    case 'w':
        a->how.words = true;
        return 0;
    case ARGP_KEY_ARGS:
        a->items = (const char *const *)(state->argv + state->next);
        a->count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

int cmd_dis(struct cli *cli, int argc, char **argv)
{
    struct dis_args a = {.cli = cli, .how = {.size = sizeof a.how, .style = TX_DIS_NORMAL}};
    static const struct argp argp = {options, parse, "FILE|WORD|-...", doc, NULL, NULL, NULL};
    char *text = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.count == 0) {
        return cli_fail(cli, "no words given; '-' reads standard input");
    }
    result = cli->json ? txl_dis_json(&cli->error, a.items, a.count, &a.how, &text)
                       : txl_dis_text(&cli->error, a.items, a.count, &a.how, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
