/* SPDX-License-Identifier: Apache-2.0 */
/* tensix card: runs any program with an emulated card. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Writes what the processes have reported. Returns CLI_OK, or why not. */
static int write_report(const struct card_args *a, const struct card_result *done)
{
    json_t *sessions = json_array();
    char line[1024] = "";
    for (unsigned i = 0; i < done->reports; i++) {
        json_array_append_new(sessions, json_loads(done->report[i], 0, NULL));
    }
    for (const char **word = a->words.text; *word != NULL && strlen(line) < sizeof line - 1;
         word++) {
        const size_t n = strlen(line);
        (void)snprintf(line + n, sizeof line - n, "%s%s", n != 0 ? " " : "", *word);
    }
    txl_mask_controls(line);
    json_t *words = json_stringn_nocheck(line, strlen(line));
    json_t *all = json_pack("{s:i, s:o, s:i, s:f, s:i, s:o}", "schema", CLI_JSON_SCHEMA, "command",
                            words, "status", done->status, "seconds", done->seconds, "lost",
                            (int)done->lost, "sessions", sessions);
    char *text = json_dumps(all, 0);
    json_decref(all);
    const int result = text == NULL ? cli_fail(a->cli, "out of memory")
                       : ends_with(a->report, ".html")
                           ? txl_card_page(&a->cli->error, a->report, text)
                           : txl_write_file(&a->cli->error, a->report, text, strlen(text));
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
    const int result = a->report != NULL ? write_report(a, done) : CLI_OK;
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

int cmd_card(struct cli *cli, struct card_args *a)
{
    char door[PATH_MAX];
    a->how.timed = !a->untimed;
    a->how.report = a->report != NULL;
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
    if (!card_run(&a->how, (char **)a->words.text, &done)) {
        return cli_fail(cli, "%s", done.text);
    }
    return print_findings(a, &done);
}
