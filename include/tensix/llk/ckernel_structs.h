/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name: semaphore, mutex. */
#ifndef TENSIX_LLK_CKERNEL_STRUCTS_H
#define TENSIX_LLK_CKERNEL_STRUCTS_H

#include <tensix/ckernel_ops.h>

#endif
