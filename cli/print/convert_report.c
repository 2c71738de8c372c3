/* SPDX-License-Identifier: Apache-2.0 */
/* What a conversion did to the values, and the list of routes. */
#include "print/print.h"

#include <tensix-lab/data.h>
#include <tensix-lab/isa.h>

#include <tensix-lab/json.h>

static void print_loss(const struct txl_conversion *c)
{
    for (unsigned k = 0; k < TX_LOSS_COUNT; k++) {
        const struct txl_loss *loss = &c->loss[k];
        if (k != TX_LOSS_EXACT && loss->count == 0) {
            continue;
        }
        printf("%-15s %llu of %llu (%.3f%%)\n", loss->name, (unsigned long long)loss->count,
               (unsigned long long)c->elements,
               c->elements == 0 ? 100.0 : 100.0 * (double)loss->count / (double)c->elements);
        if (k == TX_LOSS_EXACT) {
            continue;
        }
        printf("  %-13s %s: %s %08x -> %s %08x", k == TX_LOSS_SPECIAL ? "first" : "worst",
               loss->index, loss->before, loss->before_word, loss->after, loss->after_word);
        if (k == TX_LOSS_ROUNDED) {
            printf(", relative error %.3g", loss->relative_error);
        }
        putchar('\n');
    }
}

static void print_side(const struct txl_conversion *c, const char *side, const char *file,
                       const char *type, uint32_t tile_bytes)
{
    printf("%-15s %s: %s ", side, file, type);
    if (tile_bytes == 0) {
        puts(c->shape);
    } else {
        printf("in %llu tiles %ux%u, %llu bytes\n", (unsigned long long)c->tiles, c->tile.rows,
               c->tile.columns, (unsigned long long)c->tiles * tile_bytes);
    }
}

void convert_print(const struct txl_conversion *c, const char *in, const char *out)
{
    print_side(c, "from", in, c->from, c->in_tile_bytes);
    print_side(c, "to", out, c->to, c->out_tile_bytes);
    printf("route           %s: %s\n", c->route, c->path);
    if (c->rounded != 0) {
        printf("rounded before  %llu float64 values to FP32\n", (unsigned long long)c->rounded);
    }
    if (c->overflowed != 0) {
        printf("overflow before %llu float64 values to infinity, beyond FP32\n",
               (unsigned long long)c->overflowed);
    }
    if (c->vanished != 0) {
        printf("vanished before %llu float64 values to zero, too small for FP32\n",
               (unsigned long long)c->vanished);
    }
    if (c->odd != 0) {
        printf("odd exponents   %llu of IN: %s; the first in tile %llu, row of 16 data %u\n",
               (unsigned long long)c->odd, c->odd_text, (unsigned long long)c->odd_tile,
               c->odd_row);
    }
    if (c->measured) {
        print_loss(c);
    } else {
        printf("elements        %llu\n", (unsigned long long)c->elements);
    }
}

int convert_list_routes(struct cli *cli)
{
    txl_json *list = txl_json_array();
    if (!cli->json) {
        printf("%-24s %5s  %-6s %s\n", "route", "bits", "chips", "what happens");
        printf("%-24s %5s  %-6s %s\n", "host", "", "", "host code: to nearest even");
        printf("%-24s %5s  %-6s %s\n", "pack", "", "WH BH", "numbers into Dst, then the packer");
        printf("%-24s %5s  %-6s %s\n", "unpack", "", "WH BH",
               "the unpacker, then Dst as it stands");
        printf("%-24s %5s  %-6s %s\n", "unpack+pack", "", "WH BH", "L1 to Dst to L1");
    }
    for (unsigned c = 0; c < TX_CONVERSION_COUNT; c++) {
        const struct tx_conversion_info *info = tx_conversion_info((enum tx_conversion)c);
        if (!cli->json) {
            char bits[16];
            snprintf(bits, sizeof bits, "%u>%u", info->in_bits, info->out_bits);
            printf("%-24s %5s  %-2s %-3s %s%s\n", info->name, bits,
                   (info->chips >> TX_WORMHOLE & 1U) != 0 ? "WH" : "",
                   (info->chips >> TX_BLACKHOLE & 1U) != 0 ? "BH" : "", info->rule,
                   info->differs ? " (depends on the chip)" : "");
            continue;
        }
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "name", info->name);
        txl_json_set_int(object, "in_bits", info->in_bits);
        txl_json_set_int(object, "out_bits", info->out_bits);
        txl_json_set(object, "chips", txl_archs_json(info->chips));
        txl_json_set_bool(object, "differs", info->differs);
        txl_json_set_text(object, "rule", info->rule);
        txl_json_set_text(object, "evidence", info->evidence);
        txl_json_append(list, object);
    }
    if (cli->json) {
        txl_json *root = txl_json_object();
        txl_json_set(root, "routes", list);
        return cli_json(cli, root);
    }
    txl_json_free(list);
    return CLI_OK;
}
