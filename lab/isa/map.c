/* SPDX-License-Identifier: Apache-2.0 */
/* For each lane of a load or store, its place in Dst and the tile and element there. */
#include "base/json.h"
#include "isa/isa.h"

#include <stdlib.h>

#include "base/memory.h"

struct place {
    unsigned row, column, tile, element;
};

static struct place map_place_of(enum tx_dst_format dst, uint32_t address, unsigned lane)
{
    struct tx_dst_place p = tx_dst_place(address, lane);
    bool wide = dst == TX_DST_FORMAT_FP32 || dst == TX_DST_FORMAT_INT32 ||
                dst == TX_DST_FORMAT_UINT32 || dst == TX_DST_FORMAT_INT32_SM ||
                dst == TX_DST_FORMAT_UINT16_DST32;
    unsigned row = p.row;
    if (wide && row >= TX_DST_ROWS / 2) {
        row = (row & 0x1ffU) | 0x100U;
    }
    return (struct place){.row = p.row,
                          .column = p.column,
                          .tile = row / 64,
                          .element = tx_tile_element(row % 64, p.column)};
}

static void print(FILE *out, enum tx_arch arch, enum tx_dst_format dst, uint32_t address)
{
    fprintf(out, "%s, address %u, Dst %s: lane -> Dst row, column -> tile[row][column]\n\n",
            tx_arch_name(arch), address, tx_dst_format_name(dst));
    for (unsigned row = 0; row < TX_LANES / TX_COLUMNS; row++) {
        struct place p[TX_COLUMNS];
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            p[c] = map_place_of(dst, address, row * TX_COLUMNS + c);
        }
        fprintf(out, "lane   ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            fprintf(out, "  %9u", row * TX_COLUMNS + c);
        }
        fprintf(out, "\n  Dst  ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            fprintf(out, "  %5u,%3u", p[c].row, p[c].column);
        }
        fprintf(out, "\n  tile ");
        for (unsigned c = 0; c < TX_COLUMNS; c++) {
            char text[32];
            snprintf(text, sizeof text, "%u[%u][%u]", p[c].tile, p[c].element / 32,
                     p[c].element % 32);
            fprintf(out, "  %9s", text);
        }
        fprintf(out, "\n");
    }
}

/* Checks the arguments and replaces TX_DST_FORMAT_UNSET. TXL_CONTINUE or TXL_INPUT. */
static int check(struct txl_error *err, enum tx_arch arch, enum tx_dst_format *dst,
                 uint32_t address)
{
    if (tx_l1_size(arch) == 0) {
        return txl_fail_option(err, NULL, "arch", "no chip given");
    }
    if (address >= TX_DST_ROWS) {
        return txl_fail_option(err, NULL, "address", "%u is above %u", address, TX_DST_ROWS - 1);
    }
    *dst = *dst == TX_DST_FORMAT_UNSET ? TX_DST_FORMAT_FP32 : *dst;
    return TXL_CONTINUE;
}

int txl_map_text(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst, uint32_t address,
                 char **text)
{
    struct memory_text written;
    *text = NULL;
    if (check(err, arch, &dst, address) != TXL_CONTINUE ||
        memory_text_open(err, &written) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    print(written.stream, arch, dst, address);
    return memory_text_give(err, &written, TXL_OK, text);
}

int txl_map_json(struct txl_error *err, enum tx_arch arch, enum tx_dst_format dst, uint32_t address,
                 char **text)
{
    *text = NULL;
    if (check(err, arch, &dst, address) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "arch", tx_arch_name(arch));
    txl_json_set_int(root, "address", address);
    txl_json_set_text(root, "dst", tx_dst_format_name(dst));
    txl_json *lanes = txl_json_array();
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        struct place p = map_place_of(dst, address, lane);
        txl_json *item = txl_json_object();
        txl_json_set_int(item, "lane", lane);
        txl_json_set_int(item, "dst_row", p.row);
        txl_json_set_int(item, "dst_column", p.column);
        JSON_MEMBERS(item, &p, tile, element);
        txl_json_set_int(item, "tile_row", p.element / 32);
        txl_json_set_int(item, "tile_column", p.element % 32);
        txl_json_append(lanes, item);
    }
    txl_json_set(root, "lanes", lanes);
    *text = txl_json_indented(root);
    txl_json_free(root);
    return *text != NULL ? TXL_OK : no_memory(err);
}
