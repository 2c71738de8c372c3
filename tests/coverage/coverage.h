/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records what a test program exercised: rows and modes, findings, faults, errata, rule switches.
 * coverage_open() at the start, coverage_watch() on the settings of each machine, COVERS() at the
 * end of a test that shows an erratum's effect (it counts only where it is reached),
 * coverage_close() at the end. tests/coverage/test_coverage.c reads the files of all programs.
 */
#ifndef TESTS_COVERAGE_H
#define TESTS_COVERAGE_H

#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define COVERAGE_DIR TX_BINARY_DIR "/coverage"

enum { COVERAGE_ROWS = 256, COVERAGE_NAMES = 256 };

struct coverage_names {
    const char *name[COVERAGE_NAMES];
    size_t count;
};

static struct coverage {
    const char *program;
    uint16_t modes[3][COVERAGE_ROWS];                  /* by chip and index of tx_row_at */
    struct coverage_names findings[TX_CATEGORY_COUNT]; /* rules met as findings */
    struct coverage_names faults[TX_CATEGORY_COUNT];
    struct coverage_names errata[3]; /* by chip */
    bool rules[TX_MAX_RULES][4];     /* switches by position */
} coverage;

static inline void coverage_add(struct coverage_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->name[i], name) == 0) {
            return;
        }
    }
    if (names->count < COVERAGE_NAMES) {
        names->name[names->count++] = name;
    }
}

/* A word with VD 12..15 may have been captured as a template instead of executed. */
static inline bool coverage_captured(uint32_t word)
{
    const uint32_t opcode = word >> 24;
    const uint32_t vd = (opcode < 0x74 ? word >> 20 : word >> 4) & 15u;
    return opcode >= 0x70 && opcode < 0x9A && opcode != 0x91 && opcode != 0x93 && vd >= 12;
}

static inline void coverage_row(enum tx_arch arch, const struct tx_row *row, uint32_t word)
{
    static const struct tx_row *rows[3][COVERAGE_ROWS];
    struct tx_decoded decoded;
    if (rows[arch][0] == NULL) {
        for (size_t i = 0; i < COVERAGE_ROWS && tx_row_at(arch, i) != NULL; i++) {
            rows[arch][i] = tx_row_at(arch, i);
        }
    }
    for (size_t i = 0; i < COVERAGE_ROWS && rows[arch][i] != NULL; i++) {
        if (rows[arch][i] == row && tx_decode(arch, word, &decoded) == TX_OK) {
            coverage.modes[arch][i] |= (uint16_t)(1u << decoded.mode);
        }
    }
}

static inline void coverage_event(void *user, const struct tx_event *event)
{
    const enum tx_arch arch = *(const enum tx_arch *)user;
    if (event->kind == TX_EVENT_ISSUE && event->row != NULL && !coverage_captured(event->word)) {
        coverage_row(arch, event->row, event->word);
    } else if (event->kind == TX_EVENT_FINDING) {
        coverage_add(&coverage.findings[event->finding->category], event->finding->rule);
    } else if (event->kind == TX_EVENT_FAULT) {
        coverage_add(&coverage.faults[event->finding->category], event->finding->rule);
    }
}

/* Before tx_open. */
static inline void coverage_watch(struct tx_settings *settings)
{
    static enum tx_arch archs[3] = {TX_ARCH_NONE, TX_WORMHOLE, TX_BLACKHOLE};
    settings->sink.event = coverage_event;
    settings->sink.user = &archs[settings->arch];
}

/* Both chips where the erratum has both: a test that shows one of them says COVERS_ON. */
static inline void coverage_erratum(enum tx_arch arch, const char *id)
{
    for (size_t i = 0; tx_erratum_at(i) != NULL; i++) {
        if (strcmp(tx_erratum_at(i)->id, id) == 0) {
            coverage_add(&coverage.errata[arch], tx_erratum_at(i)->id);
            return;
        }
    }
    fprintf(stderr, "no erratum %s\n", id);
}

#define COVERS_ON(arch, id) coverage_erratum(arch, id)
#define COVERS(id) (coverage_erratum(TX_WORMHOLE, id), coverage_erratum(TX_BLACKHOLE, id))

/* The positions of the rule switches under which a test has passed. */
static inline void coverage_rules(const struct tx_settings *settings)
{
    for (size_t i = 0; tx_rule_at(i) != NULL; i++) {
        coverage.rules[i][settings->rules[i] & 3u] = true;
    }
}

static inline void coverage_path(char path[512])
{
    snprintf(path, 512, COVERAGE_DIR "/%s.cov", coverage.program);
}

static inline void coverage_open(const char *program)
{
    char path[512];
    coverage.program = program;
    (void)mkdir(COVERAGE_DIR, 0777);
    coverage_path(path);
    (void)remove(path);
}

static inline void coverage_names_write(FILE *f, const char *kind, const char *what,
                                        const struct coverage_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        fprintf(f, "%s %s %s\n", kind, what, names->name[i]);
    }
}

/* Returns false where the file could not be written. */
static inline bool coverage_close(void)
{
    static const char *const chips[3] = {"-", "wh", "bh"};
    char path[512];
    coverage_path(path);
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        perror(path);
        return false;
    }
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < COVERAGE_ROWS; i++) {
            for (unsigned mode = 0; mode < 16; mode++) {
                if ((coverage.modes[arch][i] >> mode & 1u) != 0) {
                    fprintf(f, "row %s %s %u\n", chips[arch], tx_row_at((enum tx_arch)arch, i)->id,
                            mode);
                }
            }
        }
        coverage_names_write(f, "erratum", chips[arch], &coverage.errata[arch]);
    }
    for (int c = 0; c < TX_CATEGORY_COUNT; c++) {
        const char *name = tx_category_name((enum tx_category)c);
        coverage_names_write(f, "finding", name, &coverage.findings[c]);
        coverage_names_write(f, "fault", name, &coverage.faults[c]);
    }
    for (size_t i = 0; tx_rule_at(i) != NULL; i++) {
        for (unsigned v = 0; v < 4; v++) {
            if (coverage.rules[i][v]) {
                fprintf(f, "rule - %s=%s\n", tx_rule_at(i)->name, tx_rule_at(i)->values[v]);
            }
        }
    }
    return fclose(f) == 0;
}

#endif
