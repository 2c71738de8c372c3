/* SPDX-License-Identifier: Apache-2.0 */
/* tensix record: handles options, environment and files. The lab library does the recording. */
#include "cli.h"

#include <tensix-lab/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static int record_put(const struct record_args *a, txl_record *record, size_t index, txl_json *root)
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
        if (record_put(a, record, i, root) != CLI_OK) {
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
        result = list ? put_list(a, record, root) : record_put(a, record, 0, root);
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
    cli_cores_settle(&a->cores, NULL);
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
static void record_settle(struct record_args *a, char include[512])
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

/* An option that stands in the kernel's head as a directive. */
int cli_record_head(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    static const char *const directives[] = {".title",  ".dst",   ".inputs",
                                             ".output", ".start", ".reference"};
    struct record_args *a = args;
    if (a->kernel.head_count + 2 > CLI_HEAD) {
        return cli_fail(cli, "the head is too long");
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (strcmp(directives[i] + 1, option->name) == 0) {
            a->head[a->kernel.head_count++] = directives[i];
        }
    }
    a->head[a->kernel.head_count++] = text;
    return 0;
}

int cmd_record(struct cli *cli, struct record_args *a)
{
    char include[512];
    a->how.source = a->words.text[0];
    a->how.kernel = &a->kernel;
    a->how.flags = a->compile.flags.text;
    a->how.flag_count = a->compile.flags.count;
    a->how.environment = environ;
    a->how.no_fuse = a->fuse == 1;
    a->how.say = a->compile.verbose ? cli_tell : NULL;
    a->kernel.head = a->head;
    if (a->cores.how.program_count != 0) {
        return record_tile(a);
    }
    if (a->how.source == NULL || a->how.arch == TX_ARCH_NONE ||
        (a->how.list == NULL && a->kernel.tile == NULL)) {
        return cli_fail(cli, "%s; see 'tensix record --help'",
                        a->how.source == NULL         ? "no source given"
                        : a->how.arch == TX_ARCH_NONE ? "--arch is missing"
                                                      : "--tile FUNC is missing");
    }
    if (a->how.list != NULL && a->out == NULL) {
        return cli_fail(cli, "--list needs -o DIR, the folder of its kernels");
    }
    record_settle(a, include);
    return record(a);
}
