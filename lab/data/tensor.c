/* SPDX-License-Identifier: Apache-2.0 */
/* Opens input files: finds out what kind they are and which format and shape they have. */
#include "base/small.h"
#include "data/tensor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "data/npz.h"

/* ---- names ---- */

static bool parses(const char *text, enum tx_format *format)
{
    return tx_format_parse(text, format) == TX_OK;
}

static int wrong_format(struct txl_error *err, const char *option, const char *text)
{
    enum tx_format format;
    if (tx_format_parse(text, &format) == TX_EPARSE) {
        bool fp8 = strchr("fF", text[0]) != NULL;
        return txl_fail(err, "%s: '%s' is ambiguous: %s", option, text,
                        fp8 ? "fp8_e5m2 or fp8_e4m3" : "write it with _a or _b");
    }
    const char *names[TX_FORMAT_LIMIT];
    size_t count = 0;
    for (unsigned f = 0; f < TX_FORMAT_LIMIT; f++) {
        if (tx_format_info((enum tx_format)f) != NULL) {
            names[count++] = tx_format_name((enum tx_format)f);
        }
    }
    const char *near = txl_nearest(text, names, count);
    return near != NULL
               ? txl_fail(err, "%s: no format '%s'; did you mean '%s'?", option, text, near)
               : txl_fail(err, "%s: no format '%s', as fp32, bf16 or bfp8_b", option, text);
}

int txl_parse_format(struct txl_error *err, const char *option, const char *text,
                     enum tx_format *format)
{
    return parses(text, format) ? 0 : wrong_format(err, option, text);
}

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static void classify(struct tensor_name *parts)
{
    parts->is_npz = text_ends_in_any_case(parts->path, ".npz");
    parts->is_array = parts->is_npz || text_ends_in_any_case(parts->path, ".npy");
}

int tensor_name(struct txl_error *err, const char *text, bool output, struct tensor_name *parts)
{
    *parts = (struct tensor_name){.path = strdup(text)};
    if (parts->path == NULL) {
        return txl_fail(err, "out of memory");
    }
    classify(parts);
    char *colon = strrchr(parts->path, ':');
    if (colon == NULL || strpbrk(colon, "/.") != NULL || (!output && exists(text))) {
        return TXL_CONTINUE;
    }
    if (parses(colon + 1, &parts->format)) {
        parts->has_format = true;
        *colon = '\0';
        classify(parts);
        colon = strrchr(parts->path, ':');
        if (colon == NULL || strpbrk(colon, "/.") != NULL || (!output && exists(parts->path))) {
            return TXL_CONTINUE;
        }
    }
    *colon = '\0';
    if (text_ends_in_any_case(parts->path, ".npz")) {
        classify(parts);
        parts->member = colon + 1;
        return TXL_CONTINUE;
    }
    bool file = exists(parts->path) || text_ends_in_any_case(parts->path, ".npy");
    *colon = ':';
    if (!parts->has_format && (file || output)) {
        return wrong_format(err, text, colon + 1);
    }
    return TXL_CONTINUE;
}

void tensor_name_free(struct tensor_name *parts)
{
    free(parts->path); /* member lies in the same memory */
    *parts = (struct tensor_name){0};
}

int txl_parse_tile(struct txl_error *err, const char *option, const char *text,
                   struct tx_tile *tile)
{
    unsigned rows = 0;
    unsigned columns = 0;
    int end = 0;
    struct tx_tile wanted = *tile;
    if (strlen(text) > 5 || strspn(text, "0123456789xX") != strlen(text) ||
        sscanf(text, "%2u%*1[xX]%2u%n", &rows, &columns, &end) != 2 || text[end] != '\0') {
        return txl_fail(err, "%s: '%s' is not ROWSxCOLUMNS", option, text);
    }
    wanted.rows = (uint8_t)rows;
    wanted.columns = (uint8_t)columns;
    wanted.transpose_within_face = false;
    if (!tx_tile_ok(&wanted)) {
        return txl_fail(err, "%s: %ux%u: a tile has 1, 2, 4, 8, 16 or 32 rows and 16 or 32 columns",
                        option, rows, columns);
    }
    tile->rows = wanted.rows;
    tile->columns = wanted.columns;
    return 0;
}

int txl_parse_shape(struct txl_error *err, const char *option, const char *text,
                    uint64_t shape[TXL_DIMENSIONS], unsigned *dimensions)
{
    const char *at = text;
    *dimensions = 0;
    while (*dimensions < NPY_MAX_DIMENSIONS && *at >= '0' && *at <= '9') {
        char *end = NULL;
        errno = 0;
        shape[(*dimensions)++] = strtoull(at, &end, 10);
        if (errno != 0) {
            break;
        }
        at = end;
        if (*at == '\0') {
            return 0;
        }
        if (*at != ',' && *at != 'x') {
            break;
        }
        at++;
    }
    return txl_fail(err, "%s: '%s' is not a list of sizes such as 64,128", option, text);
}

/* ---- files ---- */

const char *tensor_pread(int fd, void *data, size_t size, uint64_t offset)
{
    char *bytes = data;
    while (size > 0) {
        ssize_t done = pread(fd, bytes, size, (off_t)offset);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? strerror(errno) : "the file became shorter";
        }
        bytes += done;
        size -= (size_t)done;
        offset += (uint64_t)done;
    }
    return NULL;
}

static bool parse_head(struct tensor *tensor, uint64_t size, struct txl_error *err)
{
    uint8_t start[12] = {0};
    size_t have = size < sizeof start ? (size_t)size : sizeof start;
    const char *wrong = tensor_pread(tensor->fd, start, have, 0);
    if (wrong != NULL) {
        return fail_false(err, "%s", wrong);
    }
    uint64_t need = npy_header_size(start, have);
    if (need > size) {
        need = size;
    }
    if (need > NPY_HEADER_MOST) {
        need = NPY_HEADER_MOST;
    }
    if (need < have) {
        need = have;
    }
    uint8_t *head = zeroed(err, (size_t)need, 1);
    if (head == NULL) {
        return false;
    }
    wrong = tensor_pread(tensor->fd, head, (size_t)need, 0);
    const bool good = wrong != NULL ? fail_false(err, "%s", wrong)
                                    : npy_parse(head, (size_t)need, size, &tensor->info, err);
    free(head);
    return good;
}

/* Opens the file and sets *size. */
static bool open_file(struct tensor *tensor, uint64_t *size, struct txl_error *err)
{
    /* Without O_NONBLOCK, opening a pipe that nobody writes to would block forever. */
    tensor->fd = open(tensor->parts.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (tensor->fd < 0 || fstat(tensor->fd, &status) != 0) {
        return fail_false(err, "%s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return fail_false(err,
                          S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file");
    }
    *size = (uint64_t)status.st_size;
    return true;
}

static bool tensor_take(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

/* Unpacks the array of an .npz into a nameless file, so that any part of it can be read. */
static bool unpack(struct tensor *tensor, const char *scratch, uint64_t *size,
                   struct txl_error *err)
{
    if (!npz_able(err) || !open_file(tensor, size, err)) {
        return false;
    }
    close(tensor->fd);
    tensor->fd = -1;
    FILE *file = outfile_scratch(scratch);
    if (file == NULL) {
        return fail_false(err, "%s", strerror(errno));
    }
    const struct npz_from from = {.path = tensor->parts.path};
    const struct npz_take to = {tensor_take, file};
    bool good = npz_extract(&from, tensor->parts.member, &to, err);
    if (good && fflush(file) == 0) {
        *size = (uint64_t)ftello(file);
        tensor->fd = dup(fileno(file));
    }
    if (good && tensor->fd < 0) {
        good = fail_false(err, "%s", strerror(errno));
    }
    fclose(file);
    return good;
}

/* ---- what the elements are ---- */

static enum tx_format own_format(enum npy_dtype dtype)
{
    switch (dtype) {
    case NPY_INT8:
        return TX_FORMAT_INT8;
    case NPY_INT16:
        return TX_FORMAT_INT16;
    case NPY_INT32:
    case NPY_INT64:
        return TX_FORMAT_INT32;
    case NPY_UINT8:
        return TX_FORMAT_UINT8;
    case NPY_UINT16:
        return TX_FORMAT_UINT16;
    case NPY_UINT32:
    case NPY_UINT64:
        return TX_FORMAT_UINT32;
    default:
        return TX_FORMAT_FP32;
    }
}

enum tx_format tensor_stored(const struct tensor *tensor)
{
    return tensor->info.dtype == NPY_FLOAT16 ? TX_FORMAT_FP16 : tensor->format;
}

static bool wrong_dtype(const struct tensor *tensor, struct txl_error *err)
{
    enum npy_dtype dtype = tensor->info.dtype;
    const struct tx_format_info *format = tx_format_info(tensor->format);
    if (format->block) {
        return fail_false(err, "an array cannot hold %s: only tiles have its exponents",
                          format->name);
    }
    if (npy_is_float(dtype) && !format->integer) {
        return fail_false(
            err, "dtype %s holds numbers: leave %s out, or give its %u-bit patterns as uint%u",
            npy_dtype_name(dtype), format->name, format->bits, format->bits);
    }
    return fail_false(err, "dtype %s does not hold %s", npy_dtype_name(dtype), format->name);
}

/*
 * Decides what the elements of an array are. Unsigned integers, V1 and V2 hold patterns of the
 * stated format; other types hold numbers of their own.
 */
static bool settle_array(struct tensor *tensor, const struct tensor_how *how, bool has_format,
                         enum tx_format stated, struct txl_error *err)
{
    enum npy_dtype dtype = tensor->info.dtype;
    tensor->kind = TENSOR_VALUES;
    tensor->format = own_format(dtype);
    if (how->force_shared_exp) {
        return fail_false(err, "a shared exponent is forced on tiles, not on an array");
    }
    if (!has_format) {
        if (npy_is_raw(dtype) && !how->values_only) {
            return fail_false(err,
                              "dtype %s has no meaning of its own: state its format as FILE:FORMAT",
                              npy_dtype_name(dtype));
        }
        return true;
    }
    const struct tx_format_info *info = tx_format_info(stated);
    enum tx_format own = tensor->format;
    tensor->format = stated;
    bool patterns = npy_is_raw(dtype) || dtype == NPY_UINT8 || dtype == NPY_UINT16 ||
                    dtype == NPY_UINT32 || (dtype == NPY_FLOAT32 && stated == TX_FORMAT_TF32);
    bool number =
        !npy_is_raw(dtype) && (stated == own || (dtype == NPY_FLOAT16 && stated == TX_FORMAT_FP16));
    if (number) {
        tensor->format = own;
        return true;
    }
    if (!patterns || info->block || tensor->info.item_size * 8 != info->bits ||
        (info->integer && !npy_is_raw(dtype))) {
        return wrong_dtype(tensor, err);
    }
    tensor->kind = TENSOR_RAW;
    tensor->twos_complement = how->twos_complement && info->integer;
    return true;
}

/*
 * Returns whether the dtype already says what the elements are, so that the given format is
 * ignored.
 */
static bool holds_numbers(const struct tensor *tensor, const struct tensor_how *how)
{
    enum npy_dtype dtype = tensor->info.dtype;
    bool is_unsigned = dtype == NPY_UINT8 || dtype == NPY_UINT16 || dtype == NPY_UINT32;
    return !npy_is_raw(dtype) && (!is_unsigned || tx_format_info(how->format)->integer);
}

static void settle_shape(struct tensor *tensor, const struct tensor_how *how, uint64_t tiles)
{
    struct npy_info *info = &tensor->info;
    if (how->shape != NULL) {
        info->dimensions = how->dimensions;
        memcpy(info->shape, how->shape, how->dimensions * sizeof info->shape[0]);
    } else {
        info->dimensions = 3;
        info->shape[0] = tiles;
        info->shape[1] = tensor->tile.rows;
        info->shape[2] = tensor->tile.columns;
    }
}

static bool settle_tiles(struct tensor *tensor, const struct tensor_how *how, bool has_format,
                         enum tx_format format, uint64_t size, struct txl_error *err)
{
    if (!has_format) {
        return fail_false(
            err,
            "a file of tiles does not name its format: state it as FILE:FORMAT, such as "
            "%.60s:bfp8_b",
            txl_basename(tensor->parts.path));
    }
    struct tx_tile_layout layout;
    tensor->kind = TENSOR_TILES;
    tensor->format = format;
    tensor->tile = how->tile;
    tensor->twos_complement = how->twos_complement;
    tensor->force_shared_exp = how->force_shared_exp;
    tensor->shared_exp = how->shared_exp;
    tensor_layout(tensor, &layout);
    const char *name = tx_format_name(format);
    if (size % layout.bytes != 0) {
        return fail_false(err, "%llu bytes are no whole number of %s tiles %ux%u (%u each)",
                          (unsigned long long)size, name, tensor->tile.rows, tensor->tile.columns,
                          layout.bytes);
    }
    settle_shape(tensor, how, size / layout.bytes);
    struct tx_grid grid;
    if (tx_grid_of(&tensor->tile, tensor->info.shape, tensor->info.dimensions, &grid) != TX_OK ||
        grid.tiles > UINT64_MAX / layout.bytes) {
        return fail_false(err, "the shape is larger than any file");
    }
    uint64_t bytes = grid.tiles * layout.bytes;
    tensor->info.count = grid.elements;
    if (bytes != size) {
        return fail_false(err, "the shape takes %llu tiles, %llu bytes of %s; there are %llu",
                          (unsigned long long)grid.tiles, (unsigned long long)bytes, name,
                          (unsigned long long)size);
    }
    return true;
}

/* Returns whether the file is an .npy file under another name. */
static bool begins_as_npy(const struct tensor *tensor)
{
    uint8_t start[12] = {0};
    return tensor_pread(tensor->fd, start, sizeof start, 0) == NULL &&
           npy_header_size(start, sizeof start) != 0;
}

int tensor_open(struct txl_error *err, const char *text, const struct tensor_how *how,
                struct tensor *tensor)
{
    *tensor = (struct tensor){.name = text, .fd = -1};
    int result = tensor_name(err, text, false, &tensor->parts);
    if (result != TXL_CONTINUE) {
        tensor_close(tensor);
        return result;
    }
    const struct tensor_name *parts = &tensor->parts;
    enum tx_format format = parts->has_format ? parts->format : how->format;
    struct txl_error why = {0};
    uint64_t size = 0;
    bool good =
        parts->is_npz ? unpack(tensor, how->scratch, &size, &why) : open_file(tensor, &size, &why);
    const bool array = parts->is_array || how->values_only ||
                       (good && !parts->has_format && !how->has_format && begins_as_npy(tensor));
    if (good && how->values_only && parts->has_format) {
        good = fail_false(&why, "this command takes arrays of numbers only");
    }
    good = good && (!array || parse_head(tensor, size, &why));
    bool has_format =
        parts->has_format ||
        (how->has_format && !(array && how->numbers_too && holds_numbers(tensor, how)));
    good = good && (array ? settle_array(tensor, how, has_format, format, &why)
                          : settle_tiles(tensor, how, has_format, format, size, &why));
    if (!good) {
        const struct txl_where where = {.file = text};
        result = txl_fail_at(err, &where, "%s", why.message);
        tensor_close(tensor);
    }
    return result;
}

void tensor_close(struct tensor *tensor)
{
    if (tensor->name != NULL && tensor->fd >= 0) {
        close(tensor->fd);
    }
    tensor->fd = -1;
    tensor_name_free(&tensor->parts);
}

void tensor_layout(const struct tensor *tensor, struct tx_tile_layout *layout)
{
    const struct tx_unpack unpack = {.in = tensor->format,
                                     .force_shared_exp = tensor->force_shared_exp};
    (void)tx_unpack_layout(&unpack, &tensor->tile, layout);
}

const char *tensor_kind_text(const struct tensor *tensor)
{
    return tensor->kind == TENSOR_VALUES ? npy_dtype_name(tensor->info.dtype)
                                         : tx_format_name(tensor->format);
}

bool tensor_unpack_way(struct tx_unpack *unpack, const char **reason)
{
    if (tx_unpack_check(unpack, reason) == TX_OK) {
        return true;
    }
    unpack->through_src = true;
    return tx_unpack_check(unpack, NULL) == TX_OK;
}

unsigned tensor_odd_exponents(const struct tx_tile *tile, enum tx_format format,
                              const uint8_t *bytes, unsigned *first)
{
    struct tx_tile_layout layout;
    unsigned most = tx_format_info(format)->exponent_bits == 8 ? 254 : 31;
    unsigned count = 0;
    (void)tx_tile_layout(tile, format, &layout);
    for (unsigned i = 0; i < layout.exponents; i++) {
        if (bytes[i] > most && count++ == 0) {
            *first = i;
        }
    }
    return count;
}

const char *tensor_odd_text(enum tx_format format)
{
    return tx_format_info(format)->exponent_bits == 8
               ? "255, infinity or NaN to host code and the SFPU"
               : "more than 31, of which the unpacker keeps the low 5 bits (undefined)";
}

/* ---- elements ---- */

bool tensor_bytes(const struct tensor *tensor, void *data, size_t size, uint64_t offset,
                  struct txl_error *err)
{
    const char *wrong = tensor_pread(tensor->fd, data, size, offset);
    return wrong == NULL || fail_false(err, "%s: %s", tensor->name, wrong);
}

bool tensor_raw(const struct tensor *tensor, uint64_t first, size_t count, void *data,
                struct txl_error *err)
{
    unsigned size = tensor->info.item_size;
    return tensor_bytes(tensor, data, count * size, tensor->info.data_offset + first * size, err);
}

bool tensor_values(const struct tensor *tensor, uint64_t first, size_t count, uint32_t *words,
                   struct npy_narrowed *narrowed, struct txl_error *err)
{
    uint64_t bytes[1024];
    for (size_t done = 0; done < count;) {
        size_t n = count - done < 1024 ? count - done : 1024;
        if (!tensor_raw(tensor, first + done, n, bytes, err)) {
            return false;
        }
        struct npy_convert convert = {.to_unsigned = tensor->format == TX_FORMAT_UINT32};
        npy_to_words(tensor->info.dtype, bytes, n, words + done, &convert);
        npy_narrowed_add(narrowed, &convert.narrowed);
        if (convert.wide) {
            return fail_false(err, "%s: element %llu does not fit into 32 bits", tensor->name,
                              (unsigned long long)(first + done + convert.first_wide));
        }
        done += n;
    }
    return true;
}

const char *tensor_index(const struct npy_info *info, uint64_t element, char *text, size_t size)
{
    uint64_t index[NPY_MAX_DIMENSIONS];
    for (unsigned i = info->dimensions; i-- > 0;) {
        index[i] = info->shape[i] != 0 ? element % info->shape[i] : 0;
        element = info->shape[i] != 0 ? element / info->shape[i] : 0;
    }
    size_t used = (size_t)snprintf(text, size, "[");
    for (unsigned i = 0; i < info->dimensions && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%llu", i == 0 ? "" : ", ",
                                 (unsigned long long)index[i]);
    }
    if (used < size) {
        snprintf(text + used, size - used, "]");
    }
    return text;
}
