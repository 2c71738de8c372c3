/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements make a tile, and their way from and to files. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const char *read_at(int fd, void *data, size_t size, uint64_t offset)
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

static const char *parse_head(struct run_array *array, uint64_t size, char message[NPY_MESSAGE])
{
    uint8_t start[12] = {0};
    size_t have = size < sizeof start ? (size_t)size : sizeof start;
    const char *error = read_at(array->fd, start, have, 0);
    if (error != NULL) {
        return error;
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
    uint8_t *head = malloc((size_t)need + 1);
    if (head == NULL) {
        return "out of memory";
    }
    error = read_at(array->fd, head, (size_t)need, 0);
    if (error == NULL && !npy_parse(head, (size_t)need, size, &array->info, message)) {
        error = message;
    }
    free(head);
    return error;
}

int run_array_open(struct cli *cli, const char *path, struct run_array *array)
{
    struct cli_where where = {.file = path};
    *array = (struct run_array){.path = path, .fd = -1};
    /* Without O_NONBLOCK a pipe without a writer would hold us for ever. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return cli_fail_at(cli, &where, "%s", strerror(errno));
    }
    array->fd = fd;
    struct stat status;
    char message[NPY_MESSAGE];
    const char *error = NULL;
    if (fstat(fd, &status) != 0) {
        error = strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        error = S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file";
    } else {
        error = parse_head(array, (uint64_t)status.st_size, message);
    }
    if (error != NULL) {
        run_array_close(array);
        return cli_fail_at(cli, &where, "%s", error);
    }
    return CLI_CONTINUE;
}

void run_array_close(struct run_array *array)
{
    if (array->path != NULL && array->fd >= 0) {
        close(array->fd);
    }
    array->fd = -1;
}

const char *run_read_tile(const struct run_job *job, const struct run_array *array, uint64_t tile,
                          uint32_t *values, uint64_t *rounded, char message[400])
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    uint64_t bytes[TX_TILE_ELEMENTS];
    unsigned count = run_spans(&job->tiling, tile, spans);
    memset(values, 0, TX_TILE_ELEMENTS * sizeof *values);
    unsigned size = array->info.item_size;
    for (unsigned s = 0; s < count; s++) {
        const struct run_span *span = &spans[s];
        const char *error = read_at(array->fd, bytes, (size_t)span->length * size,
                                    array->info.data_offset + span->element * size);
        if (error != NULL) {
            snprintf(message, 400, "%s: %s", array->path, error);
            return message;
        }
        struct npy_convert convert = {.raw_bf16 = job->raw_bf16};
        npy_to_words(array->info.dtype, bytes, span->length, values + span->place, &convert);
        *rounded += convert.rounded;
        if (convert.wide) {
            snprintf(message, 400, "%s: element %llu does not fit into 32 bits", array->path,
                     (unsigned long long)(span->element + convert.first_wide));
            return message;
        }
    }
    return NULL;
}

enum npy_dtype run_output_dtype(enum tx_dst_format format)
{
    switch (format) {
    case TX_DST_INT32:
        return NPY_INT32;
    case TX_DST_INT16:
        return NPY_INT16;
    case TX_DST_INT8:
        return NPY_INT8;
    case TX_DST_UNSET:
    case TX_DST_FP32:
    case TX_DST_BF16:
    case TX_DST_FP16:
        break;
    }
    return NPY_FLOAT32;
}

static unsigned item_size(enum npy_dtype dtype)
{
    return dtype == NPY_INT8 ? 1 : dtype == NPY_INT16 ? 2 : 4;
}

const char *run_write_tile(struct run_job *job, uint64_t tile, const uint32_t *values,
                           char message[400])
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    unsigned count = run_spans(&job->tiling, tile, spans);
    unsigned size = item_size(job->output_dtype);
    uint8_t bytes[TX_TILE_ELEMENTS * 4];
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        for (unsigned b = 0; b < size; b++) {
            bytes[i * size + b] = (uint8_t)(values[i] >> (8 * b));
        }
    }
    for (unsigned s = 0; s < count; s++) {
        int error = outfile_write_at(&job->output, bytes + spans[s].place * size,
                                     (size_t)spans[s].length * size,
                                     job->output_header + spans[s].element * size);
        if (error != 0) {
            snprintf(message, 400, "%s: %s", job->output_path, strerror(error));
            return message;
        }
    }
    return NULL;
}
