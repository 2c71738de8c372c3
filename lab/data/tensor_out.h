/* SPDX-License-Identifier: Apache-2.0 */
/* An output file of tiles, .npy or .npz, that becomes visible only when it is complete. */
#ifndef LAB_TENSOR_OUT_H
#define LAB_TENSOR_OUT_H

#include "data/tensor.h"

struct tensor_out {
    const char *text; /* as given */
    struct tensor_name name;
    struct outfile file; /* the output, or the array that goes into an .npz */
    FILE *array;         /* of an .npz */
    bool open;
    const char *scratch; /* as in struct tensor_how */
    uint64_t header;     /* bytes before the first element of an array */
    uint64_t size;       /* of the array with its header */
};

/* Splits the name. TXL_CONTINUE or TXL_INPUT, like the functions below. */
int tensor_out_name(struct txl_error *err, const char *text, struct tensor_out *out);
/* Opens the file. shape: the shape of an array, with its dtype; NULL for tiles. */
int tensor_out_open(struct txl_error *err, struct tensor_out *out, const struct npy_info *shape,
                    enum npy_dtype dtype);
/* Puts the file into place; closes it in any case. */
int tensor_out_commit(struct txl_error *err, struct tensor_out *out);
/* Removes what was written. Does nothing when no file is open. */
void tensor_out_discard(struct tensor_out *out);
int tensor_out_failed(struct txl_error *err, const struct tensor_out *out, const char *why);

#endif
