/* SPDX-License-Identifier: Apache-2.0 */
/* FLAG_MODES of isa/checks.def, which the fast engine believes, against the bodies of src/sem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bridge.h"

#include "isa/row.h"
#include "sem/all.h"

typedef struct sem_out body_of(const struct tx_op *op, const struct sem_in *in);

#define LANE(body) sem_##body
#define WHOLE(body) NULL
#define UNIT(body) NULL
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, ...) \
    [ROWID_##id_] = body_,
static body_of *const bodies[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

/* Of a mnemonic: modes whose lane flag is a function of values, and of what the flag was. */
static bool modes_of(enum insn_id insn, unsigned *of_values, unsigned *of_flag)
{
#define FLAG_MODES(mnemonic, values, flag) \
    case INSN_##mnemonic:                  \
        *of_values = (values);             \
        *of_flag = (flag);                 \
        return true;
    switch (insn) {
#include "isa/checks.def"
    default:
        return false;
    }
}

static uint32_t word(struct bridge_rng *rng)
{
    const uint32_t x = bridge_u32(rng);
    const uint32_t few[] = {0, 0x80000000u, 1, 0xFFFFFFFFu};
    return (x & 7u) == 0 ? few[x >> 3 & 3u] : bridge_u32(rng);
}

static struct sem_in values(struct bridge_rng *rng)
{
    struct sem_in in = {.b = word(rng), .c = word(rng), .d = word(rng), .use = true};
    in.top_lf = (word(rng) & 1u) != 0;
    return in;
}

/* In each mode the flag is what the table says, and not less: both ways occur. */
static void test_flag_modes(void **state)
{
    struct bridge_rng rng = {7};
    unsigned tested = 0;
    (void)state;
    for (unsigned row = 0; row < ROWID_COUNT; row++) {
        unsigned of_values;
        unsigned of_flag;
        if (bodies[row] == NULL ||
            !modes_of(isa_row((enum isa_row_id)row)->insn, &of_values, &of_flag)) {
            continue;
        }
        for (unsigned mode = 0; mode < 16; mode++) {
            bool changes = false; /* from what it was */
            if ((isa_row((enum isa_row_id)row)->text.modes >> mode & 1u) == 0) {
                continue;
            }
            assert_int_equal(of_values & of_flag & 1u << mode, 0);
            for (unsigned i = 0; i < 2000; i++) {
                const struct tx_op op = {.mode = (uint8_t)mode, .imm = word(&rng) & 0xFFFu};
                struct sem_in in = values(&rng);
                struct sem_in other = values(&rng);
                in.lf = false;
                const bool off = bodies[row](&op, &in).lf;
                in.lf = true;
                const bool on = bodies[row](&op, &in).lf;
                other.lf = true;
                changes |= off || !on;
                if ((of_values >> mode & 1u) != 0) {
                    assert_int_equal(off, on);
                } else {
                    assert_int_equal(on, bodies[row](&op, &other).lf);
                }
            }
            assert_int_equal(changes, ((of_values | of_flag) >> mode & 1u) != 0);
            tested++;
        }
    }
    assert_int_equal(tested, 16 * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flag_modes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
