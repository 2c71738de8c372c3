/* SPDX-License-Identifier: Apache-2.0 */
/* What the command does where memory ends inside a library that cannot say so. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>

/*
 * JSON values lose their keys, and GMP, MPFR and FLINT abort. From here on the command ends instead
 * with one line (json: one object) and status 2, without the output that it was writing.
 */
void guard_memory(bool json);

#endif
