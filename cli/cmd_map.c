/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include <string.h>

#include <tensix-lab/json.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_DST };

struct map_args {
    struct cli *cli;
    enum tx_arch arch;
    enum tx_dst_format dst;
    const char *address;
};

struct place {
    unsigned row, column, tile, element;
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
    "32-bit view rows from 512 on are other names of rows 256 to 511. Both chips have the same "
    "map (Blackhole: with remap_addrs and swizzle_32b off; these move rows in the store only).";

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

static struct place place_of(const struct map_args *a, uint32_t address, unsigned lane)
{
    struct tx_dst_place p = tx_dst_place(address, lane);
    bool wide = a->dst == TX_DST_FORMAT_FP32 || a->dst == TX_DST_FORMAT_INT32 ||
                a->dst == TX_DST_FORMAT_UINT32 || a->dst == TX_DST_FORMAT_INT32_SM ||
                a->dst == TX_DST_FORMAT_UINT16_DST32;
    unsigned row = p.row;
    if (wide && row >= TX_DST_ROWS / 2) {
        row = (row & 0x1ffU) | 0x100U;
    }
    return (struct place){.row = p.row,
                          .column = p.column,
                          .tile = row / 64,
                          .element = tx_tile_element(row % 64, p.column)};
}

static void print_text(const struct map_args *a, uint32_t address)
{
    printf("%s, address %u, Dst %s: lane -> Dst row, column -> tile[row][column]\n\n",
           tx_arch_name(a->arch), address, tx_dst_format_name(a->dst));
    for (unsigned row = 0; row < TX_LANES / TX_COLUMNS; row++) {
        struct place p[TX_COLUMNS];
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            p[c] = place_of(a, address, row * TX_COLUMNS + c);
        }
        printf("lane   ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            printf("  %9u", row * TX_COLUMNS + c);
        }
        printf("\n  Dst  ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            printf("  %5u,%3u", p[c].row, p[c].column);
        }
        printf("\n  tile ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            char text[32];
            snprintf(text, sizeof text, "%u[%u][%u]", p[c].tile, p[c].element / 32,
                     p[c].element % 32);
            printf("  %9s", text);
        }
        printf("\n");
    }
}

static void print_json(const struct map_args *a, uint32_t address)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "arch", tx_arch_name(a->arch));
    txl_json_set_int(root, "address", address);
    txl_json_set_text(root, "dst", tx_dst_format_name(a->dst));
    txl_json *lanes = txl_json_array();
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        struct place p = place_of(a, address, lane);
        txl_json *item = txl_json_object();
        txl_json_set_int(item, "lane", lane);
        txl_json_set_int(item, "dst_row", p.row);
        txl_json_set_int(item, "dst_column", p.column);
        txl_json_set_int(item, "tile", p.tile);
        txl_json_set_int(item, "element", p.element);
        txl_json_set_int(item, "tile_row", p.element / 32);
        txl_json_set_int(item, "tile_column", p.element % 32);
        txl_json_append(lanes, item);
    }
    txl_json_set(root, "lanes", lanes);
    cli_json(a->cli, root);
}

int cmd_map(struct cli *cli, int argc, char **argv)
{
    struct map_args a = {.cli = cli, .dst = TX_DST_FORMAT_FP32};
    static const struct argp argp = {options, parse, "ADDRESS", doc, NULL, NULL, NULL};
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
    if (cli->json) {
        print_json(&a, (uint32_t)address);
    } else {
        print_text(&a, (uint32_t)address);
    }
    return CLI_OK;
}
