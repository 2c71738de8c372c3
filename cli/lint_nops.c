/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPNOPs. One is superfluous where the program without it ends in the same state with the same
 * findings, where no scheduled instruction is near, and where the rule for what stands before it
 * asks for none. One is missing where a hazard goes away when it is put in.
 */
#include "lint.h"

#include <stdlib.h>
#include <string.h>

static bool is_nop(const struct lint_result *r, const struct flow_word *w)
{
    return !w->idle && w->site != FLOW_NOWHERE && w->word >> 24 == flow_nop(r->arch) >> 24;
}

static bool same_findings(const struct flow_run *a, const struct flow_run *b)
{
    if (a->count != b->count || a->digest != b->digest || a->stopped != b->stopped) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->found[i].site != b->found[i].site ||
            a->found[i].finding.rule != b->found[i].finding.rule ||
            a->found[i].count != b->found[i].count) {
            return false;
        }
    }
    return true;
}

static const struct tx_row *row_of(const struct lint_result *r, uint32_t word)
{
    static struct tx_decoded d;
    return tx_decode(r->arch, word, &d) == TX_OK ? d.row : NULL;
}

/* The vector instruction before the first place of an SFPNOP in the stream. */
static const struct tx_row *row_before(const struct lint_result *r, uint32_t site,
                                       const bool *removed, unsigned *run)
{
    const struct tx_row *last = NULL;
    *run = 0;
    for (size_t i = 0; i < r->flow.count; i++) {
        const struct flow_word *w = &r->flow.words[i];
        if (w->site == site && !w->idle) {
            break;
        }
        if (w->idle || (w->site != FLOW_NOWHERE && removed[w->site])) {
            continue;
        }
        const struct tx_row *row = row_of(r, w->word);
        bool vector = row != NULL && row->unit >= TX_UNIT_LOAD && row->unit <= TX_UNIT_STORE;
        *run = is_nop(r, w) ? *run + 1 : 0;
        if (vector && !is_nop(r, w)) {
            last = row;
        }
    }
    return last;
}

/* A row of more than eight is a waiting loop (seeding, for one): not judged. */
static bool in_long_row(const struct lint_result *r, size_t at)
{
    size_t first = at;
    size_t last = at;
    while (first > 0 && is_nop(r, &r->flow.words[first - 1])) {
        first--;
    }
    while (last + 1 < r->flow.count && is_nop(r, &r->flow.words[last + 1])) {
        last++;
    }
    return last - first + 1 > 8;
}

static void explain(struct lint_result *r, struct lint_nop *n, const struct tx_row *row,
                    unsigned nops_before)
{
    bool bh = r->arch == TX_BLACKHOLE;
    const char *name = row != NULL ? row->mnemonic : "nothing";
    n->rule = row != NULL ? "timing.md a.2" : "-";
    if (row == NULL || row->latency == 1 || nops_before > 0) {
        snprintf(n->text, sizeof n->text, "the result of %s can be read %s", name,
                 nops_before > 0 && row != NULL && row->latency > 1 ? "one SFPNOP earlier"
                                                                    : "by the next instruction");
    } else if (row->unit == TX_UNIT_SIMPLE) {
        n->rule = "O-7";
        snprintf(n->text, sizeof n->text,
                 "the hardware waits a cycle after SFPSWAP by itself: SFPSWAP, SFPNOP, X takes as "
                 "long as SFPSWAP, X");
    } else if (row->unit == TX_UNIT_ROUND) {
        n->rule = bh ? "R10" : "E-S2";
        snprintf(n->text, sizeof n->text, "%s",
                 bh ? "the hardware waits a cycle after SFPSHFT2 modes 2, 3, 4 by itself"
                    : "nothing that SFPSHFT2 modes 2, 3, 4 forbid follows");
    } else {
        n->rule = bh ? "R10" : "E-HAZ";
        snprintf(n->text, sizeof n->text,
                 bh ? "the interlock sees every read of what follows %s"
                    : "the next instruction does not read the result of %s",
                 name);
    }
}

/* Wormhole's own waiting after SFPSWAP is disputed: keep the SFPNOP, it costs nothing there. */
static bool rule_keeps(const struct lint_result *r, const struct tx_row *row, unsigned nops_before)
{
    return r->arch == TX_WORMHOLE && row != NULL && row->latency == 2 &&
           row->unit == TX_UNIT_SIMPLE && nops_before == 0;
}

static void try_without(struct lint_result *r, struct flow_run *trial, bool *removed, uint32_t site,
                        struct flow_run *base)
{
    unsigned nops_before = 0;
    const struct tx_row *row = row_before(r, site, removed, &nops_before);
    if (r->flow.sites[site].near_macro || rule_keeps(r, row, nops_before) ||
        r->nop_count == LINT_NOPS) {
        return;
    }
    removed[site] = true;
    trial->removed = removed;
    trial->insert = FLOW_NOWHERE;
    trial->seed = base->seed;
    if (flow_run(&r->flow, trial) != TX_OK || !same_findings(base, trial)) {
        removed[site] = false;
        return;
    }
    struct lint_nop *n = &r->nops[r->nop_count++];
    n->site = site;
    n->cycles = base->cycles > trial->cycles ? base->cycles - trial->cycles : 0;
    n->kind = n->cycles > 0 ? NOP_SUPERFLUOUS : NOP_FREE;
    explain(r, n, row, nops_before);
    base->cycles = trial->cycles;
}

static void missing(struct lint_result *r, struct flow_run *trial)
{
    for (size_t i = 0; i < r->run.count; i++) {
        struct flow_found *f = &r->run.found[i];
        if (f->finding.category != TX_HAZARD || f->producer == FLOW_NOWHERE ||
            f->finding.rule[0] == 'L') {
            continue;
        }
        trial->removed = NULL;
        trial->insert = f->site;
        trial->insert_word = flow_nop(r->arch);
        trial->seed = r->run.seed;
        bool gone = flow_run(&r->flow, trial) == TX_OK && trial->count < r->run.count;
        for (size_t k = 0; gone && k < trial->count; k++) {
            gone =
                trial->found[k].site != f->site || trial->found[k].finding.rule != f->finding.rule;
        }
        f->cured = gone;
    }
}

bool lint_nops(struct lint_result *r)
{
    struct flow_run *trial = malloc(sizeof *trial);
    struct flow_run *base = malloc(sizeof *base);
    bool *removed = calloc(r->flow.site_count + 1, sizeof *removed);
    bool *tried = calloc(r->flow.site_count + 1, sizeof *tried);
    bool good = trial != NULL && base != NULL && removed != NULL && tried != NULL;
    if (good) {
        *base = r->run;
        missing(r, trial);
        for (size_t i = 0; i < r->flow.count; i++) {
            const struct flow_word *w = &r->flow.words[i];
            if (is_nop(r, w) && !tried[w->site] && !in_long_row(r, i)) {
                tried[w->site] = true;
                try_without(r, trial, removed, w->site, base);
            }
        }
    }
    free(trial);
    free(base);
    free(removed);
    free(tried);
    return good;
}
