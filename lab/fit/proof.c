/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps the kernel as it is assembled at a point: measures its figures, and finds bad inputs that
 * the search does not have.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

/* The caller's progress function, and the time at which the sweep is to end. */
struct watch {
    const struct txl_fit_options *options;
    double until;
    bool late;
};

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct watch *w = user;
    const struct txl_fit_options *o = w->options;
    if (o->progress != NULL && !o->progress(o->user, done, total)) {
        w->late = false;
        return false;
    }
    w->late = clock_seconds() >= w->until;
    return !w->late;
}

double fit_share(const struct txl_fit *fit, double share)
{
    return fit->options.seconds == 0 || fit->whole ? INFINITY
                                                   : fit->opened + share * fit->options.seconds;
}

static void take_figures(const txl_sweep *sweep, struct fit_swept *swept)
{
    struct txl_sweep_figures f = {.size = sizeof f};
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_figures(sweep, &f);
    txl_sweep_about(sweep, &about);
    /* what is left out has become equal to the reference, which is below the normal numbers */
    swept->left_out = sweep->without_flushed ? f.outcomes[TXL_OUTCOME_FLUSHED] : 0;
    const uint64_t looked_at = f.compared - swept->left_out;
    swept->figures = (struct txl_fit_figures){
        .inputs = looked_at,
        .mismatched = f.mismatched,
        .exact = f.exact - swept->left_out,
        .findings = about.findings,
        .max_ulp = f.max_ulp,
        .mean_ulp =
            looked_at != 0 ? f.mean_ulp * (double)f.compared / (double)looked_at : f.mean_ulp,
        .cycles = about.cycles};
    swept->unrounded = f.max_unrounded;
    swept->covered = about.done;
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

struct txl_sweep_options fit_sweep_options(const struct txl_fit *fit,
                                           const struct tx_program *program)
{
    const struct txl_fit_options *o = &fit->options;
    return (struct txl_sweep_options){.size = sizeof(struct txl_sweep_options),
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
                                      .path = o->path,
                                      .helper = o->helper,
                                      .environment = o->environment,
                                      .rules = o->rules,
                                      .rule_count = o->rule_count,
                                      .jobs = o->jobs};
}

int fit_sweep(struct txl_error *err, struct txl_fit *fit, const struct fit_point *point,
              double until, struct fit_swept *swept, size_t *grown)
{
    const struct txl_fit_options *o = &fit->options;
    const double began = clock_seconds();
    struct watch w = {.options = o, .until = until};
    struct tx_program *program = NULL;
    txl_sweep *sweep = NULL;
    int result = fit_build(err, fit, point, &program);
    *grown = 0;
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct txl_sweep_options how = fit_sweep_options(fit, program);
    how.compiler = o->compiler;
    how.progress = watch;
    how.user = &w;
    *swept = (struct fit_swept){.unrounded = -1};
    result = txl_sweep_open(err, &how, &sweep);
    if (result == TXL_OK) {
        sweep->without_flushed = o->without_flushed;
        result = txl_sweep_run(err, sweep);
        if (result == TXL_CANCELLED && w.late) {
            result = TXL_OK;
            if (err != NULL) {
                *err = (struct txl_error){.status = TXL_OK}; /* no error: the figures are in part */
            }
        }
    }
    if (result == TXL_OK) {
        result = txl_sweep_finish(err, sweep);
    }
    if (result == TXL_OK) {
        take_figures(sweep, swept);
        swept->seconds = clock_seconds() - began;
        result = fit->whole ? TXL_CONTINUE : grow(err, fit, sweep, grown);
    }
    txl_sweep_close(sweep);
    tx_program_free(program);
    return result;
}
