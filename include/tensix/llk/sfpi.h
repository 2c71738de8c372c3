/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_SFPI_H
#define TENSIX_LLK_SFPI_H

#include <limits>
#include <tensix/llk/ckernel.h>
#include <tensix/llk/llk_sfpu_types.h>
#include <tensix/sfpi.hpp>

#endif
