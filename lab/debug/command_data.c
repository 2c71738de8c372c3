/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that show Dst, Src and L1 as tables, and the configuration of SFPLOADMACRO. */
#include "debug/command.h"

#include <string.h>

#include <tensix-lab/data.h>

enum { SIDE = 32, CELLS = 16, SRC_ROWS = 64, L1_LINE = 8 };

/* ---- Dst ---- */

/* Five digits suffice in a table of a tile; "print" shows all. */
static void put_cell(FILE *out, bool integer, uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    if (integer) {
        fprintf(out, " %10d", (int)(int32_t)word);
    } else {
        fprintf(out, " %10.5g", (double)value);
    }
}

/* Writes a 32x32 tile row by row, from the given row and column on, with as many columns as fit. */
static void put_tile(struct answer *a, const uint32_t *words, bool integer, uint64_t first,
                     uint64_t left)
{
    enum { HEAD = 3, CELL = 11 };
    const unsigned room = a->d->width > HEAD + CELL ? (a->d->width - HEAD) / CELL : SIDE;
    const uint64_t end = left + room < SIDE ? left + room : SIDE;
    fputs("   ", a->out);
    for (uint64_t c = left; c < end; c++) {
        fprintf(a->out, " %10u", (unsigned)c);
    }
    fputc('\n', a->out);
    for (uint64_t row = first; row < SIDE; row++) {
        fprintf(a->out, "%2u ", (unsigned)row);
        for (uint64_t c = left; c < end; c++) {
            put_cell(a->out, integer, words[row * SIDE + c]);
        }
        fputc('\n', a->out);
    }
}

static void raw_rows(struct answer *a, unsigned tile)
{
    for (unsigned row = 64 * tile; row < 64 * tile + 64; row++) {
        uint32_t cells[CELLS] = {0};
        uint32_t valid = 0;
        (void)tx_read(a->d->machine, TX_FILE_DST, row, cells, CELLS);
        (void)tx_read(a->d->machine, TX_FILE_DST_VALID, row, &valid, 1);
        fprintf(a->out, "%4u%c", row, valid != 0 ? ' ' : '?');
        for (unsigned c = 0; c < CELLS; c++) {
            fprintf(a->out, " %04x", (unsigned)cells[c]);
        }
        fputc('\n', a->out);
    }
}

static int set_format(struct answer *a)
{
    enum tx_dst_format format;
    if (strcmp(a->word[2], "raw") == 0) {
        a->d->dst = TX_DST_FORMAT_UNSET;
        return TXL_OK;
    }
    if (tx_dst_format_parse(a->word[2], &format) != TX_OK) {
        return txl_fail(a->d->err,
                        "dst: no format '%.20s'; there are raw, fp32, bf16, fp16, int32 "
                        "and others",
                        a->word[2]);
    }
    a->d->dst = format;
    return TXL_OK;
}

int command_dst(struct answer *a)
{
    const struct txl_debug *d = a->d;
    uint32_t values[TX_TILE_ELEMENTS];
    uint64_t tile = 0;
    uint64_t row = 0;
    uint64_t column = 0;
    int result = words_between(a, 0, 3);
    if (result == TXL_CONTINUE && a->count == 3 && strcmp(a->word[1], "format") == 0) {
        return set_format(a);
    }
    result = result == TXL_CONTINUE ? word_number(a, 1, 15, 0, &tile) : result;
    result = result == TXL_CONTINUE ? word_number(a, 2, SIDE - 1, 0, &row) : result;
    result = result == TXL_CONTINUE ? word_number(a, 3, SIDE - 1, 0, &column) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json_set_int(a->json, "tile", tile);
    txl_json_set_text(a->json, "format",
                      d->dst != TX_DST_FORMAT_UNSET ? tx_dst_format_name(d->dst) : "raw");
    if (d->dst == TX_DST_FORMAT_UNSET) {
        raw_rows(a, (unsigned)tile);
        return TXL_OK;
    }
    if (tx_dst_store_tile(d->machine, (unsigned)tile, d->dst, values) != TX_OK) {
        return txl_fail(d->err, "dst: with %s there are tiles 0 to 7", tx_dst_format_name(d->dst));
    }
    put_tile(a, values, d->dst >= TX_DST_FORMAT_INT32, row, column);
    txl_json_set(a->json, "bits", txl_json_hex(values, TX_TILE_ELEMENTS, 8));
    return TXL_OK;
}

/* ---- Src ---- */

int command_src(struct answer *a)
{
    uint32_t banks[4] = {0};
    int result = words_between(a, 1, 1);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if ((a->word[1][0] != 'a' && a->word[1][0] != 'b') || a->word[1][1] != '\0') {
        return txl_fail(a->d->err, "src: which, a or b? not '%.20s'", a->word[1]);
    }
    const unsigned src = a->word[1][0] == 'b' ? 1 : 0;
    (void)tx_read(a->d->machine, TX_FILE_SRC_BANK, src, banks, 4);
    fprintf(a->out, "bank %u of the Matrix Unit; bank 0 is %s, bank 1 %s\n", (unsigned)banks[0],
            banks[2] != 0 ? "the Matrix Unit's" : "the unpacker's",
            banks[3] != 0 ? "the Matrix Unit's" : "the unpacker's");
    txl_json *rows = txl_json_array();
    for (unsigned row = 0; row < SRC_ROWS; row++) {
        const struct target t = {
            .kind = src != 0 ? TARGET_SRCB : TARGET_SRCA, .index = row, .count = CELLS};
        uint32_t v[CELLS] = {0};
        char text[48];
        (void)target_read(a->d, &t, v);
        fprintf(a->out, "%2u", row);
        for (unsigned c = 0; c < CELLS; c++) {
            fprintf(a->out, " %9.9s", reading_text(READ_FP32, v[c], text));
        }
        fputc('\n', a->out);
        txl_json_append(rows, txl_json_hex(v, CELLS, 8));
    }
    txl_json_set_int(a->json, "bank", banks[0]);
    txl_json_set(a->json, "rows", rows);
    return TXL_OK;
}

/* ---- L1 ---- */

/* Shows an L1 tile, "l1 ADDRESS tile FORMAT", decoded by host code. */
static int l1_tile(struct answer *a, uint32_t address)
{
    const struct txl_debug *d = a->d;
    const struct tx_tile tile = {SIDE, SIDE, false, false};
    const uint64_t shape[2] = {SIDE, SIDE};
    uint8_t bytes[4 * TX_TILE_ELEMENTS];
    uint32_t words[TX_TILE_ELEMENTS];
    struct tx_tile_layout layout;
    struct tx_codec codec;
    struct tx_grid grid;
    enum tx_format format;
    const char *reason = "";
    const int result = txl_parse_format(d->err, "l1:", a->word[3], &format);
    if (result != TXL_OK) {
        return result;
    }
    if (tx_codec_default(TX_ROUTE_HOST, d->arch, format, format, &codec, &reason) != TX_OK ||
        tx_tile_layout(&tile, format, &layout) != TX_OK || layout.bytes > sizeof bytes ||
        tx_grid_of(&tile, shape, 2, &grid) != TX_OK) {
        return txl_fail(d->err, "l1: %s: %s", tx_format_name(format), reason);
    }
    if (tx_l1_read(d->machine, address, bytes, layout.bytes) != TX_OK ||
        tx_array_decode(&codec, &grid, bytes, 0, 1, words) != TX_OK) {
        return txl_fail(d->err, "l1: there is no tile at %08x", (unsigned)address);
    }
    put_tile(a, words, tx_format_info(format)->integer, 0, 0);
    txl_json_set_int(a->json, "address", address);
    txl_json_set_text(a->json, "format", tx_format_name(format));
    txl_json_set(a->json, "bits", txl_json_hex(words, TX_TILE_ELEMENTS, 8));
    return TXL_OK;
}

int command_l1(struct answer *a)
{
    char text[64];
    uint64_t address = 0;
    uint64_t count = 0;
    struct target t;
    uint32_t values[TARGET_MOST];
    int result = words_between(a, 1, 3);
    result = result == TXL_CONTINUE ? word_number(a, 1, UINT32_MAX, 0, &address) : result;
    if (result == TXL_CONTINUE && a->count == 4 && strcmp(a->word[2], "tile") == 0) {
        return l1_tile(a, (uint32_t)address);
    }
    result = result == TXL_CONTINUE ? words_between(a, 1, 2) : result;
    result = result == TXL_CONTINUE ? word_number(a, 2, TARGET_MOST, 64, &count) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    snprintf(text, sizeof text, "l1[0x%llx:%llu]", (unsigned long long)address,
             (unsigned long long)(4 * count));
    result = target_parse(a->d, text, &t);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const enum reading reading = a->reading != READ_DEFAULT ? a->reading : READ_HEX;
    const unsigned n = target_read(a->d, &t, values);
    for (unsigned i = 0; i < n; i++) {
        char value[48];
        if (i % L1_LINE == 0) {
            fprintf(a->out, "%06x", (unsigned)(address + 4 * i));
        }
        fprintf(a->out, " %8s%s", reading_text(reading, values[i], value),
                i % L1_LINE == L1_LINE - 1 || i + 1 == n ? "\n" : "");
    }
    txl_json_set_int(a->json, "address", address);
    txl_json_set(a->json, "bits", txl_json_hex(values, n, 8));
    return TXL_OK;
}

/* ---- SFPLOADMACRO ---- */

/*
 * Writes one word of SFPLOADMACRO's configuration. Columns can differ; the first lane's value is
 * shown, with a remark if others differ.
 */
static void macro_line(struct answer *a, txl_json *list, unsigned vd, enum tx_file file,
                       unsigned index)
{
    uint32_t v[TX_LANES] = {0};
    char text[256];
    bool same = true;
    (void)tx_read(a->d->machine, file, index, v, TX_LANES);
    for (unsigned i = 1; i < TX_LANES; i++) {
        same = same && v[i] == v[0];
    }
    if (tx_macro_text(a->d->arch, vd, v[0], text, sizeof text) != TX_OK) {
        snprintf(text, sizeof text, "%08x", (unsigned)v[0]);
    }
    fprintf(a->out, "%s%s\n", text, same ? "" : "    (not alike in all columns)");
    txl_json_append(list, txl_json_string(text));
}

int command_macro(struct answer *a)
{
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < 4; i++) {
        macro_line(a, list, i, TX_FILE_MACRO_TEMPLATE, i);
    }
    for (unsigned i = 0; i < 4; i++) {
        macro_line(a, list, 4 + i, TX_FILE_MACRO_SEQUENCE, i);
    }
    macro_line(a, list, 8, TX_FILE_MACRO_MISC, 0);
    txl_json_set(a->json, "macro", list);
    return TXL_OK;
}
