/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables say about one behaviour, in the form the emulator works with. */
#ifndef TX_ISA_ROW_H
#define TX_ISA_ROW_H

#include "isa/insn.h"

/* Fields of formats.def. */
enum isa_field {
    FLD_VA,
    FLD_VB,
    FLD_VC,
    FLD_VD,
    FLD_MOD,
    FLD_IMM,
    FLD_RND,
    FLD_AMOD,
    FLD_MIRROR,
    FLD_FLIP,
    FLD_CR,
    FLD_RWD,
    FLD_RWB,
    FLD_RWA,
    FLD_MASK,
    FLD_INDEX,
    FLD_GPR,
    FLD_WIDE,
    FLD_ALU,
    FLD_WIDTH,
    FLD_SHIFT,
    FLD_SOURCE,
    FLD_OUTER,
    FLD_INNER,
    FLD_CONST,
    FLD_OPA,
    FLD_OPB,
    FLD_RES,
    FLD_SIZE,
    FLD_OFFSET,
    FLD_INCR,
    FLD_DATA,
    FLD_ADDR,
    FLD_CHANNEL,
    FLD_THREAD,
    FLD_BLOCK,
    FLD_COND,
    FLD_MAX,
    FLD_SEM,
    FLD_COUNT_,
    FLD_EXEC,
    FLD_LOAD,
    FLD_SRC,
    FLD_LO,
    FLD_ROWS,
    FLD_BCAST,
    FLD_COL0,
    FLD_ADD,
    FLD_DIM,
    FLD_ARGMAX,
    FLD_CLEAR,
    FLD_REVERT,
    FLD_NEGINF,
    FLD_BANK,
    FLD_BANKS,
    FLD_KEEP,
    FLD_RESET,
    FLD_DIR,
    FLD_ZERO,
    FLD_ROTATE,
    FLD_X0,
    FLD_X1,
    FLD_CH0_LOW,
    FLD_CH0_HIGH,
    FLD_CH1_LOW,
    FLD_CH1_HIGH,
    FLD_UNPACKER,
    FLD_CH1Y,
    FLD_CH1Z,
    FLD_CH0Y,
    FLD_CH0Z,
    FLD_STEP,
    FLD_CONTEXT,
    FLD_COUNTERS,
    FLD_MULTI,
    FLD_GIVE,
    FLD_BIT5,
    FLD_AUTO,
    FLD_SEARCH,
    FLD_LAST,
    FLD_OWN,
    FLD_ONE,
    FLD_VALUE,
    FLD_CONCAT,
    FLD_FLUSH,
    FLD_OVERRIDE,
    FLD_CTRL,
    FLD_PAD,
    FLD_STRIDED,
    FLD_PUSH,
    FLD_STREAM,
    FLD_STALL,
    FLD_TOTAL
};
#define FLD_COUNT FLD_COUNT_

enum isa_guard { GUARD_A, GUARD_A_ALL, GUARD_A_MOV, GUARD_B, GUARD_C, GUARD_C_ALL, GUARD_FREE };

enum isa_implied { IMPLIED_NOTHING, IMPLIED_VB_VD, IMPLIED_VC_VD, IMPLIED_VB_IMM };

/*
 * Read, belief and write sets. The low 17 bits are fixed LRegs, the others are relative to the
 * operands; isa/sets.h resolves them. The names are those of isa.def.
 */
#define SET_BIT(n) (UINT64_C(1) << (n))
#define SET_LREG(n) SET_BIT(n)
#define SET_LREGS (SET_BIT(17) - 1)
#define SET_L0_3 UINT64_C(0x0F)
#define SET_L0_7 UINT64_C(0xFF)
#define SET_VA SET_BIT(17)
#define SET_VB SET_BIT(18)
#define SET_VC SET_BIT(19)
#define SET_VD SET_BIT(20)
#define SET_VAX SET_BIT(21)   /* VA, or with mode bit 2 L7 and what it names */
#define SET_L7X SET_BIT(22)   /* L7 with mode bit 3 */
#define SET_VDX SET_BIT(23)   /* VD, or with mode bit 3 what L7 names */
#define SET_LUT32 SET_BIT(24) /* what the interlock believes of SFPLUTFP32 */
#define SET_IDX SET_BIT(25)   /* index registers under ENABLE_DEST_INDEX */
#define SET_SAME SET_BIT(26)
#define SET_DST SET_BIT(27)
#define SET_RWC SET_BIT(28)
#define SET_CFG SET_BIT(29)
#define SET_FLAGS SET_BIT(30)
#define SET_STACK SET_BIT(31)
#define SET_LF SET_BIT(32)
#define SET_LF8 SET_BIT(33) /* lane flags, only while VD < 8 */
#define SET_USE SET_BIT(34)
#define SET_PRNG SET_BIT(35)
#define SET_LATCH SET_BIT(36)
#define SET_MACRO SET_BIT(37)
#define SET_SRCA SET_BIT(55)
#define SET_SRCB SET_BIT(56)
#define SET_BANKS SET_BIT(57) /* owners and pointers of the Src banks */
#define SET_L0CFG SET_BIT(38) /* L0 where SFPCONFIG takes it: not for immediates, 9 and 10 */
/* Of other units: GPRs by the field that names them, and what lies beside registers. */
#define SET_G_OPA SET_BIT(39)
#define SET_G_OPB SET_BIT(40)
#define SET_G_RES SET_BIT(41)
#define SET_G_GPR SET_BIT(42)
#define SET_G_DATA SET_BIT(43)
#define SET_G_ADDR SET_BIT(44)
#define SET_G_OFFSET SET_BIT(45)
#define SET_MEMORY SET_BIT(46)
#define SET_MMIO SET_BIT(47)
#define SET_SRC SET_BIT(48)
#define SET_ADC SET_BIT(49)
#define SET_PACKER SET_BIT(50)
#define SET_SEMAPHORES SET_BIT(51)
#define SET_MUTEX SET_BIT(52)
#define SET_BUSY SET_BIT(53)
#define SET_EXPANDER SET_BIT(54)

/* Row numbers, in the order of isa.def. */
enum isa_row_id {
    ROWID_NONE = 0,
#define ROW(id, ...) ROWID_##id,
#include "isa/isa.def"
#undef ROW
    ROWID_COUNT
};

struct isa_row {
    struct tx_row text;
    uint8_t insn;    /* enum insn_id */
    uint8_t guard;   /* enum isa_guard */
    uint8_t implied; /* enum isa_implied */
    uint8_t outside; /* enum tx_category of the modes beyond legal */
    uint8_t format;
    uint64_t reads, belief, writes; /* SET_...; belief equals reads where the table says SAME */
};

struct isa_layout {
    uint8_t lsb, width;
};

/* Row of a word, ROWID_NONE where the chip has no such instruction or its unit is not modelled. */
enum isa_row_id isa_row_of(enum tx_arch arch, uint32_t word);
extern const struct isa_row isa_rows[];
static inline const struct isa_row *isa_row(enum isa_row_id id)
{
    return &isa_rows[id];
}
/* Set bits of a word of this row that the hardware does not read. */
uint32_t isa_unused(const struct isa_row *row, uint32_t word);
/* Place of a field in a row's format; width 0: it has none. */
struct isa_layout isa_layout(const struct isa_row *row, enum isa_field field);
static inline uint32_t isa_field(const struct isa_row *row, enum isa_field field, uint32_t word)
{
    const struct isa_layout place = isa_layout(row, field);
    return (word >> place.lsb) & ((place.width >= 32 ? 0u : 1u << place.width) - 1u);
}

#endif
