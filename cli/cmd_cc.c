/* SPDX-License-Identifier: Apache-2.0 */
/* tensix cc: compiles a kernel's source for the threads' RISC-V cores with Debian's compiler. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_THREAD, KEY_COMPILER, KEY_SFPI, KEY_HEADERS, THREADS = 3 };

struct cc_args {
    struct cli *cli;
    const char *out;
    struct txl_cc_options how;
    const char *flags[CLI_FLAGS];
    bool one;         /* compile only how.thread */
    bool vendor;      /* use the vendor's compiler */
    const char *sfpi; /* its folder; NULL: where it is found */
    char found[4096];
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"thread", KEY_THREAD, "NAME", 0, "unpack, math or pack: only this, and -o is the file", 1},
    {"out", 'o', "DIR|FILE.elf", 0, "Where to: the folder of unpack.elf, math.elf, pack.elf", 1},
    {"compiler", KEY_COMPILER, "COMMAND", 0,
     "Default: $TENSIX_CC, or riscv64-unknown-elf-g++, for FILE.c riscv64-unknown-elf-gcc", 2},
    {"sfpi", KEY_SFPI, "DIR", OPTION_ARG_OPTIONAL,
     "The vendor's compiler; without DIR that of SFPI_HOME, TT_METAL_HOME/runtime/sfpi or "
     "/opt/tenstorrent/sfpi",
     2},
    {"headers", KEY_HEADERS, "NAME", 0,
     "llk: the kernel is written in tt-llk's headers, which TT_METAL_HOME has and the vendor's "
     "compiler compiles; default tensix",
     2},
    {"include", 'I', "DIR", 0, "Look for headers in DIR, as -I of the compiler; may repeat", 2},
    {"define", 'D', "NAME[=VALUE]", 0, "Define a macro, as -D of the compiler; may repeat", 2},
    {"verbose", 'v', NULL, 0, "Show warnings and all that the compiler says", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Compiles a kernel in C or C++ for the tile's cores T0, T1 and T2 (unpack, math, pack) into "
    "ELF "
    "files.\vThe source includes <tensix/kernel/tensix.h>, defines kernel_main, and is compiled "
    "for "
    "each thread with TENSIX_UNPACK, TENSIX_MATH or TENSIX_PACK as 1 and the others as 0.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cc_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case KEY_THREAD:
        a->one = true;
        return cli_thread(a->cli, arg, &a->how.thread);
    case KEY_COMPILER:
        a->how.compiler = arg;
        return 0;
    case KEY_SFPI:
        a->vendor = true;
        a->sfpi = arg;
        return 0;
    case KEY_HEADERS:
        a->how.llk = strcmp(arg, "llk") == 0;
        return a->how.llk || strcmp(arg, "tensix") == 0
                   ? 0
                   : cli_fail(a->cli, "--headers: '%s' is neither tensix nor llk", arg);
    case 'o':
        a->out = arg;
        return 0;
    case 'v':
        a->how.say = cli_tell;
        return 0;
    case 'I':
    case 'D':
        return cli_flag(a->cli, a->flags, &a->how.flag_count, key, arg);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "source", arg, &a->how.source);
    default:
        return cli_common(a->cli, key);
    }
}

/* Finds the vendor's compiler and headers, where they are wanted. */
static int find_vendor(struct cc_args *a)
{
    const char *home = getenv("TT_METAL_HOME");
    if (!a->vendor && !a->how.llk) {
        return TXL_OK;
    }
    if (a->how.llk && (home == NULL || home[0] == '\0')) {
        return cli_fail(a->cli, "--headers llk: TT_METAL_HOME is not set");
    }
    a->how.metal = a->how.llk ? home : NULL;
    a->how.sfpi = a->found;
    return txl_sfpi(&a->cli->error, a->sfpi, environ, a->found);
}

static int compile(struct cc_args *a, txl_json *files)
{
    static const char *const names[THREADS] = {"unpack.elf", "math.elf", "pack.elf"};
    char path[4096];
    int result = TXL_OK;
    const bool made = !a->one && mkdir(a->out, 0777) == 0;
    if (!a->one && !made && errno != EEXIST) {
        return cli_fail(a->cli, "%s: %s", a->out, strerror(errno));
    }
    for (unsigned t = 0; t < THREADS && result == TXL_OK; t++) {
        if (a->one && t != a->how.thread) {
            continue;
        }
        a->how.thread = t;
        snprintf(path, sizeof path, a->one ? "%s" : "%s/%s", a->out, names[t]);
        a->how.out = path;
        result = txl_cc(&a->cli->error, &a->how);
        txl_json_append(files, txl_json_string(path));
    }
    if (made && result != TXL_OK) {
        (void)rmdir(a->out); /* which leaves one that holds a program */
    }
    return result;
}

int cmd_cc(struct cli *cli, int argc, char **argv)
{
    struct cc_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {options, parse, "SOURCE", doc, NULL, NULL, NULL};
    char include[512];
    const char *set = getenv("TENSIX_CC");
    a.how.flags = a.flags;
    a.how.environment = environ;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.how.source == NULL || a.out == NULL || a.how.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "SOURCE, -o or --arch is missing; see 'tensix cc --help'");
    }
    a.how.compiler = a.how.compiler == NULL && set != NULL && set[0] != '\0' ? set : a.how.compiler;
    a.how.scratch = cli_scratch();
    a.how.include = cli_headers(include) ? include : "/usr/include";
    result = find_vendor(&a);
    if (result != TXL_OK) {
        return result;
    }
    txl_json *files = txl_json_array();
    result = compile(&a, files);
    if (result == CLI_OK && cli->json) {
        return cli_json(cli, files);
    }
    txl_json_free(files);
    return result;
}
