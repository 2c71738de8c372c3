/* SPDX-License-Identifier: Apache-2.0 */
/* Parses command lines by the rows of commands.def, and tells options to people and programs. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/isa.h>

enum { KEY_ROW = 0x1000, KEY_JSON = 0x2000, MOST = CLI_OPTIONS + 3, FORMAT_WORDS = 160 };

/* What argp is told of a command, and what its parser needs. */
struct parse {
    struct cli *cli;
    const struct cli_command *command;
    char *args;                          /* the command's struct */
    struct cli_option rows[CLI_OPTIONS]; /* those of shared sets as the command has them */
    char names[CLI_OPTIONS][32];         /* as they are written */
    struct argp_option options[MOST];
};

/* Returns the row that stands for this one, with its place in the command's struct. */
static struct cli_option resolve(const struct cli_option *row)
{
    if (row->shared == NULL) {
        return *row;
    }
    struct cli_option one = *row->shared;
    one.place += row->place;
    one.count += row->place;
    one.group = row->group;
    if (row->name != NULL) {
        one.name = row->name;
        one.argument = row->argument;
        one.text = row->text;
    }
    return one;
}

static void prepare(struct parse *p)
{
    unsigned count = 0;
    for (unsigned i = 0; i < p->command->count; i++) {
        struct cli_option *row = &p->rows[i];
        *row = resolve(&p->command->options[i]);
        if (row->name == NULL) {
            continue;
        }
        for (unsigned c = 0; row->name[c] != '\0' && c + 1 < sizeof p->names[i]; c++) {
            p->names[i][c] = row->name[c];
            if (row->name[c] == '_') {
                p->names[i][c] = '-';
            }
        }
        p->options[count++] =
            (struct argp_option){p->names[i],   row->letter != 0 ? row->letter : KEY_ROW + (int)i,
                                 row->argument, row->kind == CLI_MAYBE ? OPTION_ARG_OPTIONAL : 0,
                                 row->text,     row->group};
        if (row->kind == CLI_ALIAS) {
            p->options[count - 1].key = KEY_ROW + (int)row->most;
            p->options[count - 1].flags = OPTION_ALIAS;
        }
    }
    p->options[count++] = (struct argp_option){
        "json", KEY_JSON, NULL, 0, "Results and errors as one JSON object on stdout", 90};
    p->options[count++] = (struct argp_option){"help", 'h', NULL, 0, "Give this help", 91};
    p->options[count] = (struct argp_option){0};
}

/* ---- values ---- */

static int store(char *at, size_t size, uint64_t value)
{
    const uint8_t small = (uint8_t)value;
    const uint32_t middle = (uint32_t)value;
    memcpy(at, size == 1 ? (const void *)&small : size == 4 ? (const void *)&middle : &value, size);
    return 0;
}

static int take_number(struct cli *cli, const struct cli_option *o, const char *name,
                       const char *text, char *at)
{
    int64_t number = 0;
    const int64_t most = o->most > INT64_MAX ? INT64_MAX : (int64_t)o->most;
    return txl_number(text, (int64_t)o->least, most, &number)
               ? store(at, o->size, (uint64_t)number)
               : cli_fail(cli, "--%s: '%s' is not a number from %llu to %lld", name, text,
                          (unsigned long long)o->least, (long long)most);
}

static int take_real(struct cli *cli, const char *name, const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return *text != '\0' && *end == '\0' && *value >= 0.0 && !isinf(*value)
               ? 0
               : cli_fail(cli, "--%s: '%s' is no number from 0 on", name, text);
}

static int take_span(struct cli *cli, const struct cli_option *o, const char *name,
                     const char *text, struct cli_span *span)
{
    unsigned first = 0;
    unsigned last = 0;
    int end = 0;
    const int got = strlen(text) > 5 ? 0 : sscanf(text, "%2u%n-%2u%n", &first, &end, &last, &end);
    last = got == 1 ? first : last;
    *span = (struct cli_span){first, last};
    return got < 1 || text[end] != '\0' || first > last || last > o->most
               ? cli_fail(cli, "--%s: '%s' is not N or N-M from 0 to %u", name, text,
                          (unsigned)o->most)
               : 0;
}

/* Finds a text among the words that the option's argument names, as in "flat|tiles". */
static int take_word(struct cli *cli, const struct cli_option *o, const char *name,
                     const char *text, char *at)
{
    const size_t length = strlen(text);
    unsigned number = o->kind == CLI_PICK ? 1 : 0;
    char words[FORMAT_WORDS];
    size_t used = 0;
    for (const char *word = o->argument; *word != '\0'; number++) {
        const size_t end = strcspn(word, "|");
        if (end == length && strncmp(word, text, end) == 0) {
            return store(at, o->size, number);
        }
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%.*s", used != 0 ? ", " : "",
                                 (int)end, word);
        word += end + (word[end] == '|' ? 1 : 0);
    }
    const bool several = strchr(words, ',') != NULL;
    return cli_fail(cli, "--%s: '%s' is %s %s", name, text, several ? "none of" : "not", words);
}

static int options_add(struct cli *cli, unsigned row, const char *name, uint64_t most,
                       const char *text, struct cli_list *list)
{
    if (list->count == most) {
        return cli_fail(cli, "more than %llu --%s", (unsigned long long)most, name);
    }
    list->text = cli->pool + (size_t)row * cli->room;
    list->text[list->count++] = text;
    return 0;
}

/* Adds to a list of the lab library, whose count has the size that the row says. */
static int add_there(struct parse *p, unsigned row, const char *text)
{
    const struct cli_option *o = &p->rows[row];
    struct cli_list list = {.count = p->cli->counts[row]};
    const int result = options_add(p->cli, row, p->names[row], o->most, text, &list);
    if (result == 0) {
        p->cli->counts[row] = list.count;
        memcpy(p->args + o->place, &list.text, sizeof list.text);
        (void)store(p->args + o->count, o->size, list.count);
    }
    return result;
}

static int cli_options_take(struct parse *p, unsigned row, const char *text)
{
    const struct cli_option *o = &p->rows[row];
    struct cli *cli = p->cli;
    const char *name = p->names[row];
    char option[48];
    void *at = p->args + o->place;
    snprintf(option, sizeof option, "--%s", name);
    p->cli->given[row] = true;
    switch (o->kind) {
    case CLI_FLAG:
        return store(at, o->size, 1);
    case CLI_TEXT:
    case CLI_MAYBE:
        memcpy(at, &text, sizeof text);
        return 0;
    case CLI_NUMBER:
        return take_number(cli, o, name, text, at);
    case CLI_REAL:
        return take_real(cli, name, text, at);
    case CLI_LIST:
        return options_add(cli, row, name, o->most, text, at);
    case CLI_LISTS:
        return add_there(p, row, text);
    case CLI_CHOICE:
    case CLI_PICK:
        return take_word(cli, o, name, text, at);
    case CLI_SPAN:
        return take_span(cli, o, name, text, at);
    case CLI_ARCH:
        return cli_arch(cli, text, at);
    case CLI_DST:
        return cli_dst(cli, option, text, at);
    case CLI_START:
        return tx_start_parse(text, at) == TX_OK
                   ? 0
                   : cli_fail(cli, "--%s is vendor or reset, not '%s'", name, text);
    case CLI_THREAD:
        return tx_thread_parse(text, at) == TX_OK
                   ? 0
                   : cli_fail(cli, "--thread: '%s' is none of 0, 1, 2, unpack, math, pack", text);
    case CLI_ENGINE:
        return txl_engine_parse(&cli->error, text, at);
    case CLI_FORMAT:
        return txl_parse_format(&cli->error, option, text, at);
    case CLI_TILE:
        return txl_parse_tile(&cli->error, option, text, at);
    case CLI_CALL:
        return o->call(cli, at, o, text);
    case CLI_SIZE:
    case CLI_BEFORE:
    case CLI_ALIAS:
        break;
    }
    return ARGP_ERR_UNKNOWN;
}

static int take_argument(struct parse *p, const char *text)
{
    const struct cli_command *c = p->command;
    struct cli_list *words = (struct cli_list *)p->args;
    const unsigned row = CLI_OPTIONS; /* the last part of the pool */
    if (c->most == 0) {
        return cli_fail(p->cli, "'%s'%s", text, c->what);
    }
    if (c->most == CLI_REST) {
        return cli_fail(p->cli, "'%s': put -- between the options and the command", text);
    }
    if (words->count == c->most && c->most == 1) {
        return cli_fail(p->cli, "one %s at a time: '%s' is the second", c->what, text);
    }
    if (words->count == c->most) {
        return cli_fail(p->cli, "at most %u %ss: '%s' is one more", c->most, c->what, text);
    }
    return options_add(p->cli, row, c->what, c->most, text, words);
}

/* ---- wrong options ---- */

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

/* ---- help ---- */

static void add_values(const struct cli_option *o, txl_json *one)
{
    txl_json *values = txl_json_array();
    switch (o->kind) {
    case CLI_CHOICE:
    case CLI_PICK:
    case CLI_START:
        for (const char *word = o->argument; *word != '\0'; word += *word == '|') {
            const size_t end = strcspn(word, "|");
            char text[32];
            snprintf(text, sizeof text, "%.*s", (int)end, word);
            txl_json_append(values, txl_json_string(text));
            word += end;
        }
        break;
    case CLI_ARCH:
        for (unsigned i = 0; i < 4; i++) {
            static const char *const chips[] = {"bh", "wh", "blackhole", "wormhole_b0"};
            txl_json_append(values, txl_json_string(chips[i]));
        }
        break;
    case CLI_DST:
        for (enum tx_dst_format f = TX_DST_FORMAT_FP32; f < TX_DST_FORMAT_COUNT; f++) {
            txl_json_append(values, txl_json_string(tx_dst_format_name(f)));
        }
        break;
    default:
        break;
    }
    txl_json_set(one, "values", values);
}

/* The rows of examples.def: printed, or given to a message of --json. */
static void give_examples(const struct parse *p, txl_json *root)
{
    txl_json *list = txl_json_array();
    for (const struct cli_example *e = cli_examples; e < cli_examples + cli_example_count; e++) {
        if (strcmp(e->command, p->command->name) != 0) {
            continue;
        } else if (root == NULL) {
            printf(e->line ? "  %s\n" : "\nMore in docs/%s.\n", e->line ? e->line : e->where);
        } else if (e->line == NULL) {
            txl_json_set_text(root, "more", e->where);
        } else {
            txl_json_append(list, txl_json_string(e->line));
        }
    }
    txl_json_set(root, "examples", list);
}

/* Completions, manual pages and documents are made of this (scripts/command_pages.py). */
static void print_options(struct parse *p)
{
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (const struct argp_option *o = p->options; o->name != NULL; o++) {
        const char letter[2] = {(char)o->key, '\0'};
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "name", o->name);
        txl_json_set_text(one, "short", o->key > ' ' && o->key < 127 ? letter : NULL);
        txl_json_set_text(one, "argument", o->arg);
        txl_json_set_bool(one, "optional", (o->flags & OPTION_ARG_OPTIONAL) != 0);
        txl_json_set_text(one, "text", o->doc);
        if (o->key >= KEY_ROW && o->key < KEY_JSON) {
            add_values(&p->rows[o->key - KEY_ROW], one);
        }
        txl_json_append(list, one);
    }
    txl_json_set_text(root, "command", p->cli->command);
    txl_json_set_text(root, "arguments", p->command->arguments);
    txl_json_set_text(root, "text", p->command->text);
    txl_json_set_text(root, "help", p->command->help);
    txl_json_set(root, "options", list);
    give_examples(p, root);
    (void)cli_json(p->cli, root);
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
    struct parse *p = state->input;
    if (key == KEY_JSON) {
        p->cli->json = true;
        return 0;
    }
    if (key == 'h') {
        char name[64];
        snprintf(name, sizeof name, "tensix %s", p->cli->command);
        if (p->cli->json) {
            print_options(p);
        } else {
            argp_help(state->root_argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
                      name);
            puts("\nExamples:");
            give_examples(p, NULL);
        }
        p->cli->helped = true;
        return ECANCELED;
    }
    if (key == ARGP_KEY_ARG) {
        return take_argument(p, text);
    }
    for (unsigned i = 0; i < p->command->count; i++) {
        if (p->rows[i].name != NULL && p->rows[i].kind != CLI_ALIAS &&
            key == (p->rows[i].letter != 0 ? p->rows[i].letter : KEY_ROW + (int)i)) {
            return cli_options_take(p, i, text);
        }
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- the whole line ---- */

/* What a struct holds before anything is given. */
static void set_usual(struct parse *p)
{
    for (unsigned i = 0; i < p->command->count; i++) {
        const struct cli_option *o = &p->rows[i];
        char *at = p->args + o->place;
        if (o->kind == CLI_SIZE) {
            (void)store(at, sizeof(size_t), o->most);
        } else if (o->kind == CLI_BEFORE) {
            o->before(at);
        }
    }
    for (unsigned i = 0; i < p->command->count; i++) {
        const struct cli_option *o = &p->rows[i];
        char *at = p->args + o->place;
        if (o->kind == CLI_SPAN) {
            *(struct cli_span *)at = (struct cli_span){0, (unsigned)o->most};
        } else if (o->kind == CLI_NUMBER && o->usual != 0) {
            (void)store(at, o->size, o->usual);
        }
    }
}

/* Splits a line whose end is a command: that follows --, or is all where there are no options. */
static int split(struct parse *p, int argc, char **argv)
{
    struct cli_list *words = (struct cli_list *)p->args;
    int own = 1;
    if (argc > 1 && argv[1][0] != '-') {
        own = 0;
    }
    while (own != 0 && own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    for (int i = own + 1; i < argc; i++) {
        words->text[words->count++] = argv[i];
    }
    return own == 0 ? 1 : own;
}

static int parse_line(struct parse *p, int argc, char **argv)
{
    struct cli *cli = p->cli;
    const struct argp argp = {p->options, parse_key, p->command->arguments, p->command->help, NULL,
                              NULL,       NULL};
    const int own = p->command->most == CLI_REST ? split(p, argc, argv) : argc;
    int result = check_options(cli, p->options, own, argv);
    if (result != CLI_CONTINUE) {
        return result;
    }
    const error_t error =
        argp_parse(&argp, own, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, p);
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
    if (((const struct cli_list *)p->args)->count < p->command->least) {
        return cli_fail(cli,
                        p->command->least > 1 ? "two %ss are needed; see 'tensix %s --help'"
                                              : "no %s given; see 'tensix %s --help'",
                        p->command->what, cli->command);
    }
    return CLI_CONTINUE;
}

int cli_run(struct cli *cli, const struct cli_command *command, int argc, char **argv)
{
    struct parse *p = calloc(1, sizeof *p);
    cli->room = (size_t)argc + 1;
    cli->pool = calloc((CLI_OPTIONS + 1) * cli->room, sizeof *cli->pool);
    char *args = calloc(1, command->size);
    cli->parsed = p;
    int result = CLI_INPUT;
    if (p == NULL || cli->pool == NULL || args == NULL) {
        result = cli_fail(cli, "out of memory");
    } else {
        p->cli = cli;
        p->command = command;
        p->args = args;
        ((struct cli_head *)(void *)args)->cli = cli;
        ((struct cli_head *)(void *)args)->words.text = cli->pool + CLI_OPTIONS * cli->room;
        prepare(p);
        set_usual(p);
        result = parse_line(p, argc, argv);
        result = result == CLI_CONTINUE ? command->run(cli, args) : result;
    }
    cli->parsed = NULL;
    free(args);
    free(cli->pool);
    free(p);
    return result;
}

bool cli_given(const struct cli *cli, const char *name)
{
    const struct parse *p = cli->parsed;
    for (unsigned i = 0; i < p->command->count; i++) {
        if (strcmp(p->names[i], name) == 0) {
            return cli->given[i];
        }
    }
    return false;
}

const char *cli_first_given(const struct cli *cli, const char *const *names)
{
    while (*names != NULL && !cli_given(cli, *names)) {
        names++;
    }
    return *names;
}

/* ---- values of several commands ---- */

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

int cli_include(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct cli_flags *flags = &((struct compile_args *)args)->flags;
    if (flags->count + 2 > CLI_FLAGS) {
        return cli_fail(cli, "too many -I and -D");
    }
    flags->text[flags->count++] = option->letter == 'I' ? "-I" : "-D";
    flags->text[flags->count++] = text;
    return 0;
}

void cli_tell(void *user, const char *text)
{
    (void)user;
    fputs(text, stderr);
}
