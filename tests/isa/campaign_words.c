/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All 2^32 words of a chip: no instruction, or tx_encode(tx_decode(word)) == word.
 *
 *     campaign_words ARCH [STATE]
 *
 * Two threads take one part of 64 after the other. STATE is a file that remembers finished parts,
 * so that a stopped run goes on where it was; it is removed when all parts are done.
 */
#define _GNU_SOURCE

#include <tensix/tensix.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 64, THREADS = 2 };

struct part {
    uint64_t words, none, failed;
    bool done;
};

static struct campaign {
    enum tx_arch arch;
    const char *state;
    pthread_mutex_t lock;
    unsigned next;
    struct part parts[PARTS];
} campaign = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct part run_part(enum tx_arch arch, unsigned part)
{
    const uint64_t size = (UINT64_C(1) << 32) / PARTS;
    struct part out = {.done = true};
    for (uint64_t i = part * size; i < (part + 1) * size; i++) {
        const uint32_t word = (uint32_t)i;
        struct tx_decoded d;
        uint32_t back;
        out.words++;
        if (tx_decode(arch, word, &d) != TX_OK) {
            out.none++;
        } else if (tx_encode(&d, &back) != TX_OK || back != word) {
            if (out.failed++ < 5) {
                printf("%08" PRIx32 " does not come back\n", word);
            }
        }
    }
    return out;
}

/* One line for each finished part. */
static void save(void)
{
    if (campaign.state == NULL) {
        return;
    }
    FILE *f = fopen(campaign.state, "w");
    if (f == NULL) {
        perror(campaign.state);
        return;
    }
    for (unsigned i = 0; i < PARTS; i++) {
        const struct part *p = &campaign.parts[i];
        if (p->done) {
            fprintf(f, "%d %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (int)campaign.arch, i,
                    p->words, p->none, p->failed);
        }
    }
    fclose(f);
}

static void load(void)
{
    FILE *f = campaign.state == NULL ? NULL : fopen(campaign.state, "r");
    struct part p = {.done = true};
    int arch;
    unsigned i;
    if (f == NULL) {
        return;
    }
    while (fscanf(f, "%d %u %" SCNu64 " %" SCNu64 " %" SCNu64, &arch, &i, &p.words, &p.none,
                  &p.failed) == 5) {
        if (arch == (int)campaign.arch && i < PARTS) {
            campaign.parts[i] = p;
        }
    }
    fclose(f);
}

static void *worker(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&campaign.lock);
    while (campaign.next < PARTS) {
        const unsigned part = campaign.next++;
        if (campaign.parts[part].done) {
            continue;
        }
        pthread_mutex_unlock(&campaign.lock);
        const struct part result = run_part(campaign.arch, part);
        pthread_mutex_lock(&campaign.lock);
        campaign.parts[part] = result;
        save();
        if (isatty(STDERR_FILENO)) {
            unsigned done = 0;
            for (unsigned i = 0; i < PARTS; i++) {
                done += campaign.parts[i].done;
            }
            fprintf(stderr, "\r%u/%u", done, (unsigned)PARTS);
        }
    }
    pthread_mutex_unlock(&campaign.lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    uint64_t words = 0;
    uint64_t none = 0;
    uint64_t failed = 0;
    unsigned started = 0;
    if (argc < 2 || argc > 3 || tx_arch_parse(argv[1], &campaign.arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_words ARCH [STATE]\n");
        return 2;
    }
    campaign.state = argc > 2 ? argv[2] : NULL;
    load();
    while (started < THREADS && pthread_create(&threads[started], NULL, worker, NULL) == 0) {
        started++;
    }
    if (started == 0) {
        (void)worker(NULL);
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    if (isatty(STDERR_FILENO)) {
        fputc('\n', stderr);
    }
    for (unsigned i = 0; i < PARTS; i++) {
        words += campaign.parts[i].words;
        none += campaign.parts[i].none;
        failed += campaign.parts[i].failed;
    }
    if (campaign.state != NULL) {
        (void)remove(campaign.state);
    }
    printf("%s: %" PRIu64 " words, %" PRIu64 " no instruction, %" PRIu64 " come back, %" PRIu64
           " failed\n",
           tx_arch_name(campaign.arch), words, none, words - none - failed, failed);
    return failed != 0;
}
