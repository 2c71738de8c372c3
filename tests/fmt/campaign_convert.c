/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All 2^32 inputs of every conversion of 32-bit words, in each array form, against the second
 * statement. campaign_convert [-t THREADS] [PREFIX ...]: names that begin so, default all.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "second_scan.h"

struct part {
    enum tx_conversion conversion;
    bool bh;
    uint64_t first, last;
    struct scan_error error;
};

static void *scan_part(void *argument)
{
    struct part *p = argument;
    for (uint64_t x = p->first; x < p->last; x += SCAN_BLOCK) {
        scan_block(p->conversion, p->bh, (uint32_t)x, SCAN_BLOCK, &p->error);
    }
    return NULL;
}

static bool wanted(int argc, char **argv, const char *name)
{
    for (int i = optind; i < argc; i++) {
        if (strncmp(argv[i], name, strlen(argv[i])) == 0) {
            return true;
        }
    }
    return optind >= argc;
}

/* True if all agree. */
static bool scan_all(enum tx_conversion c, int arch, unsigned threads)
{
    struct part part[64] = {0};
    pthread_t thread[64];
    const uint64_t step = (UINT64_C(1) << 32) / threads / SCAN_BLOCK * SCAN_BLOCK;
    for (unsigned i = 0; i < threads; i++) {
        part[i].conversion = c;
        part[i].bh = arch == TX_BLACKHOLE;
        part[i].first = i * step;
        part[i].last = i + 1 == threads ? UINT64_C(1) << 32 : (i + 1) * step;
        if (pthread_create(&thread[i], NULL, scan_part, &part[i]) != 0) {
            exit(2);
        }
    }
    uint64_t wrong = 0;
    for (unsigned i = 0; i < threads; i++) {
        const struct scan_error *e = &part[i].error;
        pthread_join(thread[i], NULL);
        wrong += e->count;
        if (e->count != 0) {
            printf("  %08" PRIx32 " -> %08" PRIx32 ", expected %08" PRIx32 "\n", e->x, e->got,
                   e->want);
        }
    }
    printf("%s %s: %" PRIu64 " of 4294967296 differ\n", tx_arch_short((enum tx_arch)arch),
           tx_conversion_info(c)->name, wrong);
    fflush(stdout);
    return wrong == 0;
}

int main(int argc, char **argv)
{
    unsigned threads = 2;
    for (int option; (option = getopt(argc, argv, "t:")) != -1;) {
        if (option != 't') {
            return 2;
        }
        threads = (unsigned)atoi(optarg);
    }
    if (threads < 1 || threads > 64) {
        return 2;
    }
    unsigned passed = 0;
    unsigned failed = 0;
    for (int i = 0; i < TX_CONVERSION_COUNT; i++) {
        const enum tx_conversion c = (enum tx_conversion)i;
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            if (tx_conversion_info(c)->in_bits == 32 && scan_wanted(c, arch) &&
                wanted(argc, argv, tx_conversion_info(c)->name)) {
                if (scan_all(c, arch, threads)) {
                    passed++;
                } else {
                    failed++;
                }
            }
        }
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
