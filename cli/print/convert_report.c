/* SPDX-License-Identifier: Apache-2.0 */
/* What a conversion did to the values, as text and JSON. */
#include "print/print.h"

#include "data/convert.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "reference/ulp.h"

static const char *const loss_names[TX_LOSS_COUNT] = {"exact", "rounded", "flushed", "saturated",
                                                      "special"};

void loss_start(struct loss *loss, enum tx_format from, enum tx_format to, bool host)
{
    *loss = (struct loss){.integer = tx_format_info(to)->integer,
                          .is_unsigned = from == TX_FORMAT_UINT32,
                          .limit = tx_format_limit(to)};
    if (host && to == TX_FORMAT_FP8_E4M3) {
        loss->limit = 0x43700000; /* 240: tt-metal takes the exponent above for NaN */
    }
}

static double number(const struct loss *loss, uint32_t word)
{
    if (loss->integer) {
        return loss->is_unsigned ? (double)word : (double)(int32_t)word;
    }
    return number_of(TX_DST_FP32, word, false);
}

static double measure(const struct loss *loss, enum tx_loss kind, uint32_t before, uint32_t after)
{
    double a = number(loss, before);
    switch (kind) {
    case TX_LOSS_ROUNDED:
        return fabs((number(loss, after) - a) / a);
    case TX_LOSS_FLUSHED:
    case TX_LOSS_SATURATED:
        return fabs(a);
    default:
        return 0.0; /* the first one stands for the others */
    }
}

void loss_add(struct loss *loss, const struct region *region, const uint32_t *before,
              const uint32_t *after)
{
    size_t count = region->height * region->width;
    for (size_t i = 0; i < count; i++) {
        if (before[i] == after[i]) {
            loss->count[TX_LOSS_EXACT]++;
            continue;
        }
        enum tx_loss kind = tx_loss_of(loss->integer, before[i], after[i], loss->limit);
        struct loss_case one = {.element = region_element(region, i),
                                .before = before[i],
                                .after = after[i],
                                .measure = measure(loss, kind, before[i], after[i])};
        struct loss_case *worst = &loss->worst[kind];
        if (loss->count[kind]++ == 0 || one.measure > worst->measure ||
            (one.measure == worst->measure && one.element < worst->element)) {
            *worst = one;
        }
    }
}

static const char *word_text(const struct loss *loss, uint32_t word, char *text, size_t size)
{
    if (loss->integer && loss->is_unsigned) {
        snprintf(text, size, "%u", word);
        return text;
    }
    return number_text(loss->integer ? TX_DST_INT32 : TX_DST_FP32, word, text, size);
}

static void print_loss(const struct convert_job *job)
{
    const struct loss *loss = &job->loss;
    uint64_t total = job->in.info.count;
    for (unsigned k = 0; k < TX_LOSS_COUNT; k++) {
        if (k != TX_LOSS_EXACT && loss->count[k] == 0) {
            continue;
        }
        printf("%-15s %llu of %llu (%.3f%%)\n", loss_names[k], (unsigned long long)loss->count[k],
               (unsigned long long)total,
               total == 0 ? 100.0 : 100.0 * (double)loss->count[k] / (double)total);
        if (k == TX_LOSS_EXACT) {
            continue;
        }
        const struct loss_case *worst = &loss->worst[k];
        char index[256];
        char before[48];
        char after[48];
        printf("  %-13s %s: %s %08x -> %s %08x", k == TX_LOSS_SPECIAL ? "first" : "worst",
               tensor_index(&job->in.info, worst->element, index, sizeof index),
               word_text(loss, worst->before, before, sizeof before), worst->before,
               word_text(loss, worst->after, after, sizeof after), worst->after);
        if (k == TX_LOSS_ROUNDED) {
            printf(", relative error %.3g", worst->measure);
        }
        putchar('\n');
    }
}

static void print_side(const char *name, const char *file, const char *what, const char *shape)
{
    printf("%-15s %s: %s %s\n", name, file, what, shape);
}

static const char *tiles_text(const struct convert_job *job, bool in, char *text, size_t size)
{
    struct tx_tile_layout layout;
    if (in) {
        tensor_layout(&job->in, &layout);
    } else {
        (void)tx_tile_layout(&job->tile, job->to, &layout);
    }
    snprintf(text, size, "in %llu tiles %ux%u, %llu bytes", (unsigned long long)job->grid.tiles,
             job->tile.rows, job->tile.columns, (unsigned long long)job->grid.tiles * layout.bytes);
    return text;
}

static const char *out_what(const struct convert_job *job, char *text, size_t size)
{
    if (!job->out.name.is_array) {
        return tx_format_name(job->to);
    }
    const char *dtype = npy_dtype_name(job->out_dtype);
    bool plain =
        job->route == ROUTE_SINGLE ? !job->has_to : strcmp(dtype, tx_format_name(job->to)) == 0;
    if (plain) {
        return dtype;
    }
    snprintf(text, size, "%s as %s", tx_format_name(job->to), dtype);
    return text;
}

void convert_print(const struct convert_job *job)
{
    char text[512];
    char what[64];
    char shape[256];
    npy_shape_text(&job->in.info, shape, sizeof shape);
    print_side("from", job->in.name, tensor_kind_text(&job->in),
               job->in.kind == TENSOR_TILES ? tiles_text(job, true, text, sizeof text) : shape);
    print_side("to", job->out.text, out_what(job, what, sizeof what),
               job->out.name.is_array ? shape : tiles_text(job, false, text, sizeof text));
    printf("route           %s: %s\n", convert_route_name(job),
           convert_path(job, text, sizeof text));
    const struct npy_narrowed *n = &job->narrowed;
    if (n->rounded != 0) {
        printf("rounded before  %llu float64 values to FP32\n", (unsigned long long)n->rounded);
    }
    if (n->overflowed != 0) {
        printf("overflow before %llu float64 values to infinity, beyond FP32\n",
               (unsigned long long)n->overflowed);
    }
    if (n->vanished != 0) {
        printf("vanished before %llu float64 values to zero, too small for FP32\n",
               (unsigned long long)n->vanished);
    }
    if (job->odd != 0) {
        printf("odd exponents   %llu of IN: %s; the first in tile %llu, row of 16 data %u\n",
               (unsigned long long)job->odd, tensor_odd_text(job->in.format),
               (unsigned long long)job->odd_tile, job->odd_row);
    }
    if (job->measured) {
        print_loss(job);
    } else {
        printf("elements        %llu\n", (unsigned long long)job->in.info.count);
    }
}

static json_t *case_json(const struct convert_job *job, enum tx_loss kind)
{
    const struct loss *loss = &job->loss;
    const struct loss_case *worst = &loss->worst[kind];
    char text[256];
    json_t *object = json_object();
    jx_set_int(object, "count", loss->count[kind]);
    if (loss->count[kind] == 0) {
        return object;
    }
    json_t *one = json_object();
    jx_set_int(one, "element", worst->element);
    jx_set_text(one, "index", tensor_index(&job->in.info, worst->element, text, sizeof text));
    jx_set_text(one, "before", word_text(loss, worst->before, text, sizeof text));
    jx_set_hex(one, "before_hex", worst->before);
    jx_set_text(one, "after", word_text(loss, worst->after, text, sizeof text));
    jx_set_hex(one, "after_hex", worst->after);
    if (kind == TX_LOSS_ROUNDED) {
        jx_set_real(one, "relative_error", worst->measure);
    }
    json_object_set_new(object, kind == TX_LOSS_SPECIAL ? "first" : "worst", one);
    return object;
}

void convert_print_json(const struct convert_job *job)
{
    char text[512];
    json_t *root = json_object();
    jx_set_text(root, "in", job->in.name);
    jx_set_text(root, "from", tensor_kind_text(&job->in));
    jx_set_text(root, "out", job->out.text);
    jx_set_text(root, "to", out_what(job, text, sizeof text));
    jx_set_text(root, "route", convert_route_name(job));
    jx_set_text(root, "path", convert_path(job, text, sizeof text));
    if (job->route != ROUTE_HOST) {
        jx_set_text(root, "arch", tx_arch_name(job->arch));
    }
    json_t *shape = json_array();
    for (unsigned i = 0; i < job->in.info.dimensions; i++) {
        json_array_append_new(shape, json_integer((json_int_t)job->in.info.shape[i]));
    }
    json_object_set_new(root, "shape", shape);
    jx_set_int(root, "elements", job->in.info.count);
    if (job->in.kind == TENSOR_TILES || !job->out.name.is_array) {
        jx_set_int(root, "tiles", job->grid.tiles);
    }
    jx_set_int(root, "rounded_float64", job->narrowed.rounded);
    jx_set_int(root, "overflowed_float64", job->narrowed.overflowed);
    jx_set_int(root, "vanished_float64", job->narrowed.vanished);
    jx_set_int(root, "odd_exponents", job->odd);
    if (job->measured) {
        json_t *loss = json_object();
        jx_set_int(loss, "exact", job->loss.count[TX_LOSS_EXACT]);
        for (unsigned k = TX_LOSS_ROUNDED; k < TX_LOSS_COUNT; k++) {
            json_object_set_new(loss, loss_names[k], case_json(job, (enum tx_loss)k));
        }
        json_object_set_new(root, "loss", loss);
    }
    jx_print(stdout, root);
    json_decref(root);
}

int convert_list_routes(struct cli *cli)
{
    json_t *list = json_array();
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
        json_t *object = json_object();
        jx_set_text(object, "name", info->name);
        jx_set_int(object, "in_bits", info->in_bits);
        jx_set_int(object, "out_bits", info->out_bits);
        json_object_set_new(object, "chips", jx_archs(info->chips));
        jx_set_bool(object, "differs", info->differs);
        jx_set_text(object, "rule", info->rule);
        jx_set_text(object, "evidence", info->evidence);
        json_array_append_new(list, object);
    }
    if (cli->json) {
        json_t *root = json_object();
        json_object_set(root, "routes", list);
        jx_print(stdout, root);
        json_decref(root);
    }
    json_decref(list);
    return CLI_OK;
}
