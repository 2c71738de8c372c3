/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/ulp.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

/* Half of a unit of 1/1024 goes up. */
static long double rounded(double ulp)
{
    const double scaled = ulp * 1024.0;
    if (scaled >= 0x1p52) {
        return ulp;
    }
    const double whole = (double)(int64_t)scaled;
    return (whole + (scaled - whole >= 0.5 ? 1.0 : 0.0)) / 1024.0L;
}

double ulp_error(enum tx_dst_format format, double expected, double got)
{
    if (isnan(expected) && isnan(got)) {
        return 0.0;
    }
    if (isnan(expected) || isnan(got)) {
        return (double)INFINITY;
    }
    if (isinf(expected) || isinf(got)) {
        return expected == got ? 0.0 : (double)INFINITY;
    }
    const struct number_format *f = number_format(format);
    return f->integer ? fabs(got - expected) : ulp_units(f, expected, got - expected);
}

double txl_ulp(enum tx_dst_format format, uint32_t expected, uint32_t got)
{
    return ulp_error(format, number_of(format, expected, true), number_of(format, got, true));
}

unsigned ulp_keep(struct ulp_case *worst, unsigned count, unsigned most, const struct ulp_case *one)
{
    unsigned place = count;
    while (place > 0) {
        const struct ulp_case *before = &worst[place - 1];
        if (before->ulp > one->ulp || (before->ulp == one->ulp && before->index < one->index)) {
            break;
        }
        place--;
    }
    if (place == most) {
        return count;
    }
    count += count < most ? 1 : 0;
    for (unsigned i = count - 1; i > place; i--) {
        worst[i] = worst[i - 1];
    }
    worst[place] = *one;
    return count;
}

static void keep_worst(struct ulp_stats *stats, const struct ulp_case *one)
{
    stats->worst_count = ulp_keep(stats->worst, stats->worst_count, ULP_WORST, one);
}

void ulp_add(struct ulp_stats *stats, const struct ulp_case *one)
{
    stats->count++;
    if (one->ulp == 0.0) {
        stats->exact++;
        return;
    }
    if (isinf(one->ulp)) {
        stats->mismatched++;
    } else {
        stats->sum += rounded(one->ulp);
        stats->max = one->ulp > stats->max ? one->ulp : stats->max;
    }
    keep_worst(stats, one);
}

void ulp_merge(struct ulp_stats *into, const struct ulp_stats *from)
{
    into->count += from->count;
    into->exact += from->exact;
    into->mismatched += from->mismatched;
    into->sum += from->sum;
    into->max = from->max > into->max ? from->max : into->max;
    for (unsigned i = 0; i < from->worst_count; i++) {
        keep_worst(into, &from->worst[i]);
    }
}

double ulp_mean(const struct ulp_stats *stats)
{
    uint64_t count = stats->count - stats->mismatched;
    return count == 0 ? 0.0 : (double)(stats->sum / (long double)count);
}

static void print_number(FILE *stream, enum tx_dst_format format, uint32_t word)
{
    char text[48];
    fprintf(stream, "%15s %08x", number_text(format, word, text, sizeof text), word);
}

void ulp_print(FILE *stream, const struct ulp_stats *stats, enum tx_dst_format in,
               enum tx_dst_format out, unsigned inputs)
{
    const char *unit = number_format(out)->integer ? "" : " ULP";
    fprintf(stream, "max error       %.6g%s\n", stats->max, unit);
    fprintf(stream, "mean error      %.6g%s\n", ulp_mean(stats), unit);
    fprintf(stream, "exact           %llu of %llu (%.3f%%)\n", (unsigned long long)stats->exact,
            (unsigned long long)stats->count,
            stats->count == 0 ? 100.0 : 100.0 * (double)stats->exact / (double)stats->count);
    if (stats->mismatched != 0) {
        fprintf(stream, "mismatched      %llu (NaN or infinity against something else)\n",
                (unsigned long long)stats->mismatched);
    }
    for (unsigned i = 0; i < stats->worst_count; i++) {
        const struct ulp_case *one = &stats->worst[i];
        fprintf(stream, "%s element %llu:", i == 0 ? "worst" : "     ",
                (unsigned long long)one->index);
        for (unsigned k = 0; k < inputs; k++) {
            fprintf(stream, " x");
            if (inputs > 1) {
                fprintf(stream, "%u", k);
            }
            print_number(stream, in, one->inputs[k]);
        }
        fprintf(stream, "  expected");
        print_number(stream, out, one->expected);
        fprintf(stream, "  got");
        print_number(stream, out, one->got);
        if (isinf(one->ulp)) {
            fprintf(stream, "  mismatch\n");
        } else {
            fprintf(stream, "  %.6g%s\n", one->ulp, unit);
        }
    }
}

static json_t *number_json(enum tx_dst_format format, uint32_t word)
{
    json_t *object = json_object();
    char text[48];
    jx_set_text(object, "text", number_text(format, word, text, sizeof text));
    jx_set_hex(object, "hex", word);
    return object;
}

json_t *ulp_case_json(const struct ulp_case *one, enum tx_dst_format in, enum tx_dst_format out,
                      unsigned inputs)
{
    json_t *object = json_object();
    json_t *list = json_array();
    jx_set_int(object, "element", one->index);
    for (unsigned k = 0; k < inputs; k++) {
        json_array_append_new(list, number_json(in, one->inputs[k]));
    }
    json_object_set_new(object, "inputs", list);
    json_object_set_new(object, "expected", number_json(out, one->expected));
    json_object_set_new(object, "got", number_json(out, one->got));
    jx_set_real(object, "ulp", one->ulp);
    return object;
}

json_t *ulp_json(const struct ulp_stats *stats, enum tx_dst_format in, enum tx_dst_format out,
                 unsigned inputs)
{
    json_t *object = json_object();
    jx_set_int(object, "compared", stats->count);
    jx_set_int(object, "exact", stats->exact);
    jx_set_int(object, "mismatched", stats->mismatched);
    jx_set_real(object, "max_ulp", stats->max);
    jx_set_real(object, "mean_ulp", ulp_mean(stats));
    json_t *worst = json_array();
    for (unsigned i = 0; i < stats->worst_count; i++) {
        json_array_append_new(worst, ulp_case_json(&stats->worst[i], in, out, inputs));
    }
    json_object_set_new(object, "worst", worst);
    return object;
}
