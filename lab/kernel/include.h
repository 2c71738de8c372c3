/* SPDX-License-Identifier: Apache-2.0 */
/* The files that .include in a kernel names: they lie beside the kernel file, or below. */
#ifndef LAB_KERNEL_INCLUDE_H
#define LAB_KERNEL_INCLUDE_H

#include <tensix/tensix.h>

struct included_file {
    struct included_file *next;
    char *text;
    size_t length;
    char path[TX_SOURCE_NAME];
};

/*
 * All members zero except root, the path of the kernel file. include_free when the program has been
 * assembled.
 */
struct includes {
    const char *root;
    struct included_file *files;
};

tx_include_fn include_answer; /* user: struct includes */
void include_free(struct includes *includes);

#endif
