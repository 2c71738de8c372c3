/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an ELF file, by both readers: of lint (functions and their words) and of tile run
 * (segments and functions). The file is in memory; what they say goes to /dev/null.
 */
#include "cli/cli.h"
#include "lint/lint.h"
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
    struct txl_error lint = {.status = TXL_OK};
    struct txl_error tile = {.status = TXL_OK};
    struct lint_elf elf;
    if (ftruncate(memory, 0) != 0 || pwrite(memory, data, size, 0) != (ssize_t)size) {
        abort();
    }
    stderr = nowhere; /* what sanitizers say does not go through it */
    int code = lint_read_elf(&lint, path, &elf);
    bool good = true;
    for (size_t i = 0; code == TXL_CONTINUE && i < elf.count; i++) {
        const struct lint_function *f = &elf.functions[i];
        good = good && f->count != 0 && memchr(f->name, '\0', sizeof f->name) != NULL;
    }
    judge(&lint, code, good);
    lint_free_elf(&elf);
    struct tile_program program = {.path = path};
    code = tile_program_read(&tile, TX_BLACKHOLE, &program);
    judge(&tile, code, program.count <= TILE_SEGMENTS);
    tile_program_free(&program);
    stderr = told;
    return 0;
}
