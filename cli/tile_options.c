/* SPDX-License-Identifier: Apache-2.0 */
/* The options for programs of a tile's cores, which several commands share. */
#include "cli.h"

#include <string.h>

static int add_program(struct cli *cli, struct cli_tile *t, const char *text)
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
        if (t->programs[i].core == core) {
            return cli_fail(cli, "--elf: core %s has two programs", tx_core_name(core));
        }
    }
    t->programs[t->how.program_count++] = (struct txl_tensix_program){core, equals + 1};
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
static int add_poke(struct cli *cli, struct cli_tile *t, const char *text)
{
    const char *at = strchr(text, '@');
    char word[64];
    unsigned count = 0;
    struct txl_tensix_word got;
    struct txl_tensix_late *late = &t->late[t->how.late_count];
    if (at == NULL) {
        return add_word(cli, "--poke", text, t->pokes, &t->how.poke_count);
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

error_t cli_tile_option(struct cli *cli, int key, const char *arg, struct cli_tile *t)
{
    switch (key) {
    case CLI_KEY_ELF:
        return add_program(cli, t, arg);
    case CLI_KEY_POKE:
        return add_poke(cli, t, arg);
    case CLI_KEY_UNTIL:
        return add_word(cli, "--until", arg, t->until, &t->how.until_count);
    case CLI_KEY_UNTIMED:
        t->how.untimed = true;
        return 0;
    case CLI_KEY_BOOT:
        t->how.boot_b = strcmp(arg, "b") == 0 || strcmp(arg, "brisc") == 0;
        return t->how.boot_b ? 0 : cli_fail(cli, "--boot: only core b can boot, not '%s'", arg);
    case CLI_KEY_ARCH:
        return cli_arch(cli, arg, &t->how.arch);
    case CLI_KEY_SOURCES:
        return cli_add(cli, &t->sources, CLI_L1_FILES, "--sources", arg);
    case CLI_KEY_L1:
        return cli_add(cli, &t->l1, CLI_L1_FILES, "--l1", arg);
    case CLI_KEY_L1_OUT:
        return cli_add(cli, &t->l1_out, CLI_L1_FILES, "--l1-out", arg);
    case CLI_KEY_MAX_CYCLES:
        return cli_unsigned(cli, "--max-cycles", arg, INT64_MAX, &t->how.max_cycles);
    case CLI_KEY_STRICT:
        t->how.strict = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void cli_tile_settle(struct cli_tile *t, const struct cli_machine *machine)
{
    const struct cli_list *l1 = machine != NULL ? &machine->l1_in : &t->l1;
    const struct cli_list *l1_out = machine != NULL ? &machine->l1_out : &t->l1_out;
    if (machine != NULL) {
        t->how.arch = machine->arch;
        t->how.strict = machine->strict;
        t->how.max_cycles = machine->max_cycles;
    }
    t->how.l1_in = l1->text;
    t->how.l1_in_count = l1->count;
    t->how.l1_out = l1_out->text;
    t->how.l1_out_count = l1_out->count;
    t->how.size = sizeof t->how;
    t->how.sources = t->sources.text;
    t->how.source_count = t->sources.count;
    t->how.programs = t->programs;
    t->how.pokes = t->pokes;
    t->how.late = t->late;
    t->how.until = t->until;
    t->how.scratch = cli_scratch();
}
