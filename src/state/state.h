/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All state of a machine in one flat struct: fixed arrays, no pointers, no allocation; a snapshot
 * is a copy. Lane sets are bit masks, bit i = lane i. Reset values: ruling R4.
 */
#ifndef TX_STATE_STATE_H
#define TX_STATE_STATE_H

#include "base/bits.h"
#include "isa/config.h"
#include "isa/macro_word.h"
#include "isa/op.h"
#include "state/adc.h"
#include "state/front.h"
#include "state/known.h"
#include "state/undefined.h"

/* Bits of LaneConfig (one word per column): the mask of each field, and its lowest bit. */
enum lane_config_bit {
#define LANE_FIELD(name, lsb, width, meaning) \
    LC_##name = ((1u << (width)) - 1) << (lsb), LC_##name##_LSB = (lsb),
#include "isa/register_fields.def"
    LC_BITS = 0x3FFFFu
};

struct rwc {
    uint16_t dst, dst_cr;  /* 10 bits */
    uint16_t sp;           /* 10 bits, Blackhole */
    uint8_t srca, srca_cr; /* 6 bits */
    uint8_t srcb, srcb_cr; /* 6 bits */
    uint8_t fidelity;      /* 2 bits */
    uint8_t bias;          /* ExtraAddrModBit: adds 4 to the address modifier */
};

enum effect_config {
    EFFECT_NO_CONFIG,
    EFFECT_TEMPLATE,
    EFFECT_SEQUENCE,
    EFFECT_MISC,
    EFFECT_CONSTANT,
    EFFECT_LANE_CONFIG
};

/*
 * What one instruction is going to write: computed from the state at the start of the cycle and
 * applied at its end. The fields up to "mask" are cleared for every instruction; those from "mask"
 * on are valid only where the former say so.
 */
struct effect {
    uint32_t lregs;       /* set of registers to write */
    uint32_t lf_mask, lf; /* lanes whose LaneFlags change, and the new flags */
    uint32_t use_mask, use;
    uint32_t push_mask, pop_mask, set_top_mask, stray_mask, top_lf, top_use;
    uint32_t prng_mask; /* lanes whose generator steps */
    uint32_t latch_mask;
    uint32_t template_mask; /* backdoor load: lanes whose template is replaced by the word */
    uint32_t template_index, template_word;
    uint32_t config_mask;
    uint32_t config_kind, config_index;
    uint32_t taint;      /* lanes whose results depend on tainted cells of Dst */
    uint32_t store_mask; /* lanes that write Dst */
    uint32_t store_odd;  /* lanes that write the odd column */
    uint16_t store_row;  /* logical row of lane 0, a multiple of four */
    uint16_t address;    /* of loads and stores: the resolved address */
    uint8_t store_32bit, store_remap, store_swizzle;
    uint8_t mode; /* of loads and stores: the resolved modifier */
    uint8_t rwc_set, thread;
    struct rwc rwc;    /* the thread's counters after the instruction */
    uint32_t mask[17]; /* per register of the set "lregs": lanes to write */
    uint32_t value[17][32];
    uint32_t config[32];
    uint32_t store[32];
    uint32_t latch[32];
};

/* A two-cycle instruction that has been issued and has not written its result yet. */
struct in_flight {
    uint8_t live;
    uint8_t forwarded; /* it has already been written, as rule early-read=new has it */
    uint64_t start;    /* cycle of issue; the result is written at the end of the next one */
    /* SFPSWAP: reads its registers again when it writes; "decide" is the set of lanes that swap. */
    uint8_t swap;
    struct tx_op op;
    uint32_t lanes; /* lanes in which it executes */
    uint32_t decide;
    uint32_t writes;   /* set of registers that it writes */
    uint32_t believed; /* set of registers that the interlock takes it to write */
    struct effect effect;
};

/*
 * Capacity for MAD, Round and SFPSWAP results under way. Per cycle and sub-unit at most one starts
 * and one ends, and twice that where columns have different macro configurations.
 */
enum { FLIGHTS = 12 };

/*
 * An instruction that SFPLOADMACRO has scheduled; lanes with the same configuration share an entry.
 * A sub-unit has at most eight delays times eight columns outstanding.
 */
struct pending {
    uint8_t live;
    uint8_t counter;        /* the instruction executes in a cycle that starts with 0 */
    uint8_t by_instruction; /* WaitForElapsedInstructions */
    uint32_t lanes;
    uint32_t launch;   /* word of the SFPLOADMACRO that scheduled it, for messages */
    uint64_t launched; /* cycle of that SFPLOADMACRO */
    struct tx_op op;
};
enum { MACRO_PENDING = 72 };

/* A recent 16-bit store, kept to recognise a load that follows too soon (T-12). */
struct store16 {
    struct tx_op op;
    uint64_t cycle;
    uint32_t lanes, odd; /* lanes that wrote, and the subset that wrote the odd column */
    uint16_t row;        /* logical row of lane 0 */
    uint8_t mode;        /* the resolved modifier */
    uint8_t known;
};
enum { STORES16 = 8 }; /* enough for three cycles: one store per cycle, some split by column */

/*
 * Dst rows that the Matrix Unit has written: "left" more instructions must pass before they may be
 * loaded. ZEROACC of more than one row names rows of the memory itself; all others count rows as
 * loads do, in the view of 16-bit or of 32-bit data.
 */
struct fpu_write {
    uint64_t counted; /* cycle after the last instruction that was counted */
    uint16_t first, rows;
    uint8_t left;     /* instructions that must still pass before a load */
    uint8_t thread;   /* thread that wrote; TX_THREADS if not known */
    uint8_t physical; /* not 0: rows of the memory itself */
};

/* Encoding of the integers in Dst or in a register, where it is known (E-INT). */
enum dst_encoding { ENCODING_UNKNOWN, ENCODING_TWOS, ENCODING_MAGNITUDE };

struct tx_state {
    uint32_t lreg[17][32];
    uint32_t lane_flags, use_flags;
    uint32_t stack_lf[8], stack_use[8]; /* per slot of the stack, a bit per lane */
    uint8_t stack_ctr[32];              /* entries on the stack of each lane, 0..15 */
    uint32_t prng[32];
    uint32_t lane_config[8];
    uint32_t macro_template[4][32];
    uint32_t macro_sequence[4][32];
    uint32_t macro_misc[32];
    uint32_t shift_latch[32];
    /* Cells of SrcA and SrcB, 19 bits: sign, 10 bits of mantissa, 8 of exponent. */
    uint32_t src[2][SRC_BANKS][TX_SRC_ROWS][16];
    struct src_known src_known[2][SRC_BANKS];
    uint16_t dst[TX_DST_ROWS][16];
    uint16_t dst_unknown[TX_DST_ROWS]; /* bit per column: the content was never defined */
    /* Of the unknown columns those that were written, with a result of bad cells of Src. */
    uint16_t dst_tainted[TX_DST_ROWS];
    struct src_origin dst_origin[TX_DST_ROWS]; /* of the tainted columns, the latest */
    struct src_origin origin;                  /* the latest of all */
    uint32_t dst_valid[TX_DST_ROWS / 32];
    uint16_t dst_wide[TX_DST_ROWS];   /* bit per column: last written as half of a 32-bit datum */
    uint16_t dst_narrow[TX_DST_ROWS]; /* bit per column: last written as a 16-bit datum */
    /* Bit per column: last written as a kernel's input, not by an instruction. */
    uint16_t dst_given[TX_DST_ROWS];
    uint8_t dst_encoding;      /* enum dst_encoding of those inputs */
    uint8_t dst16_high;        /* bit 11 of DBG_FEATURE_DISABLE */
    uint8_t lreg_encoding[17]; /* enum dst_encoding of each register */
    uint8_t tainted;           /* there have been tainted cells since reset */
    uint32_t lreg_tainted[17]; /* lanes that depend on tainted cells */
    struct rwc rwc[TX_THREADS];
    struct adc adc[TX_THREADS][ADC_UNITS];
    uint32_t config[2][256];
    uint16_t thread_config[TX_THREADS][128];
    uint32_t gpr[TX_THREADS][TX_GPRS];
    struct front front;
    struct units units;
    uint8_t semaphore[8], semaphore_max[8];

    /* Pipeline of the Vector Unit. */
    uint64_t cycle;
    uint64_t index; /* instructions executed so far */
    struct in_flight flight[FLIGHTS];
    struct pending pending[MACRO_UNITS][MACRO_PENDING];
    uint16_t pending_count;           /* live entries of pending */
    uint8_t pending_end[MACRO_UNITS]; /* entries from this one on are not live */
    uint16_t flights;                 /* bit per live entry of flight */
    uint64_t seed_cycle;              /* cycle of the last seed write through configuration */
    uint8_t prng_seeded;              /* the lanes' generators have been given a state */
    uint8_t seed_pending;             /* seed_cycle is valid */
    /*
     * What the last vector instruction changed, if it was an SFPCONFIG: bit 0 the backdoor bit, bit
     * 1 macro state.
     */
    uint8_t config_fresh;
    struct tx_op fresh_op; /* that SFPCONFIG; fresh_cycle is its cycle */
    uint64_t fresh_cycle;
    struct store16 store16[STORES16]; /* the latest stores, a ring */
    uint8_t store16_next;
    struct fpu_write fpu;             /* the latest write of the Matrix Unit, for E-FPU */
    uint8_t launched;                 /* an SFPLOADMACRO has been executed */
    struct undefined_state undefined; /* the last: state_copy leaves out what is not in use */
};

/* Sets the state after power-up (R4). flags_on: with predication on and all lanes enabled. */
void state_reset(struct tx_state *s, bool flags_on);
/* As state_reset, in memory that is zero: pages that stay so are not touched. */
void state_begin(struct tx_state *s, bool flags_on);
/* Discards the Vector Unit's instructions that are under way or scheduled. */
void state_drop_vector(struct tx_state *s);
/* Sets registers, flags, configuration and generators of the Vector Unit as state_reset does. */
void state_reset_vector(struct tx_state *s, bool flags_on);
/*
 * Copies *from to *to. The arrays of instructions under way are skipped where neither side has any.
 */
void state_copy(struct tx_state *to, const struct tx_state *from);

/* Returns whether the LaneConfig of any column has any of these bits. */
static inline bool state_has_config(const struct tx_state *s, uint32_t bits)
{
    uint32_t set = 0;
    for (unsigned column = 0; column < 8; column++) {
        set |= s->lane_config[column];
    }
    return (set & bits) != 0;
}

/* Returns the lanes that ROW_MASK disables. */
static inline uint32_t state_row_mask(const struct tx_state *s)
{
    uint32_t disabled = 0;
    if (!state_has_config(s, LC_ROW_MASK)) {
        return 0;
    }
    for (unsigned column = 0; column < 8; column++) {
        const uint32_t rows = (s->lane_config[column] >> LC_ROW_MASK_LSB) & 15u;
        for (unsigned row = 0; rows != 0 && row < 4; row++) {
            if (((rows >> row) & 1u) != 0) {
                disabled |= 1u << (8 * row + column);
            }
        }
    }
    return disabled;
}

/* Returns the lanes that flags and ROW_MASK enable. */
static inline uint32_t state_enabled(const struct tx_state *s)
{
    return (s->lane_flags | ~s->use_flags) & ~state_row_mask(s);
}

/* Returns the lanes whose column has any of these LaneConfig bits. */
static inline uint32_t state_lane_config(const struct tx_state *s, uint32_t bits)
{
    uint32_t lanes = 0;
    for (unsigned column = 0; state_has_config(s, bits) && column < 8; column++) {
        if ((s->lane_config[column] & bits) != 0) {
            lanes |= 0x01010101u << column;
        }
    }
    return lanes;
}

#endif
