/* SPDX-License-Identifier: Apache-2.0 */
/* Hints of the vendor's compiler about where a pointer points to. */
#ifndef INTEROP_RISC_ATTRIBS_H
#define INTEROP_RISC_ATTRIBS_H

#define tt_reg_ptr
#define tt_l1_ptr

#endif
