/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a format's name, a shape, unpacker and packer settings and a tile of any length:
 * what is accepted is in range and comes back the same, what is refused says why.
 */
#include <tensix/formats.h>
#include <tensix/machine.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void names(const uint8_t *data, size_t size)
{
    char text[64];
    const size_t n = size < sizeof text - 1 ? size : sizeof text - 1;
    enum tx_format format;
    enum tx_conversion conversion;
    memcpy(text, data, n);
    text[n] = '\0';
    if (tx_format_parse(text, &format) == TX_OK) {
        enum tx_format again;
        require(tx_format_info(format) != NULL);
        require(tx_format_parse(tx_format_name(format), &again) == TX_OK && again == format);
    }
    if (tx_conversion_parse(text, &conversion) == TX_OK) {
        require(strcmp(tx_conversion_info(conversion)->name, text) == 0);
    }
}

static void shapes(const struct tx_tile *tile, const uint8_t *data, size_t size)
{
    uint64_t shape[6] = {0};
    struct tx_grid grid;
    const size_t n = size < sizeof shape ? size : sizeof shape;
    memcpy(shape, data, n);
    const enum tx_status status = tx_grid_of(tile, shape, n / 8, &grid);
    uint64_t bytes = 0;
    if (status == TX_OK) {
        require(tx_tile_ok(tile));
        require(tx_grid_bytes(&grid, TX_FORMAT_FP32, &bytes) == TX_OK);
        require(bytes / 4 >= grid.elements);
        require(tx_tilize(&grid, 4, NULL, grid.tiles, 1, NULL) == TX_EINVAL);
    } else {
        require(status == TX_ELIMIT || !tx_tile_ok(tile));
    }
}

static void tiles(const struct tx_unpack *unpack, const struct tx_pack *pack,
                  const struct tx_tile *tile, unsigned row, const uint8_t *data, size_t size)
{
    static tx_machine *machines[2]; /* of each chip, for ever */
    tx_machine **m = &machines[unpack->arch == TX_BLACKHOLE ? 1 : 0];
    static uint8_t out[4096];
    struct tx_tile_layout layout;
    const char *reason = NULL;
    const enum tx_status allowed = tx_unpack_check(unpack, &reason);
    require((allowed == TX_OK) == (reason == NULL));
    if (*m == NULL) {
        struct tx_settings settings;
        tx_settings_default(&settings, unpack->arch == TX_BLACKHOLE ? TX_BLACKHOLE : TX_WORMHOLE);
        require(tx_open(&settings, m) == TX_OK);
    }
    if (unpack->arch == TX_BLACKHOLE) {
        tx_config_set(*m, 0, "DEST_ACCESS_CFG_remap_addrs", row & 1);
        tx_config_set(*m, 0, "DEST_ACCESS_CFG_swizzle_32b", row >> 1 & 1);
    }
    const enum tx_status in = tx_machine_unpack(*m, unpack, tile, row, data, size);
    if (in == TX_OK) {
        require(allowed == TX_OK && tx_tile_layout(tile, unpack->in, &layout) == TX_OK);
        require(layout.bytes == size);
    }
    reason = NULL;
    const enum tx_status can = tx_pack_check(pack, &reason);
    require((can == TX_OK) == (reason == NULL));
    if (tx_tile_layout(tile, pack->out, &layout) == TX_OK) {
        const enum tx_status written = tx_machine_pack(*m, pack, tile, row, out, layout.bytes);
        require(written != TX_OK || can == TX_OK);
        require(tx_machine_pack(*m, pack, tile, row, out, layout.bytes + 1) != TX_OK);
    }
}

/* Decoding any bytes and encoding the words again: the second round changes nothing more. */
static void codecs(enum tx_format format, bool twos, const uint8_t *data, size_t size)
{
    static const struct tx_tile tile = {.rows = 1, .columns = 16};
    static uint32_t words[16], again[16];
    static uint8_t bytes[64], settled[64];
    struct tx_tile_layout layout;
    struct tx_codec codec = {.route = TX_ROUTE_HOST, .format = format, .twos_complement = twos};
    if (tx_tile_layout(&tile, format, &layout) != TX_OK || size < layout.bytes) {
        return;
    }
    if (tx_tiles_decode(&codec, &tile, data, 1, words) != TX_OK) {
        require(twos);
        return;
    }
    require(tx_tiles_encode(&codec, &tile, words, 1, bytes) == TX_OK);
    require(tx_tiles_decode(&codec, &tile, bytes, 1, again) == TX_OK);
    require(tx_tiles_encode(&codec, &tile, again, 1, settled) == TX_OK);
    require(tx_format_info(format)->block || memcmp(bytes, settled, layout.bytes) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 16 };
    names(data, size);
    if (size < HEAD) {
        return 0;
    }
    const struct tx_tile tile = {(uint8_t)(data[0] % 34), (uint8_t)(data[1] % 4 * 16),
                                 (data[2] & 1) != 0, (data[2] & 2) != 0};
    const struct tx_unpack unpack = {.arch = (enum tx_arch)(data[3] % 4),
                                     .in = (enum tx_format)(data[4] % 34),
                                     .dst = (enum tx_format)(data[5] % 34),
                                     .through_src = (data[2] & 4) != 0,
                                     .zero_flag_disabled = (data[2] & 8) != 0};
    const struct tx_pack pack = {.arch = (enum tx_arch)(data[6] % 4),
                                 .dst = (enum tx_format)(data[7] % 34),
                                 .intermediate = (enum tx_format)(data[8] % 34),
                                 .out = (enum tx_format)(data[9] % 34),
                                 .raw = (data[2] & 16) != 0,
                                 .round10 = (data[2] & 32) != 0,
                                 .shift = data[10] % 34,
                                 .relu = (enum tx_relu)(data[11] % 5),
                                 .relu_threshold = (uint16_t)(data[12] << 8 | data[13]),
                                 .threshold_exponent = (data[2] & 64) != 0,
                                 .exponent_threshold = data[14]};
    shapes(&tile, data + HEAD, size - HEAD);
    tiles(&unpack, &pack, &tile, data[15] * 5u, data + HEAD, size - HEAD);
    codecs(unpack.in, (data[2] & 128) != 0, data + HEAD, size - HEAD);
    return 0;
}
