/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rewrites a kernel with SFPLOADMACRO as straight-line code: the scheduled instructions of one tile
 * in the order in which they run, with registers of their own (L16 becomes a free LReg). The result
 * is proved by running both forms over tiles of random and special data.
 */
#ifndef TENSIX_LAB_EXPAND_H
#define TENSIX_LAB_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/base.h>
#include <tensix-lab/error.h>
#include <tensix/formats.h>
#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_expansion txl_expansion;

/* Zero is the default of all fields but size. */
struct txl_expand_options {
    size_t size;            /* sizeof(struct txl_expand_options) */
    const char *name;       /* of the kernel, in front of messages; NULL: none */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst */
    enum tx_dst_format out; /* of the output; TX_DST_FORMAT_UNSET: the kernel's .out, else dst */
    uint64_t tiles;         /* of the proof; 0: 64 */
    txl_progress progress;  /* counts tiles of the proof; NULL: nobody is told */
    void *user;             /* of progress */
};

/*
 * TXL_OK: *out is the straight-line form, which the caller closes. TXL_NEGATIVE: there is none, and
 * *err names the cycle and the reason: no SFPLOADMACRO in the kernel, no register free, a register
 * wanted by its number, an instruction that cannot be said without SFPLOADMACRO, a tile in which
 * the two forms differ. TXL_INPUT: options of an unknown size, no memory. TXL_CANCELLED: progress
 * said so. *out is NULL where it is not TXL_OK.
 */
TXL_API int txl_expand(struct txl_error *err, const struct tx_program *program,
                       const struct txl_expand_options *options, txl_expansion **out);
TXL_API void txl_expansion_close(txl_expansion *expansion); /* NULL: nothing */

/* The kernel as text for the assembler, with a zero behind it. Lives as long as the expansion. */
TXL_API const char *txl_expansion_text(const txl_expansion *expansion);
/* The words of its .tile section: *count of them. Likewise. */
TXL_API const uint32_t *txl_expansion_words(const txl_expansion *expansion, size_t *count);
TXL_API uint64_t txl_expansion_macros(const txl_expansion *expansion); /* SFPLOADMACROs of a tile */
TXL_API uint64_t txl_expansion_tiles(const txl_expansion *expansion);  /* that were compared */

#ifdef __cplusplus
}
#endif

#endif
