/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_groups groups COUNT    COUNT random and directed groups of 16 through every packer
 * campaign_groups bf16            all 2^32 words through the fused routes to and from BF16
 * campaign_groups accumulate      all pairs of BF16 and of FP16, 2^32 each; 2^32 pairs of FP32
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "second_fused.h"

enum { THREADS = 2 };

struct part {
    void (*run)(struct part *part);
    uint64_t first, last, done, wrong;
    uint32_t at[2];
};

static void note(struct part *p, uint32_t a, uint32_t b)
{
    if (p->wrong++ == 0) {
        p->at[0] = a;
        p->at[1] = b;
    }
}

/* Every format by the packer and by the host, the b formats fused as well. */
static void run_groups(struct part *p)
{
    uint32_t words[16 * MOST_GROUPS];
    size_t at = 0;
    uint64_t seed = p->first * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (uint64_t n = p->first; n < p->last; n += MOST_GROUPS) {
        fused_words((unsigned)n, &seed, words, MOST_GROUPS);
        if (!fused_packs_agree(words, MOST_GROUPS, &at)) {
            note(p, (uint32_t)n, (uint32_t)at);
        }
        for (unsigned g = 0; g < MOST_GROUPS; g++) {
            const enum tx_format format = block_formats[g % BLOCK_FORMATS];
            if (!packer_agrees(format, (unsigned)n + g, &seed) ||
                !host_agrees(format, (unsigned)n + g, &seed)) {
                note(p, (uint32_t)n, g);
            }
        }
        p->done += MOST_GROUPS;
    }
}

static void run_bf16(struct part *p)
{
    uint32_t words[16 * MOST_GROUPS];
    size_t at = 0;
    for (uint64_t n = p->first; n < p->last; n += 16 * MOST_GROUPS) {
        for (unsigned i = 0; i < 16 * MOST_GROUPS; i++) {
            words[i] = (uint32_t)(n + i);
        }
        if (!fused_bf16_agrees(words, MOST_GROUPS, &at)) {
            note(p, words[at], 0);
        }
        p->done += 16 * MOST_GROUPS;
    }
}

static void run_accumulate(struct part *p)
{
    uint64_t seed = p->first + 99;
    for (uint64_t n = p->first; n < p->last; n++) {
        const uint32_t a = (uint32_t)(n >> 16);
        const uint32_t b = (uint32_t)n & 0xFFFFu;
        const uint32_t x = accumulate_operand((unsigned)n, &seed);
        const uint32_t y = accumulate_operand((unsigned)(n / 5), &seed);
        uint32_t bf = 0;
        uint32_t half = 0;
        uint32_t wide = 0;
        tx_l1_accumulate(TX_FORMAT_BF16, a, b, &bf);
        tx_l1_accumulate(TX_FORMAT_FP16, a, b, &half);
        tx_l1_accumulate(TX_FORMAT_FP32, x, y, &wide);
        if (bf != second_accumulate_bf16(a, b) || half != second_accumulate_fp16(a, b)) {
            note(p, a, b);
        }
        if (wide != second_accumulate_fp32(x, y)) {
            note(p, x, y);
        }
        p->done++;
    }
}

static void *start(void *argument)
{
    struct part *p = argument;
    p->run(p);
    return NULL;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(struct part *part);
    } modes[] = {{"groups", run_groups}, {"bf16", run_bf16}, {"accumulate", run_accumulate}};
    struct part part[THREADS] = {0};
    pthread_t thread[THREADS];
    uint64_t total = UINT64_C(1) << 32;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0) {
            part[0].run = modes[i].run;
        }
    }
    if (part[0].run == NULL || (part[0].run == run_groups) != (argc == 3)) {
        fprintf(stderr, "usage: campaign_groups groups COUNT | bf16 | accumulate\n");
        return 2;
    }
    if (argc == 3) {
        total = strtoull(argv[2], NULL, 10);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        part[i].run = part[0].run;
        part[i].first = total / THREADS * i;
        part[i].last = i + 1 == THREADS ? total : total / THREADS * (i + 1);
        if (pthread_create(&thread[i], NULL, start, &part[i]) != 0) {
            return 2;
        }
    }
    uint64_t done = 0;
    uint64_t wrong = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        done += part[i].done;
        wrong += part[i].wrong;
        if (part[i].wrong != 0) {
            printf("  first %08" PRIx32 " %08" PRIx32 "\n", part[i].at[0], part[i].at[1]);
        }
    }
    printf("%s: %" PRIu64 " passed, %" PRIu64 " failed\n", argv[1], done, wrong);
    return wrong != 0;
}
