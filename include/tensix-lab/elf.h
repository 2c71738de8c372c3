/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extracts the Tensix instructions of a RISC-V program: the words in its instruction stream
 * (.ttinsn), function by function, rotated back into plain words.
 */
#ifndef TENSIX_LAB_ELF_H
#define TENSIX_LAB_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>
#include <tensix/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_elf txl_elf;

/* A function that holds Tensix words. Lives as long as its txl_elf. */
struct txl_elf_function {
    const char *name; /* control characters replaced by question marks */
    uint64_t address;
    const uint32_t *words;
    const uint32_t *offsets; /* of each word, in bytes from the start of the function */
    size_t count;            /* of words, at least 1 */
    const uint32_t *code;    /* the whole function as stored, RISC-V instructions included */
    size_t code_count;
};

/*
 * Tells whether the file begins like an ELF file; false also where it cannot be read and where it
 * is no file but, for example, a pipe, from which nothing is taken.
 */
TXL_API bool txl_elf_is(const char *path);

/*
 * Reads a file. Returns TXL_OK, or TXL_INPUT where it is no readable RISC-V ELF file, has more than
 * 2^24 words, memory is short, or the library was built without libelf. The caller closes *out,
 * which is NULL after an error.
 */
TXL_API int txl_elf_open(struct txl_error *err, const char *path, txl_elf **out);
TXL_API void txl_elf_close(txl_elf *elf); /* NULL: nothing */

/* The chip that the file's attributes name, or TX_ARCH_NONE. */
TXL_API enum tx_arch txl_elf_arch(const txl_elf *elf);
/* Functions with Tensix words in them, in order of address; NULL past the end. */
TXL_API size_t txl_elf_functions(const txl_elf *elf);
TXL_API const struct txl_elf_function *txl_elf_function(const txl_elf *elf, size_t index);

#ifdef __cplusplus
}
#endif

#endif
