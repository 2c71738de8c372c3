/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sparse vector clocks: pairs in the order of their actors, shared by reference, never changed. One
 * that knows a little more than a long one has that as its base, and the difference only.
 */
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

/* Pairs that a vector has beyond its base, at most, before it becomes one of its own. */
enum { SMALL = 32, PART = 4 };

static struct order_vec *vec_new(struct order_vec *base, uint32_t count)
{
    struct order_vec *v = malloc(sizeof *v + count * sizeof v->pair[0]);
    if (v != NULL) {
        v->refs = 1;
        v->count = count;
        v->base = order_vec_ref(base);
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
        order_vec_unref(v->base);
        free(v);
    }
}

static const struct order_pair *vec_find(const struct order_vec *v, uint32_t actor)
{
    uint32_t low = 0;
    uint32_t high = v->count;
    while (low < high) {
        const uint32_t mid = (low + high) / 2;
        if (v->pair[mid].actor == actor) {
            return &v->pair[mid];
        }
        if (v->pair[mid].actor < actor) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return NULL;
}

uint32_t order_vec_get(const struct order_vec *v, uint32_t actor)
{
    const struct order_pair *p = v != NULL ? vec_find(v, actor) : NULL;
    if (p == NULL && v != NULL && v->base != NULL) {
        p = vec_find(v->base, actor);
    }
    return p != NULL ? p->at : 0;
}

/* Merges two lists in the order of their actors; returns the number of pairs. */
static uint32_t merge(struct order_pair *to, const struct order_pair *a, uint32_t count_a,
                      const struct order_pair *b, uint32_t count_b)
{
    uint32_t i = 0;
    uint32_t k = 0;
    uint32_t n = 0;
    while (i < count_a || k < count_b) {
        const bool left = k == count_b || (i < count_a && a[i].actor < b[k].actor);
        const bool both = i < count_a && k < count_b && a[i].actor == b[k].actor;
        struct order_pair pair = left ? a[i] : b[k];
        if (both && a[i].at > pair.at) {
            pair = a[i];
        }
        i += left || both ? 1 : 0;
        k += !left || both ? 1 : 0;
        to[n++] = pair;
    }
    return n;
}

static uint32_t total(const struct order_vec *v)
{
    return v->count + (v->base != NULL ? v->base->count : 0);
}

/* What the pairs of b, without its base, know that a does not. */
static uint32_t news(struct order_pair *to, const struct order_vec *a, const struct order_vec *b)
{
    const struct order_vec *most = a->base != NULL ? a->base : a;
    uint32_t n = 0;
    uint32_t k = 0;
    if (b->count <= SMALL) {
        for (uint32_t i = 0; i < b->count; i++) {
            if (order_vec_get(a, b->pair[i].actor) < b->pair[i].at) {
                to[n++] = b->pair[i];
            }
        }
        return n;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        while (k < most->count && most->pair[k].actor < b->pair[i].actor) {
            k++;
        }
        if (k < most->count && most->pair[k].actor == b->pair[i].actor &&
            most->pair[k].at >= b->pair[i].at) {
            continue;
        }
        const struct order_pair *own = most != a ? vec_find(a, b->pair[i].actor) : NULL;
        if (own == NULL || own->at < b->pair[i].at) {
            to[n++] = b->pair[i];
        }
    }
    return n;
}

/* A vector that knows what a does, and some pairs more. */
static struct order_vec *extended(struct order_vec *a, const struct order_pair *more,
                                  uint32_t count)
{
    struct order_vec *base = a->base != NULL ? a->base : a->count > SMALL ? a : NULL;
    const struct order_pair *own = base == a ? NULL : a->pair;
    const uint32_t own_count = base == a ? 0 : a->count;
    struct order_vec *v = vec_new(base, own_count + count);
    if (v == NULL) {
        return order_vec_ref(a);
    }
    v->count = merge(v->pair, own, own_count, more, count);
    if (base == NULL || v->count <= SMALL || v->count <= base->count / PART) {
        return v;
    }
    struct order_vec *whole = vec_new(NULL, base->count + v->count);
    if (whole == NULL) {
        return v;
    }
    whole->count = merge(whole->pair, base->pair, base->count, v->pair, v->count);
    order_vec_unref(v);
    struct order_vec *tight = realloc(whole, sizeof *whole + whole->count * sizeof whole->pair[0]);
    return tight != NULL ? tight : whole;
}

struct order_vec *order_vec_join(const struct order_vec *a, const struct order_vec *b)
{
    if (a == NULL || b == NULL || a == b) {
        return order_vec_ref((struct order_vec *)(uintptr_t)(a != NULL ? a : b));
    }
    struct order_vec *great = (struct order_vec *)(uintptr_t)(total(a) >= total(b) ? a : b);
    const struct order_vec *small = great == a ? b : a;
    const bool same = small->base == NULL || small->base == great->base || small->base == great;
    struct order_pair *more = malloc(2 * (size_t)(total(small) + 1) * sizeof *more);
    if (more == NULL) {
        return order_vec_ref(great);
    }
    uint32_t n = news(more, great, small);
    if (!same) {
        struct order_pair *rest = more + total(small) + 1;
        const uint32_t k = news(rest, great, small->base);
        struct order_pair *both = malloc((size_t)(n + k + 1) * sizeof *both);
        if (both == NULL) {
            free(more);
            return order_vec_ref(great);
        }
        n = merge(both, more, n, rest, k);
        free(more);
        more = both;
    }
    struct order_vec *v = n == 0 ? order_vec_ref(great) : extended(great, more, n);
    free(more);
    return v;
}

struct order_vec *order_vec_with(struct order_vec *v, uint32_t actor, uint32_t at)
{
    const struct order_pair one = {actor, at};
    if (at == 0 || order_vec_get(v, actor) >= at) {
        return order_vec_ref(v);
    }
    if (v != NULL) {
        return extended(v, &one, 1);
    }
    struct order_vec *own = vec_new(NULL, 1);
    if (own != NULL) {
        own->pair[0] = one;
    }
    return own;
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
