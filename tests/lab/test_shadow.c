/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow execution through its public face: kernels whose errors can be worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/shadow.h>
#include <tensix/tensix.h>

static float number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

struct tile {
    struct tx_program *program;
    uint32_t in[TX_TILE_ELEMENTS], out[TX_TILE_ELEMENTS];
    txl_shadow *shadow;
};

/* One tile of FP32 with x in every element. */
static void run(struct tile *t, const char *text, uint32_t x)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_diag diag = {0};
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    const uint32_t *inputs[] = {t->in};
    tx_kernel *kernel = NULL;
    if (tx_assemble(text, strlen(text), &how, &t->program, &diag) != TX_OK) {
        print_message("line %u: %s\n", diag.line, diag.message);
        fail();
    }
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        t->in[i] = x;
    }
    assert_int_equal(
        txl_shadow_open(NULL, t->program, TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, &t->shadow),
        TXL_OK);
    tx_settings_default(&settings, TX_BLACKHOLE);
    settings.sink = (struct tx_sink){.event = txl_shadow_event, .user = t->shadow};
    tx_kernel_options_default(&options);
    options.dst = TX_DST_FORMAT_FP32;
    assert_int_equal(tx_kernel_open(&settings, t->program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    txl_shadow_begin(t->shadow);
    assert_int_equal(tx_kernel_tile(kernel, 0, inputs, t->out), TX_OK);
    tx_kernel_close(kernel);
}

static void end(struct tile *t)
{
    txl_shadow_close(t->shadow);
    tx_program_free(t->program);
    free(t);
}

/* The square of the first 32 elements. */
static const char square[] = ".dst fp32\n"
                             ".tile\n"
                             "    sfpload L0,0,3,3\n"
                             "    sfpmul L1,L0,L0,0\n"
                             "    sfpnop\n"
                             "    sfpstore L1,0,3,3\n";

/* (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: rounded to 1 + 2^-22, which is 2^-23 ULP too little. */
static void test_square(void **state)
{
    (void)state;
    struct tile *t = calloc(1, sizeof *t);
    txl_account *account = NULL;
    run(t, square, 0x3F800001);
    assert_int_equal(t->out[0], 0x3F800002);
    assert_int_equal(txl_shadow_account(NULL, t->shadow, 0, t->out[0], NULL, &account), TXL_OK);
    const struct txl_account_total *total = txl_account_total(account);
    assert_true(total->stored);
    assert_false(total->has_reference);
    assert_true(total->error == -ldexp(1.0, -23));
    assert_int_equal(total->guilty, TXL_GUILTY_NOBODY); /* below a thousandth */
    assert_int_equal(total->lines, 3);
    const struct txl_account_line *mul = txl_account_line(account, 1);
    assert_int_equal(mul->step->row->insn, TX_INSN_SFPMUL);
    assert_true(mul->placed);
    assert_int_equal(mul->word, 1);
    assert_int_equal(mul->source_line, 4);
    assert_int_equal(mul->result, 0x3F800002);
    assert_true(mul->share == -ldexp(1.0, -23));
    assert_string_equal(txl_account_line(account, 0)->taken, "input");
    assert_null(txl_account_line(account, 3));
    txl_account_close(account);

    double error = 1.0;
    assert_int_equal(txl_shadow_error(NULL, t->shadow, 0, t->out[0], NULL, &error), TXL_OK);
    assert_true(error == -ldexp(1.0, -23));
    end(t);
}

/*
 * x + 2^24 with x = 1 gives 2^24, half a unit away from 2^24 + 1. An addition of such a constant
 * rounds on purpose: it is the method that errs.
 */
static void test_method(void **state)
{
    (void)state;
    static const char text[] = ".dst fp32\n"
                               ".init\n"
                               ".loadi L2, float(16777216.0)\n"
                               ".tile\n"
                               "    sfpload L0,0,3,3\n"
                               "    sfpadd L1,L0,L2,0\n"
                               "    sfpnop\n"
                               "    sfpstore L1,0,3,3\n";
    struct tile *t = calloc(1, sizeof *t);
    txl_account *account = NULL;
    const double reference = 16777217.0;
    run(t, text, 0x3F800000);
    assert_true(number(t->out[4]) == 16777216.0F);
    assert_int_equal(txl_shadow_account(NULL, t->shadow, 4, t->out[4], &reference, &account),
                     TXL_OK);
    const struct txl_account_total *total = txl_account_total(account);
    assert_true(total->has_reference);
    assert_true(total->error == -0.5); /* a unit in the last place is 2 there */
    assert_true(total->method == -0.5);
    assert_int_equal(total->guilty, TXL_GUILTY_METHOD);
    assert_int_equal(txl_account_line(account, total->lines - 2)->events, TXL_SHADOW_BY_CONSTANT);
    txl_account_close(account);
    end(t);
}

/* An element that the kernel does not write, and the names of events. */
static void test_nothing(void **state)
{
    (void)state;
    struct tile *t = calloc(1, sizeof *t);
    txl_account *account = NULL;
    double error = 1.0;
    run(t, square, 0x40000000);
    assert_int_equal(txl_shadow_account(NULL, t->shadow, 1023, t->out[1023], NULL, &account),
                     TXL_OK);
    assert_false(txl_account_total(account)->stored);
    assert_int_equal(txl_account_total(account)->lines, 0);
    txl_account_close(account);
    assert_int_equal(txl_shadow_error(NULL, t->shadow, 1023, 0, NULL, &error), TXL_OK);
    assert_true(error == 0.0);
    assert_string_equal(txl_shadow_event_name(3), "tie");
    assert_null(txl_shadow_event_name(TXL_SHADOW_EVENTS));
    assert_int_equal(txl_graph_steps(txl_shadow_graph(t->shadow)), 4);
    txl_account_close(NULL);
    end(t);
}

/* As JSON: the smallest denormal as an operand is read as zero, and SFPMUL is told so. */
static void test_json(void **state)
{
    (void)state;
    struct tile *t = calloc(1, sizeof *t);
    txl_account *account = NULL;
    run(t, square, 0x00000001);
    assert_int_equal(txl_shadow_account(NULL, t->shadow, 0, t->out[0], NULL, &account), TXL_OK);
    txl_json *json = txl_account_json(account);
    char *text = txl_json_line(json);
    assert_non_null(strstr(text, "\"events\":[\"operand flushed\""));
    assert_non_null(strstr(text, "\"instruction\":\"sfpmul L1,L0,L0"));
    free(text);
    txl_json_free(json);
    txl_account_close(account);
    end(t);
}

/*
 * Bits that an integer instruction has made: arithmetic and a store of floats read them as a float,
 * an instruction that converts integers reads the integer. The exact result goes by the reader.
 */
static void test_bits(void **state)
{
    static const struct {
        const char *body;
        uint32_t x, result;
        double error; /* in units of the last place */
    } rows[] = {
        /* 0x3F7FFFFF and 0x00800002 are the bits of 2 + 2^-22; squared, as in test_square. */
        {"    sfpiadd L2,L0,0,4\n    sfpmul L1,L2,L2,0\n    sfpnop\n", 0x3F7FFFFF, 0x40800002,
         -0x1p-23},
        /* The same by way of a copy. */
        {"    sfpiadd L2,L0,0,4\n    sfpmov L3,L2,0\n    sfpmul L1,L3,L3,0\n    sfpnop\n",
         0x3F7FFFFF, 0x40800002, -0x1p-23},
        /* As an addend to 2^21: 2^21 + 2 is a float, and 2^-22 too little. */
        {"    sfpiadd L2,L0,0,4\n    sfpadd L1,L4,L2,0\n    sfpnop\n", 0x3F7FFFFF, 0x4A000008,
         -0x1p-20},
        /* Stored as they are. */
        {"    sfpiadd L2,L0,0,4\n    sfpmov L1,L2,0\n", 0x3F7FFFFF, 0x40000001, 0.0},
        /* 2^24 + 2^23 + 1 is an integer of 25 bits, half way between two floats. */
        {"    sfpiadd L2,L0,0,4\n    sfpmov L3,L2,0\n    sfpcast L1,L3,0\n", 0x00FFFFFF, 0x4BC00000,
         -0.5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        struct tile *t = calloc(1, sizeof *t);
        double error = 1.0;
        snprintf(text, sizeof text,
                 ".dst fp32\n.init\n.loadi L2, 0x00800002\n.loadi L4, 0x4A000000\n.tile\n"
                 "    sfpload L0,0,4,3\n%s"
                 "    sfpstore L1,0,3,3\n",
                 rows[i].body);
        run(t, text, rows[i].x);
        assert_int_equal(t->out[0], rows[i].result);
        assert_int_equal(txl_shadow_error(NULL, t->shadow, 0, t->out[0], NULL, &error), TXL_OK);
        if (error != rows[i].error) {
            fail_msg("row %zu: %g, not %g", i, error, rows[i].error);
        }
        end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),   cmocka_unit_test(test_square),
        cmocka_unit_test(test_method), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
