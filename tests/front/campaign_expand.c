/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random MOP and REPLAY configurations and programs of both, through the queues and directly,
 * against an expander of their own. campaign_expand ARCH COUNT [SEED]
 */
#include "expand.h"

#include <inttypes.h>

int main(int argc, char **argv)
{
    static struct expand_seen seen;
    enum tx_arch arch;
    struct tx_settings settings;
    tx_machine *m;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_expand ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    uint64_t failed = 0;
    uint64_t words = 0;
    tx_settings_default(&settings, arch);
    settings.sink.event = expand_event;
    settings.sink.user = &seen;
    if (tx_open(&settings, &m) != TX_OK) {
        return 2;
    }
    for (uint64_t i = 0; i < count; i++) {
        char text[160];
        if (!expand_check(arch, m, &seen, (seed * count + i) << 20, text)) {
            fprintf(stderr, "program %" PRIu64 ": %s\n", i, text);
            failed++;
        }
        words += seen.count;
    }
    tx_close(m);
    printf("%" PRIu64 " programs, %" PRIu64 " words behind the expanders\n", count, words);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
    return failed == 0 ? 0 : 1;
}
