/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the worst inputs again with a shadow that computes in exact arithmetic. */
#include "sweep/sweep.h"

#include <stdlib.h>

#include "base/memory.h"

struct sweep_blame {
    const struct txl_sweep *sweep;
    txl_shadow *shadow;
    struct sweep_oracle *oracle;
};

int sweep_blame_open(struct txl_error *err, const struct txl_sweep *s, struct sweep_blame **out)
{
    struct sweep_blame *b = zeroed(err, 1, sizeof *b);
    *out = b;
    if (b == NULL) {
        return TXL_INPUT;
    }
    b->sweep = s;
    const int result = txl_shadow_open(err, s->kernel.program, s->dst, s->out, &b->shadow);
    return result == TXL_OK ? sweep_oracle_open(err, &s->reference, s->dst, s->out, &b->oracle)
                            : result;
}

void sweep_blame_close(struct sweep_blame *b)
{
    if (b != NULL) {
        txl_shadow_close(b->shadow);
        sweep_oracle_close(b->oracle);
        free(b);
    }
}

int sweep_blame_of(struct txl_error *err, struct sweep_blame *b, uint64_t index,
                   const uint32_t *inputs, txl_account **account)
{
    const struct txl_sweep *s = b->sweep;
    const struct sweep_look look = {
        .user = b->shadow, .begin = txl_shadow_begin, .event = txl_shadow_event};
    uint32_t output[TX_TILE_ELEMENTS];
    double value = 0.0;
    *account = NULL;
    struct order_tile *tile = zeroed(err, 1, sizeof *tile);
    int result = tile != NULL ? order_tile(err, &s->order, &s->domain, index, tile) : TXL_INPUT;
    if (result == TXL_CONTINUE) {
        result = sweep_look(err, &s->kernel, tile, &look, output);
    }
    const unsigned element = tile != NULL ? tile->element : 0;
    free(tile);
    if (result != TXL_CONTINUE) {
        return result;
    }
    result = sweep_oracle_unrounded(b->oracle, inputs, &value, err);
    return result != TXL_CONTINUE
               ? result
               : txl_shadow_account(err, b->shadow, element, output[element], &value, account);
}

txl_json *sweep_blame_json(struct sweep_blame *b, const struct ulp_case *one)
{
    txl_account *account = NULL;
    if (sweep_blame_of(NULL, b, one->index, one->inputs, &account) != TXL_OK) {
        return txl_json_null();
    }
    txl_json *object = txl_account_json(account);
    txl_account_close(account);
    return object;
}

int txl_sweep_blame(struct txl_error *err, const txl_sweep *sweep, const struct txl_sweep_case *one,
                    txl_account **account)
{
    struct sweep_blame *b = NULL;
    *account = NULL;
    int result = sweep_blame_open(err, sweep, &b);
    if (result == TXL_CONTINUE) {
        result = sweep_blame_of(err, b, one->index, one->inputs, account);
    }
    sweep_blame_close(b);
    return result;
}
