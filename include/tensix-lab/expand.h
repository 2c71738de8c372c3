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
#include <tensix-lab/json.h>
#include <tensix/formats.h>
#include <tensix/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_expansion txl_expansion;

/* All fields but size may be zero, which means their default. */
struct txl_expand_options {
    size_t size;            /* sizeof(struct txl_expand_options) */
    const char *name;       /* name of the kernel, which begins messages; NULL: none */
    enum tx_dst_format dst; /* of the inputs; TX_DST_FORMAT_UNSET: the kernel's .dst */
    enum tx_dst_format out; /* of the output; TX_DST_FORMAT_UNSET: the kernel's .out, else dst */
    uint64_t tiles;         /* number of tiles of the proof; 0: 64 */
    txl_progress progress;  /* counts tiles of the proof; NULL: no progress is reported */
    void *user;             /* of progress */
};

/*
 * Expands a program. *out is NULL unless TXL_OK is returned.
 * TXL_OK: *out is the straight-line form, which the caller closes.
 * TXL_NEGATIVE: there is no such form; *err names cycle and reason: the kernel has no SFPLOADMACRO,
 * no register is free, a register is needed by its number, an instruction has no equivalent without
 * SFPLOADMACRO, or the two forms differ on some tile.
 * TXL_INPUT: options of an unknown size, or no memory.
 * TXL_CANCELLED: progress returned false.
 */
TXL_API int txl_expand(struct txl_error *err, const struct tx_program *program,
                       const struct txl_expand_options *options, txl_expansion **out);
TXL_API void txl_expansion_close(txl_expansion *expansion); /* NULL: nothing */

/* Returns the kernel as zero-terminated assembler text, which lives as long as the expansion. */
TXL_API const char *txl_expansion_text(const txl_expansion *expansion);
/* Returns the words of its .tile section, *count of them; they live as long as the expansion. */
TXL_API const uint32_t *txl_expansion_words(const txl_expansion *expansion, size_t *count);
TXL_API uint64_t txl_expansion_macros(const txl_expansion *expansion); /* SFPLOADMACROs per tile */
/* tiles compared in the proof */
TXL_API uint64_t txl_expansion_tiles(const txl_expansion *expansion);
/* Returns all of that as an object for txl_json_free, the text only if wanted. NULL: no memory. */
TXL_API txl_json *txl_expansion_json(const txl_expansion *expansion, const char *kernel, bool text);

#ifdef __cplusplus
}
#endif

#endif
