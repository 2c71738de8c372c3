/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile as seen by a kernel on one of its RISC-V cores: instruction macros (ckernel_ops.h),
 * addresses, GPRs, configuration, the MOP Expander, semaphores, waits, mailboxes, arguments. It is
 * for "tensix cc", which defines TENSIX_UNPACK, TENSIX_MATH or TENSIX_PACK for the thread that it
 * compiles. A kernel is a function
 *
 *     void kernel_main(void)
 *
 * for each of them, in C or C++, most simply all in one file between #if TENSIX_UNPACK and #endif.
 * Names follow tt-llk where it has one. Source: spec/tile.md 3, 5, 6, 7.
 */
#ifndef TENSIX_KERNEL_TENSIX_H
#define TENSIX_KERNEL_TENSIX_H

#include <tensix/ckernel_ops.h>

#if !defined __riscv || __riscv_xlen != 32
#error "this header is for the RISC-V cores of a tile: tensix cc"
#endif

#ifdef __cplusplus
using namespace ckernel;
extern "C" {
#endif

void kernel_main(void);

/* ---- memory ---- */

#define TX_WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Waits until all stores have left the core and all loads have returned. */
TX_KERNEL_INLINE void tx_fence(void)
{
    __asm__ volatile("fence" : : : "memory");
}

/* The kernel's arguments: words that the host writes to L1 from TX_ARGUMENTS on. */
#define TX_ARGUMENTS 0x20000u
TX_KERNEL_INLINE uint32_t tx_argument(unsigned index)
{
    return TX_WORD(TX_ARGUMENTS + 4 * index);
}

/* Returns a 64-bit cycle count. Reading the low half latches the high one, so the two match. */
TX_KERNEL_INLINE uint64_t tx_wall_clock(void)
{
    const uint32_t low = TX_WORD(0xFFB121F0u);
    return low | (uint64_t)TX_WORD(0xFFB121F8u) << 32;
}

/* Loads a word and waits for it; without a use of the loaded register the core would not wait. */
TX_KERNEL_INLINE void tx_wait_for(uint32_t address)
{
    __asm__ volatile("lw t6, 0(%0)\n\tand zero, t6, t6" : : "r"(address) : "t6", "memory");
}

/* ---- what the core has pushed ---- */

/* Waits until the thread has finished everything in its queues and units. */
TX_KERNEL_INLINE void tensix_sync(void)
{
    TX_WORD(0xFFE80004u) = 0;
    tx_wait_for(0xFFE80004u);
}

/* Waits until the MOP Expander is idle, so that its configuration may be written. */
TX_KERNEL_INLINE void mop_sync(void)
{
    TX_WORD(0xFFE80008u) = 0;
    tx_wait_for(0xFFE80008u);
}

/* ---- GPRs of the thread, configuration ---- */

#define TX_REGFILE ((volatile uint32_t *)0xFFE00000u)
#define TX_CFG_BASE ((volatile uint32_t *)0xFFEF0000u)

/* Writes a GPR and waits until the store has arrived, so that instructions pushed later see it. */
TX_KERNEL_INLINE void tx_gpr_write(unsigned index, uint32_t value)
{
    TX_REGFILE[index] = value;
    tx_wait_for((uint32_t)(uintptr_t)&TX_REGFILE[index]);
}

/* Writes a whole word of configuration bank 0, by its ADDR32 name. */
TX_KERNEL_INLINE void tx_cfg_write(unsigned word, uint32_t value)
{
    TX_CFG_BASE[word] = value;
    tx_wait_for((uint32_t)(uintptr_t)&TX_CFG_BASE[word]);
}

/* Replaces the bits of one field: tx_cfg_field(THCON_SEC0_REG2_Out_data_format_RMW, 5). */
TX_KERNEL_INLINE void tx_cfg_rmw(unsigned word, unsigned shift, uint32_t mask, uint32_t value)
{
    tx_cfg_write(word, (TX_CFG_BASE[word] & ~mask) | (value << shift & mask));
}
#define tx_cfg_field(...) tx_cfg_rmw(__VA_ARGS__)

/* ---- semaphores, accessed by the core itself; TTI_SEM* make the thread access them ---- */

TX_KERNEL_INLINE uint32_t semaphore_read(unsigned index)
{
    return TX_WORD(0xFFE80020u + 4 * index);
}
TX_KERNEL_INLINE void semaphore_post(unsigned index)
{
    TX_WORD(0xFFE80020u + 4 * index) = 0;
}
TX_KERNEL_INLINE void semaphore_get(unsigned index)
{
    TX_WORD(0xFFE80020u + 4 * index) = 1;
}

/* ---- mailboxes between the cores B 0, T0 1, T1 2, T2 3 ---- */

TX_KERNEL_INLINE void mailbox_write(unsigned to, uint32_t value)
{
    TX_WORD(0xFFEC0000u + 0x1000 * to) = value;
}
TX_KERNEL_INLINE uint32_t mailbox_read(unsigned from)
{
    return TX_WORD(0xFFEC0000u + 0x1000 * from);
}
TX_KERNEL_INLINE bool mailbox_not_empty(unsigned from)
{
    return TX_WORD(0xFFEC0004u + 0x1000 * from) != 0;
}

/* ---- the MOP Expander ---- */

/* The double loop that MOP 1 expands; unused words are TT_OP_NOP. */
struct tx_mop_loop {
    uint32_t outer, inner;
    uint32_t start, end0, end1;
    uint32_t loop0, loop1; /* body of the inner loop; with loop1 the two alternate */
    /* replace the last word of the inner loop: in the last outer pass, in all others */
    uint32_t last0, last1;
};

TX_KERNEL_INLINE void tx_mop_program(const struct tx_mop_loop *mop)
{
    const uint32_t words[9] = {mop->outer, mop->inner, mop->start, mop->end0, mop->end1,
                               mop->loop0, mop->loop1, mop->last0, mop->last1};
    mop_sync();
    for (unsigned i = 0; i < 9; i++) {
        TX_WORD(0xFFB80000u + 4 * i) = words[i];
    }
}

#ifdef __cplusplus
}

constexpr uint32_t tx_byte(uint32_t value, unsigned n)
{
    return value >> 8 * n & 0xff;
}

/*
 * Makes the thread write a field with one RMWCIB for each byte that the mask touches:
 * cfg_reg_rmw_tensix<X_RMW>(value). This is safe where several threads write parts of one word.
 */
template <uint32_t word, uint32_t shift, uint32_t mask>
__attribute__((always_inline)) inline void cfg_reg_rmw_tensix(uint32_t value)
{
    const uint32_t data = value << shift;
    constexpr uint32_t m0 = tx_byte(mask, 0), m1 = tx_byte(mask, 1);
    constexpr uint32_t m2 = tx_byte(mask, 2), m3 = tx_byte(mask, 3);
    if constexpr (m0 != 0) {
        TT_RMWCIB0(m0, tx_byte(data, 0), word);
    }
    if constexpr (m1 != 0) {
        TT_RMWCIB1(m1, tx_byte(data, 1), word);
    }
    if constexpr (m2 != 0) {
        TT_RMWCIB2(m2, tx_byte(data, 2), word);
    }
    if constexpr (m3 != 0) {
        TT_RMWCIB3(m3, tx_byte(data, 3), word);
    }
}

namespace ckernel
{

/* The double loop under the vendor's names. */
class ckernel_template
{
  public:
    constexpr ckernel_template(uint32_t outer, uint32_t inner, uint32_t op0,
                               uint32_t op1 = TT_OP_NOP)
        : mop_{outer,
               inner,
               TT_OP_NOP,
               TT_OP_NOP,
               TT_OP_NOP,
               op0,
               op1,
               op1 == TT_OP_NOP ? op0 : op1,
               op1 == TT_OP_NOP ? op0 : op1}
    {
    }
    void set_start_op(uint32_t op)
    {
        mop_.start = op;
    }
    void set_end_ops(uint32_t op0, uint32_t op1)
    {
        mop_.end0 = op0;
        mop_.end1 = op1;
    }
    void set_end_op(uint32_t op)
    {
        set_end_ops(op, TT_OP_NOP);
    }
    void set_last_outer_loop_instr(uint32_t op)
    {
        mop_.last0 = op;
    }
    void set_last_inner_loop_instr(uint32_t op)
    {
        mop_.last1 = op;
    }
    void program() const
    {
        tx_mop_program(&mop_);
    }
    static void run()
    {
        TTI_MOP(1, 0, 0);
    }

  private:
    tx_mop_loop mop_;
};

} // namespace ckernel
#endif

#endif
