/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For sources that include the vendor's header of this name: the double loop that MOP 1 expands. On
 * a card the RISC-V core writes it between instructions. Here it becomes the .mop of the kernel
 * file, which is written before the first instruction, so that a kernel can have only one. Words of
 * MopCfg: tt-llk 36b092e.
 */
#ifndef TENSIX_LLK_CKERNEL_TEMPLATE_H
#define TENSIX_LLK_CKERNEL_TEMPLATE_H

#include <cstdio>
#include <cstring>
#include <tensix/llk/ckernel.h>

namespace ckernel
{

class ckernel_template
{
  public:
    ckernel_template(std::uint32_t outer, std::uint32_t inner)
        : ckernel_template(outer, inner, TT_OP_NOP)
    {
    }
    ckernel_template(std::uint32_t outer, std::uint32_t inner, std::uint32_t op)
        : words_{outer, inner, TT_OP_NOP, TT_OP_NOP, TT_OP_NOP, op, TT_OP_NOP, op, op}
    {
    }
    ckernel_template(std::uint32_t outer, std::uint32_t inner, std::uint32_t op0, std::uint32_t op1)
        : words_{outer, inner, TT_OP_NOP, TT_OP_NOP, TT_OP_NOP, op0, op1, op1, op1}
    {
    }
    void set_start_op(std::uint32_t op)
    {
        words_[2] = op;
    }
    void set_end_ops(std::uint32_t op0, std::uint32_t op1)
    {
        words_[3] = op0;
        words_[4] = op1;
    }
    void set_end_op(std::uint32_t op)
    {
        set_end_ops(op, TT_OP_NOP);
    }
    void set_loop_op0(std::uint32_t op)
    {
        words_[5] = op;
    }
    void set_loop_op1(std::uint32_t op)
    {
        words_[6] = op;
    }
    void set_last_outer_loop_instr(std::uint32_t op)
    {
        words_[7] = op;
    }
    void set_last_inner_loop_instr(std::uint32_t op)
    {
        words_[8] = op;
    }

    void program(TX_RECORD_CALLER) const
    {
        char text[9 * 12 + 16] = ".mop 0";
        for (const std::uint32_t word : words_) {
            const std::size_t used = std::strlen(text);
            std::snprintf(text + used, sizeof text - used, ", 0x%x", unsigned(word));
        }
        tx_recorder *recorder = tx_recorder_get(file, line);
        if (std::strstr(recorder->head, ".mop") == nullptr) {
            tx_record_head(text);
        } else if (std::strstr(recorder->head, text) == nullptr && recorder->error[0] == '\0') {
            std::snprintf(recorder->error, sizeof recorder->error,
                          "%.180s:%u: a second MOP: a kernel has one", file, line);
            tx_record_stop(recorder);
        }
    }
    static void run(TX_RECORD_CALLER)
    {
        tx_record(TT_OP_MOP(1, 0, 0), file, line);
    }
    void program_and_run(TX_RECORD_CALLER) const
    {
        program(file, line);
        run(file, line);
    }

  private:
    std::uint32_t words_[9];
};

} // namespace ckernel

#endif
