/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races of a tile's cores, one planted in each case, and the same cases repaired: cores.py says
 * what has to be found. Arguments: which case, and whether it is repaired.
 */
#include "tile.hpp"

enum {
    DATA = 0x30000,
    FLAG = 0x30100,
    COPY = 0x38000,
    B = 0, /* mailboxes */
    T0 = 1,
    T1 = 2,
    T2 = 3,
    UNPACKERS_BUSY = 5, /* semaphore */
    NIU = 0xFFB20000u
};

static bool repaired;

/* What has been stored there is there. */
static inline void settle(uint32_t address)
{
    if (repaired) {
        tx_wait_for(address);
    }
}

/* Stores to L1 that another core loads. */
static inline void two_cores(void)
{
#if TENSIX_UNPACK
    TX_WORD(DATA) = 1;
    settle(DATA);
    if (repaired) {
        mailbox_write(T1, 1);
    }
#elif TENSIX_MATH
    if (repaired) {
        TX_WORD(COPY + 4) = mailbox_read(T0); /* a value that nobody uses would not hold the core */
    }
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* A mailbox is another region than L1: the store may arrive behind the letter. */
static inline void letter(void)
{
#if TENSIX_UNPACK
    TX_WORD(DATA) = 1;
    settle(DATA);
    mailbox_write(T1, 1);
#elif TENSIX_MATH
    TX_WORD(COPY + 4) = mailbox_read(T0);
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* The flag that says that data are there, before they are. */
static inline void flag(void)
{
#if TENSIX_UNPACK
    if (!repaired) {
        TX_WORD(FLAG) = 1;
    }
    TX_WORD(DATA) = 1;
    if (repaired) {
        TX_WORD(FLAG) = 1;
    }
#elif TENSIX_MATH
    while (TX_WORD(FLAG) != 1) {
        tx_fence();
    }
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* A core's store to L1, and an unpacker that reads it. */
static inline void store_unpack(void)
{
#if TENSIX_UNPACK
    tile::unpack_a_from(DATA);
    tile::unpack_begin();
    TX_WORD(DATA) = 1;
    settle(DATA);
    tile::unpack_face<0, 1>();
#endif
}

/* A core loads what its packer still writes. */
static inline void pack_load(void)
{
#if TENSIX_PACK
    tile::pack_to(DATA);
    TTI_SEMPOST(p_stall::SEMAPHORE_1);
    tile::pack_begin();
    tile::pack_tile();
    if (repaired) {
        tensix_sync();
    }
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* What a request to the NoC brings is loaded before it has come. */
static inline void noc_read(void)
{
#if TENSIX_UNPACK
    const uint32_t here = TX_WORD(NIU + 0x44) & 0xFFF;
    const uint32_t before = TX_WORD(NIU + 0x208);
    TX_WORD(NIU + 0x00) = DATA;
    TX_WORD(NIU + 0x04) = 0;
    TX_WORD(NIU + 0x08) = here;
    TX_WORD(NIU + 0x0C) = COPY;
    TX_WORD(NIU + 0x10) = 0;
    TX_WORD(NIU + 0x14) = here;
    TX_WORD(NIU + 0x18) = 0;
    TX_WORD(NIU + 0x1C) = 0x10;
    TX_WORD(NIU + 0x20) = 64;
    TX_WORD(NIU + 0x40) = 1;
    while (repaired && TX_WORD(NIU + 0x208) == before) {}
    TX_WORD(FLAG) = TX_WORD(COPY);
#endif
}

/* The window into Dst, while the Vector Unit stores there. */
static inline void dst_window(void)
{
#if TENSIX_MATH
    TTI_SFPSTORE(0, 3, 3, 0);
    if (repaired) {
        tensix_sync();
    }
    TX_WORD(COPY) = TX_WORD(0xFFBD8000u);
#endif
}

/* Blackhole holds a word back until the store before it has landed, if it is asked to. */
static inline void auto_ttsync(void)
{
#if TENSIX_UNPACK
    if (repaired) {
        TTI_SETC16(56, 0x11);
        tensix_sync();
    }
    TX_CFG_BASE[THCON_SEC0_REG3_Base_address_ADDR32] = DATA / 16;
    TTI_RDCFG(4, THCON_SEC0_REG3_Base_address_ADDR32);
#endif
}

/* A done check whose value nobody uses (tt-llk #1164). */
static inline void done_check(void)
{
#if TENSIX_UNPACK
    TTI_RDCFG(4, THCON_SEC0_REG3_Base_address_ADDR32);
    if (repaired) {
        tensix_sync();
    } else {
        TX_WORD(0xFFE80004u) = 0;
        (void)TX_WORD(0xFFE80004u);
    }
    TX_CFG_BASE[THCON_SEC0_REG3_Base_address_ADDR32] = DATA / 16;
#endif
}

/* One context is written anew for each tile, and two may be under way (tt-metal #55184). */
static inline void one_context(void)
{
#if TENSIX_UNPACK
    tile::unpack_a_from(DATA);
    tile::unpack_begin();
    TTI_SEMINIT(2, 0, 1 << UNPACKERS_BUSY);
    tensix_sync();
    for (unsigned n = 0; n < 2; n++) {
        while (semaphore_read(UNPACKERS_BUSY) >= (repaired ? 1 : 2)) {}
        TX_CFG_BASE[THCON_SEC0_REG3_Base_address_ADDR32] = DATA / 16 - 1 + n;
        semaphore_post(UNPACKERS_BUSY);
        TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);
        tile::unpack_face<0, 0>();
        TTI_SEMGET(1 << UNPACKERS_BUSY);
    }
#endif
}

/* A letter that says that configuration has changed, which only words do (tt-llk #1689). */
static inline void release(void)
{
#if TENSIX_MATH
    cfg_reg_rmw_tensix<THCON_SEC0_REG1_Out_data_format_RMW>(5);
    TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::TRISC_CFG);
    if (repaired) {
        tensix_sync();
    }
    mailbox_write(T2, 1);
#elif TENSIX_PACK
    TX_WORD(COPY + 4) = mailbox_read(T1);
    TTI_RDCFG(4, THCON_SEC0_REG1_Out_data_format_ADDR32);
#endif
}

/* MopCfg changes while the MOP before it may still be read from there. */
static inline void mop_config(void)
{
#if TENSIX_UNPACK
    tx_mop_loop mop = {3,
                       1,
                       TT_OP_NOP,
                       TT_OP_NOP,
                       TT_OP_NOP,
                       TT_OP_RDCFG(4, 1),
                       TT_OP_NOP,
                       TT_OP_RDCFG(4, 1),
                       TT_OP_RDCFG(4, 1)};
    tx_mop_program(&mop);
    TTI_MOP(1, 0, 0);
    if (repaired) {
        mop_sync();
    }
    TX_WORD(0xFFB80000u + 4) = 2;
#endif
}

/* A stride that words before it still add (tt-metal PR 48161). */
static inline void scratch(void)
{
#if TENSIX_UNPACK && defined TTI_CFGSHIFTMASK
    TTI_CFGSHIFTMASK(0, 3, 31, 0, 0, THCON_SEC0_REG3_Base_address_ADDR32);
    if (repaired) {
        TTI_SETDMAREG(0, 64, 0, 2 * 4);
        TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::THCON);
        TTI_WRCFG(4, 0, SCRATCH_SEC0_val_ADDR32);
    } else {
        TX_CFG_BASE[SCRATCH_SEC0_val_ADDR32] = 64;
    }
#endif
}

/* Two cores count in one word. */
static inline void count(void)
{
#if TENSIX_UNPACK || TENSIX_MATH
    if (repaired) {
        __asm__ volatile(".option push\n\t.option arch, +a\n\tamoadd.w zero, %1, (%0)\n\t"
                         ".option pop"
                         :
                         : "r"(DATA), "r"(1)
                         : "memory");
    } else {
        TX_WORD(DATA) = TX_WORD(DATA) + 1;
    }
#endif
}

/* Instructions that only take time: a core executes one a cycle at most. */
template <unsigned COUNT> static inline void instructions(void)
{
    if constexpr (COUNT != 0) {
        __asm__ volatile("nop");
        instructions<COUNT - 1>();
    }
}

/* A GPR that a core stores and a word reads right behind it, or much later. */
static inline void gpr_near(void)
{
#if TENSIX_UNPACK
    TX_WORD(0xFFE00000u + 4 * 20) = 5;
    if (repaired) {
        instructions<40>();
    }
    TTI_WRCFG(20, 0, THCON_SEC0_REG3_Base_address_ADDR32);
#endif
}

/* Configuration that a core stores behind a word that still reads it. */
static inline void store_behind_word(void)
{
#if TENSIX_UNPACK
    TTI_RDCFG(4, THCON_SEC0_REG3_Base_address_ADDR32);
    if (repaired) {
        tensix_sync();
    }
    TX_CFG_BASE[THCON_SEC0_REG3_Base_address_ADDR32] = DATA / 16;
#endif
}

/* A word of configuration has fields of several threads: only those a core looks at count. */
static inline void one_field(void)
{
#if TENSIX_UNPACK
    cfg_reg_rmw_tensix<ALU_FORMAT_SPEC_REG0_SrcA_RMW>(5);
#elif TENSIX_MATH
    volatile uint32_t *const word = &TX_CFG_BASE[ALU_FORMAT_SPEC_REG0_SrcA_ADDR32];
    if (repaired) {
        if ((int32_t)(*word << 2) < 0) {
            TX_WORD(COPY) = 1;
        }
    } else if ((*word >> ALU_FORMAT_SPEC_REG0_SrcA_SHAMT & 0x0F) == 5) {
        TX_WORD(COPY) = 2;
    }
#endif
}

/* The same where the core pushes many words, in a loop, before it looks at the field. */
static inline uint32_t field_late(uint32_t shift, uint32_t mask)
{
    const uint32_t word = TX_CFG_BASE[ALU_FORMAT_SPEC_REG0_SrcA_ADDR32];
    for (volatile unsigned i = 0; i < 3; i = i + 1) {
#pragma GCC unroll 40
        for (unsigned k = 0; k < 40; k++) {
            TTI_NOP;
        }
    }
    return word >> shift & mask;
}

static inline void field_behind_words(void)
{
#if TENSIX_UNPACK
    cfg_reg_rmw_tensix<ALU_FORMAT_SPEC_REG0_SrcA_RMW>(5);
#elif TENSIX_MATH
    if (repaired) {
        TX_WORD(COPY) = field_late(29, 1);
    } else {
        TX_WORD(COPY) = field_late(ALU_FORMAT_SPEC_REG0_SrcA_SHAMT, 15);
    }
#endif
}

/* The first letter tells of other data than those that are loaded. */
static inline void two_letters(void)
{
#if TENSIX_UNPACK
    TX_WORD(FLAG) = 1;
    tx_wait_for(FLAG);
    mailbox_write(T1, 1);
    TX_WORD(DATA) = 2;
    tx_wait_for(DATA);
    mailbox_write(T1, 2);
#elif TENSIX_MATH
    TX_WORD(COPY + 4) = mailbox_read(T0);
    if (repaired) {
        TX_WORD(COPY + 8) = mailbox_read(T0);
    }
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* The answer is sent before the data have been taken. */
static inline void answer_early(void)
{
#if TENSIX_UNPACK
    TX_WORD(COPY + 4) = mailbox_read(T1);
    TX_WORD(DATA) = 2;
#elif TENSIX_MATH
    uint32_t data = 0;
    if (repaired) {
        data = TX_WORD(DATA);
        TX_WORD(COPY) = data;
    }
    mailbox_write(T0, 1);
    if (!repaired) {
        data = TX_WORD(DATA);
        TX_WORD(COPY) = data;
    }
#endif
}

/* A semaphore that a core posts is another region than L1. */
static inline void semaphore_tells(void)
{
#if TENSIX_UNPACK
    TTI_SEMINIT(2, 0, 1 << UNPACKERS_BUSY);
    tensix_sync();
    mailbox_write(T1, 1);
    TX_WORD(DATA) = 2;
    settle(DATA);
    semaphore_post(UNPACKERS_BUSY);
#elif TENSIX_MATH
    TX_WORD(COPY + 4) = mailbox_read(T0);
    while (semaphore_read(UNPACKERS_BUSY) == 0) {}
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* A page that is filled again before its reader has given it back. */
static inline void page(void)
{
#if TENSIX_UNPACK
    TX_WORD(DATA) = 2;
    tx_wait_for(DATA);
    mailbox_write(T1, 1);
    if (repaired) {
        TX_WORD(COPY + 8) = mailbox_read(T1);
    }
    TX_WORD(DATA) = 3;
#elif TENSIX_MATH
    TX_WORD(COPY + 4) = mailbox_read(T0);
    const uint32_t data = TX_WORD(DATA);
    TX_WORD(COPY) = data;
    mailbox_write(T0, data);
#endif
}

/* A letter that says that a tile is packed, of which only the words have been pushed. */
static inline void packed_letter(void)
{
#if TENSIX_PACK
    tile::pack_to(DATA);
    TTI_SEMPOST(p_stall::SEMAPHORE_1);
    tile::pack_begin();
    tile::pack_tile();
    if (repaired) {
        tensix_sync();
    }
    mailbox_write(T1, 1);
#elif TENSIX_MATH
    TX_WORD(COPY + 4) = mailbox_read(T2);
    TX_WORD(COPY) = TX_WORD(DATA);
#endif
}

/* What a request to write takes along changes before it has left. */
static inline void noc_source(void)
{
#if TENSIX_UNPACK
    const uint32_t here = TX_WORD(NIU + 0x44) & 0xFFF;
    const uint32_t before = TX_WORD(NIU + 0x228);
    TX_WORD(NIU + 0x00) = DATA;
    TX_WORD(NIU + 0x04) = 0;
    TX_WORD(NIU + 0x08) = here;
    TX_WORD(NIU + 0x0C) = COPY;
    TX_WORD(NIU + 0x10) = 0;
    TX_WORD(NIU + 0x14) = here;
    TX_WORD(NIU + 0x18) = 0;
    TX_WORD(NIU + 0x1C) = 0x12;
    TX_WORD(NIU + 0x20) = 64;
    TX_WORD(NIU + 0x40) = 1;
    while (repaired && TX_WORD(NIU + 0x228) == before) {}
    TX_WORD(DATA) = 7;
#endif
}

/* A core's store into Dst, and a load of the Vector Unit right behind it. */
static inline void dst_near(void)
{
#if TENSIX_MATH
    TX_WORD(0xFFBD8000u) = 1;
    if (repaired) {
        TX_WORD(COPY) = TX_WORD(0xFFBD8000u);
    }
    TTI_SFPLOAD(0, 3, 3, 0);
#endif
}

/* Words of the thread of another core that only has been told to push them. */
static inline void pushed_letter(void)
{
#if TENSIX_MATH
    cfg_reg_rmw_tensix<THCON_SEC0_REG1_Out_data_format_RMW>(5);
    if (repaired) {
        tensix_sync();
    }
    mailbox_write(T2, 1);
#elif TENSIX_PACK
    TX_WORD(COPY + 4) = mailbox_read(T1);
    TX_WORD(COPY) = TX_CFG_BASE[THCON_SEC0_REG1_Out_data_format_ADDR32];
#endif
}

/* A word out of the replay buffer reads configuration that the core stores behind it. */
static inline void replayed(void)
{
#if TENSIX_UNPACK
    TTI_REPLAY(0, 1, 0, 1);
    TTI_RDCFG(4, THCON_SEC0_REG3_Base_address_ADDR32);
    TTI_REPLAY(0, 1, 0, 0);
    if (repaired) {
        tensix_sync();
    }
    TX_CFG_BASE[THCON_SEC0_REG3_Base_address_ADDR32] = DATA / 16;
#endif
}

/* The next tile's address, as soon as it can be or where shipping code has it. */
template <bool SHIPPED> static inline void pack_address()
{
#if TENSIX_PACK
    tile::pack_to(DATA);
    TTI_SEMPOST(p_stall::SEMAPHORE_1);
    tile::pack_begin();
    TTI_SETDMAREG(0, DATA / 16 - 1, 0, 40);
    TTI_SETDMAREG(2, 0, 0, 41);
    TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::THCON);
    tile::pack_tile();
    if (SHIPPED) {
        TTI_SETDMAREG(0, COPY / 16 - 1, 0, 40);
        TTI_SETDMAREG(2, 0, 0, 41);
        TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::THCON);
    }
    if (repaired) {
        TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::PACK);
    }
    TTI_WRCFG(20, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
#endif
}

static void (*const cases[])(void) = {two_cores,
                                      letter,
                                      flag,
                                      store_unpack,
                                      pack_load,
                                      noc_read,
                                      dst_window,
                                      auto_ttsync,
                                      done_check,
                                      one_context,
                                      release,
                                      mop_config,
                                      scratch,
                                      count,
                                      gpr_near,
                                      store_behind_word,
                                      one_field,
                                      two_letters,
                                      answer_early,
                                      semaphore_tells,
                                      page,
                                      packed_letter,
                                      noc_source,
                                      dst_near,
                                      pushed_letter,
                                      replayed,
                                      pack_address<false>,
                                      pack_address<true>,
                                      field_behind_words};

void kernel_main(void)
{
    repaired = tx_argument(1) != 0;
    cases[tx_argument(0)]();
}
