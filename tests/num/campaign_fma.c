/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiply-add of one chip against the oracle's exact restatement, random and directed triples.
 * campaign_fma ARCH COUNT [SEED]
 */
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
    for (uint64_t i = 0; i < w->count; i++) {
        uint32_t v[3];
        triple(&w->seed, v);
        const uint32_t got = w->bh ? fp32_fma_bh(v[0], v[1], v[2]) : fp32_fma_wh(v[0], v[1], v[2]);
        if (got != orc_fma(w->bh, v[0], v[1], v[2]) && w->wrong++ == 0) {
            w->v[0] = v[0];
            w->v[1] = v[1];
            w->v[2] = v[2];
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
