/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands share, and what a wrong one is answered. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/isa.h>

/* Finds the option that a long name means: the exact one, or the only one that begins with it. */
static const struct argp_option *find_long(const struct argp_option *options, const char *name,
                                           size_t length)
{
    const struct argp_option *found = NULL;
    unsigned count = 0;
    for (const struct argp_option *o = options; o->name != NULL || o->doc != NULL; o++) {
        if (o->name == NULL || strncmp(o->name, name, length) != 0) {
            continue;
        }
        if (strlen(o->name) == length) {
            return o;
        }
        found = o;
        count++;
    }
    return count == 1 ? found : NULL;
}

static int wrong_long(struct cli *cli, const struct argp_option *options, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *names[64];
    size_t count = 0;
    for (const struct argp_option *o = options; o->name != NULL || o->doc != NULL; o++) {
        if (o->name != NULL && count < 64) {
            names[count++] = o->name;
        }
    }
    const char *near = txl_nearest(name, names, count);
    if (near != NULL) {
        return cli_fail(cli, "unknown option '--%s'; did you mean '--%s'?", name, near);
    }
    return cli_fail(cli, "unknown option '--%s'; see 'tensix %s --help'", name, cli->command);
}

static const struct argp_option *find_short(const struct argp_option *options, char letter)
{
    for (const struct argp_option *o = options; o->name != NULL || o->doc != NULL; o++) {
        if (o->key == letter) {
            return o;
        }
    }
    return NULL;
}

/* Checks a group of short options. *skip: the next word is the last option's value. */
static int check_short(struct cli *cli, const struct argp_option *options, const char *word,
                       bool last, bool *skip)
{
    for (const char *p = word; *p != '\0'; p++) {
        const struct argp_option *o = find_short(options, *p);
        if (o == NULL) {
            return cli_fail(cli, "unknown option '-%c'; see 'tensix %s --help'", *p, cli->command);
        }
        if (o->arg != NULL && (o->flags & OPTION_ARG_OPTIONAL) == 0) {
            if (p[1] != '\0') {
                return CLI_CONTINUE;
            }
            if (last) {
                return cli_fail(cli, "option '-%c' needs a value", *p);
            }
            *skip = true;
        }
    }
    return CLI_CONTINUE;
}

static int check_long(struct cli *cli, const struct argp_option *options, const char *word,
                      bool last, bool *skip)
{
    size_t length = strcspn(word, "=");
    const struct argp_option *o = find_long(options, word, length);
    if (o == NULL) {
        return wrong_long(cli, options, word);
    }
    bool has_value = word[length] == '=';
    if (o->arg == NULL && has_value) {
        return cli_fail(cli, "option '--%s' takes no value", o->name);
    }
    if (o->arg != NULL && (o->flags & OPTION_ARG_OPTIONAL) == 0 && !has_value) {
        if (last) {
            return cli_fail(cli, "option '--%s' needs a value", o->name);
        }
        *skip = true;
    }
    return CLI_CONTINUE;
}

static int check_options(struct cli *cli, const struct argp_option *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        bool skip = false;
        int result = CLI_CONTINUE;
        if (strcmp(word, "--") == 0) {
            break;
        }
        if (word[0] == '-' && word[1] == '-') {
            result = check_long(cli, options, word + 2, i + 1 == argc, &skip);
        } else if (word[0] == '-' && word[1] != '\0') {
            result = check_short(cli, options, word + 1, i + 1 == argc, &skip);
        }
        if (result != CLI_CONTINUE) {
            return result;
        }
        i += skip ? 1 : 0;
    }
    return CLI_CONTINUE;
}

int cli_parse(struct cli *cli, const struct argp *argp, int argc, char **argv, void *input)
{
    cli->argp = argp;
    int result = check_options(cli, argp->options, argc, argv);
    if (result != CLI_CONTINUE) {
        return result;
    }
    error_t error =
        argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input);
    if (cli->helped) {
        return CLI_OK;
    }
    if (cli->failed || cli->error.status != TXL_OK) {
        return cli_report(cli, CLI_INPUT);
    }
    if (error != 0) {
        return cli_fail(cli, "the command line was not understood; see 'tensix %s --help'",
                        cli->command);
    }
    return CLI_CONTINUE;
}

static bool printable(int key)
{
    return key > ' ' && key < 127;
}

/* Prints the options of a command as JSON: completions are made of it (scripts/completions.py). */
static void print_options(struct cli *cli)
{
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (const struct argp_option *o = cli->argp->options; o->name != NULL || o->doc != NULL; o++) {
        const char letter[2] = {(char)o->key, '\0'};
        if (o->name == NULL) {
            continue;
        }
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "name", o->name);
        txl_json_set_text(one, "short", printable(o->key) ? letter : NULL);
        txl_json_set_text(one, "argument", o->arg);
        txl_json_set_bool(one, "optional", (o->flags & OPTION_ARG_OPTIONAL) != 0);
        txl_json_set_text(one, "text", o->doc);
        txl_json_append(list, one);
    }
    txl_json_set_text(root, "command", cli->command);
    txl_json_set_text(root, "arguments", cli->argp->args_doc);
    txl_json_set(root, "options", list);
    (void)cli_json(cli, root);
}

error_t cli_common(struct cli *cli, int key)
{
    if (key == CLI_KEY_JSON) {
        cli->json = true;
        return 0;
    }
    if (key == 'h' && cli->json) {
        print_options(cli);
        cli->helped = true;
        return ECANCELED;
    }
    if (key == 'h') {
        char name[64];
        snprintf(name, sizeof name, "tensix %s", cli->command);
        argp_help(cli->argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
        cli->helped = true;
        return ECANCELED;
    }
    return ARGP_ERR_UNKNOWN;
}

int cli_arch(struct cli *cli, const char *text, enum tx_arch *arch)
{
    return txl_parse_arch(&cli->error, text, arch);
}

int cli_dst(struct cli *cli, const char *option, const char *text, enum tx_dst_format *format)
{
    return tx_dst_format_parse(text, format) == TX_OK
               ? 0
               : cli_fail(cli,
                          "%s: '%s' is none of fp32, bf16, fp16, int32, int16, int8, uint32, "
                          "uint16, uint8, int32-sm, int16-sm, uint16-dst32",
                          option, text);
}

int cli_start(struct cli *cli, const char *text, enum tx_start *start)
{
    return tx_start_parse(text, start) == TX_OK
               ? 0
               : cli_fail(cli, "--start is vendor or reset, not '%s'", text);
}

int cli_only(struct cli *cli, const char *what, const char *text, const char **only)
{
    if (*only != NULL) {
        return cli_fail(cli, "one %s at a time: '%s' is the second", what, text);
    }
    *only = text;
    return 0;
}

int cli_thread(struct cli *cli, const char *text, unsigned *thread)
{
    return tx_thread_parse(text, thread) == TX_OK
               ? 0
               : cli_fail(cli, "--thread: '%s' is none of 0, 1, 2, unpack, math, pack", text);
}

int cli_unsigned(struct cli *cli, const char *option, const char *text, uint64_t high,
                 uint64_t *value)
{
    int64_t number = 0;
    int64_t limit = high > INT64_MAX ? INT64_MAX : (int64_t)high;
    if (!txl_number(text, 0, limit, &number)) {
        return cli_fail(cli, "%s: '%s' is not a number from 0 to %lld", option, text,
                        (long long)limit);
    }
    *value = (uint64_t)number;
    return 0;
}

int cli_add(struct cli *cli, struct cli_list *list, unsigned most, const char *option,
            const char *text)
{
    if (list->count == most) {
        return cli_fail(cli, "more than %u %s", most, option);
    }
    list->text[list->count++] = text;
    return 0;
}

int cli_rules(struct cli *cli, const struct cli_list *rules, struct tx_settings *settings)
{
    for (unsigned i = 0; i < rules->count; i++) {
        const enum tx_status status = tx_settings_rule(settings, rules->text[i]);
        if (status != TX_OK) {
            return cli_fail(cli, "--rule: no such %s: '%s'; 'tensix isa' lists them",
                            status == TX_ENOENT ? "rule" : "value", rules->text[i]);
        }
    }
    return 0;
}

bool cli_headers(char include[512])
{
    static const char *const places[] = {"/include", "/../include"};
    char self[256];
    const ssize_t count = readlink("/proc/self/exe", self, sizeof self - 1);
    bool found = false;
    self[count > 0 ? count : 0] = '\0';
    const int folder = count > 0 ? (int)(strrchr(self, '/') - self) : 0;
    for (unsigned i = 0; count > 0 && i < 2 && !found; i++) {
        char header[512];
        snprintf(include, 512, "%.*s%s", folder, self, places[i]);
        snprintf(header, sizeof header, "%.400s/tensix/ckernel_ops.h", include);
        found = access(header, R_OK) == 0;
    }
    return found;
}

error_t cli_flag(struct cli *cli, const char **flags, unsigned *count, int key, const char *value)
{
    if (*count + 2 > CLI_FLAGS) {
        return cli_fail(cli, "too many -I and -D");
    }
    flags[(*count)++] = key == 'I' ? "-I" : "-D";
    flags[(*count)++] = value;
    return 0;
}

void cli_tell(void *user, const char *text)
{
    (void)user;
    fputs(text, stderr);
}
