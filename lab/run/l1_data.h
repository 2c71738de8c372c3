/* SPDX-License-Identifier: Apache-2.0 */
/* Converts between the numbers of a file and its bytes in L1, as tiles or rows of a format. */
#ifndef LAB_L1_DATA_H
#define LAB_L1_DATA_H

#include "run/l1.h"

/*
 * Fills in format, shape, bytes and size from the file that file->name names; suffixes are cut off
 * the name.
 */
int l1_read_file(const struct l1_job *job, struct l1_file *file);
/* Computes size from format and shape. */
int l1_output_size(struct txl_error *err, enum tx_arch arch, struct l1_file *file);
/* Writes to an output file that is not yet in place; the caller calls tensor_out_commit. */
int l1_write_file(struct txl_error *err, const tx_machine *machine, const struct l1_file *file,
                  struct tensor_out *out);

#endif
