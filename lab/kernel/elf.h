/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an ELF file that is in memory already. */
#ifndef LAB_KERNEL_ELF_H
#define LAB_KERNEL_ELF_H

#include "base/error.h"

#include <tensix-lab/elf.h>

/* As txl_elf_open, for these bytes, which may be freed afterwards. path: the name for errors. */
int elf_open_bytes(struct txl_error *err, const char *path, char *bytes, size_t size,
                   txl_elf **out);

/*
 * Sections whose text names the chip as the vendor's compiler does: "xtttensixbh" in RISC-V's
 * attributes and in what the start-up code of 'tensix cc' leaves, "-mcpu=tt-bh" in the line with
 * which the compiler names itself in debugging information. TX_ARCH_NONE: it names none.
 */
bool elf_names_chip(const char *section);
enum tx_arch elf_chip(const void *bytes, size_t size);

#endif
