/* SPDX-License-Identifier: Apache-2.0 */
/* tensix schedule: a kernel's rows pipelined with SFPLOADMACRO; tensix opt: expand before it. */
#include "cli.h"
#include "ending.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/opt.h>
#include <tensix-lab/schedule.h>

#include "print/progress.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct rewrite_args *a = user;
    if (total != 0 && !a->bar.shown) {
        progress_start(&a->bar, !a->no_progress, total, "inputs");
    }
    return interrupted == 0 && (total == 0 || progress_call(&a->bar, done, total));
}

int cli_schedule_reserve(struct cli *cli, void *args, const struct cli_option *option,
                         const char *text)
{
    struct schedule_args *a = args;
    (void)option;
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        if (strncmp(at, "dst", 3) == 0 && (at[3] == ',' || at[3] == '\0')) {
            a->how.keep_dst = 1;
            at += 3;
            continue;
        }
        const char kind = *at++;
        const unsigned number = (unsigned)(*at - '0');
        const unsigned most = kind == 'L' || kind == 'l' ? 7 : 3;
        if (strchr("LlTtSs", kind) == NULL || number > most || (at[1] != ',' && at[1] != '\0')) {
            return cli_fail(cli, "--reserve takes L0..L7, t0..t3, s0..s3 and dst: %s", text);
        }
        at++;
        if (most == 7) {
            a->how.registers |= 1U << number;
        } else {
            unsigned *first = kind == 't' || kind == 'T' ? &a->how.templates : &a->how.sequences;
            *first = number + 1 > *first ? number + 1 : *first;
        }
    }
    return 0;
}

static int write_text(struct cli *cli, const char *path, const char *text)
{
    return path != NULL ? txl_write_file(&cli->error, path, text, strlen(text)) : CLI_OK;
}

/* Loads the kernel, and lets Ctrl-C end the search from here on. */
static int schedule_begin(struct cli *cli, const char *file, const struct rewrite_args *a,
                          struct tx_program **program)
{
    (void)signal(SIGINT, on_interrupt);
    return cli_kernel(cli, file, a->arch, program);
}

static int schedule_end(int result, struct tx_program *program)
{
    ending_watch();
    if (result == TXL_CANCELLED) {
        (void)raise(SIGINT); /* there is no result yet: end as any other command */
    }
    tx_program_free(program);
    return result;
}

int cmd_schedule(struct cli *cli, struct schedule_args *a)
{
    struct txl_error *err = &cli->error;
    struct tx_program *program = NULL;
    txl_schedule *made = NULL;
    a->how.name = a->words.text[0];
    a->how.progress = watch;
    a->how.user = &a->rewrite;
    int result = schedule_begin(cli, a->how.name, &a->rewrite, &program);
    result = result == CLI_OK ? txl_schedule_find(err, program, &a->how, &made) : result;
    progress_end(&a->rewrite.bar);
    if (result == CLI_OK) {
        result = write_text(cli, a->rewrite.out, txl_schedule_text(made));
    }
    if (result == CLI_OK) {
        result = cli->json ? cli_json(cli, txl_schedule_json(err, made))
                           : cli_put(cli, txl_schedule_report(made));
    }
    txl_schedule_close(made);
    return schedule_end(result, program);
}

int cmd_opt(struct cli *cli, struct opt_args *a)
{
    struct txl_error *err = &cli->error;
    struct tx_program *program = NULL;
    txl_opt *made = NULL;
    a->how.name = a->words.text[0];
    a->how.progress = watch;
    a->how.user = &a->rewrite;
    int result = schedule_begin(cli, a->how.name, &a->rewrite, &program);
    result = result == CLI_OK ? txl_opt_find(err, program, &a->how, &made) : result;
    progress_end(&a->rewrite.bar);
    char *header = result == CLI_OK && a->header != NULL ? txl_opt_header(err, made) : NULL;
    if (result == CLI_OK && a->header != NULL) {
        result = header != NULL ? write_text(cli, a->header, header) : err->status;
    }
    free(header);
    if (result == CLI_OK) {
        result = write_text(cli, a->rewrite.out, txl_opt_text(made));
    }
    if (result == CLI_OK) {
        result =
            cli->json ? cli_json(cli, txl_opt_json(err, made)) : cli_put(cli, txl_opt_report(made));
    }
    txl_opt_close(made);
    return schedule_end(result, program);
}
