/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_LLK_DEFS_H
#define TENSIX_LLK_LLK_DEFS_H

#include <tensix/ckernel_ops.h>
#include <tensix/llk/tensix_types.h>

namespace ckernel
{

enum VectorMode { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xff };
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum PoolType { SUM, AVG, MAX, MIN };
enum ReluType { NO_RELU, ZERO_RELU, MIN_THRESHOLD_RELU, MAX_THRESHOLD_RELU };
enum DstSync { SyncHalf = 0, SyncFull = 1 };
enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

/* Returns the mode of SFPLOAD and SFPSTORE for a format; for formats not listed DEFAULT. */
template <DataFormat format> constexpr InstrModLoadStore GetSfpLoadStoreInstrMod()
{
    switch (format) {
    case DataFormat::Float32:
    case DataFormat::Tf32:
        return InstrModLoadStore::FP32;
    case DataFormat::Float16:
        return InstrModLoadStore::FP16A;
    case DataFormat::Float16_b:
        return InstrModLoadStore::FP16B;
    case DataFormat::Int8:
    case DataFormat::UInt8:
        return InstrModLoadStore::INT8;
    case DataFormat::UInt16:
        return InstrModLoadStore::LO16;
    case DataFormat::Int32:
    case DataFormat::UInt32:
        return InstrModLoadStore::INT32;
    default:
        return InstrModLoadStore::DEFAULT;
    }
}

} // namespace ckernel

#endif
