/* SPDX-License-Identifier: Apache-2.0 */
/* Second opinion on the Matrix Unit: see README.md. */
#ifndef ORACLE_MATRIX_H
#define ORACLE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* ---- one cell, as exact numbers (oracle_matrix_num.c) ---- */

/* M * 2^-23 * 2^(E - bias) */
struct orc_term {
    int64_t e, m;
};

/* A float operand: value (-1)^s * 1.f * 2^(e - bias), or zero whatever the rest. */
struct orc_float {
    bool zero, s;
    int64_t e, f;
};

struct orc_sum {
    bool wide;   /* 32-bit Dst */
    bool eight;  /* operands with eight exponent bits */
    bool forget; /* Wormhole's wrong leading sign count */
    unsigned phase;
};

/* Groups of eight products; one product; a sum or difference. */
struct orc_term orc_group(const struct orc_sum *k, const struct orc_float *a,
                          const struct orc_float *b);
struct orc_term orc_times(const struct orc_sum *k, struct orc_float a, struct orc_float b);
struct orc_term orc_plus(const struct orc_sum *k, struct orc_float a, struct orc_float b);
/* Old and new content as sign, exponent field and fraction of the Dst type. */
struct orc_dst {
    bool s;
    int64_t e, f;
};
struct orc_dst orc_accumulate(const struct orc_sum *k, struct orc_term g0, struct orc_term g1,
                              struct orc_dst old);

/* ---- the unit (oracle_matrix.c) ---- */

/* Other readings of section 15 of the specification; all false: the defaults. */
struct orc_readings {
    bool truncate_both;   /* M1 */
    bool low_valid_high;  /* M2 */
    bool mov_by_format;   /* M3 */
    bool movd2b_srcb;     /* M4 */
    bool unowned_record;  /* M6 */
    bool zero_flag_flush; /* M7 */
    bool phase_ignored;   /* M9 */
    bool low_zeros;       /* M12, of SrcB */
    bool rows_plain;      /* M17 */
    bool bits_ignored;    /* M20 */
};

struct orc_counter {
    unsigned now, cr;
};

struct orc_matrix {
    bool bh;
    struct orc_readings other;
    uint32_t src[2][2][64][16]; /* SrcA, SrcB; bank */
    uint32_t dst[1024][16];
    bool valid[1024];
    unsigned bank[2], unpack[2], owner[2][2], implied[2][2];
    struct orc_counter a, b, d;
    unsigned fidelity, extra, sp;
    unsigned last_a;
    uint32_t config[256]; /* of the bank in use */
    uint32_t thread[64];
    uint32_t debug_high; /* DBG_FEATURE_DISABLE bit 11 */
    uint32_t blocked;    /* columns that BLOCK_DEST_MOV keeps moves out of */
    /* Dst rows and Src rows touched since the caller last emptied the lists. */
    uint8_t dst_touched[1024], src_touched[2][2][64];
};

/* One instruction of the Matrix Unit, banks taken for ready. False: it is none that is stated. */
bool orc_matrix_exec(struct orc_matrix *s, uint32_t word);

/* What the configuration of s makes of the operands, for whoever chooses some. */
enum orc_style { ORC_BF16, ORC_FP16, ORC_TF32, ORC_INT8 };
enum orc_style orc_matrix_style(const struct orc_matrix *s, bool *wide);

#endif
