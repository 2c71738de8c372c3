/* SPDX-License-Identifier: Apache-2.0 */
/* tensix race for programs on tiles of a chip. The lab library runs and judges them. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/order.h>

enum {
    KEY_LEVEL = CLI_KEY_FIRST,
    KEY_SEED,
    KEY_FILL,
    KEY_LATE,
    KEY_AREA,
    KEY_BUFFER,
    KEY_PRODUCT,
    KEY_TRANSLATED,
    KEY_KNOWN,
    KEY_SARIF,
    KEY_JUNIT
};
enum { MOST = 1024 };

struct order_args {
    struct cli *cli;
    struct txl_order_run run;
    const char *known, *sarif, *junit; /* NULL: none */
    const char *programs[MOST], *fills[MOST], *late[MOST], *areas[MOST], *buffers[MOST];
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: that of --product", 1},
    {"product", KEY_PRODUCT, "NAME", 0, "p100, p150, n150, n300; default p150, n150", 1},
    {"fill", KEY_FILL, "X,Y:ADDRESS:COUNT=VALUE", 0,
     "Words that the host stores before the cores start; may repeat", 1},
    {"late", KEY_LATE, "X,Y:ADDRESS:COUNT=VALUE", 0,
     "Words that the host stores while the cores run; may repeat", 1},
    {"area", KEY_AREA, "X,Y:ADDRESS:BYTES", 0,
     "Memory that is allocated; requests to other memory of that tile are out of bounds", 1},
    {"buffer", KEY_BUFFER, "X,Y:ID=BASE,PAGES,BYTES", 0,
     "A circular buffer that uses the registers of stream ID, and the bytes of a page", 1},
    {"translated", KEY_TRANSLATED, NULL, 0,
     "Coordinates of the programs are translated as firmware leaves the chip; default: raw", 1},
    {"level", KEY_LEVEL, "LEVEL", 0,
     "contract: what is documented and what all programs of the vendor rely on (default); "
     "documented: the letter",
     2},
    {"known", KEY_KNOWN, "FILE", 0,
     "Findings that FILE has are known and do not fail; where FILE is not there it is written", 3},
    {"sarif", KEY_SARIF, "FILE", 0, "Also write the findings as SARIF 2.1.0", 3},
    {"junit", KEY_JUNIT, "FILE", 0, "Also write them as a JUnit report", 3},
    {"seed", KEY_SEED, "N", 0, "Another legal schedule: late starts, slow requests and answers", 2},
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0, "Give up after N cycles, default 1000000", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs programs on tiles of a chip and reports what they do not order between cores, requests "
    "to the NoC, tiles, DRAM and host, what is wrong with memory and circular buffers, and who "
    "waits for whom for ever. X,Y is a tile on NoC 0; with CORE:N a program starts when those of "
    "smaller N have ended. A program ends at ebreak.\vExit status: 0 nothing was found, 1 "
    "something was, 2 an input was refused.";

static int take(struct cli *cli, const char **list, unsigned *count, const char *text)
{
    if (*count == MOST) {
        return cli_fail(cli, "more than %d of one kind", (int)MOST);
    }
    list[(*count)++] = text;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct order_args *a = state->input;
    struct cli *cli = a->cli;
    switch (key) {
    case CLI_KEY_ARCH:
        return cli_arch(cli, arg, &a->run.arch);
    case KEY_PRODUCT:
        a->run.product = arg;
        return 0;
    case KEY_TRANSLATED:
        a->run.translated = true;
        return 0;
    case KEY_LEVEL:
        a->run.documented = strcmp(arg, "documented") == 0;
        return a->run.documented || strcmp(arg, "contract") == 0
                   ? 0
                   : cli_fail(cli, "--level is contract or documented, not '%s'", arg);
    case KEY_SEED:
        return cli_unsigned(cli, "--seed", arg, UINT64_MAX, &a->run.seed);
    case CLI_KEY_MAX_CYCLES:
        return cli_unsigned(cli, "--max-cycles", arg, UINT64_MAX, &a->run.max_cycles);
    case KEY_KNOWN:
        a->known = arg;
        return 0;
    case KEY_SARIF:
        a->sarif = arg;
        return 0;
    case KEY_JUNIT:
        a->junit = arg;
        return 0;
    case KEY_FILL:
        return take(cli, a->fills, &a->run.fill_count, arg);
    case KEY_LATE:
        return take(cli, a->late, &a->run.late_count, arg);
    case KEY_AREA:
        return take(cli, a->areas, &a->run.area_count, arg);
    case KEY_BUFFER:
        return take(cli, a->buffers, &a->run.buffer_count, arg);
    case ARGP_KEY_ARG:
        return take(cli, a->programs, &a->run.program_count, arg);
    default:
        return cli_common(cli, key);
    }
}

/* Writes a text to a file, and frees it. */
static int save(struct cli *cli, const char *path, char *text)
{
    const int result = text == NULL ? cli_fail(cli, "out of memory")
                                    : txl_write_file(&cli->error, path, text, strlen(text));
    free(text);
    return result;
}

/* Compares with the known findings and writes what was asked for. */
static int give(struct order_args *a, txl_order *order, int result)
{
    struct cli *cli = a->cli;
    if (a->known != NULL) {
        result = txl_order_known(&cli->error, order, a->known);
    }
    if (cli->error.status == TXL_OK && a->sarif != NULL) {
        (void)save(cli, a->sarif, txl_order_sarif(order));
    }
    if (cli->error.status == TXL_OK && a->junit != NULL) {
        (void)save(cli, a->junit, txl_order_junit(order));
    }
    return cli->error.status == TXL_OK ? result : cli->error.status;
}

bool cli_is_order(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *at = argv[i];
        at += strspn(at, "0123456789");
        if (at != argv[i] && *at == ',' && isdigit((unsigned char)at[1])) {
            at += 1 + strspn(at + 1, "0123456789");
            if (*at == '/') {
                return true;
            }
        }
    }
    return false;
}

int cmd_order(struct cli *cli, int argc, char **argv)
{
    static struct order_args a;
    static const struct argp argp = {options, parse, "X,Y/CORE=FILE...", doc, NULL, NULL, NULL};
    txl_order *order = NULL;
    a = (struct order_args){.cli = cli, .run.size = sizeof a.run};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    a.run.programs = a.programs;
    a.run.fills = a.fills;
    a.run.late = a.late;
    a.run.areas = a.areas;
    a.run.buffers = a.buffers;
    result = txl_order_run(&cli->error, &a.run, &order);
    if (cli->error.status == TXL_OK && order != NULL) {
        result = give(&a, order, result);
    }
    if (cli->error.status == TXL_OK && order != NULL) {
        const int put =
            cli->json ? cli_json(cli, txl_order_json(order)) : cli_put(cli, txl_order_text(order));
        result = put == CLI_OK ? result : put;
    }
    txl_order_close(order);
    return result;
}
