/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the state file of a fit. Bit 0 of the first byte: the rest is the file. Otherwise
 * the rest is what follows the right key. What is taken lies within the constants' limits, and is
 * written and taken again; of one input in 64 the kernel is assembled with it.
 */
#include "fit/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { ASSEMBLED = 64 };

static const char kernel[] =
    ".arch bh\n.dst bf16\n.reference exp\n"
    ".free a = float(1) in fp32\n.free b = float(0.5) in bf16\n"
    ".free c = float(0.2) in lut16\n.free d = 100 in int [0, 2047]\n.init\n"
    ".loadi L4, a\n.loadi L5, b\n.loadi L6, c\n.tile\n"
    "sfpload L0, 0, 0, 3\nsfpmad L1, L0, L4, L5, 0\nsfpnop\n"
    "sfpiadd L1, L1, d, 5\nsfpstore L1, 0, 0, 3\n";

static txl_fit *fit;
static char *real;    /* a state file of it */
static char head[64]; /* "{", the key and a comma */

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Ends the search at its first candidate. */
static bool goes_on(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    return total != 0;
}

static void forget(void)
{
    fit->best = fit->start;
    fit->starts = fit->tried = fit->refuted = 0;
    fit->spent = 0.0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct txl_error err = {.status = TXL_OK};
    const struct txl_fit_options o = {.size = sizeof o,
                                      .kernel = "k.s",
                                      .text = kernel,
                                      .domain = "bf16:0.5:0.6",
                                      .jobs = 1,
                                      .progress = goes_on};
    (void)argc;
    (void)argv;
    if (txl_fit_find(&err, &o, &fit) != TXL_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    forget();
    real = fit_state_text(fit);
    require(real != NULL);
    const char *key = strstr(real, "\"key\"");
    require(key != NULL);
    snprintf(head, sizeof head, "{%.*s,", (int)strcspn(key, ","), key);
    return 0;
}

static bool took(const char *text, size_t size)
{
    struct txl_error err = {.status = TXL_OK};
    const int result = fit_state_take(&err, fit, "state", text, size);
    require((result == TXL_CONTINUE) == (err.status == TXL_OK) &&
            (result == TXL_CONTINUE || result == TXL_INPUT));
    return result == TXL_CONTINUE;
}

static void again(void)
{
    const struct fit_point point = fit->best;
    const uint64_t starts = fit->starts;
    char *text = fit_state_text(fit);
    require(text != NULL);
    forget();
    require(took(text, strlen(text)));
    require(memcmp(&point, &fit->best, fit->count * sizeof point.at[0]) == 0);
    require(fit->starts == starts);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        require(took(real, strlen(real)));
        forget();
        return 0;
    }
    const size_t before = (data[0] & 1) != 0 ? 0 : strlen(head);
    char *text = malloc(before + size - 1);
    require(text != NULL);
    memcpy(text, head, before);
    memcpy(text + before, data + 1, size - 1);
    const bool good = took(text, before + size - 1);
    free(text);
    for (unsigned k = 0; good && k < fit->count; k++) {
        char value[48];
        require(fit->best.at[k] >= fit->free[k].low && fit->best.at[k] <= fit->free[k].high);
        fit_value_text(fit, k, fit->best.at[k], value);
    }
    static unsigned count;
    if (good && count++ % ASSEMBLED == 0) {
        struct tx_program *program = NULL;
        require(fit_build(NULL, fit, &fit->best, &program) == TXL_CONTINUE);
        tx_program_free(program);
    }
    if (good) {
        again();
    }
    forget();
    return 0;
}
