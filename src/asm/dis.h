/* SPDX-License-Identifier: Apache-2.0 */
/* An internal variant of the disassembler, for SFPLOADMACRO's templates. */
#ifndef TX_ASM_DIS_H
#define TX_ASM_DIS_H

#include <tensix/asm.h>

/*
 * As tx_disassemble, but a destination register that makes the word template "number" (0..3) is
 * written VD.
 */
enum tx_status dis_template(enum tx_arch arch, uint32_t word, unsigned number, char *text,
                            size_t size);

#endif
