/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What src/fmt/words_body.h writes once more so that compilers make better vectors of it, beside
 * the primitives: data of L1 to cells of Src and Dst, and the packer's whole way of 16-bit Dst,
 * over all patterns, at odd addresses and in any number; ReLU and sums in L1 over random ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "fmt/l1_accumulate.h"
#include "fmt/pack_early.h"
#include "fmt/src_cell.h"
#include "fmt/unpack.h"
#include "fmt/words.h"
#include "num/dst_cell.h"

enum { ALL = 65536 };
static uint16_t in[ALL], out[ALL];
static uint32_t cells[ALL];
static uint8_t bytes[2 * ALL + 1];

static uint32_t same(uint32_t x)
{
    return x;
}

static void check_pack(const struct words_level *level, enum words_pack kind,
                       uint32_t (*from_cell)(uint32_t), uint32_t (*early)(uint32_t), unsigned lsb,
                       uint32_t mask)
{
    for (unsigned first = 0; first < ALL; first += first % 7 == 0 ? 211 : 1024) {
        const size_t n = first + 1024 + first % 64 <= ALL ? 1024 + first % 64 : ALL - first;
        uint32_t most = 0;
        const uint32_t got = level->pack(kind, in + first, n, out);
        for (size_t i = 0; i < n; i++) {
            const uint32_t want = early(from_cell(in[first + i]));
            const uint8_t *b = (const uint8_t *)&out[i];
            most = (want >> lsb & mask) > most ? want >> lsb & mask : most;
            assert_int_equal(b[0] | b[1] << 8, want);
        }
        assert_int_equal(got, most);
    }
}

static void check(const struct words_level *level)
{
    for (unsigned i = 0; i < ALL; i++) {
        in[i] = (uint16_t)(i * 40503u);
        bytes[1 + 2 * i] = (uint8_t)i;
        bytes[2 + 2 * i] = (uint8_t)(i >> 8);
    }
    for (unsigned count = ALL - 33; count <= ALL; count++) {
        memset(cells, 0, sizeof cells);
        level->src(WORDS_SRC_BF16, bytes + 1, NULL, count, cells);
        for (unsigned i = count < ALL ? ALL - 64 : 0; i < ALL; i++) {
            assert_int_equal(cells[i], i < count ? src_from_tf32(i << 3) : 0);
        }
    }
    check_pack(level, WORDS_PACK_BF16, bf16_from_cell, early_bf16, 7, 255);
    check_pack(level, WORDS_PACK_BF16_RAW, bf16_from_cell, same, 7, 255);
    check_pack(level, WORDS_PACK_FP16, fp16_from_cell, early_fp16, 10, 31);
    check_pack(level, WORDS_PACK_FP16_RAW, fp16_from_cell, same, 10, 31);
}

/* ---- unpacking ---- */

static uint32_t random_word(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 32);
}

static uint32_t src_of(enum words_src kind, uint32_t x)
{
    switch (kind) {
    case WORDS_SRC_BF16:
        return src_from_tf32(x << 3);
    case WORDS_SRC_FP16:
        return src_from_fp16(x);
    case WORDS_SRC_INT16:
        return src_from_dst8(x);
    case WORDS_SRC_INT8:
        return src_from_fp16(unpack_int8(x));
    case WORDS_SRC_UINT8:
        return src_from_fp16(unpack_magnitude(0, x));
    case WORDS_SRC_FP32_TF32:
        return src_from_tf32(x >> 13);
    case WORDS_SRC_FP32_BF16:
        return src_from_tf32(unpack_fp32_bf16(x) << 3);
    default:
        assert_int_equal(kind, WORDS_SRC_FP32_FP16);
        return src_from_fp16(fp32_to_fp16_keep(x));
    }
}

/* Every pattern of 8 and 16 bits, and of 32 bits every high half with some low ones. */
static void check_src(const struct words_level *level)
{
    static const struct {
        enum words_src kind;
        unsigned bytes;
    } kinds[] = {{WORDS_SRC_BF16, 2},      {WORDS_SRC_FP16, 2},     {WORDS_SRC_INT16, 2},
                 {WORDS_SRC_INT8, 1},      {WORDS_SRC_UINT8, 1},    {WORDS_SRC_FP32_TF32, 4},
                 {WORDS_SRC_FP32_BF16, 4}, {WORDS_SRC_FP32_FP16, 4}};
    static uint8_t data[4 * ALL + 1];
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (unsigned low = 0; low < 3; low++) {
            const unsigned bytes_each = kinds[k].bytes;
            for (unsigned i = 0; i < ALL; i++) {
                const uint32_t x = bytes_each == 4 ? i << 16 | (low * 0x8001u & 0xFFFFu) : i;
                for (unsigned b = 0; b < bytes_each; b++) {
                    data[1 + bytes_each * i + b] = (uint8_t)(x >> 8 * b);
                }
            }
            level->src(kinds[k].kind, data + 1, NULL, ALL, cells);
            for (unsigned i = 0; i < ALL; i++) {
                const uint32_t x = bytes_each == 4   ? i << 16 | (low * 0x8001u & 0xFFFFu)
                                   : bytes_each == 1 ? i & 255u
                                                     : i;
                assert_int_equal(cells[i], src_of(kinds[k].kind, x));
            }
        }
    }
}

/* Every datum of the block formats under every exponent. */
static void check_src_blocks(const struct words_level *level)
{
    uint8_t data[256], exponents[16];
    for (unsigned e = 0; e < 256; e++) {
        memset(exponents, (int)e, sizeof exponents);
        for (unsigned i = 0; i < 256; i++) {
            data[i] = (uint8_t)i;
        }
        level->src(WORDS_SRC_BFP8, data, exponents, 256, cells);
        for (unsigned i = 0; i < 256; i++) {
            assert_int_equal(cells[i], src_from_tf32(unpack_bfp_bf16(e, i) << 3));
        }
        level->src(WORDS_SRC_BFP4, data, exponents, 256, cells);
        for (unsigned i = 0; i < 256; i++) {
            const uint32_t d = (uint32_t)data[i / 2] >> 4 * (i % 2) & 15u;
            assert_int_equal(cells[i], src_from_tf32(unpack_bfp_bf16(e, d << 4) << 3));
        }
        level->src(WORDS_SRC_BFP2, data + 64, exponents, 256, cells);
        for (unsigned i = 0; i < 256; i++) {
            const uint32_t d = (uint32_t)data[64 + i / 4] >> 2 * (i % 4) & 3u;
            assert_int_equal(cells[i], src_from_tf32(unpack_bfp_bf16(e, d << 6) << 3));
        }
    }
}

static void check_bits(const struct words_level *level)
{
    static const unsigned widths[] = {2, 4, 8, 16, 32};
    uint64_t random = 7;
    uint8_t packed[4 * 64 + 1], back[4 * 64];
    uint32_t words[64];
    uint16_t high[64], low[64];
    for (unsigned k = 0; k < 5; k++) {
        const unsigned bits = widths[k];
        for (unsigned i = 0; i < sizeof packed; i++) {
            packed[i] = (uint8_t)random_word(&random);
        }
        level->take(bits, packed + 1, 64, words);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t want = 0;
            for (unsigned b = 0; b < bits; b++) {
                const unsigned at = i * bits + b;
                want |= (uint32_t)(packed[1 + at / 8] >> at % 8 & 1) << b;
            }
            assert_int_equal(words[i], want);
        }
        memset(back, 0, sizeof back);
        level->give(bits, words, 64, back);
        assert_memory_equal(back, packed + 1, 64 * bits / 8);
    }
    level->halves(packed + 1, 64, high, low);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal((uint32_t)high[i] << 16 | low[i], fp32_to_cell(words[i]));
        cells[i] = (uint32_t)high[i] << 16 | low[i];
    }
    level->wide(high, low, 64, cells + 64);
    assert_memory_equal(cells + 64, words, sizeof words);
    level->split(cells, 64, high, low);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal((uint32_t)high[i] << 16 | low[i], cells[i]);
    }
}

/* ---- packing ---- */

static uint32_t sum_of(enum words_add kind, uint32_t a, uint32_t b)
{
    return kind == WORDS_ADD_FP32   ? l1_accumulate_fp32(a, b)
           : kind == WORDS_ADD_BF16 ? l1_accumulate_bf16(a, b)
           : kind == WORDS_ADD_FP16 ? l1_accumulate_fp16(a, b)
                                    : l1_accumulate_int32(a, b);
}

/*
 * Random bits, neighbours in size, nearly opposite numbers, and numbers at the ends of the range;
 * some pieces have no exponent of all ones, which the quick way of BF16 has to itself.
 */
static void check_add(const struct words_level *level, enum words_add kind, uint64_t seed)
{
    enum { COUNT = 64 };
    const bool wide = kind == WORDS_ADD_FP32 || kind == WORDS_ADD_INT32;
    const unsigned bytes_each = wide ? 4 : 2;
    const unsigned fraction = kind == WORDS_ADD_BF16 ? 7 : kind == WORDS_ADD_FP16 ? 10 : 23;
    uint64_t random = seed;
    for (unsigned turn = 0; turn < 20000; turn++) {
        uint32_t a[COUNT], b[COUNT];
        uint8_t old[4 * COUNT + 1], data[4 * COUNT + 1];
        const bool special = turn % 2 != 0;
        for (unsigned i = 0; i < COUNT; i++) {
            const uint32_t mask = wide ? 0xFFFFFFFFu : 0xFFFFu;
            const uint32_t near = random_word(&random) % (turn % 64 + 1);
            a[i] = random_word(&random) & mask;
            b[i] = turn % 4 < 2 ? random_word(&random) & mask
                                : (a[i] ^ (mask / 2 + 1)) + near - (near << fraction >> 1);
            b[i] &= mask;
            if (turn % 8 > 5) { /* below the normal range and just above */
                a[i] &= mask / 2 + 1 + (4u << fraction) - 1;
                b[i] &= mask / 2 + 1 + (4u << fraction) - 1;
            }
            if (!special && kind == WORDS_ADD_BF16) {
                a[i] &= 0xBFFFu;
                b[i] &= 0xFF7Fu;
            }
            for (unsigned k = 0; k < bytes_each; k++) {
                old[1 + bytes_each * i + k] = (uint8_t)(a[i] >> 8 * k);
                data[1 + bytes_each * i + k] = (uint8_t)(b[i] >> 8 * k);
            }
        }
        level->add(kind, old + 1, data + 1, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t got = 0;
            for (unsigned k = 0; k < bytes_each; k++) {
                got |= (uint32_t)data[1 + bytes_each * i + k] << 8 * k;
            }
            if (got != sum_of(kind, a[i], b[i])) {
                fail_msg("kind %u: %08x + %08x is %08x, not %08x", (unsigned)kind, (unsigned)a[i],
                         (unsigned)b[i], (unsigned)sum_of(kind, a[i], b[i]), (unsigned)got);
            }
        }
    }
}

static void check_relu(const struct words_level *level)
{
    uint64_t random = 3;
    for (unsigned turn = 0; turn < 3000; turn++) {
        uint32_t words[64], want[64];
        const struct words_relu how = {.sign = turn % 2 != 0 ? 0x80000000u : 0x8000u,
                                       .threshold = random_word(&random) >> turn % 32,
                                       .zero = turn % 3 == 1,
                                       .clamp = turn % 3 == 2,
                                       .ignored = turn % 5 != 0 ? 13 : 0};
        for (unsigned i = 0; i < 64; i++) {
            uint32_t x = random_word(&random) >> turn % 32;
            words[i] = i % 8 == 0 ? how.threshold : x;
            x = (words[i] & how.sign) != 0 ? 0 : words[i];
            if (how.zero && x <= how.threshold) {
                x = 0;
            }
            if (how.clamp && x >> how.ignored > how.threshold >> how.ignored) {
                x = how.threshold;
            }
            want[i] = x;
        }
        level->relu(&how, words, 64);
        assert_memory_equal(words, want, sizeof want);
    }
}

static void check_all(const struct words_level *level)
{
    check(level);
    check_src(level);
    check_src_blocks(level);
    check_bits(level);
    check_relu(level);
    for (unsigned kind = 0; kind < 4; kind++) {
        check_add(level, (enum words_add)kind, 11 + kind);
    }
}

static void test_base(void **unused)
{
    (void)unused;
    check_all(&words_base);
}

static void test_best(void **unused)
{
    (void)unused;
    check_all(words_level());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base), cmocka_unit_test(test_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
