/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a kernel's .include names: what lies beside the kernel file, or below. */
#ifndef LAB_KERNEL_INCLUDE_H
#define LAB_KERNEL_INCLUDE_H

#include <tensix/tensix.h>

struct included_file {
    struct included_file *next;
    char *text;
    size_t length;
    char path[TX_SOURCE_NAME];
};

/* Zero but for root, the path of the kernel file; include_free when the program is assembled. */
struct includes {
    const char *root;
    struct included_file *files;
};

tx_include_fn include_answer; /* user: struct includes */
void include_free(struct includes *includes);

#endif
