/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MOP and REPLAY stated a second time, as nested loops that write the whole stream down at once
 * (isa MOPExpander 585749d and REPLAY; spec/timing.md c.3, c.4), and random configurations for
 * both.
 */
#ifndef TESTS_FRONT_EXPAND_H
#define TESTS_FRONT_EXPAND_H

#include <tensix/tensix.h>

#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPAND_OUT = 40000, EXPAND_IN = 24, EXPAND_THREAD = 2 };

struct expand {
    bool bh;
    uint32_t config[9], mask_hi;
    uint32_t buffer[32];
    unsigned at, left; /* of a recording */
    bool run;
    uint32_t out[EXPAND_OUT];
    size_t count;
    bool full;
};

static inline unsigned expand_opcode(uint32_t word)
{
    return word >> 24;
}

/* Behind the Replay Expander; front-end words that get here do nothing. */
static inline void expand_out(struct expand *e, uint32_t word)
{
    const unsigned opcode = expand_opcode(word);
    if (opcode == 1 || opcode == 3 || opcode == 4) {
        return;
    }
    if (e->count == EXPAND_OUT) {
        e->full = true;
    } else {
        e->out[e->count++] = word;
    }
}

static inline void expand_replay(struct expand *e, uint32_t word)
{
    const unsigned index = word >> 14 & 31;
    const unsigned count = (word >> 4 & 63) == 0 ? 32 : word >> 4 & 63;
    if (e->left != 0) {
        e->buffer[e->at++ % 32] = word;
        e->left--;
        if (e->run) {
            expand_out(e, word);
        }
    } else if (expand_opcode(word) != 4) {
        expand_out(e, word);
    } else if ((word & 1) != 0) {
        e->at = index;
        e->left = count;
        e->run = (word & 2) != 0;
    } else {
        for (unsigned i = index; i < index + count; i++) {
            expand_out(e, e->buffer[i % 32]);
        }
    }
}

static inline bool expand_nop(uint32_t word)
{
    return expand_opcode(word) == 2;
}

static inline void expand_masked(struct expand *e, uint32_t word)
{
    const uint32_t *c = e->config;
    uint64_t mask = (uint64_t)e->mask_hi << 16 | (word & 0xFFFF);
    for (unsigned n = (word >> 16 & 127) + 1; n != 0; n--, mask >>= 1) {
        const bool skip = (mask & 1) != 0;
        expand_replay(e, skip ? c[7] : c[3]);
        for (unsigned k = 4; k <= 6 && !skip && (c[1] & 2) != 0; k++) {
            expand_replay(e, c[k]);
        }
        if ((c[1] & 1) != 0) {
            expand_replay(e, skip ? c[8] : c[2]);
        }
    }
}

static inline void expand_loops(struct expand *e, uint32_t word)
{
    const uint32_t *c = e->config;
    const unsigned width = e->bh ? 1023 : 127;
    unsigned outer = c[0] & width;
    unsigned inner = c[1] & width;
    if (e->bh && (word >> 10 & 1023) != 0) {
        outer = word >> 10 & 1023;
    }
    if (e->bh && (word & 1023) != 0) {
        inner = word & 1023;
    }
    const bool two = !expand_nop(c[6]);
    inner *= two ? 2 : 1;
    if (outer == 1 && expand_nop(c[2]) && inner == 0 && !expand_nop(c[3])) {
        outer += !e->bh ? 128 : expand_nop(c[4]) ? 1 : 1024;
    }
    for (unsigned j = 1; j <= outer; j++) {
        if (!expand_nop(c[2])) {
            expand_replay(e, c[2]);
        }
        for (unsigned i = 1; i <= inner; i++) {
            expand_replay(e, i == inner          ? (j == outer ? c[7] : c[8])
                             : two && i % 2 == 0 ? c[6]
                                                 : c[5]);
        }
        if (!expand_nop(c[3])) {
            expand_replay(e, c[3]);
            if (!expand_nop(c[4])) {
                expand_replay(e, c[4]);
            }
        }
    }
}

static inline void expand_word(struct expand *e, uint32_t word)
{
    switch (expand_opcode(word)) {
    case 1:
        (word >> 23 & 1) != 0 ? expand_loops(e, word) : expand_masked(e, word);
        break;
    case 3:
        e->mask_hi = word & 0xFFFF;
        break;
    default:
        expand_replay(e, word);
    }
}

/* ---- random programs ---- */

static inline uint32_t expand_random(uint64_t *s)
{
    *s += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = *s;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

/* SFPLOADI L1 with a number: never stalls, and tells words apart; or NOP. */
static inline uint32_t expand_plain(uint64_t *s)
{
    const uint32_t r = expand_random(s);
    return r % 8 == 0 ? 0x02000000u : 0x71120000u | (r >> 8 & 0xFFFF);
}

static inline uint32_t expand_any_replay(uint64_t *s)
{
    const uint32_t r = expand_random(s);
    const uint32_t index = r & 31;
    const uint32_t count = r >> 5 & 15 ? r >> 9 & 7 : r >> 9 & 31;
    return 0x04000000u | index << 14 | count << 4 | (r >> 20 & 1) << 1 | (r >> 21 & 3 ? 0 : 1);
}

/* A configuration that expands to some dozens of words, rarely to many. */
static inline void expand_configure(struct expand *e, uint64_t *s)
{
    const uint32_t r = expand_random(s);
    const uint32_t shape = r >> 16 & 63;
    e->config[0] = shape == 0 ? r & 127 : r & 3;
    e->config[1] = shape == 1 ? r >> 7 & 127 : r >> 7 & 3;
    for (unsigned i = 2; i < 9; i++) {
        const uint32_t kind = expand_random(s) % 16;
        e->config[i] = kind < 4 ? 0x02000000u : kind == 4 ? expand_any_replay(s) : expand_plain(s);
    }
}

static inline size_t expand_program(bool bh, uint64_t *s, uint32_t words[EXPAND_IN])
{
    const size_t count = 1 + expand_random(s) % EXPAND_IN;
    for (size_t i = 0; i < count; i++) {
        const uint32_t kind = expand_random(s) % 8;
        const uint32_t r = expand_random(s);
        if (kind == 0) {
            words[i] =
                0x01000000u | (r >> 16 & 31 ? r >> 21 & 7 : r >> 21 & 127) << 16 | (r & 0xFFFF);
        } else if (kind == 1) {
            const bool stated = bh && (r & 3) == 0;
            words[i] = 0x01800000u | (stated ? (r >> 4 & 7) << 10 | (r >> 8 & 7) : 0);
        } else if (kind == 2) {
            words[i] = 0x03000000u | (r & 0xFFFF);
        } else if (kind < 5) {
            words[i] = expand_any_replay(s);
        } else {
            words[i] = expand_plain(s);
        }
    }
    return count;
}

/* ---- against the machine ---- */

struct expand_seen {
    uint32_t words[EXPAND_OUT];
    size_t count;
};

static inline void expand_event(void *user, const struct tx_event *event)
{
    struct expand_seen *seen = user;
    const unsigned opcode = expand_opcode(event->word);
    if (event->kind == TX_EVENT_ISSUE && opcode != 1 && opcode != 3 && opcode != 4 &&
        seen->count < EXPAND_OUT) {
        seen->words[seen->count++] = event->word;
    }
}

/* Without time, and now and then some cycles with it, which leave words in every queue. */
static inline enum tx_status expand_eagerly(tx_machine *m, const uint32_t *words, size_t count,
                                            uint64_t seed)
{
    size_t next = 0;
    for (unsigned turn = 0; turn < 1000000; turn++) {
        next += tx_push(m, EXPAND_THREAD, words + next, count - next);
        if (expand_random(&seed) % 4 == 0) {
            (void)tx_step(m, expand_random(&seed) % 6);
        }
        const size_t passed = front_eager(m, EXPAND_THREAD, 1 + expand_random(&seed) % 64);
        if (next == count && tx_idle(m)) {
            return TX_OK;
        }
        if (passed == 0) {
            (void)front_wait(m, 64);
        }
    }
    return TX_ELIMIT;
}

/* One configuration, through the queues, directly and without time; false: text says what differs.
 */
static inline bool expand_check(enum tx_arch arch, tx_machine *m, struct expand_seen *seen,
                                uint64_t seed, char text[160])
{
    static struct expand e;
    uint32_t words[EXPAND_IN];
    memset(&e, 0, offsetof(struct expand, out));
    e.count = 0;
    e.full = false;
    e.bh = arch == TX_BLACKHOLE;
    for (unsigned i = 0; i < 32; i++) {
        e.buffer[i] = expand_plain(&seed);
    }
    expand_configure(&e, &seed);
    uint32_t buffer[32];
    memcpy(buffer, e.buffer, sizeof buffer);
    const size_t count = expand_program(e.bh, &seed, words);
    for (size_t i = 0; i < count; i++) {
        expand_word(&e, words[i]);
    }
    static const char *const ways[] = {"through queues", "directly", "without time"};
    for (unsigned way = 0; way < 3 && !e.full; way++) {
        struct tx_stream streams[TX_THREADS] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
        tx_reset(m);
        seen->count = 0;
        for (unsigned i = 0; i < 32; i++) {
            (void)tx_write(m, TX_FILE_REPLAY, 32 * EXPAND_THREAD + i, &buffer[i], 1);
        }
        for (unsigned i = 0; i < 9; i++) {
            (void)tx_mop_config(m, EXPAND_THREAD, i, e.config[i]);
        }
        streams[EXPAND_THREAD] = (struct tx_stream){words, count};
        const enum tx_status status = way == 0   ? tx_run_threads(m, streams, 1000000)
                                      : way == 1 ? tx_run(m, EXPAND_THREAD, words, count)
                                                 : expand_eagerly(m, words, count, seed);
        uint32_t slot = 0;
        for (unsigned i = 0; i < 32; i++) {
            (void)tx_read(m, TX_FILE_REPLAY, 32 * EXPAND_THREAD + i, &slot, 1);
            if (slot != e.buffer[i] && status == TX_OK) {
                snprintf(text, 160, "slot %u holds %08x instead of %08x", i, slot, e.buffer[i]);
                return false;
            }
        }
        size_t same = 0;
        while (same < e.count && same < seen->count && e.out[same] == seen->words[same]) {
            same++;
        }
        if (status != TX_OK || same != e.count || same != seen->count) {
            snprintf(text, 160, "%s: %s, %zu words instead of %zu, word %zu differs", ways[way],
                     tx_status_text(status), seen->count, e.count, same);
            return false;
        }
    }
    return true;
}

#endif
