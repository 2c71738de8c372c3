/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compute kernels of this folder share: unpackers and packer on pages of circular buffers,
 * tiles of 32x32 in BF16. The words themselves are those of examples/llk_style/tile.hpp.
 */
#pragma once
#include "../llk_style/tile.hpp"
#include <tensix/kernel/dataflow.h>

namespace compute
{

/* Both unpackers on the pages that are first in these circular buffers. */
inline void unpack_from(unsigned a, unsigned b)
{
    // The unpackers read their configuration while they work.
    TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::UNPACK);
    CFG(THCON_SEC0_REG3_Base_address, get_read_ptr(a) / 16 - 1);
    CFG(THCON_SEC1_REG3_Base_address, get_read_ptr(b) / 16 - 1);
    tile::unpack_begin();
}

/* A tile of Dst to the page that is free in a circular buffer. */
inline void pack_into(unsigned c)
{
    cb_reserve_back(c, 1);
    TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::PACK);
    CFG(THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | (get_write_ptr(c) / 16 - 1));
    tile::pack_begin();
    tile::pack_tile();
    tile::pack_end();
    cb_push_back(c, 1);
}

} // namespace compute
