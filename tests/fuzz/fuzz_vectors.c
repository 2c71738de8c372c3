/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a line of a conformance file, and as a state object. */
#include "vectors/vector.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[VEC_MESSAGE];
    struct vector *vector = NULL;
    if (vector_parse((const char *)data, size, &vector, message)) {
        if (vector == NULL || vector->thread >= TX_THREADS) {
            abort();
        }
    } else if (vector != NULL || message[0] == '\0') {
        abort();
    }
    vector_free(vector);

    static struct vec_state state;
    if (vector_parse_state((const char *)data, size, &state, message)) {
        vector_state_clear(&state);
    } else if (message[0] == '\0') {
        abort();
    }
    char name[VEC_NAME];
    vector_name((const char *)data, size, name);
    return 0;
}
