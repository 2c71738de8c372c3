/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs around SFPLOADMACRO: random templates, sequences, delay kinds and pauses. Each is
 * run twice from the same snapshot: no crash, the same result, registers and counters, and the same
 * Dst every sixteenth time. Before that it runs cycle by cycle beside macro_watch.h, another
 * statement of what must run in each cycle and which broken rule must be a finding. What is left
 * pending goes on into the next program. Meant for a build with ASan and UBSan. campaign_macro ARCH
 * COUNT [SEED]
 */
#include "macro_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 24 };

static uint64_t state;

static uint32_t next(void)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = state;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

static uint32_t vector_word(enum tx_arch arch)
{
    const uint32_t last = arch == TX_BLACKHOLE ? 0x99 : 0x95;
    return (0x70u + next() % (last - 0x6Fu)) << 24 | (next() & 0xFFFFFFu);
}

static uint32_t sequence_word(void)
{
    uint32_t word = 0;
    for (unsigned unit = 0; unit < 4; unit++) {
        static const uint8_t select[4] = {4, 5, 6, 3};
        const uint32_t x = next();
        const uint32_t pick = (x & 3u) != 0 ? select[unit] : x >> 2 & 7u;
        word |= (pick | (x >> 8 & 0xF8u)) << 8 * unit;
    }
    return word;
}

/* A template for a sub-unit, or anything. */
static uint32_t template_word(enum tx_arch arch, unsigned index)
{
    static const uint8_t simple[] = {0x77, 0x79, 0x7B, 0x7C, 0x7D, 0x80,
                                     0x89, 0x8A, 0x8D, 0x90, 0x91, 0x92};
    static const uint8_t mad[] = {0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95};
    static const uint8_t round[] = {0x8E, 0x94};
    const uint32_t x = next();
    uint32_t opcode = 0;
    if (index == 3 || (x & 7u) == 0) {
        return (x & 0x38u) == 0 ? next() << 16 ^ next() : vector_word(arch);
    }
    opcode = index == 0   ? simple[(x >> 3) % sizeof simple]
             : index == 1 ? mad[(x >> 3) % sizeof mad]
                          : round[(x >> 3) % sizeof round];
    return opcode << 24 | (next() & 0xFFFFFFu);
}

/* The same in all lanes, or two kinds of columns, or, rarely, every lane its own. */
static bool write_lanes(tx_machine *m, enum tx_file file, unsigned index,
                        uint32_t (*make)(enum tx_arch arch, unsigned index), enum tx_arch arch)
{
    uint32_t lanes[32];
    const uint32_t how = next() & 63u;
    const uint32_t a = make(arch, index);
    const uint32_t b = how < 8 ? make(arch, index) : a;
    const uint32_t columns = next();
    for (unsigned lane = 0; lane < 32; lane++) {
        lanes[lane] = how == 0 ? make(arch, index) : (columns >> (lane & 7u) & 1u) != 0 ? a : b;
    }
    return tx_write(m, file, index, lanes, 32) == TX_OK;
}

static uint32_t make_sequence(enum tx_arch arch, unsigned index)
{
    (void)arch;
    (void)index;
    return sequence_word();
}

static uint32_t make_misc(enum tx_arch arch, unsigned index)
{
    (void)arch;
    (void)index;
    return next() & ((next() & 1u) != 0 ? 0x0FFu : 0xFFFu);
}

static bool configure(tx_machine *m, enum tx_arch arch)
{
    bool good = write_lanes(m, TX_FILE_MACRO_MISC, 0, make_misc, arch);
    for (unsigned i = 0; i < 4; i++) {
        good &= write_lanes(m, TX_FILE_MACRO_TEMPLATE, i, template_word, arch);
        good &= write_lanes(m, TX_FILE_MACRO_SEQUENCE, i, make_sequence, arch);
    }
    return good;
}

static uint32_t program_word(enum tx_arch arch)
{
    static const uint32_t others[] = {0x02000000u, 0x38080000u, 0x8F000000u, 0x8F000000u,
                                      0x37000000u, 0x60000000u, 0x8A003000u, 0x8A00300Au};
    const uint32_t x = next();
    switch (x & 7u) {
    case 0:
    case 1:
    case 2:
    case 3:
        return 0x93000000u | (next() & 0xFFFFFFu);
    case 4:
        return others[(x >> 3) % (sizeof others / sizeof others[0])];
    case 5:
        return 0x91000000u | (next() & 0xFFFF0Fu) | (x >> 3 & 15u) << 4;
    default:
        return vector_word(arch);
    }
}

/*
 * Everything that can be read; a part: Dst apart, which takes longer than a program. Snapshots also
 * hold bytes that mean nothing.
 */
static uint64_t digest(const tx_machine *m, bool all)
{
    static const struct {
        enum tx_file file;
        unsigned rows, n;
    } files[] = {{TX_FILE_LREG, TX_LREGS, 32},    {TX_FILE_LANE_FLAGS, 1, 1},
                 {TX_FILE_USE_LANE_FLAGS, 1, 1},  {TX_FILE_FLAG_STACK, 8, 2},
                 {TX_FILE_STACK_DEPTH, 1, 32},    {TX_FILE_PRNG, 1, 32},
                 {TX_FILE_LANE_CONFIG, 1, 8},     {TX_FILE_MACRO_TEMPLATE, 4, 32},
                 {TX_FILE_MACRO_SEQUENCE, 4, 32}, {TX_FILE_MACRO_MISC, 1, 32},
                 {TX_FILE_RWC, 3, TX_RWC_COUNT},  {TX_FILE_SHIFT_LATCH, 1, 32},
                 {TX_FILE_DST, TX_DST_ROWS, 16},  {TX_FILE_DST_VALID, TX_DST_ROWS, 1}};
    const size_t count = sizeof files / sizeof files[0] - (all ? 0 : 2);
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t f = 0; f < count; f++) {
        for (unsigned row = 0; row < files[f].rows; row++) {
            uint32_t v[32] = {0};
            if (tx_read(m, files[f].file, row, v, files[f].n) != TX_OK) {
                return 0;
            }
            for (unsigned i = 0; i < files[f].n; i++) {
                h = (h ^ v[i]) * UINT64_C(0x100000001B3);
            }
        }
    }
    return h;
}

struct outcome {
    uint64_t status; /* all of one size: compared as bytes */
    uint64_t cycles, instructions, stalls, findings, digest;
};

static struct outcome run(tx_machine *m, const void *from, const uint32_t *words,
                          const uint32_t *gaps, unsigned thread, bool all)
{
    struct outcome o = {TX_EINVAL, 0, 0, 0, 0, 0};
    tx_findings_clear(m);
    if (tx_restore(m, from, tx_snapshot_size(NULL)) == TX_OK) {
        const struct tx_counters before = tx_machine_counters(m);
        o.status = tx_run_gaps(m, thread, words, WORDS, gaps);
        const struct tx_counters after = tx_machine_counters(m);
        o.cycles = after.cycles - before.cycles;
        o.instructions = after.instructions - before.instructions;
        o.stalls = after.stall_cycles - before.stall_cycles;
        o.digest = digest(m, all);
        o.findings = tx_finding_dropped(m);
        for (size_t f = 0; f < tx_finding_count(m); f++) {
            o.findings += tx_finding_at(m, f)->count;
        }
    }
    return o;
}

/* The same program under observation. False: a rule was broken, or a schedule kept, in silence. */
static bool watched_run(struct watch *w, tx_machine *m, const uint32_t *words, const uint32_t *gaps,
                        unsigned thread, const char **why)
{
    enum tx_status status = TX_OK;
    bool good = true;
    bool accepted;
    for (unsigned i = 0; i < WORDS && good && status == TX_OK; i++) {
        for (uint32_t gap = gaps[i]; gap != 0 && good && status == TX_OK; gap--) {
            good = watch_cycle(w, m, thread, NULL, &accepted, &status, why);
        }
        accepted = false;
        while (!accepted && good && status == TX_OK) {
            good = watch_cycle(w, m, thread, &words[i], &accepted, &status, why);
        }
    }
    for (unsigned end = 0;
         good && status == TX_OK && (end < 2 || w->swapping != 0 || watch_running(w)); end++) {
        good = watch_cycle(w, m, thread, NULL, &accepted, &status, why);
    }
    return good;
}

int main(int argc, char **argv)
{
    static struct watch watch;
    struct tx_settings settings;
    enum tx_arch arch;
    tx_machine *m;
    uint64_t faults = 0;
    uint64_t failed = 0;
    uint64_t findings = 0;
    uint64_t cycles = 0;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_macro ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const size_t size = tx_snapshot_size(NULL);
    void *base = malloc(size);
    state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    tx_settings_default(&settings, arch);
    settings.sink.event = watch_event;
    settings.sink.user = &watch;
    watch.arch = arch;
    if (base == NULL || tx_open(&settings, &m) != TX_OK) {
        fprintf(stderr, "campaign_macro: no memory\n");
        return 2;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint32_t words[WORDS];
        uint32_t gaps[WORDS];
        if (((i & 7u) == 0 && !configure(m, arch)) || tx_snapshot(m, base, size) != TX_OK) {
            failed++;
            break;
        }
        for (unsigned w = 0; w < WORDS; w++) {
            const uint32_t x = next();
            words[w] = program_word(arch);
            gaps[w] = (x & 7u) == 0 ? x >> 3 & 7u : 0;
        }
        const unsigned thread = next() % TX_THREADS;
        const char *why = NULL;
        if (!watched_run(&watch, m, words, gaps, thread, &why) && failed++ < 10) {
            fprintf(stderr, "program %" PRIu64 ": %s\n", i, why);
        }
        const struct outcome a = run(m, base, words, gaps, thread, (i & 15u) == 0);
        const struct outcome b = run(m, base, words, gaps, thread, (i & 15u) == 0);
        if (memcmp(&a, &b, sizeof a) != 0 || (a.status != TX_OK && a.status != TX_FAULT)) {
            if (failed++ < 10) {
                fprintf(stderr, "program %" PRIu64 " is not repeatable\n", i);
            }
        }
        cycles += a.cycles;
        findings += a.findings;
        if (a.status == TX_FAULT) {
            faults++;
            tx_reset(m);
            memset(&watch, 0, sizeof watch);
            watch.arch = arch;
        }
    }
    printf("%" PRIu64 " programs twice, %" PRIu64 " cycles, %" PRIu64 " faults, %" PRIu64
           " findings\n",
           count, cycles, faults, findings);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
    tx_close(m);
    free(base);
    return failed == 0 ? 0 : 1;
}
