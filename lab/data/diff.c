/* SPDX-License-Identifier: Apache-2.0 */
/* txl_diff: compares two arrays or files of tiles element by element, in ULPs of a format. */
#include <tensix-lab/data.h>

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>
#include <tensix-lab/reference.h>

#include "base/memory.h"
#include "base/json.h"
#include "base/options.h"
#include "base/pool.h"
#include "data/region.h"

enum { SHOWN_MOST = 1000 };

/* One element of one file. */
struct datum {
    uint32_t word;    /* the number: FP32, or two's complement */
    uint32_t unit;    /* its pattern in the format whose ULPs count */
    uint32_t data;    /* what the file holds, if that is data of a format */
    uint8_t exponent; /* shared exponent of a block format */
    bool inexact;     /* the format whose ULPs count cannot hold the number */
};

struct apart {
    uint64_t element;
    uint64_t ulp; /* or TXL_MISMATCH */
    struct datum a, b;
};

struct diff_job {
    struct txl_error *err;
    struct tensor file[2];
    struct tensor_how how;
    const char *name[2];
    bool has_max;
    bool same_data; /* both files hold data of one format */
    /* The format whose ULPs count: their own, or BF16 and FP16 for block formats. */
    enum tx_format unit;
    uint64_t max_ulp;
    size_t show;
    txl_progress progress;
    void *progress_user;
    struct tx_tile tile;
    struct tx_grid grid;
    struct npy_narrowed narrowed;

    uint64_t same, bits, differ, mismatched, largest; /* bits: other bits, but 0 ULP apart */
    uint64_t over;                                    /* elements further apart than max_ulp */
    uint64_t inexact[2];
    long double sum;
    struct apart *first, *worst;
    size_t first_count, worst_count;
};

/* One piece of one file, in the order of the array. */
struct side {
    uint32_t words[REGION_DATA], units[REGION_DATA], data[REGION_DATA], scratch[REGION_DATA];
    uint32_t rounded[REGION_DATA]; /* the numbers of the units */
    uint8_t exponents[REGION_DATA], order[REGION_DATA];
    uint8_t bytes[REGION_DATA * 4];
};

/* ---- one element ---- */

static bool is_integer(const struct diff_job *job)
{
    return tx_format_info(job->unit)->integer;
}

/* Whether a word is a NaN. Tensix's FP16 and FP8 have none, so their words never are. */
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
        return nan && is_nan(job, b->word) ? 0 : TXL_MISMATCH;
    }
    int64_t apart = position(job, a) - position(job, b);
    return (uint64_t)(apart < 0 ? -apart : apart);
}

static void diff_keep(const struct diff_job *job, struct apart *list, size_t *count,
                      const struct apart *one, bool by_ulp)
{
    size_t place = *count;
    while (place > 0) {
        const struct apart *before = &list[place - 1];
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

static void diff_add(struct diff_job *job, uint64_t element, const struct datum *a,
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
    struct apart one = {.element = element, .ulp = distance(job, a, b), .a = *a, .b = *b};
    if (one.ulp == 0) {
        job->bits++;
    } else if (one.ulp == TXL_MISMATCH) {
        job->mismatched++;
    } else {
        job->differ++;
        job->sum += (long double)one.ulp;
        job->largest = one.ulp > job->largest ? one.ulp : job->largest;
    }
    if (one.ulp == TXL_MISMATCH || one.ulp > job->max_ulp) {
        job->over++;
    }
    diff_keep(job, job->first, &job->first_count, &one, false);
    if (one.ulp != 0) {
        diff_keep(job, job->worst, &job->worst_count, &one, true);
    }
}

/* ---- one piece ---- */

static void read_data(const struct diff_job *job, const struct tensor *file, const struct region *r,
                      struct side *s)
{
    struct tx_tile_layout layout;
    struct tx_codec codec = tensor_reader(file);
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

/* Finds the patterns in the format whose ULPs count, and the numbers that these stand for. */
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

static bool read_side(struct diff_job *job, const struct tensor *file, const struct region *r,
                      struct side *s)
{
    if (file->kind == TENSOR_VALUES) {
        if (!region_values(file, r, s->words, &job->narrowed, job->err)) {
            return false;
        }
    } else {
        if (!region_tiles(file, r, s->scratch, s->bytes, job->err)) {
            return false;
        }
        read_data(job, file, r, s);
    }
    find_units(job, file, r->height * r->width, s);
    return true;
}

static struct datum datum_at(const struct diff_job *job, const struct side *s, size_t i)
{
    return (struct datum){.word = s->words[i],
                          .unit = s->units[i],
                          .data = s->data[i],
                          .exponent = s->exponents[i],
                          .inexact = s->words[i] != s->rounded[i] && !is_nan(job, s->words[i])};
}

static bool compare_piece(struct diff_job *job, uint64_t first, struct side sides[2],
                          struct region *r)
{
    bool good = true;
    region_at(&job->grid, first, r);
    for (unsigned k = 0; k < 2 && good; k++) {
        good = read_side(job, &job->file[k], r, &sides[k]);
    }
    for (size_t i = 0; i < r->height * r->width && good; i++) {
        struct datum a = datum_at(job, &sides[0], i);
        struct datum b = datum_at(job, &sides[1], i);
        diff_add(job, region_element(r, i), &a, &b);
    }
    return good;
}

static int diff_compare(struct diff_job *job)
{
    struct side *sides = zeroed(job->err, 2, sizeof *sides);
    job->first = zeroed(job->err, job->show + 1, sizeof *job->first);
    job->worst = zeroed(job->err, job->show + 1, sizeof *job->worst);
    if (sides == NULL || job->first == NULL || job->worst == NULL) {
        free(sides);
        return TXL_INPUT;
    }
    struct ticker ticker;
    struct region r;
    bool good = true;
    bool wanted = ticker_start(&ticker, job->progress, job->progress_user, job->grid.tiles);
    for (uint64_t t = 0; t < job->grid.tiles && good && wanted; t += r.count) {
        good = compare_piece(job, t, sides, &r);
        wanted = ticker_at(&ticker, t + r.count) || t + r.count >= job->grid.tiles;
    }
    free(sides);
    if (good && !wanted) {
        return txl_refuse(job->err, TXL_CANCELLED, "cancelled");
    }
    return good ? TXL_CONTINUE : TXL_INPUT;
}

/* ---- the files ---- */

static int open_files(struct diff_job *job)
{
    struct tensor_name names[2] = {{0}};
    int result = tensor_name(job->err, job->name[0], false, &names[0]);
    if (result == TXL_CONTINUE) {
        result = tensor_name(job->err, job->name[1], false, &names[1]);
    }
    /* An array knows its shape, so it is opened first. */
    const unsigned first = !names[0].is_array && names[1].is_array ? 1 : 0;
    const bool arrays = names[0].is_array || names[1].is_array;
    tensor_name_free(&names[0]);
    tensor_name_free(&names[1]);
    if (result == TXL_CONTINUE && arrays && job->how.shape != NULL) {
        return txl_fail_option(job->err, NULL, "shape",
                               "that is for two files of tiles: an array has its own");
    }
    if (result == TXL_CONTINUE) {
        result = tensor_open(job->err, job->name[first], &job->how, &job->file[first]);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct tensor_how how = job->how;
    how.shape = job->file[first].info.shape;
    how.dimensions = job->file[first].info.dimensions;
    result = tensor_open(job->err, job->name[1 - first], &how, &job->file[1 - first]);
    if (result == TXL_CONTINUE && !npy_same_shape(&job->file[0].info, &job->file[1].info)) {
        return txl_fail(job->err, "%s and %s have different shapes", job->name[0], job->name[1]);
    }
    return result;
}

/* Finds the format that the files suggest. Returns false when they hold data of two formats. */
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

static int diff_settle(struct diff_job *job)
{
    if (!job->how.has_format && !own_format(job, &job->how.format)) {
        return txl_fail_option(job->err, NULL, "format",
                               "%s and %s hold different formats: in whose ULPs?", job->name[0],
                               job->name[1]);
    }
    const struct tx_format_info *info = tx_format_info(job->how.format);
    for (unsigned k = 0; k < 2; k++) {
        if (tx_format_info(job->file[k].format)->integer != info->integer) {
            return txl_fail(job->err, "%s holds %s, which is not compared in ULPs of %s",
                            job->name[k], tensor_kind_text(&job->file[k]), info->name);
        }
    }
    job->unit = info->block ? tx_format_in_dst(job->how.format) : job->how.format;
    job->same_data = job->file[0].kind != TENSOR_VALUES && job->file[1].kind != TENSOR_VALUES &&
                     job->file[0].format == job->file[1].format &&
                     job->file[0].twos_complement == job->file[1].twos_complement;
    bool tiles = job->file[0].kind == TENSOR_TILES || job->file[1].kind == TENSOR_TILES;
    job->tile = tiles ? job->how.tile : region_flat_tile();
    if (!region_grid(&job->file[0].info, &job->tile, !tiles, &job->grid)) {
        return txl_fail(job->err, "%s: the shape is too large for tiles", job->name[0]);
    }
    return TXL_CONTINUE;
}

/* ---- the answer ---- */

/* The report and the data that it points to. */
struct report {
    struct txl_diff open;
    char *name[2];
    char shape[256];
    struct txl_difference *lists; /* the first differences, then the worst */
};

static const char *diff_number(const struct diff_job *job, const struct datum *d, char text[48])
{
    if (job->unit == TX_FORMAT_UINT32) {
        snprintf(text, 48, "%u", d->word);
        return text;
    }
    return txl_number_text(is_integer(job) ? TX_DST_FORMAT_INT32 : TX_DST_FORMAT_FP32, d->word,
                           text, 48);
}

/* Writes the bits in the file: a block datum as exponent:datum, a number as FP32 or integer. */
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

static void fill_list(const struct diff_job *job, const struct apart *list, size_t count,
                      struct txl_difference *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct datum *sides[2] = {&list[i].a, &list[i].b};
        out[i].element = list[i].element;
        out[i].ulp = list[i].ulp;
        (void)tensor_index(&job->file[0].info, list[i].element, out[i].index, sizeof out[i].index);
        for (unsigned k = 0; k < 2; k++) {
            (void)diff_number(job, sides[k], out[i].text[k]);
            (void)bits(job, k, sides[k], out[i].bits[k]);
        }
    }
}

static int report(const struct diff_job *job, struct txl_diff **result)
{
    struct report *r = zeroed(job->err, 1, sizeof *r);
    if (r == NULL) {
        return TXL_INPUT;
    }
    struct txl_diff *d = &r->open;
    r->lists = calloc(job->first_count + job->worst_count + 1, sizeof *r->lists);
    bool good = r->lists != NULL;
    for (unsigned k = 0; k < 2; k++) {
        r->name[k] = strdup(job->name[k]);
        good = good && r->name[k] != NULL;
        d->type[k] = tensor_kind_text(&job->file[k]);
        d->rounded[k] = job->inexact[k];
    }
    if (!good) {
        txl_diff_free(d);
        return no_memory(job->err);
    }
    const uint64_t count = job->same + job->bits + job->differ;
    d->shape = npy_shape_text(&job->file[0].info, r->shape, sizeof r->shape);
    d->unit = job->unit;
    d->elements = job->file[0].info.count;
    d->different = job->has_max ? job->over != 0 : job->same != d->elements;
    d->same = job->same;
    d->other_bits = job->bits;
    d->differ = job->differ;
    d->mismatched = job->mismatched;
    d->max_ulp = job->largest;
    d->mean_ulp = count == 0 ? 0.0 : (double)(job->sum / (long double)count);
    fill_list(job, job->first, job->first_count, r->lists);
    fill_list(job, job->worst, job->worst_count, r->lists + job->first_count);
    d->first = r->lists;
    d->first_count = job->first_count;
    d->worst = r->lists + job->first_count;
    d->worst_count = job->worst_count;
    *result = d;
    return TXL_CONTINUE;
}

static int settle_options(struct diff_job *job, const struct txl_diff_options *options)
{
    struct txl_diff_options o;
    int result = options_take(job->err, &o, sizeof o, options);
    result = result == TXL_CONTINUE ? tensor_how_from(job->err, o.in, &job->how) : result;
    result = result == TXL_CONTINUE ? tensor_how_tile(job->err, &job->how) : result;
    if (result == TXL_CONTINUE && o.show > SHOWN_MOST) {
        return txl_fail(job->err, "at most %d elements are listed", SHOWN_MOST);
    }
    job->how.numbers_too = true;
    job->has_max = o.has_max;
    job->max_ulp = o.max_ulp;
    job->show = o.show;
    job->progress = o.progress;
    job->progress_user = o.progress_user;
    return result;
}

int txl_diff(struct txl_error *err, const char *a, const char *b,
             const struct txl_diff_options *options, struct txl_diff **result)
{
    struct diff_job job = {.err = err, .name = {a, b}, .file = {{.fd = -1}, {.fd = -1}}};
    *result = NULL;
    int status = settle_options(&job, options);
    status = status == TXL_CONTINUE ? open_files(&job) : status;
    status = status == TXL_CONTINUE ? diff_settle(&job) : status;
    status = status == TXL_CONTINUE ? diff_compare(&job) : status;
    status = status == TXL_CONTINUE ? report(&job, result) : status;
    free(job.first);
    free(job.worst);
    tensor_close(&job.file[0]);
    tensor_close(&job.file[1]);
    return status == TXL_CONTINUE ? TXL_OK : status;
}

void txl_diff_free(struct txl_diff *diff)
{
    struct report *r = (struct report *)diff; /* the first member of the report */
    if (r != NULL) {
        free(r->name[0]);
        free(r->name[1]);
        free(r->lists);
        free(r);
    }
}

static txl_json *list_json(const struct txl_difference *list, size_t count)
{
    txl_json *array = txl_json_array();
    for (size_t i = 0; i < count; i++) {
        const struct txl_difference *d = &list[i];
        txl_json *object = txl_json_object();
        JSON_MEMBERS(object, d, element, index);
        txl_json_set_text(object, "a", d->text[0]);
        txl_json_set_text(object, "a_bits", d->bits[0]);
        txl_json_set_text(object, "b", d->text[1]);
        txl_json_set_text(object, "b_bits", d->bits[1]);
        txl_json_set(object, "ulp",
                     d->ulp == TXL_MISMATCH ? txl_json_null() : txl_json_int((int64_t)d->ulp));
        txl_json_append(array, object);
    }
    return array;
}

char *txl_diff_json(const struct txl_diff *d)
{
    const struct report *r = (const struct report *)d;
    static const char *const side[2] = {"a", "b"};
    txl_json *root = txl_json_object();
    for (unsigned k = 0; k < 2; k++) {
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "file", r->name[k]);
        txl_json_set_text(object, "format", d->type[k]);
        txl_json_set_int(object, "rounded_first", d->rounded[k]);
        txl_json_set(root, side[k], object);
    }
    txl_json_set_text(root, "unit", tx_format_name(d->unit));
    JSON_MEMBERS(root, d, different, elements, same, other_bits, differ, mismatched, max_ulp,
                 mean_ulp);
    txl_json_set(root, "first", list_json(d->first, d->first_count));
    txl_json_set(root, "worst", list_json(d->worst, d->worst_count));
    return json_text(root);
}

static void print_list(FILE *out, const char *title, const struct txl_difference *list,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct txl_difference *d = &list[i];
        fprintf(out, "%-15s %s: %s %s, %s %s", i == 0 ? title : "", d->index, d->text[0],
                d->bits[0], d->text[1], d->bits[1]);
        if (d->ulp == TXL_MISMATCH) {
            fprintf(out, ": mismatch\n");
        } else {
            fprintf(out, ": %llu\n", (unsigned long long)d->ulp);
        }
    }
}

static void print_diff(FILE *out, const struct report *r)
{
    const struct txl_diff *d = &r->open;
    const char *unit = tx_format_name(d->unit);
    for (unsigned k = 0; k < 2; k++) {
        fprintf(out, "%-15s %s: %s %s\n", k == 0 ? "a" : "b", r->name[k], d->type[k], d->shape);
        if (d->rounded[k] != 0) {
            fprintf(out, "  rounded first %llu, which %s does not hold\n",
                    (unsigned long long)d->rounded[k], unit);
        }
    }
    fprintf(out, "unit            %s\n", tx_format_info(d->unit)->integer ? "1" : unit);
    fprintf(out, "same            %llu of %llu\n", (unsigned long long)d->same,
            (unsigned long long)d->elements);
    if (d->other_bits != 0) {
        fprintf(out, "other bits      %llu, 0 ULP apart\n", (unsigned long long)d->other_bits);
    }
    if (d->differ != 0) {
        fprintf(out, "different       %llu, at most %llu ULP, %.6g on average of all\n",
                (unsigned long long)d->differ, (unsigned long long)d->max_ulp, d->mean_ulp);
    }
    if (d->mismatched != 0) {
        fprintf(out, "mismatched      %llu, NaN against a number\n",
                (unsigned long long)d->mismatched);
    }
    print_list(out, "first", d->first, d->first_count);
    print_list(out, "worst", d->worst, d->worst_count);
}

char *txl_diff_text(const struct txl_diff *diff)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_diff(text.stream, (const struct report *)diff);
    return memory_text_take(&text);
}
