/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random operands and registers for every DMAREG instruction and mode, results and cycles against a
 * second statement. campaign_dmareg ARCH COUNT [SEED]: COUNT for each instruction and mode.
 */
#include "dmareg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t next(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

/* Equal and nearly equal operands are not left to chance. */
static uint32_t operand(uint64_t *s, uint32_t other)
{
    const uint32_t r = next(s);
    switch (r & 7) {
    case 0:
        return other;
    case 1:
        return other + (r >> 3 & 1 ? 1u : 0xFFFFFFFFu);
    case 2:
        return r >> 8 & 63;
    default:
        return next(s);
    }
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    struct tx_settings settings;
    tx_machine *m;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_dmareg ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    uint64_t failed = 0;
    tx_settings_default(&settings, arch);
    if (tx_open(&settings, &m) != TX_OK) {
        return 2;
    }
    for (unsigned kind = 0; kind < DMAREG_KINDS; kind++) {
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t r = next(&seed);
            const bool constant = (r & 7) == 0;
            const unsigned rb = r >> 9 & (constant && (kind == 6 || kind == 7) ? 31 : 63);
            const uint32_t a = next(&seed);
            if (!dmareg_agrees(m, kind, constant, r >> 3 & 63, rb, r >> 15 & 63, a,
                               operand(&seed, a))) {
                failed++;
            }
        }
    }
    failed += tx_finding_count(m);
    tx_close(m);
    printf("%" PRIu64 " operands for each of %d instructions and modes\n", count, DMAREG_KINDS);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count * DMAREG_KINDS - failed, failed);
    return failed == 0 ? 0 : 1;
}
