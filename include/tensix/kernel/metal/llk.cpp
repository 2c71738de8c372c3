/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program around a kernel that is written in tt-llk's headers, on one of the threads' cores:
 * "tensix cc --headers llk" compiles it with the vendor's compiler. It defines the variables that
 * those headers expect, and calls the kernel's kernel_main, which configures units itself. The
 * command line defines TX_KERNEL_FILE.
 */
#include <cstdint>

#include "ckernel.h"
#include "ckernel_globals.h"
#include "ckernel_template.h"
#include "tensix.h"

#include "memory.h"

uint32_t unp_cfg_context = 0;
uint32_t pack_sync_tile_dst_ptr = 0;
uint32_t math_sync_tile_dst_index = 0;
uint32_t gl_alu_format_spec_reg = 0;
uint32_t op_info_offset = 0;

namespace ckernel
{
volatile tt_reg_ptr uint *reg_base = reinterpret_cast<volatile uint *>(0xFFB10000);
volatile tt_reg_ptr uint *regfile = reinterpret_cast<volatile uint *>(REGFILE_BASE);
volatile tt_reg_ptr uint *pc_buf_base = reinterpret_cast<volatile uint *>(PC_BUF_BASE);
volatile tt_reg_ptr uint *mailbox_base[4] = {
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX0_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX1_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX2_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX3_BASE)};
uint32_t cfg_state_id __attribute__((used)) = 0;
uint32_t dest_offset_id __attribute__((used)) = 0;
} // namespace ckernel

void kernel_main();
#include TX_KERNEL_FILE

extern "C" void tx_llk_run() __asm__("kernel_main");
extern "C" __attribute__((used)) void tx_llk_run()
{
    for (unsigned i = 0; i < 64; i++) {
        ckernel::regfile[i] = 0;
    }
    ckernel::reset_cfg_state_id();
    kernel_main();
    ckernel::tensix_sync();
}
