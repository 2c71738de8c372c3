/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance vectors, one JSON object per line. The parser does not know a machine, accepts any
 * bytes without fault and never prints. docs/cli.md describes the format under "tensix check".
 */
#ifndef LAB_VECTOR_H
#define LAB_VECTOR_H

#include "base/error.h"

enum { VEC_NAME = 160, VEC_RWC = TX_RWC_COUNT, VEC_STACK = 8 };

/* The keys that a state has. */
enum vec_key {
    VEC_LREG = 1 << 0,
    VEC_LANE_FLAGS = 1 << 1,
    VEC_USE_LANE_FLAGS = 1 << 2,
    VEC_FLAG_STACK = 1 << 3,
    VEC_PRNG = 1 << 4,
    VEC_LANE_CONFIG = 1 << 5,
    VEC_MACRO_TEMPLATE = 1 << 6,
    VEC_MACRO_SEQUENCE = 1 << 7,
    VEC_MACRO_MISC = 1 << 8,
    VEC_DST = 1 << 9,
    VEC_DST_VALID = 1 << 10,
    VEC_RWC_SOME = 1 << 11,
    VEC_CONFIG = 1 << 12,
    VEC_GPR = 1 << 13,
    VEC_SHIFT_LATCH = 1 << 14,
    VEC_REPLAY = 1 << 15,
    VEC_SEMAPHORE = 1 << 16,
    VEC_SRC_VALID = 1 << 17,
    VEC_SRC_BANK = 1 << 18,
    VEC_SRC_FORMAT = 1 << 19,
    VEC_SRC_FILL = 1 << 20,
    VEC_ADC = 1 << 21,
    VEC_L1 = 1 << 22
};

struct vec_config {
    char name[64];
    uint32_t value;
};

/* A region of L1. */
struct vec_l1 {
    uint32_t address, size;
    uint8_t *bytes;
};

enum { VEC_ADC_SETS = 3 * TX_THREADS };

struct vec_state {
    uint32_t keys;  /* set of enum vec_key */
    uint32_t lregs; /* bit n: Ln is named */
    uint32_t lreg[TX_LREGS][TX_LANES];
    uint32_t lane_flags, use_lane_flags;
    unsigned stack_depth;
    uint32_t stack[VEC_STACK][2];
    uint32_t prng[TX_LANES];
    uint32_t lane_config[TX_COLUMNS];
    uint32_t macro_template[4], macro_sequence[4], macro_misc;
    uint16_t dst[TX_DST_ROWS][TX_DST_WIDTH];
    uint8_t dst_valid[TX_DST_ROWS]; /* 0 or 1 */
    uint32_t rwcs;                  /* bit n: counter n of enum tx_rwc is named */
    uint32_t rwc[VEC_RWC];
    uint32_t src_banks; /* bit bank + 2 * (0 SrcA, 1 SrcB): the bank is named */
    uint32_t src[2][2][TX_SRC_ROWS][16];
    uint32_t src_valid[2][2]; /* of SrcA, SrcB, by bank; 1: it belongs to the Matrix Unit */
    /* Of SrcA, SrcB: the bank of the Matrix Unit, and that of the unpacker. */
    uint32_t src_bank[2][2];
    uint32_t src_format[2][2]; /* of SrcA, SrcB; by bank */
    uint32_t src_fill[2];      /* the value of every cell of SrcA, SrcB that is not named */
    uint32_t adcs;             /* bit channel + 2 * index of TX_FILE_ADC: the channel is named */
    uint32_t adc[VEC_ADC_SETS][TX_ADC_VALUES];
    struct vec_l1 *l1; /* by address, without overlaps */
    size_t l1_count;
    struct vec_config *config;
    size_t config_count;
    uint32_t gpr[TX_GPRS];
    uint32_t shift_latch[TX_LANES];
    uint32_t replay[32];
    unsigned semaphores;
    uint32_t semaphore[8][2];
};

/* One word of SFPLOADMACRO's configuration: its place in the machine, and what the state says. */
enum { VEC_MACRO_WORDS = 9 };
struct vec_macro_word {
    enum tx_file file;
    unsigned index;
    uint32_t word;
    bool given;
};
static inline struct vec_macro_word vec_macro_word(const struct vec_state *s, unsigned at)
{
    const bool template = at < 4;
    const bool sequence = !template && at < 8;
    const uint32_t key = template   ? VEC_MACRO_TEMPLATE
                         : sequence ? VEC_MACRO_SEQUENCE
                                    : VEC_MACRO_MISC;
    return (struct vec_macro_word){.file = template   ? TX_FILE_MACRO_TEMPLATE
                                           : sequence ? TX_FILE_MACRO_SEQUENCE
                                                      : TX_FILE_MACRO_MISC,
                                   .index = at % 4,
                                   .word = template   ? s->macro_template[at]
                                           : sequence ? s->macro_sequence[at - 4]
                                                      : s->macro_misc,
                                   .given = (s->keys & key) != 0};
}

struct vector {
    char name[VEC_NAME]; /* "" when not even the name could be read */
    enum tx_arch arch;
    unsigned thread;
    bool has_format;
    bool has_programs;
    /* For each thread; a program without threads is the issuing thread's. */
    uint32_t *words[TX_THREADS];
    size_t count[TX_THREADS];
    uint32_t *gaps; /* one for each word of the issuing thread, or NULL */
    bool has_stall; /* the last word never passes; its number is stall_at */
    uint64_t stall_at;
    /* Of every thread the first word that is never done, or the number of words. */
    bool has_stalled;
    size_t stalled[TX_THREADS];
    /* Has keys of the unpackers' vectors: thread configuration is that of every thread. */
    bool has_unpacker;
    bool has_cycles, has_issue_cycles;
    uint64_t cycles, issue_cycles;
    enum tx_category fault; /* TX_NONE: no fault is expected */
    struct vec_state initial, final;
    bool has_final;
};

/* Parses a line. On failure *out is NULL and err says why. */
bool vector_parse(const char *line, size_t length, struct vector **out, struct txl_error *err);
/* Parses a state object alone, as tensix check --record --initial takes it. */
bool vector_parse_state(const char *text, size_t length, struct vec_state *state,
                        struct txl_error *err);
/* Finds the name of a vector whose line was refused, if it has one, for the message. */
void vector_name(const char *line, size_t length, char name[VEC_NAME]);
void vector_free(struct vector *vector);
void vector_state_clear(struct vec_state *state); /* frees what the state owns */

/* The names in the rwc object, by enum tx_rwc. */
extern const char *const vector_rwc_names[VEC_RWC];

#endif
