/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a core's program for those who read programs: what they are, and what they compute. */
#include "riscv/alu.h"
#include "riscv/riscv.h"

static const enum tx_core_kind kinds[] = {
    [CLASS_NONE] = TX_CORE_KIND_NONE,     [CLASS_PUSH] = TX_CORE_KIND_PUSH,
    [CLASS_ALU] = TX_CORE_KIND_COMPUTE,   [CLASS_MUL] = TX_CORE_KIND_COMPUTE,
    [CLASS_DIV] = TX_CORE_KIND_COMPUTE,   [CLASS_LOAD] = TX_CORE_KIND_LOAD,
    [CLASS_STORE] = TX_CORE_KIND_STORE,   [CLASS_AMO] = TX_CORE_KIND_ATOMIC,
    [CLASS_BRANCH] = TX_CORE_KIND_BRANCH, [CLASS_JAL] = TX_CORE_KIND_JAL,
    [CLASS_JALR] = TX_CORE_KIND_JALR,     [CLASS_CSR] = TX_CORE_KIND_CSR,
    [CLASS_FENCE] = TX_CORE_KIND_FENCE,   [CLASS_SYSTEM] = TX_CORE_KIND_SYSTEM,
    [CLASS_FLOAT] = TX_CORE_KIND_OTHER,   [CLASS_FLOAD] = TX_CORE_KIND_LOAD,
    [CLASS_FSTORE] = TX_CORE_KIND_STORE,  [CLASS_VECTOR] = TX_CORE_KIND_OTHER,
};

/* The names of isa_names.h, which are numbers of the encodings, by those of riscv.def. */
static const enum tx_core_insn_id numbers[RISCV_IDS] = {
    [RISCV_NONE] = TX_CORE_INSN_NONE,
    [RISCV_TTINSN] = TX_CORE_INSN_NONE,
#define RISCV(ID, ...) [RISCV_##ID] = TX_CORE_INSN_##ID,
#include "isa/riscv.def"
};

static uint8_t size_of(enum riscv_id id)
{
    switch (id) {
    case RISCV_LB:
    case RISCV_LBU:
    case RISCV_SB:
        return 1;
    case RISCV_LH:
    case RISCV_LHU:
    case RISCV_SH:
    case RISCV_FLH:
    case RISCV_FSH:
        return 2;
    default:
        return 4;
    }
}

/* The operation as the cores have it, which says more than the public one. */
static struct riscv_op op_of(enum tx_arch arch, uint32_t word)
{
    struct riscv_op op;
    riscv_decode(arch, word, &op);
    return op;
}

void tx_core_decode(enum tx_arch arch, uint32_t word, struct tx_core_decoded *decoded)
{
    const struct riscv_op op = op_of(arch, word);
    const bool numeral = riscv_rs1_is_number((enum riscv_id)op.id);
    const enum tx_core_kind kind = op.id == RISCV_FENCE_I ? TX_CORE_KIND_FENCE : kinds[op.class];
    const bool access =
        kind == TX_CORE_KIND_LOAD || kind == TX_CORE_KIND_STORE || kind == TX_CORE_KIND_ATOMIC;
    *decoded = (struct tx_core_decoded){.arch = arch,
                                        .kind = kind,
                                        .id = numbers[op.id],
                                        .word = word,
                                        .imm = op.class == CLASS_VECTOR ? 0 : op.imm,
                                        .rd = (uint8_t)(op.rd % 32),
                                        .rs1 = numeral ? 0 : op.rs1,
                                        .rs2 = op.rs2,
                                        .size = access ? size_of((enum riscv_id)op.id) : 0,
                                        .extends = op.id == RISCV_LB || op.id == RISCV_LH};
    decoded->reads = (1u << decoded->rs1 | 1u << decoded->rs2) & ~1u;
}

uint32_t tx_core_encode(enum tx_core_insn_id insn, unsigned rd, unsigned rs1, unsigned rs2,
                        uint32_t imm)
{
    for (unsigned id = RISCV_TTINSN + 1; id < RISCV_IDS; id++) {
        if (numbers[id] == insn) {
            return riscv_encode((enum riscv_id)id, rd, rs1, rs2, imm);
        }
    }
    return 0;
}

bool tx_core_compute(const struct tx_core_decoded *d, uint32_t pc, uint32_t rs1, uint32_t rs2,
                     uint32_t *value)
{
    const struct riscv_op op = op_of(d->arch, d->word);
    switch (d->kind) {
    case TX_CORE_KIND_COMPUTE:
        *value = riscv_compute(&op, pc, rs1, rs2);
        return true;
    case TX_CORE_KIND_LOAD:
    case TX_CORE_KIND_STORE:
    case TX_CORE_KIND_ATOMIC:
        *value = rs1 + op.imm; /* 0 in the format of atomics */
        return true;
    case TX_CORE_KIND_BRANCH:
        *value = pc + (alu_taken((enum riscv_id)op.id, rs1, rs2) ? op.imm : 4u);
        return true;
    case TX_CORE_KIND_JAL:
        *value = pc + op.imm;
        return true;
    case TX_CORE_KIND_JALR:
        *value = (rs1 + op.imm) & ~1u;
        return true;
    default:
        return false;
    }
}
