/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a line of a conformance file, and as a state object. */
#include "vectors/vector.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct txl_error err = {0};
    struct vector *vector = NULL;
    if (vector_parse((const char *)data, size, &vector, &err)) {
        if (vector == NULL || vector->thread >= TX_THREADS) {
            abort();
        }
    } else if (vector != NULL || err.message[0] == '\0') {
        abort();
    }
    vector_free(vector);

    static struct vec_state state;
    txl_error_clear(&err);
    if (vector_parse_state((const char *)data, size, &state, &err)) {
        vector_state_clear(&state);
    } else if (err.message[0] == '\0') {
        abort();
    }
    char name[VEC_NAME];
    vector_name((const char *)data, size, name);
    return 0;
}
