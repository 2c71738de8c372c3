/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an ELF file that is in memory already. */
#ifndef LAB_KERNEL_ELF_H
#define LAB_KERNEL_ELF_H

#include "base/error.h"

#include <tensix-lab/elf.h>

/* As txl_elf_open, for these bytes, which may be freed afterwards. path: the name for errors. */
int elf_open_bytes(struct txl_error *err, const char *path, char *bytes, size_t size,
                   txl_elf **out);

#endif
