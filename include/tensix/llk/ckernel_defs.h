/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_DEFS_H
#define TENSIX_LLK_CKERNEL_DEFS_H

#include <array>
#include <limits>
#include <tensix/llk/llk_assert.h>
#include <tensix/llk/llk_defs.h>
#include <type_traits>

/* Number of Dst rows of 16-bit elements. */
inline constexpr std::uint32_t DEST_REGISTER_FULL_SIZE = 1024;
inline constexpr std::uint32_t DEST_REGISTER_HALF_SIZE = DEST_REGISTER_FULL_SIZE / 2;

namespace ckernel
{

inline constexpr std::uint32_t FACE_HEIGHT = 16;
inline constexpr std::uint32_t FACE_WIDTH = 16;
inline constexpr std::uint32_t TILE_HEIGHT = 32;
inline constexpr std::uint32_t TILE_WIDTH = 32;
inline constexpr std::uint32_t FACE_R_DIM = FACE_HEIGHT;
inline constexpr std::uint32_t FACE_C_DIM = FACE_WIDTH;
inline constexpr std::uint32_t TILE_R_DIM = TILE_HEIGHT;
inline constexpr std::uint32_t TILE_C_DIM = TILE_WIDTH;
inline constexpr std::uint32_t TILE_NUM_FACES = 4;

enum Srcs { SrcA = 0, SrcB = 1, SrcC = 2 };
enum DstStart { StartZero = 0, StartHalf = 1 };
enum ThreadId { BriscThreadId = 0, UnpackThreadId = 1, MathThreadId = 2, PackThreadId = 3 };
enum UnpackDestination { SrcRegs = 0, DestReg = 1 };
enum class DataLayout { TILE = 0, ROW_MAJOR = 1 };
enum DstTileShape { Tile32x32 = 0, Tile32x16 = 1, Tile16x16 = 2 };
enum SortDir : bool { ArgMax = false, ArgMin = true };
enum class ActivationType { Celu = 0, Elu = 1, Gelu = 2, Hardtanh = 3, Hardsigmoid = 4 };
enum class RoundingMode : std::uint8_t { None = 0, Trunc = 1, Floor = 2 };
enum class BinaryOp : std::uint8_t {
    ADD = 0,
    SUB = 1,
    MUL = 2,
    DIV = 3,
    RSUB = 4,
    POW = 5,
    XLOGY = 6,
    RSHFT = 7,
    LSHFT = 8,
    LOGICAL_RSHFT = 9,
    ADD_TOP_ROW = 10
};

/* Dst rows of a tile as a power of two, indexed by DstTileShape. */
inline constexpr std::uint32_t DstTileSizeLog2[3] = {6, 5, 4};

/* Number of tiles that fit in the kernel's part of Dst: half or all of it, in 16 or 32 bits. */
template <DstSync sync, bool accumulates_in_32_bits, DstTileShape shape>
constexpr std::uint32_t get_dest_max_tiles()
{
    const std::uint32_t rows =
        sync == DstSync::SyncFull ? DEST_REGISTER_FULL_SIZE : DEST_REGISTER_HALF_SIZE;
    return (accumulates_in_32_bits ? rows / 2 : rows) >> DstTileSizeLog2[shape];
}

/* Returns the four bits that the hardware uses of a format. */
constexpr std::uint32_t masked_data_format(std::uint32_t format)
{
    return format & 15;
}

template <typename T> constexpr auto to_underlying(T number) noexcept
{
    return static_cast<std::underlying_type_t<T>>(number);
}

} // namespace ckernel

#endif
