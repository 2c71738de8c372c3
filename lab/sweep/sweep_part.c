/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the contents of a state file into a sweep. The file is untrusted input: everything that is
 * used as an index, terminates a text or is printed is checked first, even though the file has a
 * checksum.
 */
#include "sweep/sweep.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Accepts dates like "2026-11-22". */
bool state_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    size_t i = 0;
    while (form[i] != '\0' &&
           (form[i] == 'd' ? isdigit((unsigned char)text[i]) != 0 : text[i] == form[i])) {
        i++;
    }
    return form[i] == '\0' && text[i] == '\0';
}

/* Tells whether a text is terminated within size and has only printable ASCII. */
static bool is_text(const char *text, size_t size)
{
    const char *end = memchr(text, '\0', size);
    for (const char *p = text; end != NULL && p < end; p++) {
        if ((unsigned char)*p < ' ' || (unsigned char)*p > '~') {
            return false;
        }
    }
    return end != NULL;
}

static bool good_case(const struct txl_sweep *s, const struct ulp_case *one)
{
    return one->index == UINT64_MAX || (one->index < s->domain.count && one->ulp >= 0);
}

static bool good_stats(const struct txl_sweep *s, const struct sweep_stats *t)
{
    bool good = t->worst_count <= SWEEP_WORST && t->count <= s->domain.count &&
                t->exact <= t->count && t->mismatched <= t->count && t->max_abs >= 0.0 &&
                t->max_rel >= 0.0 && t->max_zero >= 0.0 && good_case(s, &t->first_break) &&
                good_case(s, &t->far);
    for (unsigned i = 0; good && i < t->worst_count; i++) {
        good = good_case(s, &t->worst[i]) && t->worst[i].index != UINT64_MAX;
    }
    for (unsigned i = 0; good && i < TXL_OUTCOMES; i++) {
        /* where an outcome occurred, its first and last input must be present */
        good = good_case(s, &t->first[i]) && good_case(s, &t->last[i]) &&
               t->outcomes[i] <= t->count &&
               (t->outcomes[i] == 0) == (t->first[i].index == UINT64_MAX) &&
               (t->outcomes[i] == 0) == (t->last[i].index == UINT64_MAX);
    }
    for (size_t i = 0; good && i < SWEEP_BINS; i++) {
        good = !isnan(t->bins[i].max);
    }
    return good;
}

static bool good_findings(const struct txl_sweep *s, const struct sweep_findings *f)
{
    bool good = f->count <= SWEEP_FINDINGS;
    for (uint64_t i = 0; good && i < f->count; i++) {
        const struct tx_finding *one = &f->list[i].finding;
        const unsigned category = (unsigned)one->category;
        good = category > TX_NONE && category < TX_CATEGORY_COUNT &&
               one->arch == tx_program_arch(s->kernel.program) && one->thread < TX_THREADS &&
               is_text(f->list[i].rule, sizeof f->list[i].rule) &&
               is_text(one->message, sizeof one->message);
    }
    return good;
}

static bool good_block(const struct txl_sweep *s, uint64_t number, const struct sweep_block *b)
{
    const uint64_t offset = b->offset & 0xFFFFFFu;
    return b->offset == UINT32_MAX || (b->offset >> 24 < TXL_OUTCOMES && offset < s->block &&
                                       number * s->block + offset < s->domain.count);
}

static bool good_blocks(const struct txl_sweep *s, const struct sweep_part *part)
{
    bool good = true;
    for (uint64_t i = 0; good && i < SWEEP_BLOCKS; i++) {
        good = good_block(s, i, &part->blocks[i]);
    }
    return good;
}

bool state_good(const struct txl_sweep *s, const struct sweep_part *part)
{
    return good_stats(s, part->stats) && good_findings(s, part->findings) && good_blocks(s, part);
}

int state_merge(struct txl_error *err, struct txl_sweep *s, const char *path,
                const struct sweep_part *part)
{
    const struct txl_where where = {.file = path};
    if (!state_good(s, part)) {
        return txl_fail_at(err, &where, "the state of a sweep, damaged");
    }
    for (uint64_t i = 0; i < s->chunks; i++) {
        if (part->done[i] != 0 && s->done[i] != 0) {
            return txl_fail_at(err, &where, "this part is there twice");
        }
    }
    stats_merge(s->stats, part->stats);
    sweep_findings_merge(&s->findings, part->findings);
    for (uint64_t i = 0; i < s->chunks; i++) {
        s->done[i] |= part->done[i] != 0 ? 1 : 0;
    }
    for (uint64_t i = 0; i < SWEEP_BLOCKS; i++) {
        sweep_block_merge(number_format(s->out), &s->blocks[i], &part->blocks[i]);
    }
    return TXL_CONTINUE;
}
