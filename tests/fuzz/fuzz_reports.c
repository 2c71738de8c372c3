/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as two reports, parted by a zero byte: those of 'tensix sweep --json' that sweep diff
 * compares, and those of 'tensix bench --json'.
 */
#include "input_file.h"

#include <tensix-internal/bench.h>
#include <tensix-lab/sweep.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct input_file files[2];

static void remove_files(void)
{
    input_file_remove(&files[0]);
    input_file_remove(&files[1]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    input_file_name(&files[0], 0, "a");
    input_file_name(&files[1], 0, "b");
    atexit(remove_files);
    return 0;
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
    const char *const base = files[0].names[0];
    const char *const news = files[1].names[0];
    input_file_put(&files[0], data, length);
    input_file_put(&files[1], zero != NULL ? zero + 1 : data,
                   zero != NULL ? size - length - 1 : size);

    struct txl_error err = {.status = TXL_OK};
    txl_sweep_diff *sweeps = NULL;
    int code = txl_sweep_diff_open(&err, base, news, &sweeps);
    judge(&err, code, sweeps);
    txl_json *json = sweeps != NULL ? txl_sweep_diff_json(&err, sweeps) : NULL;
    txl_json_free(json);
    txl_sweep_diff_close(sweeps);

    err = (struct txl_error){.status = TXL_OK};
    txl_bench_diff *rows = NULL;
    code = txl_bench_diff_open(&err, &base, 1, &news, 1, 0.1, &rows);
    judge(&err, code, rows);
    json = rows != NULL ? txl_bench_diff_json(rows) : NULL;
    txl_json_free(json);
    txl_bench_diff_close(rows);
    return 0;
}
