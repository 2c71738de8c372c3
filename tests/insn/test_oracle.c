/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every opcode that the machine and the oracle (tests/oracle, an independent statement) both know,
 * in all sixteen modes: random operands on random states, then all pairs of special values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bridge.h"
#include "coverage/coverage.h"

enum {
    SAMPLES = 20, /* the campaigns oracle-bh and -wh have 10^7 */
    PER_STATE = 10,
    THREAD = 1,
    LOADMACRO = 0x93,
    SETDMAREG = 0x45,
    SETC16 = 0xB2
};

static const uint8_t other_units[] = {0x02, 0x37, 0x38, 0x60, 0x45, 0xB0,
                                      0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6};

static tx_machine *machines[3];
static struct orc_state want;
static struct bridge_rng rng = {20260829};

static bool known(int bh, uint32_t opcode)
{
    for (size_t i = 0; i < sizeof other_units; i++) {
        if (other_units[i] == opcode) {
            return true;
        }
    }
    return opcode != LOADMACRO && orc_is_sfpu(bh, opcode << 24);
}

/* Lowest bit of the mode, or 32 where the opcode has none. */
static unsigned mode_lsb(enum tx_arch arch, uint32_t opcode)
{
    for (unsigned lsb = 0; lsb <= 16; lsb += 16) {
        struct tx_decoded d;
        if (tx_decode(arch, opcode << 24 | 15u << lsb, &d) == TX_OK && d.mode == 15) {
            return lsb;
        }
    }
    return 32;
}

static uint32_t random_word(int bh, uint32_t opcode, unsigned lsb, uint32_t mode)
{
    uint32_t w = bridge_u32(&rng) & 0xFFFFFFu;
    if (orc_is_sfpu(bh, opcode << 24) && (bridge_u32(&rng) & 3u) != 0) {
        w &= opcode < 0x74 ? 0x7FFFFFu : 0xFFFF7Fu; /* VD below 8 three times of four */
    }
    if (opcode == SETDMAREG) {
        w &= ~0x80u; /* the other form reads packers */
    }
    if (opcode == SETC16) {
        w = (w & 0xFFFFu) | bridge_u32(&rng) % 57u << 16; /* words that the oracle keeps */
    }
    if (lsb < 32) {
        w = (w & ~(15u << lsb)) | mode << lsb;
    }
    return opcode << 24 | w;
}

static void step(enum tx_arch arch, uint32_t word)
{
    tx_machine *m = machines[arch];
    char text[256];
    char dis[160] = "";
    orc_exec(&want, arch == TX_BLACKHOLE, word);
    (void)tx_disassemble(arch, word, TX_DIS_NORMAL, dis, sizeof dis);
    if (tx_run(m, THREAD, &word, 1) != TX_OK) {
        fail_msg("%s %08X %s: %s", tx_arch_short(arch), (unsigned)word, dis, tx_fault(m)->message);
    }
    if (!bridge_equal(&want, m, THREAD, text)) {
        fail_msg("%s %08X %s: %s", tx_arch_short(arch), (unsigned)word, dis, text);
    }
}

static void random_mode(enum tx_arch arch, uint32_t opcode, unsigned lsb, uint32_t mode)
{
    const int bh = arch == TX_BLACKHOLE;
    for (unsigned i = 0; i < SAMPLES; i++) {
        if (i % PER_STATE == 0) {
            bridge_random_state(&rng, bh, (i / PER_STATE & 1u) != 0, &want);
            bridge_to_machine(&want, machines[arch], THREAD);
        }
        step(arch, random_word(bh, opcode, lsb, mode));
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        const enum tx_arch arch = (enum tx_arch)a;
        for (uint32_t opcode = 0; opcode < 256; opcode++) {
            if (!known(arch == TX_BLACKHOLE, opcode)) {
                continue;
            }
            const unsigned lsb = mode_lsb(arch, opcode);
            for (uint32_t mode = 0; mode < (lsb == 32 ? 1u : 16u); mode++) {
                random_mode(arch, opcode, lsb, mode);
            }
        }
    }
}

static const uint32_t special[32] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000,
    0x00FFFFFF, 0x3EFFFFFF, 0x3F000000, 0xBF000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001,
    0x3FC00000, 0x40000000, 0xC0000000, 0x40800000, 0x4B000000, 0x4F000000, 0xCF000000, 0x7E800000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000, 0xFFFFFFFF, 0x7FFFFFFF,
};

/*
 * x in one register, every y in the lanes of the other, z at random; VB, VC, VD by two layouts, the
 * second one for every other x.
 */
static void pairs_of(enum tx_arch arch, uint32_t opcode, unsigned lsb, uint32_t mode)
{
    static const uint32_t layouts[2] = {0x00012340, 0x00022120};
    const int bh = arch == TX_BLACKHOLE;
    for (unsigned layout = 0; layout < 2; layout++) {
        for (unsigned x = layout; x < 32; x += 1 + layout) {
            orc_reset(&want, bh);
            for (unsigned lane = 0; lane < 32; lane++) {
                want.lreg[1][lane] = special[x];
                want.lreg[2][lane] = special[lane];
                want.lreg[0][lane] = want.lreg[3][lane] = special[bridge_u32(&rng) & 31u];
                want.lreg[7][lane] = layout == 0 ? 4 : 1;
                want.prng[lane] = bridge_u32(&rng);
                want.use_flags[lane] = want.lane_flags[lane] = true;
            }
            bridge_to_machine(&want, machines[arch], THREAD);
            step(arch, opcode << 24 | (layouts[layout] & ~(15u << lsb)) | mode << lsb);
        }
    }
}

static void test_pairs(void **state)
{
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        const enum tx_arch arch = (enum tx_arch)a;
        for (uint32_t opcode = 0x74; opcode < 0x9A; opcode++) {
            const unsigned lsb = mode_lsb(arch, opcode);
            if (opcode == LOADMACRO || !orc_is_sfpu(arch == TX_BLACKHOLE, opcode << 24)) {
                continue;
            }
            for (uint32_t mode = 0; mode < (lsb == 32 ? 1u : 16u); mode++) {
                pairs_of(arch, opcode, lsb == 32 ? 0 : lsb, mode);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_pairs)};
    coverage_open("oracle");
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_settings settings;
        tx_settings_default(&settings, (enum tx_arch)arch);
        coverage_watch(&settings);
        if (tx_open(&settings, &machines[arch]) != TX_OK) {
            return 1;
        }
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tx_close(machines[TX_WORMHOLE]);
    tx_close(machines[TX_BLACKHOLE]);
    return !coverage_close() || failed != 0;
}
