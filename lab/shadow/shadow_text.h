/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts of shadow execution as text, in whole and in parts. */
#ifndef LAB_SHADOW_TEXT_H
#define LAB_SHADOW_TEXT_H

#include "base/error.h"

#include <tensix-lab/shadow.h>

/* A line for each instruction, and what shadow_print_blame says. */
void shadow_print_account(FILE *out, const txl_account *account);
/* Two lines at most: how much of the error is whose. */
void shadow_print_blame(FILE *out, const txl_account *account);
/* What happened on the way, a line for each instruction that is not the guilty one. */
void shadow_print_way(FILE *out, const txl_account *account);

/* shadow_face.c: the chip of what it accounts for. */
enum tx_arch shadow_account_arch(const txl_account *account);

#endif
