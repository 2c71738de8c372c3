/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse vector clocks: pairs in the order of their actors, shared by reference, never changed. */
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

static struct order_vec *vec_new(uint32_t count)
{
    struct order_vec *v = malloc(sizeof *v + count * sizeof v->pair[0]);
    if (v != NULL) {
        v->refs = 1;
        v->count = count;
    }
    return v;
}

struct order_vec *order_vec_ref(struct order_vec *v)
{
    if (v != NULL) {
        v->refs++;
    }
    return v;
}

void order_vec_unref(struct order_vec *v)
{
    if (v != NULL && --v->refs == 0) {
        free(v);
    }
}

uint32_t order_vec_get(const struct order_vec *v, uint32_t actor)
{
    uint32_t low = 0;
    uint32_t high = v != NULL ? v->count : 0;
    while (low < high) {
        const uint32_t mid = (low + high) / 2;
        if (v->pair[mid].actor == actor) {
            return v->pair[mid].at;
        }
        if (v->pair[mid].actor < actor) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return 0;
}

/* Returns whether a knows everything that b knows. */
static bool covers(const struct order_vec *a, const struct order_vec *b)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        while (i < a->count && a->pair[i].actor < b->pair[k].actor) {
            i++;
        }
        if (i == a->count || a->pair[i].actor != b->pair[k].actor ||
            a->pair[i].at < b->pair[k].at) {
            return false;
        }
    }
    return true;
}

static struct order_vec *merged(const struct order_vec *a, const struct order_vec *b)
{
    struct order_vec *v = vec_new(a->count + b->count);
    uint32_t i = 0;
    uint32_t k = 0;
    uint32_t n = 0;
    while (v != NULL && (i < a->count || k < b->count)) {
        const bool left = k == b->count || (i < a->count && a->pair[i].actor < b->pair[k].actor);
        const bool both = i < a->count && k < b->count && a->pair[i].actor == b->pair[k].actor;
        struct order_pair pair = left ? a->pair[i] : b->pair[k];
        if (both && a->pair[i].at > pair.at) {
            pair = a->pair[i];
        }
        i += left || both ? 1 : 0;
        k += !left || both ? 1 : 0;
        v->pair[n++] = pair;
    }
    if (v != NULL) {
        v->count = n;
    }
    return v;
}

struct order_vec *order_vec_join(const struct order_vec *a, const struct order_vec *b)
{
    if (a == NULL || b == NULL || a == b || covers(a, b)) {
        return order_vec_ref((struct order_vec *)(uintptr_t)(a != NULL ? a : b));
    }
    return covers(b, a) ? order_vec_ref((struct order_vec *)(uintptr_t)b) : merged(a, b);
}

struct order_vec *order_vec_with(struct order_vec *v, uint32_t actor, uint32_t at)
{
    if (at == 0 || order_vec_get(v, actor) >= at) {
        return order_vec_ref(v);
    }
    struct order_vec *one = vec_new(1);
    if (one == NULL) {
        return order_vec_ref(v);
    }
    one->pair[0] = (struct order_pair){actor, at};
    struct order_vec *both = order_vec_join(v, one);
    order_vec_unref(one);
    return both;
}

void order_vec_learn(struct order_vec **v, const struct order_vec *more)
{
    if (more != NULL && more != *v) {
        struct order_vec *both = order_vec_join(*v, more);
        order_vec_unref(*v);
        *v = both;
    }
}

void order_vec_learn_one(struct order_vec **v, uint32_t actor, uint32_t at)
{
    struct order_vec *both = order_vec_with(*v, actor, at);
    order_vec_unref(*v);
    *v = both;
}

uint32_t order_view_get(const struct order_view *view, uint32_t actor)
{
    uint32_t at = order_vec_get(view->v, actor);
    for (unsigned i = 0; i < view->extras; i++) {
        if (view->extra[i].actor == actor && view->extra[i].at > at) {
            at = view->extra[i].at;
        }
    }
    return at;
}

struct order_vec *order_view_vec(const struct order_view *view)
{
    struct order_vec *v = order_vec_ref(view->v);
    for (unsigned i = 0; i < view->extras; i++) {
        order_vec_learn_one(&v, view->extra[i].actor, view->extra[i].at);
    }
    return v;
}
