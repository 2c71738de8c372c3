/* SPDX-License-Identifier: Apache-2.0 */
/* tensix card: runs any program with an emulated card. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/card.h>
#include <tensix-lab/order.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Prints what has been found, and returns the status of the command. order: of races, or NULL. */
static int card_say(const struct card_args *a, const struct card_result *done, txl_order *order)
{
    struct txl_error *err = &a->cli->error;
    char *races = order != NULL ? txl_order_json_text(order) : NULL;
    const struct txl_card_ended ended = {.size = sizeof ended,
                                         .command = (const char *const *)a->words.text,
                                         .session = (const char *const *)done->report,
                                         .sessions = done->reports,
                                         .lost = done->lost,
                                         .status = done->status,
                                         .seconds = done->seconds,
                                         .races = races,
                                         .finding = (const char *const *)done->lines,
                                         .findings = done->count};
    char *report = a->how.report ? txl_card_report(err, &ended) : NULL;
    int result = a->how.report && report == NULL ? TXL_INPUT
                 : a->report != NULL             ? txl_card_file(err, a->report, report)
                                                 : TXL_OK;
    if (result == TXL_OK && a->profile != NULL) {
        result = txl_card_profile_file(err, a->profile, report);
    }
    if (a->cli->json) {
        (void)cli_put(a->cli, txl_card_json(&ended));
    } else {
        char *text[] = {txl_card_text(&ended), order != NULL ? txl_order_text(order) : NULL,
                        result == TXL_OK && a->how.profile ? txl_card_profile_text(err, report)
                                                           : NULL};
        for (unsigned i = 0; i < sizeof text / sizeof text[0]; i++) {
            fputs(text[i] != NULL ? text[i] : "", stderr);
            free(text[i]);
        }
    }
    free(report);
    free(races);
    return done->status != 0 ? done->status : cli_report(a->cli, result);
}

int cli_card_name(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct card_args *a = args;
    (void)option;
    a->product = text;
    return card_product(text, &a->how)
               ? 0
               : cli_fail(cli,
                          "--product: %s is none of p150a, p150b, p150c, p150, p100a, p100, n150, "
                          "n300",
                          text);
}

/* Processes with a card are told by their environment what to watch, and how to run. */
static int tell_processes(struct card_args *a, char races[PATH_MAX])
{
    char path[PATH_MAX];
    races[0] = '\0';
    if (a->delays != NULL &&
        (realpath(a->delays, path) == NULL || setenv("TENSIX_DELAYS", path, 1) != 0)) {
        return cli_fail(a->cli, "--delays: %s: %s", a->delays, strerror(errno));
    }
    if (a->races) {
        const int made = cli_order_file(a->cli, races);
        return made != CLI_CONTINUE || setenv("TENSIX_ORDER", races, 1) == 0
                   ? made
                   : cli_fail(a->cli, "out of memory");
    }
    return CLI_CONTINUE;
}

int cmd_card(struct cli *cli, struct card_args *a)
{
    char door[PATH_MAX];
    char races[PATH_MAX];
    a->how.timed = !a->untimed;
    a->how.profile = cli_given(cli, "profile");
    a->how.events = a->profile != NULL && ends_with(a->profile, ".noc.json");
    a->how.report = a->report != NULL || a->how.profile;
    if (a->how.profile && (a->untimed || a->door != NULL || a->races)) {
        return cli_fail(cli, "--profile goes with none of --untimed, --door and --races");
    }
    if (a->report != NULL && !ends_with(a->report, ".html") && !ends_with(a->report, ".json")) {
        return cli_fail(cli, "--report: the name of the file ends in .html or .json");
    }
    if (a->product == NULL && a->arch == TX_WORMHOLE) {
        (void)card_product("n150", &a->how);
    }
    if (a->arch != TX_ARCH_NONE && (a->arch == TX_WORMHOLE) != card_is_wormhole(&a->how)) {
        return cli_fail(cli, "--product %s has another chip than --arch says", a->product);
    }
    if (a->door != NULL) {
        if (realpath(a->door, door) == NULL || strlen(door) >= sizeof a->how.door) {
            return cli_fail(cli, "--door: %s: %s", a->door, strerror(errno));
        }
        strcpy(a->how.door, door);
    }
    if (a->door != NULL && a->how.chips != 1) {
        return cli_fail(cli, "--door: that interface has one chip; --chips does not go with it");
    }
    struct card_result done;
    int told = cli_order_unasked(cli, &a->order, a->races);
    told = told == CLI_CONTINUE ? tell_processes(a, races) : told;
    if (told != CLI_CONTINUE) {
        return told;
    }
    if (!card_run(&a->how, (char **)a->words.text, &done)) {
        return cli_fail(cli, "%s", done.text);
    }
    txl_order *order = a->races ? cli_order_read(cli, races) : NULL;
    const int judged = order != NULL ? txl_order_give(&cli->error, order, &a->order.how) : CLI_OK;
    const int result = card_say(a, &done, order);
    txl_order_close(order);
    card_result_free(&done);
    return cli->error.status != TXL_OK ? cli->error.status : result == CLI_OK ? judged : result;
}
