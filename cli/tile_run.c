/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile run: compiled programs on the tile's cores, from L1 to L1. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/tile.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_ELF,
    KEY_L1,
    KEY_L1_OUT,
    KEY_POKE,
    KEY_UNTIL,
    KEY_MAX,
    KEY_UNTIMED,
    KEY_STRICT,
    KEY_BOOT
};

enum { WORDS = 64, L1_FILES = 32 };

struct tile_args {
    struct cli *cli;
    struct txl_tensix_options how;
    struct txl_tensix_program programs[TX_CORES];
    struct txl_tensix_word pokes[WORDS], until[WORDS];
    struct txl_tensix_late late[WORDS];
    struct cli_list l1, l1_out;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Chip: bh or wh", 1},
    {"elf", KEY_ELF, "CORE=FILE", 0,
     "Program of a core, b t0 t1 t2 nc (or brisc, unpack ...): an ELF file, else an image for its "
     "default start address; may repeat",
     1},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 2),
    {"poke", KEY_POKE, "ADDRESS=VALUE[@CYCLE]", 0,
     "Store a word before the cores start, or in that cycle; may repeat", 2},
    {"boot", KEY_BOOT, "b", 0,
     "Start core B only, with the start addresses of T0 to T2 where tt-llk's firmware looks for "
     "them; default: every core that has a program starts",
     2},
    {"until", KEY_UNTIL, "ADDRESS=VALUE", 0,
     "End when the word has the value; of several, all of them. Default: when every core rests", 3},
    {"max-cycles", KEY_MAX, "N", 0, "Give up after N cycles, default 10000000", 3},
    {"untimed", KEY_UNTIMED, NULL, 0, "Cores execute one instruction in every cycle", 3},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs programs of the RISC-V cores of a tile. A core rests in ebreak, in a jump to itself, or "
    "where it cannot go on.\vExit status 1: a deadlock, cycles that did not suffice, a fault; the "
    "message tells where each core stands and what it waits for.";

static int add_program(struct tile_args *a, const char *text)
{
    const char *equals = strchr(text, '=');
    char name[16];
    enum tx_core core;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - text) : 15, text);
    if (equals == NULL || equals[1] == '\0') {
        return cli_fail(a->cli, "--elf: '%s' is not CORE=FILE", text);
    }
    if (equals - text > 15 || tx_core_parse(name, &core) != TX_OK) {
        return cli_fail(a->cli, "--elf: no core '%s'; there are b, t0, t1, t2, nc", name);
    }
    for (unsigned i = 0; i < a->how.program_count; i++) {
        if (a->programs[i].core == core) {
            return cli_fail(a->cli, "--elf: core %s has two programs", tx_core_name(core));
        }
    }
    a->programs[a->how.program_count++] = (struct txl_tensix_program){core, equals + 1};
    return 0;
}

static int add_word(struct tile_args *a, const char *option, const char *text,
                    struct txl_tensix_word *words, unsigned *count)
{
    char left[24];
    int64_t address;
    int64_t value;
    const char *equals = strchr(text, '=');
    if (*count == WORDS) {
        return cli_fail(a->cli, "%s: more than %d", option, WORDS);
    }
    snprintf(left, sizeof left, "%.*s",
             equals != NULL && equals - text < 23 ? (int)(equals - text) : 0, text);
    if (equals == NULL || !txl_number(left, 0, UINT32_MAX, &address) ||
        !txl_number(equals + 1, INT32_MIN, UINT32_MAX, &value) || address % 4 != 0) {
        return cli_fail(a->cli, "%s: '%s' is not ADDRESS=VALUE of a word", option, text);
    }
    words[(*count)++] = (struct txl_tensix_word){(uint32_t)address, (uint32_t)value};
    return 0;
}

/* ADDRESS=VALUE, or with a cycle, ADDRESS=VALUE@CYCLE. */
static int add_poke(struct tile_args *a, const char *text)
{
    const char *at = strchr(text, '@');
    char word[64];
    unsigned count = 0;
    struct txl_tensix_word got;
    struct txl_tensix_late *late = &a->late[a->how.late_count];
    if (at == NULL) {
        return add_word(a, "--poke", text, a->pokes, &a->how.poke_count);
    }
    if (a->how.late_count == WORDS || (size_t)(at - text) >= sizeof word) {
        return cli_fail(a->cli, "--poke: '%s' is too long, or one more than %d", text, WORDS);
    }
    snprintf(word, sizeof word, "%.*s", (int)(at - text), text);
    int result = cli_unsigned(a->cli, "--poke", at + 1, INT64_MAX, &late->cycle);
    result = result == 0 ? add_word(a, "--poke", word, &got, &count) : result;
    if (result == 0) {
        late->address = got.address;
        late->value = got.value;
        a->how.late_count++;
    }
    return result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct tile_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case KEY_ELF:
        return add_program(a, arg);
    case KEY_L1:
        return cli_add(a->cli, &a->l1, L1_FILES, "--l1", arg);
    case KEY_L1_OUT:
        return cli_add(a->cli, &a->l1_out, L1_FILES, "--l1-out", arg);
    case KEY_POKE:
        return add_poke(a, arg);
    case KEY_UNTIL:
        return add_word(a, "--until", arg, a->until, &a->how.until_count);
    case KEY_MAX:
        return cli_unsigned(a->cli, "--max-cycles", arg, INT64_MAX, &a->how.max_cycles);
    case KEY_UNTIMED:
        a->how.untimed = true;
        return 0;
    case KEY_STRICT:
        a->how.strict = true;
        return 0;
    case KEY_BOOT:
        a->how.boot_b = strcmp(arg, "b") == 0 || strcmp(arg, "brisc") == 0;
        return a->how.boot_b ? 0 : cli_fail(a->cli, "--boot: only core b can boot, not '%s'", arg);
    case ARGP_KEY_ARG:
        return cli_fail(a->cli, "'%s': programs are given as --elf CORE=FILE", arg);
    default:
        return cli_common(a->cli, key);
    }
}

int tile_run(struct cli *cli, int argc, char **argv)
{
    struct tile_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {options, parse, "", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    a.how.programs = a.programs;
    a.how.pokes = a.pokes;
    a.how.late = a.late;
    a.how.until = a.until;
    a.how.l1_in = a.l1.text;
    a.how.l1_in_count = a.l1.count;
    a.how.l1_out = a.l1_out.text;
    a.how.l1_out_count = a.l1_out.count;
    txl_tensix *tile = NULL;
    a.how.scratch = cli_scratch();
    result = txl_tensix_open(&cli->error, &a.how, &tile);
    if (result != TXL_OK) {
        return result;
    }
    result = txl_tensix_run(&cli->error, tile);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_tensix_json(tile) : txl_tensix_text(tile));
    } else if (!cli->json && txl_tensix_result(tile)->findings != 0) {
        char *text = txl_tensix_findings_text(tile);
        cli_tell(NULL, text != NULL ? text : "");
        free(text);
    }
    txl_tensix_close(tile);
    return result;
}
