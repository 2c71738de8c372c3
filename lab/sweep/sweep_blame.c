/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep --blame: the worst inputs again, in exact arithmetic beside the emulator. */
#include "sweep/sweep.h"

#include <stdlib.h>

#include "base/json.h"
#include "shadow/shadow.h"

struct sweep_blame {
    const struct sweep *sweep;
    struct shadow *shadow;
    struct shadow_places *places;
    struct sweep_oracle *oracle;
};

int sweep_blame_open(const struct sweep *s, struct sweep_blame **out)
{
    struct sweep_blame *b = calloc(1, sizeof *b);
    *out = b;
    if (b == NULL) {
        return txl_fail(s->err, "out of memory");
    }
    b->sweep = s;
    b->shadow = shadow_open(tx_program_arch(s->kernel.program), s->dst);
    if (b->shadow == NULL) {
        return txl_fail(s->err, "out of memory");
    }
    return sweep_oracle_open(s->err, &s->reference, s->dst, s->out, &b->oracle);
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

/* False: the machine or the reference stopped, or there is no memory. */
static bool account_of(struct sweep_blame *b, const struct ulp_case *one,
                       struct shadow_account *account)
{
    const struct sweep *s = b->sweep;
    const unsigned element = (unsigned)(one->index % TX_TILE_ELEMENTS);
    const struct sweep_look look = {.user = b->shadow, .begin = begin, .event = shadow_event};
    uint32_t output[TX_TILE_ELEMENTS];
    char message[SWEEP_MESSAGE];
    double value = 0.0;
    if (!sweep_look(&s->kernel, &s->domain, one->index, &look, output) ||
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

void sweep_blame_print(FILE *stream, struct sweep_blame *b, const struct ulp_case *one)
{
    struct shadow_account account;
    if (b != NULL && account_of(b, one, &account)) {
        shadow_print_blame(stream, b->shadow, b->places, &account);
        shadow_print_way(stream, b->shadow, b->places, &account);
        shadow_account_free(&account);
    }
}

json_t *sweep_blame_json(struct sweep_blame *b, const struct ulp_case *one)
{
    struct shadow_account account;
    json_t *object = json_null();
    if (b != NULL && account_of(b, one, &account)) {
        object = shadow_json(b->shadow, b->places, &account);
        shadow_account_free(&account);
    }
    return object;
}
