/* SPDX-License-Identifier: Apache-2.0 */
/* tensix card: runs any program with an emulated card. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/card.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Writes and shows what the processes have reported. Returns CLI_OK, or why not. */
static int write_report(const struct card_args *a, const struct card_result *done)
{
    const struct txl_card_ended ended = {.size = sizeof ended,
                                         .command = (const char *const *)a->words.text,
                                         .session = (const char *const *)done->report,
                                         .sessions = done->reports,
                                         .lost = done->lost,
                                         .status = done->status,
                                         .seconds = done->seconds};
    char *text = txl_card_report(&a->cli->error, &ended);
    int result = text == NULL        ? TXL_INPUT
                 : a->report != NULL ? txl_card_file(&a->cli->error, a->report, text)
                                     : TXL_OK;
    if (result == TXL_OK && a->how.profile && !a->cli->json) {
        char *said = txl_card_profile_text(&a->cli->error, text);
        fputs(said != NULL ? said : "", stderr);
        free(said);
    }
    free(text);
    return cli_report(a->cli, result);
}

/* Prints what has been found, and returns the status of the command. */
static int print_findings(const struct card_args *a, struct card_result *done)
{
    enum { SHOWN_MOST = 32 };
    json_t *list = json_array();
    for (unsigned i = 0; i < done->count; i++) {
        if (!a->cli->json && i < SHOWN_MOST) {
            fprintf(stderr, "tensix: %s\n", done->lines[i]);
        }
        json_array_append_new(list, json_string(done->lines[i]));
    }
    if (!a->cli->json && done->count > SHOWN_MOST) {
        fprintf(stderr, "tensix: and %u more\n", done->count - SHOWN_MOST);
    }
    if (a->cli->json) {
        json_t *all = json_pack("{s:i, s:O}", "status", done->status, "findings", list);
        (void)cli_put(a->cli, json_dumps(all, 0));
        json_decref(all);
    }
    json_decref(list);
    const int result = a->how.report ? write_report(a, done) : CLI_OK;
    card_result_free(done);
    return done->status != 0 ? done->status : result;
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
        (void)snprintf(races, PATH_MAX, "%s/tensix-races-XXXXXX", cli_scratch());
        const int file = mkstemp(races);
        if (file < 0 || close(file) != 0 || setenv("TENSIX_ORDER", races, 1) != 0) {
            return cli_fail(a->cli, "%s: %s", races, strerror(errno));
        }
    }
    return CLI_CONTINUE;
}

/* Shows what the processes have reported; returns whether there is any finding. */
static bool show_races(struct card_args *a, const char *path)
{
    size_t size = 0;
    bool any = false;
    char *text = txl_read_file(&a->cli->error, path, &size);
    for (const char *at = text; at != NULL && *at != '\0'; at += strcspn(at, "\n") + 1) {
        char *rest;
        any = any || (strtoul(at, &rest, 10) != 0 && strncmp(rest, " finding", 8) == 0);
        if (at[strcspn(at, "\n")] == '\0') {
            break;
        }
    }
    if (text != NULL) {
        fputs(text, stderr);
    }
    free(text);
    (void)unlink(path);
    return any;
}

int cmd_card(struct cli *cli, struct card_args *a)
{
    char door[PATH_MAX];
    char races[PATH_MAX];
    a->how.timed = !a->untimed;
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
    const int told = tell_processes(a, races);
    if (told != CLI_CONTINUE) {
        return told;
    }
    if (!card_run(&a->how, (char **)a->words.text, &done)) {
        return cli_fail(cli, "%s", done.text);
    }
    const bool found = races[0] != '\0' && show_races(a, races);
    const int result = print_findings(a, &done);
    return result == CLI_OK && found ? CLI_NEGATIVE : result;
}
