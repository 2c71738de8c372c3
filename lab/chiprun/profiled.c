/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the profile of a chip's run, and repeats the run without the time of its parts. */
#include <tensix/facts.h>

#include "chiprun/profiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"

static void *grow(struct chiprun_profile *c, void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return list;
    }
    const size_t more = *room != 0 ? 2 * *room : 1024;
    void *larger = realloc(list, more * size);
    if (larger == NULL) {
        c->failed = true;
        return list;
    }
    *room = more;
    return larger;
}

static void note_store(struct chiprun_part *part, const struct chiprun_stored *s)
{
    part->stored = grow(part->in, part->stored, part->stored_count, &part->stored_room, sizeof *s);
    if (part->stored_count < part->stored_room) {
        part->stored[part->stored_count++] = *s;
    }
}

/* ---- L1 ---- */

static void l1(void *user, const struct tx_order *t)
{
    struct chiprun_part *part = user;
    if (t->thread < TX_ORDER_CORE || t->thread >= TX_ORDER_CORE + TX_CORES || !part->p->on) {
        return;
    }
    const unsigned core = t->thread - TX_ORDER_CORE;
    const bool own = t->shared == TX_SHARED_L1 && t->mask <= TX_ORDER_L1_ATOMIC;
    if (own && t->kind == TX_ORDER_READ) {
        profile_load(part->p, core, t->word, t->index);
    } else if (own && t->kind == TX_ORDER_WRITE) {
        profile_store(part->p, core);
        note_store(part, &(struct chiprun_stored){.cycle = part->p->cycle,
                                                  .address = t->index,
                                                  .bytes = t->count,
                                                  .moved = CHIPRUN_NONE,
                                                  .lane = LANE_CORE + core});
    } else if (t->kind == TX_ORDER_PUSH) {
        profile_store(part->p, core);
    }
}

/* ---- registers and requests ---- */

/* STOREREG does not say which thread: packers push pages, unpackers pop them. */
static unsigned lane_of(const struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const enum tx_arch arch = c->chip->arch;
    const uint32_t offset = (uint32_t)(o->address - circular_counters(arch, 0)) %
                            tx_arch_fact(arch, TX_FACT_STREAM_BYTES);
    if (o->core < TX_CORES) {
        return LANE_CORE + o->core;
    }
    return LANE_THREAD + (offset == tx_arch_fact(arch, TX_FACT_STREAM_DEST_START) ? 0 : 2);
}

static void begin_move(struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const struct tx_chip_transfer *t = o->transfer;
    c->moved = grow(c, c->moved, c->moved_count, &c->moved_room, sizeof *c->moved);
    if (c->moved_count == c->moved_room || t->from >= CHIPRUN_PLACES || t->to >= CHIPRUN_PLACES) {
        return;
    }
    const bool writes = t->kind == 2;
    c->moved[c->moved_count] = (struct chiprun_moved){.go = o->cycle - c->first,
                                                      .address = writes ? t->back : t->target,
                                                      .source = writes ? t->target : t->back,
                                                      .length = (uint32_t)t->length,
                                                      .from = t->from,
                                                      .to = t->to,
                                                      .sequence = t->sequence,
                                                      .receivers = o->receiver_count,
                                                      .before = c->last[t->from][t->noc],
                                                      .noc = t->noc,
                                                      .core = t->core,
                                                      .kind = t->kind,
                                                      .channel = t->channel,
                                                      .dram = c->place[t->to].kind == TX_CHIP_DRAM,
                                                      .many = t->many,
                                                      .linked = t->linked,
                                                      .posted = !t->answered};
    struct chiprun_moved *m = &c->moved[c->moved_count];
    for (uint32_t i = 0; i < o->receiver_count && t->many; i++) {
        const uint8_t x = (uint8_t)(o->receivers[i] % c->width);
        const uint8_t y = (uint8_t)(o->receivers[i] / c->width);
        m->box[0] = i == 0 || x < m->box[0] ? x : m->box[0];
        m->box[1] = i == 0 || y < m->box[1] ? y : m->box[1];
        m->box[2] = x > m->box[2] ? x : m->box[2];
        m->box[3] = y > m->box[3] ? y : m->box[3];
    }
    c->last[t->from][t->noc] = (uint32_t)c->moved_count++;
}

static void go_on(struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const struct tx_chip_transfer *t = o->transfer;
    const uint64_t cycle = o->cycle - c->first;
    uint32_t i = t->from < CHIPRUN_PLACES ? c->last[t->from][t->noc] : CHIPRUN_NONE;
    while (i != CHIPRUN_NONE && c->moved[i].sequence != t->sequence) {
        i = c->moved[i].before;
    }
    if (i == CHIPRUN_NONE) {
        return;
    }
    struct chiprun_moved *m = &c->moved[i];
    if (o->kind == TX_CHIP_ORDER_LEAVE) {
        m->leave = m->leave == 0 ? cycle : m->leave;
    } else if (o->kind == TX_CHIP_ORDER_ANSWER) {
        m->answer = cycle > m->answer ? cycle : m->answer;
    } else {
        m->act = cycle > m->act ? cycle : m->act;
        if (t->kind != 0 && o->index < CHIPRUN_PLACES && c->part_of[o->index] != 0) {
            note_store(
                &c->part[c->part_of[o->index] - 1],
                &(struct chiprun_stored){.cycle = cycle,
                                         .address = (uint32_t)(t->kind == 2 ? t->back : t->target),
                                         .bytes = (uint32_t)t->length,
                                         .moved = i});
        }
    }
}

static void heard(void *user, const struct tx_chip_order *o)
{
    struct chiprun_profile *c = user;
    struct chiprun_part *part = o->index < CHIPRUN_PLACES && c->part_of[o->index] != 0
                                    ? &c->part[c->part_of[o->index] - 1]
                                    : NULL;
    switch ((enum tx_chip_order_kind)o->kind) {
    case TX_CHIP_ORDER_LOAD:
        if (part != NULL && o->core < TX_CORES) {
            profile_load(part->p, o->core, o->pc, (uint32_t)o->address);
        }
        return;
    case TX_CHIP_ORDER_STORE:
        if (part != NULL) {
            if (o->core < TX_CORES) {
                profile_store(part->p, o->core);
            }
            note_store(part, &(struct chiprun_stored){.cycle = part->p->cycle,
                                                      .address = (uint32_t)o->address,
                                                      .bytes = o->bytes != 0 ? o->bytes : 4,
                                                      .moved = CHIPRUN_NONE,
                                                      .lane = lane_of(c, o)});
        }
        return;
    case TX_CHIP_ORDER_GO:
        begin_move(c, o);
        return;
    default:
        go_on(c, o);
        return;
    }
}

/* ---- begin and end ---- */

static int add_part(struct txl_error *err, struct chiprun_profile *c, struct chiprun_tile *t)
{
    struct chiprun_part *part = &c->part[c->parts];
    char place[16];
    tx_tensix *tile = tx_chip_tensix(c->chip->chip, t->index);
    part->in = c;
    part->tile = t;
    part->p = profile_open(err);
    if (part->p == NULL) {
        return TXL_INPUT;
    }
    snprintf(place, sizeof place, "%u,%u", t->column, t->row);
    profile_among(part->p, place, c->first);
    profile_attach(part->p, tx_tensix_machine(tile), tile);
    c->part_of[t->index] = (uint16_t)++c->parts;
    const struct tx_chip_observer seen = {.struct_size = sizeof seen,
                                          .sink = {profile_event, part->p},
                                          .cycle = profile_reached,
                                          .user = part->p};
    tx_order_listen(tx_tensix_machine(tile), &(struct tx_order_sink){l1, part});
    return tx_chip_observe(c->chip->chip, t->index, &seen) == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "a run without time has no profile");
}

static void take_flits(struct chiprun_profile *c)
{
    for (uint32_t i = 0; i < c->width * c->height && i < CHIPRUN_PLACES; i++) {
        for (unsigned k = 0; k < 8; k++) {
            uint64_t *flits = &c->flits[i][k / 4][k % 4];
            *flits =
                tx_chip_link_flits(c->chip->chip, i, k / 4, (enum tx_chip_link)(k % 4)) - *flits;
        }
    }
}

static int keep_before(struct txl_error *err, struct chiprun_profile *c)
{
    c->before_size = tx_chip_snapshot_size(c->chip->chip);
    c->before = malloc(c->before_size + 1);
    return c->before == NULL ? no_memory(err)
           : tx_chip_snapshot(c->chip->chip, c->before, c->before_size) == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "the chip cannot be copied");
}

int chiprun_profile_begin(struct txl_error *err, txl_chip *chip)
{
    chiprun_profile_close(chip);
    struct chiprun_profile *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    chip->profiled = c;
    c->chip = chip;
    c->beyond = (struct profile_beyond){c, chiprun_made};
    c->first = tx_chip_cycles(chip->chip);
    tx_chip_grid(chip->chip, &c->width, &c->height);
    for (uint32_t i = 0; i < c->width * c->height && i < CHIPRUN_PLACES; i++) {
        (void)tx_chip_tile_at(chip->chip, i, &c->place[i]);
        c->last[i][0] = c->last[i][1] = CHIPRUN_NONE;
    }
    int result = keep_before(err, c);
    take_flits(c);
    for (unsigned i = 0; i < chip->columns * chip->rows && result == TXL_CONTINUE; i++) {
        bool used = false;
        for (unsigned core = 0; core < TX_CORES; core++) {
            used = used || chip->tile[i].ran[core] != NULL;
        }
        result = used ? add_part(err, c, &chip->tile[i]) : result;
    }
    (void)tx_chip_execute(chip->chip, NULL); /* what is heard is kept in one place */
    tx_chip_order_listen(chip->chip, &(struct tx_chip_order_sink){heard, c});
    return result;
}

/* Sums over what the run has left in the tiles. */
static uint64_t memory(const struct chiprun_profile *c, const tx_chip *chip)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->parts; i++) {
        sum = sum * 31 + profile_memory(tx_chip_machine(chip, c->part[i].tile->index));
    }
    return sum;
}

enum { LONGER = 4 };

static int again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    struct chiprun_profile *c = user;
    struct tx_chip_settings s = c->chip->settings;
    struct tx_tensix_settings tile = c->chip->tile_settings;
    tx_chip *copy = NULL;
    for (unsigned i = 0; i < TX_PACED_COUNT; i++) {
        tile.machine.pace[i] = rerun->pace[i];
    }
    s.tile = &tile;
    enum tx_status status = tx_chip_open(&s, &copy);
    status = status == TX_OK ? tx_chip_restore(copy, c->before, c->before_size) : status;
    if (status == TX_OK) {
        status = tx_chip_pace(copy, TX_CHIP_PACED_NOC, (enum tx_pace)rerun->pace[PROFILE_NOC]);
    }
    if (status == TX_OK) {
        status = tx_chip_pace(copy, TX_CHIP_PACED_DRAM, (enum tx_pace)rerun->pace[PROFILE_DRAM]);
    }
    if (status == TX_OK) {
        rerun->ended =
            chiprun_to_end(c->chip, copy, LONGER * c->whole->total, &rerun->cycles) == TX_OK;
        rerun->same = memory(c, copy) == memory(c, c->chip->chip);
    }
    tx_chip_close(copy);
    return status == TX_OK ? TXL_CONTINUE
                           : txl_fail(err, "the run with another pace: %s", tx_status_text(status));
}

static void deaf(struct chiprun_profile *c)
{
    tx_chip_order_listen(c->chip->chip, NULL);
    for (unsigned i = 0; i < c->parts; i++) {
        const size_t index = c->part[i].tile->index;
        tx_order_listen(tx_tensix_machine(tx_chip_tensix(c->chip->chip, index)), NULL);
        (void)tx_chip_observe(c->chip->chip, index, NULL);
    }
}

int chiprun_profile_end(struct txl_error *err, txl_chip *chip)
{
    struct chiprun_profile *c = chip->profiled;
    const uint64_t ran = chip->result.cycles;
    uint64_t cycles = ran;
    const uint32_t bounds = chip->result.bounds;
    int result = c->failed ? no_memory(err) : TXL_CONTINUE;
    txl_profile **parts = result == TXL_CONTINUE ? zeroed(err, c->parts, sizeof *parts) : NULL;
    deaf(c);
    take_flits(c);
    result = parts == NULL ? TXL_INPUT : result;
    for (unsigned i = 0; i < c->parts && result == TXL_CONTINUE; i++) {
        parts[i] = c->part[i].p;
        profile_reached(parts[i], c->first + ran); /* it may have slept at the end */
        parts[i]->whole = parts[i];
    }
    if (result == TXL_CONTINUE && chip->ended == TX_OK) { /* until the last core rests */
        cycles = chip->result.cycles = profile_last(parts, c->parts);
    }
    for (unsigned i = 0; i < c->parts && result == TXL_CONTINUE; i++) {
        profile_cut(parts[i], cycles);
        result = profile_finish(err, parts[i], cycles, bounds);
    }
    if (result == TXL_CONTINUE) {
        c->whole = profile_join(err, parts, c->parts, &c->beyond, cycles, bounds);
        result = c->whole != NULL ? TXL_CONTINUE : TXL_INPUT;
        parts = NULL;
        for (unsigned i = 0; i < c->parts && result == TXL_CONTINUE; i++) {
            c->part[i].p = c->whole->parts[i];
        }
    }
    free(parts);
    if (result == TXL_CONTINUE && chip->ended == TX_OK) {
        result = profile_try(err, c->whole, &(struct profile_again){again, c});
    }
    free(c->before);
    c->before = NULL;
    return result;
}

void chiprun_profile_close(txl_chip *chip)
{
    struct chiprun_profile *c = chip->profiled;
    for (unsigned i = 0; c != NULL && i < c->parts; i++) {
        free(c->part[i].stored);
        if (c->whole == NULL) {
            profile_close(c->part[i].p);
        }
    }
    if (c != NULL) {
        profile_close(c->whole);
        free(c->moved);
        free(c->before);
    }
    free(c);
    chip->profiled = NULL;
}

const txl_profile *txl_chip_profile(const txl_chip *chip)
{
    return chip->profiled != NULL ? chip->profiled->whole : NULL;
}

int txl_chip_profile_file(struct txl_error *err, const txl_chip *chip, const char *path)
{
    const struct txl_where where = {.file = path};
    struct memory_text text;
    struct outfile file;
    if (txl_chip_profile(chip) == NULL) {
        return txl_fail(err, "the run has no profile");
    }
    if (memory_text_open(err, &text) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const bool form = chiprun_profile_form(text.stream, chip, path);
    char *bytes = memory_text_take(&text);
    if (!form || bytes == NULL) {
        free(bytes);
        return form ? no_memory(err) : txl_profile_file(err, txl_chip_profile(chip), path);
    }
    int error = outfile_open(&file, path);
    if (error == 0) {
        error = outfile_append(&file, bytes, strlen(bytes));
        if (error == 0) {
            error = outfile_commit(&file);
        } else {
            outfile_discard(&file);
        }
    }
    free(bytes);
    return error == 0 ? TXL_OK : txl_fail_at(err, &where, "%s", strerror(error));
}

bool txl_chip_paces(struct txl_error *err, const char *const *texts, unsigned count, uint8_t *pace)
{
    static const char *const names[TX_CHIP_PACED_COUNT] = {"noc", "dram"};
    static const char *const paces[] = {"real", "half", "none"};
    for (unsigned i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');
        bool found = false;
        for (unsigned n = 0; n < TX_CHIP_PACED_COUNT && equals != NULL; n++) {
            const bool named = strlen(names[n]) == (size_t)(equals - texts[i]) &&
                               strncmp(names[n], texts[i], strlen(names[n])) == 0;
            for (unsigned k = 0; k < 3 && named; k++) {
                if (strcmp(paces[k], equals + 1) == 0) {
                    pace[TX_PACED_COUNT + n] = (uint8_t)k;
                    found = true;
                }
            }
        }
        if (!found && !txl_paces(err, &texts[i], 1, pace)) {
            return false;
        }
    }
    return true;
}
