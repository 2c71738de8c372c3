/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a program for a chip: it is read, or an error says why. Nothing of it runs; files
 * that it names are not there.
 */
#include "chiprun/plan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static txl_chip *chip;
    struct txl_error err = {.status = TXL_OK};
    if (chip == NULL) {
        const struct txl_chip_options how = {.size = sizeof how, .columns = 3, .rows = 2};
        if (txl_chip_open(&err, &how, &chip) != TXL_OK) {
            abort();
        }
        chip->buffers = calloc(PLAN_BUFFERS, sizeof *chip->buffers);
    }
    struct txl_chip_wants wants = {.size = sizeof wants};
    struct plan plan = {.chip = chip};
    const uint64_t dram = chip->dram_next;
    const uint32_t l1 = chip->l1_end;
    plan.how.name = "fuzz.json";
    plan.how.folder = "nowhere";
    if (txl_chip_wants(&err, NULL, (const char *)data, size, &wants) != TXL_OK &&
        err.message[0] == '\0') {
        abort();
    }
    txl_error_clear(&err);
    if (plan_read(&err, &plan, (const char *)data, size) != TXL_CONTINUE &&
        (err.message[0] == '\0' || err.status == TXL_OK)) {
        abort();
    }
    if (chip->dram_next < dram || chip->l1_end > l1 || chip->buffer_count > PLAN_BUFFERS) {
        abort();
    }
    plan_free(&plan);
    chip->buffer_count = 0;
    chip->dram_next = dram;
    chip->l1_end = l1;
    return 0;
}
