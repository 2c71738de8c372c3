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
static void sweep_gate_say(struct sweep_verdict_text *v, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void sweep_gate_say(struct sweep_verdict_text *v, bool good, const char *format, ...)
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

/* The budget's row for a sweep; *other: see budget_find. */
static const struct budget_entry *row_of(const struct txl_sweep *s, struct sweep_budget_key *k,
                                         const struct budget_entry **other)
{
    sweep_budget_key(s, k);
    return budget_find(&s->gate.budget->budget, k->op, k->key, other);
}

int gate_prepare(struct txl_error *err, struct txl_sweep *s)
{
    const struct txl_sweep_options *o = &s->options;
    s->tolerances[TOLERANCE_OPTIONS] =
        (struct sweep_tolerance){.is = o->has_tolerance, .atol = o->atol, .rtol = o->rtol};
    if (s->gate.budget == NULL) {
        return TXL_CONTINUE;
    }
    struct sweep_budget_key k;
    const struct budget_entry *other = NULL;
    const struct budget_entry *entry = row_of(s, &k, &other);
    if (entry == NULL || !entry->tolerance) {
        return TXL_CONTINUE;
    }
    if (!entry->limited) {
        const struct txl_where where = {.file = s->gate.budget->budget.path, .line = entry->line};
        return txl_fail_at(err, &where, "metric: tolerance without atol or rtol is no limit");
    }
    s->tolerances[TOLERANCE_BUDGET] =
        (struct sweep_tolerance){.is = true, .atol = entry->atol, .rtol = entry->rtol};
    return TXL_CONTINUE;
}

/* "3 results are further than 1e-05 + 0.01 |reference| away" */
static void judge_tolerance(const struct txl_sweep *s, struct sweep_verdict_text *v, unsigned which,
                            const char *where)
{
    const struct sweep_tolerance *t = &s->tolerances[which];
    const unsigned long long beyond = s->stats->beyond[which];
    sweep_gate_say(v, beyond == 0,
                   "%llu result%s further than atol %.6g + rtol %.6g |reference| away%s", beyond,
                   beyond == 1 ? " is" : "s are", t->atol, t->rtol, where);
}

static void judge_row(const struct txl_sweep *s, struct sweep_verdict_text *v)
{
    const struct budget *b = &s->gate.budget->budget;
    const struct budget_entry *other = NULL;
    struct sweep_budget_key k;
    const struct budget_entry *entry = row_of(s, &k, &other);
    const char *file = txl_basename(b->path);
    if (other != NULL) {
        sweep_gate_say(v, false, "%s:%u: another row names as much", file, other->line);
        return;
    }
    /* The table's rule: an entry without arch was measured on Wormhole and applies only there. */
    const bool elsewhere =
        entry != NULL && entry->key[4][0] == '\0' && strcmp(k.key[4], "WORMHOLE") != 0;
    if (entry == NULL || (elsewhere && !entry->tolerance)) {
        sweep_gate_say(v, false, "%s has no row for %s {in: %s, out: %s, dest: %s, arch: %s}", file,
                       k.op, k.key[0], k.key[1], k.key[3], k.key[4]);
        if (entry != NULL) {
            sweep_gate_say(v, false, "line %u names no arch and is of WORMHOLE", entry->line);
        }
        return;
    }
    const unsigned long long steps = s->stats->max_steps;
    const unsigned long long lost = s->stats->nonfinite;
    const bool good = steps <= entry->max_ulp;
    if (entry->tolerance) {
        char where[96];
        snprintf(where, sizeof where, " in %.60s:%u", file, entry->line);
        judge_tolerance(s, v, TOLERANCE_BUDGET, where);
    } else {
        sweep_gate_say(v, good, "%llu steps of %llu in %s:%u", steps,
                       (unsigned long long)entry->max_ulp, file, entry->line);
    }
    if (lost > entry->nonfinite) {
        sweep_gate_say(
            v, false,
            "%llu results are not finite where the reference is or the other way round, %llu "
            "allowed",
            lost, (unsigned long long)entry->nonfinite);
    }
    if (!good && entry->floored && !entry->tolerance) {
        sweep_gate_say(v, false, "its near_zero_atol is not applied");
    }
}

bool gate_is(const struct txl_sweep *s)
{
    return s->gate.has_max || s->gate.budget != NULL || s->tolerances[TOLERANCE_OPTIONS].is;
}

static bool misses(const struct txl_sweep *s, const struct sweep_special *one)
{
    const struct number_format *f = number_format(s->out);
    const struct sweep_tolerance *t = &s->tolerances[TOLERANCE_OPTIONS];
    const double want = number_value(f, one->expected);
    const double error = fabs(number_value(f, word_flush(f, one->got)) - want);
    return (s->gate.has_max && one->verdict.ulp > s->gate.max_ulp) ||
           (t->is && one->verdict.ulp != 0.0 && error > t->atol + t->rtol * fabs(want));
}

/* Special values within the domain's ranges count as its inputs do, be they of its format or not.
 */
static void judge_specials(const struct txl_sweep *s, struct sweep_verdict_text *v)
{
    for (unsigned i = 0; i < s->special_count; i++) {
        const struct sweep_special *one = &s->special[i];
        const bool lost = isinf(one->verdict.ulp) != 0;
        if (!(lost ? one->verdict.nonfinite : misses(s, one)) ||
            !domain_spans(&s->domain, one->x)) {
            continue;
        }
        char x[SWEEP_INPUTS][48];
        for (unsigned k = 0; k < 2; k++) {
            number_text(s->dst, one->x[k], x[k], sizeof x[k]);
        }
        sweep_gate_say(v, false, "special value %s%s%s: %s", x[0],
                       s->domain.operands > 1 ? ", " : "", s->domain.operands > 1 ? x[1] : "",
                       sweep_outcome_names[one->verdict.outcome]);
        return;
    }
}

void gate_judge(struct txl_sweep *s)
{
    const struct sweep_gate *gate = &s->gate;
    struct sweep_verdict_text *v = &s->verdict;
    char covered[320];
    *v = (struct sweep_verdict_text){.passed = true};
    if (!gate_is(s)) {
        return;
    }
    const double max = s->stats->worst_count > 0 ? s->stats->worst[0].ulp : 0.0;
    if (gate->has_max) {
        sweep_gate_say(v, max <= gate->max_ulp, "max error %.6g ULP of %.6g", max, gate->max_ulp);
    }
    if (s->tolerances[TOLERANCE_OPTIONS].is) {
        judge_tolerance(s, v, TOLERANCE_OPTIONS, "");
    }
    if (gate->has_max || s->tolerances[TOLERANCE_OPTIONS].is) {
        if (s->stats->nonfinite != 0) {
            sweep_gate_say(
                v, false,
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
        sweep_gate_say(v, false, "%llu finding%s, %s", (unsigned long long)findings,
                       findings == 1 ? "" : "s",
                       findings > 0 ? s->findings.list[0].finding.message : "not kept");
    }
    if (!sweep_whole(s)) {
        sweep_gate_say(v, false, "%s", sweep_covered_text(s, covered, sizeof covered));
    }
}
