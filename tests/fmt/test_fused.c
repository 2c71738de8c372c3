/* SPDX-License-Identifier: Apache-2.0 */
/* Fused routes of each level against the second statement, and large arrays through the codecs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "second_fused.h"

static void packs(void **state)
{
    (void)state;
    uint64_t seed = 21;
    uint32_t words[16 * MOST_GROUPS];
    size_t at = 0;
    for (unsigned n = 0; n < 6000; n++) {
        const size_t groups = 1 + n % MOST_GROUPS;
        fused_words(n, &seed, words, groups);
        if (!fused_packs_agree(words, groups, &at) || !fused_bf16_agrees(words, groups, &at)) {
            fail_msg("%u: %zu", n, at);
        }
    }
}

/* All exponents and data of the three formats, in every place of a group. */
static void unpacks(void **state)
{
    (void)state;
    const struct fused *level[2];
    levels(level);
    for (unsigned k = 0; k < 2 * 2 * FUSED_WIDTHS; k++) {
        const unsigned f = k % FUSED_WIDTHS;
        const unsigned w = fused_formats[f].width;
        const bool by_host = k / FUSED_WIDTHS % 2 != 0;
        const struct fused *fused = level[k / FUSED_WIDTHS / 2];
        for (uint32_t exponent = 0; exponent < 256; exponent++) {
            uint8_t exponents[16], data[256];
            uint32_t words[256];
            memset(exponents, (int)exponent, sizeof exponents);
            for (unsigned i = 0; i < 256; i++) {
                data[i] = (uint8_t)i;
            }
            (by_host ? fused->host_unbfp : fused->unpack_bfp)[f](exponents, data, 16, words, false);
            for (unsigned i = 0; i < 256; i++) {
                const uint32_t d = packed(data, i, w);
                const uint32_t want =
                    by_host ? host_bfp(exponent, d, w, false) : bfp(exponent, d, w, false) * 65536;
                if (words[i] != want) {
                    fail_msg("%s E %02x d %02x: %08x, expected %08x",
                             tx_format_name(fused_formats[f].format), exponent, d, words[i], want);
                }
            }
        }
    }
}

/* The array forms of both packers, each level, groups side by side. */
static void assemblies(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (unsigned n = 0; n < 6000; n++) {
        const struct tx_format_info *info = tx_format_info(block_formats[n % BLOCK_FORMATS]);
        const bool a = info->exponent_bits == 5;
        uint32_t words[48], got[48];
        for (unsigned k = 0; k < 4; k++) {
            const struct words_level *level = k % 2 != 0 ? &words_base : words_level();
            const bool by_host = k / 2 != 0;
            uint8_t exponents[3];
            fused_words(n, &seed, words, 3);
            for (unsigned i = 0; i < 48; i++) {
                words[i] = by_host ? words[i] : words[i] >> (n % 2 != 0 ? 16 : 9) & 0xFFFFu;
            }
            memcpy(got, words, sizeof got);
            (by_host ? level->host_assemble : level->assemble)(got, 3, a, info->mantissa_bits,
                                                               exponents);
            for (unsigned g = 0; g < 3; g++) {
                uint16_t half[16];
                uint8_t e, want[16];
                for (unsigned i = 0; i < 16; i++) {
                    half[i] = (uint16_t)words[16 * g + i];
                }
                if (by_host) {
                    second_pack_host(words + (size_t)16 * g, a, info->mantissa_bits, &e, want);
                } else {
                    second_pack(half, a, info->mantissa_bits, &e, want);
                }
                assert_int_equal(exponents[g], e);
                for (unsigned i = 0; i < 16; i++) {
                    assert_int_equal(got[16 * g + i], want[i]);
                }
            }
        }
    }
}

/* Arrays large enough to be written around the cache, aligned and not, against small ones. */
static void large_arrays(void **state)
{
    (void)state;
    static const enum tx_format formats[] = {TX_FORMAT_BFP8, TX_FORMAT_BFP4, TX_FORMAT_BFP2,
                                             TX_FORMAT_BF16};
    static const struct tx_tile shapes[] = {
        {.rows = 32, .columns = 32}, {.rows = 4, .columns = 16}, {.rows = 1, .columns = 16}};
    enum { TOTAL = 3 << 20, SLACK = 64 };
    uint32_t *const words = aligned_alloc(64, TOTAL * 4);
    uint8_t *const bytes = aligned_alloc(64, TOTAL * 4 + SLACK);
    uint8_t *const back = aligned_alloc(64, TOTAL * 4 + SLACK);
    assert_true(words != NULL && bytes != NULL && back != NULL);
    uint64_t seed = 4;
    for (size_t i = 0; i < TOTAL; i++) {
        words[i] = group_word((unsigned)(i / 16), 120, &seed);
    }
    for (unsigned k = 0; k < 4 * 3 * 2 * 2; k++) {
        const enum tx_format format = formats[k % 4];
        const struct tx_tile *tile = &shapes[k / 4 % 3];
        const enum tx_route route = k / 12 % 2 != 0 ? TX_ROUTE_TENSIX : TX_ROUTE_HOST;
        const size_t shift = k / 24 != 0 ? 4 : 0;
        struct tx_codec c;
        struct tx_tile_layout layout;
        assert_int_equal(tx_codec_default(route, TX_WORMHOLE, format, TX_FORMAT_FP32, &c, NULL),
                         TX_OK);
        c.unpack.dst = TX_FORMAT_BF16;
        tx_tile_layout(tile, format, &layout);
        /* Tiny tiles have padded exponents: fewer of them, so that the buffer holds. */
        const size_t tiles = TOTAL / layout.data / (layout.data < 64 ? 2 : 1);
        memset(bytes, 0xEE, TOTAL * 4 + SLACK);
        assert_int_equal(tx_tiles_encode(&c, tile, words, tiles, bytes + shift), TX_OK);
        uint32_t *const out = (uint32_t *)(void *)(back + shift);
        assert_int_equal(tx_tiles_decode(&c, tile, bytes + shift, tiles, out), TX_OK);
        for (size_t t = 0; t < tiles; t += 1 + tiles / 97) {
            uint8_t one[2048];
            uint32_t few[1024];
            assert_int_equal(tx_tiles_encode(&c, tile, words + t * layout.data, 1, one), TX_OK);
            assert_memory_equal(one, bytes + shift + t * layout.bytes, layout.bytes);
            assert_int_equal(tx_tiles_decode(&c, tile, one, 1, few), TX_OK);
            assert_memory_equal(few, out + t * layout.data, layout.data * 4);
        }
    }
    free(words);
    free(bytes);
    free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs),
        cmocka_unit_test(unpacks),
        cmocka_unit_test(assemblies),
        cmocka_unit_test(large_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
