/* SPDX-License-Identifier: Apache-2.0 */
/* tensix convert: the command line. */
#include "print/print.h"

#include "data/convert.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_FROM,
    KEY_TO,
    KEY_ROUTE,
    KEY_ROUTES,
    KEY_DST,
    KEY_SHAPE,
    KEY_TILE,
    KEY_FACES,
    KEY_WITHIN,
    KEY_TWOS,
    KEY_SHARED_EXP,
    KEY_NO_PROGRESS
};

struct convert_args {
    struct cli *cli;
    struct convert_job *job;
    const char *in, *out;
    struct tensor_how how;
    uint64_t shape[NPY_MAX_DIMENSIONS];
    bool routes, no_progress, has_tile;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; not needed for --route host", 1},
    {"from", KEY_FROM, "FORMAT", 0,
     "Format of IN: needed for tiles and for raw patterns in an array; or write IN:FORMAT", 1},
    {"to", KEY_TO, "FORMAT", 0,
     "Format of OUT, or write OUT:FORMAT; default for an array: float32, or the integers of IN", 1},
    {"route", KEY_ROUTE, "ROUTE", 0,
     "host, pack, unpack, unpack+pack, or a single conversion by its name; default: what the "
     "card does",
     1},
    {"routes", KEY_ROUTES, NULL, 0, "List the routes and what each does, and end", 1},
    {"dst", KEY_DST, "FORMAT", 0,
     "Format in Dst on the way; default: what kernels use, for numbers float32", 1},
    {"shape", KEY_SHAPE, "N,...,R,C", 0,
     "Shape of the array in a file of tiles; default: (tiles, rows, columns)", 2},
    {"tile", KEY_TILE, "RxC", 0, "Tile: 1 to 32 rows, 16 or 32 columns; default 32x32", 2},
    {"transpose-faces", KEY_FACES, NULL, 0, "Faces column by column", 2},
    {"transpose-within-face", KEY_WITHIN, NULL, 0, "Data of a face column by column", 2},
    {"twos-complement", KEY_TWOS, NULL, 0,
     "Integers in tiles are two's complement, as host code leaves them; default: sign and "
     "magnitude",
     2},
    {"shared-exp", KEY_SHARED_EXP, "E", 0,
     "Tiles of IN have a block format and no exponents: all are E, 0 to 255, as the unpacker's "
     "Force_shared_exp has it",
     2},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Converts arrays and tiles between formats by a documented route, bit for bit, and reports "
    "what was exact, rounded, flushed, saturated or special (NaN and infinity changed).\vFiles "
    "that end in .npy or .npz are arrays (FILE.npz:NAME chooses one of several), others are tiles "
    "as they lie in L1, one after another, without a header. Arrays hold numbers (float16, "
    "float32, float64, integers) or, with a format, its patterns: uint8, uint16, uint32, or V1 "
    "and V2, which NumPy writes for ml_dtypes. Patterns are written as uint8 and uint16; "
    "float32 and integer formats as numbers.\n\nFormats: float32 tf32 float16 float16_b "
    "(bfloat16) fp8_e5m2 fp8_e4m3 bfp8_b bfp4_b bfp2_b bfp8_a bfp4_a bfp2_a int32 int16 int8 "
    "uint32 uint16 uint8, in every usual spelling.";

static int set_route(struct convert_args *a, const char *text)
{
    static const struct {
        const char *name;
        enum convert_route route;
    } routes[] = {{"host", ROUTE_HOST},
                  {"pack", ROUTE_PACK},
                  {"unpack", ROUTE_UNPACK},
                  {"unpack+pack", ROUTE_UNPACK_PACK}};
    const char *names[TX_CONVERSION_COUNT + 4];
    size_t count = 0;
    for (; count < 4; count++) {
        names[count] = routes[count].name;
        if (strcmp(text, names[count]) == 0) {
            a->job->route = routes[count].route;
            return 0;
        }
    }
    if (tx_conversion_parse(text, &a->job->conversion) == TX_OK) {
        a->job->route = ROUTE_SINGLE;
        return 0;
    }
    for (unsigned c = 0; c < TX_CONVERSION_COUNT; c++) {
        names[count++] = tx_conversion_info((enum tx_conversion)c)->name;
    }
    const char *near = txl_nearest(text, names, count);
    return near != NULL
               ? cli_fail(a->cli, "--route: no route '%s'; did you mean '%s'?", text, near)
               : cli_fail(a->cli, "--route: no route '%s'; see 'tensix convert --routes'", text);
}

static error_t set_value(struct convert_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->job->arch);
    case KEY_FROM:
        a->how.has_format = true;
        return tensor_format(&a->cli->error, "--from", arg, &a->how.format);
    case KEY_TO:
        a->job->has_to = true;
        return tensor_format(&a->cli->error, "--to", arg, &a->job->to);
    case KEY_ROUTE:
        return set_route(a, arg);
    case KEY_DST:
        a->job->has_dst = true;
        return tensor_format(&a->cli->error, "--dst", arg, &a->job->dst);
    case KEY_SHAPE:
        a->how.shape = a->shape;
        return tensor_shape(&a->cli->error, "--shape", arg, a->shape, &a->how.dimensions);
    case KEY_SHARED_EXP: {
        uint64_t exponent = 0;
        a->how.force_shared_exp = true;
        const int result = cli_unsigned(a->cli, "--shared-exp", arg, 255, &exponent);
        a->how.shared_exp = (uint8_t)exponent;
        return result;
    }
    case KEY_TILE:
        a->has_tile = true;
        return tensor_tile(&a->cli->error, "--tile", arg, &a->how.tile);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct convert_args *a = state->input;
    switch (key) {
    case KEY_ROUTES:
        a->routes = true;
        return 0;
    case KEY_FACES:
        a->has_tile = true;
        a->how.tile.transpose_of_faces = true;
        return 0;
    case KEY_WITHIN:
        a->has_tile = true;
        a->how.tile.transpose_within_face = true;
        return 0;
    case KEY_TWOS:
        a->how.twos_complement = true;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->in == NULL) {
            a->in = arg;
            return 0;
        }
        return cli_only(a->cli, "output", arg, &a->out);
    default:
        break;
    }
    error_t result = set_value(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

static int open_files(struct convert_args *a)
{
    struct convert_job *job = a->job;
    if (a->in == NULL || a->out == NULL) {
        return cli_fail(a->cli, "an input and an output are needed; see 'tensix convert --help'");
    }
    if (!tx_tile_ok(&a->how.tile)) {
        return cli_fail(a->cli, "--transpose-within-face needs faces of 16 rows");
    }
    int result = tensor_out_name(&a->cli->error, a->out, &job->out);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (job->out.name.has_format) {
        job->has_to = true;
        job->to = job->out.name.format;
    }
    result = tensor_open(&a->cli->error, a->in, &a->how, &job->in);
    if (result != CLI_CONTINUE) {
        return result;
    }
    bool tiles = job->in.kind == TENSOR_TILES || !job->out.name.is_array;
    if (a->how.shape != NULL && job->in.kind != TENSOR_TILES) {
        return cli_fail(a->cli, "--shape is for a file of tiles: %s has a shape", a->in);
    }
    if (a->has_tile && !tiles) {
        return cli_fail(a->cli, "--tile and --transpose are for files of tiles: there is none");
    }
    job->twos_complement = a->how.twos_complement && !job->out.name.is_array;
    job->flat = !tiles;
    job->tile = tiles ? a->how.tile : region_flat_tile();
    return CLI_CONTINUE;
}

int cmd_convert(struct cli *cli, int argc, char **argv)
{
    static struct convert_job job;
    struct convert_args a = {.cli = cli, .job = &job, .how.tile = {.rows = 32, .columns = 32}};
    static const struct argp argp = {options, parse, "IN OUT", doc, NULL, NULL, NULL};
    job = (struct convert_job){.err = &cli->error};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE && a.routes) {
        return convert_list_routes(cli);
    }
    if (result == CLI_CONTINUE) {
        result = open_files(&a);
    }
    if (result == CLI_CONTINUE) {
        result = convert_settle(&job);
    }
    if (result == CLI_CONTINUE) {
        result = convert_work(&job, !a.no_progress && !cli->json);
    }
    if (result == CLI_CONTINUE) {
        if (cli->json) {
            convert_print_json(&job);
        } else {
            convert_print(&job);
        }
        result = CLI_OK;
    }
    tensor_close(&job.in);
    tensor_name_free(&job.out.name);
    return result;
}
