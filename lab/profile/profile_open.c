/* SPDX-License-Identifier: Apache-2.0 */
/* A profile is opened and closed, and completed at the end of a run. */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

txl_profile *profile_open(struct txl_error *err)
{
    static const char *const units[] = {"Unpack 0", "Unpack 1", "Matrix", "Vector", "Scalar",
                                        "Pack 0",   "Pack 1",   "Pack 2", "Pack 3"};
    txl_profile *p = zeroed(err, 1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->shown = UINT32_MAX >> (32 - LANES); /* nothing has been said of any yet */
    for (unsigned lane = 0; lane < LANES; lane++) {
        char *name = p->lane[lane].name;
        const size_t room = sizeof p->lane[lane].name;
        p->lane[lane].now = p->lane[lane].nothing = PROFILE_NOTHING;
        if (lane < LANE_THREAD) {
            snprintf(name, room, "core %s", tx_core_name((enum tx_core)lane));
        } else if (lane < LANE_UNPACK) {
            snprintf(name, room, "T%u", lane - LANE_THREAD);
        } else {
            snprintf(name, room, "%s", units[lane - LANE_UNPACK]);
        }
    }
    return p;
}

void profile_attach(txl_profile *p, const tx_machine *machine, const tx_tensix *tile)
{
    p->machine = machine;
    p->arch = tx_machine_arch(machine);
    p->tile = tile;
    p->cores = p->on = tile != NULL;
}

void profile_close(txl_profile *p)
{
    for (unsigned i = 0; p != NULL && i < p->part_count; i++) {
        profile_close(p->parts[i]);
    }
    for (unsigned lane = 0; p != NULL && lane < LANES; lane++) {
        free(p->lane[lane].states);
        free(p->lane[lane].spans);
        free(p->lane[lane].parts);
    }
    if (p != NULL) {
        free(p->events);
        free(p->polls);
        free(p->parts);
        free(p->steps);
        free(p->shares);
    }
    free(p);
}

/* After its last word a thread is idle and does not wait for another. */
void profile_settle_thread(txl_profile *p, unsigned lane)
{
    struct profile_lane_data *l = &p->lane[lane];
    if (l->span_count == 0 || l->states[l->spans[l->span_count - 1].state].end != END_WORD) {
        return;
    }
    struct profile_span *last = &l->spans[l->span_count - 1];
    struct profile_state s = {.kind = TXL_PROFILE_IDLE, .bound = BOUND_OTHER, .thread = TX_THREADS};
    snprintf(s.text, sizeof s.text, "nothing more to come");
    const int state = profile_state(p, lane, &s);
    if (state != PROFILE_NOTHING) {
        last->state = (unsigned)state;
    }
}

static int by_cycles(const void *a, const void *b)
{
    const struct txl_profile_part *x = a;
    const struct txl_profile_part *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return x->cycles != y->cycles ? (x->cycles > y->cycles ? -1 : 1) : strcmp(x->text, y->text);
}

/* Adds a state to what is shown of a lane; those that differ in whom they wait for only are one. */
static void add_part(struct profile_lane_data *l, const struct profile_state *s)
{
    unsigned i = 0;
    while (i < l->shown.part_count &&
           (l->parts[i].kind != s->kind || strcmp(l->parts[i].text, s->text) != 0)) {
        i++;
    }
    if (i == l->shown.part_count) {
        l->parts[l->shown.part_count++] =
            (struct txl_profile_part){.kind = s->kind, .text = s->text, .cycles = 0};
    }
    l->parts[i].cycles += s->cycles;
}

/* Counts the cycles of a lane's states. */
static void count_cycles(const txl_profile *p, struct profile_lane_data *l)
{
    for (unsigned i = 0; i < l->state_count; i++) {
        l->states[i].cycles = 0;
    }
    for (size_t i = 0; i < l->span_count; i++) {
        const uint64_t end = i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
        l->states[l->spans[i].state].cycles += end - l->spans[i].from;
    }
}

static void show_lane(txl_profile *p, unsigned lane)
{
    struct profile_lane_data *l = &p->lane[lane];
    l->shown.name = l->name;
    count_cycles(p, l);
    l->parts = calloc(l->state_count + 1u, sizeof *l->parts);
    if (l->parts == NULL) {
        p->failed = true;
        return;
    }
    for (unsigned i = 0; i < l->state_count; i++) {
        const struct profile_state *s = &l->states[i];
        l->shown.cycles[s->kind] += s->cycles;
        if (s->cycles != 0) {
            add_part(l, s);
        }
    }
    qsort(l->parts, l->shown.part_count, sizeof *l->parts, by_cycles);
    l->shown.parts = l->parts;
    if (l->shown.cycles[TXL_PROFILE_WORKS] + l->shown.cycles[TXL_PROFILE_WAITS] != 0) {
        p->order[p->result.lanes++] = lane;
    }
}

static bool is_zero(const uint64_t *words, size_t size)
{
    return words[0] == 0 && memcmp(words, words + 1, size - sizeof *words) == 0;
}

uint64_t profile_memory(const tx_machine *machine, uint32_t from)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    uint64_t words[512];
    const uint32_t size = tx_l1_size(tx_machine_arch(machine));
    for (uint32_t at = from; at < size; at += sizeof words) {
        memset(words, 0, sizeof words);
        if (tx_l1_read(machine, at, words, size - at < sizeof words ? size - at : sizeof words) !=
            TX_OK) {
            break; /* it has none */
        }
        const unsigned count = is_zero(words, sizeof words) ? 0 : sizeof words / sizeof words[0];
        for (unsigned i = 0; i < count; i++) {
            sum = (sum ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
            sum ^= sum >> 29;
        }
        sum += UINT64_C(0x9E3779B97F4A7C15); /* and where it was */
    }
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        uint32_t cells[16];
        (void)tx_read(machine, TX_FILE_DST, row, cells, 16);
        for (unsigned i = 0; i < 16; i++) {
            sum = (sum ^ cells[i]) * UINT64_C(0x100000001B3);
        }
    }
    return sum;
}

int profile_finish(struct txl_error *err, txl_profile *p, uint64_t cycles, uint32_t bounds)
{
    p->on = false;
    while (!p->cores && p->cycle < cycles) {
        profile_end_cycle(p);
    }
    p->total = p->cycle;
    profile_put_polls(p);
    for (unsigned lane = LANE_THREAD; lane < LANE_UNPACK; lane++) {
        profile_settle_thread(p, lane);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        show_lane(p, lane);
    }
    p->result.cycles = p->total;
    p->result.bounds = bounds;
    p->result.at_least = bounds != 0;
    if (!p->failed && p->whole == NULL) {
        profile_path(p);
    }
    return p->failed ? no_memory(err) : TXL_CONTINUE;
}
