/* SPDX-License-Identifier: Apache-2.0 */
/* txl_tensor: reads and writes whole files as words, and reads single tiles. */
#include <tensix-lab/data.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "data/region.h"
#include "data/tensor_out.h"

struct txl_tensor {
    struct txl_tensor_info info;
    struct tensor tensor;
    char *name;
};

int tensor_how_from(struct txl_error *err, const struct txl_tensor_options *options,
                    struct tensor_how *how)
{
    struct txl_tensor_options o;
    const int result = options_take(err, &o, sizeof o, options);
    *how = (struct tensor_how){.has_format = o.has_format,
                               .format = o.format,
                               .numbers_too = o.numbers_too,
                               .tile = o.tile,
                               .twos_complement = o.twos_complement,
                               .shape = o.shape,
                               .dimensions = o.dimensions,
                               .force_shared_exp = o.force_shared_exp,
                               .shared_exp = o.shared_exp,
                               .scratch = o.scratch};
    if (result == TXL_CONTINUE && o.has_format && tx_format_info(o.format) == NULL) {
        return txl_fail(err, "there is no format %d", (int)o.format);
    }
    if (result == TXL_CONTINUE && o.shape != NULL &&
        (o.dimensions == 0 || o.dimensions > TXL_DIMENSIONS)) {
        return txl_fail(err, "a shape has 1 to %d dimensions", TXL_DIMENSIONS);
    }
    return result;
}

int tensor_how_tile(struct txl_error *err, struct tensor_how *how)
{
    if (how->tile.rows == 0) {
        how->tile.rows = 32;
        how->tile.columns = 32;
    }
    return tx_tile_ok(&how->tile)
               ? TXL_CONTINUE
               : txl_fail_option(err, NULL, "transpose_within_face", "faces of 16 rows are needed");
}

static void fill_info(txl_tensor *t)
{
    const struct tensor *tensor = &t->tensor;
    t->info = (struct txl_tensor_info){.type = tensor_kind_text(tensor),
                                       .format = tensor->format,
                                       .numbers = tensor->kind == TENSOR_VALUES,
                                       .tiles = tensor->kind == TENSOR_TILES,
                                       .elements = tensor->info.count,
                                       .shape = tensor->info.shape,
                                       .dimensions = tensor->info.dimensions};
    if (t->info.tiles) {
        struct tx_tile_layout layout;
        struct tx_grid grid;
        tensor_layout(tensor, &layout);
        (void)region_grid(&tensor->info, &tensor->tile, false, &grid);
        t->info.tile = tensor->tile;
        t->info.tile_bytes = layout.bytes;
        t->info.tile_count = grid.tiles;
    }
}

int txl_tensor_open(struct txl_error *err, const char *name,
                    const struct txl_tensor_options *options, txl_tensor **tensor)
{
    struct tensor_how how;
    *tensor = NULL;
    int result = tensor_how_from(err, options, &how);
    result = result == TXL_CONTINUE ? tensor_how_tile(err, &how) : result;
    txl_tensor *t = result == TXL_CONTINUE ? zeroed(err, 1, sizeof *t) : NULL;
    if (t == NULL) {
        return TXL_INPUT;
    }
    t->name = strdup(name);
    result = t->name != NULL ? tensor_open(err, t->name, &how, &t->tensor) : no_memory(err);
    if (result != TXL_CONTINUE) {
        free(t->name);
        free(t);
        return result;
    }
    fill_info(t);
    *tensor = t;
    return TXL_OK;
}

void txl_tensor_close(txl_tensor *tensor)
{
    if (tensor != NULL) {
        tensor_close(&tensor->tensor);
        free(tensor->name);
        free(tensor);
    }
}

const struct txl_tensor_info *txl_tensor_info(const txl_tensor *tensor)
{
    return &tensor->info;
}

struct tx_codec tensor_reader(const struct tensor *tensor)
{
    struct tx_codec codec;
    const struct tx_format_info *info = tx_format_info(tensor->format);
    const bool unpacker = info->block || tensor->format == TX_FORMAT_FP8_E4M3;
    (void)tx_codec_default(unpacker ? TX_ROUTE_TENSIX : TX_ROUTE_HOST, TX_BLACKHOLE, tensor->format,
                           tx_format_in_dst(tensor->format), &codec, NULL);
    codec.twos_complement = tensor->twos_complement && info->integer;
    codec.unpack.force_shared_exp = tensor->force_shared_exp;
    codec.unpack.shared_exp = tensor->shared_exp;
    return codec;
}

/* The buffers of one piece. */
struct piece {
    uint32_t rows[REGION_DATA], tiles[REGION_DATA], scratch[REGION_DATA];
    uint8_t bytes[REGION_DATA * 4];
};

static bool read_piece(const struct tensor *t, const struct tx_grid *grid, const struct region *r,
                       struct piece *p, uint32_t *words, struct txl_error *err)
{
    struct npy_narrowed narrowed = {0};
    bool good;
    if (t->kind == TENSOR_VALUES) {
        good = region_values(t, r, p->rows, &narrowed, err);
    } else {
        const struct tx_codec codec = tensor_reader(t);
        good = region_tiles(t, r, p->scratch, p->bytes, err);
        if (good) {
            const enum tx_status status =
                tx_tiles_decode(&codec, &grid->tile, p->bytes, r->count, p->tiles);
            good = status == TX_OK || fail_false(err, "%s", tx_status_text(status));
            (void)tx_untilize(&r->grid, 4, p->tiles, 0, r->count, p->rows);
        }
    }
    for (size_t y = 0; y < r->height && good; y++) {
        memcpy(words + r->element + y * r->stride, p->rows + y * r->width,
               r->width * sizeof *words);
    }
    return good;
}

int txl_tensor_words(struct txl_error *err, const txl_tensor *tensor, uint32_t *words)
{
    const struct tensor *t = &tensor->tensor;
    const bool flat = t->kind != TENSOR_TILES;
    const struct tx_tile tile = flat ? region_flat_tile() : t->tile;
    struct tx_grid grid;
    struct txl_where where = {.file = tensor->name};
    if (!region_grid(&t->info, &tile, flat, &grid)) {
        return txl_fail_at(err, &where, "the shape is too large for tiles");
    }
    struct piece *piece = zeroed(err, 1, sizeof *piece);
    if (piece == NULL) {
        return TXL_INPUT;
    }
    struct region r;
    bool good = true;
    for (uint64_t i = 0; i < grid.tiles && good; i += r.count) {
        region_at(&grid, i, &r);
        good = read_piece(t, &grid, &r, piece, words, err);
    }
    free(piece);
    return good ? TXL_OK : TXL_INPUT;
}

/* ---- writing ---- */

enum npy_dtype tensor_number_dtype(enum tx_format format)
{
    switch (format) {
    case TX_FORMAT_INT32:
        return NPY_INT32;
    case TX_FORMAT_INT16:
        return NPY_INT16;
    case TX_FORMAT_INT8:
        return NPY_INT8;
    case TX_FORMAT_UINT32:
        return NPY_UINT32;
    case TX_FORMAT_UINT16:
        return NPY_UINT16;
    case TX_FORMAT_UINT8:
        return NPY_UINT8;
    default:
        return NPY_FLOAT32;
    }
}

enum npy_dtype tensor_dtype(enum tx_format format)
{
    const struct tx_format_info *info = tx_format_info(format);
    if (info->integer || format == TX_FORMAT_FP32 || format == TX_FORMAT_TF32) {
        return tensor_number_dtype(format);
    }
    return info->bits == 16 ? NPY_UINT16 : NPY_UINT8;
}

struct writing {
    struct tensor_out out;
    enum tx_format format;
    enum npy_dtype dtype; /* NPY_NONE: tiles */
    struct tx_codec codec;
    struct tx_grid grid;
};

static int write_piece(struct writing *w, const struct region *r, struct piece *p,
                       const uint32_t *words)
{
    struct tx_tile_layout layout;
    for (size_t y = 0; y < r->height; y++) {
        memcpy(p->rows + y * r->width, words + r->element + y * r->stride,
               r->width * sizeof *words);
    }
    (void)tx_tilize(&r->grid, 4, p->rows, 0, r->count, p->tiles);
    if (tx_tiles_encode(&w->codec, &w->grid.tile, p->tiles, r->count, p->bytes) != TX_OK) {
        return EINVAL;
    }
    if (w->dtype == NPY_NONE) {
        (void)tx_tile_layout(&w->grid.tile, w->format, &layout);
        return outfile_append(&w->out.file, p->bytes, (size_t)r->count * layout.bytes);
    }
    const unsigned size = npy_dtype_size(w->dtype);
    (void)tx_untilize(&r->grid, size, p->bytes, 0, r->count, p->scratch);
    return region_write(&w->out.file, w->out.header, r, size, p->scratch);
}

static int write_all(struct txl_error *err, struct writing *w, const struct npy_info *info,
                     const uint32_t *words)
{
    struct piece *piece = zeroed(err, 1, sizeof *piece);
    int result = piece != NULL
                     ? tensor_out_open(err, &w->out, w->dtype != NPY_NONE ? info : NULL, w->dtype)
                     : TXL_INPUT;
    struct region r;
    for (uint64_t i = 0; i < w->grid.tiles && result == TXL_CONTINUE; i += r.count) {
        region_at(&w->grid, i, &r);
        const int error = write_piece(w, &r, piece, words);
        result = error == 0 ? TXL_CONTINUE : tensor_out_failed(err, &w->out, strerror(error));
    }
    result = result == TXL_CONTINUE ? tensor_out_commit(err, &w->out) : result;
    tensor_out_discard(&w->out);
    free(piece);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

static int settle_writing(struct txl_error *err, struct tensor_how *how, struct npy_info *info,
                          struct writing *w)
{
    const bool stated = w->out.name.has_format || how->has_format;
    const bool array = w->out.name.is_array;
    int result = tensor_how_tile(err, how);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (how->shape == NULL) {
        return txl_fail(err, "no shape is given");
    }
    if (!stated && !array) {
        return txl_fail_option(err, NULL, "to", "no format for %s", w->out.name.path);
    }
    w->format = w->out.name.has_format ? w->out.name.format
                : how->has_format      ? how->format
                                       : TX_FORMAT_FP32;
    if (array && tx_format_info(w->format)->block) {
        return txl_fail(err, "an array cannot hold %s: only tiles have its exponents",
                        tx_format_name(w->format));
    }
    (void)tx_codec_default(TX_ROUTE_HOST, TX_BLACKHOLE, w->format, w->format, &w->codec, NULL);
    w->codec.twos_complement =
        tx_format_info(w->format)->integer && (array || how->twos_complement);
    w->dtype = array ? tensor_dtype(w->format) : NPY_NONE;
    info->dimensions = how->dimensions;
    memcpy(info->shape, how->shape, how->dimensions * sizeof info->shape[0]);
    struct tx_grid grid;
    if (tx_grid_of(&how->tile, info->shape, info->dimensions, &grid) != TX_OK) {
        return txl_fail(err, "the shape is larger than any file");
    }
    info->count = grid.elements;
    const struct tx_tile tile = array ? region_flat_tile() : how->tile;
    return region_grid(info, &tile, array, &w->grid)
               ? TXL_CONTINUE
               : txl_fail(err, "the shape is too large for tiles");
}

int txl_tensor_write(struct txl_error *err, const char *name,
                     const struct txl_tensor_options *options, const uint32_t *words)
{
    struct tensor_how how;
    struct writing w = {.out.text = name};
    struct npy_info info = {0};
    int result = tensor_how_from(err, options, &how);
    result = result == TXL_CONTINUE ? tensor_out_name(err, name, &w.out) : result;
    w.out.scratch = how.scratch;
    result = result == TXL_CONTINUE ? settle_writing(err, &how, &info, &w) : result;
    result = result == TXL_CONTINUE ? write_all(err, &w, &info, words) : result;
    tensor_name_free(&w.out.name);
    return result;
}

/* ---- one tile ---- */

struct tile_view {
    struct txl_tile_data open;
    struct tx_tile_layout layout;
    uint8_t bytes[TENSOR_TILE_DATA * 4];
    uint32_t words[TENSOR_TILE_DATA];
};

static int read_tile(struct txl_error *err, const struct tensor *tensor, enum tx_arch arch,
                     uint64_t index, struct tile_view *v)
{
    struct txl_where where = {.file = tensor->name};
    const enum tx_format format = tensor->format;
    struct txl_tile_data *t = &v->open;
    if (tensor->kind != TENSOR_TILES) {
        return txl_fail_at(err, &where, "is an array; tensix convert makes tiles of it");
    }
    if (format == TX_FORMAT_FP8_E5M2 && arch == TX_ARCH_NONE) {
        return txl_fail_option(err, NULL, "arch", "fp8_e5m2 depends on the chip: bh or wh");
    }
    (void)tx_tile_layout(&tensor->tile, format, &v->layout);
    t->layout = &v->layout;
    t->tiles = tensor->info.shape[0];
    if (index >= t->tiles) {
        return txl_fail_at(err, &where, "has %llu tile%s: no tile %llu",
                           (unsigned long long)t->tiles, t->tiles == 1 ? "" : "s",
                           (unsigned long long)index);
    }
    const char *wrong =
        tensor_pread(tensor->fd, v->bytes, v->layout.bytes, index * v->layout.bytes);
    if (wrong != NULL) {
        return txl_fail_at(err, &where, "%s", wrong);
    }
    struct tx_codec codec;
    const char *reason = NULL;
    const bool twos = tensor->twos_complement && tx_format_info(format)->integer;
    enum tx_status status = tx_codec_default(twos ? TX_ROUTE_HOST : TX_ROUTE_TENSIX,
                                             arch != TX_ARCH_NONE ? arch : TX_BLACKHOLE, format,
                                             tx_format_in_dst(format), &codec, &reason);
    if (status == TX_OK && !twos) {
        status = tx_unpack_check(&codec.unpack, &reason);
    }
    codec.twos_complement = twos;
    if (status == TX_OK) {
        status = tx_tiles_decode(&codec, &tensor->tile, v->bytes, 1, v->words);
    }
    return status == TX_OK
               ? TXL_CONTINUE
               : txl_fail_at(err, &where, "%s", reason != NULL ? reason : tx_status_text(status));
}

int txl_tile_read(struct txl_error *err, const char *name, const struct txl_tensor_options *options,
                  enum tx_arch arch, uint64_t index, struct txl_tile_data **tile)
{
    struct tensor_how how;
    struct tensor tensor = {.fd = -1};
    *tile = NULL;
    int result = tensor_how_from(err, options, &how);
    result = result == TXL_CONTINUE ? tensor_how_tile(err, &how) : result;
    how.shape = NULL; /* the index counts the tiles as they lie in the file */
    how.force_shared_exp = false;
    result = result == TXL_CONTINUE ? tensor_open(err, name, &how, &tensor) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct tile_view *v = zeroed(err, 1, sizeof *v);
    result = v != NULL ? read_tile(err, &tensor, arch, index, v) : TXL_INPUT;
    if (result == TXL_CONTINUE) {
        struct txl_tile_data *t = &v->open;
        t->format = tensor.format;
        t->tile = tensor.tile;
        t->bytes = v->bytes;
        t->words = v->words;
        t->odd = tensor_odd_exponents(&tensor.tile, tensor.format, v->bytes, &t->odd_row);
        t->odd_text = tensor_odd_text(tensor.format);
        *tile = t;
        result = TXL_OK;
    } else {
        free(v);
    }
    tensor_close(&tensor);
    return result;
}

void txl_tile_free(struct txl_tile_data *tile)
{
    free(tile); /* the first member of the allocated struct */
}
