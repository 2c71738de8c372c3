/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the grid of a chip: which tile is where, and by which coordinates requests name it. */
#include "chiprun/chiprun.h"

#include <string.h>

static const char letters[TX_CHIP_KINDS] = {'.', 'T', 'E', 'D', 'P', 'A', 'L', 'S'};

static txl_json *pair(uint32_t x, uint32_t y)
{
    txl_json *array = txl_json_array();
    txl_json_append(array, txl_json_int(x));
    txl_json_append(array, txl_json_int(y));
    return array;
}

/* Returns the tile whose endpoint it is, or NULL. */
static const struct chiprun_tile *tile_of(const txl_chip *c, size_t index)
{
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        if (c->tile[i].index == index) {
            return &c->tile[i];
        }
    }
    return NULL;
}

/* Four characters: "T12 ", "D3.1", "E5  "; an x before what does not answer. */
static void cell(const struct tx_chip_tile *t, char text[16])
{
    char name[12] = ".";
    if (t->kind == TX_CHIP_DRAM) {
        snprintf(name, sizeof name, "D%u.%u", t->number % 100, t->port % 10);
    } else if (t->kind == TX_CHIP_TENSIX || t->kind == TX_CHIP_ETHERNET ||
               t->kind == TX_CHIP_L2CPU || t->kind == TX_CHIP_PCIE) {
        snprintf(name, sizeof name, "%c%u", letters[t->kind], t->number % 1000);
    } else if (t->kind != TX_CHIP_EMPTY) {
        snprintf(name, sizeof name, "%c", letters[t->kind]);
    }
    snprintf(text, 16, "%s%s", t->off ? "x" : "", name);
}

/* The grid three times: what is there, its translated coordinates, its logical ones. */
static void draw(FILE *out, const txl_chip *c, unsigned what)
{
    uint32_t width;
    uint32_t height;
    tx_chip_grid(c->chip, &width, &height);
    fprintf(out, "     ");
    for (uint32_t x = 0; x < width; x++) {
        fprintf(out, " %5u", x);
    }
    fprintf(out, "   NoC 0 x\n");
    for (uint32_t y = 0; y < height; y++) {
        fprintf(out, "%4u ", y);
        for (uint32_t x = 0; x < width; x++) {
            struct tx_chip_tile t;
            char text[16] = ".";
            (void)tx_chip_tile_at(c->chip, x + (size_t)y * width, &t);
            const struct chiprun_tile *own = tile_of(c, x + (size_t)y * width);
            if (what == 0) {
                cell(&t, text);
            } else if (what == 1 && t.kind != TX_CHIP_EMPTY) {
                snprintf(text, sizeof text, "%u,%u", t.translated_x % 100, t.translated_y % 100);
            } else if (what == 2 && own != NULL) {
                snprintf(text, sizeof text, "%u,%u", own->column % 100, own->row % 100);
            }
            fprintf(out, " %5s", text);
        }
        fputc('\n', out);
    }
}

char *txl_chip_map_text(const txl_chip *c)
{
    struct memory_text text;
    struct txl_error err = {.status = TXL_OK};
    uint32_t width;
    uint32_t height;
    if (memory_text_open(&err, &text) != TXL_CONTINUE) {
        return NULL;
    }
    tx_chip_grid(c->chip, &width, &height);
    fprintf(text.stream,
            "%s: %u Tensix tiles that answer, in %u columns and %u rows of a grid of %u x %u\n\n",
            tx_arch_name(c->arch), c->columns * c->rows, c->columns, c->rows, width, height);
    draw(text.stream, c, 0);
    fprintf(text.stream,
            "\nT Tensix, E Ethernet, D DRAM bank.port, P PCIe, A ARC, L L2CPU, S security, . "
            "router\nonly; x: harvested or not enabled. On NoC 1 the place x,y has the raw "
            "coordinates\n%u - x, %u - y.\n\nTranslated coordinates, as requests name a "
            "tile:\n\n",
            width - 1, height - 1);
    draw(text.stream, c, 1);
    fprintf(text.stream, "\nLogical coordinates of Tensix tiles, as programs for chip run name "
                         "them:\n\n");
    draw(text.stream, c, 2);
    return memory_text_take(&text);
}

char *txl_chip_map_json(const txl_chip *c)
{
    uint32_t width;
    uint32_t height;
    txl_json *root = txl_json_object();
    txl_json *tiles = txl_json_array();
    tx_chip_grid(c->chip, &width, &height);
    txl_json_set_text(root, "arch", tx_arch_name(c->arch));
    txl_json_set(root, "grid", pair(width, height));
    txl_json_set(root, "tensix", pair(c->columns, c->rows));
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        txl_json *object = txl_json_object();
        const struct chiprun_tile *own = tile_of(c, i);
        (void)tx_chip_tile_at(c->chip, i, &t);
        txl_json_set_text(object, "kind", tx_chip_kind_name(t.kind));
        txl_json_set_int(object, "number", t.number);
        if (t.kind == TX_CHIP_DRAM) {
            txl_json_set_int(object, "port", t.port);
        }
        txl_json_set(object, "noc0", pair(t.x[0], t.y[0]));
        txl_json_set(object, "noc1", pair(t.x[1], t.y[1]));
        txl_json_set(object, "translated", pair(t.translated_x, t.translated_y));
        if (own != NULL) {
            txl_json_set(object, "logical", pair(own->column, own->row));
        }
        txl_json_set_bool(object, "answers", !t.off);
        txl_json_append(tiles, object);
    }
    txl_json_set(root, "tiles", tiles);
    return json_text(root);
}
