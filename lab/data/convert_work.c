/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the work of a conversion piece by piece: read, convert, read back, measure the loss, write.
 */
#include "data/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

/* The data of one piece. "rows": in the order of the array; "tiles": in the order of L1. */
struct buffers {
    uint32_t before_rows[REGION_DATA], after_rows[REGION_DATA];
    uint32_t before_tiles[REGION_DATA], after_tiles[REGION_DATA];
    uint32_t scratch[REGION_DATA];
    uint8_t in[REGION_DATA * 4], out[REGION_DATA * 4];
};

/*
 * From 2^31 on the words of an unsigned 32-bit format mean other numbers than those of the other
 * integer formats; limits them to what the output can hold.
 */
static void clamp_words(const struct convert_job *job, uint32_t *words, size_t count)
{
    bool was = job->in.format == TX_FORMAT_UINT32;
    bool becomes = job->to == TX_FORMAT_UINT32;
    if (was == becomes || !tx_format_info(job->to)->integer) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (words[i] > INT32_MAX) {
            words[i] = was ? INT32_MAX : 0;
        }
    }
}

static enum tx_status unpack_and_pack(const struct convert_job *job, const struct region *r,
                                      struct buffers *b)
{
    struct tx_tile_layout from;
    struct tx_tile_layout to;
    (void)tx_unpack_layout(&job->encode.unpack, &job->tile, &from);
    (void)tx_tile_layout(&job->tile, job->to, &to);
    enum tx_status status = TX_OK;
    for (uint64_t t = 0; t < r->count && status == TX_OK; t++) {
        status = tx_unpack_tile(&job->encode.unpack, &job->tile, b->in + t * from.bytes, from.bytes,
                                b->scratch);
        if (status == TX_OK) {
            status = tx_pack_tile(&job->encode.pack, &job->tile, b->scratch, b->out + t * to.bytes,
                                  to.bytes);
        }
    }
    return status;
}

static void count_odd(struct convert_job *job, const struct region *r, const uint8_t *bytes)
{
    struct tx_tile_layout layout;
    uint8_t forced[TENSOR_TILE_DATA / 16];
    tensor_layout(&job->in, &layout);
    memset(forced, job->in.shared_exp, sizeof forced);
    for (uint64_t t = 0; t < r->count; t++) {
        unsigned row = 0;
        const uint8_t *tile = job->in.force_shared_exp ? forced : bytes + t * layout.bytes;
        unsigned count = tensor_odd_exponents(&job->tile, job->in.format, tile, &row);
        if (count != 0 && job->odd == 0) {
            job->odd_tile = r->first + t;
            job->odd_row = row;
        }
        job->odd += count;
    }
}

/*
 * Converts a piece from the input's data or numbers to the output's data, and reads these back as
 * numbers.
 */
static enum tx_status convert(const struct convert_job *job, const struct region *r,
                              struct buffers *b)
{
    size_t data = (size_t)(r->count * job->tile.rows * job->tile.columns);
    enum tx_status status = TX_OK;
    if (job->in.kind == TENSOR_VALUES) {
        status = tx_tilize(&r->grid, 4, b->before_rows, 0, r->count, b->before_tiles);
    } else {
        status = tx_tiles_decode(&job->before, &job->tile, b->in, r->count, b->before_tiles);
        (void)tx_untilize(&r->grid, 4, b->before_tiles, 0, r->count, b->before_rows);
    }
    if (status != TX_OK) {
        return status;
    }
    const uint8_t *result = b->out;
    if (job->route == ROUTE_UNPACK) {
        result = b->in;
    } else if (job->route == ROUTE_UNPACK_PACK) {
        status = unpack_and_pack(job, r, b);
    } else {
        clamp_words(job, b->before_tiles, data);
        status = tx_tiles_encode(&job->encode, &job->tile, b->before_tiles, r->count, b->out);
    }
    if (status == TX_OK) {
        status = tx_tiles_decode(&job->after, &job->tile, result, r->count, b->after_tiles);
    }
    return status == TX_OK ? tx_untilize(&r->grid, 4, b->after_tiles, 0, r->count, b->after_rows)
                           : status;
}

static int write_numbers(struct convert_job *job, const struct region *r, struct buffers *b)
{
    unsigned size = npy_dtype_size(job->out_dtype);
    size_t count = r->height * r->width;
    for (size_t i = 0; i < count && size < 4; i++) {
        for (unsigned k = 0; k < size; k++) {
            b->out[i * size + k] = (uint8_t)(b->after_rows[i] >> (8 * k));
        }
    }
    return region_write(&job->out.file, job->out.header, r, size,
                        size == 4 ? (const void *)b->after_rows : b->out);
}

static int write_piece(struct convert_job *job, const struct region *r, struct buffers *b)
{
    if (!job->out.name.is_array) {
        struct tx_tile_layout layout;
        (void)tx_tile_layout(&job->tile, job->to, &layout);
        return outfile_append(&job->out.file, b->out, (size_t)r->count * layout.bytes);
    }
    if (job->to == TX_FORMAT_FP32 || tx_format_info(job->to)->integer) {
        return write_numbers(job, r, b);
    }
    unsigned size = npy_dtype_size(job->out_dtype);
    (void)tx_untilize(&r->grid, size, b->out, 0, r->count, b->scratch);
    return region_write(&job->out.file, job->out.header, r, size, b->scratch);
}

enum { NO_INPUT = -1 }; /* the input cannot be read: the error says why */

static int single(struct convert_job *job, const struct region *r, struct buffers *b)
{
    size_t count = r->height * r->width;
    if (!region_raw(&job->in, r, b->in, job->err)) {
        return NO_INPUT;
    }
    (void)tx_convert_array(job->conversion, job->arch, b->in, count, b->out);
    if (job->measured) {
        (void)tx_payload_words(&job->before, b->in, count, b->before_rows);
        (void)tx_payload_words(&job->after, b->out, count, b->after_rows);
        loss_add(&job->loss, r, b->before_rows, b->after_rows);
    }
    return region_write(&job->out.file, job->out.header, r, npy_dtype_size(job->out_dtype), b->out);
}

/* Does one piece. Returns an errno of the output, or NO_INPUT with the error that says why. */
static int piece(struct convert_job *job, const struct region *r, struct buffers *b)
{
    if (job->route == ROUTE_SINGLE) {
        return single(job, r, b);
    }
    const bool good = job->in.kind == TENSOR_VALUES
                          ? region_values(&job->in, r, b->before_rows, &job->narrowed, job->err)
                          : region_tiles(&job->in, r, b->scratch, b->in, job->err);
    if (!good) {
        return NO_INPUT;
    }
    if (job->in.kind == TENSOR_TILES) {
        count_odd(job, r, b->in);
    }
    enum tx_status status = convert(job, r, b);
    if (status != TX_OK) {
        txl_fail(job->err, "%s: %s", job->in.name, tx_status_text(status));
        return NO_INPUT;
    }
    loss_add(&job->loss, r, b->before_rows, b->after_rows);
    return write_piece(job, r, b);
}

static int run_pieces(struct convert_job *job, struct buffers *b)
{
    struct ticker ticker;
    int result = TXL_CONTINUE;
    bool wanted = ticker_start(&ticker, job->progress, job->progress_user, job->grid.tiles);
    struct region region;
    for (uint64_t t = 0; wanted && t < job->grid.tiles && result == TXL_CONTINUE;
         t += region.count) {
        region_at(&job->grid, t, &region);
        const int error = piece(job, &region, b);
        if (error != 0) {
            result = error == NO_INPUT ? TXL_INPUT
                                       : tensor_out_failed(job->err, &job->out, strerror(error));
        }
        wanted = ticker_at(&ticker, t + region.count) || t + region.count >= job->grid.tiles;
    }
    return wanted ? result : txl_refuse(job->err, TXL_CANCELLED, "cancelled");
}

int convert_work(struct convert_job *job)
{
    struct buffers *buffers = malloc(sizeof *buffers);
    if (buffers == NULL) {
        return no_memory(job->err);
    }
    int result = TXL_CONTINUE;
    if (!region_grid(&job->in.info, &job->tile, job->flat, &job->grid)) {
        struct txl_where where = {.file = job->in.name};
        result = txl_fail_at(job->err, &where, "the shape is too large for tiles");
    }
    loss_start(&job->loss, job->in.format, job->to, job->route == ROUTE_HOST);
    if (result == TXL_CONTINUE) {
        result = tensor_out_open(job->err, &job->out, job->out.name.is_array ? &job->in.info : NULL,
                                 job->out_dtype);
    }
    if (result == TXL_CONTINUE) {
        result = run_pieces(job, buffers);
    }
    free(buffers);
    return result;
}
