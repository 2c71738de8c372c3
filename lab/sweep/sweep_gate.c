/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a sweep meets its largest error and its budget. Whatever is not known to be met
 * counts as not met.
 */
#include "sweep/sweep.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Adds a sentence to the verdict. */
static void say(struct sweep_verdict_text *v, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct sweep_verdict_text *v, bool good, const char *format, ...)
{
    size_t used = strlen(v->text);
    int more = snprintf(v->text + used, sizeof v->text - used, "%s", used == 0 ? "" : "; ");
    used += more > 0 ? (size_t)more : 0;
    va_list list;
    va_start(list, format);
    if (used < sizeof v->text) {
        (void)vsnprintf(v->text + used, sizeof v->text - used, format, list);
    }
    va_end(list);
    v->passed = v->passed && good;
}

static void judge_row(const struct txl_sweep *s, struct sweep_verdict_text *v)
{
    const struct budget *b = &s->gate.budget->budget;
    const struct budget_entry *other = NULL;
    struct sweep_budget_key k;
    sweep_budget_key(s, &k);
    const struct budget_entry *entry = budget_find(b, k.op, k.key, &other);
    const char *file = txl_basename(b->path);
    if (other != NULL) {
        say(v, false, "%s:%u: another row names as much", file, other->line);
        return;
    }
    /* The table's rule: an entry without arch was measured on Wormhole and applies only there. */
    const bool elsewhere =
        entry != NULL && entry->key[4][0] == '\0' && strcmp(k.key[4], "WORMHOLE") != 0;
    if (entry == NULL || (elsewhere && !entry->tolerance)) {
        say(v, false, "%s has no row for %s {in: %s, out: %s, dest: %s, arch: %s}", file, k.op,
            k.key[0], k.key[1], k.key[3], k.key[4]);
        if (entry != NULL) {
            say(v, false, "line %u names no arch and is of WORMHOLE", entry->line);
        }
        return;
    }
    const unsigned long long steps = s->stats->max_steps;
    const unsigned long long lost = s->stats->nonfinite;
    if (entry->tolerance) {
        say(v, lost <= entry->nonfinite,
            "%s:%u has no step budget; %llu results are not finite where "
            "the reference is or the other way round, %llu allowed",
            file, entry->line, lost, (unsigned long long)entry->nonfinite);
        return;
    }
    const bool good = steps <= entry->max_ulp && lost <= entry->nonfinite;
    say(v, good, "%llu steps of %llu in %s:%u", steps, (unsigned long long)entry->max_ulp, file,
        entry->line);
    if (lost > entry->nonfinite) {
        say(v, false, "%llu results are not finite where the reference is or the other way round",
            lost);
    }
    if (!good && entry->floored) {
        say(v, false, "its near_zero_atol is not applied");
    }
}

/* Special values within the domain's ranges count as its inputs do, be they of its format or not.
 */
static void judge_specials(const struct txl_sweep *s, struct sweep_verdict_text *v)
{
    for (unsigned i = 0; i < s->special_count; i++) {
        const struct sweep_special *one = &s->special[i];
        const bool lost = isinf(one->verdict.ulp) != 0;
        if (!(lost ? one->verdict.nonfinite : one->verdict.ulp > s->gate.max_ulp) ||
            !domain_spans(&s->domain, one->x)) {
            continue;
        }
        char x[SWEEP_INPUTS][48];
        for (unsigned k = 0; k < 2; k++) {
            number_text(s->dst, one->x[k], x[k], sizeof x[k]);
        }
        say(v, false, "special value %s%s%s: %s", x[0], s->domain.operands > 1 ? ", " : "",
            s->domain.operands > 1 ? x[1] : "", sweep_outcome_names[one->verdict.outcome]);
        return;
    }
}

void gate_judge(struct txl_sweep *s)
{
    const struct sweep_gate *gate = &s->gate;
    struct sweep_verdict_text *v = &s->verdict;
    char covered[320];
    *v = (struct sweep_verdict_text){.passed = true};
    if (!gate->has_max && gate->budget == NULL) {
        return;
    }
    const double max = s->stats->worst_count > 0 ? s->stats->worst[0].ulp : 0.0;
    if (gate->has_max) {
        say(v, max <= gate->max_ulp, "max error %.6g ULP of %.6g", max, gate->max_ulp);
        if (s->stats->nonfinite != 0) {
            say(v, false,
                "%llu mismatches with a reference that is a number, or with NaN for numbers",
                (unsigned long long)s->stats->nonfinite);
        }
        if (v->passed) {
            judge_specials(s, v); /* else they are among what is told already */
        }
    }
    if (gate->budget != NULL) {
        judge_row(s, v);
    }
    const uint64_t findings = s->findings.count;
    if (findings != 0 || s->findings.dropped != 0) {
        say(v, false, "%llu finding%s, %s", (unsigned long long)findings, findings == 1 ? "" : "s",
            findings > 0 ? s->findings.list[0].finding.message : "not kept");
    }
    if (!sweep_whole(s)) {
        say(v, false, "%s", sweep_covered_text(s, covered, sizeof covered));
    }
}
