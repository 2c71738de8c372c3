/* SPDX-License-Identifier: Apache-2.0 */
/* What the files with monitor commands share. */
#ifndef LAB_GDB_MONITOR_H
#define LAB_GDB_MONITOR_H

#include "gdb/gdb.h"

enum { MONITOR_WORDS = 8 };

struct monitor {
    txl_gdb *g;
    FILE *out;
    const char *word[MONITOR_WORDS]; /* the command and its arguments */
    unsigned count;
};

/* Parse arguments. They return false where an argument is wrong, after writing a message. */
bool monitor_number(const struct monitor *m, unsigned index, int64_t most, int64_t *value);
bool monitor_range(const struct monitor *m, unsigned index, int64_t most, int64_t *first,
                   int64_t *last);

/* monitor_data.c: these return false on an error, after writing a message. */
bool monitor_lreg(const struct monitor *m);
bool monitor_dst(const struct monitor *m);
bool monitor_src(const struct monitor *m);
bool monitor_l1(const struct monitor *m);

#endif
