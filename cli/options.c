/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t least3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits between words of up to 47 letters; two letters that changed places are one. */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 48 };
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la >= MOST || lb >= MOST) {
        return MOST;
    }
    size_t rows[3][MOST];
    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = least3(above[j] + 1, row[j - 1] + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                size_t swapped = rows[(i - 2) % 3][j - 2] + 1;
                row[j] = swapped < row[j] ? swapped : row[j];
            }
        }
    }
    return rows[la % 3][lb];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least = 1 + strlen(word) / 3;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d <= least && (best == NULL || d < least)) {
            best = names[i];
            least = d;
        }
    }
    return best;
}

/* The option a long name means: exact, or the only one that begins so. */
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
    const char *near = cli_nearest(name, names, count);
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

/* A group of short options; *skip is set where the next word is the value of the last. */
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
    if (cli->failed) {
        return CLI_INPUT;
    }
    if (error != 0) {
        return cli_fail(cli, "the command line was not understood; see 'tensix %s --help'",
                        cli->command);
    }
    return CLI_CONTINUE;
}

error_t cli_common(struct cli *cli, int key)
{
    if (key == CLI_KEY_JSON) {
        cli->json = true;
        return 0;
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
    switch (tx_arch_parse(text, arch)) {
    case TX_OK:
        return 0;
    case TX_EUNSUPPORTED:
        *arch = TX_ARCH_NONE;
        return cli_fail(cli, "%s: not modelled; blackhole (bh) and wormhole_b0 (wh) are", text);
    default:
        *arch = TX_ARCH_NONE;
        return cli_fail(cli, "%s: no such chip; there are blackhole (bh) and wormhole_b0 (wh)",
                        text);
    }
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

const char *cli_dst_text(enum tx_dst_format format, char text[80])
{
    const char *encoding = tx_dst_encoding_name(format);
    snprintf(text, 80, "%s%s%s%s", tx_dst_format_name(format), encoding[0] != '\0' ? " (" : "",
             encoding, encoding[0] != '\0' ? ")" : "");
    return text;
}

const char *cli_start_name(const struct tx_program *program)
{
    return tx_start_name(program->start == TX_START_UNSET ? TX_START_RESET : program->start);
}

const char *cli_start_text(const struct tx_program *program)
{
    return program->start == TX_START_VENDOR ? ", start vendor" : "";
}

void cli_formats(const struct tx_program *program, struct tx_kernel_options *options)
{
    if (options->dst == TX_DST_UNSET) {
        options->dst = program->dst != TX_DST_UNSET ? program->dst : TX_DST_FP32;
    }
    if (options->out == TX_DST_UNSET) {
        options->out = program->out != TX_DST_UNSET ? program->out : options->dst;
    }
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

bool cli_number(const char *text, int64_t low, int64_t high, int64_t *value)
{
    if (text[0] == '\0' || strchr(" \t\n\v\f\r", text[0]) != NULL) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (errno != 0 || *end != '\0' || number < low || number > high) {
        return false;
    }
    *value = number;
    return true;
}

int cli_unsigned(struct cli *cli, const char *option, const char *text, uint64_t high,
                 uint64_t *value)
{
    int64_t number = 0;
    int64_t limit = high > INT64_MAX ? INT64_MAX : (int64_t)high;
    if (!cli_number(text, 0, limit, &number)) {
        return cli_fail(cli, "%s: '%s' is not a number from 0 to %lld", option, text,
                        (long long)limit);
    }
    *value = (uint64_t)number;
    return 0;
}
