/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an ELF file, by both readers: that of functions and their words (lint, dis) and that
 * of tile run (segments and functions).
 */
#include "kernel/elf.h"
#include "tile/tile_program.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure is said, and success has something to show. */
static void judge(const struct txl_error *err, int code, bool good)
{
    if ((code == TXL_CONTINUE) != (err->status == TXL_OK) || (code == TXL_CONTINUE && !good)) {
        abort();
    }
}

static char *copy(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL) {
        abort();
    }
    memcpy(bytes, data, size);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct txl_error words = {.status = TXL_OK};
    struct txl_error tile = {.status = TXL_OK};
    txl_elf *elf = NULL;
    char *bytes = copy(data, size);
    int code = elf_open_bytes(&words, "x", bytes, size, &elf);
    free(bytes); /* what was read is needed no longer */
    bool good = elf != NULL;
    for (size_t i = 0; good && i < txl_elf_functions(elf); i++) {
        const struct txl_elf_function *f = txl_elf_function(elf, i);
        good = f->count != 0 && strlen(f->name) < 128;
    }
    judge(&words, code == TXL_OK ? TXL_CONTINUE : code, good);
    txl_elf_close(elf);
    struct tile_program program = {.path = "x"};
    bytes = copy(data, size);
    code = tile_program_take(&tile, TX_BLACKHOLE, &program, bytes, size);
    free(bytes);
    judge(&tile, code, program.count <= TILE_SEGMENTS);
    for (size_t i = 0; i < program.symbol_count; i++) {
        char text[96];
        (void)tile_function(&program, program.symbols[i].address, text);
    }
    tile_program_free(&program);
    return 0;
}
