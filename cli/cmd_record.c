/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A C or C++ source is compiled with ckernel_ops.h and a main that calls its functions; what that
 * program writes is assembled, which checks it, and written with the disassembly of its words.
 */
#include "cli.h"

#include "kernel/record.h"
#include "base/guard.h"
#include "base/json.h"

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
    {"compiler", KEY_CXX, "COMMAND", 0, "Default: $CXX or c++; for FILE.c $CC or cc", 3},
    {"std", KEY_STD, "STANDARD", 0, "Default: gnu++17, for FILE.c gnu17", 3},
    {"fuse", KEY_FUSE, "none|mad", 0,
     "sfpi.hpp: whether a*b+c is rounded once, by SFPMAD (default: mad, as the vendor's compiler)",
     3},
    {"spill", KEY_SPILL, NULL, 0,
     "Take an argument wider than its field as the vendor's macros do, into its neighbour; each "
     "such line is named",
     3},
    {"include", 'I', "DIR", 0, "For the compiler; may be given several times", 3},
    {"define", 'D', "NAME[=VALUE]", 0, "The same", 3},
    {"verbose", 'v', NULL, 0, "Show all that the compiler says, and what the kernel prints", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Turns a kernel in C or C++ that is written with the vendor's TTI_ macros into a kernel file: "
    "compiles it natively, runs it, and records the words it emits with their source lines.\vThe "
    "source includes <tensix/ckernel_ops.h>, or <tensix/sfpi.hpp> for SFPI's style. Words of all "
    "other commands' findings and traces are "
    "then those of the source's lines. Loops, templates and 'if constexpr' are the compiler's "
    "affair: what is recorded is what they emit. An argument outside its field is an error where "
    "its "
    "instruction is recorded; nothing is written then.";

error_t record_head(struct record_args *a, struct record_kernel *kernel, const char *directive,
                    const char *value)
{
    const size_t used = strlen(kernel->head);
    const char *quote = strcmp(directive, ".title") == 0 ? "\"" : "";
    if (strpbrk(value, "\"\n\\") != NULL) {
        return txl_fail(a->err, "%s: '%s' has a quote, a backslash or an end of line", directive,
                        value);
    }
    const int length = snprintf(kernel->head + used, sizeof kernel->head - used, "%s %s%s%s\n",
                                directive, quote, value, quote);
    return length < (int)(sizeof kernel->head - used) ? 0
                                                      : txl_fail(a->err, "the head is too long");
}

/* -I DIR and -D NAME go on as they are. */
static error_t add_flag(struct record_args *a, const char *letter, const char *value)
{
    if (a->flag_count + 2 > RECORD_ARGS) {
        return txl_fail(a->err, "too many -I and -D");
    }
    a->flags[a->flag_count++] = letter;
    a->flags[a->flag_count++] = value;
    return 0;
}

static error_t parse_fuse(struct record_args *a, const char *arg)
{
    a->no_fuse = strcmp(arg, "none") == 0;
    return a->no_fuse || strcmp(arg, "mad") == 0
               ? 0
               : txl_fail(a->err, "--fuse is none or mad, not '%s'", arg);
}

static error_t parse_head(struct record_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_TITLE:
        return record_head(a, &a->one, ".title", arg);
    case KEY_DST:
        return record_head(a, &a->one, ".dst", arg);
    case KEY_INPUTS:
        return record_head(a, &a->one, ".inputs", arg);
    case KEY_OUTPUT:
        return record_head(a, &a->one, ".output", arg);
    case KEY_START:
        return record_head(a, &a->one, ".start", arg);
    case KEY_REFERENCE:
        return record_head(a, &a->one, ".reference", arg);
    default:
        return cli_common(cli_of(a->err), key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct record_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(cli_of(a->err), arg, &a->arch);
    case KEY_INIT:
        a->one.init = arg;
        return 0;
    case KEY_TILE:
        a->one.tile = arg;
        return 0;
    case KEY_LIST:
        a->list = arg;
        return 0;
    case KEY_SPILL:
        a->spill = true;
        return 0;
    case KEY_CXX:
        a->compiler = arg;
        return 0;
    case KEY_STD:
        a->standard = arg;
        return 0;
    case KEY_FUSE:
        return parse_fuse(a, arg);
    case 'o':
        a->out = arg;
        return 0;
    case 'v':
        a->verbose = true;
        return 0;
    case 'I':
        return add_flag(a, "-I", arg);
    case 'D':
        return add_flag(a, "-D", arg);
    case ARGP_KEY_ARG:
        return cli_only(cli_of(a->err), "source", arg, &a->file);
    default:
        return parse_head(a, key, arg);
    }
}

static const char spills[] = "# spills: "; /* as record.h writes it */

/* The lines of the recording, .word lines with the disassembly in their place. */
static void write_kernel(const struct record_args *a, const struct record_kernel *kernel,
                         char *text, FILE *out)
{
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        static const char word[] = "    .word ";
        char dis[128];
        if (strncmp(line, word, strlen(word)) == 0) {
            (void)tx_disassemble(a->arch, (uint32_t)strtoul(line + strlen(word), NULL, 0),
                                 TX_DIS_NORMAL, dis, sizeof dis);
            fprintf(out, "    %s\n", dis);
        } else if (strncmp(line, ".file ", 6) == 0 && strchr(line, '"') != NULL) {
            const char *name = strchr(line, '"') + 1;
            fprintf(out, "%.*s%s\n", (int)(name - line), line, record_plain(name));
        } else if (strncmp(line, spills, strlen(spills)) == 0) {
            fprintf(out, "%s%s\n", spills, record_plain(line + strlen(spills)));
        } else if (strncmp(line, ".start ", 7) == 0 && strstr(kernel->head, ".start ") != NULL) {
            continue; /* --start has said another */
        } else if (line[0] != '\0') {
            fprintf(out, "%s\n%s", line, strncmp(line, ".arch", 5) == 0 ? kernel->head : "");
        }
    }
}

/* What the head says of arguments that are wider than their fields. */
static void tell_spilled(const struct record_args *a, const struct record_kernel *kernel,
                         const char *text)
{
    for (const char *p = strstr(text, spills); p != NULL && !cli_of(a->err)->json;
         p = strstr(p + 1, spills)) {
        const char *said = p + strlen(spills);
        fprintf(stderr, "tensix record: %s%s%.*s: it spills into its neighbour\n",
                kernel->name != NULL ? kernel->name : "", kernel->name != NULL ? ": " : "",
                (int)strcspn(said, "\n"), said);
    }
}

/* Checks the text by the assembler and puts it where it belongs; for JSON, root gets what it is. */
static int finish(const struct record_args *a, const struct record_kernel *kernel, const char *text,
                  size_t size, json_t *root)
{
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, size, NULL, &program, &diag);
    if (status != TX_OK) {
        const struct txl_where where = {.file = a->list, .line = kernel->line};
        const char *why = diag.message[0] != '\0' ? diag.message : tx_status_text(status);
        return kernel->line != 0
                   ? txl_fail_at(a->err, &where, "%s: the recording is no kernel: %s (%s)",
                                 kernel->name, why, diag.source)
                   : txl_fail(a->err, "the recording is no kernel: %s (%s)", why, diag.source);
    }
    int result = CLI_OK;
    tell_spilled(a, kernel, text);
    if (a->list != NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.s", a->out, kernel->name);
        result = txl_write_file(a->err, path, text, size);
    } else if (a->out != NULL) {
        result = txl_write_file(a->err, a->out, text, size);
    } else if (root == NULL) {
        fwrite(text, 1, size, stdout);
    }
    if (root != NULL) {
        if (kernel->name != NULL) {
            json_object_set_new(root, "name", json_string(kernel->name));
        }
        json_object_set_new(root, "arch", json_string(tx_arch_name(program->arch)));
        json_object_set_new(root, "init",
                            json_integer((json_int_t)program->section[TX_SECTION_INIT].count));
        json_object_set_new(root, "tile",
                            json_integer((json_int_t)program->section[TX_SECTION_TILE].count));
        json_object_set_new(root, "kernel", json_string(text));
    }
    tx_program_free(program);
    return result;
}

/* Runs the program for one kernel and writes what it gives. */
static int record_kernel(const struct record_args *a, const struct record_kernel *kernel,
                         json_t *root)
{
    char *raw = record_run(a, kernel);
    if (raw == NULL) {
        return CLI_INPUT;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *memory = guard_text(&text, &size);
    write_kernel(a, kernel, raw, memory);
    guard_text_end(memory, &text);
    const int result = finish(a, kernel, text, size, root);
    free(text);
    free(raw);
    return result;
}

/* Every kernel of the list; one that fails is named and has no file, the others have theirs. */
static int record_list(const struct record_args *a, json_t *list)
{
    size_t failed = 0;
    if (mkdir(a->out, 0777) != 0 && errno != EEXIST) {
        return txl_fail(a->err, "%s: %s", a->out, strerror(errno));
    }
    for (size_t i = 0; i < a->count; i++) {
        json_t *root = list != NULL ? json_object() : NULL;
        if (record_kernel(a, &a->kernels[i], root) != CLI_OK) {
            failed++;
            json_decref(root);
        } else if (list != NULL) {
            json_array_append_new(list, root);
        }
    }
    if (list == NULL && failed == 0) {
        printf("%zu kernels recorded in %s\n", a->count, a->out);
    }
    return failed == 0 ? CLI_OK : CLI_INPUT;
}

static int record(struct record_args *a)
{
    const char *base = getenv("TMPDIR");
    base = base != NULL && base[0] != '\0' ? base : "/tmp";
    snprintf(a->folder, sizeof a->folder, "%.200s/tensix-record-XXXXXX", base);
    if (mkdtemp(a->folder) == NULL) {
        a->folder[0] = '\0';
        return txl_fail(a->err, "no scratch folder in %s: %s", base, strerror(errno));
    }
    record_guard(a);
    int result = record_compile(a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    json_t *root = !cli_of(a->err)->json ? NULL : a->list != NULL ? json_array() : json_object();
    result = a->list != NULL ? record_list(a, root) : record_kernel(a, &a->kernels[0], root);
    if (root != NULL && (result == CLI_OK || a->list != NULL) && !cli_of(a->err)->failed) {
        jx_print(stdout, root);
    }
    json_decref(root);
    return result;
}

/* What the options leave to say; CLI_CONTINUE. */
static int complete(struct record_args *a)
{
    struct txl_where where = {.file = a->file};
    if (a->file == NULL || a->arch == TX_ARCH_NONE || (a->list == NULL && a->one.tile == NULL)) {
        return txl_fail(a->err, "%s; see 'tensix record --help'",
                        a->file == NULL           ? "no source given"
                        : a->arch == TX_ARCH_NONE ? "--arch is missing"
                                                  : "--tile FUNC is missing");
    }
    if (access(a->file, R_OK) != 0) {
        return txl_fail_at(a->err, &where, "%s", strerror(errno));
    }
    if (a->list == NULL) {
        a->kernels = &a->one;
        a->count = 1;
        return CLI_CONTINUE;
    }
    return a->out != NULL ? record_read_list(a)
                          : txl_fail(a->err, "--list needs -o DIR, the folder of its kernels");
}

int cmd_record(struct cli *cli, int argc, char **argv)
{
    struct record_args a = {.err = &cli->error};
    static const struct argp argp = {options, parse, "FILE.cpp|FILE.c", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE) {
        result = complete(&a);
    }
    if (result == CLI_CONTINUE) {
        result = record(&a);
        record_clean();
    }
    for (size_t i = 0; a.kernels != &a.one && i < a.count; i++) {
        free(a.kernels[i].text);
    }
    if (a.kernels != &a.one) {
        free(a.kernels);
    }
    return result;
}
