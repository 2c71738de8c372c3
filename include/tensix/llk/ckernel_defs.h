/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_DEFS_H
#define TENSIX_LLK_CKERNEL_DEFS_H

#include <array>
#include <limits>
#include <tensix/llk/llk_defs.h>
#include <type_traits>

/* Dst rows of 16-bit elements. */
inline constexpr std::uint32_t DEST_REGISTER_FULL_SIZE = 1024;
inline constexpr std::uint32_t DEST_REGISTER_HALF_SIZE = DEST_REGISTER_FULL_SIZE / 2;

/* As where it is off: compiled, not evaluated. */
#ifndef LLK_ASSERT
#define LLK_ASSERT(condition, message) ((void)sizeof((condition)))
#endif

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

template <typename T> constexpr auto to_underlying(T number) noexcept
{
    return static_cast<std::underlying_type_t<T>>(number);
}

} // namespace ckernel

#endif
