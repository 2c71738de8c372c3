/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the configuration fields that the emulator itself reads, per chip. */
#ifndef TX_ISA_CONFIG_H
#define TX_ISA_CONFIG_H

#include <tensix/isa.h>

/* A field; width 0 means that the chip does not have it. */
struct cfg_place {
    uint16_t word;
    uint8_t lsb, width;
};

struct cfg_places {
    uint16_t words;  /* number of banked words */
    uint16_t thcon;  /* from here to "global" are the words that REG2FLOP can write */
    uint16_t mover;  /* THCON_SEC0_REG6: source, destination, size and direction */
    uint16_t global; /* from here on a write goes to both banks */
    uint16_t thread_words;
    struct cfg_place prng_seed, regw_base, sp_base, fp32_enabled, srcb_override, srcb_val, srcb,
        remap, swizzle, state_reset, scratch;
    struct cfg_place clr_dvalid[2]; /* of SrcA, SrcB */
    /* Fields that the Matrix Unit reads. */
    struct cfg_place srca_override, srca_val, srca, fpu_fp32, int8, zero_flag_src, zero_flag_dst,
        fpu_stochastic, zeroacc_absolute;
    struct cfg_place fidelity, force_fp16;
    struct cfg_place no_implied[2]; /* of SrcA, SrcB */
    struct cfg_place state_id, math_offset, addr_mod_set, dest_fmt_en, dest_fmt, stack_incr;
    /* First words of the eight address modifiers, and the distance of two of them in mod_ab. */
    uint16_t mod_ab, mod_ab_stride, mod_dst, mod_bias;
};

const struct cfg_places *cfg_places(enum tx_arch arch);

#endif
