/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile show: prints a tile as L1 holds it. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/data.h>
#include <tensix-lab/reference.h>

#include <tensix-lab/json.h>

enum {
    KEY_FORMAT = CLI_KEY_FIRST,
    KEY_ARCH,
    KEY_TILE,
    KEY_INDEX,
    KEY_FACE,
    KEY_ROWS,
    KEY_COLUMNS,
    KEY_BITS,
    KEY_TWOS
};

enum { GROUP = 16, FACES_MOST = 4 };

struct span {
    unsigned first, last;
};

struct tile_args {
    struct cli *cli;
    const char *action, *file;
    struct txl_tensor_options how;
    enum tx_arch arch;
    uint64_t index;
    struct span faces, rows, columns;
    bool bits;
};

/* The tile that is shown. */
struct shown {
    const struct tile_args *args;
    const struct txl_tile_data *tile;
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0, "Format of the tiles, or write FILE:FORMAT", 1},
    {"arch", KEY_ARCH, "CHIP", 0,
     "Whose unpacker reads the values: bh or wh; only fp8_e5m2 depends on it", 1},
    {"tile", KEY_TILE, "RxC", 0, "Tile: 1 to 32 rows, 16 or 32 columns; default 32x32", 1},
    {"twos-complement", KEY_TWOS, NULL, 0, "Integers are two's complement", 1},
    {"index", KEY_INDEX, "N", 0, "Which tile of the file, default 0", 2},
    {"face", KEY_FACE, "N[-M]", 0, "Faces, 0 to 3, as they follow one another in L1", 2},
    {"rows", KEY_ROWS, "N[-M]", 0, "Rows of each face, 0 to 15", 2},
    {"columns", KEY_COLUMNS, "N[-M]", 0, "Columns of each face, 0 to 15", 2},
    {"bits", KEY_BITS, NULL, 0, "Bit patterns of the data instead of values", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Shows a tile from a file of tiles as they lie in L1: faces, the exponent of each row of a "
    "face where the format has one, and values as the unpacker reads them.\vACTION is show, or "
    "run, which runs programs of a tile's RISC-V cores (tensix tile run --help). Each line is a "
    "row of 16 data that follow one another in L1. A datum of a block format "
    "with sign 1 and magnitude 0 is -inf to the unpacker.";

static int set_span(struct tile_args *a, const char *option, const char *text, unsigned most,
                    struct span *span)
{
    unsigned first = 0;
    unsigned last = 0;
    int end = 0;
    int got = strlen(text) > 5 ? 0 : sscanf(text, "%2u%n-%2u%n", &first, &end, &last, &end);
    if (got == 1) {
        last = first;
    }
    if (got < 1 || text[end] != '\0' || first > last || last > most) {
        return cli_fail(a->cli, "%s: '%s' is not N or N-M from 0 to %u", option, text, most);
    }
    *span = (struct span){first, last};
    return 0;
}

static error_t set_value(struct tile_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_FORMAT:
        a->how.has_format = true;
        return txl_parse_format(&a->cli->error, "--format", arg, &a->how.format);
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_TILE:
        return txl_parse_tile(&a->cli->error, "--tile", arg, &a->how.tile);
    case KEY_INDEX:
        return cli_unsigned(a->cli, "--index", arg, INT64_MAX, &a->index);
    case KEY_FACE:
        return set_span(a, "--face", arg, FACES_MOST - 1, &a->faces);
    case KEY_ROWS:
        return set_span(a, "--rows", arg, GROUP - 1, &a->rows);
    case KEY_COLUMNS:
        return set_span(a, "--columns", arg, GROUP - 1, &a->columns);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct tile_args *a = state->input;
    switch (key) {
    case KEY_BITS:
        a->bits = true;
        return 0;
    case KEY_TWOS:
        a->how.twos_complement = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->action == NULL) {
            a->action = arg;
            return 0;
        }
        return cli_only(a->cli, "file", arg, &a->file);
    default:
        break;
    }
    error_t result = set_value(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

static const char *value_text(const struct shown *s, uint32_t word, char text[48])
{
    enum tx_format format = s->tile->format;
    if (format == TX_FORMAT_UINT32) {
        snprintf(text, 48, "%u", word);
        return text;
    }
    return txl_number_text(
        tx_format_info(format)->integer ? TX_DST_FORMAT_INT32 : TX_DST_FORMAT_FP32, word, text, 48);
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
    const struct tile_args *a = s->args;
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
    printf("%s: tile %llu of %llu, %s %ux%u, %u bytes", s->args->file,
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
    for (unsigned n = s->args->faces.first; n <= s->args->faces.last && n < face_count(tile); n++) {
        print_face(s, n);
    }
}

static txl_json *row_json(const struct shown *s, unsigned first)
{
    const struct span *columns = &s->args->columns;
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
    const struct tile_args *a = s->args;
    const struct tx_tile *tile = &s->tile->tile;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "file", a->file);
    txl_json_set_text(root, "format", tx_format_name(s->tile->format));
    txl_json_set_int(root, "tile", a->index);
    txl_json_set_int(root, "tiles", s->tile->tiles);
    txl_json_set_int(root, "rows", tile->rows);
    txl_json_set_int(root, "columns", tile->columns);
    txl_json_set_int(root, "bytes", s->tile->layout->bytes);
    txl_json *faces = txl_json_array();
    for (unsigned n = a->faces.first; n <= a->faces.last && n < face_count(tile); n++) {
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

int cmd_tile(struct cli *cli, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        cli->command = "tile run";
        return tile_run(cli, argc - 1, argv + 1);
    }
    struct tile_args a = {.cli = cli,
                          .how = {.size = sizeof a.how, .tile = {32, 32, false, false}},
                          .faces = {0, FACES_MOST - 1},
                          .rows = {0, GROUP - 1},
                          .columns = {0, GROUP - 1}};
    static const struct argp argp = {options, parse, "show FILE", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.action == NULL || strcmp(a.action, "show") != 0) {
        return cli_fail(
            cli, "the action is 'show' or 'run': tensix tile show FILE --format FORMAT, tensix "
                 "tile run --elf CORE=FILE");
    }
    if (a.file == NULL) {
        return cli_fail(cli, "no file given; see 'tensix tile --help'");
    }
    struct txl_tile_data *tile = NULL;
    a.how.scratch = cli_scratch();
    result = txl_tile_read(&cli->error, a.file, &a.how, a.arch, a.index, &tile);
    if (result == TXL_OK) {
        const struct shown shown = {.args = &a, .tile = tile};
        if (cli->json) {
            print_json(&shown);
        } else {
            print_text(&shown);
        }
    }
    txl_tile_free(tile);
    return result;
}
