/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a race: the names of the state, the places, which wait is missing, and one that
 * would suffice.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "race/race.h"

struct line {
    char *text;
    size_t size, used;
};

static void race_words_say(struct line *l, const char *format, ...) TXL_PRINTF(2, 3);
static void race_words_say(struct line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(l->text + l->used, l->size - l->used, format, args);
    va_end(args);
    if (n > 0) {
        l->used += (size_t)n < l->size - l->used ? (size_t)n : l->size - l->used - 1;
    }
}

/* ---- state ---- */

static void say_fields(struct line *l, enum tx_arch arch, bool thread, unsigned word, uint32_t mask)
{
    const struct tx_config_field *f;
    const char *between = "";
    unsigned more = 0;
    for (size_t k = 0; (f = tx_config_field_at(arch, k)) != NULL; k++) {
        const uint32_t bits = (f->width >= 32 ? 0xFFFFFFFFu : (1u << f->width) - 1u) << f->lsb;
        if (f->thread != thread || f->word != word || (bits & mask) == 0) {
            continue;
        }
        if (++more <= 3) {
            race_words_say(l, "%s%s", between, f->name);
            between = ", ";
        }
        mask &= ~bits;
    }
    if (more > 3) {
        race_words_say(l, " and %u more fields", more - 3);
    } else if (more == 0) {
        race_words_say(l, "bits %08x", (unsigned)mask);
    }
}

static void say_bits(struct line *l, uint32_t mask, const char *const *names, unsigned count)
{
    const char *between = "";
    for (unsigned i = 0; i < count; i++) {
        if ((mask >> i & 1u) != 0) {
            race_words_say(l, "%s%s", between, names[i]);
            between = ", ";
        }
    }
}

static void say_registers(struct line *l, unsigned index, uint32_t mask)
{
    static const char *const other[] = {"lane flags", "the random state",
                                        "configuration of lanes and macros"};
    if (index != 0) {
        say_bits(l, mask, other, 3);
        return;
    }
    const char *between = "";
    for (unsigned i = 0; i < 32; i++) {
        if ((mask >> i & 1u) != 0) {
            race_words_say(l, "%sL%u", between, i);
            between = ", ";
        }
    }
}

void race_state_text(enum tx_arch arch, enum tx_shared shared, unsigned index, uint32_t mask,
                     char *text, size_t size)
{
    static const char *const rwcs[] = {"Dst",     "Dst_Cr",   "SrcA", "SrcA_Cr", "SrcB",
                                       "SrcB_Cr", "Fidelity", "Sp",   "Bias"};
    static const char *const adcs[] = {"X", "Y", "Z", "W", "X_Cr", "Y_Cr", "Z_Cr", "W_Cr"};
    static const char *const banks[] = {"the bank of SrcA that unpacker 0 turns to",
                                        "the bank of SrcB that unpacker 1 turns to",
                                        "the bank of SrcA that the Matrix Unit turns to",
                                        "the bank of SrcB that the Matrix Unit turns to"};
    struct line l = {text, size, 0};
    text[0] = '\0';
    switch (shared) {
    case TX_SHARED_CONFIG:
        say_fields(&l, arch, false, index % 256, mask);
        race_words_say(&l, " (configuration word %u, bank %u)", index % 256, index / 256);
        break;
    case TX_SHARED_THREAD_CONFIG:
        say_fields(&l, arch, true, index % 128, mask);
        race_words_say(&l, " (configuration word %u of T%u)", index % 128, index / 128);
        break;
    case TX_SHARED_GPR:
        race_words_say(&l, "GPR %u of T%u", index % 64, index / 64);
        break;
    case TX_SHARED_ADC:
        race_words_say(&l, "address counters ");
        say_bits(&l, mask & 0xFFu, adcs, 8);
        race_words_say(&l, "%s", (mask & 0xFFu) != 0 && mask >> 8 != 0 ? "; " : "");
        say_bits(&l, mask >> 8, adcs, 8);
        race_words_say(&l, " of %s of T%u",
                       index % 3 == 2   ? "the packers"
                       : index % 3 == 1 ? "unpacker 1"
                                        : "unpacker 0",
                       index / 3);
        break;
    case TX_SHARED_RWC:
        race_words_say(&l, "counters ");
        say_bits(&l, mask, rwcs, 9);
        race_words_say(&l, " of T%u", index);
        break;
    case TX_SHARED_SRC:
        race_words_say(
            &l, (mask & RACE_OWNER) != 0 ? "whose Src%c bank %u is" : "Src%c bank %u, row %u",
            index >= 128 ? 'B' : 'A', index / 64 % 2, index % 64);
        break;
    case TX_SHARED_DST:
        race_words_say(&l, "Dst row %u", index);
        break;
    case TX_SHARED_L1:
        race_words_say(&l, "L1 from 0x%x on", index);
        break;
    case TX_SHARED_BANK:
        race_words_say(&l, "%s", banks[index & 3u]);
        break;
    case TX_SHARED_LREG:
        say_registers(&l, index, mask);
        break;
    case TX_SHARED_SEMAPHORE:
        race_words_say(&l, "semaphore %u", index);
        break;
    case TX_SHARED_MOP:
        race_words_say(&l, "MopCfg word %u of T%u", index % 9, index / 9);
        break;
    case TX_SHARED_REPLAY:
        race_words_say(&l, "replay slot %u of T%u", index % 32, index / 32);
        break;
    default:
        break;
    }
}

/* ---- waits ---- */

static const char *const actor_names[ACTOR_KINDS] = {
    "gate",       "Matrix Unit", "Vector Unit",  "packers",
    "unpacker 0", "unpacker 1",  "Scalar Unit",  "Configuration Unit",
    "mover",      "load",        "MOP Expander", "packers' reads for exponents",
    "core",       "core",        "core",         "core",
    "core",       "NoC",         "NoC",          "NoC"};

const char *race_unit_name(unsigned actor)
{
    return actor_names[race_kind(actor)];
}

/* Returns the vendor's name of the STALLWAIT condition, as the assembler accepts it. */
static const char *condition_name(enum race_actor actor)
{
    static const char *const names[ACTOR_KINDS] = {
        [ACTOR_MATRIX] = "p_stall::MATH",     [ACTOR_VECTOR] = "p_stall::WAIT_SFPU",
        [ACTOR_PACK] = "p_stall::PACK",       [ACTOR_UNPACK0] = "p_stall::UNPACK0",
        [ACTOR_UNPACK1] = "p_stall::UNPACK1", [ACTOR_MEMORY] = "p_stall::THCON",
        [ACTOR_MOVER] = "p_stall::XMOV",      [ACTOR_LOAD] = "p_stall::THCON",
        [ACTOR_CONFIG] = "p_stall::CFGEXU",   [ACTOR_EXPONENT] = "p_stall::THCON"};
    return names[actor];
}

/* Returns the narrowest bit of a block mask that holds the instruction; B0 holds many kinds. */
const char *race_block_name(uint32_t blocks)
{
    static const char *const names[9] = {
        "p_stall::STALL_TDMA",   "p_stall::STALL_SYNC", "p_stall::STALL_PACK",
        "p_stall::STALL_UNPACK", "p_stall::STALL_XMOV", "p_stall::STALL_THCON",
        "p_stall::STALL_MATH",   "p_stall::STALL_CFG",  "p_stall::STALL_SFPU"};
    for (unsigned b = 1; b < 9; b++) {
        if ((blocks & 511u) == 511u) {
            return names[1];
        }
        if ((blocks >> b & 1u) != 0) {
            return names[b];
        }
    }
    return (blocks & 1u) != 0 ? names[0] : "p_stall::STALL_THREAD";
}

static const char *place_text(const struct txl_race *r, uint32_t place, char text[256])
{
    if (place == NOWHERE) {
        return "an unknown place";
    }
    const struct race_place *p = &r->places[place];
    if (r->tile != NULL) {
        return race_tile_source(r, p, text, NULL);
    }
    snprintf(text, 256, "line %u", (unsigned)p->line);
    return text;
}

/* Finds the last wait of a thread between two of its instructions. */
static const struct race_wait *wait_between(const struct race_thread *t, uint64_t first,
                                            uint64_t second)
{
    const struct race_wait *found = NULL;
    for (unsigned i = 0; i < WAITS && i < t->waited; i++) {
        const struct race_wait *w = &t->log[i];
        if (w->sequence > first && w->sequence <= second &&
            (found == NULL || w->sequence > found->sequence)) {
            found = w;
        }
    }
    return found;
}

static const char *wait_name(const struct txl_race *r, const struct race_wait *w)
{
    return tx_insn_id_of(r->arch, w->word) == TX_INSN_SEMWAIT ? "SEMWAIT" : "STALLWAIT";
}

/* ---- one thread ---- */

static void describe_config_write(struct race_pair *p)
{
    snprintf(p->why, sizeof p->why,
             "the write takes two cycles, and the next instruction still sees the old word");
    snprintf(p->remedy, sizeof p->remedy, "one instruction between the two: ttnop");
}

static void describe_one_thread(const struct txl_race *r, struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const struct race_access *b = &p->access[1];
    const enum race_actor actor = race_kind(a->actor);
    const struct race_thread *t = &r->thread[b->thread];
    const struct race_wait *w = wait_between(t, a->sequence, b->sequence);
    char at[256];
    if (actor == ACTOR_CONFIG) {
        describe_config_write(p);
        return;
    }
    if (p->found.shared == TX_SHARED_BANK && b->insn == TX_INSN_STALLWAIT) {
        snprintf(p->why, sizeof p->why,
                 "its conditions do not ask for the Matrix Unit, which turns to the other bank "
                 "only as it ends");
        snprintf(p->remedy, sizeof p->remedy, "the STALLWAIT also waits for p_stall::MATH");
        return;
    }
    if (t->waits && t->wait.at[a->actor] >= a->clock) {
        snprintf(p->why, sizeof p->why, "the %s at %.120s waits for the %s and does not hold this",
                 t->wait_access.insn == TX_INSN_SEMWAIT ? "SEMWAIT" : "STALLWAIT",
                 place_text(r, t->wait_access.place, at), actor_names[actor]);
    } else if (w != NULL) {
        snprintf(p->why, sizeof p->why, "the %s at %.120s does not wait for the %s",
                 wait_name(r, w), place_text(r, w->place, at), actor_names[actor]);
    } else {
        snprintf(p->why, sizeof p->why, "nothing waits for the %s", actor_names[actor]);
    }
    snprintf(p->remedy, sizeof p->remedy, "ttstallwait %s, %s before the second",
             race_block_name(b->blocks), condition_name(actor));
}

/* ---- two threads ---- */

/* Writes what the first thread must wait for before it signals the other. */
static void say_drain(struct line *l, const struct race_access *a)
{
    const enum race_actor actor = race_kind(a->actor);
    if (actor != ACTOR_GATE && condition_name(actor) != NULL) {
        race_words_say(l, "ttstallwait p_stall::STALL_SYNC, %s and ", condition_name(actor));
    }
}

static void describe_bank(struct race_pair *p, const struct race_access *a,
                          const struct race_access *b)
{
    const unsigned src = p->index >= 128 ? 1 : 0;
    const bool math_last = race_kind(b->actor) == ACTOR_MATRIX;
    const struct race_access *math = math_last ? b : a;
    snprintf(p->why, sizeof p->why, "T%u's instruction does not wait for the bank to be its unit's",
             math->thread);
    snprintf(p->remedy, sizeof p->remedy,
             "T%u: ttstallwait p_stall::STALL_MATH, p_stall::SRC%c_VLD | p_stall::MATH before it",
             math->thread, src == 0 ? 'A' : 'B');
}

static bool is_src_of_math(const struct race_pair *p)
{
    const unsigned one = race_kind(p->access[0].actor);
    const unsigned other = race_kind(p->access[1].actor);
    const bool unpacks = one == ACTOR_UNPACK0 || one == ACTOR_UNPACK1 || other == ACTOR_UNPACK0 ||
                         other == ACTOR_UNPACK1;
    return p->found.shared == TX_SHARED_SRC && unpacks &&
           (one == ACTOR_MATRIX || other == ACTOR_MATRIX);
}

static void describe_two_threads(const struct txl_race *r, struct race_pair *p)
{
    const struct race_access *a = &p->access[0];
    const struct race_access *b = &p->access[1];
    const enum race_actor actor = race_kind(a->actor);
    const bool issued = p->second.at[race_actor(a->thread, ACTOR_GATE)] >= a->gate;
    struct line l = {p->remedy, sizeof p->remedy, 0};
    char at[256];
    if (is_src_of_math(p)) {
        describe_bank(p, a, b);
        return;
    }
    if (!issued && race_tile_told(r, p)) {
        return;
    }
    for (unsigned i = 0; i < 2 && !issued; i++) {
        const struct race_access *x = &p->access[i];
        if (x->loose != NOWHERE &&
            tx_insn_id_of(r->arch, r->places[x->loose].word) == TX_INSN_SEMWAIT) {
            snprintf(p->why, sizeof p->why, "T%u's SEMWAIT at %.120s does not hold its instruction",
                     x->thread, place_text(r, x->loose, at));
            race_words_say(&l, "the block mask of the SEMWAIT also has %s",
                           race_block_name(x->blocks));
            return;
        }
    }
    if (issued && actor != ACTOR_GATE) {
        snprintf(p->why, sizeof p->why,
                 "T%u knows that the first has been issued, not that the %s %s done", b->thread,
                 actor_names[actor], actor == ACTOR_PACK ? "are" : "is");
        race_words_say(&l, "T%u: ttstallwait p_stall::STALL_SYNC, %s before it tells T%u",
                       a->thread, condition_name(actor), b->thread);
        return;
    }
    /* Usually a write is meant to be read, so the remedy lets the reader wait for the writer. */
    const struct race_access *from = b->write && !a->write ? b : a;
    const struct race_access *to = from == a ? b : a;
    snprintf(p->why, sizeof p->why, "nothing orders T%u and T%u here", a->thread, b->thread);
    race_words_say(&l, "T%u: ", from->thread);
    say_drain(&l, from);
    race_words_say(&l, "ttsempost; T%u: ttsemwait %s, ..., p_stall::STALL_ON_ZERO before its own",
                   to->thread, race_block_name(to->blocks));
    if (a->write && b->write && actor == ACTOR_GATE && p->found.shared == TX_SHARED_CONFIG) {
        race_words_say(&l, "; where any order will do, both between ttatgetm and ttatrelm");
    }
}

/* ---- the pair ---- */

static void fill_place(struct txl_race *r, struct race_pair *p, unsigned i)
{
    struct txl_race_place *to = &p->found.place[i];
    const struct race_access *a = &p->access[i];
    const struct race_place *q = a->place != NOWHERE ? &r->places[a->place] : NULL;
    const char *file = q != NULL ? tx_program_source(r->program, q->file) : NULL;
    to->thread = a->thread;
    to->section = r->section;
    to->word = a->word;
    to->line = q != NULL ? q->line : 0;
    to->pass = a->pass;
    to->writes = a->write;
    to->unit = race_unit_name(a->actor);
    (void)tx_disassemble(r->arch, a->word, TX_DIS_NORMAL, p->text[i], sizeof p->text[i]);
    snprintf(p->source[i], sizeof p->source[i], "%s:%u",
             txl_basename(file != NULL && file[0] != '\0' ? file : r->name), (unsigned)to->line);
}

void race_describe(struct txl_race *r, struct race_pair *p)
{
    race_state_text(r->arch, p->found.shared, p->index, p->mask, p->what, sizeof p->what);
    for (unsigned i = 0; i < 2; i++) {
        if (r->tile != NULL) {
            race_tile_place(r, p, i);
        } else {
            fill_place(r, p, i);
        }
    }
    if (p->access[0].thread >= TX_THREADS || p->access[1].thread >= TX_THREADS) {
        race_tile_describe(r, p);
    } else if (p->access[0].thread == p->access[1].thread) {
        describe_one_thread(r, p);
    } else {
        describe_two_threads(r, p);
    }
}
