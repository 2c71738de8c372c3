/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO stated once more, lane by lane: what runs in a cycle, and which broken rule must be
 * a finding of that cycle. Source: spec/timing.md a.7, rules 1 to 6, with the defaults of R14 and
 * decision 0003.
 */
#ifndef TESTS_ENGINES_MACRO_WATCH_H
#define TESTS_ENGINES_MACRO_WATCH_H

#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>

enum { WATCH_UNITS = 4, WATCH_EVENTS = 80, SFPLOADMACRO_OPCODE = 0x93 };

/* In the order of a sequence word's bytes. */
static const uint8_t watch_unit[WATCH_UNITS] = {TX_UNIT_SIMPLE, TX_UNIT_MAD, TX_UNIT_ROUND,
                                                TX_UNIT_STORE};

struct watched {
    char name[16];
    uint8_t unit, vd;
    bool scheduled;
    uint32_t lanes;
};

struct watch {
    enum tx_arch arch;
    /* Outstanding: lanes by sub-unit and cycles or instructions left, and of the second kind. */
    uint32_t left[WATCH_UNITS][8], by_instruction[WATCH_UNITS][8];
    uint32_t swapping; /* lanes in which a scheduled SFPSWAP started in the cycle before */
    struct watched seen[WATCH_EVENTS];
    unsigned count;
    bool drop, lost, port, template; /* findings of this cycle */
};

static void watch_event(void *user, const struct tx_event *event)
{
    struct watch *w = user;
    if (event->kind == TX_EVENT_FINDING) {
        w->drop |= strcmp(event->finding->rule, "E-DROP") == 0;
        w->lost |= strcmp(event->finding->rule, "E-LOST") == 0;
        w->port |= strcmp(event->finding->rule, "E-PORT") == 0;
        w->template |= strcmp(event->finding->rule, "E-TEMPLATE") == 0;
    }
    const bool runs = event->kind == TX_EVENT_ISSUE || event->kind == TX_EVENT_EXECUTE;
    if (!runs || event->unit < TX_UNIT_LOAD || event->unit > TX_UNIT_STORE ||
        w->count == WATCH_EVENTS) {
        return;
    }
    struct watched *s = &w->seen[w->count++];
    s->unit = event->unit;
    s->vd = event->operands->vd;
    s->scheduled = event->kind == TX_EVENT_EXECUTE;
    s->lanes = s->scheduled ? event->lanes : 0xFFFFFFFFu;
    snprintf(s->name, sizeof s->name, "%s", event->row->mnemonic);
}

/* Configuration as it is at the start of a cycle. */
struct watch_config {
    uint32_t template[4][32], sequence[32], misc[32];
    bool all_enabled;
};

static void watch_read(const tx_machine *m, const uint32_t *launch, struct watch_config *c)
{
    uint32_t use = 0;
    uint32_t lane_config[8] = {0};
    for (unsigned i = 0; launch != NULL && i < 4; i++) {
        (void)tx_read(m, TX_FILE_MACRO_TEMPLATE, i, c->template[i], 32);
    }
    if (launch != NULL) {
        (void)tx_read(m, TX_FILE_MACRO_SEQUENCE, *launch >> 22 & 3u, c->sequence, 32);
        (void)tx_read(m, TX_FILE_MACRO_MISC, 0, c->misc, 32);
    }
    (void)tx_read(m, TX_FILE_USE_LANE_FLAGS, 0, &use, 1);
    (void)tx_read(m, TX_FILE_LANE_CONFIG, 0, lane_config, 8);
    c->all_enabled = use == 0;
    for (unsigned i = 0; i < 8; i++) {
        c->all_enabled = c->all_enabled && lane_config[i] == 0;
    }
}

/* Rule 2: can this word run there? SFPNOP can anywhere but on Store. */
static bool watch_fits(enum tx_arch arch, uint32_t word, unsigned unit)
{
    struct tx_decoded d;
    if (tx_decode(arch, word, &d) != TX_OK || d.row == NULL) {
        return false;
    }
    return d.row->unit == watch_unit[unit] ||
           (strcmp(d.row->mnemonic, "SFPNOP") == 0 && watch_unit[unit] != TX_UNIT_STORE);
}

/* What a launch must report, and what it leaves outstanding. */
static void watch_launch(struct watch *w, const struct watch_config *c, bool *lost, bool *template)
{
    for (unsigned unit = 0; unit < WATCH_UNITS; unit++) {
        const bool store = watch_unit[unit] == TX_UNIT_STORE;
        for (unsigned lane = 0; lane < 32; lane++) {
            const uint32_t bit = 1u << lane;
            const unsigned byte = c->sequence[lane] >> (8 * unit) & 255u;
            const unsigned select = byte & 7u;
            const unsigned delay = byte >> 3 & 7u;
            if (select == 0) {
                continue;
            }
            if (delay != 7 && (w->left[unit][delay] & bit) != 0) {
                *lost = true;
                w->left[unit][delay] &= ~bit;
            }
            const bool fits = select >= 4 ? watch_fits(w->arch, c->template[select - 4][lane], unit)
                              : select == 2 ? !store
                                            : select == 3 && store;
            /* SFPSTORE for another sub-unit becomes SFPNOP as a template does, without a word. */
            *template |= select == 1 || (select >= 4 && !fits) || (store && !fits);
            if (select == 1 || (store && !fits)) {
                continue;
            }
            w->left[unit][delay] |= bit;
            w->by_instruction[unit][delay] &= ~bit;
            w->by_instruction[unit][delay] |= (c->misc[lane] >> (8 + unit) & 1u) != 0 ? bit : 0;
        }
    }
}

/* Rule 3: what was due has run; one step for everything outstanding, or for nothing. */
static void watch_tick(struct watch *w, bool issued)
{
    uint32_t waits = 0;
    for (unsigned unit = 0; unit < WATCH_UNITS; unit++) {
        w->left[unit][0] = 0;
        for (unsigned delay = 0; delay < 8; delay++) {
            waits |= w->left[unit][delay] & w->by_instruction[unit][delay];
        }
    }
    for (unsigned unit = 0; unit < WATCH_UNITS && (issued || waits == 0); unit++) {
        for (unsigned delay = 0; delay < 7; delay++) {
            w->left[unit][delay] = w->left[unit][delay + 1];
            w->by_instruction[unit][delay] = w->by_instruction[unit][delay + 1];
        }
        w->left[unit][7] = w->by_instruction[unit][7] = 0;
    }
}

static bool watch_idle(const struct watched *s)
{
    return strcmp(s->name, "SFPNOP") == 0;
}

static bool watch_writes(const struct watched *s)
{
    return s->vd < 8 || s->vd == 16;
}

/* Rules 5 and 6, where all lanes are enabled and destinations exist. */
static bool watch_port(const struct watch *w)
{
    bool broken = false;
    for (unsigned i = 0; i < w->count; i++) {
        const struct watched *a = &w->seen[i];
        if (watch_idle(a) || !watch_writes(a)) {
            continue;
        }
        const bool side = a->unit == TX_UNIT_SIMPLE || a->unit == TX_UNIT_ROUND;
        broken |= side && (a->lanes & w->swapping) != 0;
        for (unsigned k = 0; k < w->count && a->unit == TX_UNIT_SIMPLE; k++) {
            const struct watched *b = &w->seen[k];
            if (watch_idle(b) || !watch_writes(b) || (a->lanes & b->lanes) == 0) {
                continue;
            }
            broken |= b->unit == TX_UNIT_ROUND && (a->scheduled || b->scheduled) &&
                      (a->vd == 16) == (b->vd == 16);
            broken |= b->unit == TX_UNIT_MAD && a->scheduled && strcmp(a->name, "SFPSWAP") == 0;
        }
    }
    return broken;
}

/* A regular instruction gives way in the lanes that a scheduled one takes (rule 4). */
static bool watch_drop(struct watch *w)
{
    bool dropped = false;
    for (unsigned i = 0; i < w->count; i++) {
        for (unsigned k = 0; k < w->count && !w->seen[i].scheduled; k++) {
            if (w->seen[k].scheduled && w->seen[k].unit == w->seen[i].unit) {
                dropped |= w->seen[k].lanes != 0;
                w->seen[i].lanes &= ~w->seen[k].lanes;
            }
        }
    }
    return dropped;
}

/*
 * One cycle. False: *why says what is missing. *accepted as tx_cycle. The machine's sink is
 * watch_event, and findings are forgotten before, so that every cycle speaks for itself.
 */
static bool watch_cycle(struct watch *w, tx_machine *m, unsigned thread, const uint32_t *word,
                        bool *accepted, enum tx_status *status, const char **why)
{
    struct watch_config config;
    const bool macro = word != NULL && *word >> 24 == SFPLOADMACRO_OPCODE;
    uint32_t due[WATCH_UNITS];
    uint32_t ran[WATCH_UNITS] = {0};
    bool issued = false;
    bool lost = false;
    bool template = false;
    watch_read(m, macro ? word : NULL, &config);
    tx_findings_clear(m);
    w->count = 0;
    w->drop = w->lost = w->port = w->template = false;
    for (unsigned unit = 0; unit < WATCH_UNITS; unit++) {
        due[unit] = w->left[unit][0];
    }
    *status = tx_cycle(m, thread, word, accepted);
    if (*status != TX_OK) {
        return true; /* stopped: what was due may not have run */
    }
    for (unsigned i = 0; i < w->count; i++) {
        issued |= !w->seen[i].scheduled;
        for (unsigned unit = 0; unit < WATCH_UNITS; unit++) {
            ran[unit] |=
                w->seen[i].scheduled && w->seen[i].unit == watch_unit[unit] ? w->seen[i].lanes : 0;
        }
    }
    watch_tick(w, issued);
    if (macro && *accepted) {
        watch_launch(w, &config, &lost, &template);
    }
    const bool dropped = watch_drop(w);
    const bool port = config.all_enabled && watch_port(w);
    uint32_t swapping = 0;
    for (unsigned i = 0; i < w->count; i++) {
        const struct watched *s = &w->seen[i];
        swapping |=
            s->scheduled && strcmp(s->name, "SFPSWAP") == 0 && config.all_enabled ? s->lanes : 0;
    }
    w->swapping = swapping;
    *why = memcmp(due, ran, sizeof due) != 0 ? "another schedule"
           : dropped != w->drop              ? "E-DROP"
           : lost != w->lost                 ? "E-LOST"
           : port && !w->port                ? "E-PORT"
           : template && !w->template        ? "E-TEMPLATE"
                                             : NULL;
    return *why == NULL;
}

/* Something is outstanding that idle cycles will bring to run. */
static bool watch_running(const struct watch *w)
{
    uint32_t any = 0;
    uint32_t waits = 0;
    for (unsigned unit = 0; unit < WATCH_UNITS; unit++) {
        if (w->left[unit][0] != 0) {
            return true;
        }
        for (unsigned delay = 0; delay < 8; delay++) {
            any |= w->left[unit][delay];
            waits |= w->left[unit][delay] & w->by_instruction[unit][delay];
        }
    }
    return any != 0 && waits == 0;
}

#endif
