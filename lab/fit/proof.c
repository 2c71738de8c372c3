/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps the kernel as it is assembled at a point: measures its figures, and finds bad inputs that
 * the search does not have.
 */
#include "fit/fit.h"

#include <stdlib.h>
#include <string.h>

static void take_figures(const txl_sweep *sweep, struct txl_fit_figures *to, double *unrounded)
{
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_figures(sweep, &f);
    txl_sweep_about(sweep, &about);
    *to = (struct txl_fit_figures){.inputs = f.compared,
                                   .mismatched = f.mismatched,
                                   .exact = f.exact,
                                   .findings = about.findings,
                                   .max_ulp = f.max_ulp,
                                   .mean_ulp = f.mean_ulp,
                                   .cycles = about.cycles};
    *unrounded = f.max_unrounded;
}

/* Adds the worst inputs of a sweep to the data, if the search has only a sample. */
static int grow(struct txl_error *err, struct txl_fit *fit, const txl_sweep *sweep, size_t *grown)
{
    uint32_t in[FIT_INPUTS][TXL_SWEEP_WORST];
    const uint32_t *all[FIT_INPUTS];
    struct txl_sweep_case one;
    size_t count = 0;
    while (count < TXL_SWEEP_WORST && txl_sweep_case(sweep, TXL_CASE_WORST, count, &one)) {
        for (unsigned i = 0; i < FIT_INPUTS; i++) {
            in[i][count] = one.inputs[i];
        }
        count++;
    }
    for (unsigned i = 0; i < FIT_INPUTS; i++) {
        all[i] = in[i];
    }
    return fit_data_grow(err, fit, all, count, grown);
}

int fit_sweep(struct txl_error *err, struct txl_fit *fit, const struct fit_point *point,
              struct txl_fit_figures *figures, double *unrounded, size_t *grown)
{
    const struct txl_fit_options *o = &fit->options;
    struct tx_program *program = NULL;
    txl_sweep *sweep = NULL;
    int result = fit_build(err, fit, point, &program);
    *grown = 0;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct txl_sweep_options how = {.size = sizeof how,
                                          .kernel = o->kernel,
                                          .program = program,
                                          .dst = o->dst,
                                          .out = o->out,
                                          .domain = o->domain,
                                          .stride = o->stride,
                                          .sample = o->sample,
                                          .reference = o->reference,
                                          .function = o->function,
                                          .function_user = o->function_user,
                                          .rules = o->rules,
                                          .rule_count = o->rule_count,
                                          .compiler = o->compiler,
                                          .jobs = o->jobs,
                                          .progress = o->progress,
                                          .user = o->user};
    result = txl_sweep_open(err, &how, &sweep);
    if (result == TXL_OK) {
        result = txl_sweep_run(err, sweep);
    }
    if (result == TXL_OK) {
        result = txl_sweep_finish(err, sweep);
    }
    if (result == TXL_OK) {
        take_figures(sweep, figures, unrounded);
        result = fit->whole ? TXL_CONTINUE : grow(err, fit, sweep, grown);
    }
    txl_sweep_close(sweep);
    tx_program_free(program);
    return result;
}
