/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file that is in memory already. */
#ifndef LAB_KERNEL_ELF_H
#define LAB_KERNEL_ELF_H

#include "base/error.h"

#include <tensix-lab/elf.h>

/* txl_elf_open of these bytes, which are needed no longer afterwards; path is what errors name. */
int elf_open_bytes(struct txl_error *err, const char *path, char *bytes, size_t size,
                   txl_elf **out);

#endif
