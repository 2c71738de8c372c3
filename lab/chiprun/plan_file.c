/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of buffers: arrays become tiles of 32x32 or rows of a format, and back, by host code's
 * rules. Every name lies beneath the program's folder.
 */
#include "chiprun/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"

#include <tensix-lab/data.h>

enum { MOST_WORDS = 1 << 26 };

static const struct tx_tile square = {32, 32, false, false};

int plan_path(const struct plan_at *at, const struct plan *plan, const char *name, bool output,
              char path[PLAN_PATH])
{
    const char *folder = plan->how.folder != NULL ? plan->how.folder : "";
    const char *slash = strrchr(name, '/');
    char parent[PLAN_PATH] = ".";
    const bool up = strcmp(name, "..") == 0 || strncmp(name, "../", 3) == 0 ||
                    strstr(name, "/../") != NULL || (slash != NULL && strcmp(slash, "/..") == 0);
    if (name[0] == '/' || up) {
        return plan_wrong(at, "'%s' leads out of the program's folder", name);
    }
    if (output && slash != NULL) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - name), name);
    }
    const int fd = open_beneath(folder, output ? parent : name);
    if (fd < 0) {
        return plan_wrong(at, "'%s': %s", name,
                          fd == -18 /* EXDEV */ ? "it leads out of the program's folder"
                                                : strerror(-fd));
    }
    (void)close(fd);
    const size_t length = strlen(folder);
    const bool open = length != 0 && folder[length - 1] != '/';
    const int n = snprintf(path, PLAN_PATH, "%s%s%s", folder, open ? "/" : "", name);
    return n < PLAN_PATH ? TXL_CONTINUE : plan_wrong(at, "the name is too long");
}

static struct txl_tensor_options options_of(const struct chiprun_buffer *b, const char *scratch)
{
    return (struct txl_tensor_options){.size = sizeof(struct txl_tensor_options),
                                       .has_format = true,
                                       .format = b->format,
                                       .numbers_too = true,
                                       .tile = square,
                                       .shape = b->shape,
                                       .dimensions = b->dimensions,
                                       .twos_complement = true,
                                       .scratch = scratch};
}

/* Bytes that an array of the buffer's shape takes in its format and layout. */
static int size_of(const struct plan_at *at, struct chiprun_buffer *b)
{
    struct tx_grid grid;
    uint64_t bytes;
    const struct tx_format_info *info = tx_format_info(b->format);
    if (tx_grid_of(&square, b->shape, b->dimensions, &grid) != TX_OK ||
        tx_grid_bytes(&grid, b->format, &bytes) != TX_OK || grid.elements == 0 ||
        grid.tiles * TX_TILE_ELEMENTS > MOST_WORDS) {
        return plan_wrong(at, "the array is empty, or has more than %u elements",
                          (unsigned)MOST_WORDS);
    }
    if (b->rows && info->block) {
        return plan_wrong(at, "%s has tiles only, no rows", info->name);
    }
    b->bytes = b->rows ? grid.elements * info->bits / 8 : bytes;
    return TXL_CONTINUE;
}

int plan_file_size(const struct plan_at *at, struct chiprun_buffer *b, const char *scratch)
{
    txl_tensor *tensor = NULL;
    const struct txl_tensor_options plain = {
        .size = sizeof plain, .tile = square, .scratch = scratch};
    if (b->file[0] == '\0') {
        return size_of(at, b);
    }
    if (txl_tensor_open(at->err, b->file, &plain, &tensor) != TXL_OK) {
        return TXL_INPUT;
    }
    const struct txl_tensor_info *info = txl_tensor_info(tensor);
    int result = TXL_CONTINUE;
    const bool integer = tx_format_info(b->format)->integer;
    if (info->tiles || !info->numbers) {
        result = plan_wrong(at, "'%s' is no array of numbers", b->file);
    } else if (info->dimensions > PLAN_SHAPE || info->elements > MOST_WORDS) {
        result = plan_wrong(at, "'%s' has more than %d dimensions or %u elements", b->file,
                            PLAN_SHAPE, (unsigned)MOST_WORDS);
    } else if (tx_format_info(info->format)->integer != integer) {
        result = plan_wrong(at, "'%s' has %s, and the buffer's format %s takes %s", b->file,
                            info->type, tx_format_name(b->format), integer ? "integers" : "floats");
    } else {
        b->dimensions = info->dimensions;
        memcpy(b->shape, info->shape, info->dimensions * sizeof b->shape[0]);
    }
    txl_tensor_close(tensor);
    return result == TXL_CONTINUE ? size_of(at, b) : result;
}

static int codec_of(struct txl_error *err, const txl_chip *c, const struct chiprun_buffer *b,
                    bool encode, struct tx_codec *codec)
{
    const char *reason = NULL;
    if (tx_codec_default(TX_ROUTE_HOST, c->arch, b->format, tx_format_in_dst(b->format), codec,
                         &reason) != TX_OK ||
        tx_codec_check(codec, encode, &reason) != TX_OK) {
        return txl_fail(err, "buffer %s: host code does not convert %s: %s", b->name,
                        tx_format_name(b->format), reason != NULL ? reason : "unknown");
    }
    codec->twos_complement = tx_format_info(b->format)->integer;
    return TXL_CONTINUE;
}

/* Elements of 1, 2 or 4 bytes, low byte first; on a machine with the other order they turn. */
static void turn(uint8_t *bytes, uint64_t count, unsigned size)
{
    const uint16_t probe = 1;
    uint8_t first;
    memcpy(&first, &probe, 1);
    for (uint64_t i = 0; i < count && first == 0; i++) {
        for (unsigned k = 0; k < size / 2; k++) {
            const uint8_t low = bytes[i * size + k];
            bytes[i * size + k] = bytes[(i + 1) * size - 1 - k];
            bytes[(i + 1) * size - 1 - k] = low;
        }
    }
}

int plan_file_load(struct txl_error *err, txl_chip *c, const struct chiprun_buffer *b,
                   const char *scratch)
{
    struct tx_codec codec;
    struct tx_grid grid;
    txl_tensor *tensor = NULL;
    int result = codec_of(err, c, b, true, &codec);
    const struct txl_tensor_options plain = {
        .size = sizeof plain, .tile = square, .scratch = scratch};
    if (result != TXL_CONTINUE || txl_tensor_open(err, b->file, &plain, &tensor) != TXL_OK) {
        return TXL_INPUT;
    }
    (void)tx_grid_of(&square, b->shape, b->dimensions, &grid);
    const struct txl_tensor_info *info = txl_tensor_info(tensor);
    const bool same = info->elements == grid.elements;
    uint32_t *words = zeroed(err, (size_t)grid.elements, 4);
    uint8_t *bytes = zeroed(err, (size_t)b->bytes + 64, 1);
    if (!same) {
        result = txl_fail(err, "%s: the file has changed", b->file);
    } else if (words == NULL || bytes == NULL || txl_tensor_words(err, tensor, words) != TXL_OK) {
        result = TXL_INPUT;
    } else if (b->rows) {
        (void)tx_words_payload(&codec, words, (size_t)grid.elements, bytes);
        turn(bytes, grid.elements, tx_format_info(b->format)->bits / 8u);
    } else {
        (void)tx_array_encode(&codec, &grid, words, 0, grid.tiles, bytes);
    }
    result = result == TXL_CONTINUE ? plan_buffer_move(err, c, b, bytes, b->bytes, true) : result;
    free(words);
    free(bytes);
    txl_tensor_close(tensor);
    return result;
}

int plan_file_save(struct txl_error *err, txl_chip *c, const struct chiprun_buffer *b,
                   const char *scratch)
{
    struct tx_codec codec;
    struct tx_grid grid;
    int result = codec_of(err, c, b, false, &codec);
    if (result != TXL_CONTINUE) {
        return result;
    }
    (void)tx_grid_of(&square, b->shape, b->dimensions, &grid);
    uint32_t *words = zeroed(err, (size_t)grid.elements, 4);
    uint8_t *bytes = zeroed(err, (size_t)b->bytes + 64, 1);
    result = words == NULL || bytes == NULL ? TXL_INPUT
                                            : plan_buffer_move(err, c, b, bytes, b->bytes, false);
    if (result == TXL_CONTINUE && b->rows) {
        turn(bytes, grid.elements, tx_format_info(b->format)->bits / 8u);
        (void)tx_payload_words(&codec, bytes, (size_t)grid.elements, words);
    } else if (result == TXL_CONTINUE) {
        (void)tx_array_decode(&codec, &grid, bytes, 0, grid.tiles, words);
    }
    struct txl_tensor_options how = options_of(b, scratch);
    how.has_format = tx_format_info(b->format)->integer;
    if (result == TXL_CONTINUE) {
        const int written = txl_tensor_write(err, b->save, &how, words);
        result = written == TXL_OK ? TXL_CONTINUE : written;
    }
    free(words);
    free(bytes);
    return result;
}
