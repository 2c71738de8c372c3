/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants of a recorded kernel that `tensix fit` may choose. They become .free lines of the
 * kernel file, and the instructions that load them refer to them by name.
 *
 *     constexpr tensix::free_constant c3("c3", 0.1666f, tensix::free_format::fp32, 0.1f, 0.2f);
 *     void init() { c3.load(ckernel::p_sfpu::LREG7); }
 *
 * Include it after <tensix/ckernel_ops.h>.
 */
#ifndef TENSIX_FREE_CONSTANT_HPP
#define TENSIX_FREE_CONSTANT_HPP

#include <cstdint>
#include <cstdio>
#include <cstring>

#include <tensix/ckernel_ops.h>

namespace tensix
{

enum class free_format { fp32, bf16 };

class free_constant
{
  public:
    /* low and high are the range to search; both 0: all values. name must outlive the recording. */
    constexpr free_constant(const char *name, float value, free_format format = free_format::fp32,
                            float low = 0, float high = 0)
        : name_(name), value_(value), low_(low), high_(high), format_(format)
    {
    }

    /* Records SFPLOADI of the value: always two for FP32, one for BF16. */
    void load(std::uint32_t lreg, const char *file = __builtin_FILE(),
              unsigned line = __builtin_LINE()) const
    {
        tx_recorder *const r = tx_recorder_get(file, line);
        declare(r);
        tx_record_settle(r);
        const std::uint32_t bits = pattern();
        if (format_ == free_format::bf16) {
            tx_record_append_free(r, TT_OP_SFPLOADI(lreg, 0, bits >> 16), name_, lreg, file, line);
        } else {
            tx_record_append_free(r, TT_OP_SFPLOADI(lreg, 8, bits >> 16), name_, lreg, file, line);
            tx_record_append_free(r, TT_OP_SFPLOADI(lreg, 10, bits & 0xFFFF), nullptr, lreg, file,
                                  line);
        }
    }

  private:
    const char *name_;
    float value_, low_, high_;
    free_format format_;

    /* Returns FP32 bits, or BF16 in the upper half, rounded to nearest, ties to even. */
    std::uint32_t pattern() const
    {
        std::uint32_t bits;
        std::memcpy(&bits, &value_, sizeof bits);
        return format_ == free_format::fp32 ? bits
                                            : (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000u;
    }

    /* Adds the .free line to the kernel's head, unless it is there already. */
    void declare(const tx_recorder *r) const
    {
        char line[200];
        int used = std::snprintf(line, sizeof line, ".free %.31s = float(", name_);
        if (std::strstr(r->head, line) != nullptr) {
            return;
        }
        used += std::snprintf(line + used, sizeof line - static_cast<std::size_t>(used),
                              "%.9g) in %s", static_cast<double>(value_),
                              format_ == free_format::fp32 ? "fp32" : "bf16");
        if (low_ != 0 || high_ != 0) {
            std::snprintf(line + used, sizeof line - static_cast<std::size_t>(used),
                          " [%.9g, %.9g]", static_cast<double>(low_), static_cast<double>(high_));
        }
        tx_record_head(line);
    }
};

} // namespace tensix

#endif
