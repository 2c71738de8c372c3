/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out format and size of a file for L1, and converts between its numbers and L1's bytes. */
#include "run/l1_data.h"

#include <limits.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "run/run.h"

/* ---- layouts ---- */

/*
 * Fills in a codec by host code's rules. Returns false where the format cannot be converted in this
 * direction; *reason says why.
 */
static bool codec_of(enum tx_arch arch, const struct l1_file *file, bool encode,
                     struct tx_codec *codec, const char **reason)
{
    const enum tx_format dst = tx_format_in_dst(file->format);
    if (tx_codec_default(TX_ROUTE_HOST, arch, file->format, dst, codec, reason) != TX_OK ||
        tx_codec_check(codec, encode, reason) != TX_OK) {
        return false;
    }
    codec->twos_complement = tx_format_info(file->format)->integer && !file->magnitude;
    return true;
}

/*
 * Determines the bytes that the array takes in L1. Returns false where it has no such layout; err
 * says why.
 */
static bool layout_of(const struct l1_file *file, struct tx_grid *grid, uint64_t *bytes,
                      struct txl_error *err)
{
    const struct tx_format_info *info = tx_format_info(file->format);
    if (tx_grid_of(&run_tile, file->info.shape, file->info.dimensions, grid) != TX_OK ||
        tx_grid_bytes(grid, file->format, bytes) != TX_OK || *bytes > UINT32_MAX) {
        return fail_false(err, "the shape is larger than L1");
    }
    if (file->rows && info->block) {
        return fail_false(err, "%s has tiles only, no rows", info->name);
    }
    *bytes = file->rows ? grid->elements * info->bits / 8 : *bytes;
    if (*bytes == 0) {
        return fail_false(err, "the array is empty");
    }
    return true;
}

/*
 * Convert elements of 1, 2 or 4 bytes between this processor's byte order and L1, which has low
 * bytes first.
 */
static void to_little(const void *elements, size_t count, unsigned size, uint8_t *bytes)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = size == 1   ? ((const uint8_t *)elements)[i]
                           : size == 2 ? ((const uint16_t *)elements)[i]
                                       : ((const uint32_t *)elements)[i];
        for (unsigned k = 0; k < size; k++) {
            bytes[i * size + k] = (uint8_t)(x >> 8 * k);
        }
    }
}

static void from_little(const uint8_t *bytes, size_t count, unsigned size, void *elements)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t x = 0;
        for (unsigned k = 0; k < size; k++) {
            x |= (uint32_t)bytes[i * size + k] << 8 * k;
        }
        if (size == 1) {
            ((uint8_t *)elements)[i] = (uint8_t)x;
        } else if (size == 2) {
            ((uint16_t *)elements)[i] = (uint16_t)x;
        } else {
            ((uint32_t *)elements)[i] = x;
        }
    }
}

/* ---- into L1 ---- */

/* Encodes numbers, or with raw bit patterns of the format, as L1 shall hold them. */
static bool encode(enum tx_arch arch, struct l1_file *file, const void *values, bool raw,
                   struct txl_error *err)
{
    struct tx_codec codec;
    struct tx_grid grid;
    uint64_t bytes = 0;
    const char *reason = NULL;
    const unsigned size = tx_format_info(file->format)->bits / 8u;
    if (!layout_of(file, &grid, &bytes, err)) {
        return false;
    }
    if (!codec_of(arch, file, true, &codec, &reason)) {
        return fail_false(err, "host code does not make %s: %s", tx_format_name(file->format),
                          reason);
    }
    const uint64_t all = grid.tiles * TX_TILE_ELEMENTS;
    void *scratch = malloc((size_t)all * 4);
    file->bytes = malloc((size_t)bytes);
    file->size = (uint32_t)bytes;
    if (file->bytes == NULL || scratch == NULL) {
        free(scratch);
        return no_memory(err), false;
    }
    if (raw && !file->rows) {
        (void)tx_tilize(&grid, size, values, 0, grid.tiles, scratch);
        to_little(scratch, (size_t)all, size, file->bytes);
    } else if (raw) {
        to_little(values, (size_t)grid.elements, size, file->bytes);
    } else if (file->rows) {
        (void)tx_words_payload(&codec, values, (size_t)grid.elements, scratch);
        to_little(scratch, (size_t)grid.elements, size, file->bytes);
    } else {
        (void)tx_array_encode(&codec, &grid, values, 0, grid.tiles, file->bytes);
    }
    free(scratch);
    return true;
}

static bool read_array(enum tx_arch arch, struct l1_file *file, const struct tensor *tensor,
                       struct txl_error *err)
{
    const bool raw = tensor->kind == TENSOR_RAW;
    const size_t count = (size_t)tensor->info.count;
    file->info = tensor->info;
    if (tensor->info.count > tx_l1_size(TX_BLACKHOLE)) {
        return fail_false(err, "the array is larger than L1");
    }
    void *values = zeroed(err, count + 1, 4);
    bool good =
        values != NULL && (raw ? tensor_raw(tensor, 0, count, values, err)
                               : tensor_values(tensor, 0, count, values, &file->narrowed, err));
    if (good && !raw &&
        tx_format_info(tensor->format)->integer != tx_format_info(file->format)->integer) {
        good = fail_false(err, "dtype %s does not go with %s, which takes %s",
                          npy_dtype_name(tensor->info.dtype), tx_format_name(file->format),
                          tx_format_info(file->format)->integer ? "integers" : "floats");
    }
    good = good && encode(arch, file, values, raw, err);
    free(values);
    return good;
}

static bool take_bytes(struct l1_file *file, int fd, struct txl_error *err)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        return fail_false(err, "%s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return fail_false(err, "is not a regular file");
    }
    if (status.st_size == 0 || status.st_size > (off_t)tx_l1_size(TX_BLACKHOLE)) {
        return fail_false(err,
                          status.st_size == 0 ? "the file is empty" : "the file is larger than L1");
    }
    if (file->has_format && !file->rows) {
        struct tx_tile_layout layout;
        (void)tx_tile_layout(&run_tile, file->format, &layout);
        if ((uint64_t)status.st_size % layout.bytes != 0) {
            return fail_false(err, "%llu bytes are no whole number of %s tiles 32x32 (%u each)",
                              (unsigned long long)status.st_size, tx_format_name(file->format),
                              layout.bytes);
        }
    }
    file->size = (uint32_t)status.st_size;
    file->bytes = zeroed(err, file->size, 1);
    const char *wrong = file->bytes != NULL ? tensor_pread(fd, file->bytes, file->size, 0) : NULL;
    return wrong != NULL ? fail_false(err, "%s", wrong) : file->bytes != NULL;
}

/* Reads a file as bytes; with a format it must consist of whole tiles. */
static bool read_bytes(struct l1_file *file, struct txl_error *err)
{
    const int fd = open(file->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool good = take_bytes(file, fd, err);
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/*
 * Tells whether an array holds bit patterns and not numbers: it has no float type but a float
 * format.
 */
static bool holds_patterns(const struct tensor *tensor, enum tx_format format)
{
    const enum npy_dtype dtype = tensor->info.dtype;
    return !tx_format_info(format)->integer && !npy_is_float(dtype);
}

static int read_tensor(const struct l1_job *job, struct l1_file *file,
                       const struct tensor_name *parts)
{
    struct txl_error why = {0};
    char bare[PATH_MAX + 256];
    struct tensor_how how = {.tile = run_tile,
                             .numbers_too = true,
                             .has_format = file->has_format,
                             .format = file->format,
                             .scratch = job->scratch};
    struct tensor tensor;
    snprintf(bare, sizeof bare, "%s%s%s", parts->path, parts->member != NULL ? ":" : "",
             parts->member != NULL ? parts->member : "");
    /* Open as numbers first; an array of patterns is then opened again as such. */
    how.has_format = false;
    how.values_only = file->has_format;
    int result = tensor_open(job->err, bare, &how, &tensor);
    if (result == TXL_CONTINUE && file->has_format && holds_patterns(&tensor, file->format)) {
        tensor_close(&tensor);
        how.values_only = false;
        how.has_format = true;
        result = tensor_open(job->err, bare, &how, &tensor);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (!file->has_format) {
        file->has_format = true;
        file->format = tensor_stored(&tensor);
    }
    const bool good = read_array(job->arch, file, &tensor, &why);
    const struct txl_where where = {.file = bare};
    tensor_close(&tensor);
    return good ? TXL_CONTINUE : txl_fail_at(job->err, &where, "%s", why.message);
}

int l1_read_file(const struct l1_job *job, struct l1_file *file)
{
    struct txl_error why = {0};
    struct tensor_name parts;
    int result = tensor_name(job->err, file->name, false, &parts);
    if (result == TXL_CONTINUE) {
        file->has_format = parts.has_format;
        file->format = parts.format;
        snprintf(file->name, strlen(file->name) + 1, "%s", parts.path);
        if (parts.is_array) {
            result = read_tensor(job, file, &parts);
        } else {
            const struct txl_where where = {.file = file->name};
            result = read_bytes(file, &why) ? TXL_CONTINUE
                                            : txl_fail_at(job->err, &where, "%s", why.message);
        }
    }
    tensor_name_free(&parts);
    return result;
}

/* ---- out of L1 ---- */

int l1_output_size(struct txl_error *err, enum tx_arch arch, struct l1_file *file)
{
    struct tx_codec codec;
    struct tx_grid grid;
    uint64_t bytes = 0;
    struct txl_error why = {0};
    const char *reason = NULL;
    if (!layout_of(file, &grid, &bytes, &why)) {
        return txl_fail_option(err, NULL, "l1_out", "%s: %s", file->text, why.message);
    }
    if (!codec_of(arch, file, false, &codec, &reason)) {
        return txl_fail_option(err, NULL, "l1_out", "%s: host code does not read %s: %s",
                               file->text, tx_format_name(file->format), reason);
    }
    file->size = (uint32_t)bytes;
    file->info.count = grid.elements;
    return TXL_CONTINUE;
}

static void decode(enum tx_arch arch, const struct l1_file *file, const uint8_t *bytes,
                   uint32_t *words, void *scratch)
{
    struct tx_codec codec;
    struct tx_grid grid;
    uint64_t size = 0;
    const char *reason = NULL;
    (void)layout_of(file, &grid, &size, NULL);
    (void)codec_of(arch, file, false, &codec, &reason);
    if (file->rows) {
        from_little(bytes, (size_t)grid.elements, tx_format_info(file->format)->bits / 8u, scratch);
        (void)tx_payload_words(&codec, scratch, (size_t)grid.elements, words);
    } else {
        (void)tx_array_decode(&codec, &grid, bytes, 0, grid.tiles, words);
    }
}

int l1_write_file(struct txl_error *err, const tx_machine *machine, const struct l1_file *file,
                  struct tensor_out *out)
{
    const enum npy_dtype dtype = tensor_number_dtype(file->format);
    const size_t count = (size_t)file->info.count;
    const unsigned size = npy_dtype_size(dtype);
    uint8_t *bytes = malloc(file->size);
    uint32_t *words = malloc((count + 1) * 8);
    uint8_t *numbers = words == NULL ? NULL : (uint8_t *)(words + count);
    int result = bytes == NULL || words == NULL ? txl_fail(err, "out of memory") : TXL_CONTINUE;
    if (result == TXL_CONTINUE) {
        result = tensor_out_name(err, file->name, out);
    }
    if (result == TXL_CONTINUE) {
        (void)tx_l1_read(machine, file->address, bytes, file->size);
        result = tensor_out_open(err, out, out->name.is_array ? &file->info : NULL, dtype);
    }
    if (result == TXL_CONTINUE && out->name.is_array) {
        decode(tx_machine_arch(machine), file, bytes, words, numbers);
        to_little(words, count, 4, numbers);
        for (size_t i = 0; i < count * size; i++) {
            numbers[i] = numbers[i / size * 4 + i % size];
        }
        const int error = outfile_write_at(&out->file, numbers, count * size, out->header);
        result = error == 0 ? result : tensor_out_failed(err, out, strerror(error));
    } else if (result == TXL_CONTINUE) {
        const int error = outfile_append(&out->file, bytes, file->size);
        result = error == 0 ? result : tensor_out_failed(err, out, strerror(error));
    }
    free(bytes);
    free(words);
    return result;
}
