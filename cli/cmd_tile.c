/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile show: prints a tile as L1 holds it. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/data.h>
#include <tensix-lab/reference.h>

#include <tensix-lab/json.h>

enum { GROUP = 16 };

/* The tile that is shown. */
struct shown {
    const struct tile_show_args *args;
    const struct txl_tile_data *tile;
};

static const char *value_text(const struct shown *s, uint32_t word, char text[48])
{
    const struct tx_format_info *info = tx_format_info(s->tile->format);
    if (info->integer && !info->has_sign && info->bits == 32) {
        snprintf(text, 48, "%u", word);
        return text;
    }
    return txl_number_text(info->integer ? TX_DST_FORMAT_INT32 : TX_DST_FORMAT_FP32, word, text,
                           48);
}

static uint32_t datum(const struct shown *s, unsigned i, uint8_t *exponent)
{
    return tx_tile_get(&s->tile->tile, s->tile->format, s->tile->bytes, i, exponent);
}

static const char *cell_text(const struct shown *s, unsigned i, char text[48])
{
    uint8_t exponent;
    if (!s->args->bits) {
        return value_text(s, s->tile->words[i], text);
    }
    unsigned bits = tx_format_info(s->tile->format)->bits;
    snprintf(text, 48, "%0*x", (int)(bits + 3) / 4, datum(s, i, &exponent));
    return text;
}

/* A face: 16 columns and at most 16 rows, stored row by row. */
struct face {
    unsigned first; /* index of its first datum */
    unsigned rows, row, column;
};

static struct face face_at(const struct tx_tile *tile, unsigned n)
{
    unsigned rows = tile->rows < GROUP ? tile->rows : GROUP;
    unsigned across = tile->columns / GROUP;
    return (struct face){.first = n * rows * GROUP,
                         .rows = rows,
                         .row = n / across * rows,
                         .column = n % across * GROUP};
}

static unsigned face_count(const struct tx_tile *tile)
{
    return (tile->rows + GROUP - 1U) / GROUP * (tile->columns / GROUP);
}

static void print_face(const struct shown *s, unsigned n)
{
    const struct tile_show_args *a = s->args;
    struct face face = face_at(&s->tile->tile, n);
    int width = 1;
    char text[48];
    for (unsigned r = a->rows.first; r <= a->rows.last && r < face.rows; r++) {
        for (unsigned c = a->columns.first; c <= a->columns.last; c++) {
            int length = (int)strlen(cell_text(s, face.first + r * GROUP + c, text));
            width = length > width ? length : width;
        }
    }
    printf("\nface %u: rows %u to %u, columns %u to %u of the tile\n", n, face.row,
           face.row + face.rows - 1, face.column, face.column + GROUP - 1);
    bool block = s->tile->layout->exponents != 0;
    for (unsigned r = a->rows.first; r <= a->rows.last && r < face.rows; r++) {
        unsigned first = face.first + r * GROUP;
        uint8_t exponent;
        (void)datum(s, first, &exponent);
        printf("%3u", r);
        if (block) {
            printf("  exp %3u |", exponent);
        }
        for (unsigned c = a->columns.first; c <= a->columns.last; c++) {
            printf(" %*s", width, cell_text(s, first + c, text));
        }
        putchar('\n');
    }
}

static void print_text(const struct shown *s)
{
    const struct tx_tile *tile = &s->tile->tile;
    printf("%s: tile %llu of %llu, %s %ux%u, %u bytes", s->args->words.text[0],
           (unsigned long long)s->args->index, (unsigned long long)s->tile->tiles,
           tx_format_name(s->tile->format), tile->rows, tile->columns, s->tile->layout->bytes);
    if (s->tile->layout->exponents != 0) {
        printf(" (%u of exponents, %u of data)", s->tile->layout->exponent_bytes,
               s->tile->layout->data_bytes);
    }
    putchar('\n');
    if (s->tile->odd != 0) {
        const unsigned rows = face_at(tile, 0).rows;
        printf("odd exponents: %u, %s; the first in face %u, row %u\n", s->tile->odd,
               s->tile->odd_text, s->tile->odd_row / rows, s->tile->odd_row % rows);
    }
    for (unsigned n = s->args->face.first; n <= s->args->face.last && n < face_count(tile); n++) {
        print_face(s, n);
    }
}

static txl_json *row_json(const struct shown *s, unsigned first)
{
    const struct cli_span *columns = &s->args->columns;
    uint32_t data[GROUP];
    uint8_t exponent = 0;
    char text[48];
    txl_json *row = txl_json_object();
    txl_json *values = txl_json_array();
    unsigned count = 0;
    for (unsigned c = columns->first; c <= columns->last; c++) {
        data[count++] = datum(s, first + c, &exponent);
        txl_json_append(values, txl_json_string(value_text(s, s->tile->words[first + c], text)));
    }
    if (s->tile->layout->exponents != 0) {
        txl_json_set_int(row, "exponent", exponent);
    }
    unsigned bits = tx_format_info(s->tile->format)->bits;
    txl_json_set(row, "data", txl_json_hex(data, count, (bits + 3) / 4));
    txl_json_set(row, "values", values);
    return row;
}

static void print_json(const struct shown *s)
{
    const struct tile_show_args *a = s->args;
    const struct tx_tile *tile = &s->tile->tile;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "file", a->words.text[0]);
    txl_json_set_text(root, "format", tx_format_name(s->tile->format));
    txl_json_set_int(root, "tile", a->index);
    txl_json_set_int(root, "tiles", s->tile->tiles);
    txl_json_set_int(root, "rows", tile->rows);
    txl_json_set_int(root, "columns", tile->columns);
    txl_json_set_int(root, "bytes", s->tile->layout->bytes);
    txl_json *faces = txl_json_array();
    for (unsigned n = a->face.first; n <= a->face.last && n < face_count(tile); n++) {
        struct face face = face_at(tile, n);
        txl_json *object = txl_json_object();
        txl_json_set_int(object, "face", n);
        txl_json_set_int(object, "row", face.row);
        txl_json_set_int(object, "column", face.column);
        txl_json *rows = txl_json_array();
        for (unsigned r = a->rows.first; r <= a->rows.last && r < face.rows; r++) {
            txl_json *row = row_json(s, face.first + r * GROUP);
            txl_json_set_int(row, "row", r);
            txl_json_append(rows, row);
        }
        txl_json_set(object, "rows", rows);
        txl_json_append(faces, object);
    }
    txl_json_set(root, "faces", faces);
    cli_json(a->cli, root);
}

int cmd_tile_show(struct cli *cli, struct tile_show_args *a)
{
    struct txl_tile_data *tile = NULL;
    cli_tensor_settle(cli, &a->tensor, "format", true);
    const int result =
        txl_tile_read(&cli->error, a->words.text[0], &a->tensor.how, a->arch, a->index, &tile);
    if (result == TXL_OK) {
        const struct shown shown = {.args = a, .tile = tile};
        (cli->json ? print_json : print_text)(&shown);
    }
    txl_tile_free(tile);
    return result;
}
