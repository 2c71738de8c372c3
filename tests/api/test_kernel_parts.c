/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile in parts: data that no host word carries (FP16 with exponent 0, BF16 NaNs) reach Dst and
 * come back bit for bit, and numbers give what the call in one piece gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/tensix.h>

static struct tx_program *assemble(const char *text)
{
    struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    assert_int_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_OK);
    return program;
}

static tx_kernel *start(const struct tx_program *program)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_kernel *kernel = NULL;
    tx_settings_default(&settings, TX_BLACKHOLE);
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_tile_begin(kernel, 0), TX_EINVAL);
    assert_int_equal(tx_kernel_tile_run(kernel, NULL), TX_EINVAL);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    return kernel;
}

static void bits_survive(const char *text, enum tx_format format)
{
    const struct tx_tile tile = {.rows = 32, .columns = 32};
    const struct tx_unpack unpack = {.arch = TX_BLACKHOLE, .in = format, .dst = format};
    const struct tx_pack pack = {.arch = TX_BLACKHOLE,
                                 .dst = format,
                                 .intermediate = format,
                                 .out = format,
                                 .raw = format == TX_FORMAT_BF16};
    struct tx_program *program = assemble(text);
    tx_kernel *kernel = start(program);
    static uint8_t in[2048];
    static uint8_t out[2048];
    for (unsigned block = 0; block < 64; block++) {
        for (unsigned i = 0; i < 1024; i++) {
            unsigned x = block * 1024 + i;
            /* The packer flushes exponent 0 of FP16 where it is not raw. */
            x = format == TX_FORMAT_FP16 && (x & 0x7C00U) == 0 ? x | 0x0400U : x;
            in[2 * i] = (uint8_t)x;
            in[2 * i + 1] = (uint8_t)(x >> 8);
        }
        assert_int_equal(tx_kernel_tile_begin(kernel, block), TX_OK);
        tx_machine *machine = tx_kernel_machine(kernel);
        assert_int_equal(tx_machine_unpack(machine, &unpack, &tile, 0, in, sizeof in), TX_OK);
        assert_int_equal(tx_kernel_tile_run(kernel, NULL), TX_OK);
        assert_int_equal(tx_machine_pack(machine, &pack, &tile, 0, out, sizeof out), TX_OK);
        assert_memory_equal(in, out, sizeof in);
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
}

static void test_bits_survive(void **state)
{
    (void)state;
    bits_survive(".dst bf16\nsfpnop\n", TX_FORMAT_BF16);
    bits_survive(".dst fp16\nsfpnop\n", TX_FORMAT_FP16);
}

static void test_parts_are_the_whole(void **state)
{
    (void)state;
    struct tx_program *program =
        assemble(".dst fp32\nsfpload L0,0,3,3\nsfpmul L1,L0,L0,0\nsfpnop\nsfpstore L1,0,3,3\n");
    tx_kernel *kernel = start(program);
    static uint32_t in[TX_TILE_ELEMENTS];
    static uint32_t whole[TX_TILE_ELEMENTS];
    static uint32_t parts[TX_TILE_ELEMENTS];
    const uint32_t *inputs[] = {in};
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        in[i] = 0x3f800000U + i * 0x1234U;
    }
    assert_int_equal(tx_kernel_tile(kernel, 3, inputs, whole), TX_OK);
    assert_memory_not_equal(in, whole, sizeof in);
    assert_int_equal(tx_kernel_tile_begin(kernel, 3), TX_OK);
    tx_machine *machine = tx_kernel_machine(kernel);
    assert_int_equal(tx_dst_load_tile(machine, 0, TX_DST_FORMAT_FP32, in), TX_OK);
    assert_int_equal(tx_kernel_tile_run(kernel, NULL), TX_OK);
    assert_int_equal(tx_dst_store_tile(machine, 0, TX_DST_FORMAT_FP32, parts), TX_OK);
    assert_memory_equal(whole, parts, sizeof whole);
    tx_kernel_close(kernel);
    tx_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits_survive),
                                       cmocka_unit_test(test_parts_are_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
