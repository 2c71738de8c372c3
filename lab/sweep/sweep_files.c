/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the files of a sweep: CSV with the columns of the accuracy report, and YAML in the form of
 * the budget.
 */
#include "sweep/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/quote.h"

int txl_sweep_check_file(struct txl_error *err, const char *path)
{
    struct outfile file;
    if (strcmp(path, "-") == 0) {
        return txl_fail(err, "'-' is no name of a file, and stdout has the report: name a file");
    }
    int error = outfile_open(&file, path);
    if (error == 0) {
        outfile_discard(&file);
        return TXL_OK;
    }
    struct txl_where where = {.file = path};
    return txl_fail_at(err, &where, "%s", strerror(error));
}

int sweep_write(struct txl_error *err, const char *path, const void *what,
                void (*write)(FILE *out, const void *what))
{
    struct memory_text text;
    int result = memory_text_open(err, &text);
    if (result != TXL_CONTINUE) {
        return result;
    }
    write(text.stream, what);
    result = memory_text_close(err, &text);
    if (result == TXL_CONTINUE) {
        result = txl_write_file(err, path, text.text, text.size);
        free(text.text);
    }
    return result;
}

bool sweep_line_at(const struct txl_sweep *s, uint64_t block, struct sweep_line *line)
{
    const struct sweep_block *b = &s->blocks[block];
    if (b->offset == UINT32_MAX) {
        return false;
    }
    uint32_t words[SWEEP_INPUTS][1] = {{0}};
    uint32_t *const in[] = {words[0], words[1], words[2]};
    domain_fill(&s->domain, block * s->block + (b->offset & 0xffffffU), 1, in);
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        const bool some = k < s->domain.operands;
        line->inputs[k] = some ? tx_dst_encode(s->dst, words[k][0], &(bool){false}) : 0;
    }
    line->expected = b->expected;
    line->got = b->got;
    line->outcome = (enum txl_outcome)(b->offset >> 24);
    line->ulp = sweep_verdict_of(number_format(s->out), b->expected, false, b->got).ulp;
    return true;
}

static void csv_line(FILE *out, const struct txl_sweep *s, const struct sweep_line *line)
{
    char text[48];
    for (unsigned k = 0; k < s->domain.operands; k++) {
        fprintf(out, "%s,", number_text(s->dst, line->inputs[k], text, sizeof text));
    }
    fprintf(out, "%s,", number_text(s->out, line->got, text, sizeof text));
    fprintf(out, "%s,", number_text(s->out, line->expected, text, sizeof text));
    if (isinf(line->ulp)) {
        fprintf(out, "nan,nan");
    } else {
        double got = number_of(s->out, line->got, false);
        double expected = number_of(s->out, line->expected, false);
        bool numbers = isfinite(got) && isfinite(expected);
        double error = numbers && line->ulp != 0.0 ? fabs(got - expected) : 0;
        fprintf(out, "%.9g,%.9g", line->ulp, error);
    }
    fprintf(out, ",%s,", sweep_outcome_names[line->outcome]);
    quote_csv(out, s->reference.name);
    fprintf(out, ",%s,%s,tile\n", tx_arch_short(tx_program_arch(s->kernel.program)),
            tx_dst_format_name(s->out));
}

static void write_points(FILE *out, const void *what)
{
    const struct txl_sweep *s = what;
    char covered[320];
    if (!sweep_whole(s)) {
        fputs("# ", out);
        quote_comment(out, sweep_covered_text(s, covered, sizeof covered));
        fputc('\n', out);
    }
    fputs(s->domain.operands == 1 ? "x" : s->domain.operands == 2 ? "x0,x1" : "x0,x1,x2", out);
    fputs(",y,y_ref,ulp_error,abs_error,outcome,op,variant,dtype,layout\n", out);
    for (uint64_t block = 0; block * s->block < s->domain.count; block++) {
        struct sweep_line line;
        if (sweep_line_at(s, block, &line)) {
            csv_line(out, s, &line);
        }
    }
}

int txl_sweep_points(struct txl_error *err, const txl_sweep *s, const char *path)
{
    return sweep_write(err, path, s, write_points);
}

/*
 * Rules from tests/python_tests/helpers/sfpu_accuracy_budget.yaml of tt-llk: errors count in steps
 * between representable values, with a tenth of headroom except for 0 of an exhaustive sweep. The
 * limit is 5 % of the significand; beyond it an entry keeps its tolerance.
 */
static uint64_t ceiling_of(enum tx_dst_format dst)
{
    return dst == TX_DST_FORMAT_FP32 ? 419431 : dst == TX_DST_FORMAT_BF16 ? 7 : 52;
}

static const char *vendor_format(enum tx_dst_format dst)
{
    return dst == TX_DST_FORMAT_FP32   ? "Float32"
           : dst == TX_DST_FORMAT_BF16 ? "Float16_b"
                                       : "Float16";
}

static const char *input_format(const struct txl_sweep *s)
{
    switch (s->domain.axis[0].kind) {
    case AXIS_BF16:
        return "Float16_b";
    case AXIS_FP16:
        return "Float16";
    case AXIS_TF32:
        return "Tf32";
    default:
        return "Float32";
    }
}

/* Derives the table's name of the operation from the name of the reference. */
static void op_name(const char *reference, char op[64])
{
    const char *name = strcmp(reference, "recip") == 0 ? "reciprocal" : txl_basename(reference);
    snprintf(op, 64, "%.*s", (int)strcspn(name, "."), name);
    op[0] = (char)toupper((unsigned char)op[0]);
    for (char *p = op; *p != '\0'; p++) {
        *p = (char)(isalnum((unsigned char)*p) ? *p : '_'); /* a file can have any name */
    }
}

void sweep_budget_key(const struct txl_sweep *s, struct sweep_budget_key *k)
{
    op_name(s->reference.name, k->op);
    k->key[0] = input_format(s);
    k->key[1] = vendor_format(s->out);
    k->key[2] = "";
    k->key[3] = s->dst == TX_DST_FORMAT_FP32 ? "Yes" : "No";
    k->key[4] = tx_program_arch(s->kernel.program) == TX_BLACKHOLE ? "BLACKHOLE" : "WORMHOLE";
}

static void write_row(FILE *out, const struct txl_sweep *s)
{
    const struct sweep_stats *stats = s->stats;
    uint64_t measured = stats->max_steps;
    uint64_t ceiling = ceiling_of(s->out);
    uint64_t budget = (measured * 11 + 9) / 10;
    if (measured == 0 && !domain_exhaustive(&s->domain)) {
        budget = 1; /* a sample cannot guarantee exactness */
    }
    if (measured <= ceiling && budget > ceiling) {
        budget = ceiling;
    }
    bool gated = stats->nonfinite == 0 && budget <= ceiling;
    struct sweep_budget_key k;
    sweep_budget_key(s, &k);
    fprintf(out, "  - {in: %s, out: %s, dest: \"%s\", arch: %s, ", k.key[0], k.key[1], k.key[3],
            k.key[4]);
    if (gated) {
        fprintf(out, "max_ulp: %llu", (unsigned long long)budget);
    } else {
        fprintf(out, "metric: tolerance, atol: %.3g, rtol: %.3g", 1.1 * stats->max_zero,
                1.1 * stats->max_rel);
    }
    fprintf(out, ", measured: %llu", (unsigned long long)measured);
    if (stats->nonfinite != 0) {
        fprintf(out, ", nonfinite: %llu", (unsigned long long)stats->nonfinite);
    }
    fprintf(out, ", %s: %s}  # max %llu ULP", domain_exhaustive(&s->domain) ? "run" : "sampled",
            s->date, (unsigned long long)measured);
    if (!gated && budget > ceiling) {
        fprintf(out, ", budget would be %llu > %llu-step ceiling", (unsigned long long)budget,
                (unsigned long long)ceiling);
    }
}

int sweep_yaml_entry(struct txl_error *err, const struct txl_sweep *s, char **entry, size_t *key)
{
    struct memory_text text;
    int result = memory_text_open(err, &text);
    if (result == TXL_CONTINUE) {
        write_row(text.stream, s);
        result = memory_text_close(err, &text);
    }
    if (result == TXL_CONTINUE) {
        const char *value = strstr(text.text, "max_ulp:");
        value = value != NULL ? value : strstr(text.text, "metric:");
        *entry = text.text;
        *key = value != NULL ? (size_t)(value - text.text) : text.size;
    }
    return result;
}
