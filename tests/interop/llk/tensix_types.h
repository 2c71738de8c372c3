/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of formats. Source: spec/formats-and-scalar-unit.md */
#ifndef INTEROP_TENSIX_TYPES_H
#define INTEROP_TENSIX_TYPES_H

#include <cstdint>

enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    Fp8_e4m3 = 26,
    UInt8 = 30,
    RawUInt8 = 0xf0,
    RawUInt16 = 0xf1,
    RawUInt32 = 0xf2,
    Invalid = 0xff,
};

enum xmov_direction_t { XMOV_L0_TO_L1, XMOV_L1_TO_L0, XMOV_L0_TO_L0, XMOV_L1_TO_L1 };
enum tdma_mover_id_t { TDMA_MOVER0, TDMA_MOVER1 };

#endif
