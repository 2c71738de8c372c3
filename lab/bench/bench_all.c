/* SPDX-License-Identifier: Apache-2.0 */
/* Several lines of the benchmark one after the other, told as they come. */
#include <string.h>

#include "base/options.h"
#include "bench/bench.h"

bool txl_bench_chosen(const char *name, const char *const *begins, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return count == 0;
}

int txl_bench_lines(struct txl_error *err, const struct txl_bench_options *options,
                    const char *const *begins, size_t count, txl_bench_tell tell, void *user)
{
    struct txl_bench_options o;
    struct txl_bench_line line = {.size = sizeof line};
    if (options_take(err, &o, sizeof o, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    for (size_t i = 0; txl_bench_line(i, &line); i++) {
        struct txl_bench_result result = {.size = sizeof result};
        struct txl_error why = {.status = TXL_OK};
        if (!txl_bench_chosen(line.name, begins, count)) {
            continue;
        }
        const bool taken = txl_bench_measure(&why, i, options, &result) == TXL_OK;
        if (!taken && (count != 0 || (!line.compiled && o.engine != TXL_ENGINE_COMPILED))) {
            return txl_fail(err, "%s: %s", line.name, why.message);
        }
        if (!tell(user, &line, taken ? &result : NULL, why.message)) {
            return TXL_CANCELLED;
        }
    }
    return TXL_OK;
}

int txl_bench_engines(struct txl_error *err, const char *name, const struct tx_program *program,
                      const struct txl_bench_options *options, txl_bench_tell tell, void *user)
{
    static const enum txl_engine engines[] = {TXL_ENGINE_FAST, TXL_ENGINE_COMPILED,
                                              TXL_ENGINE_REFERENCE};
    struct txl_bench_options o;
    if (options_take(err, &o, sizeof o, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const enum txl_engine first = o.engine == TXL_ENGINE_AUTO ? TXL_ENGINE_FAST : o.engine;
    bool begun = false;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        struct txl_bench_result result = {.size = sizeof result};
        struct txl_error why = {.status = TXL_OK};
        char full[300];
        const bool scalar = engines[i] == TXL_ENGINE_REFERENCE;
        begun = begun || engines[i] == first;
        if (!begun) {
            continue;
        }
        const bool plain = engines[i] == first;
        snprintf(full, sizeof full, "%s%s%s", name, plain ? "" : "/",
                 plain ? "" : txl_engine_name(engines[i]));
        const struct txl_bench_line line = {.size = sizeof line,
                                            .name = full,
                                            .arch = tx_program_arch(program),
                                            .data = "N(0,1)",
                                            .against = scalar ? BENCH_SCALAR : BENCH_FMA};
        o.engine = engines[i];
        const bool taken = txl_bench_kernel(&why, program, &o, &result) == TXL_OK;
        if (!taken && scalar) {
            return txl_fail(err, "%s", why.message);
        }
        if (!tell(user, &line, taken ? &result : NULL, why.message)) {
            return TXL_CANCELLED;
        }
    }
    return TXL_OK;
}
