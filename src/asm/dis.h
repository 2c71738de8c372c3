/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_ASM_DIS_H
#define TX_ASM_DIS_H

#include <tensix/asm.h>

/* As tx_disassemble, with VD for a destination that makes the word template number (0..3). */
enum tx_status dis_template(enum tx_arch arch, uint32_t word, unsigned number, char *text,
                            size_t size);

#endif
