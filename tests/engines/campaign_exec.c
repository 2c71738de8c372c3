/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random words executed in silicon mode, twice, by two machines in two threads: no crash, and the
 * same state after every chunk. Meant for a build with ASan and UBSan.
 * campaign_exec ARCH COUNT [SEED]
 */
#include <tensix/tensix.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 1 << 20 };

struct work {
    enum tx_arch arch;
    uint64_t count, seed, digest, faults, findings;
    bool failed;
};

static uint32_t next(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

/*
 * Vector, counter, configuration and replay words; one in 256 is anything. SFPLOADMACRO and words
 * of other units stop the machine, so they are rare.
 */
static uint32_t random_word(uint64_t *s)
{
    static const uint8_t opcodes[] = {0x04, 0x02, 0x37, 0x38, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6,
                                      0xB0, 0xB1, 0x45, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0x60};
    const uint32_t pick = next(s);
    const uint32_t w = next(s);
    if ((pick & 255u) == 0) {
        return w;
    }
    uint32_t opcode = (pick & 0xF00u) == 0 ? opcodes[(pick >> 12) % sizeof opcodes]
                                           : 0x70u + (pick >> 12) % 0x26u;
    if (opcode == 0x93u) {
        opcode = 0x96u + (pick >> 24 & 3u); /* Blackhole's own */
    }
    return opcode << 24 | (w & 0xFFFFFFu);
}

static uint64_t digest(tx_machine *m, void *buffer)
{
    const unsigned char *p = buffer;
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    if (tx_snapshot(m, buffer, tx_snapshot_size(NULL)) != TX_OK) {
        return 0;
    }
    for (size_t i = 0; i < tx_snapshot_size(NULL); i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    }
    return h;
}

static void *run(void *arg)
{
    struct work *w = arg;
    struct tx_settings settings;
    tx_machine *m;
    void *buffer = malloc(tx_snapshot_size(NULL));
    tx_settings_default(&settings, w->arch);
    if (buffer == NULL || tx_open(&settings, &m) != TX_OK) {
        w->failed = true;
        free(buffer);
        return NULL;
    }
    for (uint64_t done = 0; done < w->count; done++) {
        const uint32_t word = random_word(&w->seed);
        const unsigned thread = (done >> 6) % 3u;
        bool accepted = false;
        enum tx_status status = TX_OK;
        while (!accepted && status == TX_OK) {
            status = tx_cycle(m, thread, &word, &accepted);
        }
        if (status == TX_EDEADLOCK) { /* a semaphore or a mutex that nobody is going to move */
            tx_reset(m);
        }
        if (status == TX_FAULT) {
            w->faults++;
            /* A restored state runs on with the next word. */
            w->failed |= tx_snapshot(m, buffer, tx_snapshot_size(NULL)) != TX_OK ||
                         tx_restore(m, buffer, tx_snapshot_size(NULL)) != TX_OK;
        }
        if (done % CHUNK == 0) {
            w->digest = w->digest * 31 + digest(m, buffer);
            for (size_t i = 0; i < tx_finding_count(m); i++) {
                w->findings += tx_finding_at(m, i)->count;
            }
            tx_findings_clear(m);
        }
    }
    w->digest = w->digest * 31 + digest(m, buffer);
    tx_close(m);
    free(buffer);
    return NULL;
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_exec ARCH COUNT [SEED]\n");
        return 2;
    }
    struct work a = {.arch = arch,
                     .count = strtoull(argv[2], NULL, 0),
                     .seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1};
    struct work b = a;
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &b) != 0) {
        return 2;
    }
    run(&a);
    pthread_join(thread, NULL);
    const bool same = a.digest == b.digest && !a.failed && !b.failed;
    printf("%" PRIu64 " words twice, %" PRIu64 " faults, %" PRIu64 " findings, state %016" PRIx64
           " and %016" PRIx64 "\n",
           a.count, a.faults, a.findings, a.digest, b.digest);
    printf("%d passed, %d failed\n", same ? 1 : 0, same ? 0 : 1);
    return same ? 0 : 1;
}
