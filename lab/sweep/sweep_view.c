/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a sweep's page: the report, all points of the plot, the histogram and progress. Long
 * columns of numbers are packed: little-endian, contiguous, deflated (RFC 1950), in base64.
 */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "page/page.h"

/* ---- packed columns ---- */

struct column {
    const char *name; /* such as "ulp:f64" for doubles, "x0:u32", "outcome:u8" */
    unsigned size;
    const void *data; /* in the host's byte order */
};

static txl_json *columns_json(const struct column *columns, unsigned count, size_t rows)
{
    size_t size = 0;
    txl_json *names = txl_json_array();
    for (unsigned i = 0; i < count; i++) {
        size += rows * columns[i].size;
        txl_json_append(names, txl_json_string(columns[i].name));
    }
    unsigned char *bytes = malloc(size + 1);
    unsigned char *to = bytes;
    for (unsigned i = 0; i < count && bytes != NULL; i++) {
        const unsigned char *from = columns[i].data;
        for (size_t n = 0; n < rows; n++, from += columns[i].size) {
            uint64_t value = *from;
            if (columns[i].size == sizeof value) {
                memcpy(&value, from, sizeof value);
            } else if (columns[i].size == sizeof(uint32_t)) {
                uint32_t word;
                memcpy(&word, from, sizeof word);
                value = word;
            }
            for (unsigned k = 0; k < columns[i].size; k++) {
                *to++ = (unsigned char)(value >> 8 * k);
            }
        }
    }
    char *text = bytes != NULL ? page_packed(bytes, size) : NULL;
    txl_json *object = text != NULL ? txl_json_object() : NULL;
    txl_json_set_int(object, "rows", rows);
    txl_json_set(object, "columns", names);
    txl_json_set_text(object, "deflate", text != NULL ? text : "");
    free(text);
    free(bytes);
    return object;
}

/* ---- points: the lines of --points ---- */

static txl_json *points_json(const txl_sweep *s)
{
    const size_t most = (size_t)((s->domain.count + s->block - 1) / s->block);
    uint32_t *words = malloc((SWEEP_INPUTS + 2) * most * sizeof *words);
    double *ulp = malloc(most * sizeof *ulp);
    uint8_t *outcome = malloc(most);
    txl_json *object = NULL;
    if (words != NULL && ulp != NULL && outcome != NULL) {
        uint32_t *const expected = words + SWEEP_INPUTS * most;
        uint32_t *const got = expected + most;
        size_t n = 0;
        for (uint64_t block = 0; block < most; block++) {
            struct sweep_line line;
            if (!sweep_line_at(s, block, &line)) {
                continue;
            }
            for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
                words[k * most + n] = line.inputs[k];
            }
            expected[n] = line.expected;
            got[n] = line.got;
            ulp[n] = line.ulp;
            outcome[n++] = (uint8_t)line.outcome;
        }
        const struct column all[] = {{"expected:u32", sizeof *words, expected},
                                     {"got:u32", sizeof *words, got},
                                     {"ulp:f64", sizeof *ulp, ulp},
                                     {"outcome:u8", 1, outcome},
                                     {"x0:u32", sizeof *words, words},
                                     {"x1:u32", sizeof *words, words + most},
                                     {"x2:u32", sizeof *words, words + 2 * most}};
        object = columns_json(all, 4 + s->domain.operands, n);
        txl_json_set_int(object, "each", s->block);
    }
    free(words);
    free(ulp);
    free(outcome);
    return object;
}

/* ---- bins: largest and mean error along the input ---- */

/* Adds what the chunks that are done have of each bin. */
static void count_done(const txl_sweep *s, uint64_t done[SWEEP_BINS])
{
    memset(done, 0, SWEEP_BINS * sizeof *done);
    for (uint64_t chunk = 0; chunk < s->chunks; chunk++) {
        for (unsigned k = 0; k < ORDER_STRANDS && s->done[chunk] != 0; k++) {
            const struct order_piece piece = order_piece(&s->order, chunk, k);
            const uint64_t end = piece.first + piece.count;
            for (uint64_t first = piece.first; first < end;) {
                const uint64_t stop = domain_bin_end(&s->domain, first);
                done[domain_bin(&s->domain, first)] += (stop < end ? stop : end) - first;
                first = stop;
            }
        }
    }
}

static txl_json *bins_json(const txl_sweep *s)
{
    uint32_t word[SWEEP_BINS];
    double max[SWEEP_BINS];
    double mean[SWEEP_BINS];
    uint64_t counts[SWEEP_BINS];
    size_t n = 0;
    count_done(s, counts);
    for (uint64_t first = 0; first < s->domain.count;) {
        const unsigned at = domain_bin(&s->domain, first);
        const struct sweep_bin *bin = &s->stats->bins[at];
        uint64_t end = domain_bin_end(&s->domain, first);
        end = end < s->domain.count ? end : s->domain.count;
        const uint64_t done = counts[at];
        if (done > 0) {
            const uint64_t numbers = done - (bin->mismatched < done ? bin->mismatched : done);
            word[n] = domain_bin_word(&s->domain.axis[0], at, SWEEP_BINS);
            max[n] = bin->max;
            mean[n++] = numbers == 0             ? (double)NAN
                        : bin->sum == UINT64_MAX ? (double)INFINITY
                                                 : (double)bin->sum / 1024.0 / (double)numbers;
        }
        first = end;
    }
    const struct column all[] = {{"x0:u32", sizeof *word, word},
                                 {"max:f64", sizeof *max, max},
                                 {"mean:f64", sizeof *mean, mean}};
    return columns_json(all, 3, n);
}

/* With several operands: the largest error and the mismatches of each square of the first two. */
static txl_json *grid_json(const txl_sweep *s)
{
    uint32_t x[2][SWEEP_GRID];
    uint32_t mismatched[SWEEP_BINS];
    double max[SWEEP_BINS];
    for (unsigned i = 0; i < SWEEP_BINS; i++) {
        const uint64_t lost = s->stats->bins[i].mismatched;
        mismatched[i] = lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX;
        max[i] = s->stats->bins[i].max;
    }
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < SWEEP_GRID; i++) {
            x[k][i] = domain_bin_word(&s->domain.axis[k], i, SWEEP_GRID);
        }
    }
    const struct column squares[] = {{"max:f64", sizeof *max, max},
                                     {"mismatched:u32", sizeof *mismatched, mismatched}};
    const struct column axes[] = {{"x0:u32", sizeof *x[0], x[0]}, {"x1:u32", sizeof *x[1], x[1]}};
    txl_json *object = txl_json_object();
    txl_json_set(object, "axes", columns_json(axes, 2, SWEEP_GRID));
    txl_json_set(object, "squares", columns_json(squares, 2, SWEEP_BINS));
    return object;
}

/* ---- histogram and progress ---- */

/*
 * Lists [from, before, inputs] in ULP for bars of an eighth of an octave; errors of 0 are in the
 * figures.
 */
static txl_json *histogram_json(const txl_sweep *s)
{
    enum { EACH = 16 };
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < SWEEP_HISTOGRAM; i += EACH) {
        uint64_t count = 0;
        for (size_t k = i; k < i + EACH; k++) {
            count += s->stats->histogram[k];
        }
        if (count != 0) {
            txl_json *bar = txl_json_array();
            txl_json_append(bar, txl_json_real(stats_histogram_value(i)));
            txl_json_append(bar, txl_json_real(stats_histogram_value(i + EACH)));
            txl_json_append(bar, txl_json_int((int64_t)count));
            txl_json_append(list, bar);
        }
    }
    return list;
}

/*
 * Lists [first, last] of the inputs that are done: of each strand its share, as if it had been run
 * from its beginning. What is done is spread evenly over a strand, in up to 4096 pieces.
 */
static txl_json *done_json(const txl_sweep *s)
{
    txl_json *list = txl_json_array();
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t chunks = 0;
    for (uint64_t chunk = 0; chunk < s->chunks; chunk++) {
        chunks += s->done[chunk] != 0 ? 1 : 0;
    }
    for (uint64_t k = 0; k < ORDER_STRANDS && chunks > 0; k++) {
        const uint64_t from = k * s->domain.count / ORDER_STRANDS;
        const uint64_t whole = (k + 1) * s->domain.count / ORDER_STRANDS - from;
        const uint64_t to = from + whole * chunks / s->chunks;
        first = from == last ? first : from;
        last = to;
        if (to > first && (chunks < s->chunks || k + 1 == ORDER_STRANDS)) {
            txl_json *range = txl_json_array();
            txl_json_append(range, txl_json_int((int64_t)first));
            txl_json_append(range, txl_json_int((int64_t)to - 1));
            txl_json_append(list, range);
        }
    }
    return list;
}

txl_json *txl_sweep_view(struct txl_error *err, const txl_sweep *s,
                         const struct txl_sweep_report *report)
{
    txl_json *root = txl_sweep_json(err, s, report);
    txl_json *points = root != NULL ? points_json(s) : NULL;
    if (points == NULL) {
        txl_json_free(root);
        if (root != NULL) {
            (void)no_memory(err);
        }
        return NULL;
    }
    txl_json *rules = txl_json_array();
    for (unsigned i = 0; i < s->options.rule_count; i++) {
        txl_json_append(rules, txl_json_string(s->options.rules[i]));
    }
    txl_json_set_text(root, "tensix", tx_version());
    txl_json_set_text(root, "title", tx_program_title(s->kernel.program));
    txl_json_set(root, "rules", rules);
    txl_json_set_int(root, "seed", s->options.seed);
    txl_json_set_int(root, "operands", s->domain.operands);
    txl_json_set_bool(root, "integer_in", number_format(s->dst)->integer);
    txl_json_set_bool(root, "integer_out", number_format(s->out)->integer);
    txl_json_set_bool(root, "unsigned_in", number_format(s->dst)->most > 2147483647.0);
    txl_json_set_bool(root, "unsigned_out", number_format(s->out)->most > 2147483647.0);
    txl_json_set_int(root, "done", sweep_inputs(s));
    txl_json_set(root, "done_ranges", done_json(s));
    txl_json_set(root, "histogram", histogram_json(s));
    txl_json_set(root, "points", points);
    txl_json_set(root, "bins", domain_ordered(&s->domain) ? bins_json(s) : txl_json_null());
    txl_json_set(root, "grid", s->domain.operands > 1 ? grid_json(s) : txl_json_null());
    return root;
}

struct html {
    const char *text;
};

static void write_page(FILE *out, const void *what)
{
    const struct html *html = what;
    page_begin(out, PAGE_SWEEP);
    for (const char *c = html->text; *c != '\0'; c++) {
        if (*c == '<') {
            fputs("\\u003c", out); /* occurs only within strings */
        } else {
            putc(*c, out);
        }
    }
    page_end(out, PAGE_SWEEP);
}

int txl_sweep_html(struct txl_error *err, const txl_json *views, const char *path)
{
    char *text = txl_json_line(views);
    if (text == NULL) {
        return no_memory(err);
    }
    const struct html html = {text};
    const int result = sweep_write(err, path, &html, write_page);
    free(text);
    return result;
}
