/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_DEFS_H
#define TENSIX_LLK_CKERNEL_DEFS_H

#include <tensix/ckernel_ops.h>
#include <array>
#include <limits>
#include <type_traits>

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

template <typename T> constexpr auto to_underlying(T number) noexcept
{
    return static_cast<std::underlying_type_t<T>>(number);
}

} // namespace ckernel

#endif
