/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine did, as the tests of SFPLOADMACRO compare it. */
#ifndef TESTS_PIPE_MACRO_LOG_H
#define TESTS_PIPE_MACRO_LOG_H

#include "coverage/coverage.h"

#include <tensix/tensix.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each test program uses its part. */
#pragma GCC diagnostic ignored "-Wunused-function"

enum { TILE = TX_TILE_ELEMENTS, DENSE_TILES = 64, EVENTS = 4096 };

/* ---- what happened ---- */

struct happened {
    uint64_t cycle;
    char unit; /* l s m r t as issued, L S M R T as scheduled, - for other units */
    char name[16];
    uint32_t lanes;
};

struct log {
    enum tx_arch arch;
    struct happened at[EVENTS];
    size_t count;
    unsigned stalls;
};

static void note(void *user, const struct tx_event *event)
{
    static const char units[] = "-lsmrt-------";
    struct log *log = user;
    coverage_event(&log->arch, event);
    if (event->kind == TX_EVENT_STALL) {
        log->stalls++;
    }
    if ((event->kind != TX_EVENT_ISSUE && event->kind != TX_EVENT_EXECUTE) ||
        log->count == EVENTS) {
        return;
    }
    struct happened *h = &log->at[log->count++];
    h->cycle = event->cycle;
    h->unit = units[event->unit];
    h->lanes = event->lanes;
    snprintf(h->name, sizeof h->name, "%s", event->row->mnemonic);
    for (char *p = h->name; *p != '\0'; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    if (event->kind == TX_EVENT_EXECUTE) {
        h->unit = (char)toupper((unsigned char)h->unit);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct happened *x = a;
    const struct happened *y = b;
    if (x->cycle != y->cycle) {
        return x->cycle < y->cycle ? -1 : 1;
    }
    if (x->unit != y->unit) {
        return x->unit < y->unit ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static uint32_t random32(void)
{
    static uint64_t state = 0x853C49E6748FEA9Bu;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state ^ state >> 22) >> (22 + (state >> 61)));
}

#endif
