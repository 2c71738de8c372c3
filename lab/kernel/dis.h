/* SPDX-License-Identifier: Apache-2.0 */
/* Prints functions of ELF files instruction by instruction (dis_riscv.c), for dis.c. */
#ifndef LAB_DIS_H
#define LAB_DIS_H

#include <stdio.h>

#include <tensix-lab/elf.h>
#include <tensix/asm.h>

/* Returns false when out of memory. */
bool dis_function(FILE *out, enum tx_arch arch, enum tx_dis_style style,
                  const struct txl_elf_function *function);

#endif
