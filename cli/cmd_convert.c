/* SPDX-License-Identifier: Apache-2.0 */
/* tensix convert: the command line. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/data.h>

#include "print/progress.h"

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
    const char *in, *out;
    struct txl_tensor_options how;
    struct txl_convert_options convert;
    uint64_t shape[TXL_DIMENSIONS];
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

static error_t set_value(struct convert_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->convert.arch);
    case KEY_FROM:
        a->how.has_format = true;
        return txl_parse_format(&a->cli->error, "--from", arg, &a->how.format);
    case KEY_TO:
        a->convert.has_to = true;
        return txl_parse_format(&a->cli->error, "--to", arg, &a->convert.to);
    case KEY_ROUTE:
        a->convert.route = arg;
        return 0;
    case KEY_DST:
        a->convert.has_dst = true;
        return txl_parse_format(&a->cli->error, "--dst", arg, &a->convert.dst);
    case KEY_SHAPE:
        a->how.shape = a->shape;
        return txl_parse_shape(&a->cli->error, "--shape", arg, a->shape, &a->how.dimensions);
    case KEY_SHARED_EXP: {
        uint64_t exponent = 0;
        a->how.force_shared_exp = true;
        const int result = cli_unsigned(a->cli, "--shared-exp", arg, 255, &exponent);
        a->how.shared_exp = (uint8_t)exponent;
        return result;
    }
    case KEY_TILE:
        a->has_tile = true;
        return txl_parse_tile(&a->cli->error, "--tile", arg, &a->how.tile);
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

int cmd_convert(struct cli *cli, int argc, char **argv)
{
    struct convert_args a = {.cli = cli,
                             .how = {.size = sizeof a.how, .tile = {32, 32, false, false}},
                             .convert.size = sizeof a.convert};
    static const struct argp argp = {options, parse, "IN OUT", doc, NULL, NULL, NULL};
    struct progress progress;
    struct txl_conversion *done = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.routes) {
        return cli_put(cli, cli->json ? txl_routes_json() : txl_routes_text());
    }
    if (a.out == NULL) {
        return cli_fail(cli, "an input and an output are needed; see 'tensix convert --help'");
    }
    if (!a.has_tile) {
        a.how.tile.rows = 0; /* no tile was given, which matters for files without tiles */
    }
    a.how.scratch = cli_scratch();
    a.convert.in = &a.how;
    a.convert.progress_user = cli_progress(cli, &progress, !a.no_progress, "tiles");
    a.convert.progress = progress_call;
    result = txl_convert(&cli->error, a.in, a.out, &a.convert, &done);
    progress_end(&progress);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_conversion_json(done) : txl_conversion_text(done));
    }
    txl_conversion_free(done);
    return result;
}
