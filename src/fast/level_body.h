/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps over all groups of a block. Each level_LEVEL.c includes this once and is compiled for its
 * CPU.
 */
#include "fast/tiles.h"

#include "isa/tokens.h"

/* ---- bodies ---- */

TX_INLINE void lanes_masked(const struct fast_step *s, const struct fast_context *c,
                            lane_body *body, uint64_t reads, uint64_t writes,
                            const struct tx_op *op, bool flags)
{
    if (s->masked) {
        for (unsigned g = 0; g < c->groups; g++) {
            lanes_group(s, g, body, reads, writes, op, true, flags);
        }
    } else {
        for (unsigned g = 0; g < c->groups; g++) {
            lanes_group(s, g, body, reads, writes, op, false, flags);
        }
    }
}

/* Flags that a row computes beside a value are computed only if they are used. */
TX_INLINE void lanes_op(const struct fast_step *s, const struct fast_context *c, lane_body *body,
                        uint64_t reads, uint64_t writes, const struct tx_op *op)
{
    const uint64_t any = TX_SET(LF) | TX_SET(LF8) | TX_SET(FLAGS) | TX_SET(STACK);
    const bool flags = ((reads | writes) & any) != 0;
    const bool gives = (writes & (TX_SET(VD) | TX_SET(VDX))) != 0;
    const bool wanted = s->stack != NULL || s->out_stride[OUT_LF] != 0 ||
                        s->out_stride[OUT_TOP] != 0 || c->probe;
    if (flags && (!gives || wanted)) {
        lanes_masked(s, c, body, reads, writes, op, true);
    } else {
        lanes_masked(s, c, body, reads, writes, op, false);
    }
}

TX_INLINE void lanes_any(const struct fast_step *s, const struct fast_context *c, lane_body *body,
                         uint64_t reads, uint64_t writes)
{
    const struct tx_op op = {
        .imm = s->op.imm, .mode = s->op.mode, .rnd = s->op.rnd, .vc = s->op.vc};
    lanes_op(s, c, body, reads, writes, &op);
}

TX_INLINE void lanes_mode(const struct fast_step *s, const struct fast_context *c, lane_body *body,
                          uint64_t reads, uint64_t writes, uint8_t mode)
{
    const struct tx_op op = {.imm = s->op.imm, .mode = mode, .rnd = 0, .vc = s->op.vc};
    lanes_op(s, c, body, reads, writes, &op);
}

/* ---- multiply-add ---- */

TX_INLINE void mad_run(bool bh, enum fast_mad kind, bool minus, const struct fast_step *s,
                       const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        mad_group(bh, kind, minus, s, g);
    }
}

TX_INLINE void mad_kinds(bool bh, bool minus, const struct fast_step *s,
                         const struct fast_context *c)
{
    switch ((enum fast_mad)s->mad) {
    case MAD_ONE_A:
        mad_run(bh, MAD_ONE_A, minus, s, c);
        break;
    case MAD_ONE_B:
        mad_run(bh, MAD_ONE_B, minus, s, c);
        break;
    case MAD_TIMES:
        mad_run(bh, MAD_TIMES, minus, s, c);
        break;
    case MAD_BOUND:
        mad_run(bh, MAD_BOUND, minus, s, c);
        break;
    case MAD_ANY:
        mad_run(bh, MAD_ANY, minus, s, c);
        break;
    }
}

static void fast_mad(const struct fast_step *s, const struct fast_context *c)
{
    if (!s->rules.arithmetic_bh) {
        mad_kinds(false, false, s, c);
    } else if (s->op.mode == TX_MOD_SFPMAD_OFFSET_NONE) {
        mad_kinds(true, false, s, c);
    } else {
        mad_kinds(true, true, s, c);
    }
}

/* ---- table look-ups ---- */

TX_INLINE void terms_run(const struct fast_step *s, const struct fast_context *c, bool eight,
                         unsigned mode)
{
    for (unsigned g = 0; g < c->groups; g++) {
        terms_group(s, g, eight, mode);
    }
}

static void fast_terms(const struct fast_step *s, const struct fast_context *c)
{
    if (s->number != 0) {
        terms_run(s, c, true, 0);
    } else if (s->op.mode == TX_MOD_SFPLUTFP32_FP32_3ENTRY_TABLE) {
        terms_run(s, c, false, TX_MOD_SFPLUTFP32_FP32_3ENTRY_TABLE);
    } else if (s->op.mode == TX_MOD_SFPLUTFP32_FP16_3ENTRY_TABLE) {
        terms_run(s, c, false, TX_MOD_SFPLUTFP32_FP16_3ENTRY_TABLE);
    } else if (s->op.mode == TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE2) {
        terms_run(s, c, false, TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE2);
    } else {
        terms_run(s, c, false, TX_MOD_SFPLUTFP32_FP16_6ENTRY_TABLE1);
    }
}

/* ---- Dst ---- */

TX_INLINE void convert_run(const struct fast_step *s, const struct fast_context *c,
                           convert_word *convert, enum tx_format format, unsigned mode)
{
    for (unsigned g = 0; g < c->groups; g++) {
        convert_group(s, g, convert, format, mode);
    }
}

#define FORMATS(CASE)                                                                     \
    CASE(FP32) CASE(BF16) CASE(FP16) CASE(INT32) CASE(INT16) CASE(INT8) CASE(UINT32)      \
    CASE(UINT16) CASE(UINT8) CASE(TWOS16)
#define FORMAT_RUN(convert, format, mode)                     \
    case TX_FORMAT_##format:                                  \
        convert_run(s, c, convert, TX_FORMAT_##format, mode); \
        break;
#define MODE_RUN(convert, format, mode)          \
    case mode:                                   \
        convert_run(s, c, convert, format, mode); \
        break;
#define MODES(convert, format)                                                                \
    MODE_RUN(convert, format, 1) MODE_RUN(convert, format, 2) \
    MODE_RUN(convert, format, 3) MODE_RUN(convert, format, 4) \
    MODE_RUN(convert, format, 5) MODE_RUN(convert, format, 6) \
    MODE_RUN(convert, format, 7) MODE_RUN(convert, format, 8) \
    MODE_RUN(convert, format, 9) MODE_RUN(convert, format, 10) \
    MODE_RUN(convert, format, 11) MODE_RUN(convert, format, 12) \
    MODE_RUN(convert, format, 13) MODE_RUN(convert, format, 14) \
    MODE_RUN(convert, format, 15)

static void fast_cell(const struct fast_step *s, const struct fast_context *c)
{
    switch ((unsigned)s->format) {
#define CASE(format) FORMAT_RUN(word_to_cell, format, 0)
        FORMATS(CASE)
#undef CASE
    }
}

static void fast_word(const struct fast_step *s, const struct fast_context *c)
{
    switch ((unsigned)s->format) {
#define CASE(format) FORMAT_RUN(cell_to_word, format, 0)
        FORMATS(CASE)
#undef CASE
    }
}

static void fast_load(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode) {
        MODES(cell_to_value, TX_FORMAT_FP32)
    }
}

static void fast_store(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode) {
        MODES(value_to_cell, TX_FORMAT_FP32)
    }
}

/* For modes that match the format, both conversions are done in one loop. */
static void fast_load_cell(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode | (unsigned)s->format << 4) {
#define CASE(format, mode)                                                               \
    case (unsigned)TX_MOD_SFPLOAD_FMT_##mode | (unsigned)TX_FORMAT_##format << 4:        \
        convert_run(s, c, word_to_value, TX_FORMAT_##format, TX_MOD_SFPLOAD_FMT_##mode); \
        return;
        CASE(BF16, FP16B) CASE(FP16, FP16A) CASE(INT32, INT32) CASE(INT32, SM32)
        CASE(INT16, UINT16) CASE(INT16, INT16) CASE(INT8, INT8) CASE(INT8, INT8_COMP)
        CASE(UINT32, INT32) CASE(UINT32, SM32) CASE(UINT16, UINT16)
#undef CASE
    }
    convert_run(s, c, word_to_value, (enum tx_format)s->format, s->op.mode);
}

static void fast_store_word(const struct fast_step *s, const struct fast_context *c)
{
    switch (s->op.mode | (unsigned)s->format << 4) {
#define CASE(format, mode)                                                                \
    case (unsigned)TX_MOD_SFPSTORE_FMT_##mode | (unsigned)TX_FORMAT_##format << 4:        \
        convert_run(s, c, value_to_word, TX_FORMAT_##format, TX_MOD_SFPSTORE_FMT_##mode); \
        return;
        CASE(FP32, FP32) CASE(FP32, INT32) CASE(BF16, FP16B) CASE(FP16, FP16A)
        CASE(INT32, INT32) CASE(INT32, SM32) CASE(INT16, UINT16) CASE(INT16, INT16)
        CASE(INT8, INT8) CASE(INT8, INT8_COMP) CASE(UINT32, INT32) CASE(UINT32, SM32)
        CASE(UINT16, UINT16)
#undef CASE
    }
    convert_run(s, c, value_to_word, (enum tx_format)s->format, s->op.mode);
}

/* ---- tiles ---- */

static void fast_input(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        if (c->vectors != 0) {
            input_vectors(s, c, g);
        } else {
            input_group(s, c, g);
        }
    }
}

static void fast_output(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        if (c->vectors != 0) {
            output_vectors(s, c, g);
        } else {
            output_group(s, c, g);
        }
    }
}

static void fast_input_tiles(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        input_tiles(s, c, g);
    }
}

static void fast_output_tiles(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        output_tiles(s, c, g);
    }
}

static void fast_seed(const struct fast_step *s, const struct fast_context *c)
{
    for (unsigned g = 0; g < c->groups; g++) {
        seed_tiles(s, c, g);
    }
}

/* ---- simple ones ---- */

#define GROUPS(name)                                                                  \
    static void fast_##name(const struct fast_step *s, const struct fast_context *c)  \
    {                                                                                 \
        for (unsigned g = 0; g < c->groups; g++) {                                    \
            name##_group(s, g);                                                       \
        }                                                                             \
    }

GROUPS(select)
GROUPS(join)
GROUPS(high)
GROUPS(low)
GROUPS(next)
GROUPS(pick)
GROUPS(picked)
GROUPS(sign)
GROUPS(exchanged)
GROUPS(recip)
GROUPS(cast)
GROUPS(rotate)
GROUPS(up)
GROUPS(shift1)
GROUPS(first)
GROUPS(transpose)
GROUPS(order)

/* ---- the tables ---- */

/*
 * Rows that lower_exec.c turns into other kinds have no function. Modes within the contract are
 * constants in their own loops; other modes, and old CPUs, share one loop. The conditions must be
 * constants of the language: otherwise compilers inline every body sixteen times before they drop
 * most of them, which takes twice as long.
 */
#define LANE_MODE(body, n)                                \
    case n:                                               \
        if ((LEGAL >> (n) & 1) != 0) {                    \
            lanes_mode(s, c, body, reads, writes, n);     \
        }                                                 \
        break;
#define LANE_MODES(body)                                                              \
    switch (s->op.mode) {                                                             \
        LANE_MODE(body, 0) LANE_MODE(body, 1) LANE_MODE(body, 2) LANE_MODE(body, 3)   \
        LANE_MODE(body, 4) LANE_MODE(body, 5) LANE_MODE(body, 6) LANE_MODE(body, 7)   \
        LANE_MODE(body, 8) LANE_MODE(body, 9) LANE_MODE(body, 10) LANE_MODE(body, 11) \
        LANE_MODE(body, 12) LANE_MODE(body, 13) LANE_MODE(body, 14)                   \
        LANE_MODE(body, 15)                                                           \
    default:                                                                          \
        break;                                                                        \
    }
#define LANE(body)                                                   \
    if (OTHER_KIND) {                                                \
        return;                                                      \
    } else if (!HARDWARE_FMA || LEGAL == 0xFFFF) {                   \
        lanes_any(s, c, sem_##body, reads, writes);                  \
    } else if ((LEGAL >> s->op.mode & 1) == 0 ||                     \
               ((writes & TX_SET(PRNG)) != 0 && s->op.rnd != 0)) {       \
        lanes_any(s, c, sem_##body, reads, writes);                  \
    } else {                                                         \
        LANE_MODES(sem_##body)                                       \
    }
#define WHOLE(body) ((void)0)
#define UNIT(body) ((void)0)
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_,     \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)                    \
    static void fast_row_##id_(const struct fast_step *s, const struct fast_context *c)         \
    {                                                                                           \
        const uint64_t reads = (reads_);                                                        \
        const uint64_t writes = (writes_);                                                      \
        enum { LEGAL = (legal_) & 0xFFFF };                                                     \
        enum { OTHER_KIND = FAST_OTHER_KIND(mnemonic_, writes_) };                              \
        (void)reads;                                                                            \
        (void)writes;                                                                           \
        (void)s;                                                                                \
        (void)c;                                                                                \
        body_;                                                                                  \
    }
#include "isa/isa.def"
#undef ROW

static fast_function *const fast_rows[ROWID_COUNT] = {
#define ROW(id_, ...) [ROWID_##id_] = fast_row_##id_,
#include "isa/isa.def"
#undef ROW
};

static fast_function *const fast_kinds[FAST_KINDS] = {
    [FAST_INPUT] = fast_input,
    [FAST_OUTPUT] = fast_output,
    [FAST_SEED] = fast_seed,
    [FAST_MAD] = fast_mad,
    [FAST_TERMS] = fast_terms,
    [FAST_CELL] = fast_cell,
    [FAST_WORD] = fast_word,
    [FAST_JOIN] = fast_join,
    [FAST_HIGH] = fast_high,
    [FAST_LOW] = fast_low,
    [FAST_LOAD] = fast_load,
    [FAST_STORE] = fast_store,
    [FAST_STORE_WORD] = fast_store_word,
    [FAST_LOAD_CELL] = fast_load_cell,
    [FAST_SELECT] = fast_select,
    [FAST_ORDER] = fast_order,
    [FAST_NEXT] = fast_next,
    [FAST_PICK] = fast_pick,
    [FAST_PICKED] = fast_picked,
    [FAST_SIGN] = fast_sign,
    [FAST_EXCHANGED] = fast_exchanged,
    [FAST_RECIP] = fast_recip,
    [FAST_CAST] = fast_cast,
    [FAST_ROTATE] = fast_rotate,
    [FAST_UP] = fast_up,
    [FAST_SHIFT1] = fast_shift1,
    [FAST_TRANSPOSE] = fast_transpose,
    [FAST_FIRST] = fast_first,
};
