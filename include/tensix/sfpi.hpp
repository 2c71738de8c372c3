/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in the style of SFPI: vFloat, vInt, vUInt, dst_reg[n], v_if and the functions of
 * sfpi/lib.hpp, recorded (record.h) as instructions with registers L0 to L7. Names, parameters and
 * the instructions that they stand for are facts of tenstorrent/sfpi 09c17d1 (include/). C++17.
 *
 *     vFloat x = dst_reg[0];
 *     v_if (x < 0.0f) { x = x * 0.1f; } v_endif;
 *     dst_reg[0] = x;
 *
 * A comparison tests the sign and the bits of a difference: for vFloat of a - b, rounded as SFPADD
 * does, for integers of a - b modulo 2^32. In a comparison with the number 0, a vFloat is tested
 * itself. Therefore -0 is less than 0.0f and not equal to it; two equal infinities are not equal,
 * because their difference is a NaN, whose sign decides whether they are less; two numbers whose
 * difference is below the normal range are equal; and integers compare correctly when they are less
 * than 2^31 apart. This is what sfpi's compiler made of them up to 7.74 (tt-metal #33885, #53150);
 * later ones differ in such cases, for == from 7.75 on (#56659).
 *
 * This is the header to include. Its names are in sfpi/types.hpp, ops.hpp, lib.hpp and
 * exchange.hpp. What is in namespace sfpi::impl_, or in sfpi::trace (sfpi/words.hpp, trace.hpp,
 * lower.hpp, settle.hpp), is the compiler behind them: no interface, and free to change.
 */
#ifndef TENSIX_SFPI_HPP
#define TENSIX_SFPI_HPP

#include <tensix/sfpi/exchange.hpp>

#endif
