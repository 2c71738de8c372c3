/* SPDX-License-Identifier: Apache-2.0 */
/* cc sweep.c $(pkg-config --cflags --libs tensix-lab) && ./a.out exp.s exp [INPUTS, then cancel] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tensix-lab/sweep.h>

static bool go_on(void *most, uint64_t done, uint64_t total)
{
    fprintf(stderr, "%" PRIu64 " of %" PRIu64 "\n", done, total);
    return done < *(uint64_t *)most; /* false cancels */
}

int main(int argc, char **argv)
{
    uint64_t most = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;
    struct txl_sweep_options o = {.size = sizeof o, .progress = go_on, .user = &most};
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_error err = {0};
    txl_sweep *sweep = NULL;
    o.kernel = argc > 1 ? argv[1] : NULL;
    o.reference = argc > 2 ? argv[2] : NULL;
    if (txl_sweep_open(&err, &o, &sweep) == TXL_OK && txl_sweep_run(&err, sweep) == TXL_OK) {
        txl_sweep_figures(sweep, &f);
        printf("%g ULP, %" PRIu64 " of %" PRIu64 " exact\n", f.max_ulp, f.exact, f.compared);
    }
    fprintf(stderr, "%s\n", err.message);
    txl_sweep_close(sweep);
    return err.status;
}
