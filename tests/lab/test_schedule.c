/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix-lab/schedule.h: the smallest II of random chains of instructions, against all schedules of
 * each, enumerated here in another way: times and issues first, then registers, and each candidate
 * is played through row by row with names in the place of numbers. And the interface.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/schedule.h>

#include "rows.h"

enum { OPS = 3, LOADS = 3, REGS = 8, ROWS = 6, PHASES = 4, L16 = 100, OWN = -1 };
enum unit { SIMPLE, MAD, ROUND };

/* What a chain is made of: reads the value before it, and constants. */
struct kind {
    const char *text; /* %u destination, source */
    enum unit unit;
    int cycles, latency;
    bool in_place; /* plain, the source is the destination */
    bool own;      /* scheduled, the source must be the SFPLOADMACRO's register */
};
static const struct kind kinds[] = {
    {"sfpnot L%u, L%u", SIMPLE, 1, 1, false, false},
    {"sfpswap L%u, L9, 9\nsfpnop", SIMPLE, 2, 2, true, true},
    {"sfpmad L%u, L11, L%u, L12, 0\nsfpnop", MAD, 1, 2, false, true},
    {"sfpstochrnd L%u, L0, L%u, 0, 1, 0", ROUND, 1, 1, false, false},
};

struct chain {
    unsigned ops;
    const struct kind *op[OPS];
};

/* A candidate: when, and by which load; OWN: plain. The store is op number ops. */
struct candidate {
    const struct chain *chain;
    int ii, loads, window;
    int load[LOADS], time[OPS + 1], by[OPS + 1];
    int source; /* load whose copy the first op reads */
    bool l16;
    /* The op whose result goes through Dst, or -1: when and by which load it is stored, and whether
     * through L16. The last load brings it back. */
    int spill, stored, stored_by;
    bool spill_l16;
};

/* Returns whether an op writes L16. */
static bool in_l16(const struct candidate *t, int op)
{
    return op == t->spill ? t->spill_l16 : t->l16 && op + 1 == (int)t->chain->ops;
}

static int wrap(int a, int n)
{
    return (a % n + n) % n;
}

/* Issue slots, sub-units, ports: everything but registers. */
static bool resources(const struct candidate *t)
{
    bool slot[8] = {false};
    int unit[4][8];
    bool second[8] = {false};
    memset(unit, 0xFF, sizeof unit);
    for (int i = 0; i < t->loads; i++) {
        if (slot[wrap(t->load[i], t->ii)]) {
            return false;
        }
        slot[wrap(t->load[i], t->ii)] = true;
    }
    if (t->spill >= 0) {
        const int at = wrap(t->stored, t->ii);
        const int delay = t->stored_by == OWN ? 0 : t->stored - t->load[t->stored_by] - 1;
        if (delay < 0 || delay > 7 || (t->stored_by == OWN && slot[at]) ||
            (t->stored_by != OWN && t->stored_by == t->by[t->chain->ops])) {
            return false;
        }
        unit[3][at] = 99;
        slot[at] = slot[at] || t->stored_by == OWN;
    }
    for (int i = 0; i <= (int)t->chain->ops; i++) {
        const bool store = i == (int)t->chain->ops;
        const int cycles = store ? 1 : t->chain->op[i]->cycles;
        const int u = store ? 3 : (int)t->chain->op[i]->unit;
        for (int k = 0; k < cycles; k++) {
            const int at = wrap(t->time[i] + k, t->ii);
            if (unit[u][at] != -1 || (t->by[i] == OWN && slot[at])) {
                return false;
            }
            unit[u][at] = i;
            slot[at] = slot[at] || t->by[i] == OWN;
            second[at] = second[at] || k == 1;
        }
        for (int k = 0; k < i; k++) {
            const bool other = k < (int)t->chain->ops && u < 3 && (int)t->chain->op[k]->unit == u;
            if (t->by[i] != OWN && t->by[k] == t->by[i] && other) {
                return false;
            }
        }
        const int delay = t->by[i] == OWN ? 0 : t->time[i] - t->load[t->by[i]] - 1;
        if (delay < 0 || delay > 7) {
            return false;
        }
    }
    for (int at = 0; at < t->ii; at++) {
        const int s = unit[SIMPLE][at];
        const int r = unit[ROUND][at];
        if (s >= 0 && r >= 0 && (second[at] || in_l16(t, s) == in_l16(t, r))) {
            return false;
        }
        if (s >= 0 && unit[MAD][at] >= 0 && t->chain->op[s]->cycles == 2 && !second[at]) {
            return false;
        }
    }
    return true;
}

/* Where values live: classes of registers, numbered from 0, loads first. */
struct places {
    int load[LOADS], made[OPS];
    int classes;
};

static void same_place(struct places *p, int a, int b)
{
    for (int i = 0; i < LOADS; i++) {
        p->load[i] = p->load[i] == b ? a : p->load[i];
    }
    for (int i = 0; i < OPS; i++) {
        p->made[i] = p->made[i] == b ? a : p->made[i];
    }
}

/* Where the op finds what it reads; the store is the op after the last. */
static int place_before(const struct candidate *t, const struct places *p, int op)
{
    return op == 0                               ? p->load[t->source]
           : t->spill >= 0 && op - 1 == t->spill ? p->load[t->loads - 1]
                                                 : p->made[op - 1];
}

/* A store by this load of what is there: the register must be the load's, or it is L16. */
static bool store_fits(struct places *p, int from, int by)
{
    if (by != OWN && from != L16) {
        same_place(p, p->load[by], from);
    }
    return by != OWN || from != L16;
}

static bool find_places(const struct candidate *t, struct places *p)
{
    *p = (struct places){.classes = 0};
    for (int i = 0; i < LOADS; i++) {
        p->load[i] = i;
    }
    for (int i = 0; i < (int)t->chain->ops; i++) {
        const struct kind *kind = t->chain->op[i];
        const int before = place_before(t, p, i);
        if (t->by[i] == OWN) {
            p->made[i] = kind->in_place ? before : LOADS + i;
        } else {
            if (kind->own && before != p->load[t->by[i]]) {
                same_place(p, p->load[t->by[i]], before);
            }
            p->made[i] = in_l16(t, i) ? L16 : p->load[t->by[i]];
        }
        if (in_l16(t, i) && (t->by[i] == OWN || kind->cycles == 2)) {
            return false;
        }
        if (i == t->spill && !store_fits(p, p->made[i], t->stored_by)) {
            return false;
        }
    }
    return store_fits(p, p->made[t->chain->ops - 1], t->by[t->chain->ops]);
}

struct names {
    const struct candidate *t;
    const struct places *p;
    int phases;
    int reg[LOADS + OPS][PHASES]; /* of each class */
};

static int reg_of(const struct names *n, int place, int row)
{
    return place == L16 ? REGS : n->reg[place][row % n->phases];
}

/* due: what is written at the end of this cycle and of the next one; -1: nothing. */
struct file {
    int name[REGS + 1]; /* what it holds: 16 * row + value; value 0 is the load's */
    int due[REGS + 1][2];
    int busy[REGS + 1]; /* cycle in which it must not be read */
};

static bool write(struct file *f, int reg, int name, int cycle, int latency)
{
    if (f->due[reg][latency - 1] != -1) {
        return false;
    }
    f->due[reg][latency - 1] = name;
    f->busy[reg] = latency == 2 && reg != REGS ? cycle + 1 : f->busy[reg];
    return true;
}

static bool holds(const struct file *f, int reg, int name, int cycle)
{
    return f->name[reg] == name && f->busy[reg] != cycle;
}

/* All rows, cycle by cycle: every op finds the name that it should. */
static bool plays(const struct names *n)
{
    const struct candidate *t = n->t;
    struct file f;
    memset(&f, 0xFF, sizeof f);
    for (int i = 0; i <= REGS; i++) {
        f.busy[i] = -1000;
    }
    for (int cycle = -40; cycle < 60 + ROWS * t->ii; cycle++) {
        struct file next = f;
        for (int row = 0; row < ROWS; row++) {
            const int at = cycle - row * t->ii;
            for (int i = 0; i <= (int)t->chain->ops; i++) {
                const int from = place_before(t, n->p, i);
                if (at != t->time[i]) {
                    continue;
                }
                if (!holds(&f, reg_of(n, from, row), 16 * row + i, cycle) ||
                    (i < (int)t->chain->ops &&
                     !write(&next, reg_of(n, n->p->made[i], row), 16 * row + i + 1, cycle,
                            t->chain->op[i]->latency))) {
                    return false;
                }
            }
            if (t->spill >= 0 && at == t->stored &&
                !holds(&f, reg_of(n, n->p->made[t->spill], row), 16 * row + t->spill + 1, cycle)) {
                return false;
            }
            for (int i = 0; i < t->loads; i++) {
                const int name = t->spill >= 0 && i == t->loads - 1 ? t->spill + 1 : 0;
                if (at == t->load[i] &&
                    !write(&next, reg_of(n, n->p->load[i], row), 16 * row + name, cycle, 1)) {
                    return false;
                }
            }
        }
        for (int reg = 0; reg <= REGS; reg++) {
            next.name[reg] = next.due[reg][0] != -1 ? next.due[reg][0] : next.name[reg];
            next.due[reg][0] = next.due[reg][1];
            next.due[reg][1] = -1;
        }
        f = next;
    }
    return true;
}

static bool add_once(long *list, int *count, long what)
{
    for (int i = 0; i < *count; i++) {
        if (list[i] == what) {
            return true;
        }
    }
    list[(*count)++] = what;
    return *count <= 4;
}

/* Four templates, four sequences, of all phases together. */
static bool macros(const struct names *n)
{
    const struct candidate *t = n->t;
    long templates[16];
    long sequences[16];
    int template_count = 0, sequence_count = 0;
    for (int i = 0; i < t->loads * n->phases; i++) {
        const int load = i / n->phases;
        const int phase = i % n->phases;
        long sequence = 0; /* of each sub-unit 16 bits */
        for (int k = 0; k < (int)t->chain->ops; k++) {
            const int from = place_before(t, n->p, k);
            const bool own = reg_of(n, from, phase) == reg_of(n, n->p->load[load], phase);
            const long kind = t->chain->op[k] - kinds + 1;
            const long template = kind * 16 + (own ? 8 : reg_of(n, from, phase));
            if (t->by[k] == load) {
                sequence |= (template * 16 + t->time[k] - t->load[load] - 1 + 8 * in_l16(t, k))
                            << 16 * (int)t->chain->op[k]->unit;
                if (!add_once(templates, &template_count, template)) {
                    return false;
                }
            }
        }
        if (t->by[t->chain->ops] == load) {
            sequence |= (32L + t->time[t->chain->ops] - t->load[load] - 1 + 8 * t->l16) << 48;
        }
        if (t->spill >= 0 && t->stored_by == load) {
            sequence |= (32L + t->stored - t->load[load] - 1 + 8 * t->spill_l16) << 48;
        }
        if (sequence != 0 && !add_once(sequences, &sequence_count, sequence)) {
            return false;
        }
    }
    return true;
}

/* All registers for the classes in use, new ones in order. */
static bool name_next(struct names *n, const int *used, int count, int at, int fresh)
{
    if (at == count * n->phases) {
        return plays(n) && macros(n);
    }
    for (int reg = 0; reg <= fresh && reg < REGS; reg++) {
        n->reg[used[at / n->phases]][at % n->phases] = reg;
        if (name_next(n, used, count, at + 1, reg == fresh ? fresh + 1 : fresh)) {
            return true;
        }
    }
    return false;
}

static bool registers(const struct candidate *t)
{
    struct places p;
    int used[LOADS + OPS];
    int count = 0;
    bool seen[LOADS + OPS] = {false};
    if (!find_places(t, &p)) {
        return false;
    }
    for (int i = 0; i < t->loads + (int)t->chain->ops; i++) {
        const int place = i < t->loads ? p.load[i] : p.made[i - t->loads];
        if (place != L16 && !seen[place]) {
            seen[place] = true;
            used[count++] = place;
        }
    }
    for (int phases = 1; phases <= PHASES; phases++) {
        struct names n = {.t = t, .p = &p, .phases = phases};
        if (name_next(&n, used, count, 0, 0)) {
            return true;
        }
    }
    return false;
}

static bool complete(struct candidate *t)
{
    for (int l16 = t->spill >= 0 ? 3 : 1; l16 >= 0; l16--) {
        t->l16 = (l16 & 1) != 0;
        t->spill_l16 = (l16 & 2) != 0;
        if (resources(t) && registers(t)) {
            return true;
        }
    }
    return false;
}

static bool next_op(struct candidate *t, int i);

/* The store and the load between op i - 1 and op i, whose value goes through Dst. */
static bool through_dst(struct candidate *t, int i)
{
    const int there = t->time[i - 1] + t->chain->op[i - 1]->latency;
    int *load = &t->load[t->loads - 1];
    for (t->stored = there; t->stored <= there + t->window; t->stored++) {
        for (t->stored_by = t->loads - 1; t->stored_by >= OWN; t->stored_by--) {
            for (*load = t->stored + 1; *load <= t->stored + 1 + t->window; ++*load) {
                if (next_op(t, i)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool next_op(struct candidate *t, int i)
{
    if (i > (int)t->chain->ops) {
        return complete(t);
    }
    const bool back = t->spill >= 0 && i == t->spill + 1;
    const int ready = i == 0 ? t->load[t->source] + 1
                      : back ? t->load[t->loads - 1] + 1
                             : t->time[i - 1] + t->chain->op[i - 1]->latency;
    for (t->time[i] = ready; t->time[i] <= ready + t->window; t->time[i]++) {
        for (t->by[i] = t->loads - 1; t->by[i] >= OWN; t->by[i]--) {
            const bool spill = i == t->spill;
            if (spill ? through_dst(t, i + 1) : next_op(t, i + 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool next_load(struct candidate *t, int i)
{
    if (i == t->loads - (t->spill >= 0)) {
        return next_op(t, 0);
    }
    for (t->load[i] = -2; t->load[i] <= 2 * t->ii + 4; t->load[i]++) {
        if (next_load(t, i + 1)) {
            return true;
        }
    }
    return false;
}

/* The smallest II of all there are; the first op reads what load 0 brings in cycle 0. */
static int enumerate(const struct chain *chain)
{
    for (int ii = 1; ii < 6; ii++) {
        for (int loads = 1; loads <= ii && loads <= LOADS; loads++) {
            /* A multiply-add makes no denormal and reads them as zeros: Dst keeps such values. */
            for (int spill = -1; spill + 1 < (int)chain->ops && (loads > 1 || spill < 0); spill++) {
                struct candidate t = {
                    .chain = chain, .ii = ii, .loads = loads, .window = ii, .spill = spill};
                const bool kept =
                    spill < 0 || chain->op[spill]->unit == MAD || chain->op[spill + 1]->unit == MAD;
                if (kept && next_load(&t, 1)) {
                    return ii;
                }
            }
        }
    }
    return 99;
}

/* ---- the kernel of a chain, and what the library finds ---- */

static struct tx_program *program_of(const struct chain *chain, enum tx_arch arch)
{
    char text[1024];
    int at = snprintf(text, sizeof text,
                      ".dst fp32\n.init\n.loadi L0, float(0.5)\nsfpconfig 11, 0, 0\n"
                      "sfpconfig 12, 0, 0\n.tile\nI = 0\n.rept 16\nsfpload L0, I, 3, 3\n");
    for (unsigned i = 0; i < chain->ops; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, chain->op[i]->text, 0U, 0U);
        at += snprintf(text + at, sizeof text - (size_t)at, "\n");
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "sfpstore L0, I, 3, 3\nI = I + 2\n.endr\n");
    const struct txl_kernel_options how = {.size = sizeof how, .arch = arch};
    struct tx_program *program = NULL;
    assert_true(txl_kernel_assemble(NULL, "chain", text, (size_t)at, &how, &program) == TXL_OK);
    return program;
}

/*
 * The clauses, which know nothing of Dst, hold for the smallest II with some number of phases
 * unless a value has to go through Dst, and for none below with any. Where they hold, the machine
 * accepts the schedule.
 */
static void clauses_agree(const struct tx_program *program, unsigned smallest, bool through_dst)
{
    struct sched_body *body = rows_of(program);
    struct sched_search search = {.body = body, .go_on = never_stop};
    bool found = false;
    for (unsigned phases = 1; phases <= SCHED_PHASES; phases++) {
        if (sched_solve(&search, smallest, phases, 8) == SCHED_FOUND) {
            prove_rows(program, &search);
            found = true;
        }
    }
    assert_true(found || through_dst);
    for (unsigned ii = 1; ii < smallest; ii++) {
        assert_int_equal(sched_solve(&search, ii, 3, 8), SCHED_REFUTED);
        assert_int_equal(sched_solve(&search, ii, 4, 8), SCHED_REFUTED);
    }
    free(body);
}

static void agree(const struct chain *chain, enum tx_arch arch)
{
    struct tx_program *program = program_of(chain, arch);
    const struct txl_schedule_options how = {.size = sizeof how, .domain = "bf16", .sample = 1024};
    struct txl_schedule_result found = {.size = sizeof found};
    struct txl_error err = {.message = ""};
    txl_schedule *schedule = NULL;
    const int result = txl_schedule_find(&err, program, &how, &schedule);
    assert_true(result == TXL_OK);
    if (result == TXL_OK) {
        txl_schedule_result(schedule, &found);
        const int smallest = enumerate(chain);
        if ((int)found.ii != smallest) {
            print_message(" %s: %u found, %d enumerated:", tx_arch_name(arch), found.ii, smallest);
            for (unsigned i = 0; i < chain->ops; i++) {
                print_message(" %.7s", chain->op[i]->text);
            }
            print_message("\n%s\n", txl_schedule_text(schedule));
        }
        assert_true((int)found.ii == smallest && found.optimal && !found.cut);
        clauses_agree(program, (unsigned)smallest, found.through_dst != 0);
    } else {
        print_message(" %s\n", err.message);
    }
    txl_schedule_close(schedule);
    tx_program_free(program);
}

static void random_chains(enum tx_arch arch, unsigned count, uint64_t seed)
{
    for (unsigned n = 0; n < count; n++) {
        struct chain chain = {.ops = 0};
        unsigned swaps = 0;
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const unsigned ops = 1 + (unsigned)(seed >> 33) % OPS;
        while (chain.ops < ops) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const struct kind *kind = &kinds[(seed >> 33) % 4];
            if (kind->cycles == 2 && swaps++ > 0) {
                continue;
            }
            chain.op[chain.ops++] = kind;
        }
        agree(&chain, arch);
    }
}

static bool stop_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    return done == 0 && total == 0;
}

static void test_interface(void **state)
{
    (void)state;
    const struct chain chain = {.ops = 1, .op = {&kinds[0]}};
    struct tx_program *program = program_of(&chain, TX_BLACKHOLE);
    struct txl_schedule_options how = {.size = sizeof how, .ii = 40};
    struct txl_error err = {.message = ""};
    txl_schedule *schedule = NULL;
    assert_true(txl_schedule_find(&err, program, &how, &schedule) == TXL_INPUT && schedule == NULL);
    how = (struct txl_schedule_options){.size = sizeof how, .progress = stop_at_once};
    assert_true(txl_schedule_find(&err, program, &how, &schedule) == TXL_CANCELLED &&
                schedule == NULL);
    how = (struct txl_schedule_options){.size = sizeof how, .domain = "nonsense"};
    assert_true(txl_schedule_find(&err, program, &how, &schedule) == TXL_INPUT && schedule == NULL);
    how = (struct txl_schedule_options){.size = sizeof how, .ii = 2};
    assert_true(txl_schedule_find(&err, program, &how, &schedule) == TXL_OK);
    char *report = txl_schedule_report(schedule);
    assert_true(report != NULL && strstr(report, "II              2 cycles a row\n") != NULL);
    free(report);
    txl_schedule_close(schedule);
    txl_schedule_close(NULL);
    tx_program_free(program);
}

static unsigned count = 10;

static void test_blackhole(void **state)
{
    (void)state;
    random_chains(TX_BLACKHOLE, count, 1);
}

static void test_wormhole(void **state)
{
    (void)state;
    random_chains(TX_WORMHOLE, count, 2);
}

/* COUNT: chains of each chip. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interface),
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_wormhole),
    };
    count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : count;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
