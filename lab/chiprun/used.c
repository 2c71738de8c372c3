/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cycles of launches go on a chip that somebody else drives: what cores, threads and
 * units of a tile did from the beginning of a launch there to its end, as lanes without a path.
 */
#include <tensix/chip_order.h>

#include "base/bound.h"
#include "base/json.h"
#include "base/memory.h"
#include "chiprun/chiprun.h"
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

enum { USED_TILES = 256, USED_PARTS = 160, UNITS = PROFILE_UNITS };

struct used_tile {
    txl_profile *p; /* NULL: nothing runs there that is watched */
    uint64_t first; /* the chip's cycle in which it began */
};

struct used_part {
    uint64_t cycles;
    uint8_t lane, kind;
    char text[PROFILE_TEXT];
};

/* What all tiles did in one launch. */
struct used_launch {
    uint64_t cycles;      /* of the tile that took longest */
    uint64_t tile_cycles; /* of all tiles */
    uint32_t tiles, bounds;
    uint64_t busy[UNITS];    /* of the busiest of its kind on any tile */
    uint64_t lane[LANES][3]; /* by enum txl_profile_kind */
    struct used_part *part;  /* sums over tiles; what does not fit is left out */
    unsigned part_count;
};

struct txl_card_profile {
    tx_chip *chip;
    unsigned watched; /* tiles just now */
    struct used_tile tile[USED_TILES];
    struct used_launch *launch;
    size_t launches;
    bool failed; /* memory ran out */
};

/* ---- what a tile does ---- */

static void l1(void *user, const struct tx_order *t)
{
    struct used_tile *tile = user;
    if (t->thread < TX_ORDER_CORE || t->thread >= TX_ORDER_CORE + TX_CORES || tile->p == NULL) {
        return;
    }
    const unsigned core = t->thread - TX_ORDER_CORE;
    const bool own = t->shared == TX_SHARED_L1 && t->mask <= TX_ORDER_L1_ATOMIC;
    if (own && t->kind == TX_ORDER_READ) {
        profile_load(tile->p, core, t->word, t->index);
    } else if ((own && t->kind == TX_ORDER_WRITE) || t->kind == TX_ORDER_PUSH) {
        profile_store(tile->p, core);
    }
}

static void registers(void *user, const struct tx_chip_order *o)
{
    struct txl_card_profile *u = user;
    txl_profile *p = o->index < USED_TILES ? u->tile[o->index].p : NULL;
    if (p == NULL || o->core >= TX_CORES) {
        return;
    }
    if (o->kind == TX_CHIP_ORDER_LOAD) {
        profile_load(p, o->core, o->pc, (uint32_t)o->address);
    } else if (o->kind == TX_CHIP_ORDER_STORE) {
        profile_store(p, o->core);
    }
}

int txl_card_profile_open(struct txl_error *err, tx_chip *chip, txl_card_profile **opened)
{
    struct txl_card_profile *u = zeroed(err, 1, sizeof *u);
    if (u == NULL) {
        return TXL_INPUT;
    }
    u->chip = chip;
    *opened = u;
    return TXL_OK;
}

static void deaf(struct txl_card_profile *u, size_t index)
{
    tx_order_listen(tx_tensix_machine(tx_chip_tensix(u->chip, index)), NULL);
    (void)tx_chip_observe(u->chip, index, NULL);
    if (--u->watched == 0) {
        tx_chip_order_listen(u->chip, NULL);
    }
}

static void forget(struct txl_card_profile *u, size_t index)
{
    deaf(u, index);
    profile_close(u->tile[index].p);
    u->tile[index].p = NULL;
}

int txl_card_profile_begin(struct txl_error *err, txl_card_profile *u, size_t index)
{
    tx_tensix *tensix = tx_chip_tensix(u->chip, index);
    struct used_tile *tile = index < USED_TILES ? &u->tile[index] : NULL;
    if (tile == NULL || tensix == NULL) {
        return txl_fail(err, "no Tensix tile is there");
    }
    if (tile->p != NULL) {
        forget(u, index);
    }
    txl_profile *p = profile_open(err);
    if (p == NULL) {
        return TXL_INPUT;
    }
    const struct tx_chip_observer seen = {.struct_size = sizeof seen,
                                          .sink = {profile_event, p},
                                          .cycle = profile_reached,
                                          .user = p};
    if (tx_chip_observe(u->chip, index, &seen) != TX_OK) {
        profile_close(p);
        return txl_fail(err, "a run without time has no profile");
    }
    if (u->watched++ == 0) {
        tx_chip_order_listen(u->chip, &(struct tx_chip_order_sink){registers, u});
    }
    *tile = (struct used_tile){p, tx_chip_cycles(u->chip)};
    p->first = tile->first;
    profile_attach(p, tx_tensix_machine(tensix), tensix);
    tx_order_listen(tx_tensix_machine(tensix), &(struct tx_order_sink){l1, tile});
    return TXL_OK;
}

/* ---- what it did, added to a launch ---- */

static struct used_launch *launch_at(struct txl_card_profile *u, unsigned launch)
{
    if (launch >= u->launches) {
        const size_t more = (size_t)launch * 2 + 16;
        struct used_launch *larger = realloc(u->launch, more * sizeof *larger);
        if (larger == NULL) {
            u->failed = true;
            return NULL;
        }
        memset(larger + u->launches, 0, (more - u->launches) * sizeof *larger);
        u->launch = larger;
        u->launches = more;
    }
    struct used_launch *a = &u->launch[launch];
    a->part = a->part != NULL ? a->part : calloc(USED_PARTS, sizeof *a->part);
    u->failed = u->failed || a->part == NULL;
    return a->part != NULL ? a : NULL;
}

static void add_part(struct used_launch *a, unsigned lane, const struct txl_profile_part *part)
{
    unsigned i = 0;
    while (i < a->part_count && (a->part[i].lane != lane || a->part[i].kind != part->kind ||
                                 strcmp(a->part[i].text, part->text) != 0)) {
        i++;
    }
    if (i == USED_PARTS) {
        return;
    }
    if (i == a->part_count) {
        a->part_count++;
        a->part[i].lane = (uint8_t)lane;
        a->part[i].kind = (uint8_t)part->kind;
        snprintf(a->part[i].text, sizeof a->part[i].text, "%s", part->text);
    }
    a->part[i].cycles += part->cycles;
}

static void add_busy(struct used_launch *a, const txl_profile *p)
{
    uint64_t busy[UNITS];
    profile_busy(p, busy);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        a->busy[unit] = busy[unit] > a->busy[unit] ? busy[unit] : a->busy[unit];
    }
}

static void add_tile(struct used_launch *a, const txl_profile *p)
{
    a->tiles++;
    a->bounds |= p->result.bounds;
    a->tile_cycles += p->total;
    a->cycles = p->total > a->cycles ? p->total : a->cycles;
    add_busy(a, p);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct txl_profile_lane *shown = &p->lane[lane].shown;
        for (unsigned kind = 0; kind < 3; kind++) {
            a->lane[lane][kind] += shown->cycles[kind];
        }
        for (unsigned i = 0; i < shown->part_count; i++) {
            if (shown->parts[i].kind == TXL_PROFILE_WAITS) {
                add_part(a, lane, &shown->parts[i]);
            }
        }
    }
}

int txl_card_profile_end(struct txl_error *err, txl_card_profile *u, size_t index, unsigned launch)
{
    txl_profile *p = index < USED_TILES ? u->tile[index].p : NULL;
    if (p == NULL) {
        return TXL_OK;
    }
    profile_asleep(p, tx_chip_cycles(u->chip)); /* it may have slept at the end */
    p->whole = p;                               /* no path */
    const int result = profile_finish(err, p, p->cycle, tx_bounds(p->machine));
    struct used_launch *a = result == TXL_CONTINUE ? launch_at(u, launch) : NULL;
    if (a != NULL) {
        add_tile(a, p);
    }
    forget(u, index);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- as JSON ---- */

static txl_json *lane_json(const struct used_launch *a, unsigned lane, const char *name)
{
    txl_json *one = txl_json_object();
    txl_json *waits = txl_json_array();
    txl_json_set_text(one, "lane", name);
    for (unsigned kind = 0; kind < 3; kind++) {
        txl_json_set_int(one, txl_profile_kind_name((enum txl_profile_kind)kind),
                         a->lane[lane][kind]);
    }
    for (unsigned i = 0; i < a->part_count; i++) {
        if (a->part[i].lane == lane) {
            txl_json *part = txl_json_object();
            txl_json_set_text(part, "text", a->part[i].text);
            txl_json_set_int(part, "cycles", a->part[i].cycles);
            txl_json_append(waits, part);
        }
    }
    txl_json_set(one, "for", waits);
    return one;
}

char *txl_card_profile_json(struct txl_error *err, const txl_card_profile *u, unsigned launch)
{
    const struct used_launch *a = launch < u->launches ? &u->launch[launch] : NULL;
    if (a == NULL || a->tiles == 0) {
        return NULL;
    }
    txl_profile *lanes = profile_open(err); /* has their names */
    txl_json *root = txl_json_object();
    txl_json *busy = txl_json_object();
    txl_json *list = txl_json_array();
    txl_json_set_int(root, "cycles", a->cycles);
    txl_json_set_int(root, "tile_cycles", a->tile_cycles);
    txl_json_set_int(root, "tiles", a->tiles);
    bound_json(root, a->bounds);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        txl_json_set_int(busy, profile_unit_name(unit), a->busy[unit]);
    }
    txl_json_set(root, "busy", busy);
    for (unsigned lane = 0; lanes != NULL && lane < LANES; lane++) {
        if (a->lane[lane][TXL_PROFILE_WORKS] + a->lane[lane][TXL_PROFILE_WAITS] != 0) {
            txl_json_append(list, lane_json(a, lane, lanes->lane[lane].name));
        }
    }
    txl_json_set(root, "lanes", list);
    profile_close(lanes);
    char *text = u->failed ? NULL : txl_json_line(root);
    txl_json_free(root);
    if (text == NULL) {
        (void)no_memory(err);
    }
    return text;
}

void txl_card_profile_close(txl_card_profile *u)
{
    for (size_t i = 0; u != NULL && i < USED_TILES; i++) {
        if (u->tile[i].p != NULL) {
            forget(u, i);
        }
    }
    for (size_t i = 0; u != NULL && i < u->launches; i++) {
        free(u->launch[i].part);
    }
    if (u != NULL) {
        free(u->launch);
    }
    free(u);
}
