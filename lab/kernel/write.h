/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a program as a kernel file. */
#ifndef LAB_KERNEL_WRITE_H
#define LAB_KERNEL_WRITE_H

#include <stdio.h>

#include <tensix/asm.h>

/* Writes the directives in front of .init: chip, title, formats, start, inputs, configuration. */
void kernel_write_head(FILE *out, const struct tx_program *program);
/* Writes the words of a section, each on its line. */
void kernel_write_section(FILE *out, const struct tx_program *program, unsigned section);

#endif
