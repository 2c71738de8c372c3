/* SPDX-License-Identifier: Apache-2.0 */
/* tensix record: handles options, environment and files. The lab library does the recording. */
#include "cli.h"

#include <tensix-lab/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_INIT,
    KEY_TILE,
    KEY_LIST,
    KEY_TITLE,
    KEY_DST,
    KEY_INPUTS,
    KEY_OUTPUT,
    KEY_START,
    KEY_REFERENCE,
    KEY_CXX,
    KEY_STD,
    KEY_FUSE,
    KEY_SPILL
};

enum { HEAD = 64 };

struct record_args {
    struct cli *cli;
    const char *out;
    struct txl_record_options how;
    struct txl_record_kernel kernel;
    const char *flags[CLI_FLAGS], *head[HEAD];
    struct cli_tile cores;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"init", KEY_INIT, "FUNC", 0, "What runs once, for .init: function or call, as for --tile", 1},
    {"tile", KEY_TILE, "FUNC", 0,
     "What runs for each tile: a function ('kernel', 'relu<8>') or a call ('scale(0x3f80)')", 1},
    {"list", KEY_LIST, "FILE", 0,
     "Many kernels from one compilation: lines of a name and its --init, --tile, --dst, --inputs, "
     "--output, --start, --reference, --title; -o is the folder of NAME.s",
     1},
    {"out", 'o', "OUT.s|DIR", 0, "Where to, default: standard output", 1},
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32",
     2},
    {"inputs", KEY_INPUTS, "N", 0, "Tiles that the kernel reads", 2},
    {"output", KEY_OUTPUT, "N", 0, "Dst tile of the result", 2},
    {"start", KEY_START, "vendor|reset", 0,
     "State that the kernel begins in (default: vendor, as tt-llk's start code leaves it)", 2},
    {"reference", KEY_REFERENCE, "NAME", 0, "What it computes, for sweep", 2},
    {"title", KEY_TITLE, "TEXT", 0, "Title of the kernel", 2},
    CLI_TILE_OPTIONS(4),
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 4),
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0, "Of --elf: give up after N cycles", 4},
    {"compiler", KEY_CXX, "COMMAND", 0, "Default: $CXX or c++; for FILE.c $CC or cc", 3},
    {"std", KEY_STD, "STANDARD", 0, "Default: gnu++17, for FILE.c gnu17", 3},
    {"fuse", KEY_FUSE, "none|mad", 0,
     "sfpi.hpp: whether a*b+c is rounded once, by SFPMAD (default: mad, as the vendor's compiler)",
     3},
    {"spill", KEY_SPILL, NULL, 0,
     "Take an argument wider than its field as the vendor's macros do, into its neighbour; each "
     "such line is named",
     3},
    {"include", 'I', "DIR", 0, "Look for headers in DIR, as -I of the compiler; may repeat", 3},
    {"define", 'D', "NAME[=VALUE]", 0, "Define a macro, as -D of the compiler; may repeat", 3},
    {"verbose", 'v', NULL, 0, "Show all that the compiler says, and what the kernel prints", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Turns a kernel in C or C++ that is written with the vendor's TTI_ macros into a kernel file: "
    "compiles it natively, runs it, and records the words it emits with their source lines.\vThe "
    "source includes <tensix/ckernel_ops.h>, or <tensix/sfpi.hpp> for SFPI's style. Findings and "
    "traces of all "
    "commands then name the lines of that source. Loops, templates and 'if constexpr' are the "
    "compiler's "
    "affair: what is recorded is what they emit. An argument outside its field is an error where "
    "its instruction is recorded; nothing is written then.";

static error_t parse_fuse(struct record_args *a, const char *arg)
{
    a->how.no_fuse = strcmp(arg, "none") == 0;
    return a->how.no_fuse || strcmp(arg, "mad") == 0
               ? 0
               : cli_fail(a->cli, "--fuse is none or mad, not '%s'", arg);
}

/* Adds a directive and its value to the kernel's head. */
static error_t add_head(struct record_args *a, const char *directive, const char *value)
{
    if (a->kernel.head_count + 2 > HEAD) {
        return cli_fail(a->cli, "the head is too long");
    }
    a->head[a->kernel.head_count++] = directive;
    a->head[a->kernel.head_count++] = value;
    return 0;
}

static error_t parse_head(struct record_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_TITLE:
        return add_head(a, ".title", arg);
    case KEY_DST:
        return add_head(a, ".dst", arg);
    case KEY_INPUTS:
        return add_head(a, ".inputs", arg);
    case KEY_OUTPUT:
        return add_head(a, ".output", arg);
    case KEY_START:
        return add_head(a, ".start", arg);
    case KEY_REFERENCE:
        return add_head(a, ".reference", arg);
    default:
        return cli_common(a->cli, key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct record_args *a = state->input;
    const error_t tile = cli_tile_option(a->cli, key, arg, &a->cores);
    if (tile != ARGP_ERR_UNKNOWN) {
        return tile;
    }
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case KEY_INIT:
        a->kernel.init = arg;
        return 0;
    case KEY_TILE:
        a->kernel.tile = arg;
        return 0;
    case KEY_LIST:
        a->how.list = arg;
        return 0;
    case KEY_CXX:
        a->how.compiler = arg;
        return 0;
    case KEY_STD:
        a->how.standard = arg;
        return 0;
    case 'o':
        a->out = arg;
        return 0;
    case KEY_SPILL:
        a->how.spill = true;
        return 0;
    case KEY_FUSE:
        return parse_fuse(a, arg);
    case 'v':
        a->how.say = cli_tell;
        return 0;
    case 'I':
    case 'D':
        return cli_flag(a->cli, a->flags, &a->how.flag_count, key, arg);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "source", arg, &a->how.source);
    default:
        return parse_head(a, key, arg);
    }
}

/* ---- kernel files ---- */

/* Warns of arguments that are wider than their fields, which the head of the kernel lists. */
static void tell_spilled(const char *name, const char *text)
{
    size_t length = 0;
    for (const char *p = txl_record_spill(text, NULL, &length); p != NULL;
         p = txl_record_spill(text, p, &length)) {
        fprintf(stderr, "tensix record: %s%s%.*s: it spills into its neighbour\n",
                name != NULL ? name : "", name != NULL ? ": " : "", (int)length, p);
    }
}

/* Describes the kernel for JSON. */
static int describe(struct cli *cli, const char *name, const char *text, size_t size,
                    txl_json *root)
{
    const struct txl_kernel_options how = {
        .size = sizeof how, .threads = true, .empty = true, .any_word = true};
    struct tx_program *program = NULL;
    const int result =
        txl_kernel_assemble(&cli->error, "the recording", text, size, &how, &program);
    if (result != TXL_OK) {
        return result;
    }
    if (name != NULL) {
        txl_json_set_text(root, "name", name);
    }
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(program)));
    txl_json_set_int(root, "init", tx_program_count(program, TX_SECTION_INIT));
    txl_json_set_int(root, "tile", tx_program_count(program, TX_SECTION_TILE));
    txl_json_set_text(root, "kernel", text);
    tx_program_free(program);
    return TXL_OK;
}

/* Writes a kernel to its place; for JSON, root gets its description. */
static int put(const struct record_args *a, txl_record *record, size_t index, txl_json *root)
{
    char path[4096];
    char *text = NULL;
    size_t size = 0;
    const char *name = txl_record_name(record, index);
    int result = txl_record_text(&a->cli->error, record, index, &text, &size);
    if (result != TXL_OK) {
        return result;
    }
    if (root == NULL) {
        tell_spilled(name, text);
    }
    if (a->how.list != NULL) {
        snprintf(path, sizeof path, "%s/%s.s", a->out, name);
        result = txl_write_file(&a->cli->error, path, text, size);
    } else if (a->out != NULL) {
        result = txl_write_file(&a->cli->error, a->out, text, size);
    } else if (root == NULL) {
        fwrite(text, 1, size, stdout);
    }
    if (root != NULL && result == TXL_OK) {
        result = describe(a->cli, name, text, size, root);
    }
    free(text);
    return result;
}

/* Writes every kernel of the list. One that fails is reported, and the others are written. */
static int put_list(const struct record_args *a, txl_record *record, txl_json *list)
{
    const size_t count = txl_record_count(record);
    size_t failed = 0;
    if (mkdir(a->out, 0777) != 0 && errno != EEXIST) {
        return cli_fail(a->cli, "%s: %s", a->out, strerror(errno));
    }
    for (size_t i = 0; i < count; i++) {
        txl_json *root = list != NULL ? txl_json_object() : NULL;
        if (put(a, record, i, root) != CLI_OK) {
            (void)cli_report(a->cli, CLI_INPUT);
            failed++;
            txl_json_free(root);
        } else if (list != NULL) {
            txl_json_append(list, root);
        }
    }
    if (list == NULL && failed == 0) {
        printf("%zu kernels recorded in %s\n", count, a->out);
    }
    return failed == 0 ? CLI_OK : CLI_INPUT;
}

static int record(struct record_args *a)
{
    const bool list = a->how.list != NULL;
    txl_record *record = NULL;
    int result = txl_record_open(&a->cli->error, &a->how, &record);
    if (result == TXL_OK) {
        txl_json *root = !a->cli->json ? NULL : list ? txl_json_array() : txl_json_object();
        result = list ? put_list(a, record, root) : put(a, record, 0, root);
        if (root != NULL && result == CLI_OK) {
            result = cli_put(a->cli, txl_json_indented(root));
        }
        txl_json_free(root);
    }
    txl_record_close(record);
    return result;
}

/* Records what the cores of a tile push. */
static int record_tile(struct record_args *a)
{
    char *text = NULL;
    size_t size = 0;
    if (a->how.source != NULL || a->how.list != NULL || a->kernel.tile != NULL ||
        a->kernel.init != NULL || a->kernel.head_count != 0 || a->how.flag_count != 0) {
        return cli_fail(a->cli, "a source and its options do not go with --elf");
    }
    a->cores.how.arch = a->how.arch;
    cli_tile_settle(&a->cores, NULL);
    int result = txl_tensix_record(&a->cli->error, &a->cores.how, &text, &size);
    if (result == TXL_OK && a->out != NULL) {
        result = txl_write_file(&a->cli->error, a->out, text, size);
    } else if (result == TXL_OK && !a->cli->json) {
        fwrite(text, 1, size, stdout);
    }
    if (result == TXL_OK && a->cli->json) {
        txl_json *root = txl_json_object();
        result = describe(a->cli, "tile", text, size, root);
        result = result == CLI_OK ? cli_put(a->cli, txl_json_indented(root)) : result;
        txl_json_free(root);
    }
    free(text);
    return result;
}

/* Takes the compiler from the environment. */
static void settle(struct record_args *a, char include[512])
{
    const size_t length = strlen(a->how.source);
    const bool c = length > 2 && strcmp(a->how.source + length - 2, ".c") == 0;
    const char *set = getenv(c ? "CC" : "CXX");
    if (a->how.compiler == NULL && set != NULL && set[0] != '\0') {
        a->how.compiler = set;
    }
    a->how.scratch = cli_scratch();
    a->how.include = cli_headers(include) ? include : NULL;
}

int cmd_record(struct cli *cli, int argc, char **argv)
{
    char include[512];
    struct record_args a = {.cli = cli, .how.size = sizeof a.how, .kernel.size = sizeof a.kernel};
    static const struct argp argp = {
        options, parse, "FILE.cpp|FILE.c\n--elf CORE=FILE ...", doc, NULL, NULL, NULL};
    a.how.kernel = &a.kernel;
    a.kernel.head = a.head;
    a.how.flags = a.flags;
    a.how.environment = environ;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.cores.how.program_count != 0) {
        return record_tile(&a);
    }
    if (a.how.source == NULL || a.how.arch == TX_ARCH_NONE ||
        (a.how.list == NULL && a.kernel.tile == NULL)) {
        return cli_fail(cli, "%s; see 'tensix record --help'",
                        a.how.source == NULL         ? "no source given"
                        : a.how.arch == TX_ARCH_NONE ? "--arch is missing"
                                                     : "--tile FUNC is missing");
    }
    if (a.how.list != NULL && a.out == NULL) {
        return cli_fail(cli, "--list needs -o DIR, the folder of its kernels");
    }
    settle(&a, include);
    return record(&a);
}
