/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All 2^32 inputs of every one-operand behaviour against the oracle.
 * campaign_unary [STATE-FILE [NAME ...]]: names done stand in the state file and are skipped.
 */
#include "bodies.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct half {
    const struct body_pair *pair;
    uint64_t first, last, wrong;
    uint32_t at;
};

static void *run_half(void *arg)
{
    struct half *h = arg;
    h->wrong = h->pair->scan(h->first, h->last, 1, &h->at);
    return NULL;
}

static bool done_before(const char *path, const char *name)
{
    char line[64];
    bool found = false;
    FILE *f = path == NULL ? NULL : fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found |= strcmp(line, name) == 0;
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static bool wanted(int argc, char **argv, const char *name)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return argc <= 2;
}

int main(int argc, char **argv)
{
    const char *state = argc > 1 ? argv[1] : NULL;
    unsigned passed = 0;
    unsigned failed = 0;
    for (size_t i = 0; i < BODY_PAIRS; i++) {
        const struct body_pair *pair = &body_pairs[i];
        struct half lower = {pair, 0, 0x7FFFFFFFu, 0, 0};
        struct half upper = {pair, 0x80000000u, 0xFFFFFFFFu, 0, 0};
        pthread_t thread;
        if (!wanted(argc, argv, pair->name)) {
            continue;
        }
        if (done_before(state, pair->name)) {
            passed++;
            continue;
        }
        if (pthread_create(&thread, NULL, run_half, &upper) != 0) {
            return 2;
        }
        run_half(&lower);
        pthread_join(thread, NULL);
        if (lower.wrong + upper.wrong != 0) {
            const uint32_t x = lower.wrong != 0 ? lower.at : upper.at;
            printf("%s: %" PRIu64 " differ, first %08" PRIx32 " -> %08" PRIx32 ", oracle %08" PRIx32
                   "\n",
                   pair->name, lower.wrong + upper.wrong, x, pair->got(x), pair->want(x));
            failed++;
            continue;
        }
        passed++;
        FILE *f = state == NULL ? NULL : fopen(state, "a");
        if (f != NULL) {
            fprintf(f, "%s\n", pair->name);
            fclose(f);
        }
        printf("%s: 4294967296 inputs equal\n", pair->name);
        fflush(stdout);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
