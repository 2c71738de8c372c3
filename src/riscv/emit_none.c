/* SPDX-License-Identifier: Apache-2.0 */
/* Processors for which there is no machine code: all is interpreted. */
#include "riscv/translate.h"

#if !defined(__x86_64__) || !defined(__linux__)

const bool emit_exists = false;

void emit_start(struct riscv_code *code)
{
    (void)code;
}

uint32_t emit_block(struct riscv_code *code, const struct code_source *from)
{
    (void)code;
    (void)from;
    return 0;
}

void emit_jump(struct riscv_code *code, uint32_t place, uint32_t entry)
{
    (void)code;
    (void)place;
    (void)entry;
}

bool emit_can(const struct riscv_op *op)
{
    (void)op;
    return false;
}

uint64_t emit_run(struct riscv *c, uint64_t count, uint32_t entry)
{
    (void)c;
    (void)count;
    (void)entry;
    return CODE_LOOK;
}

#endif
