/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every TT_OP_ macro of the chip that the including file chose, against tx_encode. TEST_ARCH is the
 * chip; FORM_BH and FORM_WH pass forms of one chip on, or drop them.
 */
#include <tensix/ckernel_ops.h>
#include <tensix/tensix.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Mnemonics whose macro is spelled otherwise. */
#define TT_OP_MOPCFG TT_OP_MOP_CFG
#define TT_OP_PACRSETREG TT_OP_PACR_SETREG
#define TT_OP_SFPSTOCHRND TT_OP_SFP_STOCH_RND

/* TT_OP_X(a, b, ...), or TT_OP_X where there are no parameters, as the vendor has it. */
#define CALL_0(m, ...) m
#define CALL_N(m, ...) m(__VA_ARGS__)
#define PICK(m, a, b, c, d, e, f, g, h, i, j, k, l, n, name, ...) name
#define CALL_ANY(...)                                                                         \
    PICK(__VA_ARGS__, CALL_N, CALL_N, CALL_N, CALL_N, CALL_N, CALL_N, CALL_N, CALL_N, CALL_N, \
         CALL_N, CALL_N, CALL_N, CALL_N, CALL_0, )                                            \
    (__VA_ARGS__)
#define CALL(list) CALL_ANY(list)
#define STRIP(...) __VA_ARGS__

#define FORM_BOTH(id, fields) FORM_HERE(id, fields)
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) FORM_##chips(id, fields)

/* By name, at run time; and the largest values, as constants of the compiler. */
struct arguments {
    const struct tx_insn *insn;
    long long values[TX_INSN_MAX_FIELDS];
};

static long long argument(const struct arguments *a, const char *name)
{
    for (unsigned f = 0; f < a->insn->field_count; f++) {
        if (strcmp(a->insn->fields[f].name, name) == 0) {
            return a->values[f];
        }
    }
    fail_msg("%s has no field %s", a->insn->macro, name);
    return 0;
}

#define F(name, lsb, width, kind) , argument(a, #name)
#define FORM_HERE(id, fields)                          \
    static uint32_t op_##id(const struct arguments *a) \
    {                                                  \
        (void)a;                                       \
        return CALL(TT_OP_##id STRIP fields);          \
    }
#include "isa/mnemonics.def"

#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) FORM_##chips(id, fields)
#undef FORM_HERE
#define F(name, lsb, width, kind) , (1 << width) - 1
#define FORM_HERE(id, fields) {#id, op_##id, CALL(TT_OP_##id STRIP fields)},
static const struct {
    const char *id;
    uint32_t (*op)(const struct arguments *);
    uint32_t largest;
} ops[] = {
#include "isa/mnemonics.def"
};

enum { OPS = sizeof ops / sizeof ops[0], SETS = 10000 };

static uint64_t state = 1;

static uint32_t random_bits(unsigned width)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 40) & ((1u << width) - 1u);
}

static void encode_equals(size_t i, const struct tx_insn *insn, const uint32_t *values,
                          uint32_t word)
{
    struct tx_decoded in = {.insn = insn};
    uint32_t expected = 0;
    memcpy(in.fields, values, sizeof in.fields);
    assert_int_equal(tx_encode(&in, &expected), TX_OK);
    if (word != expected) {
        fail_msg("TT_OP_%s gives %08x, the encoder %08x", ops[i].id, word, expected);
    }
}

static void test_equal(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < OPS; i++) {
        const struct tx_insn *insn = tx_insn_find(TEST_ARCH, ops[i].id);
        assert_non_null(insn);
        for (unsigned n = 0; n < SETS; n++) {
            uint32_t values[TX_INSN_MAX_FIELDS] = {0};
            struct arguments a = {.insn = insn};
            for (unsigned f = 0; f < insn->field_count; f++) {
                values[f] = random_bits(insn->fields[f].width);
                a.values[f] = values[f];
            }
            encode_equals(i, insn, values, ops[i].op(&a));
        }
        uint32_t largest[TX_INSN_MAX_FIELDS] = {0};
        for (unsigned f = 0; f < insn->field_count; f++) {
            largest[f] = (1u << insn->fields[f].width) - 1u;
        }
        encode_equals(i, insn, largest, ops[i].largest);
    }
}

static void test_complete(void **unused)
{
    (void)unused;
    size_t count = 0;
    while (tx_insn_at(TEST_ARCH, count) != NULL) {
        count++;
    }
    assert_int_equal(count, OPS);
}

/* One too large, and -1, in each field: the recorder says which, and writes nothing. */
static void test_outside(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < OPS; i++) {
        const struct tx_insn *insn = tx_insn_find(TEST_ARCH, ops[i].id);
        for (unsigned f = 0; f < 2u * insn->field_count; f++) {
            struct arguments a = {.insn = insn};
            struct tx_recorder recorder;
            a.values[f / 2] = f % 2 != 0 ? -1 : 1ll << insn->fields[f / 2].width;
            tx_recorder_open(&recorder, TX_RECORD_ARCH);
            (void)ops[i].op(&a);
            const char *error = tx_recorder_error(&recorder);
            assert_non_null(error);
            assert_non_null(
                strstr(error, f % 2 != 0 ? "is -1 and must lie in 0.." : "and must lie in 0.."));
            assert_false(tx_recorder_write(&recorder, stdout));
            tx_recorder_close(&recorder);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_complete),
                                       cmocka_unit_test(test_equal),
                                       cmocka_unit_test(test_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
