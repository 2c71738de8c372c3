/* SPDX-License-Identifier: Apache-2.0 */
/* The options for programs of a tile's cores, which several commands share. */
#include "cli.h"

#include <string.h>

static int add_program(struct cli *cli, struct cores_args *t, const char *text)
{
    const char *equals = strchr(text, '=');
    char name[16];
    enum tx_core core;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - text) : 15, text);
    if (equals == NULL || equals[1] == '\0') {
        return cli_fail(cli, "--elf: '%s' is not CORE=FILE", text);
    }
    if (equals - text > 15 || tx_core_parse(name, &core) != TX_OK) {
        return cli_fail(cli, "--elf: no core '%s'; there are b, t0, t1, t2, nc", name);
    }
    for (unsigned i = 0; i < t->how.program_count; i++) {
        if (t->programs.of[i].core == core) {
            return cli_fail(cli, "--elf: core %s has two programs", tx_core_name(core));
        }
    }
    t->programs.of[t->how.program_count++] = (struct txl_tensix_program){core, equals + 1};
    return 0;
}

static int add_word(struct cli *cli, const char *option, const char *text,
                    struct txl_tensix_word *words, unsigned *count)
{
    char left[24];
    int64_t address;
    int64_t value;
    const char *equals = strchr(text, '=');
    if (*count == CLI_TILE_WORDS) {
        return cli_fail(cli, "%s: more than %d", option, CLI_TILE_WORDS);
    }
    snprintf(left, sizeof left, "%.*s",
             equals != NULL && equals - text < 23 ? (int)(equals - text) : 0, text);
    if (equals == NULL || !txl_number(left, 0, UINT32_MAX, &address) ||
        !txl_number(equals + 1, INT32_MIN, UINT32_MAX, &value) || address % 4 != 0) {
        return cli_fail(cli, "%s: '%s' is not ADDRESS=VALUE of a word", option, text);
    }
    words[(*count)++] = (struct txl_tensix_word){(uint32_t)address, (uint32_t)value};
    return 0;
}

/* Parses ADDRESS=VALUE, or ADDRESS=VALUE@CYCLE for a later cycle. */
static int add_poke(struct cli *cli, struct cores_args *t, const char *text)
{
    const char *at = strchr(text, '@');
    char word[64];
    unsigned count = 0;
    struct txl_tensix_word got;
    struct txl_tensix_late *late = &t->programs.late[t->how.late_count];
    if (at == NULL) {
        return add_word(cli, "--poke", text, t->programs.pokes, &t->how.poke_count);
    }
    if (t->how.late_count == CLI_TILE_WORDS || (size_t)(at - text) >= sizeof word) {
        return cli_fail(cli, "--poke: '%s' is too long, or one more than %d", text, CLI_TILE_WORDS);
    }
    snprintf(word, sizeof word, "%.*s", (int)(at - text), text);
    int result = cli_unsigned(cli, "--poke", at + 1, INT64_MAX, &late->cycle);
    result = result == 0 ? add_word(cli, "--poke", word, &got, &count) : result;
    if (result == 0) {
        late->address = got.address;
        late->value = got.value;
        t->how.late_count++;
    }
    return result;
}

int cli_elf(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    (void)option;
    return add_program(cli, args, text);
}

int cli_poke(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    (void)option;
    return add_poke(cli, args, text);
}

int cli_until(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct cores_args *t = args;
    (void)option;
    return add_word(cli, "--until", text, t->programs.until, &t->how.until_count);
}

int cli_boot(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct cores_args *t = args;
    (void)option;
    t->how.boot_b = strcmp(text, "b") == 0 || strcmp(text, "brisc") == 0;
    return t->how.boot_b ? 0 : cli_fail(cli, "--boot: only core b can boot, not '%s'", text);
}

void cli_cores_settle(struct cores_args *t, const struct machine_args *machine)
{
    if (machine != NULL) {
        t->how.arch = machine->arch;
        t->how.strict = machine->strict;
        t->how.max_cycles = machine->max_cycles;
        t->how.l1_in = machine->l1.text;
        t->how.l1_in_count = machine->l1.count;
        t->how.l1_out = machine->l1_out.text;
        t->how.l1_out_count = machine->l1_out.count;
    }
    t->how.size = sizeof t->how;
    t->how.programs = t->programs.of;
    t->how.pokes = t->programs.pokes;
    t->how.late = t->programs.late;
    t->how.until = t->programs.until;
    t->how.scratch = cli_scratch();
}

int cli_cores_only(struct cli *cli, const struct cli_list *words, const char *const *of_kernels)
{
    const char *option = cli_first_given(cli, of_kernels);
    return words->count == 0 && option == NULL
               ? CLI_CONTINUE
               : cli_fail(cli, "%s%s: is a kernel's, and --elf are programs of a tile's cores",
                          words->count != 0 ? "" : "--",
                          words->count != 0 ? words->text[0] : option);
}
