/* SPDX-License-Identifier: Apache-2.0 */
/* txl_convert: makes a job from the options, runs it, and makes the report of a finished job. */
#include <tensix/facts.h>
#include "data/convert.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/json.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/options.h"

/* The report together with the texts that it points to. */
struct report {
    struct txl_conversion open;
    char *in, *out; /* the names as given */
    char to[64], path[512], shape[256];
    uint64_t sizes[NPY_MAX_DIMENSIONS];
    unsigned dimensions;
    struct txl_loss loss[TX_LOSS_COUNT];
};

static int set_route(struct txl_error *err, const char *text, struct convert_job *job)
{
    static const enum convert_route routes[] = {ROUTE_HOST, ROUTE_PACK, ROUTE_UNPACK,
                                                ROUTE_UNPACK_PACK};
    const char *names[TX_CONVERSION_COUNT + 4];
    size_t count = 0;
    for (; count < 4; count++) {
        job->route = routes[count];
        names[count] = convert_route_name(job);
        if (strcmp(text, names[count]) == 0) {
            return TXL_CONTINUE;
        }
    }
    if (tx_conversion_parse(text, &job->conversion) == TX_OK) {
        job->route = ROUTE_SINGLE;
        return TXL_CONTINUE;
    }
    for (unsigned c = 0; c < TX_CONVERSION_COUNT; c++) {
        names[count++] = tx_conversion_info((enum tx_conversion)c)->name;
    }
    const char *near = txl_nearest(text, names, count);
    return near != NULL ? txl_fail_option(err, NULL, "route", "no route '%s'; did you mean '%s'?",
                                          text, near)
                        : txl_fail_option(err, NULL, "route",
                                          "no route '%s'; they are host, pack, unpack, unpack+pack "
                                          "and the conversions of single data",
                                          text);
}

static int open_files(struct convert_job *job, const char *in, const char *out,
                      const struct tensor_how *how)
{
    const bool tile_given = how->tile.rows != 0;
    struct tensor_how whole = *how;
    int result = tensor_how_tile(job->err, &whole);
    if (result != TXL_CONTINUE) {
        return result;
    }
    result = tensor_out_name(job->err, out, &job->out);
    if (result != TXL_CONTINUE) {
        return result;
    }
    job->out.scratch = how->scratch;
    if (job->out.name.has_format) {
        job->has_to = true;
        job->to = job->out.name.format;
    }
    result = tensor_open(job->err, in, &whole, &job->in);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const bool tiles = job->in.kind == TENSOR_TILES || !job->out.name.is_array;
    if (how->shape != NULL && job->in.kind != TENSOR_TILES) {
        return txl_fail_option(job->err, NULL, "shape",
                               "that is for a file of tiles: %s has a shape", in);
    }
    if (tile_given && !tiles) {
        return txl_fail_option(job->err, NULL, "tile",
                               "faces and their order are for files of tiles: there is none");
    }
    job->twos_complement = how->twos_complement && !job->out.name.is_array;
    job->flat = !tiles;
    job->tile = tiles ? whole.tile : region_flat_tile();
    return TXL_CONTINUE;
}

static int data_convert_settle(struct convert_job *job, const char *in, const char *out,
                               const struct txl_convert_options *options)
{
    struct txl_convert_options o;
    struct tensor_how how;
    int result = options_take(job->err, &o, sizeof o, options);
    if (result == TXL_CONTINUE) {
        result = tensor_how_from(job->err, o.in, &how);
    }
    if (result == TXL_CONTINUE && o.route != NULL) {
        result = set_route(job->err, o.route, job);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    job->arch = o.arch;
    job->to = o.to;
    job->has_to = o.has_to;
    job->dst = o.dst;
    job->has_dst = o.has_dst;
    job->progress = o.progress;
    job->progress_user = o.progress_user;
    result = open_files(job, in, out, &how);
    return result == TXL_CONTINUE ? convert_settle(job) : result;
}

/* ---- the report ---- */

static void fill_loss(const struct convert_job *job, unsigned kind, struct txl_loss *out)
{
    static const char *const names[TX_LOSS_COUNT] = {"exact", "rounded", "flushed", "saturated",
                                                     "special"};
    const struct loss *loss = &job->loss;
    const struct loss_case *worst = &loss->worst[kind];
    out->name = names[kind];
    out->count = loss->count[kind];
    if (kind == TX_LOSS_EXACT || out->count == 0) {
        return;
    }
    out->element = worst->element;
    (void)tensor_index(&job->in.info, worst->element, out->index, sizeof out->index);
    (void)loss_text(loss, worst->before, out->before, sizeof out->before);
    (void)loss_text(loss, worst->after, out->after, sizeof out->after);
    out->before_word = worst->before;
    out->after_word = worst->after;
    out->relative_error = kind == TX_LOSS_ROUNDED ? worst->measure : 0.0;
}

static const char *out_type(const struct convert_job *job, char *text, size_t size)
{
    if (!job->out.name.is_array) {
        return tx_format_name(job->to);
    }
    const char *dtype = npy_dtype_name(job->out_dtype);
    const bool plain =
        job->route == ROUTE_SINGLE ? !job->has_to : strcmp(dtype, tx_format_name(job->to)) == 0;
    if (plain) {
        return dtype;
    }
    snprintf(text, size, "%s as %s", tx_format_name(job->to), dtype);
    return text;
}

static void fill_sizes(const struct convert_job *job, struct txl_conversion *c)
{
    struct tx_tile_layout layout;
    c->elements = job->in.info.count;
    c->tiles = job->grid.tiles;
    c->tile = job->tile;
    if (job->in.kind == TENSOR_TILES) {
        tensor_layout(&job->in, &layout);
        c->in_tile_bytes = layout.bytes;
    }
    if (!job->out.name.is_array) {
        (void)tx_tile_layout(&job->tile, job->to, &layout);
        c->out_tile_bytes = layout.bytes;
    }
    c->rounded = job->narrowed.rounded;
    c->overflowed = job->narrowed.overflowed;
    c->vanished = job->narrowed.vanished;
    c->odd = job->odd;
    c->odd_tile = job->odd_tile;
    c->odd_row = job->odd_row;
    c->odd_text = tensor_odd_text(job->in.format);
}

static int report(const struct convert_job *job, const char *in, const char *out,
                  struct txl_conversion **result)
{
    struct report *r = zeroed(job->err, 1, sizeof *r);
    if (r == NULL) {
        return TXL_INPUT;
    }
    r->in = strdup(in);
    r->out = strdup(out);
    if (r->in == NULL || r->out == NULL) {
        txl_conversion_free(&r->open);
        return no_memory(job->err);
    }
    struct txl_conversion *c = &r->open;
    c->from = tensor_kind_text(&job->in);
    c->to = out_type(job, r->to, sizeof r->to);
    c->route = convert_route_name(job);
    c->path = convert_path(job, r->path, sizeof r->path);
    c->arch = job->route != ROUTE_HOST ? job->arch : TX_ARCH_NONE;
    c->shape = npy_shape_text(&job->in.info, r->shape, sizeof r->shape);
    fill_sizes(job, c);
    c->measured = job->measured;
    for (unsigned k = 0; k < TX_LOSS_COUNT; k++) {
        fill_loss(job, k, &r->loss[k]);
    }
    c->loss = r->loss;
    r->dimensions = job->in.info.dimensions;
    memcpy(r->sizes, job->in.info.shape, sizeof r->sizes);
    *result = c;
    return TXL_CONTINUE;
}

int txl_convert(struct txl_error *err, const char *in, const char *out,
                const struct txl_convert_options *options, struct txl_conversion **result)
{
    struct convert_job job = {.err = err, .in.fd = -1};
    if (result != NULL) {
        *result = NULL;
    }
    int status = data_convert_settle(&job, in, out, options);
    struct txl_conversion *done = NULL;
    if (status == TXL_CONTINUE) {
        status = convert_work(&job);
    }
    if (status == TXL_CONTINUE && result != NULL) {
        status = report(&job, in, out, &done);
    }
    if (status == TXL_CONTINUE) {
        status = tensor_out_commit(err, &job.out);
    }
    tensor_out_discard(&job.out);
    tensor_close(&job.in);
    tensor_name_free(&job.out.name);
    if (status != TXL_CONTINUE) {
        txl_conversion_free(done);
        return status;
    }
    if (result != NULL) {
        *result = done;
    }
    return TXL_OK;
}

void txl_conversion_free(struct txl_conversion *conversion)
{
    struct report *r = (struct report *)conversion; /* its first member */
    if (r != NULL) {
        free(r->in);
        free(r->out);
        free(r);
    }
}

static txl_json *loss_json(const struct txl_loss *loss, bool special)
{
    txl_json *object = txl_json_object();
    txl_json_set_int(object, "count", loss->count);
    if (loss->count == 0) {
        return object;
    }
    txl_json *one = txl_json_object();
    JSON_MEMBERS(one, loss, element, index, before);
    txl_json_set_word(one, "before_hex", loss->before_word);
    txl_json_set_text(one, "after", loss->after);
    txl_json_set_word(one, "after_hex", loss->after_word);
    if (strcmp(loss->name, "rounded") == 0) {
        txl_json_set_real(one, "relative_error", loss->relative_error);
    }
    txl_json_set(object, special ? "first" : "worst", one);
    return object;
}

char *txl_conversion_json(const struct txl_conversion *c)
{
    const struct report *r = (const struct report *)c;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "in", r->in);
    txl_json_set_text(root, "from", c->from);
    txl_json_set_text(root, "out", r->out);
    JSON_MEMBERS(root, c, to, route, path);
    if (c->arch != TX_ARCH_NONE) {
        txl_json_set_text(root, "arch", tx_arch_name(c->arch));
    }
    txl_json *shape = txl_json_array();
    for (unsigned i = 0; i < r->dimensions; i++) {
        txl_json_append(shape, txl_json_int((int64_t)r->sizes[i]));
    }
    txl_json_set(root, "shape", shape);
    txl_json_set_int(root, "elements", c->elements);
    if (c->in_tile_bytes != 0 || c->out_tile_bytes != 0) {
        txl_json_set_int(root, "tiles", c->tiles);
    }
    txl_json_set_int(root, "rounded_float64", c->rounded);
    txl_json_set_int(root, "overflowed_float64", c->overflowed);
    txl_json_set_int(root, "vanished_float64", c->vanished);
    txl_json_set_int(root, "odd_exponents", c->odd);
    if (c->measured) {
        txl_json *loss = txl_json_object();
        txl_json_set_int(loss, "exact", c->loss[TX_LOSS_EXACT].count);
        for (unsigned k = TX_LOSS_ROUNDED; k < TX_LOSS_COUNT; k++) {
            txl_json_set(loss, c->loss[k].name, loss_json(&c->loss[k], k == TX_LOSS_SPECIAL));
        }
        txl_json_set(root, "loss", loss);
    }
    return json_text(root);
}

static void print_loss(FILE *out, const struct txl_conversion *c)
{
    for (unsigned k = 0; k < TX_LOSS_COUNT; k++) {
        const struct txl_loss *loss = &c->loss[k];
        if (k != TX_LOSS_EXACT && loss->count == 0) {
            continue;
        }
        fprintf(out, "%-15s %llu of %llu (%.3f%%)\n", loss->name, (unsigned long long)loss->count,
                (unsigned long long)c->elements,
                c->elements == 0 ? 100.0 : 100.0 * (double)loss->count / (double)c->elements);
        if (k == TX_LOSS_EXACT) {
            continue;
        }
        fprintf(out, "  %-13s %s: %s %08x -> %s %08x", k == TX_LOSS_SPECIAL ? "first" : "worst",
                loss->index, loss->before, loss->before_word, loss->after, loss->after_word);
        if (k == TX_LOSS_ROUNDED) {
            fprintf(out, ", relative error %.3g", loss->relative_error);
        }
        fputc('\n', out);
    }
}

static void print_side(FILE *out, const struct txl_conversion *c, const char *side,
                       const char *file, const char *type, uint32_t tile_bytes)
{
    fprintf(out, "%-15s %s: %s ", side, file, type);
    if (tile_bytes == 0) {
        fprintf(out, "%s\n", c->shape);
    } else {
        fprintf(out, "in %llu tiles %ux%u, %llu bytes\n", (unsigned long long)c->tiles,
                c->tile.rows, c->tile.columns, (unsigned long long)c->tiles * tile_bytes);
    }
}

static void print_conversion(FILE *out, const struct report *r)
{
    const struct txl_conversion *c = &r->open;
    print_side(out, c, "from", r->in, c->from, c->in_tile_bytes);
    print_side(out, c, "to", r->out, c->to, c->out_tile_bytes);
    fprintf(out, "route           %s: %s\n", c->route, c->path);
    if (c->rounded != 0) {
        fprintf(out, "rounded before  %llu float64 values to FP32\n",
                (unsigned long long)c->rounded);
    }
    if (c->overflowed != 0) {
        fprintf(out, "overflow before %llu float64 values to infinity, beyond FP32\n",
                (unsigned long long)c->overflowed);
    }
    if (c->vanished != 0) {
        fprintf(out, "vanished before %llu float64 values to zero, too small for FP32\n",
                (unsigned long long)c->vanished);
    }
    if (c->odd != 0) {
        fprintf(out, "odd exponents   %llu of IN: %s; the first in tile %llu, row of 16 data %u\n",
                (unsigned long long)c->odd, c->odd_text, (unsigned long long)c->odd_tile,
                c->odd_row);
    }
    if (c->measured) {
        print_loss(out, c);
    } else {
        fprintf(out, "elements        %llu\n", (unsigned long long)c->elements);
    }
}

char *txl_conversion_text(const struct txl_conversion *conversion)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_conversion(text.stream, (const struct report *)conversion);
    return memory_text_take(&text);
}

char *txl_routes_text(void)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    FILE *out = text.stream;
    fprintf(out, "%-24s %5s  %-6s %s\n", "route", "bits", "chips", "what happens");
    fprintf(out, "%-24s %5s  %-6s %s\n", "host", "", "", "host code: to nearest even");
    fprintf(out, "%-24s %5s  %-6s %s\n", "pack", "", "WH BH", "numbers into Dst, then the packer");
    fprintf(out, "%-24s %5s  %-6s %s\n", "unpack", "", "WH BH",
            "the unpacker, then Dst as it stands");
    fprintf(out, "%-24s %5s  %-6s %s\n", "unpack+pack", "", "WH BH", "L1 to Dst to L1");
    for (unsigned c = 0; c < TX_CONVERSION_COUNT; c++) {
        const struct tx_conversion_info *info = tx_conversion_info((enum tx_conversion)c);
        char bits[16];
        snprintf(bits, sizeof bits, "%u>%u", info->in_bits, info->out_bits);
        fprintf(out, "%-24s %5s  ", info->name, bits);
        for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
            const char *name = (info->chips >> arch & 1U) != 0 ? tx_arch_short(arch) : "  ";
            fprintf(out, "%c%c ", toupper(name[0]), toupper(name[1]));
        }
        fprintf(out, " %s%s\n", info->rule, info->differs ? " (depends on the chip)" : "");
    }
    return memory_text_take(&text);
}

char *txl_routes_json(void)
{
    txl_json *list = txl_json_array();
    for (unsigned c = 0; c < TX_CONVERSION_COUNT; c++) {
        const struct tx_conversion_info *info = tx_conversion_info((enum tx_conversion)c);
        txl_json *object = txl_json_object();
        JSON_MEMBERS(object, info, name, in_bits, out_bits);
        txl_json_set(object, "chips", txl_archs_json(info->chips));
        JSON_MEMBERS(object, info, differs, rule, evidence);
        txl_json_append(list, object);
    }
    txl_json *root = txl_json_object();
    txl_json_set(root, "routes", list);
    return json_text(root);
}
