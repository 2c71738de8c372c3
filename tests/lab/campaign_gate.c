/* SPDX-License-Identifier: Apache-2.0 */
/* All mutants of the example kernels with conditions, on both chips: campaign_gate [STEP]. */
#include "gate_mutants.h"

int main(int argc, char **argv)
{
    const unsigned step = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    struct mutant_counts all = {0};
    for (unsigned i = 0; i < 2 * PREDICATED; i++) {
        mutants_of(&all, predicated[i / 2], i % 2 == 0 ? TX_BLACKHOLE : TX_WORMHOLE, 0,
                   step > 0 ? step : 1);
        fflush(stdout);
    }
    printf("%u mutants, %u with another result: compare missed %u, %u sweeps missed %u, "
           "%u mutants are as exact as their originals\n",
           all.mutants, all.other, all.compare_missed, all.sweeps, all.sweep_missed, all.within);
    return all.other == 0 || all.compare_missed + all.sweep_missed != 0 ? 1 : 0;
}
