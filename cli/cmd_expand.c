/* SPDX-License-Identifier: Apache-2.0 */
/* tensix expand: writes an SFPLOADMACRO kernel as straight-line code, proved equal. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/expand.h>
#include <tensix-lab/json.h>
#include <tensix-lab/kernel.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_DST, KEY_OUT_DST, KEY_TILES };

struct expand_args {
    struct cli *cli;
    const char *file, *out;
    enum tx_arch arch;
    struct txl_expand_options how;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"out", 'o', "OUT.s", 0, "Where to, default: standard output", 1},
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32; default: .dst",
     1},
    {"out-dst", KEY_OUT_DST, "FORMAT", 0,
     "Compare results read from Dst as this; default: .out, else --dst", 1},
    {"tiles", KEY_TILES, "N", 0, "Tiles of random and special data for the proof, default 64", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Rewrites a kernel with SFPLOADMACRO as straight-line code and shows both equal by running "
    "them.\vThe scheduled instructions of one tile are put in the order in which they run, with "
    "registers of their own: L16 becomes a free LReg. Where none is free, or an instruction wants "
    "a register by its number, or the two do not agree, the command names the cycle and the reason "
    "with exit status 1 and writes nothing.";

static int tiles(struct expand_args *a, const char *text)
{
    const int result = cli_unsigned(a->cli, "--tiles", text, 1000000, &a->how.tiles);
    return result == 0 && a->how.tiles == 0 ? cli_fail(a->cli, "--tiles 0 would prove nothing")
                                            : result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct expand_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->how.dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->how.out);
    case KEY_TILES:
        return tiles(a, arg);
    case 'o':
        a->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "kernel", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

static txl_json *report(const struct expand_args *a, enum tx_arch arch, const txl_expansion *made)
{
    size_t count = 0;
    txl_json *root = txl_json_object();
    (void)txl_expansion_words(made, &count);
    txl_json_set_text(root, "kernel", a->file);
    txl_json_set_text(root, "arch", tx_arch_name(arch));
    txl_json_set_int(root, "macros", txl_expansion_macros(made));
    txl_json_set_int(root, "instructions", count);
    txl_json_set_int(root, "tiles_compared", txl_expansion_tiles(made));
    txl_json_set_bool(root, "equal", true);
    txl_json_set_text(root, "text", a->out == NULL ? txl_expansion_text(made) : NULL);
    return root;
}

static int deliver(struct expand_args *a, enum tx_arch arch, const txl_expansion *made)
{
    const char *text = txl_expansion_text(made);
    size_t count = 0;
    (void)txl_expansion_words(made, &count);
    if (a->out != NULL) {
        int result = txl_write_file(&a->cli->error, a->out, text, strlen(text));
        if (result != CLI_OK) {
            return result;
        }
    }
    if (a->cli->json) {
        return cli_json(a->cli, report(a, arch, made));
    }
    if (a->out == NULL) {
        fputs(text, stdout);
    } else {
        printf("%s: %llu SFPLOADMACRO made %zu instructions; equal on %llu tiles\n", a->out,
               (unsigned long long)txl_expansion_macros(made), count,
               (unsigned long long)txl_expansion_tiles(made));
    }
    return CLI_OK;
}

int cmd_expand(struct cli *cli, int argc, char **argv)
{
    struct expand_args a = {.cli = cli, .how = {.size = sizeof a.how}};
    static const struct argp argp = {options, parse, "KERNEL", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    struct tx_program *program = NULL;
    txl_expansion *made = NULL;
    a.how.name = a.file;
    result = cli_kernel(cli, a.file, a.arch, &program);
    if (result == CLI_OK) {
        result = txl_expand(&cli->error, program, &a.how, &made);
    }
    if (result == CLI_OK) {
        result = deliver(&a, tx_program_arch(program), made);
    }
    txl_expansion_close(made);
    tx_program_free(program);
    return result;
}
