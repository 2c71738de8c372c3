/* SPDX-License-Identifier: Apache-2.0 */
/* tensix cc: compiles a kernel's source for the threads' RISC-V cores with Debian's compiler. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the vendor's compiler and headers, where they are wanted. */
static int find_vendor(struct cc_args *a)
{
    const char *home = getenv("TT_METAL_HOME");
    if (!cli_given(a->cli, "sfpi") && !a->how.llk) {
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
    const bool one = cli_given(a->cli, "thread"); /* compile only how.thread */
    static const char *const names[TX_THREADS] = {"unpack.elf", "math.elf", "pack.elf"};
    char path[4096];
    int result = TXL_OK;
    const bool made = !one && mkdir(a->out, 0777) == 0;
    if (!one && !made && errno != EEXIST) {
        return cli_fail(a->cli, "%s: %s", a->out, strerror(errno));
    }
    for (unsigned t = 0; t < TX_THREADS && result == TXL_OK; t++) {
        if (one && t != a->how.thread) {
            continue;
        }
        a->how.thread = t;
        snprintf(path, sizeof path, one ? "%s" : "%s/%s", a->out, names[t]);
        a->how.out = path;
        result = txl_cc(&a->cli->error, &a->how);
        txl_json_append(files, txl_json_string(path));
    }
    if (made && result != TXL_OK) {
        (void)rmdir(a->out); /* which leaves one that holds a program */
    }
    return result;
}

int cmd_cc(struct cli *cli, struct cc_args *a)
{
    char include[512];
    const char *set = getenv("TENSIX_CC");
    a->how.source = a->words.text[0];
    if (a->how.source == NULL || a->out == NULL || a->how.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "SOURCE, -o or --arch is missing; see 'tensix cc --help'");
    }
    a->how.flags = a->compile.flags.text;
    a->how.flag_count = a->compile.flags.count;
    a->how.environment = environ;
    a->how.llk = a->headers == 1;
    a->how.say = a->compile.verbose ? cli_tell : NULL;
    if (a->how.compiler == NULL && set != NULL && set[0] != '\0') {
        a->how.compiler = set;
    }
    a->how.scratch = cli_scratch();
    a->how.include = cli_headers(include) ? include : "/usr/include";
    int result = find_vendor(a);
    if (result != TXL_OK) {
        return result;
    }
    txl_json *files = txl_json_array();
    result = compile(a, files);
    if (result == CLI_OK && cli->json) {
        return cli_json(cli, files);
    }
    txl_json_free(files);
    return result;
}
