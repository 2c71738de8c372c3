/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random instructions through the machine and through the oracle, state compared after each.
 * campaign_oracle ARCH COUNT [SEED]
 */
#include "oracle/bridge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum tx_arch arch;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_oracle ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    struct bridge_rng rng = {argc > 3 ? strtoull(argv[3], NULL, 0) : 1};
    const int bh = arch == TX_BLACKHOLE;
    struct tx_settings settings;
    static struct orc_state want;
    tx_machine *m;
    uint64_t failed = 0;
    uint64_t done = 0;
    tx_settings_default(&settings, arch);
    if (tx_open(&settings, &m) != TX_OK) {
        return 2;
    }
    while (done < count) {
        bridge_random_state(&rng, bh, (bridge_u32(&rng) & 1u) != 0, &want);
        bridge_to_machine(&want, m, 1);
        for (unsigned i = 0; i < 40 && done < count; i++, done++) {
            const uint32_t word = bridge_random_word(&rng, bh);
            char text[256];
            orc_exec(&want, bh, word);
            if (tx_run(m, 1, &word, 1) != TX_OK) {
                printf("%08x: %s\n", (unsigned)word, tx_fault(m)->message);
                failed++;
                break;
            }
            if (!bridge_equal(&want, m, 1, text)) {
                char dis[160] = "";
                (void)tx_disassemble(arch, word, TX_DIS_NORMAL, dis, sizeof dis);
                printf("%08x %s: %s\n", (unsigned)word, dis, text);
                failed++;
                break;
            }
        }
        if (failed > 20) {
            break;
        }
    }
    tx_close(m);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", done - failed, failed);
    return failed != 0;
}
