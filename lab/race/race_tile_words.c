/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a race on a tile: places in the cores' programs, which order is missing, and a
 * remedy.
 */
#include <inttypes.h>
#include <string.h>

#include "race/race.h"

#include "tile/tile_program.h"

static bool is_header(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && (dot[1] == 'h' || dot[1] == 'H' || strcmp(dot, ".inl") == 0);
}

/* A value that stands for a line of a file, never 0. */
static uint64_t line_hash(const struct tile_place *place)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325) ^ place->line;
    for (const char *c = place->file; *c != '\0'; c++) {
        hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001B3);
    }
    return hash | 1;
}

const char *race_tile_source(const struct txl_race *r, const struct race_place *p, char text[256],
                             uint64_t hash[2])
{
    const enum tx_core by = (enum tx_core)(p->thread - TX_ORDER_CORE);
    struct tile_place places[TILE_CALLS];
    struct tile_program *program = tile_program_of(race_tile_of(r), by);
    const unsigned count = program != NULL ? tile_places(program, p->line, places, TILE_CALLS) : 0;
    char function[96];
    unsigned user = 0; /* the innermost line that is not in a header */
    while (user + 1 < count && is_header(places[user].file)) {
        user++;
    }
    if (hash != NULL) {
        hash[0] = count != 0 ? line_hash(&places[user]) : p->line | UINT64_C(1) << 63;
        hash[1] = count != 0 ? line_hash(&places[0]) : hash[0];
    }
    if (count == 0) {
        const char *name = txl_tensix_function(race_tile_of(r), by, p->line, function);
        snprintf(text, 256, "%s%s%s pc 0x%" PRIx32, tx_core_name(by), name != NULL ? " " : "",
                 name != NULL ? name : "", p->line);
        return text;
    }
    const int n =
        snprintf(text, 256, "%.90s:%u", txl_basename(places[user].file), places[user].line);
    if (user != 0 && n > 0) {
        snprintf(text + n, 256 - (size_t)n, " in %.90s:%u", txl_basename(places[0].file),
                 places[0].line);
    }
    txl_mask_controls(text);
    return text;
}

/* Looks up, once, the lines in which a place stands. */
static const struct race_place *with_lines(struct txl_race *r, uint32_t place)
{
    struct race_place *p = &r->places[place];
    if (p->user == 0) {
        char text[256];
        uint64_t hash[2];
        (void)race_tile_source(r, p, text, hash);
        p->user = hash[0];
        p->inner = hash[1];
    }
    return p;
}

bool race_tile_same(struct txl_race *r, const struct race_access *a, const struct race_access *b,
                    const struct race_pair *pair)
{
    const struct race_access *now[2] = {a, b};
    bool user = true;
    bool inner = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct race_access *was = &pair->access[i];
        if (was->actor != now[i]->actor || was->write != now[i]->write || was->place == NOWHERE ||
            now[i]->place == NOWHERE) {
            return false;
        }
        const struct race_place *x = with_lines(r, was->place);
        const struct race_place *y = with_lines(r, now[i]->place);
        user = user && x->user == y->user;
        inner = inner && x->inner == y->inner;
    }
    return user || inner;
}

void race_tile_place(struct txl_race *r, struct race_pair *p, unsigned i)
{
    struct txl_race_place *to = &p->found.place[i];
    const struct race_access *a = &p->access[i];
    const bool core = a->thread >= TX_ORDER_CORE;
    const struct race_place *q = a->place != NOWHERE ? &r->places[a->place] : NULL;
    to->thread = core ? a->thread - TX_ORDER_CORE : a->thread;
    to->core = core;
    to->section = TX_SECTION_TILE;
    to->word = a->word;
    to->line = q != NULL ? q->line : 0;
    to->pass = a->pass;
    to->writes = a->write;
    to->unit = race_unit_name(a->actor);
    if (core) {
        snprintf(p->text[i], sizeof p->text[i], "%s",
                 race_kind(a->actor) >= ACTOR_NOC_READ ? "request to the NoC"
                 : a->atomic                           ? "atomic"
                 : a->write                            ? "store"
                                                       : "load");
    } else {
        (void)tx_disassemble(r->arch, a->word, TX_DIS_NORMAL, p->text[i], sizeof p->text[i]);
    }
    if (q == NULL) {
        snprintf(p->source[i], sizeof p->source[i], "?");
        return;
    }
    (void)race_tile_source(r, q, p->source[i], NULL);
}

static void race_tile_words_say(struct race_pair *p, const char *why, const char *remedy)
{
    snprintf(p->why, sizeof p->why, "%s", why);
    snprintf(p->remedy, sizeof p->remedy, "%s", remedy);
}

static const char *name_of(const struct race_access *a)
{
    return tx_core_name((enum tx_core)(a->thread - TX_ORDER_CORE));
}

/*
 * Tells whether the second core knows that the store was issued; it may not know that it has
 * arrived.
 */
static bool knows_issue(const struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const unsigned core = a->thread - (unsigned)TX_ORDER_CORE;
    return p->second.at[race_core(core, ACTOR_CORE)] >= a->gate;
}

static bool describe_request(struct race_pair *p)
{
    switch (race_kind(p->access[0].actor)) {
    case ACTOR_NOC_READ:
        race_tile_words_say(p, "the request to read may still be under way",
                            "the core waits until NIU_MST_RD_RESP_RECEIVED has counted it");
        return true;
    case ACTOR_NOC_SOURCE:
        race_tile_words_say(p, "the request to write may not have taken its bytes along yet",
                            "the core waits until NIU_MST_NONPOSTED_WR_REQ_SENT has counted it");
        return true;
    case ACTOR_NOC_WRITE:
        race_tile_words_say(p, "the request to write may still be under way",
                            "the core waits until NIU_MST_WR_ACK_RECEIVED has counted it");
        return true;
    default:
        return false;
    }
}

static void describe_cores(struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    if (!a->write || !knows_issue(p)) {
        race_tile_words_say(p, "nothing orders the two cores here",
                            "a mailbox or a semaphore between them");
        return;
    }
    snprintf(p->why, sizeof p->why,
             "core %s knows that core %s has stored, not that the store has arrived: mailboxes, "
             "semaphores and words are other regions",
             name_of(&p->access[1]), name_of(a));
    snprintf(p->remedy, sizeof p->remedy,
             "core %s reads the word back and uses what it reads before it tells core %s",
             name_of(a), name_of(&p->access[1]));
}

static void describe_store(struct race_pair *p)
{
    const bool l1 = p->found.shared == TX_SHARED_L1 || p->found.shared == TX_SHARED_DST;
    if (!knows_issue(p)) {
        snprintf(p->why, sizeof p->why, "nothing orders core %s and T%u here",
                 name_of(&p->access[0]), p->access[1].thread);
        snprintf(p->remedy, sizeof p->remedy,
                 "core %s reads the word back, uses what it reads, and tells the core that pushes "
                 "the other by a mailbox or a semaphore",
                 name_of(&p->access[0]));
        return;
    }
    snprintf(p->why, sizeof p->why,
             "the core's store is on its way when the word behind it may be at its gate");
    if (l1) {
        snprintf(p->remedy, sizeof p->remedy,
                 "the core reads the word back and uses what it reads before it pushes");
        return;
    }
    snprintf(p->remedy, sizeof p->remedy,
             "ttstallwait %s, p_stall::TRISC_CFG between them, or the core reads the word back "
             "and uses what it reads",
             race_block_name(p->access[1].blocks));
}

static void describe_word(const struct txl_race *r, struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const unsigned core = p->access[1].thread - (unsigned)TX_ORDER_CORE;
    uint32_t pc;
    if (race_tile_unused(r, core, a, &pc)) {
        char at[256];
        const struct race_place load = {.thread = (uint8_t)(TX_ORDER_CORE + core), .line = pc};
        (void)race_tile_source(r, &load, at, NULL);
        snprintf(p->why, sizeof p->why,
                 "the core has loaded what tells it at %.180s, and nothing waits for the value",
                 at);
        snprintf(p->remedy, sizeof p->remedy,
                 "the core uses the value that the load brings before it goes on");
    } else if (race_kind(a->actor) == ACTOR_EXPAND) {
        race_tile_words_say(p, "the MOP Expander reads MopCfg as it goes",
                            "the core does a mop_sync before it");
    } else {
        snprintf(p->why, sizeof p->why, "the core does not wait for T%u's instruction", a->thread);
        snprintf(p->remedy, sizeof p->remedy,
                 "the core waits until thread %u is done (tensix_sync, or a semaphore behind "
                 "ttstallwait p_stall::STALL_SYNC) before it",
                 a->thread);
    }
}

void race_tile_describe(struct txl_race *r, struct race_pair *p)
{
    const bool first = p->access[0].thread >= TX_ORDER_CORE;
    if (first && describe_request(p)) {
        return;
    }
    if (!first) {
        describe_word(r, p);
    } else if (p->access[1].thread >= TX_ORDER_CORE) {
        describe_cores(p);
    } else {
        describe_store(p);
    }
}

bool race_tile_told(const struct txl_race *r, struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const unsigned core = a->by;
    const char *name = tx_core_name((enum tx_core)core);
    if (r->tile == NULL || a->pushed == 0 ||
        p->second.at[race_core(core, ACTOR_CORE)] < a->pushed) {
        return false;
    }
    snprintf(p->why, sizeof p->why,
             "T%u knows that core %s has pushed the first, not that it has been executed",
             p->access[1].thread, name);
    snprintf(p->remedy, sizeof p->remedy, "core %s does a tensix_sync before it tells", name);
    return true;
}
