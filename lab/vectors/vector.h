/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance vectors: one JSON object a line. Parsing knows no machine, survives any bytes and
 * never prints; the format is described in docs/cli.md under "tensix check".
 */
#ifndef LAB_VECTOR_H
#define LAB_VECTOR_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <tensix/tensix.h>

enum { VEC_NAME = 160, VEC_MESSAGE = 200, VEC_RWC = TX_RWC_COUNT, VEC_STACK = 8 };

/* Which keys of a state are there. */
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

/* Bytes of L1. */
struct vec_l1 {
    uint32_t address, size;
    uint8_t *bytes;
};

enum { VEC_ADC_SETS = 3 * TX_THREADS };

struct vec_state {
    uint32_t keys;  /* set of enum vec_key */
    uint32_t lregs; /* bit per register that is named */
    uint32_t lreg[TX_LREGS][TX_LANES];
    uint32_t lane_flags, use_lane_flags;
    unsigned stack_depth;
    uint32_t stack[VEC_STACK][2];
    uint32_t prng[TX_LANES];
    uint32_t lane_config[TX_COLUMNS];
    uint32_t macro_template[4], macro_sequence[4], macro_misc;
    uint16_t dst[TX_DST_ROWS][TX_DST_WIDTH];
    uint8_t dst_valid[TX_DST_ROWS]; /* 0 or 1 */
    uint32_t rwcs;                  /* bit per counter that is named, in the order of enum tx_rwc */
    uint32_t rwc[VEC_RWC];
    uint32_t src_banks; /* bit bank + 2 * (0 SrcA, 1 SrcB) per bank that is named */
    uint32_t src[2][2][TX_SRC_ROWS][16];
    uint32_t src_valid[2][2];  /* of SrcA, SrcB; by bank; 1: the Matrix Unit's */
    uint32_t src_bank[2][2];   /* of SrcA, SrcB: bank of the Matrix Unit, of the unpacker */
    uint32_t src_format[2][2]; /* of SrcA, SrcB; by bank */
    uint32_t src_fill[2];      /* what every cell of SrcA, SrcB that is not named holds */
    uint32_t adcs; /* bit per channel that is named: channel + 2 * index of TX_FILE_ADC */
    uint32_t adc[VEC_ADC_SETS][TX_ADC_VALUES];
    struct vec_l1 *l1; /* in the order of addresses, without overlaps */
    size_t l1_count;
    struct vec_config *config;
    size_t config_count;
    uint32_t gpr[TX_GPRS];
    uint32_t shift_latch[TX_LANES];
    uint32_t replay[32];
    unsigned semaphores;
    uint32_t semaphore[8][2];
};

/* SFPLOADMACRO's configuration, word by word: where the machine has it, and what the state says. */
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
    char name[VEC_NAME]; /* "" where even the name could not be read */
    enum tx_arch arch;
    unsigned thread;
    bool has_format;
    bool has_programs;
    uint32_t *words[TX_THREADS]; /* program: the issuing thread's list */
    size_t count[TX_THREADS];
    uint32_t *gaps; /* as many as the issuing thread's words, or NULL */
    bool has_stall; /* the last word, number stall_at, never passes */
    uint64_t stall_at;
    bool has_stalled; /* of every thread: the first word that is never done, or its count */
    size_t stalled[TX_THREADS];
    bool has_unpacker; /* keys of the unpackers' vectors: thread configuration is every thread's */
    bool has_cycles, has_issue_cycles;
    uint64_t cycles, issue_cycles;
    enum tx_category fault; /* TX_NONE: no fault is expected */
    struct vec_state initial, final;
    bool has_final;
};

/* *out is NULL on failure; message says why. */
bool vector_parse(const char *line, size_t length, struct vector **out, char message[VEC_MESSAGE]);
/* A state object alone, as tensix check --record --initial takes it. */
bool vector_parse_state(const char *text, size_t length, struct vec_state *state,
                        char message[VEC_MESSAGE]);
/* The name of a vector whose line was refused, if it has one: for the message. */
void vector_name(const char *line, size_t length, char name[VEC_NAME]);
void vector_free(struct vector *vector);
void vector_state_clear(struct vec_state *state); /* frees what the state owns */

/* The names of FORMAT's rwc object, by enum tx_rwc. */
extern const char *const vector_rwc_names[VEC_RWC];

#endif
