/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_translate bh|wh COUNT [SEED]: random programs on a core that is interpreted and on one
 * whose loops become machine code, until COUNT instructions have been executed by each.
 */
#include "riscv/pair.h"

int main(int argc, char **argv)
{
    static struct pair pair;
    enum tx_arch arch = TX_ARCH_NONE;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_translate bh|wh COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    pair.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const char *differs = pair_run(&pair, arch, count);
    if (differs != NULL) {
        printf("%s: %s differ: pc %08x and %08x, %llu and %llu instructions\n", tx_arch_short(arch),
               differs, (unsigned)pair.half[0].core.s.pc, (unsigned)pair.half[1].core.s.pc,
               (unsigned long long)pair.half[0].core.s.instret,
               (unsigned long long)pair.half[1].core.s.instret);
        return 1;
    }
    printf("%s: %llu instructions, %llu of them by machine code, of which %llu were compared one "
           "block at a time\n",
           tx_arch_short(arch), (unsigned long long)count, (unsigned long long)pair.translated,
           (unsigned long long)pair.compared);
    return 0;
}
