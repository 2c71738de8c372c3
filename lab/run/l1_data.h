/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file in L1: numbers to and from tiles or rows of a format. */
#ifndef LAB_L1_DATA_H
#define LAB_L1_DATA_H

#include "run/l1.h"

/* Fills format, shape, bytes and size from the file that file->name names, which it shortens. */
int l1_read_file(const struct l1_job *job, struct l1_file *file);
/* size from format and shape. */
int l1_output_size(struct txl_error *err, enum tx_arch arch, struct l1_file *file);
/* Into an output that is not yet in place; tensor_out_commit is the caller's. */
int l1_write_file(struct txl_error *err, const tx_machine *machine, const struct l1_file *file,
                  struct tensor_out *out);

#endif
