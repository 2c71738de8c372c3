/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the accounts of shadow execution as text, in whole or in parts. */
#ifndef LAB_SHADOW_TEXT_H
#define LAB_SHADOW_TEXT_H

#include "base/error.h"

#include <tensix-lab/shadow.h>

/* Prints a line for each instruction and what shadow_print_blame prints. */
void shadow_print_account(FILE *out, const txl_account *account);
/* Prints at most two lines that say how much of the error comes from where. */
void shadow_print_blame(FILE *out, const txl_account *account);
/* Prints what happened on the way, one line for each instruction other than the guilty one. */
void shadow_print_way(FILE *out, const txl_account *account);

/* shadow_face.c: returns the architecture that the account was made for. */
enum tx_arch shadow_account_arch(const txl_account *account);

#endif
