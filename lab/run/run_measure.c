/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how far a tile is from the expected values. */
#include "run/run.h"

/*
 * Computes the expected words of the first count places; NULL where the formats of input and output
 * differ.
 */
static const uint32_t *by_reference(const struct run_job *job, struct reference_work *reference,
                                    const struct run_result *r, size_t count,
                                    uint32_t expected[TX_TILE_ELEMENTS])
{
    uint8_t below[TX_TILE_ELEMENTS];
    double value[TX_TILE_ELEMENTS];
    if (reference == NULL || job->dst != job->out_dst) {
        return NULL; /* reference_words supports a single format only */
    }
    reference_words(reference, r->held, count, expected, below, value);
    return expected;
}

static void measure(const struct run_job *job, struct reference_work *reference,
                    const struct run_result *r, const uint32_t *known, const struct run_span *span,
                    struct ulp_stats *stats)
{
    for (unsigned i = 0; i < span->length; i++) {
        const unsigned place = span->place + i;
        const uint32_t got = r->got[place];
        if (known != NULL && known[place] == got) {
            stats->count++; /* equal words are equal numbers */
            stats->exact++;
            continue;
        }
        struct ulp_case one = {.index = span->element + i, .got = got};
        for (unsigned k = 0; k < job->input_count && k < REF_INPUTS; k++) {
            one.inputs[k] = r->held[k][place];
        }
        double want;
        if (known != NULL) {
            one.expected = known[place];
            want = number_of(job->out_dst, one.expected, true);
        } else if (reference != NULL) {
            double x[REF_INPUTS] = {0};
            for (unsigned k = 0; k < job->input_count && k < REF_INPUTS; k++) {
                x[k] = number_of(job->dst, one.inputs[k], true);
            }
            want = reference_value(reference, x);
            one.expected = word_of(job->out_dst, want);
        } else {
            one.expected = tx_dst_encode(job->out_dst, r->expected[place], &(bool){false});
            want = number_of(job->out_dst, one.expected, true);
        }
        one.ulp = ulp_error(job->out_dst, want, number_of(job->out_dst, got, true));
        ulp_add(stats, &one);
    }
}

void run_measure(const struct run_job *job, struct reference_work *reference,
                 const struct run_result *r, struct ulp_stats *stats)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    uint32_t expected[TX_TILE_ELEMENTS];
    const unsigned count = run_spans(&job->tiling, r->tile, spans);
    const size_t places = job->tiling.blocks ? TX_TILE_ELEMENTS : spans[0].length;
    const uint32_t *known = by_reference(job, reference, r, places, expected);
    for (unsigned s = 0; s < count; s++) {
        measure(job, reference, r, known, &spans[s], stats);
    }
}
