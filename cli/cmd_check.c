/* SPDX-License-Identifier: Apache-2.0 */
/* tensix check: runs vectors, or records them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/vectors.h>

#include "print/progress.h"

static void print_failure(void *user, const struct txl_check_failure *f)
{
    const struct check_args *a = user;
    if (!a->cli->json && !a->quiet) {
        printf("%s:%u: %s%s%s\n", f->file, f->line, f->name, f->name[0] != '\0' ? ": " : "",
               f->message);
    }
}

static void print_result(const struct check_args *a, const struct txl_check *done)
{
    const size_t most = sizeof done->left / sizeof done->left[0];
    for (size_t i = 0; i < most && done->left[i].reason != NULL && !a->quiet; i++) {
        printf("left to the reference engine: %llu, because %s\n",
               (unsigned long long)done->left[i].count, done->left[i].reason);
    }
    if (a->check.engine == TXL_ENGINE_COMPILED && !a->quiet) {
        printf("compiled: %llu steps, on %u levels\n", (unsigned long long)done->compiled_steps,
               done->levels);
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)done->passed,
           (unsigned long long)done->failed);
}

static int run_vectors(struct check_args *a)
{
    struct progress bar;
    struct txl_check *done = NULL;
    if (a->check.jobs == 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        a->check.jobs = online < 1 ? 1 : online > CLI_JOBS ? CLI_JOBS : (unsigned)online;
    }
    if (a->check.engine == TXL_ENGINE_COMPILED) {
        a->check.compiler = cli_compiler(a->cli);
    }
    progress_start(&bar, !a->quiet, 1, "steps");
    a->check.compile_progress = bar.wanted ? progress_call : NULL;
    a->check.compile_user = &bar;
    a->check.failure = print_failure;
    a->check.failure_user = a;
    int result = txl_check_files(&a->cli->error, a->words.text, a->words.count, &a->check, &done);
    progress_end(&bar);
    if (result == TXL_OK) {
        result = done->failed == 0 ? CLI_OK : CLI_NEGATIVE;
        if (!a->cli->json) {
            print_result(a, done);
        } else if (cli_put(a->cli, txl_check_json(done)) != CLI_OK) {
            result = CLI_INPUT;
        }
    }
    txl_check_free(done);
    return result;
}

static int record(struct check_args *a)
{
    char *text = NULL;
    size_t length = 0;
    int result =
        txl_vectors_record(&a->cli->error, a->words.text, a->words.count, &a->how, &text, &length);
    if (result == TXL_OK && a->out != NULL) {
        result = txl_write_file(&a->cli->error, a->out, text, length);
    } else if (result == TXL_OK) {
        fwrite(text, 1, length, stdout);
    }
    free(text);
    return result;
}

int cmd_check(struct cli *cli, struct check_args *a)
{
    if (!cli_given(cli, "engine")) {
        a->check.engine = TXL_ENGINE_REFERENCE;
    } else if (a->check.engine == TXL_ENGINE_AUTO) {
        /* Users of check want to know which engine it was. */
        return cli_fail(cli, "--engine: 'auto' is none of compiled, fast, reference");
    }
    if (a->record) {
        a->how.thread = cli_given(cli, "thread") ? a->how.thread : 1;
        return record(a);
    }
    if (a->out != NULL || a->how.initial != NULL) {
        return cli_fail(cli, "--out and --initial belong to --record");
    }
    return run_vectors(a);
}
