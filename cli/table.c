/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <string.h>

#define END(name)    \
    ROW_##name##_end \
    }                \
    ;

/* The number of each row. */
#define SHARED(name) enum {
#define COMMAND(name, ...) enum {
#define LAB(name, type, member) ROW_##name##_##member##_size,
#define SIZED(name, set, member) ROW_##name##_##set##_##member##_size,
#define BEFORE(name, member, function) ROW_##name##_##member##_before,
#define OPTION(name, option, ...) ROW_##name##_##option,
#define FIELD(name, option, ...) ROW_##name##_##option,
#define LISTS(name, option, ...) ROW_##name##_##option,
#define CALLS(name, option, ...) ROW_##name##_##option,
#define TAKE(name, set, option, ...) ROW_##name##_##option,
#define TAKE_AS(name, set, row, option, ...) ROW_##name##_##option,
#define ALIAS(name, option, ...) ROW_##name##_##option,
#include "commands.def"

/* BEFORE takes functions of the member's type. */
#define COMMAND(name, ...)                             \
    static int run_##name(struct cli *cli, void *args) \
    {                                                  \
        return cmd_##name(cli, args);                  \
    }
#define BEFORE(name, member, function)               \
    static void before_##name##_##member(void *from) \
    {                                                \
        function(from);                              \
    }
#include "commands.def"

#define KIND_FLAG .kind = CLI_FLAG
#define KIND_TEXT .kind = CLI_TEXT
#define KIND_MAYBE .kind = CLI_MAYBE
#define KIND_NUMBER(high) .kind = CLI_NUMBER, .most = (high)
#define KIND_RANGE(low, without, high) \
    .kind = CLI_NUMBER, .least = (low), .usual = (without), .most = (high)
#define KIND_REAL .kind = CLI_REAL
#define KIND_LIST(high) .kind = CLI_LIST, .most = (high)
#define KIND_CHOICE .kind = CLI_CHOICE
#define KIND_PICK .kind = CLI_PICK
#define KIND_SPAN(high) .kind = CLI_SPAN, .most = (high)
#define KIND_ARCH .kind = CLI_ARCH
#define KIND_DST .kind = CLI_DST
#define KIND_START .kind = CLI_START
#define KIND_THREAD .kind = CLI_THREAD
#define KIND_ENGINE .kind = CLI_ENGINE
#define KIND_FORMAT .kind = CLI_FORMAT
#define KIND_TILE .kind = CLI_TILE

#define AT(name, member) offsetof(struct name##_args, member)
#define BYTES(name, member) sizeof(((struct name##_args *)0)->member)
#define SHARED(name) static const struct cli_option name##_rows[] = {
#define COMMAND(name, ...) static const struct cli_option name##_rows[] = {
#define LAB(name, type, member) {.kind = CLI_SIZE, .place = AT(name, member), .most = sizeof(type)},
#define BEFORE(name, member, function) \
    {.kind = CLI_BEFORE, .place = AT(name, member), .before = before_##name##_##member},
#define FIELD(name_, option, kind, member, takes, key, set, help) \
    {.name = #option,                                             \
     KIND_##kind,                                                 \
     .place = AT(name_, member),                                  \
     .size = BYTES(name_, member),                                \
     .argument = (takes),                                         \
     .letter = (key),                                             \
     .group = (set),                                              \
     .text = (help)},
#define OPTION(name, option, kind, ...) FIELD(name, option, kind, option, __VA_ARGS__)
#define LISTS(name_, option, high, member, number, takes, key, set, help) \
    {.name = #option,                                                     \
     .kind = CLI_LISTS,                                                   \
     .most = (high),                                                      \
     .place = AT(name_, member),                                          \
     .size = BYTES(name_, number),                                        \
     .count = AT(name_, number),                                          \
     .argument = (takes),                                                 \
     .letter = (key),                                                     \
     .group = (set),                                                      \
     .text = (help)},
#define CALLS(name_, option, function, takes, key, set, help) \
    {.name = #option,                                         \
     .kind = CLI_CALL,                                        \
     .call = (function),                                      \
     .argument = (takes),                                     \
     .letter = (key),                                         \
     .group = (set),                                          \
     .text = (help)},
#define TAKE(name_, from, option, set) \
    {.shared = &from##_rows[ROW_##from##_##option], .place = AT(name_, from), .group = (set)},
#define SIZED(name_, from, member) \
    {.shared = &from##_rows[ROW_##from##_##member##_size], .place = AT(name_, from)},
#define TAKE_AS(name_, from, row, option, takes, set, help) \
    {.shared = &from##_rows[ROW_##from##_##row],            \
     .place = AT(name_, from),                              \
     .name = #option,                                       \
     .argument = (takes),                                   \
     .group = (set),                                        \
     .text = (help)},
#define ALIAS(name_, option, of) {.name = #option, .kind = CLI_ALIAS, .most = ROW_##name_##_##of},
#define END(name) \
    }             \
    ;             \
    _Static_assert((int)ROW_##name##_end <= (int)CLI_OPTIONS, #name " has too many rows");
#include "commands.def"

#define FAMILY(name_, help) {.name = #name_, .text = (help)},
#define COMMAND(name_, low, high, words, takes, about, more) \
    {.name = #name_,                                         \
     .arguments = (takes),                                   \
     .text = (about),                                        \
     .help = (more),                                         \
     .what = (words),                                        \
     .least = (low),                                         \
     .most = (high),                                         \
     .run = run_##name_,                                     \
     .size = sizeof(struct name_##_args),                    \
     .options = name_##_rows,                                \
     .count = sizeof name_##_rows / sizeof name_##_rows[0]},
const struct cli_command cli_commands[] = {
#include "commands.def"
};
const unsigned cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

#define EXAMPLE(name, ends, text) {.command = #name, .line = (text)},
#define READ(name, document) {.command = #name, .where = (document)},
const struct cli_example cli_examples[] = {
#include "examples.def"
};
const unsigned cli_example_count = sizeof cli_examples / sizeof cli_examples[0];

/* Finds a command by its name, which has blanks for _; NULL: there is none. */
const struct cli_command *cli_find(const char *name)
{
    for (unsigned i = 0; i < cli_command_count; i++) {
        const char *p = cli_commands[i].name;
        const char *q = name;
        while (*p != '\0' && (*p == *q || (*p == '_' && *q == ' '))) {
            p++;
            q++;
        }
        if (*p == '\0' && *q == '\0') {
            return &cli_commands[i];
        }
    }
    return NULL;
}
