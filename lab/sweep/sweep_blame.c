/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep --blame: the worst inputs again, in exact arithmetic beside the emulator. */
#include "shadow/shadow.h"
#include "sweep/sweep.h"

#include <stdlib.h>

int sweep_blame_open(struct txl_error *err, const struct txl_sweep *s, struct sweep_blame **out)
{
    struct sweep_blame *b = calloc(1, sizeof *b);
    *out = b;
    if (b == NULL) {
        return txl_fail(err, "out of memory");
    }
    b->sweep = s;
    b->shadow = shadow_open(tx_program_arch(s->kernel.program), s->dst);
    if (b->shadow == NULL) {
        return txl_fail(err, "out of memory");
    }
    return sweep_oracle_open(err, &s->reference, s->dst, s->out, &b->oracle);
}

void sweep_blame_close(struct sweep_blame *b)
{
    if (b != NULL) {
        shadow_places_close(b->places);
        shadow_close(b->shadow);
        sweep_oracle_close(b->oracle);
        free(b);
    }
}

static void begin(void *user)
{
    shadow_begin(user);
}

bool sweep_blame_of(struct sweep_blame *b, const struct ulp_case *one,
                    struct shadow_account *account)
{
    const struct txl_sweep *s = b->sweep;
    const unsigned element = (unsigned)(one->index % TX_TILE_ELEMENTS);
    const struct sweep_look look = {.user = b->shadow, .begin = begin, .event = shadow_event};
    uint32_t output[TX_TILE_ELEMENTS];
    char message[SWEEP_MESSAGE];
    double value = 0.0;
    if (sweep_look(NULL, &s->kernel, &s->domain, one->index, &look, output) != TXL_CONTINUE ||
        !shadow_whole(b->shadow) ||
        !sweep_oracle_unrounded(b->oracle, one->inputs, &value, message)) {
        return false;
    }
    shadow_places_close(b->places);
    b->places = shadow_places_open(s->kernel.program, shadow_first(b->shadow));
    const uint32_t node = shadow_output(b->shadow, tx_program_output(s->kernel.program), element,
                                        s->out, output[element]);
    return b->places != NULL && shadow_account(b->shadow, node, s->out, &value, account);
}

/* The same value of the other library. */
static txl_json *value_of(const json_t *from)
{
    const char *key;
    json_t *member;
    size_t i;
    switch (json_typeof(from)) {
    case JSON_OBJECT: {
        txl_json *object = txl_json_object();
        json_object_foreach((json_t *)(uintptr_t)from, key, member)
        {
            txl_json_set(object, key, value_of(member));
        }
        return object;
    }
    case JSON_ARRAY: {
        txl_json *array = txl_json_array();
        json_array_foreach(from, i, member)
        {
            txl_json_append(array, value_of(member));
        }
        return array;
    }
    case JSON_STRING:
        return txl_json_string(json_string_value(from));
    case JSON_INTEGER:
        return txl_json_int(json_integer_value(from));
    case JSON_REAL:
        return txl_json_real(json_real_value(from));
    case JSON_TRUE:
    case JSON_FALSE:
        return txl_json_bool(json_is_true(from));
    default:
        return txl_json_null();
    }
}

txl_json *sweep_blame_json(struct sweep_blame *b, const struct ulp_case *one)
{
    struct shadow_account account;
    if (!sweep_blame_of(b, one, &account)) {
        return txl_json_null();
    }
    json_t *object = shadow_json(b->shadow, b->places, &account);
    txl_json *result = value_of(object);
    json_decref(object);
    shadow_account_free(&account);
    return result;
}
