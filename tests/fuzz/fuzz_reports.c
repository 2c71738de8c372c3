/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as two reports, parted by a zero byte: those of 'tensix sweep --json' that sweep diff
 * compares, and those of 'tensix bench --json'.
 */
#define _GNU_SOURCE /* memfd_create */
#include <tensix-lab/bench.h>
#include <tensix-lab/sweep.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static int memory[2];
static char paths[2][64];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (unsigned i = 0; i < 2; i++) {
        memory[i] = memfd_create("report", MFD_CLOEXEC);
        if (memory[i] < 0) {
            abort();
        }
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", memory[i]);
    }
    return 0;
}

static void put(unsigned i, const uint8_t *data, size_t size)
{
    if (ftruncate(memory[i], 0) != 0 || pwrite(memory[i], data, size, 0) != (ssize_t)size) {
        abort();
    }
}

static void judge(const struct txl_error *err, int code, const void *opened)
{
    if ((code == TXL_OK) != (opened != NULL) || (code == TXL_OK) != (err->status == TXL_OK) ||
        (code != TXL_OK && err->message[0] == '\0')) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = memchr(data, 0, size);
    const size_t length = zero != NULL ? (size_t)(zero - data) : size;
    put(0, data, length);
    put(1, zero != NULL ? zero + 1 : data, zero != NULL ? size - length - 1 : size);

    struct txl_error err = {.status = TXL_OK};
    txl_sweep_diff *sweeps = NULL;
    int code = txl_sweep_diff_open(&err, paths[0], paths[1], &sweeps);
    judge(&err, code, sweeps);
    txl_json *json = sweeps != NULL ? txl_sweep_diff_json(&err, sweeps) : NULL;
    txl_json_free(json);
    txl_sweep_diff_close(sweeps);

    err = (struct txl_error){.status = TXL_OK};
    const char *const base = paths[0];
    const char *const news = paths[1];
    txl_bench_diff *rows = NULL;
    code = txl_bench_diff_open(&err, &base, 1, &news, 1, 0.1, &rows);
    judge(&err, code, rows);
    json = rows != NULL ? txl_bench_diff_json(rows) : NULL;
    txl_json_free(json);
    txl_bench_diff_close(rows);
    return 0;
}
