/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shadow execution: what one tile of a kernel would give if every arithmetic instruction were
 * exact, and which instruction is to blame for how much of the error of one element.
 *
 * While the machine runs a tile its events go to a txl_shadow. Afterwards an account of an element
 * of the output follows it back to loads and constants, with 512 bits:
 *
 *     txl_shadow_open(&err, program, TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, &shadow);
 *     settings.sink = (struct tx_sink){.event = txl_shadow_event, .user = shadow};
 *     ... tx_kernel_start; txl_shadow_begin(shadow); tx_kernel_tile ...
 *     txl_shadow_account(&err, shadow, 17, output[17], NULL, &account);
 *
 * Exact are multiply-add in all its forms, table look-ups (a x + c with the coefficients as they
 * are), moves, exchanges, signs, powers of two put in by bits, loads, stores, conversions between
 * float formats and from integers. Everything else takes the machine's result as its exact value:
 * SFPARECIP, conversions to integers, integer and bit operations that are no power of two, and the
 * addition of a constant of 2^22 .. 2^31 to something of at most half of it, which rounds on
 * purpose.
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
 * dst: format of the inputs in Dst, as what mode SRCB of loads and stores reads them; out: what
 * output words are. The program stays as long as the shadow. TXL_OK, or TXL_INPUT without memory;
 * *shadow is NULL then.
 */
TXL_API int txl_shadow_open(struct txl_error *err, const struct tx_program *program,
                            enum tx_dst_format dst, enum tx_dst_format out, txl_shadow **shadow);
TXL_API void txl_shadow_close(txl_shadow *shadow); /* NULL: nothing */
/* For struct tx_sink; user is the shadow. */
TXL_API void txl_shadow_event(void *shadow, const struct tx_event *event);
/* Between .init and .tile: forgets everything, a tile begins now. */
TXL_API void txl_shadow_begin(void *shadow);
/* The values that the machine made; it goes with the shadow. */
TXL_API const txl_graph *txl_shadow_graph(const txl_shadow *shadow);

/* What happened in an instruction, a bit each. */
enum txl_shadow_event_set {
    TXL_SHADOW_OPERAND_FLUSHED = 1 << 0, /* a denormal operand was read as zero */
    TXL_SHADOW_PRODUCT_FLUSHED = 1 << 1, /* the product vanished before the addition */
    TXL_SHADOW_RESULT_FLUSHED = 1 << 2,
    TXL_SHADOW_TIE = 1 << 3, /* the exact result is halfway between two values */
    TXL_SHADOW_CANCELLATION = 1 << 4,
    TXL_SHADOW_OVERFLOW = 1 << 5,
    TXL_SHADOW_SATURATED = 1 << 6,
    TXL_SHADOW_NOT_IEEE = 1 << 7, /* not the nearest value, and nothing of the above */
    TXL_SHADOW_CUT = 1 << 8,      /* a store dropped low bits */
    TXL_SHADOW_NAN = 1 << 9,
    TXL_SHADOW_RANDOM = 1 << 10,
    TXL_SHADOW_BY_CONSTANT = 1 << 11, /* rounds on purpose, by a large constant */
    TXL_SHADOW_EVENTS = 12            /* how many there are */
};
/* "operand flushed", of bit 0; NULL past the last one. */
TXL_API const char *txl_shadow_event_name(unsigned bit);

/* Who is to blame, where it is no line of the account. */
enum { TXL_GUILTY_NOBODY = -1, TXL_GUILTY_METHOD = -2 };

/* Errors are signed, in ULP; infinite where one of the two values is not finite. */
struct txl_account_total {
    bool stored;        /* else nothing was stored there, and the account is empty */
    bool has_reference; /* error and method are against it, else against exact arithmetic */
    double error;       /* of the result, before the one rounding of a reference */
    double method;      /* part of it that exact arithmetic would leave */
    const char *exact;  /* what exact arithmetic gives */
    size_t lines;
    int guilty; /* the line with the largest share, or TXL_GUILTY_ */
};

/* One instruction on the way to the result. */
struct txl_account_line {
    const struct txl_step *step;
    bool placed;          /* its word is known; of a scheduled one that of its SFPLOADMACRO */
    uint32_t word;        /* number of the word in .tile */
    uint32_t source_line; /* 0: not known */
    const char *source;   /* file of .loc, or NULL: the kernel's own */
    uint32_t result;      /* as the machine has it */
    char value[48];       /* the same as a number */
    char exact[40];       /* with everything exact from the inputs on */
    double own;           /* error of this instruction alone, from the operands it got */
    double so_far;        /* against exact */
    double share;         /* of the error of the whole */
    uint32_t events;      /* TXL_SHADOW_ */
    int cancelled;        /* bits by which a sum fell; -1: all of them */
    int cut;              /* bits that a store dropped */
    const char *taken;    /* "constant", "input", "as it is" or "" where it was computed */
};

/*
 * The account of the element at this place (0..1023, row by row) of the output tile, which reads
 * back as word. reference: the function there, not rounded, or NULL. TXL_OK; TXL_INPUT without
 * memory, or where the tile had more values than are recorded.
 */
TXL_API int txl_shadow_account(struct txl_error *err, txl_shadow *shadow, unsigned place,
                               uint32_t word, const double *reference, txl_account **account);
/* Its error alone, much sooner. 0 where nothing was stored. */
TXL_API int txl_shadow_error(struct txl_error *err, txl_shadow *shadow, unsigned place,
                             uint32_t word, const double *reference, double *error);

/* NULL: nothing. An account may outlive its shadow, but not the program. */
TXL_API void txl_account_close(txl_account *account);
TXL_API const struct txl_account_total *txl_account_total(const txl_account *account);
/* In order of execution; NULL past the end. */
TXL_API const struct txl_account_line *txl_account_line(const txl_account *account, size_t index);
/* As 'tensix run --shadow --json' has it. */
/* For people; free() it, NULL without memory. */
TXL_API char *txl_account_text(const txl_account *account);
TXL_API txl_json *txl_account_json(const txl_account *account);

#ifdef __cplusplus
}
#endif

#endif
