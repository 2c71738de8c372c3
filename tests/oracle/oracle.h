/* SPDX-License-Identifier: Apache-2.0 */
/* Second opinion: one vector unit, one thread, program order, no timing.  See README.md. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdint.h>

struct orc_rwc {
    uint32_t dst, dst_cr;    /* 10 bits */
    uint32_t srca, srca_cr;  /* 6 bits */
    uint32_t srcb, srcb_cr;  /* 6 bits */
    uint32_t fidelity;       /* 2 bits */
    uint32_t sp;             /* 10 bits, Blackhole */
    uint32_t extra_addr_mod; /* 1 bit */
};

struct orc_state {
    uint32_t lreg[17][32];
    bool lane_flags[32];
    bool use_flags[32];
    bool stack_lane[32][8]; /* slot i of the flag stack of a lane: its LaneFlags */
    bool stack_use[32][8];  /* ... and its UseLaneFlags */
    uint8_t stack_ctr[32];  /* 4-bit counters */
    uint32_t prng[32];
    uint32_t lane_config[8]; /* per column, 18 bits */
    uint32_t template[4][32];
    uint32_t sequence[4][32];
    uint32_t misc[32]; /* 12 bits */
    uint16_t dst[1024][16];
    bool dst_valid[1024];
    struct orc_rwc rwc;
    uint32_t cfg[2][256];
    uint16_t tcfg[64];
    uint32_t shift_latch[32]; /* Wormhole: operand of the last rotate */
    uint32_t gpr[64];
};

void orc_reset(struct orc_state *s, int bh);

/* Executes one instruction word (unrotated).  Words that are none of the vector unit's
 * instructions, SETRWC, INCRWC, SETC16, RMWCIB, WRCFG, RDCFG or SETDMAREG do nothing. */
void orc_exec(struct orc_state *s, int bh, uint32_t word);

/* Is this opcode one of the vector unit's on that chip? */
bool orc_is_sfpu(int bh, uint32_t word);

/* ---- used between the files of the oracle --------------------------------------------- */

enum orc_lane_config_bit {
    ORC_FP16A_INF = 0,
    ORC_NO_BACKDOOR = 1,
    ORC_DEST_INDEX = 2,
    ORC_CAPTURE_INDEX = 3,
    ORC_BLOCK_STORE = 4,
    ORC_BLOCK_LOAD = 5,
    ORC_LOAD_ODD = 6,
    ORC_STORE_ODD = 7,
    ORC_EXCHANGE = 8,
    ORC_ROW_MASK = 12
};

static inline uint32_t orc_bits(uint32_t w, unsigned low, unsigned count)
{
    return (w >> low) & ((1u << count) - 1u);
}

bool orc_lane_config_bit(const struct orc_state *s, unsigned lane, unsigned bit);
bool orc_lane_enabled(const struct orc_state *s, unsigned lane);
void orc_exec_load(struct orc_state *s, int bh, uint32_t word);
void orc_exec_store(struct orc_state *s, int bh, uint32_t word, const bool runs[32]);
bool orc_exec_scalar(struct orc_state *s, int bh, uint32_t word);
void orc_exec_flow(struct orc_state *s, int bh, uint32_t word, unsigned lane);

#endif
