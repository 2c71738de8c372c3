/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shadow of L1 and DRAM: for each line of 16 bytes the events that later ones may be unordered
 * with. An event stays as long as somebody can race with it: until a later one of the same place in
 * the program takes its bytes, or too many others have come.
 */
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

enum { PAGE_LINES = 256, PAGE_BYTES = PAGE_LINES * ORDER_LINE, TABLE = 1 << 16, MOST_CELLS = 24 };

struct page {
    uint64_t number;
    struct page *next;
    uint32_t cell[PAGE_LINES];    /* index of the first cell, 0: none */
    uint16_t written[PAGE_LINES]; /* bit per byte */
};
struct order_memory {
    struct page **table; /* by number */
    uint32_t size;
};

static struct page *page_at(struct txl_order *o, uint32_t memory, uint64_t address, bool make)
{
    struct order_memory *m = o->memory[memory];
    const uint64_t number = address / PAGE_BYTES;
    if (m == NULL && make) {
        m = calloc(1, sizeof *m);
        if (m != NULL) {
            m->size = order_is_dram(memory) ? TABLE : 512;
            m->table = calloc(m->size, sizeof(struct page *));
        }
        o->memory[memory] = m;
    }
    if (m == NULL || m->table == NULL) {
        o->failed = o->failed || make;
        return NULL;
    }
    struct page **at = &m->table[number % m->size];
    struct page *p = *at;
    while (p != NULL && p->number != number) {
        p = p->next;
    }
    if (p == NULL && make) {
        p = calloc(1, sizeof *p);
        if (p == NULL) {
            o->failed = true;
            return NULL;
        }
        p->number = number;
        p->next = *at;
        *at = p;
    }
    return p;
}

/* Makes room for one more in a list; 0 stands for none. */
static void *grown(struct txl_order *o, void *list, size_t size, uint32_t *count, uint32_t *room)
{
    enum { FIRST = 4096 };
    if (*count < *room) {
        return list;
    }
    const uint32_t more = *room == 0 ? FIRST : *room + *room / 2;
    void *bigger = realloc(list, more * size);
    if (bigger == NULL) {
        o->failed = true;
        return list;
    }
    *room = more;
    *count += *count == 0 ? 1 : 0;
    return bigger;
}

static uint32_t cell_new(struct txl_order *o)
{
    if (o->cell_free != 0) {
        const uint32_t taken = o->cell_free;
        o->cell_free = o->cells[taken].next;
        return taken;
    }
    o->cells = grown(o, o->cells, sizeof *o->cells, &o->cell_count, &o->cell_room);
    return o->cell_count < o->cell_room ? o->cell_count++ : 0;
}

/* Keeps an event for the cells of one access. Returns its index, or 0 without memory. */
static uint32_t shadow_keep(struct txl_order *o, const struct order_event *e)
{
    uint32_t at = o->kept_free;
    if (at != 0) {
        o->kept_free = o->kept[at].uses;
    } else {
        o->kept = grown(o, o->kept, sizeof *o->kept, &o->kept_count, &o->kept_room);
        at = o->kept_count < o->kept_room ? o->kept_count++ : 0;
    }
    if (at != 0) {
        o->kept[at] = (struct order_kept){.e = *e};
        if (e->request != 0) {
            order_request_use(o, e->request);
        }
    }
    return at;
}

static const struct order_event *event_of(const struct txl_order *o, const struct order_cell *c)
{
    return &o->kept[c->event].e;
}

static void release(struct txl_order *o, uint32_t event)
{
    struct order_kept *k = &o->kept[event];
    if (k->e.request != 0) {
        order_request_drop(o, k->e.request);
    }
    k->uses = o->kept_free;
    o->kept_free = event;
}

static void cell_free(struct txl_order *o, uint32_t cell)
{
    if (--o->kept[o->cells[cell].event].uses == 0) {
        release(o, o->cells[cell].event);
    }
    o->cells[cell].next = o->cell_free;
    o->cell_free = cell;
}

bool order_knows(const struct order_view *view, const struct order_event *e)
{
    for (unsigned i = 0; i < 3; i++) {
        if (e->known[i].at != 0 && order_view_get(view, e->known[i].actor) >= e->known[i].at) {
            return true;
        }
    }
    return false;
}

/* Returns whether two events can be in conflict at all (spec 4). */
static bool conflicts(const struct order_event *x, const struct order_event *y)
{
    if (!order_writes(x->type) && !order_writes(y->type)) {
        return false;
    }
    if (x->type == ORDER_ATOMIC && y->type == ORDER_ATOMIC) {
        return false;
    }
    /* N7 (d): overlapping writes of one way stay in their order, also by the letter. */
    if (x->way != 0 && x->way == y->way && x->type == ORDER_WRITTEN && y->type == ORDER_WRITTEN) {
        return false;
    }
    return x->request == 0 || x->request != y->request;
}

/* Tells whether an event takes the place of one before it: the same line of the same actor. */
static bool replaces(const struct order_event *y, const struct order_event *x)
{
    return x->type == y->type && x->core == y->core && x->site == y->site;
}

static void line_access(struct txl_order *o, uint32_t memory, struct page *p, uint32_t line,
                        uint16_t mask, const struct order_event *e, uint32_t kept,
                        const struct order_view *view)
{
    uint32_t *at = &p->cell[line];
    uint32_t last = 0;
    unsigned count = 0;
    while (*at != 0) {
        const uint32_t cell = *at;
        struct order_cell *c = &o->cells[cell];
        const uint16_t both = c->mask & mask;
        const struct order_event *x = event_of(o, c);
        if (both != 0 && conflicts(x, e) && !order_knows(view, x)) {
            const unsigned first = (unsigned)__builtin_ctz(both);
            order_conflict(o, x, e, view, memory,
                           p->number * PAGE_BYTES + line * ORDER_LINE + (first & ~3u));
        }
        if (both != 0 && replaces(e, x)) {
            c->mask &= (uint16_t)~mask;
        }
        if (c->mask == 0) {
            *at = c->next;
            cell_free(o, cell);
            continue;
        }
        last = cell;
        count++;
        at = &c->next;
    }
    if (count >= MOST_CELLS && last != 0) { /* the oldest goes */
        for (at = &p->cell[line]; *at != last;) {
            at = &o->cells[*at].next;
        }
        *at = 0;
        cell_free(o, last);
    }
    const uint32_t cell = kept != 0 ? cell_new(o) : 0;
    if (cell != 0) {
        o->cells[cell] = (struct order_cell){.event = kept, .mask = mask, .next = p->cell[line]};
        p->cell[line] = cell;
        o->kept[kept].uses++;
    }
    if (order_writes(e->type)) {
        p->written[line] |= mask;
    }
}

/* Calls for each line of a range with the mask of its bytes. */
struct range {
    uint64_t address, end;
};
static uint16_t next_line(struct range *r, uint64_t *line)
{
    const unsigned first = (unsigned)(r->address % ORDER_LINE);
    const uint64_t room = ORDER_LINE - first;
    const unsigned n = (unsigned)(r->end - r->address < room ? r->end - r->address : room);
    *line = r->address - first;
    r->address += n;
    return (uint16_t)(((1u << n) - 1u) << first);
}

void order_shadow_access(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes,
                         const struct order_event *e, const struct order_view *view)
{
    struct range r = {address, address + bytes};
    const uint32_t kept = shadow_keep(o, e);
    if (kept == 0) {
        return;
    }
    o->kept[kept].uses = 1; /* while it is added */
    while (r.address < r.end) {
        uint64_t line;
        const uint16_t mask = next_line(&r, &line);
        struct page *p = page_at(o, memory, line, true);
        if (p == NULL) {
            break;
        }
        line_access(o, memory, p, (uint32_t)(line / ORDER_LINE % PAGE_LINES), mask, e, kept, view);
    }
    if (--o->kept[kept].uses == 0) {
        release(o, kept);
    }
}

void order_shadow_given(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes)
{
    struct range r = {address, address + bytes};
    while (r.address < r.end) {
        uint64_t line;
        const uint16_t mask = next_line(&r, &line);
        struct page *p = page_at(o, memory, line, true);
        if (p != NULL) {
            p->written[line / ORDER_LINE % PAGE_LINES] |= mask;
        }
    }
}

bool order_shadow_written(const struct txl_order *o, uint32_t memory, uint64_t address,
                          uint64_t bytes)
{
    struct range r = {address, address + bytes};
    while (r.address < r.end) {
        uint64_t line;
        const uint16_t mask = next_line(&r, &line);
        const struct page *p = page_at((struct txl_order *)(uintptr_t)o, memory, line, false);
        if (p == NULL || (p->written[line / ORDER_LINE % PAGE_LINES] & mask) != mask) {
            return false;
        }
    }
    return true;
}

uint32_t order_shadow_own_store(const struct txl_order *o, uint32_t memory, uint64_t address,
                                uint32_t bytes, const struct order_core *core)
{
    struct range r = {address, address + bytes};
    uint32_t serial = 0;
    while (r.address < r.end) {
        uint64_t line;
        const uint16_t mask = next_line(&r, &line);
        const struct page *p = page_at((struct txl_order *)(uintptr_t)o, memory, line, false);
        for (uint32_t i = p != NULL ? p->cell[line / ORDER_LINE % PAGE_LINES] : 0; i != 0;
             i = o->cells[i].next) {
            const struct order_cell *c = &o->cells[i];
            const struct order_event *e = event_of(o, c);
            if ((c->mask & mask) != 0 && e->type == ORDER_STORE && e->core == core->number &&
                e->known[0].at > serial) {
                serial = e->known[0].at;
            }
        }
    }
    return serial;
}

void order_shadow_learn(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes,
                        struct order_vec **v)
{
    struct range r = {address, address + bytes};
    while (r.address < r.end) {
        uint64_t line;
        const uint16_t mask = next_line(&r, &line);
        const struct page *p = page_at(o, memory, line, false);
        for (uint32_t i = p != NULL ? p->cell[line / ORDER_LINE % PAGE_LINES] : 0; i != 0;
             i = o->cells[i].next) {
            const struct order_cell *c = &o->cells[i];
            const struct order_event *e = event_of(o, c);
            if ((c->mask & mask) == 0 || !order_writes(e->type)) {
                continue;
            }
            for (unsigned k = 0; k < 3; k++) {
                order_vec_learn_one(v, e->known[k].actor, e->known[k].at);
            }
            if (e->core < ORDER_HOST && o->core[e->core] != NULL) {
                order_vec_learn_one(v, o->core[e->core]->actor, e->issue);
            }
        }
    }
}

/* The last write of a word that is kept. */
static const struct order_event *last_write(const struct txl_order *o, uint32_t memory,
                                            uint64_t address)
{
    const struct page *p = page_at((struct txl_order *)(uintptr_t)o, memory, address, false);
    const uint16_t mask = (uint16_t)(15u << address % ORDER_LINE);
    for (uint32_t i = p != NULL ? p->cell[address / ORDER_LINE % PAGE_LINES] : 0; i != 0;
         i = o->cells[i].next) { /* the newest comes first */
        const struct order_cell *c = &o->cells[i];
        if ((c->mask & mask) != 0 && order_writes(event_of(o, c)->type)) {
            return event_of(o, c);
        }
    }
    return NULL;
}

bool order_shadow_writer(const struct txl_order *o, uint32_t memory, uint64_t address,
                         uint32_t *cycle)
{
    const struct order_event *last = last_write(o, memory, address);
    *cycle = last != NULL ? last->cycle : 0;
    return last != NULL;
}

struct order_vec *order_shadow_last(struct txl_order *o, uint32_t memory, uint64_t address)
{
    enum { SMALL = 16 };
    const struct order_event *last = last_write(o, memory, address);
    if (last == NULL) {
        return NULL;
    }
    if (last->request != 0 && o->requests[last->request].length > SMALL) {
        return order_vec_ref(o->requests[last->request].go);
    }
    struct order_view view = {.v = NULL};
    struct order_vec *then = NULL;
    if (last->request != 0) {
        view.v = o->requests[last->request].go;
    } else if (last->core < ORDER_HOST) {
        then = order_core_then(o->core[last->core], last->issue);
        view.v = then;
        order_view_add(&view, o->core[last->core]->actor, last->issue);
    }
    for (unsigned i = 0; i < 3; i++) {
        order_view_add(&view, last->known[i].actor, last->known[i].at);
    }
    struct order_vec *v = order_view_vec(&view);
    order_vec_unref(then);
    return v;
}

void order_shadow_pages(const struct txl_order *o,
                        void (*page)(void *user, uint32_t memory, uint64_t address), void *user)
{
    for (uint32_t i = 0; i < sizeof o->memory / sizeof o->memory[0]; i++) {
        const struct order_memory *m = o->memory[i];
        for (uint32_t k = 0; m != NULL && m->table != NULL && k < m->size; k++) {
            for (const struct page *p = m->table[k]; p != NULL; p = p->next) {
                page(user, i, p->number * PAGE_BYTES);
            }
        }
    }
}

void order_shadow_close(struct txl_order *o)
{
    for (size_t i = 0; i < sizeof o->memory / sizeof o->memory[0]; i++) {
        struct order_memory *m = o->memory[i];
        for (uint32_t k = 0; m != NULL && m->table != NULL && k < m->size; k++) {
            while (m->table[k] != NULL) {
                struct page *p = m->table[k];
                m->table[k] = p->next;
                free(p);
            }
        }
        if (m != NULL) {
            free(m->table);
            free(m);
        }
    }
    free(o->cells);
    free(o->kept);
}
