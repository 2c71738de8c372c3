/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files into L1 before a program runs, and out of it afterwards: ADDRESS=FILE and
 * ADDRESS:FORMAT:SHAPE=FILE. Arrays of numbers become tiles of
 * 32x32 (or stay row by row) as host code makes them; other files are taken as they are.
 */
#ifndef LAB_L1_H
#define LAB_L1_H

#include "kernel/load.h"

#include <tensix-lab/eval.h>

#include "data/tensor_out.h"

enum { L1_FILES = 32 };

struct l1_file {
    const char *text; /* of the option */
    char *name;       /* of the file, with the member of an .npz, without what follows */
    uint32_t address, size;
    bool has_format;
    enum tx_format format;
    bool rows;            /* row by row, no tiles */
    bool magnitude;       /* integers as sign and magnitude, not in two's complement */
    struct npy_info info; /* shape; of a file of bytes: no dimensions */
    uint8_t *bytes;       /* inputs */
    struct npy_narrowed narrowed;
};

struct l1_job {
    struct txl_error *err;
    enum tx_arch arch;
    const char *scratch; /* folder for what comes out of or goes into an .npz, or NULL */
    struct l1_file in[L1_FILES], out[L1_FILES];
    unsigned in_count, out_count;
};

/* Keeps the text of an option. 0, or TXL_INPUT after printing why. */
int l1_option(struct l1_job *job, const char *text, bool output);
static inline bool l1_wanted(const struct l1_job *job)
{
    return job->in_count != 0 || job->out_count != 0;
}
/* Understands the options and reads the files. TXL_CONTINUE, or an exit code. */
int l1_settle(struct l1_job *job);
/* L1 of the machine's own, with the files in it. TXL_CONTINUE, or an exit code. */
int l1_place(struct l1_job *job, tx_machine *machine);
/* Writes the outputs, all of them or none. TXL_CONTINUE, or an exit code. */
int l1_take(struct l1_job *job, const tx_machine *machine);
void l1_free(struct l1_job *job);

/* What the machine holds otherwise than the files put there; *list is for free(). */
int l1_changes(const struct l1_job *job, const tx_machine *machine, struct txl_l1_change **list,
               size_t *count);

/* Files as they are handed out, and as JSON: {"in": [...], "out": [...]}. */
void l1_show(struct txl_l1_file *shown, const struct l1_file *files, unsigned count);
txl_json *l1_json(const struct l1_job *job);

#endif
