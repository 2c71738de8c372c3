/* SPDX-License-Identifier: Apache-2.0 */
/* tensix map: which lane, Dst row and tile element an address means. */
#include "cli.h"

#include <tensix-lab/isa.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_DST };

struct map_args {
    struct cli *cli;
    enum tx_arch arch;
    enum tx_dst_format dst;
    const char *address;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"dst", KEY_DST, "FORMAT", 0,
     "Dst format, which chooses the view: fp32 and int32 have 8 tiles "
     "(default: fp32), the others 16",
     1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Shows which Dst row and column, and which element of which 32x32 tile, each lane of an "
    "SFPLOAD or SFPSTORE at a resolved address (0 to 1023) touches.\vThe resolved address is "
    "what remains after RWC_Dst and the bases are added. Bit 1 chooses the odd columns. In a "
    "32-bit view rows from 512 on are other names of rows 256 to 511. The two chips do not "
    "differ (Blackhole: with remap_addrs and swizzle_32b off; these move rows in the store only).";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct map_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->dst);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "address", arg, &a->address);
    default:
        return cli_common(a->cli, key);
    }
}

int cmd_map(struct cli *cli, int argc, char **argv)
{
    struct map_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "ADDRESS", doc, NULL, NULL, NULL};
    char *text = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "no chip given: --arch bh or --arch wh");
    }
    if (a.address == NULL) {
        return cli_fail(cli, "no address given; see 'tensix map --help'");
    }
    uint64_t address = 0;
    result = cli_unsigned(cli, "ADDRESS", a.address, TX_DST_ROWS - 1, &address);
    if (result != 0) {
        return result;
    }
    result = cli->json ? txl_map_json(&cli->error, a.arch, a.dst, (uint32_t)address, &text)
                       : txl_map_text(&cli->error, a.arch, a.dst, (uint32_t)address, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
