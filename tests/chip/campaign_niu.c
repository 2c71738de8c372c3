/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_niu bh|wh STORES [SEED]: random stores to the registers of network interfaces of all
 * tiles, many of which start requests, under both policies. It ends, and the sanitizers are silent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/chip.h>

static uint64_t state;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Values that programs use, and any. */
static uint32_t value(void)
{
    static const uint32_t usual[] = {
        0x2090, 0x2092, 0x2082, 0x81B2, 0x208A, 0x2091,     0x107C,     0x20000,    0x30000,
        64,     4,      0xF,    0x1000, 0x4000, 0xFFB20000, 0xFFB20040, 0xFFB20028, 0xFFB40438};
    const uint32_t kind = draw() % 8;
    return kind < 4   ? usual[draw() % (sizeof usual / sizeof usual[0])]
           : kind < 5 ? draw() & 0xFFFFFF
           : kind < 6 ? draw() % 17 | draw() % 12 << 6
                      : draw() << 1 | (draw() & 1);
}

static int run(const char *product, enum tx_chip_policy policy, uint64_t stores)
{
    enum { RUN = 256 };
    struct tx_chip_settings s;
    tx_chip *chip;
    uint32_t width;
    uint32_t height;
    (void)tx_chip_settings_default(&s, product);
    s.policy = policy;
    if (tx_chip_open(&s, &chip) != TX_OK) {
        return 1;
    }
    tx_chip_grid(chip, &width, &height);
    for (uint64_t i = 0; i < stores; i++) {
        const bool bh = s.arch == TX_BLACKHOLE;
        const uint32_t step = bh ? 0x800 : 0x400;
        const uint32_t command = bh ? 0x40 : 0x28;
        const uint32_t kind = draw() % 16;
        const uint32_t initiator = step * (draw() % 4);
        const uint32_t offset = kind < 3    ? initiator + command
                                : kind < 13 ? initiator + 4 * (draw() % 14)
                                : kind < 15 ? 0x100 + 4 * (draw() % 32)
                                            : 4 * (draw() % 0x800);
        const uint32_t word = kind < 3 ? 1 : value();
        if (tx_chip_niu_write(chip, draw() % (width * height), draw() % 2, offset, word) != TX_OK) {
            return 1;
        }
        if (i % RUN == RUN - 1) {
            (void)tx_chip_cycle(chip, RUN);
        }
    }
    (void)tx_chip_cycle(chip, 100000);
    printf("%s, policy %d: %llu stores, %llu cycles, %zu findings of the chip\n", product,
           (int)policy, (unsigned long long)stores, (unsigned long long)tx_chip_cycles(chip),
           tx_chip_finding_count(chip));
    tx_chip_close(chip);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "campaign_niu bh|wh STORES [SEED]\n");
        return 2;
    }
    const char *product = strcmp(argv[1], "bh") == 0 ? "p150" : "n150";
    const uint64_t stores = strtoull(argv[2], NULL, 0);
    state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    return run(product, TX_CHIP_PROMPT, stores) | run(product, TX_CHIP_TIMED, stores);
}
