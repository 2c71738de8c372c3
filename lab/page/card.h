/* SPDX-License-Identifier: Apache-2.0 */
/* card_profile.c: profiles of launches, by the names of their kernels. */
#ifndef LAB_PAGE_CARD_H
#define LAB_PAGE_CARD_H

#include <jansson.h>

/*
 * Sums up the profiles of a session's launches and puts the sums into the session, by falling
 * cycles; the launches lose theirs. Does nothing where none of them has any.
 */
void card_fold(json_t *session);

#endif
