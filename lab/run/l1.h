/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are loaded into L1 before a program runs and saved from it afterwards: ADDRESS=FILE
 * and ADDRESS:FORMAT:SHAPE=FILE. Host code converts arrays of numbers to tiles of 32x32, or row by
 * row; other files are copied unchanged.
 */
#ifndef LAB_L1_H
#define LAB_L1_H

#include "kernel/load.h"

#include <tensix-lab/eval.h>

#include "data/tensor_out.h"

enum { L1_FILES = 32 };

struct l1_file {
    const char *text; /* the option's text */
    char *name;       /* name of the file, with the member of an .npz but without suffixes */
    uint32_t address, size;
    bool has_format;
    enum tx_format format;
    bool rows;            /* row by row instead of tiles */
    bool magnitude;       /* integers are sign and magnitude, not two's complement */
    struct npy_info info; /* shape; a file of bytes has no dimensions */
    uint8_t *bytes;       /* data of an input */
    struct npy_narrowed narrowed;
};

struct l1_job {
    struct txl_error *err;
    enum tx_arch arch;
    const char *scratch; /* folder for temporary members of .npz files, or NULL */
    struct l1_file in[L1_FILES], out[L1_FILES];
    unsigned in_count, out_count;
};

/* Stores the text of an option. Returns 0, or TXL_INPUT with an error in job->err. */
int l1_option(struct l1_job *job, const char *text, bool output);
static inline bool l1_wanted(const struct l1_job *job)
{
    return job->in_count != 0 || job->out_count != 0;
}
/* Parses the options and reads the input files. Returns TXL_CONTINUE or an error. */
int l1_settle(struct l1_job *job);
/*
 * Gives the machine an L1 of its own and copies the files into it. Returns TXL_CONTINUE or an
 * error.
 */
int l1_place(struct l1_job *job, tx_machine *machine);
/* Has the machine report bytes of the output files that nobody has written. */
enum tx_status l1_check_files(const struct l1_job *job, tx_machine *machine);
/* Writes the output files, all of them or none. Returns TXL_CONTINUE or an error. */
int l1_take(struct l1_job *job, const tx_machine *machine);
void l1_free(struct l1_job *job);

/* Lists where L1 differs from what the files put there; the caller frees *list. */
int l1_changes(const struct l1_job *job, const tx_machine *machine, struct txl_l1_change **list,
               size_t *count);

/* Describe the files for the caller, as structs and as JSON: {"in": [...], "out": [...]}. */
void l1_show(struct txl_l1_file *shown, const struct l1_file *files, unsigned count);
txl_json *l1_json(const struct l1_job *job);

#endif
