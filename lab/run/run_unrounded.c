/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the reference function of a run at one element, without rounding it to the output's
 * format.
 */
#include "run/run.h"

#include "base/memory.h"

const char *txl_run_reference(const txl_run *run)
{
    return run->job.reference != NULL ? run->job.reference->name : NULL;
}

int txl_run_unrounded(struct txl_error *err, txl_run *run, const struct txl_run_tile *seen,
                      unsigned place, double *value)
{
    const struct run_job *job = &run->job;
    double x[REF_INPUTS] = {0};
    if (job->reference == NULL) {
        return TXL_NEGATIVE;
    }
    if (run->unrounded == NULL) {
        run->unrounded = reference_open(job->reference, job->out_dst);
    }
    if (run->unrounded == NULL) {
        return no_memory(err);
    }
    for (unsigned k = 0; k < job->input_count && k < REF_INPUTS; k++) {
        x[k] = number_of(job->dst, seen->held[k][place], true);
    }
    *value = reference_unrounded(run->unrounded, x);
    return TXL_OK;
}
