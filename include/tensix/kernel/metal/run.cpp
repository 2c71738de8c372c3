/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program around a kernel that is written in tt-metal's headers: it takes the place of
 * tt-metal's firmware on a core. It defines the variables that those headers expect, fills them in
 * from struct tx_launch, and calls the kernel. "tensix chip run" compiles it with the vendor's
 * compiler, for each core and kernel; the command line defines TX_KERNEL_FILE, and has the folder
 * of chlkc_descriptors.h, with the formats of circular buffers.
 */
#include <cstddef>
#include <cstdint>

#include "internal/firmware_common.h"
#include "risc_common.h"
#include "tensix.h"
#include "tensix_types.h"

#include "api/compile_time_args.h"

#include "internal/circular_buffer_interface.h"
#include "internal/circular_buffer_init.h"

#include "memory.h"
#include <tensix/kernel/launch.h>

namespace
{
const volatile tx_launch &launched()
{
    return *reinterpret_cast<const volatile tx_launch *>(TX_LAUNCH);
}
} // namespace

/* ---- the variables of all cores ---- */

uint32_t tt_l1_ptr *rta_l1_base __attribute__((used));
uint32_t tt_l1_ptr *crta_l1_base __attribute__((used));
uint8_t my_logical_x_ __attribute__((used));
uint8_t my_logical_y_ __attribute__((used));
uint8_t my_relative_x_ __attribute__((used));
uint8_t my_relative_y_ __attribute__((used));

namespace
{
inline uint32_t tt_l1_ptr *words_at(uint32_t address)
{
    return reinterpret_cast<uint32_t tt_l1_ptr *>(address);
}

inline void arguments()
{
    const volatile tx_launch &l = launched();
    rta_l1_base = words_at(l.arguments[TENSIX_CORE]);
    crta_l1_base = words_at(l.common[TENSIX_CORE]);
    my_logical_x_ = my_relative_x_ = static_cast<uint8_t>(l.column);
    my_logical_y_ = my_relative_y_ = static_cast<uint8_t>(l.row);
}

template <bool read, bool write, bool tiles> inline void circular_buffers()
{
    const uint32_t at = TX_LAUNCH + offsetof(tx_launch, circular);
    setup_local_cb_read_write_interfaces<read, write, tiles, false>(words_at(at), 0,
                                                                    launched().circular_mask[0]);
    if constexpr (NUM_CIRCULAR_BUFFERS > 32) {
        setup_local_cb_read_write_interfaces<read, write, tiles, false>(
            words_at(at), 32, launched().circular_mask[1]);
    }
}

/* One core of the tile does what is done once; the others wait until it has. */
inline void once_done(unsigned part)
{
    const_cast<volatile tx_launch &>(launched()).ready[part] = 1;
}
inline void await_once(unsigned part)
{
    while (launched().ready[part] == 0) {
        invalidate_l1_cache();
    }
}
} // namespace

#if TENSIX_DATA_MOVEMENT

/* ---- data movement ---- */

#include "api/dataflow/dataflow_api.h"
#include "noc_nonblocking_api.h"

namespace ckernel
{
volatile tt_reg_ptr uint *regfile = reinterpret_cast<volatile uint *>(REGFILE_BASE);
volatile tt_reg_ptr uint *pc_buf_base = reinterpret_cast<volatile uint *>(PC_BUF_BASE);
volatile tt_reg_ptr uint *mailbox_base[4] = {
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX0_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX1_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX2_BASE),
    reinterpret_cast<volatile uint tt_reg_ptr *>(TENSIX_MAILBOX3_BASE)};
} // namespace ckernel

uint8_t my_x[NUM_NOCS] __attribute__((used));
uint8_t my_y[NUM_NOCS] __attribute__((used));
uint32_t noc_reads_num_issued[NUM_NOCS] __attribute__((used));
uint32_t noc_nonposted_writes_num_issued[NUM_NOCS] __attribute__((used));
uint32_t noc_nonposted_writes_acked[NUM_NOCS] __attribute__((used));
uint32_t noc_nonposted_atomics_acked[NUM_NOCS] __attribute__((used));
uint32_t noc_posted_writes_num_issued[NUM_NOCS] __attribute__((used));
CBInterface cb_interface[NUM_CIRCULAR_BUFFERS] __attribute__((used));
uint32_t tt_l1_ptr *sem_l1_base[ProgrammableCoreType::COUNT] __attribute__((used));
bank_noc_xy_t dram_bank_to_noc_xy[NUM_NOCS][NUM_DRAM_BANKS] __attribute__((used));
bank_noc_xy_t l1_bank_to_noc_xy[NUM_NOCS][NUM_L1_BANKS] __attribute__((used));
int32_t bank_to_dram_offset[NUM_DRAM_BANKS] __attribute__((used));
int32_t bank_to_l1_offset[NUM_L1_BANKS] __attribute__((used));
uint8_t worker_logical_col_to_virtual_col[round_up_to_mult_of_4(noc_size_x)] __attribute__((used));
uint8_t worker_logical_row_to_virtual_row[round_up_to_mult_of_4(noc_size_y)] __attribute__((used));

namespace
{
/* Coordinates are translated ones, the same on both NoCs. */
inline void banks()
{
    const volatile tx_launch &l = launched();
    for (uint32_t noc = 0; noc < NUM_NOCS; noc++) {
        for (uint32_t i = 0; i < NUM_DRAM_BANKS; i++) {
            dram_bank_to_noc_xy[noc][i] =
                static_cast<bank_noc_xy_t>(l.dram_xy[i] << NOC_COORD_REG_OFFSET);
        }
        for (uint32_t i = 0; i < NUM_L1_BANKS; i++) {
            l1_bank_to_noc_xy[noc][i] =
                static_cast<bank_noc_xy_t>(l.l1_xy[i] << NOC_COORD_REG_OFFSET);
        }
    }
    for (uint32_t i = 0; i < NUM_DRAM_BANKS; i++) {
        bank_to_dram_offset[i] = static_cast<int32_t>(l.dram_offset[i]);
    }
    for (uint32_t i = 0; i < l.columns && i < sizeof worker_logical_col_to_virtual_col; i++) {
        worker_logical_col_to_virtual_col[i] = l.column_x[i];
    }
    for (uint32_t i = 0; i < l.rows && i < sizeof worker_logical_row_to_virtual_row; i++) {
        worker_logical_row_to_virtual_row[i] = l.row_y[i];
    }
}

inline void network()
{
    enum { B = 0, PART = 0 };
    if (TENSIX_CORE == B || (launched().cores & 1u << B) == 0) {
        noc_init(MEM_NOC_ATOMIC_RET_VAL_ADDR);
        once_done(PART);
    } else {
        await_once(PART);
    }
    noc_local_state_init(NOC_INDEX);
}
} // namespace

void kernel_main();
#include TX_KERNEL_FILE

/* The start-up code calls it by the name that kernels in tensix/kernel have. */
extern "C" void tx_metal_run() __asm__("kernel_main");
extern "C" __attribute__((used)) void tx_metal_run()
{
    configure_csr();
    arguments();
    risc_init();
    banks();
    for (uint32_t i = 0; i < ProgrammableCoreType::COUNT; i++) {
        sem_l1_base[i] = words_at(TX_LAUNCH_SEMAPHORES);
    }
    circular_buffers<true, true, false>();
    network();
    kernel_main();
}

#else

/* ---- compute ---- */

#include "ckernel.h"
#include "ckernel_gpr_map.h"
#include "internal/debug/fw_debug.h"
#include "llk_param_structs.h"

uint32_t unp_cfg_context = 0;
uint32_t pack_sync_tile_dst_ptr = 0;
uint32_t math_sync_tile_dst_index = 0;
uint32_t gl_alu_format_spec_reg = 0;
uint32_t op_info_offset = 0;
#if !defined(UCK_CHLKC_MATH)
CBInterface cb_interface[NUM_CIRCULAR_BUFFERS] __attribute__((used));
#endif

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

using namespace ckernel;

#include "chlkc_descriptors.h"

void kernel_main();
#include TX_KERNEL_FILE

namespace
{
/* What tt-metal's firmware leaves in the coprocessor; the first thread does it for all. */
inline void coprocessor()
{
    enum { PART = 1 };
    for (unsigned i = 0; i < 64; i++) {
        regfile[i] = 0;
    }
    reset_cfg_state_id();
#if defined(UCK_CHLKC_UNPACK)
    t6_semaphore_init(semaphore::MATH_PACK, 0, 1);
    t6_semaphore_init(semaphore::UNPACK_TO_DEST, 0, 1);
    t6_semaphore_init(semaphore::MATH_DONE, 0, 1);
    t6_semaphore_init(semaphore::PACK_DONE, 0, 1);
    TTI_SFPENCC(3, 0, 0, 10);
    tensix_sync();
    once_done(PART);
    zerosrc();
#else
    await_once(PART);
#endif
#if defined(UCK_CHLKC_MATH)
    zeroacc();
#endif
}
} // namespace

extern "C" void tx_metal_run() __asm__("kernel_main");
extern "C" __attribute__((used)) void tx_metal_run()
{
    configure_csr();
    arguments();
#if defined(UCK_CHLKC_UNPACK)
    circular_buffers<true, false, false>();
#elif defined(UCK_CHLKC_PACK)
    circular_buffers<false, true, true>();
#endif
    coprocessor();
    kernel_main();
    tensix_sync();
}

#endif
