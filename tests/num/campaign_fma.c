/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiply-add of one chip, the model and the form for whole vectors, against the oracle's exact
 * restatement, random and directed triples.
 * campaign_fma ARCH COUNT [SEED]
 */
#include "num/fma_lanes.h"
#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"
#include "oracle/oracle_num.h"
#include "triples.h"

#include <tensix/base.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct work {
    int bh;
    uint64_t count, seed, wrong;
    uint32_t v[3];
};

static void *run(void *arg)
{
    struct work *w = arg;
    for (uint64_t i = 0; i < w->count; i += FMA_LANES) {
        struct fma_lanes l;
        for (unsigned k = 0; k < FMA_LANES; k++) {
            uint32_t v[3];
            triple(&w->seed, v);
            l.x[k] = v[0];
            l.y[k] = v[1];
            l.z[k] = v[2];
        }
        fma_lanes_level()(w->bh != 0, &l);
        for (unsigned k = 0; k < FMA_LANES; k++) {
            const uint32_t model =
                w->bh ? fp32_fma_bh(l.x[k], l.y[k], l.z[k]) : fp32_fma_wh(l.x[k], l.y[k], l.z[k]);
            const uint32_t want = orc_fma(w->bh, l.x[k], l.y[k], l.z[k]);
            if ((model != want || l.out[k] != want) && w->wrong++ == 0) {
                w->v[0] = l.x[k];
                w->v[1] = l.y[k];
                w->v[2] = l.z[k];
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_fma ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    struct work a = {arch == TX_BLACKHOLE, count / 2, seed << 32, 0, {0}};
    struct work b = {arch == TX_BLACKHOLE, count - count / 2, ~(seed << 32), 0, {0}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &b) != 0) {
        return 2;
    }
    run(&a);
    pthread_join(thread, NULL);
    const struct work *bad = a.wrong != 0 ? &a : &b;
    if (bad->wrong != 0) {
        printf("first difference: x %08" PRIx32 " y %08" PRIx32 " z %08" PRIx32 "\n", bad->v[0],
               bad->v[1], bad->v[2]);
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - a.wrong - b.wrong,
           a.wrong + b.wrong);
    return a.wrong + b.wrong != 0;
}
