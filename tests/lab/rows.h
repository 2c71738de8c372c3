/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a kernel, for tests of the room "schedule". */
#ifndef TESTS_LAB_ROWS_H
#define TESTS_LAB_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/kernel.h>

#include "schedule/schedule.h"

static inline bool never_stop(void *user)
{
    (void)user;
    return true;
}

/* Reads the rows of a kernel in this way; the caller frees them. */
static inline struct sched_body *rows_in(const struct tx_program *program, enum sched_way way)
{
    struct tx_kernel_options options;
    struct sched_why why = {.text = ""};
    struct sched_body *body = calloc(1, sizeof *body);
    tx_kernel_options_default(&options);
    assert_non_null(body);
    if (!sched_read(body, program, &options, way, NULL, &why)) {
        fail_msg("%s", why.text);
    }
    return body;
}

static inline struct sched_body *rows_of(const struct tx_program *program)
{
    return rows_in(program, SCHED_AS_IS);
}

/* Reads the rows of a kernel; the caller frees both. */
static inline struct sched_body *body_of(const char *text, enum tx_arch arch,
                                         struct tx_program **program)
{
    const struct txl_kernel_options how = {.size = sizeof how, .arch = arch};
    struct txl_error err = {.message = ""};
    if (txl_kernel_assemble(&err, "rows", text, strlen(text), &how, program) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    return rows_of(*program);
}

/* The machine accepts what the search has found for the rows of this kernel. */
static inline void prove_rows(const struct tx_program *program, const struct sched_search *search)
{
    struct sched_proof proof = {.straight = program,
                                .domain = "bf16",
                                .cycles = sched_cycles(search->body, &search->plan),
                                .sample = 1024};
    struct sched_why why = {.text = ""};
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    assert_non_null(out);
    sched_write(out, search->body, &search->plan, &search->code);
    (void)fclose(out);
    tx_kernel_options_default(&proof.kernel);
    if (sched_prove(NULL, &proof, made, size, &why) != TXL_OK) {
        fail_msg("%s\n%s", why.text, made);
    }
    free(made);
}

#endif
