/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an ELF file, by both readers: that of functions and their words (lint, dis) and that
 * of tile run (segments and functions). The file is in memory; what they say goes to /dev/null.
 */
#include "cli/cli.h"
#include <tensix-lab/elf.h>

#include "tile/tile_program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static int memory = -1;
static char path[64];
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    memory = memfd_create("input", MFD_CLOEXEC);
    nowhere = fopen("/dev/null", "w");
    if (memory < 0 || nowhere == NULL) {
        abort();
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    return 0;
}

/* A failure is said, and success has something to show. */
static void judge(const struct txl_error *err, int code, bool good)
{
    if ((code == TXL_CONTINUE) != (err->status == TXL_OK) || (code == TXL_CONTINUE && !good)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *const told = stderr;
    struct txl_error words = {.status = TXL_OK};
    struct txl_error tile = {.status = TXL_OK};
    txl_elf *elf = NULL;
    if (ftruncate(memory, 0) != 0 || pwrite(memory, data, size, 0) != (ssize_t)size) {
        abort();
    }
    stderr = nowhere; /* what sanitizers say does not go through it */
    int code = txl_elf_open(&words, path, &elf);
    bool good = elf != NULL;
    for (size_t i = 0; good && i < txl_elf_functions(elf); i++) {
        const struct txl_elf_function *f = txl_elf_function(elf, i);
        good = f->count != 0 && strlen(f->name) < 128;
    }
    judge(&words, code == TXL_OK ? TXL_CONTINUE : code, good);
    txl_elf_close(elf);
    struct tile_program program = {.path = path};
    code = tile_program_read(&tile, TX_BLACKHOLE, &program);
    judge(&tile, code, program.count <= TILE_SEGMENTS);
    tile_program_free(&program);
    stderr = told;
    return 0;
}
