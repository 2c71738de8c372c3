/* SPDX-License-Identifier: Apache-2.0 */
/* Arranges elements in tiles, and reads and writes them. */
#include "run/run.h"

#include <string.h>

void run_tiling_make(struct run_tiling *tiling, const struct npy_info *info, bool blocks)
{
    *tiling = (struct run_tiling){.blocks = blocks, .count = info->count};
    if (!blocks) {
        tiling->tiles = (info->count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
        return;
    }
    unsigned n = info->dimensions;
    tiling->height = n >= 2 ? info->shape[n - 2] : 1;
    tiling->width = n >= 1 ? info->shape[n - 1] : 1;
    if (info->count == 0) {
        return;
    }
    tiling->rows = (tiling->height + 31) / 32;
    tiling->columns = (tiling->width + 31) / 32;
    tiling->tiles = info->count / (tiling->height * tiling->width) * tiling->rows * tiling->columns;
}

unsigned run_spans(const struct run_tiling *tiling, uint64_t tile,
                   struct run_span spans[TX_TILE_ELEMENTS / 32])
{
    if (!tiling->blocks) {
        uint64_t first = tile * TX_TILE_ELEMENTS;
        uint64_t left = tiling->count - first;
        spans[0] = (struct run_span){.element = first,
                                     .length = left < TX_TILE_ELEMENTS ? (unsigned)left
                                                                       : TX_TILE_ELEMENTS};
        return 1;
    }
    uint64_t column = tile % tiling->columns;
    uint64_t row = tile / tiling->columns % tiling->rows;
    uint64_t matrix = tile / tiling->columns / tiling->rows;
    uint64_t left = tiling->width - column * 32;
    unsigned count = 0;
    for (unsigned i = 0; i < 32 && row * 32 + i < tiling->height; i++) {
        spans[count++] = (struct run_span){
            .element = (matrix * tiling->height + row * 32 + i) * tiling->width + column * 32,
            .place = i * 32,
            .length = left < 32 ? (unsigned)left : 32};
    }
    return count;
}

const struct tx_tile run_tile = {.rows = 32, .columns = 32};

/* Returns a single tile as a grid, for tx_tilize and tx_untilize. */
static struct tx_grid tile_grid(void)
{
    const uint64_t shape[2] = {32, 32};
    struct tx_grid grid;
    (void)tx_grid_of(&run_tile, shape, 2, &grid);
    return grid;
}

enum tx_format run_format(enum tx_dst_format format)
{
    enum tx_format found = (enum tx_format)0;
    char name[24]; /* the part after a hyphen only says how it is stored in Dst */
    snprintf(name, sizeof name, "%s", tx_dst_format_name(format));
    name[strcspn(name, "-")] = '\0';
    (void)tx_format_parse(name, &found);
    return found;
}

bool run_read_data(const struct run_job *job, const struct run_array *array, uint64_t tile,
                   uint8_t bytes[TX_TILE_ELEMENTS * 4], struct txl_error *err)
{
    const struct tensor *tensor = &array->tensor;
    if (tensor->kind == TENSOR_TILES) {
        struct tx_tile_layout layout;
        (void)tx_tile_layout(&run_tile, tensor->format, &layout);
        return tensor_bytes(tensor, bytes, layout.bytes, tile * (uint64_t)layout.bytes, err);
    }
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    uint8_t rows[TX_TILE_ELEMENTS * 4] = {0};
    unsigned size = tensor->info.item_size;
    unsigned count = run_spans(&job->tiling, tile, spans);
    for (unsigned s = 0; s < count; s++) {
        if (!tensor_raw(tensor, spans[s].element, spans[s].length,
                        rows + (size_t)spans[s].place * size, err)) {
            return false;
        }
    }
    struct tx_grid grid = tile_grid();
    (void)tx_tilize(&grid, size, rows, 0, 1, bytes);
    return true;
}

void run_data_words(const struct run_array *array, const uint8_t *bytes, uint32_t *values)
{
    struct tx_tile_layout layout;
    uint32_t data[TX_TILE_ELEMENTS] = {0};
    struct tx_grid grid = tile_grid();
    (void)tx_tile_layout(&run_tile, array->unpack.in, &layout);
    (void)tx_unpack_tile(&array->unpack, &run_tile, bytes, layout.bytes, data);
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        data[i] = tx_dst_word(array->unpack.dst, data[i]);
    }
    (void)tx_untilize(&grid, sizeof data[0], data, 0, 1, values);
}

bool run_read_tile(const struct run_job *job, const struct run_array *array, uint64_t tile,
                   uint32_t *values, struct npy_narrowed *narrowed, struct txl_error *err)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    uint64_t bytes[TX_TILE_ELEMENTS];
    const struct tensor *tensor = &array->tensor;
    if (tensor->kind != TENSOR_VALUES) {
        if (!run_read_data(job, array, tile, (uint8_t *)bytes, err)) {
            return false;
        }
        run_data_words(array, (uint8_t *)bytes, values);
        return true;
    }
    unsigned count = run_spans(&job->tiling, tile, spans);
    memset(values, 0, TX_TILE_ELEMENTS * sizeof *values);
    for (unsigned s = 0; s < count; s++) {
        const struct run_span *span = &spans[s];
        if (!tensor_raw(tensor, span->element, span->length, bytes, err)) {
            return false;
        }
        const enum tx_dst_format dst = array == &job->compare ? job->out_dst : job->dst;
        struct npy_convert convert = {.raw_bf16 = job->raw_bf16,
                                      .to_unsigned = dst == TX_DST_FORMAT_UINT32};
        npy_to_words(tensor->info.dtype, bytes, span->length, values + span->place, &convert);
        npy_narrowed_add(narrowed, &convert.narrowed);
        if (convert.wide) {
            return fail_false(err, "%s: element %llu does not fit into 32 bits", tensor->name,
                              (unsigned long long)(span->element + convert.first_wide));
        }
    }
    return true;
}

enum npy_dtype run_output_dtype(enum tx_dst_format format)
{
    switch (format) {
    case TX_DST_FORMAT_INT32:
    case TX_DST_FORMAT_INT32_SM:
        return NPY_INT32;
    case TX_DST_FORMAT_INT16:
    case TX_DST_FORMAT_INT16_SM:
        return NPY_INT16;
    case TX_DST_FORMAT_INT8:
        return NPY_INT8;
    case TX_DST_FORMAT_UINT32:
        return NPY_UINT32;
    case TX_DST_FORMAT_UINT16:
    case TX_DST_FORMAT_UINT16_DST32:
        return NPY_UINT16;
    case TX_DST_FORMAT_UINT8:
        return NPY_UINT8;
    case TX_DST_FORMAT_UNSET:
    case TX_DST_FORMAT_FP32:
    case TX_DST_FORMAT_BF16:
    case TX_DST_FORMAT_FP16:
    case TX_DST_FORMAT_COUNT:
        break;
    }
    return NPY_FLOAT32;
}

/* Writes the elements of a tile, given row by row, to their places in the array. */
static bool write_rows(struct run_job *job, uint64_t tile, const uint8_t *rows, unsigned size,
                       struct txl_error *err)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    unsigned count = run_spans(&job->tiling, tile, spans);
    for (unsigned s = 0; s < count; s++) {
        int error = outfile_write_at(&job->output.file, rows + (size_t)spans[s].place * size,
                                     (size_t)spans[s].length * size,
                                     job->output.header + spans[s].element * size);
        if (error != 0) {
            return fail_false(err, "%s: %s", job->output.text, strerror(error));
        }
    }
    return true;
}

bool run_write_tile(struct run_job *job, uint64_t tile, const uint32_t *values,
                    struct txl_error *err)
{
    unsigned size = npy_dtype_size(job->output_dtype);
    uint8_t bytes[TX_TILE_ELEMENTS * 4];
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        for (unsigned b = 0; b < size; b++) {
            bytes[i * size + b] = (uint8_t)(values[i] >> (8 * b));
        }
    }
    return write_rows(job, tile, bytes, size, err);
}

/*
 * Returns how many elements of these tiles are contiguous 32-bit words in the file, in this
 * processor's byte order; 0 if they are not.
 */
static size_t plain_words(const struct run_job *job, enum npy_dtype dtype, uint64_t tile,
                          uint64_t count)
{
    const uint16_t order = 1;
    const bool little = *(const uint8_t *)&order == 1;
    const uint64_t first = tile * TX_TILE_ELEMENTS;
    const uint64_t left = job->tiling.count - first;
    if (job->tiling.blocks || !little || dtype != NPY_FLOAT32) {
        return 0;
    }
    return (size_t)(left < count * TX_TILE_ELEMENTS ? left : count * TX_TILE_ELEMENTS);
}

bool run_read_tiles(const struct run_job *job, const struct run_array *array, uint64_t tile,
                    uint64_t count, uint32_t (*values)[TX_TILE_ELEMENTS],
                    struct npy_narrowed *narrowed, struct txl_error *err)
{
    const struct tensor *tensor = &array->tensor;
    const size_t words =
        tensor->kind == TENSOR_VALUES ? plain_words(job, tensor->info.dtype, tile, count) : 0;
    if (words != 0 && tensor_raw(tensor, tile * TX_TILE_ELEMENTS, words, values[0], NULL)) {
        memset(values[0] + words, 0,
               ((size_t)count * TX_TILE_ELEMENTS - words) * sizeof values[0][0]);
        return true;
    }
    for (uint64_t i = 0; i < count; i++) { /* an error names the tile that cannot be read */
        if (!run_read_tile(job, array, tile + i, values[i], narrowed, err)) {
            return false;
        }
    }
    return true;
}

bool run_write_tiles(struct run_job *job, uint64_t tile, uint64_t count,
                     const uint32_t (*values)[TX_TILE_ELEMENTS], struct txl_error *err)
{
    const size_t words = plain_words(job, job->output_dtype, tile, count);
    if (words != 0) {
        const int error =
            outfile_write_at(&job->output.file, values[0], words * sizeof values[0][0],
                             job->output.header + tile * sizeof values[0]);
        if (error != 0) {
            return fail_false(err, "%s: %s", job->output.text, strerror(error));
        }
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!run_write_tile(job, tile + i, values[i], err)) {
            return false;
        }
    }
    return true;
}

bool run_write_data(struct run_job *job, uint64_t tile, const uint8_t *bytes, struct txl_error *err)
{
    if (job->output.name.is_array) {
        uint8_t rows[TX_TILE_ELEMENTS * 4];
        struct tx_grid grid = tile_grid();
        unsigned size = npy_dtype_size(job->output_dtype);
        (void)tx_untilize(&grid, size, bytes, 0, 1, rows);
        return write_rows(job, tile, rows, size, err);
    }
    struct tx_tile_layout layout;
    (void)tx_tile_layout(&run_tile, job->pack.out, &layout);
    int error =
        outfile_write_at(&job->output.file, bytes, layout.bytes, tile * (uint64_t)layout.bytes);
    if (error != 0) {
        return fail_false(err, "%s: %s", job->output.text, strerror(error));
    }
    return true;
}
