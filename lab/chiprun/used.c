/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cycles of launches go on a chip that somebody else drives: what cores, threads and
 * units of its tiles did from the beginning of a launch to its end, the path through all of them,
 * and what would save most.
 */
#include "chiprun/used.h"

#include "base/bound.h"
#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { USED_PARTS = 160, USED_NOW = 16, UNITS = PROFILE_UNITS };
/* What all launches that run may take, and what the first launch of its kernels may be run again.
 */
static const uint64_t bytes_most = UINT64_C(1) << 30;
static const uint64_t again_most = UINT64_C(1) << 27; /* cycles, summed over its tiles */

struct used_part {
    uint64_t cycles;
    uint8_t lane, kind;
    char text[PROFILE_TEXT];
};

/* What all tiles did in one launch. */
struct used_launch {
    uint64_t cycles;      /* from the first tile's beginning to the last one's end */
    uint64_t tile_cycles; /* of all tiles */
    uint32_t tiles, bounds;
    bool cut;
    uint64_t busy[UNITS];    /* of the busiest of its kind on any tile */
    uint64_t lane[LANES][3]; /* by enum txl_profile_kind */
    struct used_part *part;  /* sums over tiles; what does not fit is left out */
    unsigned part_count;
    char *op;     /* its path and loads, as JSON; NULL: none */
    char *events; /* of the NoC, as JSON; NULL: none */
};

struct txl_card_profile {
    struct txl_card_host host;
    bool events, listens;
    struct used_now now[USED_NOW];
    struct used_launch *launch;
    size_t launches;
    uint64_t *known; /* kernels of launches that have been run again, or have been left out */
    size_t known_count, known_room;
    bool failed; /* memory ran out */
};

/* ---- who is watched ---- */

static void heard(void *user, const struct tx_chip_order *o)
{
    struct txl_card_profile *u = user;
    for (unsigned i = 0; i < USED_NOW; i++) {
        if (u->now[i].record != NULL) {
            chiprun_record_heard(u->now[i].record, o);
        }
    }
}

int txl_card_profile_open(struct txl_error *err, const struct txl_card_host *host, bool events,
                          txl_card_profile **opened)
{
    struct txl_card_profile *u = zeroed(err, 1, sizeof *u);
    if (u == NULL) {
        return TXL_INPUT;
    }
    memcpy(&u->host, host, host->size < sizeof u->host ? host->size : sizeof u->host);
    u->events = events;
    *opened = u;
    return TXL_OK;
}

static void listen(struct txl_card_profile *u)
{
    bool any = false;
    for (unsigned i = 0; i < USED_NOW; i++) {
        any = any || u->now[i].record != NULL;
    }
    if (any != u->listens) {
        tx_chip_order_listen(u->host.chip, any ? &(struct tx_chip_order_sink){heard, u} : NULL);
    }
    u->listens = any;
}

static void drop(struct txl_card_profile *u, struct used_now *now)
{
    for (unsigned i = 0; i < now->record->parts; i++) {
        if (now->ended[i] == 0) {
            chiprun_record_deaf(&now->record->part[i]);
        }
    }
    chiprun_record_close(now->record);
    used_forget(&now->before);
    memset(now, 0, sizeof *now);
    listen(u);
}

/* Returns the launch of that number that is watched, or NULL. */
static struct used_now *running(struct txl_card_profile *u, unsigned number)
{
    for (unsigned i = 0; i < USED_NOW; i++) {
        if (u->now[i].record != NULL && u->now[i].number == number) {
            return &u->now[i];
        }
    }
    return NULL;
}

static bool known(struct txl_card_profile *u, uint64_t kernels)
{
    for (size_t i = 0; i < u->known_count; i++) {
        if (u->known[i] == kernels) {
            return true;
        }
    }
    if (!LIST_ROOM(u->known, u->known_count, u->known_room, 1)) {
        return true;
    }
    u->known[u->known_count++] = kernels;
    return false;
}

/* Launches that run while another one begins dispatch it, or wait beside it: it is what matters. */
static void leave_out(struct txl_card_profile *u)
{
    for (unsigned i = 0; i < USED_NOW; i++) {
        if (u->now[i].record != NULL) {
            u->now[i].not_again = "another launch began while it ran";
            used_forget(&u->now[i].before);
        }
    }
}

static struct used_now *used_start(struct txl_error *err, struct txl_card_profile *u,
                                   const struct txl_card_launch *launch)
{
    struct used_now *now = NULL;
    for (unsigned i = 0; i < USED_NOW && now == NULL; i++) {
        now = u->now[i].record == NULL ? &u->now[i] : NULL;
    }
    if (now == NULL) {
        (void)txl_fail(err, "more than %u launches run at once; one of them is not looked at",
                       USED_NOW);
        return NULL;
    }
    leave_out(u);
    now->record = chiprun_record_open(err, u->host.chip);
    if (now->record != NULL) {
        now->record->firmware = true;
    }
    now->number = launch->number;
    now->kernels = launch->kernels;
    if (now->record != NULL) {
        now->not_again = known(u, launch->kernels)            ? "another launch of them was"
                         : !used_keep(&u->host, &now->before) ? "the chip cannot be copied"
                                                              : NULL;
    }
    listen(u);
    return now->record != NULL ? now : NULL;
}

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

/* The place of a tile among those of the launch that is watched there, or CHIPRUN_NONE. */
static unsigned part_at(const struct used_now *now, size_t index)
{
    for (unsigned i = now->record->parts; i-- > 0;) {
        if (now->record->part[i].index == index && now->ended[i] == 0) {
            return i;
        }
    }
    return CHIPRUN_NONE;
}

int txl_card_profile_begin(struct txl_error *err, txl_card_profile *u, size_t index,
                           const struct txl_card_launch *launch)
{
    const struct used_launch *a = launch_at(u, launch->number);
    struct used_now *now = running(u, launch->number);
    if (a == NULL || a->cut) {
        return a == NULL ? no_memory(err) : TXL_OK;
    }
    for (unsigned i = 0; i < USED_NOW; i++) { /* a launch whose end nobody has told */
        if (u->now[i].record != NULL && part_at(&u->now[i], index) != CHIPRUN_NONE) {
            drop(u, &u->now[i]);
        }
    }
    now = now != NULL && now->record != NULL ? now : used_start(err, u, launch);
    if (now == NULL) {
        return TXL_INPUT;
    }
    const int result = chiprun_record_tile(err, now->record, index, launch->x, launch->y);
    if (result != TXL_CONTINUE) {
        return result;
    }
    const unsigned part = now->record->parts - 1;
    now->begun[part] = tx_chip_cycles(u->host.chip) - now->record->first;
    now->go[part] = launch->go;
    now->running++;
    return TXL_OK;
}

void txl_card_profile_write(txl_card_profile *u, unsigned bar, uint64_t offset, const void *bytes,
                            size_t size)
{
    for (unsigned i = 0; i < USED_NOW; i++) {
        if (u->now[i].record != NULL && u->now[i].before.chip != NULL) {
            used_note(&u->now[i].before, tx_chip_cycles(u->host.chip), bar, offset, bytes, size);
        }
    }
}

/* ---- what a launch did ---- */

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

/* "own" of the launch's cycles are the tile's. */
static void add_tile(struct used_launch *a, const txl_profile *p, uint64_t own)
{
    a->tiles++;
    a->tile_cycles += own;
    add_busy(a, p);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct txl_profile_lane *shown = &p->lane[lane].shown;
        for (unsigned kind = 0; kind < 3; kind++) {
            a->lane[lane][kind] += shown->cycles[kind];
        }
        a->lane[lane][TXL_PROFILE_IDLE] -= p->total - own;
        for (unsigned i = 0; i < shown->part_count; i++) {
            if (shown->parts[i].kind == TXL_PROFILE_WAITS) {
                add_part(a, lane, &shown->parts[i]);
            }
        }
    }
}

static void add_launch(struct txl_card_profile *u, struct used_launch *a,
                       const struct used_now *now)
{
    const struct chiprun_profile *c = now->record;
    struct memory_text text;
    a->cut = a->cut || now->cut;
    a->bounds |= c->whole->result.bounds;
    for (unsigned i = 0; i < c->parts; i++) {
        add_tile(a, c->part[i].p, now->ended[i] - now->begun[i]);
    }
    if (c->whole->total < a->cycles) {
        return; /* what is kept is of the longest part of it */
    }
    a->cycles = c->whole->total;
    txl_json *op = txl_json_object();
    profile_brief(op, c->whole);
    txl_json_set_bool(op, "cut", now->cut);
    txl_json_set_text(op, "again_not",
                      now->not_again != NULL         ? now->not_again
                      : c->whole->result.trials == 0 ? "no unit has a hundredth of the path"
                                                     : "");
    chiprun_profile_loads(op, c);
    static const char *const names[TX_CORES] = {[TX_CORE_B] = "brisc",
                                                [TX_CORE_NC] = "ncrisc",
                                                [TX_CORE_T0] = "trisc0",
                                                [TX_CORE_T1] = "trisc1",
                                                [TX_CORE_T2] = "trisc2"};
    txl_json *cores = txl_json_object();
    for (unsigned core = 0; core < TX_CORES; core++) {
        txl_json_set_int(cores, names[core], chiprun_profile_longest(c, core));
    }
    txl_json_set(op, "processors", cores);
    free(a->op);
    a->op = txl_json_line(op);
    txl_json_free(op);
    if (u->events && memory_text_open(NULL, &text) == TXL_CONTINUE) {
        chiprun_profile_events(text.stream, c, NULL, c->first);
        free(a->events);
        a->events = memory_text_take(&text);
    }
}

/* All of its tiles have ended, or are watched no more. */
static int finish(struct txl_error *err, struct txl_card_profile *u, struct used_now *now)
{
    struct chiprun_profile *c = now->record;
    uint64_t last = 1;
    uint64_t tile_cycles = 0;
    uint32_t bounds = 0;
    for (unsigned i = 0; i < c->parts; i++) {
        last = now->ended[i] > last ? now->ended[i] : last;
        bounds |= tx_bounds(c->part[i].p->machine);
        tile_cycles += now->ended[i] - now->begun[i];
    }
    for (unsigned i = 0; i < c->parts; i++) {
        profile_rests(c->part[i].p, last, "its launch is over here");
    }
    struct used_launch *a = launch_at(u, now->number);
    int result = a != NULL ? chiprun_record_join(err, c, last, bounds) : no_memory(err);
    now->not_again = now->not_again != NULL     ? now->not_again
                     : now->cut                 ? "it was not watched to its end"
                     : tile_cycles > again_most ? "it is too long"
                                                : NULL;
    if (result == TXL_CONTINUE && now->not_again == NULL) {
        now->memory = used_memory(now, u->host.chip);
        result = used_again(err, &u->host, now);
    }
    if (result == TXL_CONTINUE) {
        add_launch(u, a, now);
    }
    drop(u, now);
    return result == TXL_CONTINUE ? TXL_OK : TXL_INPUT;
}

/* Returns whether the word that lets a tile go still does. */
static bool goes(const tx_chip *chip, size_t index, uint32_t go)
{
    uint8_t signal = 0;
    (void)tx_tensix_read(tx_chip_tensix((tx_chip *)(uintptr_t)chip, index), go + USED_GO_BYTE,
                         &signal, 1);
    return signal == USED_GO;
}

/*
 * The cycle in which the tile's core B says that the launch has ended; "now" where it does not,
 * and "over" tells whether the host has said so.
 */
static uint64_t end_of(const struct chiprun_part *part, uint32_t go, uint64_t now, bool *over)
{
    *over = true;
    for (size_t i = 0; i < part->stored_count; i++) {
        const struct chiprun_stored *s = &part->stored[i];
        if (s->moved == CHIPRUN_NONE && s->lane == LANE_CORE + TX_CORE_B && s->address < go + 4 &&
            go < s->address + s->bytes) {
            return s->cycle + 1 < now ? s->cycle + 1 : now;
        }
    }
    *over = !goes(part->in->on, part->index, go);
    return now;
}

static void end_part(struct txl_card_profile *u, struct used_now *now, unsigned i)
{
    struct chiprun_part *part = &now->record->part[i];
    const uint64_t cycles = tx_chip_cycles(u->host.chip);
    bool over;
    const uint64_t end = end_of(part, now->go[i], cycles - now->record->first, &over);
    now->cut = now->cut || !over;
    chiprun_record_deaf(part);
    profile_reached(part->p, cycles); /* it may have slept at the end */
    profile_cut(part->p, end > now->begun[i] ? end : now->begun[i] + 1);
    part->p->on = false;
    now->ended[i] = part->p->cycle != 0 ? part->p->cycle : 1;
    now->running--;
}

int txl_card_profile_end(struct txl_error *err, txl_card_profile *u, size_t index, unsigned launch)
{
    struct used_now *now = running(u, launch);
    const unsigned part = now != NULL ? part_at(now, index) : CHIPRUN_NONE;
    if (part == CHIPRUN_NONE) {
        return TXL_OK;
    }
    end_part(u, now, part);
    return now->running == 0 ? finish(err, u, now) : TXL_OK;
}

static uint64_t size_of(const struct chiprun_profile *c)
{
    uint64_t size = c->moved_room * sizeof *c->moved;
    for (unsigned i = 0; i < c->parts; i++) {
        const struct chiprun_part *part = &c->part[i];
        size += part->stored_room * sizeof *part->stored +
                part->p->event_room * sizeof *part->p->events +
                part->p->poll_room * sizeof *part->p->polls;
        for (unsigned lane = 0; lane < LANES; lane++) {
            size += part->p->lane[lane].span_room * sizeof *part->p->lane[lane].spans;
        }
    }
    return size;
}

int txl_card_profile_look(struct txl_error *err, txl_card_profile *u)
{
    struct used_now *largest = NULL;
    uint64_t all = 0;
    uint64_t most = 0;
    for (unsigned i = 0; i < USED_NOW; i++) {
        const uint64_t one = u->now[i].record != NULL ? size_of(u->now[i].record) : 0;
        all += one;
        if (one > most) {
            most = one;
            largest = &u->now[i];
        }
    }
    if (all <= bytes_most) {
        return TXL_OK;
    }
    for (unsigned i = 0; i < largest->record->parts; i++) {
        if (largest->ended[i] == 0) {
            end_part(u, largest, i);
        }
    }
    largest->cut = true;
    return finish(err, u, largest);
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
            JSON_MEMBERS(part, &a->part[i], text, cycles);
            txl_json_append(waits, part);
        }
    }
    txl_json_set(one, "for", waits);
    return one;
}

/* Puts a member that is JSON already at the end of an object, which it frees. */
static char *with_member(char *object, const char *key, const char *json)
{
    if (object == NULL || json == NULL) {
        return object;
    }
    const size_t length = (size_t)(strrchr(object, '}') - object);
    char *whole = malloc(length + strlen(key) + strlen(json) + 8);
    if (whole != NULL) {
        sprintf(whole, "%.*s, \"%s\": %s}", (int)length, object, key, json);
    }
    free(object);
    return whole;
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
    JSON_MEMBERS(root, a, cycles, tile_cycles, tiles, cut);
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
    text = with_member(with_member(text, "op", a->op), "events", a->events);
    if (text == NULL) {
        (void)no_memory(err);
    }
    return text;
}

void txl_card_profile_close(txl_card_profile *u)
{
    for (unsigned i = 0; u != NULL && i < USED_NOW; i++) {
        if (u->now[i].record != NULL) {
            drop(u, &u->now[i]);
        }
    }
    for (size_t i = 0; u != NULL && i < u->launches; i++) {
        free(u->launch[i].part);
        free(u->launch[i].events);
        free(u->launch[i].op);
    }
    if (u != NULL) {
        free(u->launch);
        free(u->known);
    }
    free(u);
}
