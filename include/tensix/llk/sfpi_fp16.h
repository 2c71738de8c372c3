/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_SFPI_FP16_H
#define TENSIX_LLK_SFPI_FP16_H

#include <tensix/sfpi.hpp>

#endif
