/* SPDX-License-Identifier: Apache-2.0 */
/* tensix diff: two arrays or files of tiles, compared in ULPs of a format. */
#include "cli.h"

#include "data/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/progress.h"
#include "reference/ulp.h"

enum { KEY_FORMAT = CLI_KEY_FIRST, KEY_MAX, KEY_SHAPE, KEY_TILE, KEY_TWOS, KEY_SHOW, KEY_NO_BAR };

enum { SHOWN_MOST = 1000, SHOWN_USUAL = 5 };

/* One element of one file. */
struct datum {
    uint32_t word;    /* number: FP32, or two's complement */
    uint32_t unit;    /* pattern of the format whose ULPs count */
    uint32_t data;    /* what the file holds, where that is data of a format */
    uint8_t exponent; /* of a block format */
    bool inexact;     /* a number that the format does not hold */
};

struct difference {
    uint64_t element;
    uint64_t ulp; /* MISMATCH: no number */
    struct datum a, b;
};

static const uint64_t mismatch = UINT64_MAX;

struct diff_job {
    struct cli *cli;
    struct tensor file[2];
    struct tensor_how how;
    uint64_t shape[NPY_MAX_DIMENSIONS];
    const char *name[2];
    bool has_format, has_max, no_bar;
    bool same_data; /* both files hold data of one format */
    enum tx_format format;
    enum tx_format unit; /* whose ULPs: the format, or BF16 and FP16 for block formats */
    uint64_t max_ulp, show;
    struct tx_tile tile;
    struct tx_grid grid;
    struct npy_narrowed narrowed;

    uint64_t same, bits, differ, mismatched, largest; /* bits: other bits, 0 ULP apart */
    uint64_t over;                                    /* more than max_ulp */
    uint64_t inexact[2];
    long double sum;
    struct difference *first, *worst;
    size_t first_count, worst_count;
};

/* A piece of one file, row by row. */
struct side {
    uint32_t words[REGION_DATA], units[REGION_DATA], data[REGION_DATA], scratch[REGION_DATA];
    uint32_t rounded[REGION_DATA]; /* what the units stand for */
    uint8_t exponents[REGION_DATA], order[REGION_DATA];
    uint8_t bytes[REGION_DATA * 4];
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0,
     "Format whose ULPs count, and that of tiles and patterns which state none; default: that of "
     "the files",
     1},
    {"max-ulp", KEY_MAX, "N", 0,
     "Up to N ULPs apart is the same; 0: the same value of the format, whatever the bits. "
     "Default: the same bits",
     1},
    {"shape", KEY_SHAPE, "N,...,R,C", 0,
     "Shape of the arrays in two files of tiles; default: (tiles, rows, columns)", 2},
    {"tile", KEY_TILE, "RxC", 0, "Tile: 1 to 32 rows, 16 or 32 columns; default 32x32", 2},
    {"twos-complement", KEY_TWOS, NULL, 0, "Integers in tiles are two's complement", 2},
    {"show", KEY_SHOW, "N", 0, "How many of the first and of the worst elements, default 5", 3},
    {"no-progress", KEY_NO_BAR, NULL, 0, "No progress bar on a terminal", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Compares two arrays or files of tiles, element by element, in ULPs of a format: the distance "
    "of two values in the list of the format's values.\vFiles are named as for tensix convert: "
    ".npy, .npz (FILE.npz:NAME), others are tiles; FILE:FORMAT states a format. Numbers that the "
    "format does not hold are rounded to it first, to nearest even, and counted. Data of block "
    "formats are compared as BF16 or FP16, as the unpacker reads them. NaN against a number is a "
    "mismatch, which no --max-ulp accepts; -0 and +0, or two NaNs, are 0 ULP apart.\n\nExit "
    "status: 0 the same, 1 different, 2 the command line or an input was refused.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct diff_job *job = state->input;
    switch (key) {
    case KEY_FORMAT:
        job->has_format = true;
        return tensor_format(&job->cli->error, "--format", arg, &job->format);
    case KEY_MAX:
        job->has_max = true;
        return cli_unsigned(job->cli, "--max-ulp", arg, INT64_MAX, &job->max_ulp);
    case KEY_SHAPE:
        job->how.shape = job->shape;
        return tensor_shape(&job->cli->error, "--shape", arg, job->shape, &job->how.dimensions);
    case KEY_TILE:
        return tensor_tile(&job->cli->error, "--tile", arg, &job->how.tile);
    case KEY_TWOS:
        job->how.twos_complement = true;
        return 0;
    case KEY_SHOW:
        return cli_unsigned(job->cli, "--show", arg, SHOWN_MOST, &job->show);
    case KEY_NO_BAR:
        job->no_bar = true;
        return 0;
    case ARGP_KEY_ARG:
        if (job->name[0] == NULL) {
            job->name[0] = arg;
            return 0;
        }
        return cli_only(job->cli, "pair of files", arg, &job->name[1]);
    default:
        return cli_common(job->cli, key);
    }
}

/* ---- one element ---- */

static bool is_integer(const struct diff_job *job)
{
    return tx_format_info(job->unit)->integer;
}

/* FP16 and FP8 of Tensix have no NaN: their words are numbers. */
static bool is_nan(const struct diff_job *job, uint32_t word)
{
    return !is_integer(job) && (word & 0x7fffffffU) > 0x7f800000U;
}

static int64_t position(const struct diff_job *job, const struct datum *d)
{
    if (is_integer(job)) {
        return job->unit == TX_FORMAT_UINT32 ? (int64_t)d->word : (int64_t)(int32_t)d->word;
    }
    return tx_format_order(job->unit, d->unit);
}

static uint64_t distance(const struct diff_job *job, const struct datum *a, const struct datum *b)
{
    bool nan = is_nan(job, a->word);
    if (nan || is_nan(job, b->word)) {
        return nan && is_nan(job, b->word) ? 0 : mismatch;
    }
    int64_t apart = position(job, a) - position(job, b);
    return (uint64_t)(apart < 0 ? -apart : apart);
}

static void keep(const struct diff_job *job, struct difference *list, size_t *count,
                 const struct difference *one, bool by_ulp)
{
    size_t place = *count;
    while (place > 0) {
        const struct difference *before = &list[place - 1];
        bool behind = by_ulp && before->ulp != one->ulp ? before->ulp > one->ulp
                                                        : before->element < one->element;
        if (behind) {
            break;
        }
        place--;
    }
    if (place >= job->show) {
        return;
    }
    if (*count < job->show) {
        (*count)++;
    }
    memmove(list + place + 1, list + place, (*count - 1 - place) * sizeof *list);
    list[place] = *one;
}

static void add(struct diff_job *job, uint64_t element, const struct datum *a,
                const struct datum *b)
{
    job->inexact[0] += a->inexact ? 1U : 0U;
    job->inexact[1] += b->inexact ? 1U : 0U;
    bool alike =
        job->same_data ? a->data == b->data && a->exponent == b->exponent : a->word == b->word;
    if (alike) {
        job->same++;
        return;
    }
    struct difference one = {.element = element, .ulp = distance(job, a, b), .a = *a, .b = *b};
    if (one.ulp == 0) {
        job->bits++;
    } else if (one.ulp == mismatch) {
        job->mismatched++;
    } else {
        job->differ++;
        job->sum += (long double)one.ulp;
        job->largest = one.ulp > job->largest ? one.ulp : job->largest;
    }
    if (one.ulp == mismatch || one.ulp > job->max_ulp) {
        job->over++;
    }
    keep(job, job->first, &job->first_count, &one, false);
    if (one.ulp != 0) {
        keep(job, job->worst, &job->worst_count, &one, true);
    }
}

/* ---- one piece ---- */

/* What reads data of a format: the unpacker where host code reads other numbers. */
static struct tx_codec reader(const struct tensor *file)
{
    struct tx_codec codec;
    const struct tx_format_info *info = tx_format_info(file->format);
    bool unpacker = info->block || file->format == TX_FORMAT_FP8_E4M3;
    (void)tx_codec_default(unpacker ? TX_ROUTE_TENSIX : TX_ROUTE_HOST, TX_BLACKHOLE, file->format,
                           tx_format_in_dst(file->format), &codec, NULL);
    codec.twos_complement = file->twos_complement && info->integer;
    return codec;
}

static void read_data(const struct diff_job *job, const struct tensor *file, const struct region *r,
                      struct side *s)
{
    struct tx_tile_layout layout;
    struct tx_codec codec = reader(file);
    (void)tx_tile_layout(&job->tile, file->format, &layout);
    (void)tx_tiles_decode(&codec, &job->tile, s->bytes, r->count, s->scratch);
    (void)tx_untilize(&r->grid, 4, s->scratch, 0, r->count, s->words);
    for (size_t i = 0; i < (size_t)r->count * layout.data; i++) {
        const uint8_t *tile = s->bytes + i / layout.data * layout.bytes;
        s->scratch[i] =
            tx_tile_get(&job->tile, file->format, tile, (uint32_t)(i % layout.data), &s->order[i]);
    }
    (void)tx_untilize(&r->grid, 4, s->scratch, 0, r->count, s->data);
    (void)tx_untilize(&r->grid, 1, s->order, 0, r->count, s->exponents);
}

/* The patterns of the unit's format, and the numbers that these stand for. */
static void find_units(const struct diff_job *job, const struct tensor *file, size_t count,
                       struct side *s)
{
    struct tx_codec codec = {.route = TX_ROUTE_HOST, .format = job->unit};
    if (is_integer(job)) {
        memcpy(s->rounded, s->words, count * sizeof s->words[0]);
        return;
    }
    if (file->kind != TENSOR_VALUES && file->format == job->unit) {
        memcpy(s->units, s->data, count * sizeof s->data[0]);
        memcpy(s->rounded, s->words, count * sizeof s->words[0]);
        return;
    }
    unsigned size = tx_format_info(job->unit)->bits / 8U;
    (void)tx_words_payload(&codec, s->words, count, s->bytes);
    (void)tx_payload_words(&codec, s->bytes, count, s->rounded);
    for (size_t i = 0; i < count; i++) {
        s->units[i] = 0;
        for (unsigned k = 0; k < size; k++) {
            s->units[i] |= (uint32_t)s->bytes[i * size + k] << (8 * k);
        }
    }
}

static const char *read_side(struct diff_job *job, const struct tensor *file,
                             const struct region *r, struct side *s, char message[TENSOR_MESSAGE])
{
    const char *wrong = NULL;
    if (file->kind == TENSOR_VALUES) {
        wrong = region_values(file, r, s->words, &job->narrowed, message);
    } else {
        wrong = region_tiles(file, r, s->scratch, s->bytes, message);
        if (wrong == NULL) {
            read_data(job, file, r, s);
        }
    }
    if (wrong == NULL) {
        find_units(job, file, r->height * r->width, s);
    }
    return wrong;
}

static struct datum datum_at(const struct diff_job *job, const struct side *s, size_t i)
{
    return (struct datum){.word = s->words[i],
                          .unit = s->units[i],
                          .data = s->data[i],
                          .exponent = s->exponents[i],
                          .inexact = s->words[i] != s->rounded[i] && !is_nan(job, s->words[i])};
}

static int compare(struct diff_job *job)
{
    struct side *sides = calloc(2, sizeof *sides);
    job->first = calloc(job->show + 1, sizeof *job->first);
    job->worst = calloc(job->show + 1, sizeof *job->worst);
    if (sides == NULL || job->first == NULL || job->worst == NULL) {
        free(sides);
        return cli_fail(job->cli, "out of memory");
    }
    struct progress progress;
    struct region r;
    const char *wrong = NULL;
    char message[TENSOR_MESSAGE];
    progress_start(&progress, !job->no_bar && !job->cli->json, job->grid.tiles, "tiles");
    for (uint64_t t = 0; t < job->grid.tiles && wrong == NULL; t += r.count) {
        region_at(&job->grid, t, &r);
        for (unsigned k = 0; k < 2 && wrong == NULL; k++) {
            wrong = read_side(job, &job->file[k], &r, &sides[k], message);
        }
        for (size_t i = 0; i < r.height * r.width && wrong == NULL; i++) {
            struct datum a = datum_at(job, &sides[0], i);
            struct datum b = datum_at(job, &sides[1], i);
            add(job, region_element(&r, i), &a, &b);
        }
        progress_update(&progress, t);
    }
    progress_end(&progress);
    free(sides);
    return wrong == NULL ? CLI_CONTINUE : cli_fail(job->cli, "%s", wrong);
}

/* ---- the files ---- */

static int open_files(struct diff_job *job)
{
    struct tensor_name names[2] = {{0}};
    int result = tensor_name(&job->cli->error, job->name[0], false, &names[0]);
    if (result == CLI_CONTINUE) {
        result = tensor_name(&job->cli->error, job->name[1], false, &names[1]);
    }
    /* An array knows the shape, so it comes first. */
    unsigned first = !names[0].is_array && names[1].is_array ? 1 : 0;
    bool arrays = names[0].is_array || names[1].is_array;
    tensor_name_free(&names[0]);
    tensor_name_free(&names[1]);
    if (result == CLI_CONTINUE && arrays && job->how.shape != NULL) {
        return cli_fail(job->cli, "--shape is for two files of tiles: an array has its own");
    }
    if (result == CLI_CONTINUE) {
        result = tensor_open(&job->cli->error, job->name[first], &job->how, &job->file[first]);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    job->how.shape = job->file[first].info.shape;
    job->how.dimensions = job->file[first].info.dimensions;
    result = tensor_open(&job->cli->error, job->name[1 - first], &job->how, &job->file[1 - first]);
    if (result == CLI_CONTINUE && !npy_same_shape(&job->file[0].info, &job->file[1].info)) {
        return cli_fail(job->cli, "%s and %s have different shapes", job->name[0], job->name[1]);
    }
    return result;
}

/* The format that the files themselves suggest. */
static bool own_format(const struct diff_job *job, enum tx_format *format)
{
    const struct tensor *a = &job->file[0];
    const struct tensor *b = &job->file[1];
    bool numbers = a->kind == TENSOR_VALUES && b->kind == TENSOR_VALUES;
    if (numbers && a->info.dtype == NPY_FLOAT16 && b->info.dtype == NPY_FLOAT16) {
        *format = TX_FORMAT_FP16;
    } else if (numbers && tx_format_info(a->format)->integer) {
        bool wide = a->format == TX_FORMAT_UINT32 && b->format == TX_FORMAT_UINT32;
        *format = wide ? TX_FORMAT_UINT32 : TX_FORMAT_INT32;
    } else if (numbers || b->kind == TENSOR_VALUES) {
        *format = a->format;
    } else {
        *format = b->format;
        return a->kind == TENSOR_VALUES || a->format == b->format;
    }
    return true;
}

static int settle(struct diff_job *job)
{
    if (!job->has_format && !own_format(job, &job->format)) {
        return cli_fail(job->cli, "%s and %s hold different formats: in whose ULPs? --format",
                        job->name[0], job->name[1]);
    }
    const struct tx_format_info *info = tx_format_info(job->format);
    for (unsigned k = 0; k < 2; k++) {
        if (tx_format_info(job->file[k].format)->integer != info->integer) {
            return cli_fail(job->cli, "%s holds %s, which is not compared in ULPs of %s",
                            job->name[k], tensor_kind_text(&job->file[k]), info->name);
        }
    }
    job->unit = info->block ? tx_format_in_dst(job->format) : job->format;
    job->same_data = job->file[0].kind != TENSOR_VALUES && job->file[1].kind != TENSOR_VALUES &&
                     job->file[0].format == job->file[1].format &&
                     job->file[0].twos_complement == job->file[1].twos_complement;
    bool tiles = job->file[0].kind == TENSOR_TILES || job->file[1].kind == TENSOR_TILES;
    job->tile = tiles ? job->how.tile : region_flat_tile();
    if (!region_grid(&job->file[0].info, &job->tile, !tiles, &job->grid)) {
        return cli_fail(job->cli, "%s: the shape is too large for tiles", job->name[0]);
    }
    return CLI_CONTINUE;
}

/* ---- the answer ---- */

static const char *number(const struct diff_job *job, const struct datum *d, char text[48])
{
    if (job->unit == TX_FORMAT_UINT32) {
        snprintf(text, 48, "%u", d->word);
        return text;
    }
    return number_text(is_integer(job) ? TX_DST_INT32 : TX_DST_FP32, d->word, text, 48);
}

/* The bits in the file: a block datum as exponent:datum, a number as FP32 or the integer. */
static const char *bits(const struct diff_job *job, unsigned k, const struct datum *d,
                        char text[16])
{
    const struct tx_format_info *info = tx_format_info(job->file[k].format);
    if (job->file[k].kind == TENSOR_VALUES) {
        snprintf(text, 16, "%08x", d->word);
    } else if (info->block) {
        snprintf(text, 16, "%02x:%0*x", d->exponent, info->bits < 8 ? 1 : 2, d->data);
    } else {
        snprintf(text, 16, "%0*x", info->bits / 4, d->data);
    }
    return text;
}

static void print_list(const struct diff_job *job, const char *title, const struct difference *list,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct difference *d = &list[i];
        char index[256];
        char a[48];
        char b[48];
        char ab[16];
        char bb[16];
        printf("%-15s %s: %s %s, %s %s", i == 0 ? title : "",
               tensor_index(&job->file[0].info, d->element, index, sizeof index),
               number(job, &d->a, a), bits(job, 0, &d->a, ab), number(job, &d->b, b),
               bits(job, 1, &d->b, bb));
        if (d->ulp == mismatch) {
            printf(": mismatch\n");
        } else {
            printf(": %llu\n", (unsigned long long)d->ulp);
        }
    }
}

static long double mean(const struct diff_job *job)
{
    uint64_t count = job->same + job->bits + job->differ;
    return count == 0 ? 0.0L : job->sum / (long double)count;
}

static void print_text(const struct diff_job *job)
{
    char shape[256];
    npy_shape_text(&job->file[0].info, shape, sizeof shape);
    for (unsigned k = 0; k < 2; k++) {
        printf("%-15s %s: %s %s\n", k == 0 ? "a" : "b", job->name[k],
               tensor_kind_text(&job->file[k]), shape);
        if (job->inexact[k] != 0) {
            printf("  rounded first %llu, which %s does not hold\n",
                   (unsigned long long)job->inexact[k], tx_format_name(job->unit));
        }
    }
    printf("unit            %s\n", is_integer(job) ? "1" : tx_format_name(job->unit));
    printf("same            %llu of %llu\n", (unsigned long long)job->same,
           (unsigned long long)job->file[0].info.count);
    if (job->bits != 0) {
        printf("other bits      %llu, 0 ULP apart\n", (unsigned long long)job->bits);
    }
    if (job->differ != 0) {
        printf("different       %llu, at most %llu ULP, %.6Lg on average of all\n",
               (unsigned long long)job->differ, (unsigned long long)job->largest, mean(job));
    }
    if (job->mismatched != 0) {
        printf("mismatched      %llu, NaN against a number\n", (unsigned long long)job->mismatched);
    }
    print_list(job, "first", job->first, job->first_count);
    print_list(job, "worst", job->worst, job->worst_count);
}

static json_t *list_json(const struct diff_job *job, const struct difference *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct difference *d = &list[i];
        char text[256];
        json_t *object = json_object();
        jx_set_int(object, "element", d->element);
        jx_set_text(object, "index",
                    tensor_index(&job->file[0].info, d->element, text, sizeof text));
        jx_set_text(object, "a", number(job, &d->a, text));
        jx_set_text(object, "a_bits", bits(job, 0, &d->a, text));
        jx_set_text(object, "b", number(job, &d->b, text));
        jx_set_text(object, "b_bits", bits(job, 1, &d->b, text));
        json_object_set_new(object, "ulp",
                            d->ulp == mismatch ? json_null() : json_integer((json_int_t)d->ulp));
        json_array_append_new(array, object);
    }
    return array;
}

static void print_json(const struct diff_job *job, bool different)
{
    json_t *root = json_object();
    static const char *const side[2] = {"a", "b"};
    for (unsigned k = 0; k < 2; k++) {
        json_t *object = json_object();
        jx_set_text(object, "file", job->name[k]);
        jx_set_text(object, "format", tensor_kind_text(&job->file[k]));
        jx_set_int(object, "rounded_first", job->inexact[k]);
        json_object_set_new(root, side[k], object);
    }
    jx_set_text(root, "unit", tx_format_name(job->unit));
    jx_set_bool(root, "different", different);
    jx_set_int(root, "elements", job->file[0].info.count);
    jx_set_int(root, "same", job->same);
    jx_set_int(root, "other_bits", job->bits);
    jx_set_int(root, "differ", job->differ);
    jx_set_int(root, "mismatched", job->mismatched);
    jx_set_int(root, "max_ulp", job->largest);
    jx_set_real(root, "mean_ulp", (double)mean(job));
    json_object_set_new(root, "first", list_json(job, job->first, job->first_count));
    json_object_set_new(root, "worst", list_json(job, job->worst, job->worst_count));
    jx_print(stdout, root);
    json_decref(root);
}

int cmd_diff(struct cli *cli, int argc, char **argv)
{
    static struct diff_job job;
    static const struct argp argp = {options, parse, "A B", doc, NULL, NULL, NULL};
    job =
        (struct diff_job){.cli = cli, .show = SHOWN_USUAL, .how.tile = {.rows = 32, .columns = 32}};
    int result = cli_parse(cli, &argp, argc, argv, &job);
    if (result == CLI_CONTINUE && job.name[1] == NULL) {
        result = cli_fail(cli, "two files are needed; see 'tensix diff --help'");
    }
    if (result == CLI_CONTINUE) {
        job.how.has_format = job.has_format;
        job.how.format = job.format;
        job.how.numbers_too = true;
        result = open_files(&job);
    }
    if (result == CLI_CONTINUE) {
        result = settle(&job);
    }
    if (result == CLI_CONTINUE) {
        result = compare(&job);
    }
    if (result == CLI_CONTINUE) {
        bool different = job.has_max ? job.over != 0 : job.same != job.file[0].info.count;
        if (cli->json) {
            print_json(&job, different);
        } else {
            print_text(&job);
        }
        result = different ? CLI_NEGATIVE : CLI_OK;
    }
    free(job.first);
    free(job.worst);
    tensor_close(&job.file[0]);
    tensor_close(&job.file[1]);
    return result;
}
