/* SPDX-License-Identifier: Apache-2.0 */
/* A machine with three threads, fed from text, with its issues collected by thread. */
#ifndef TESTS_FRONT_RIG_H
#define TESTS_FRONT_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "coverage/coverage.h"

#include <tensix/tensix.h>

#include <stdlib.h>

enum { RIG_WORDS = 4096, RIG_ISSUES = 16384, RIG_LIMIT = 100000 };

struct rig_issue {
    uint64_t cycle, number;
    uint32_t word;
    uint8_t thread;
};

struct rig {
    enum tx_arch arch; /* first: coverage_event reads it */
    tx_machine *m;
    struct rig_issue issue[RIG_ISSUES];
    size_t issues;
    size_t stalls[TX_THREADS];
    const char *cause[TX_THREADS]; /* of the last stall */
    uint8_t l1[4096];
    struct tx_host host;
};

/* Words of the front end are events too; what passed a gate is meant here. */
static inline bool rig_is_front(uint32_t word)
{
    const uint32_t opcode = word >> 24;
    return opcode == 1 || (opcode >= 3 && opcode <= 5);
}

static inline void rig_event(void *user, const struct tx_event *event)
{
    struct rig *r = user;
    coverage_event(r, event);
    if (event->kind == TX_EVENT_ISSUE && !rig_is_front(event->word) && r->issues < RIG_ISSUES) {
        const struct rig_issue issue = {event->cycle, event->number, event->word, event->thread};
        r->issue[r->issues++] = issue;
    } else if (event->kind == TX_EVENT_STALL) {
        r->stalls[event->thread]++;
        r->cause[event->thread] = event->text;
    }
}

/* ready: Src banks count as ready, as in a program without unpackers. */
static inline struct rig *rig_open_ready(enum tx_arch arch, bool ready)
{
    struct rig *r = calloc(1, sizeof *r);
    struct tx_settings settings;
    assert_non_null(r);
    r->arch = arch;
    tx_settings_default(&settings, arch);
    settings.sink.event = rig_event;
    settings.sink.user = r;
    settings.src_ready = ready;
    assert_int_equal(tx_open(&settings, &r->m), TX_OK);
    tx_host_default(&r->host);
    r->host.l1 = r->l1;
    r->host.l1_size = sizeof r->l1;
    r->host.user = r;
    assert_int_equal(tx_host_set(r->m, &r->host), TX_OK);
    return r;
}

static inline struct rig *rig_open(enum tx_arch arch)
{
    return rig_open_ready(arch, false);
}

static inline void rig_close(struct rig *r)
{
    tx_close(r->m);
    free(r);
}

static inline size_t rig_assemble(enum tx_arch arch, const char *text, uint32_t *words)
{
    const struct tx_asm_options options = {.arch = arch, .force_arch = true};
    struct tx_program *program;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &options, &program, &diag) != TX_OK) {
        fail_msg("%s: line %u: %s", text, diag.line, diag.message);
    }
    const size_t count = tx_program_count(program, TX_SECTION_TILE);
    assert_true(count <= RIG_WORDS);
    if (count != 0) {
        memcpy(words, tx_program_words(program, TX_SECTION_TILE), count * sizeof *words);
    }
    tx_program_free(program);
    return count;
}

/* The same text so many times over. */
static inline size_t rig_repeat(enum tx_arch arch, const char *text, unsigned times,
                                uint32_t *words)
{
    const size_t count = rig_assemble(arch, text, words);
    assert_true(count * times <= RIG_WORDS);
    for (unsigned i = 1; i < times; i++) {
        memcpy(&words[i * count], words, count * sizeof *words);
    }
    return count * times;
}

/* Texts for the three threads, NULL: nothing. */
static inline enum tx_status rig_run(struct rig *r, const char *const text[TX_THREADS],
                                     uint64_t limit)
{
    static uint32_t words[TX_THREADS][RIG_WORDS];
    struct tx_stream streams[TX_THREADS];
    for (unsigned t = 0; t < TX_THREADS; t++) {
        streams[t].words = words[t];
        streams[t].count = text[t] == NULL ? 0 : rig_assemble(r->arch, text[t], words[t]);
    }
    return tx_run_threads(r->m, streams, limit);
}

/* Cycle in which the n-th instruction of a thread passed its gate, counted from 0. */
static inline uint64_t rig_cycle(const struct rig *r, unsigned thread, size_t n)
{
    for (size_t i = 0; i < r->issues; i++) {
        if (r->issue[i].thread == thread && n-- == 0) {
            return r->issue[i].cycle;
        }
    }
    fail_msg("thread %u has not issued that much", thread);
    return 0;
}

static inline size_t rig_issued(const struct rig *r, unsigned thread)
{
    size_t count = 0;
    for (size_t i = 0; i < r->issues; i++) {
        count += r->issue[i].thread == thread;
    }
    return count;
}

static inline uint32_t rig_gpr(const struct rig *r, unsigned thread, unsigned reg)
{
    uint32_t value = 0;
    assert_int_equal(tx_read(r->m, TX_FILE_GPR, TX_GPRS * thread + reg, &value, 1), TX_OK);
    return value;
}

#define RIG_EACH(arch) for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++)

#endif
