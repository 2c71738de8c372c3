/* SPDX-License-Identifier: Apache-2.0 */
/* How the command reports errors: one line with file, line and column, the source line, or JSON. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/json.h>

static void print_caret(const struct txl_error *where)
{
    if (where->source[0] == '\0' || where->column == 0) {
        return;
    }
    char line[256];
    snprintf(line, sizeof line, "%s", where->source);
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++) {
        line[i] = line[i] == '\t' ? ' ' : line[i];
    }
    txl_mask_controls(line);
    if (where->column > length + 1) {
        return;
    }
    fprintf(stderr, "    %s\n    %*s^", line, (int)where->column - 1, "");
    for (unsigned i = 1; i < where->length && where->column - 1 + i < length; i++) {
        fputc('~', stderr);
    }
    fputc('\n', stderr);
}

/* Members of the library's options whose command-line options have other names. */
static const struct {
    const char *member, *option;
} option_names[] = {
    {"inputs", "in"},    {"output", "out"},  {"sets", "set"},    {"l1_in", "l1"},
    {"programs", "elf"}, {"pokes", "poke"},  {"end", "cycles"},  {"rules", "rule"},
    {"state", "resume"}, {"boot_b", "boot"}, {"out", "out-dst"}, {"elements", "element"},
};

/* Puts the option in front of the message, or behind it when a file is the cause. */
static void name_option(struct txl_error *error)
{
    char message[sizeof error->message];
    char option[sizeof error->option];
    snprintf(option, sizeof option, "%s", error->option);
    for (size_t i = 0; i < sizeof option_names / sizeof option_names[0]; i++) {
        if (strcmp(error->option, option_names[i].member) == 0) {
            snprintf(option, sizeof option, "%s", option_names[i].option);
        }
    }
    for (char *p = option; *p != '\0'; p++) {
        *p = *p == '_' ? '-' : *p;
    }
    memcpy(message, error->message, sizeof message);
    if (error->file[0] != '\0') {
        snprintf(error->message, sizeof error->message, "%.900s: give --%s", message, option);
    } else {
        snprintf(error->message, sizeof error->message, "--%s: %.900s", option, message);
    }
}

/* All JSON of the command: an object that begins with the version of its form; a list is in items.
 */
static void put_json(const char *text)
{
    const bool list = text[0] == '[';
    printf("{\"schema\": %d%s%s%s\n", CLI_JSON_SCHEMA,
           list             ? ", \"items\": "
           : text[1] == '}' ? ""
                            : ",",
           list ? text : text + 1, list ? "}" : "");
}

int cli_report(struct cli *cli, int code)
{
    struct txl_error error = cli->error;
    txl_error_clear(&cli->error);
    if (error.option[0] != '\0') {
        name_option(&error);
    }
    if (error.status == TXL_OK) {
        return code;
    }
    code = code == CLI_OK ? error.status : code;
    cli->failed = true;
    if (cli->json) {
        char *text = txl_error_json(&error, cli->command);
        put_json(text != NULL ? text
                              : "{\"error\": {\"message\": \"out of memory\", \"exit\": 2}}");
        free(text);
        return code;
    }
    fflush(stdout);
    if (error.file[0] == '\0') {
        fprintf(stderr, "tensix%s%s", cli->command[0] != '\0' ? " " : "", cli->command);
    } else {
        fprintf(stderr, "tensix: %s", error.file);
    }
    if (error.line != 0) {
        fprintf(stderr, error.column != 0 ? ":%u:%u" : ":%u", error.line, error.column);
    }
    fprintf(stderr, ": %s\n", error.message);
    if (error.line != 0 && (cli->caret || isatty(STDERR_FILENO))) {
        print_caret(&error);
    }
    return code;
}

static int report(struct cli *cli, const struct txl_where *where, int code, const char *format,
                  va_list args)
{
    cli_report(cli, code);
    txl_fail_va(&cli->error, where, code, format, args);
    return cli_report(cli, code);
}

int cli_fail(struct cli *cli, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(cli, NULL, CLI_INPUT, format, args);
    va_end(args);
    return CLI_INPUT;
}

int cli_refuse(struct cli *cli, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(cli, NULL, code, format, args);
    va_end(args);
    return code;
}

int cli_fail_at(struct cli *cli, const struct txl_where *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(cli, where, CLI_INPUT, format, args);
    va_end(args);
    return CLI_INPUT;
}

int cli_put(struct cli *cli, char *text)
{
    if (text == NULL) {
        return txl_fail(&cli->error, "out of memory");
    }
    cli->json ? put_json(text) : (void)fputs(text, stdout);
    free(text);
    return CLI_OK;
}

int cli_json(struct cli *cli, txl_json *root)
{
    const int result = cli_put(cli, txl_json_indented(root));
    txl_json_free(root);
    return result;
}

int cli_put_races(struct cli *cli, char *text, const txl_race *race, bool evidence)
{
    char *races = cli->json ? txl_race_json(race) : txl_race_text(race, evidence);
    if (text == NULL || races == NULL) {
        free(text);
        free(races);
        return cli_put(cli, NULL); /* out of memory; half of the answer is none */
    }
    if (!cli->json) {
        const int put = cli_put(cli, text);
        return cli_put(cli, races) == CLI_OK ? put : CLI_INPUT;
    }
    json_t *root = json_loads(text, 0, NULL);
    json_object_set_new(root, "races", json_loads(races, 0, NULL));
    free(text);
    free(races);
    text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    return cli_put(cli, text);
}

int cli_finish(struct cli *cli, int code)
{
    txl_compiler_close(cli->compiler);
    cli->compiler = NULL;
    code = cli_report(cli, code);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (!cli->failed) {
            fprintf(stderr, "tensix %s: standard output could not be written\n", cli->command);
        }
        return CLI_INPUT;
    }
    return code;
}
