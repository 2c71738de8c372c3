/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What src/fmt/words_body.h writes once more so that compilers make better vectors of it, beside
 * the primitives: BF16 to cells of Src, and the packer's whole way of 16-bit Dst, over all
 * patterns, at odd addresses and in any number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "fmt/pack_early.h"
#include "fmt/src_cell.h"
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
        level->src_bf16(bytes + 1, count, cells);
        for (unsigned i = count < ALL ? ALL - 64 : 0; i < ALL; i++) {
            assert_int_equal(cells[i], i < count ? src_from_tf32(i << 3) : 0);
        }
    }
    check_pack(level, WORDS_PACK_BF16, bf16_from_cell, early_bf16, 7, 255);
    check_pack(level, WORDS_PACK_BF16_RAW, bf16_from_cell, same, 7, 255);
    check_pack(level, WORDS_PACK_FP16, fp16_from_cell, early_fp16, 10, 31);
    check_pack(level, WORDS_PACK_FP16_RAW, fp16_from_cell, same, 10, 31);
}

static void test_base(void **unused)
{
    (void)unused;
    check(&words_base);
}

static void test_best(void **unused)
{
    (void)unused;
    check(words_level());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base), cmocka_unit_test(test_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
