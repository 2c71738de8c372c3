/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conflict-driven search: decide a variable, derive what follows, and where a clause fails learn
 * the clause that says why and go back to where it would have decided otherwise. Variables that
 * take part in recent conflicts are decided first, each with the value that it had last. It starts
 * over now and then and forgets the learned clauses that join too many decisions.
 *
 * Inside, a literal is 2 * variable, plus 1 where it is negated.
 */
#include "schedule/solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    TRUE = 1,
    FALSE = -1,
    NONE = 0,      /* no clause: the place 0 of the store is never one */
    HEAD = 2,      /* words before the literals of a clause: how many, and its rank */
    KEPT = 0,      /* rank of a given clause; of a learned one: how many decisions it joins */
    GOOD = 2,      /* learned clauses up to this rank are never forgotten */
    RESTART = 128, /* conflicts until it starts over, or a multiple of it */
    ASK = 512,     /* conflicts between two calls of go_on at most */
    FORGET = 4000, /* learned clauses until some are forgotten; by how many more the next time */
    FORGET_MORE = 600
};

struct list {
    uint32_t *at;
    size_t count, room;
};

struct variable {
    double activity;
    uint32_t level, reason;
    int32_t place; /* in the heap, or -1 */
    bool last, seen;
};

struct solver {
    struct variable *variable;
    int8_t *value;      /* by literal */
    struct list *watch; /* by literal: clauses that watch it, each with another of its literals */
    size_t variables, room;
    struct list store, given, learned; /* clauses, and where they are in the store */
    struct list trail, levels, heap;   /* literals in their order; where each decision is */
    struct list clause, stack, clear;  /* of the clause that is being learned */
    size_t next;                       /* in the trail: what has not been propagated yet */
    double step;
    uint64_t conflicts, forget_at;
    uint64_t mark, *stamp; /* by level, to count the levels of a clause */
    size_t stamps;
    bool refuted, memory;
};

static bool push(struct solver *s, struct list *list, uint32_t word)
{
    if (!LIST_ONE(list->at, list->count, list->room, s->memory)) {
        return false;
    }
    list->at[list->count++] = word;
    return true;
}

static uint32_t literal_of(int number)
{
    return number < 0 ? 2 * (uint32_t)-number + 1 : 2 * (uint32_t)number;
}

/* ---- the heap: the variable with the highest activity on top ---- */

static void sink_to(struct solver *s, size_t place, uint32_t variable)
{
    s->heap.at[place] = variable;
    s->variable[variable].place = (int32_t)place;
}

static void rise(struct solver *s, size_t place)
{
    const uint32_t variable = s->heap.at[place];
    const double activity = s->variable[variable].activity;
    while (place > 0 && s->variable[s->heap.at[(place - 1) / 2]].activity < activity) {
        sink_to(s, place, s->heap.at[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    sink_to(s, place, variable);
}

static void fall(struct solver *s, size_t place)
{
    const uint32_t variable = s->heap.at[place];
    const double activity = s->variable[variable].activity;
    for (size_t child = 2 * place + 1; child < s->heap.count; child = 2 * place + 1) {
        if (child + 1 < s->heap.count &&
            s->variable[s->heap.at[child + 1]].activity > s->variable[s->heap.at[child]].activity) {
            child++;
        }
        if (s->variable[s->heap.at[child]].activity <= activity) {
            break;
        }
        sink_to(s, place, s->heap.at[child]);
        place = child;
    }
    sink_to(s, place, variable);
}

static void into_heap(struct solver *s, uint32_t variable)
{
    if (s->variable[variable].place < 0 && push(s, &s->heap, variable)) {
        rise(s, s->heap.count - 1);
    }
}

static uint32_t out_of_heap(struct solver *s)
{
    const uint32_t top = s->heap.at[0];
    s->variable[top].place = -1;
    const uint32_t last = s->heap.at[--s->heap.count];
    if (s->heap.count > 0) {
        sink_to(s, 0, last);
        fall(s, 0);
    }
    return top;
}

static void stir(struct solver *s, uint32_t variable)
{
    struct variable *v = &s->variable[variable];
    v->activity += s->step;
    if (v->activity > 1e100) {
        for (size_t i = 1; i <= s->variables; i++) {
            s->variable[i].activity *= 1e-100;
        }
        s->step *= 1e-100;
    }
    if (v->place >= 0) {
        rise(s, (size_t)v->place);
    }
}

/* ---- what is given ---- */

struct solver *solver_open(void)
{
    struct solver *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->step = 1;
    s->forget_at = FORGET;
    if (!push(s, &s->store, 0)) {
        free(s);
        return NULL;
    }
    return s;
}

void solver_close(struct solver *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < 2 * s->room; i++) {
        free(s->watch[i].at);
    }
    struct list *lists[] = {&s->store, &s->given,  &s->learned, &s->trail, &s->levels,
                            &s->heap,  &s->clause, &s->stack,   &s->clear};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        free(lists[i]->at);
    }
    free(s->watch);
    free(s->value);
    free(s->variable);
    free(s->stamp);
    free(s);
}

/* Room for twice as many variables. */
static bool more_variables(struct solver *s)
{
    const size_t room = s->room < 64 ? 64 : s->room * 2;
    struct variable *variable = realloc(s->variable, room * sizeof *variable);
    s->variable = variable != NULL ? variable : s->variable;
    int8_t *value = realloc(s->value, 2 * room * sizeof *value);
    s->value = value != NULL ? value : s->value;
    uint64_t *stamp = realloc(s->stamp, room * sizeof *stamp);
    s->stamp = stamp != NULL ? stamp : s->stamp;
    struct list *watch = realloc(s->watch, 2 * room * sizeof *watch);
    s->watch = watch != NULL ? watch : s->watch;
    if (variable == NULL || value == NULL || stamp == NULL || watch == NULL) {
        s->memory = true;
        return false;
    }
    memset(s->watch + 2 * s->room, 0, 2 * (room - s->room) * sizeof *watch);
    memset(s->stamp + s->room, 0, (room - s->room) * sizeof *stamp);
    s->room = room;
    return true;
}

int solver_variable(struct solver *s)
{
    if (s->variables + 2 > s->room && !more_variables(s)) {
        return 0;
    }
    const size_t variable = ++s->variables;
    s->variable[variable] = (struct variable){.place = -1};
    s->value[2 * variable] = s->value[2 * variable + 1] = 0;
    into_heap(s, (uint32_t)variable);
    return (int)variable;
}

static uint32_t level_now(const struct solver *s)
{
    return (uint32_t)s->levels.count;
}

static void assign(struct solver *s, uint32_t literal, uint32_t reason)
{
    struct variable *v = &s->variable[literal / 2];
    s->value[literal] = TRUE;
    s->value[literal ^ 1] = FALSE;
    v->level = level_now(s);
    v->reason = reason;
    (void)push(s, &s->trail, literal);
}

static void watch(struct solver *s, uint32_t clause)
{
    const uint32_t *literal = s->store.at + clause + HEAD;
    for (unsigned i = 0; i < 2; i++) {
        struct list *list = &s->watch[literal[i]];
        if (push(s, list, clause)) {
            (void)push(s, list, literal[1 - i]);
        }
    }
}

/* Stores the clause in s->clause, which has two literals or more, and watches its first two. */
static uint32_t solver_keep(struct solver *s, uint32_t rank)
{
    const uint32_t at = (uint32_t)s->store.count;
    bool good = push(s, &s->store, (uint32_t)s->clause.count) && push(s, &s->store, rank);
    for (size_t i = 0; good && i < s->clause.count; i++) {
        good = push(s, &s->store, s->clause.at[i]);
    }
    if (good && push(s, rank == KEPT ? &s->given : &s->learned, at)) {
        watch(s, at);
    }
    return at;
}

static void go_back(struct solver *s, uint32_t level);

void solver_clause(struct solver *s, const int *literals)
{
    go_back(s, 0);
    s->clause.count = 0;
    for (; *literals != 0 && !s->memory; literals++) {
        const uint32_t literal = literal_of(*literals);
        bool there = s->value[literal] == FALSE;
        if (s->value[literal] == TRUE) {
            return;
        }
        for (size_t i = 0; !there && i < s->clause.count; i++) {
            if (s->clause.at[i] == (literal ^ 1)) {
                return;
            }
            there = s->clause.at[i] == literal;
        }
        if (!there) {
            (void)push(s, &s->clause, literal);
        }
    }
    if (s->memory) {
        return;
    }
    if (s->clause.count == 0) {
        s->refuted = true;
    } else if (s->clause.count == 1) {
        assign(s, s->clause.at[0], NONE);
    } else {
        (void)solver_keep(s, KEPT);
    }
}

/* ---- what follows from the values so far ---- */

/*
 * Looks for a literal that is not false, to be watched in place of literal[1]. Returns whether
 * there is one.
 */
static bool moved(struct solver *s, uint32_t clause, uint32_t *literal)
{
    const uint32_t count = s->store.at[clause];
    for (uint32_t i = 2; i < count; i++) {
        if (s->value[literal[i]] != FALSE) {
            const uint32_t other = literal[i];
            literal[i] = literal[1];
            literal[1] = other;
            struct list *list = &s->watch[other];
            if (push(s, list, clause)) {
                (void)push(s, list, literal[0]);
            }
            return true;
        }
    }
    return false;
}

/* Derives what follows from one literal that has become false. Returns the clause that fails. */
static uint32_t solver_follow(struct solver *s, uint32_t gone)
{
    struct list *list = &s->watch[gone];
    size_t to = 0;
    uint32_t failed = NONE;
    for (size_t i = 0; i < list->count; i += 2) {
        const uint32_t clause = list->at[i];
        uint32_t other = list->at[i + 1];
        uint32_t *literal = s->store.at + clause + HEAD;
        if (failed == NONE && s->value[other] != TRUE) {
            if (literal[0] == gone) {
                literal[0] = literal[1];
                literal[1] = gone;
            }
            other = literal[0];
            if (s->value[other] != TRUE && moved(s, clause, literal)) {
                continue;
            }
            if (s->value[other] == FALSE) {
                failed = clause;
            } else if (s->value[other] != TRUE) {
                assign(s, other, clause);
            }
        }
        list->at[to++] = clause;
        list->at[to++] = other;
    }
    list->count = to;
    return failed;
}

static uint32_t propagate(struct solver *s)
{
    uint32_t failed = NONE;
    while (failed == NONE && s->next < s->trail.count && !s->memory) {
        failed = solver_follow(s, s->trail.at[s->next++] ^ 1);
    }
    return failed;
}

static void go_back(struct solver *s, uint32_t level)
{
    if (level_now(s) <= level) {
        return;
    }
    const size_t from = s->levels.at[level];
    for (size_t i = s->trail.count; i-- > from;) {
        const uint32_t literal = s->trail.at[i];
        s->value[literal] = s->value[literal ^ 1] = 0;
        s->variable[literal / 2].last = (literal & 1) == 0;
        into_heap(s, literal / 2);
    }
    s->trail.count = from;
    s->next = from;
    s->levels.count = level;
}

/* ---- learning ---- */

static bool mark(struct solver *s, uint32_t variable)
{
    s->variable[variable].seen = true;
    return push(s, &s->clear, variable);
}

/*
 * Returns whether the literal follows from others of the learned clause, so that it can be left
 * out: each literal of its reason, and of theirs, ends at a marked one.
 */
static bool implied(struct solver *s, uint32_t literal)
{
    const size_t marked = s->clear.count;
    bool good = s->variable[literal / 2].reason != NONE;
    s->stack.count = 0;
    good = good && push(s, &s->stack, literal);
    while (good && s->stack.count > 0) {
        const uint32_t reason = s->variable[s->stack.at[--s->stack.count] / 2].reason;
        const uint32_t count = s->store.at[reason];
        for (uint32_t i = 1; good && i < count; i++) {
            const uint32_t other = s->store.at[reason + HEAD + i];
            const struct variable *v = &s->variable[other / 2];
            if (v->seen || v->level == 0) {
                continue;
            }
            good = v->reason != NONE && s->stamp[v->level] == s->mark && mark(s, other / 2) &&
                   push(s, &s->stack, other);
        }
    }
    while (!good && s->clear.count > marked) {
        s->variable[s->clear.at[--s->clear.count]].seen = false;
    }
    return good;
}

/* Stamps the levels of s->clause. Returns how many there are. */
static uint32_t stamp_levels(struct solver *s)
{
    uint32_t rank = 0;
    s->mark++;
    for (size_t i = 0; i < s->clause.count; i++) {
        const uint32_t level = s->variable[s->clause.at[i] / 2].level;
        rank += s->stamp[level] != s->mark;
        s->stamp[level] = s->mark;
    }
    return rank;
}

/* Fills s->clause with the reason of a conflict; its first literal is the one to be turned. */
static void explain(struct solver *s, uint32_t failed)
{
    size_t at = s->trail.count;
    unsigned open = 0;
    uint32_t literal = 0;
    s->clause.count = s->clear.count = 0;
    (void)push(s, &s->clause, 0);
    do {
        const uint32_t count = s->store.at[failed];
        for (uint32_t i = literal == 0 ? 0 : 1; i < count && !s->memory; i++) {
            const uint32_t other = s->store.at[failed + HEAD + i];
            const struct variable *v = &s->variable[other / 2];
            if (v->seen || v->level == 0) {
                continue;
            }
            (void)mark(s, other / 2);
            stir(s, other / 2);
            if (v->level == level_now(s)) {
                open++;
            } else {
                (void)push(s, &s->clause, other);
            }
        }
        do {
            literal = s->trail.at[--at];
        } while (!s->variable[literal / 2].seen);
        failed = s->variable[literal / 2].reason;
        open--;
    } while (open > 0 && !s->memory);
    s->clause.at[0] = literal ^ 1;
}

/* Shortens s->clause and returns the level to go back to, whose literal becomes the second one. */
static uint32_t shorten(struct solver *s)
{
    uint32_t level = 0;
    size_t to = 1;
    (void)stamp_levels(s);
    for (size_t i = 1; i < s->clause.count; i++) {
        if (!implied(s, s->clause.at[i])) {
            s->clause.at[to++] = s->clause.at[i];
        }
    }
    s->clause.count = to;
    for (size_t i = 1; i < to; i++) {
        const uint32_t literal = s->clause.at[i];
        if (s->variable[literal / 2].level > level) {
            level = s->variable[literal / 2].level;
            s->clause.at[i] = s->clause.at[1];
            s->clause.at[1] = literal;
        }
    }
    for (size_t i = 0; i < s->clear.count; i++) {
        s->variable[s->clear.at[i]].seen = false;
    }
    return level;
}

static void learn(struct solver *s, uint32_t failed)
{
    explain(s, failed);
    if (s->memory) {
        return;
    }
    const uint32_t level = shorten(s);
    const uint32_t rank = stamp_levels(s);
    go_back(s, level);
    s->step /= 0.95;
    const uint32_t reason = s->clause.count > 1 ? solver_keep(s, rank) : NONE;
    assign(s, s->clause.at[0], reason);
}

/* ---- forgetting ---- */

/* The rank above which about a half of the learned clauses lie. */
static uint32_t middle_rank(const struct solver *s)
{
    size_t ranks[32] = {0};
    size_t below = 0;
    uint32_t rank = 0;
    for (size_t i = 0; i < s->learned.count; i++) {
        const uint32_t at = s->store.at[s->learned.at[i] + 1];
        ranks[at < 31 ? at : 31]++;
    }
    while (rank < 31 && below + ranks[rank] < s->learned.count / 2) {
        below += ranks[rank++];
    }
    return rank > GOOD ? rank : GOOD;
}

/* Moves a clause to the new end of the store without what is false forever; drops a true one. */
static bool move(struct solver *s, uint32_t from, uint32_t *end)
{
    uint32_t *store = s->store.at;
    const uint32_t count = store[from];
    const uint32_t rank = store[from + 1];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (s->value[store[from + HEAD + i]] == TRUE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t literal = store[from + HEAD + i];
        if (s->value[literal] != FALSE) {
            store[*end + HEAD + kept++] = literal;
        }
    }
    store[*end] = kept;
    store[*end + 1] = rank;
    *end += HEAD + kept;
    return true;
}

/*
 * Without decisions: drops the learned clauses above a rank and what has become true or false
 * forever. Clauses lie in the store in the order of their places in the two lists together.
 */
static void forget(struct solver *s, uint32_t most)
{
    uint32_t end = 1;
    size_t given = 0, learned = 0, given_to = 0, learned_to = 0;
    while (given < s->given.count || learned < s->learned.count) {
        const bool old = learned == s->learned.count ||
                         (given < s->given.count && s->given.at[given] < s->learned.at[learned]);
        const uint32_t from = old ? s->given.at[given++] : s->learned.at[learned++];
        const uint32_t to = end;
        if (s->store.at[from + 1] > most || !move(s, from, &end)) {
            continue;
        }
        if (old) {
            s->given.at[given_to++] = to;
        } else {
            s->learned.at[learned_to++] = to;
        }
    }
    s->given.count = given_to;
    s->learned.count = learned_to;
    s->store.count = end;
    for (size_t i = 0; i < 2 * (s->variables + 1); i++) {
        s->watch[i].count = 0;
    }
    for (uint32_t at = 1; at < end; at += HEAD + s->store.at[at]) {
        watch(s, at);
    }
}

/* ---- the search ---- */

/* The n-th number, from 0, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... */
static uint64_t luby(uint64_t n)
{
    uint64_t size = 1, power = 0;
    for (; size < n + 1; size = 2 * size + 1) {
        power++;
    }
    while (size - 1 != n) {
        size = (size - 1) / 2;
        power--;
        n %= size;
    }
    return UINT64_C(1) << power;
}

/* Decides the next variable. Returns false when all have a value. */
static bool decide(struct solver *s)
{
    while (s->heap.count > 0) {
        const uint32_t variable = out_of_heap(s);
        if (s->value[2 * variable] == 0) {
            if (push(s, &s->levels, (uint32_t)s->trail.count)) {
                assign(s, 2 * variable + !s->variable[variable].last, NONE);
            }
            return true;
        }
    }
    return false;
}

/* Searches until so many conflicts. SOLVER_LIMIT: they were reached. */
static enum solver_answer search(struct solver *s, uint64_t until)
{
    while (!s->memory) {
        const uint32_t failed = propagate(s);
        if (failed != NONE) {
            s->conflicts++;
            if (level_now(s) == 0) {
                s->refuted = true;
                return SOLVER_REFUTED;
            }
            learn(s, failed);
        } else if (s->conflicts >= until) {
            return SOLVER_LIMIT;
        } else if (!s->memory && !decide(s)) {
            return SOLVER_HOLDS;
        }
    }
    return SOLVER_MEMORY;
}

enum solver_answer solver_run(struct solver *s, uint64_t most, bool (*go_on)(void *user),
                              void *user)
{
    const uint64_t end = most != 0 ? s->conflicts + most : UINT64_MAX;
    enum solver_answer answer = SOLVER_LIMIT;
    uint64_t restart = 0, restarts = 0;
    while (answer == SOLVER_LIMIT && s->conflicts < end && go_on(user)) {
        if (s->conflicts >= restart) {
            go_back(s, 0);
            if (s->refuted || propagate(s) != NONE) {
                s->refuted = true;
                answer = SOLVER_REFUTED;
                break;
            }
            if (s->learned.count >= s->forget_at) {
                forget(s, middle_rank(s));
                s->forget_at += FORGET_MORE;
            }
            restart = s->conflicts + RESTART * luby(restarts++);
        }
        uint64_t until = restart < end ? restart : end;
        until = until < s->conflicts + ASK ? until : s->conflicts + ASK;
        answer = search(s, until);
    }
    return s->memory ? SOLVER_MEMORY : answer;
}

bool solver_value(const struct solver *s, int variable)
{
    return s->value[2 * variable] == TRUE;
}

uint64_t solver_conflicts(const struct solver *s)
{
    return s->conflicts;
}
