/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the whole kernels of this folder share: set-up of unpackers and packers, and the words that
 * hand faces, tiles and Dst from one thread to the next. It does in C++ what
 * examples/tiles/tile.inc does in assembler; docs/tiles.md says why it is as it is.
 *
 * The configuration is written by instructions (RMWCIB), because three threads share some words of
 * it, and a thread's own words by SETC16.
 */
#pragma once
#include <tensix/kernel/tensix.h>

namespace tile
{

enum Format : uint32_t { FP32 = 0, FP16 = 1, BF16 = 5 };
enum { FACES = 4, FACE_ROWS = 16, UNPACK_A = 1, UNPACK_B = 2, PACK = 4 };
#ifdef ARCH_BLACKHOLE
constexpr bool BLACKHOLE = true;
#else
constexpr bool BLACKHOLE = false;
#endif

#define CFG(field, value) cfg_reg_rmw_tensix<field##_RMW>(value)
#define FIELD(field, value) (uint32_t(value) << field##_SHAMT)

/* ---- unpack ---- */

/* SrcA from address: tiles of four faces of 16x16. The descriptor's third word is 0. */
inline void unpack_a_from(uint32_t address, Format in = BF16, Format out = BF16)
{
    CFG(THCON_SEC0_REG0_TileDescriptor, 0x10 | in); // uncompressed
    CFG(THCON_SEC0_REG0_TileDescriptor_1, 0x00040001);
    CFG(THCON_SEC0_REG2_Out_data_format, out);
    CFG(THCON_SEC0_REG2_Throttle_mode, 2);
    CFG(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1);
    CFG(THCON_SEC0_REG3_Base_address, address / 16 - 1);
    CFG(THCON_SEC0_REG5_Tile_x_dim_cntx0, 256);
    CFG(THCON_SEC0_REG5_Dest_cntx0_address, 64); // row 0: four rows do not exist
    TTI_SETC16(SRCA_SET_SetOvrdWithAddr_ADDR32, FIELD(SRCA_SET_SetOvrdWithAddr, 1));
}

/* SrcB likewise. */
inline void unpack_b_from(uint32_t address, Format in = BF16, Format out = BF16)
{
    CFG(THCON_SEC1_REG0_TileDescriptor, 256u << 16 | 0x10 | in);
    CFG(THCON_SEC1_REG0_TileDescriptor_1, 0x00040001);
    CFG(THCON_SEC1_REG2_Out_data_format, out);
    CFG(THCON_SEC1_REG2_Throttle_mode, 2);
    CFG(THCON_SEC1_REG2_Disable_zero_compress_cntx0, 1);
    CFG(THCON_SEC1_REG3_Base_address, address / 16 - 1);
}

/* Only zeros go through SrcB: what zero_b hands over has this format. */
inline void unpack_b_zeros(Format out = BF16)
{
    CFG(THCON_SEC1_REG2_Out_data_format, out);
}

/* Counters of both unpackers: 256 data at a time, from the first face on. */
inline void unpack_begin()
{
    TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);
    TTI_SETADCXX(UNPACK_A | UNPACK_B, 255, 0);
    TTI_SETADCXY(UNPACK_A | UNPACK_B, 0, 0, 0, 0, 11);
    TTI_SETADCZW(UNPACK_A | UNPACK_B, 0, 0, 0, 0, 15);
}

/* The face that comes next. */
inline void next_face(uint32_t unpackers, uint32_t face)
{
    TT_SETADCZW(unpackers, 0, 0, 0, face, 3);
}

/* One face into a bank, which goes to the Matrix Unit; then step faces further on. */
template <uint32_t unpacker, uint32_t step> inline void unpack_face()
{
    TTI_UNPACR(unpacker, step, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1);
}

/* A bank of zeros for the Matrix Unit, which waits for both in most instructions. */
inline void zero_b()
{
#ifdef ARCH_BLACKHOLE
    TTI_UNPACR_NOP(1, 0, 0, 1, 0, 0, 0, 0, 1);
#else
    TTI_UNPACR_NOP(1, 1);
    TTI_UNPACR_NOP(1, 7);
#endif
}

/* ---- math ---- */

/* The formats of both registers (Blackhole takes those that the unpackers tell). */
inline void math_formats(Format a = BF16, Format b = BF16)
{
    CFG(ALU_FORMAT_SPEC_REG0_SrcA, a);
    CFG(ALU_FORMAT_SPEC_REG1_SrcB, b);
}

/* No row of Dst holds anything: all read as zero. */
inline void clear_dst()
{
#ifdef ARCH_BLACKHOLE
    TTI_ZEROACC(p_zeroacc::CLR_ALL, 0, 0, 0, 0);
#else
    TTI_ZEROACC(p_zeroacc::CLR_ALL, 0, 0);
#endif
}

/*
 * Dst is free: semaphore 1 is below its maximum, which the pack thread sets as it begins. Without
 * this wait its SEMINIT might take a post back that came before it.
 */
inline void dst_free()
{
    TTI_SEMWAIT(p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX);
}

/* Dst is full: semaphore 1 goes up when these units have done their work. */
template <uint32_t units = p_stall::MATH> inline void dst_full()
{
    TTI_STALLWAIT(p_stall::STALL_SYNC, units);
    TTI_SEMPOST(p_stall::SEMAPHORE_1);
}

/* ---- pack ---- */

#define PACKER(section, address, format)                           \
    do {                                                           \
        CFG(THCON_##section##_Disable_zero_compress, 1);           \
        CFG(THCON_##section##_In_data_format, format);             \
        CFG(THCON_##section##_Out_data_format, format);            \
        CFG(THCON_##section##_L1_Dest_addr, address);              \
    } while (0)

/* Tiles of Dst to address, of 16-bit formats. Strides in Dst are bytes; distances in L1 units of 16
 * bytes. */
inline void pack_to(uint32_t address, Format format = BF16)
{
    // Bit 31: packers 1 to 3 count from here.
    const uint32_t first = 0x80000000 | (address / 16 - 1);
    PACKER(SEC0_REG1, first, format);
#ifdef ARCH_BLACKHOLE
    // Four rows an instruction. Modifier 0: the next four; 2: the next face; 1: from the start.
    TTI_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
               FIELD(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | FIELD(ADDR_MOD_PACK_SEC0_YdstIncr, 4));
    TTI_SETC16(ADDR_MOD_PACK_SEC1_YsrcClear_ADDR32,
               FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1) | FIELD(ADDR_MOD_PACK_SEC1_YdstClear, 1) |
                   FIELD(ADDR_MOD_PACK_SEC1_ZsrcClear, 1));
    TTI_SETC16(ADDR_MOD_PACK_SEC2_YsrcClear_ADDR32,
               FIELD(ADDR_MOD_PACK_SEC2_YsrcClear, 1) | FIELD(ADDR_MOD_PACK_SEC2_YdstIncr, 4) |
                   FIELD(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
#else
    // A packer for each face.
    PACKER(SEC0_REG8, 31, format);
    PACKER(SEC1_REG1, 63, format);
    PACKER(SEC1_REG8, 95, format);
    CFG(DEST_TARGET_REG_CFG_PACK_SEC1_Offset, 16);
    CFG(DEST_TARGET_REG_CFG_PACK_SEC2_Offset, 32);
    CFG(DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 48);
    CFG(PACK_COUNTERS_SEC1_pack_reads_per_xy_plane, 16);
    CFG(PACK_COUNTERS_SEC2_pack_reads_per_xy_plane, 16);
    CFG(PACK_COUNTERS_SEC3_pack_reads_per_xy_plane, 16);
    CFG(PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    TTI_SETC16(ADDR_MOD_PACK_SEC1_YsrcClear_ADDR32,
               FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1) | FIELD(ADDR_MOD_PACK_SEC1_YdstClear, 1));
#endif
    CFG(ALU_FORMAT_SPEC_REG2_Dstacc, format);
    CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF);
    CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32);   // a row
    CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 512);  // a face
    CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 2048); // a tile
    TTI_SEMINIT(1, 0, p_stall::SEMAPHORE_1);
}

/* Counters, and the wait for semaphore 1. */
inline void pack_begin()
{
    TTI_STALLWAIT(p_stall::STALL_PACK, p_stall::TRISC_CFG);
    TTI_SETADCXX(PACK, BLACKHOLE ? 15 : 255, 0); // a row, four times; a face each
    TTI_SETADCXY(PACK, 0, 0, 0, 0, 11);
    TTI_SETADCZW(PACK, 0, 0, 0, 0, 15);
    TTI_SEMWAIT(p_stall::STALL_PACK, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO);
}

/* The whole tile that the counters name; the last word closes it. */
inline void pack_tile()
{
#ifdef ARCH_BLACKHOLE
    for (unsigned face = 0; face < FACES; face++) {
        for (unsigned rows = 0; rows < FACE_ROWS - 4; rows += 4) {
            TTI_PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }
        if (face + 1 < FACES) {
            TTI_PACR(0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
        } else {
            TTI_PACR(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1);
        }
    }
#else
    TTI_PACR(1, 0, 15, 0, 0, 0, 1);
#endif
}

/* Dst is free again: semaphore 1 goes down when the packers have read it. */
inline void pack_end()
{
    TTI_STALLWAIT(p_stall::STALL_SYNC, p_stall::PACK);
    TTI_SEMGET(p_stall::SEMAPHORE_1);
}

} // namespace tile
