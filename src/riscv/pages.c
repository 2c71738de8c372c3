/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for machine code: at any time it can be written or executed, never both. What code reads
 * and writes lies in pages of its own in front of it. A system that allows no such memory gets no
 * machine code.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "riscv/translate.h"

#if defined(__linux__)

#include <sys/mman.h>

enum { PAGE = 4096, DATA = (sizeof(struct code_data) + PAGE - 1) / PAGE * PAGE };

bool pages_open(struct riscv_code *code)
{
    uint8_t *at =
        mmap(NULL, DATA + CODE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        return false;
    }
    code->data = (struct code_data *)(void *)at;
    code->code = at + DATA;
    return true;
}

void pages_close(struct riscv_code *code)
{
    (void)munmap(code->data, DATA + CODE_BYTES);
}

bool pages_write(struct riscv_code *code)
{
    return mprotect(code->code, CODE_BYTES, PROT_READ | PROT_WRITE) == 0;
}

bool pages_execute(struct riscv_code *code)
{
    if (mprotect(code->code, CODE_BYTES, PROT_READ | PROT_EXEC) != 0) {
        return false;
    }
    __builtin___clear_cache((char *)code->code, (char *)code->code + code->used);
    return true;
}

#else

bool pages_open(struct riscv_code *code)
{
    (void)code;
    return false;
}

void pages_close(struct riscv_code *code)
{
    (void)code;
}

bool pages_write(struct riscv_code *code)
{
    (void)code;
    return false;
}

bool pages_execute(struct riscv_code *code)
{
    (void)code;
    return false;
}

#endif
