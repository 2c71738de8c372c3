/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow execution: computes what one tile of a kernel would give if every arithmetic instruction
 * were exact, and how much each instruction contributes to the error of one element.
 *
 * While the machine runs a tile its events go to a txl_shadow. Afterwards an account of an output
 * element follows it back to loads and constants, with 512 bits of precision:
 *
 *     txl_shadow_open(&err, program, TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, &shadow);
 *     settings.sink = (struct tx_sink){.event = txl_shadow_event, .user = shadow};
 *     ... tx_kernel_start; txl_shadow_begin(shadow); tx_kernel_tile ...
 *     txl_shadow_account(&err, shadow, 17, output[17], NULL, &account);
 *
 * Computed exactly are: multiply-add in all its forms, table look-ups (a x + c with the
 * coefficients as they are), moves, exchanges, sign operations, powers of two inserted by bit
 * operations, loads, stores, conversions between float formats and from integers. For all other
 * instructions the machine's result is taken as exact: SFPARECIP, conversions to integers, integer
 * and bit operations that are no power of two, and the addition of a constant of 2^22 .. 2^31 to a
 * value of at most half its size, which is deliberate rounding.
 */
#ifndef TENSIX_LAB_SHADOW_H
#define TENSIX_LAB_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>
#include <tensix-lab/flow.h>
#include <tensix-lab/json.h>
#include <tensix/asm.h>
#include <tensix/formats.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_shadow txl_shadow;
typedef struct txl_account txl_account;

/*
 * Creates a shadow. dst is the format of the inputs in Dst, as loads and stores with mode SRCB use
 * it; out is the format of the output words. The program must stay valid as long as the shadow.
 * Returns TXL_OK, or TXL_INPUT without memory, with *shadow NULL.
 */
TXL_API int txl_shadow_open(struct txl_error *err, const struct tx_program *program,
                            enum tx_dst_format dst, enum tx_dst_format out, txl_shadow **shadow);
TXL_API void txl_shadow_close(txl_shadow *shadow); /* NULL: nothing */
/* The event function for struct tx_sink; user must be the shadow. */
TXL_API void txl_shadow_event(void *shadow, const struct tx_event *event);
/* To be called between .init and .tile: forgets all events, because a tile begins now. */
TXL_API void txl_shadow_begin(void *shadow);
/* Returns the data flow of the tile; it belongs to the shadow. */
TXL_API const txl_graph *txl_shadow_graph(const txl_shadow *shadow);

/* What happened in one instruction, as bits. */
enum txl_shadow_event_set {
    TXL_SHADOW_OPERAND_FLUSHED = 1 << 0, /* a denormal operand was read as zero */
    TXL_SHADOW_PRODUCT_FLUSHED = 1 << 1, /* the product underflowed to zero before the addition */
    TXL_SHADOW_RESULT_FLUSHED = 1 << 2,
    TXL_SHADOW_TIE = 1 << 3, /* the exact result is halfway between two values */
    TXL_SHADOW_CANCELLATION = 1 << 4,
    TXL_SHADOW_OVERFLOW = 1 << 5,
    TXL_SHADOW_SATURATED = 1 << 6,
    /* The result is not the nearest value, for none of the above reasons. */
    TXL_SHADOW_NOT_IEEE = 1 << 7,
    TXL_SHADOW_CUT = 1 << 8, /* a store discarded low bits */
    TXL_SHADOW_NAN = 1 << 9,
    TXL_SHADOW_RANDOM = 1 << 10,
    TXL_SHADOW_BY_CONSTANT = 1 << 11, /* rounds deliberately, by adding a large constant */
    TXL_SHADOW_EVENTS = 12            /* number of bits */
};
/* Returns the name of a bit, "operand flushed" for bit 0; NULL past the last one. */
TXL_API const char *txl_shadow_event_name(unsigned bit);

/* Values of guilty when no line of the account is the cause. */
enum { TXL_GUILTY_NOBODY = -1, TXL_GUILTY_METHOD = -2 };

/*
 * The sums of an account. Errors are signed and in ULP; they are infinite where one of the two
 * values is not finite.
 */
struct txl_account_total {
    bool stored; /* false: nothing was stored there, and the account is empty */
    /* Error and method are relative to the reference, else to exact arithmetic. */
    bool has_reference;
    double error;      /* of the machine's result, against the unrounded reference */
    double method;     /* the part that would remain in exact arithmetic */
    const char *exact; /* the result in exact arithmetic, as text */
    size_t lines;
    int guilty; /* the line with the largest share, or one of TXL_GUILTY_* */
};

/* One instruction that contributed to the result. */
struct txl_account_line {
    const struct txl_step *step;
    bool placed;          /* word is valid; for a scheduled instruction it is its SFPLOADMACRO's */
    uint32_t word;        /* index of the instruction word in .tile */
    uint32_t source_line; /* 0: not known */
    const char *source;   /* file named by .loc, or NULL: the kernel's own */
    uint32_t result;      /* the machine's result */
    char value[48];       /* result as a number */
    char exact[40];       /* the result if everything from the inputs on were exact */
    double own;           /* error of this instruction alone, given its actual operands */
    double so_far;        /* error of result against exact */
    double share;         /* contribution to the final error */
    uint32_t events;      /* TXL_SHADOW_* bits */
    int cancelled;        /* bits of magnitude lost by cancellation in a sum; -1: all */
    int cut;              /* low bits that a store discarded */
    /* "constant", "input", "as it is" (result taken as exact), or "" where computed */
    const char *taken;
};

/*
 * Makes the account of one element: place is its position in the output tile (0..1023, row by row),
 * word its value read back. reference points to the function's unrounded value there, or is NULL.
 * Returns TXL_OK, or TXL_INPUT without memory or where the tile had more values than are recorded.
 */
TXL_API int txl_shadow_account(struct txl_error *err, txl_shadow *shadow, unsigned place,
                               uint32_t word, const double *reference, txl_account **account);
/* Computes only its error, which is much faster; 0 where nothing was stored. */
TXL_API int txl_shadow_error(struct txl_error *err, txl_shadow *shadow, unsigned place,
                             uint32_t word, const double *reference, double *error);

/* NULL does nothing. An account may outlive its shadow, but not the program. */
TXL_API void txl_account_close(txl_account *account);
TXL_API const struct txl_account_total *txl_account_total(const txl_account *account);
/* Lines in order of execution; NULL past the end. */
TXL_API const struct txl_account_line *txl_account_line(const txl_account *account, size_t index);
/*
 * Return the account for people (the caller frees it), or as the JSON of 'tensix run --shadow
 * --json'. NULL without memory.
 */
TXL_API char *txl_account_text(const txl_account *account);
TXL_API txl_json *txl_account_json(const txl_account *account);

#ifdef __cplusplus
}
#endif

#endif
