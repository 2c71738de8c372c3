/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the state objects of a conformance vector; shared by vector.c, vector_state.c and
 * vector_tile.c.
 */
#ifndef LAB_VECTOR_STATE_H
#define LAB_VECTOR_STATE_H

#include "vectors/vector.h"

/* Where a part of a state goes, and its name for messages. */
struct vector_take {
    const char *what; /* such as "initial" */
    struct vec_state *state;
    struct txl_error *err;
};
/* The parts in vector_tile.c. */
bool vector_take_l1(const struct vector_take *t, json_t *value);
bool vector_take_adc(const struct vector_take *t, json_t *value);
bool vector_take_src_fill(const struct vector_take *t, json_t *value);
bool vector_take_src_state(const struct vector_take *t, json_t *value);

/* Reads a state object. what: "initial" or "final", for messages. */
bool vector_take_state(json_t *object, const char *what, struct vec_state *state,
                       struct txl_error *err);

#endif
