/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass of a sweep: a sample of its inputs in another order, with state carried from tile
 * to tile as on a card, where .init runs once. A result that is another one there is a finding,
 * which names the register, the lane and the instruction by which the two runs part.
 *
 * The sample has one input out of each of AGAIN_INPUTS equal parts of the domain, or all of a
 * smaller domain. A tile is run before the first one that counts, so that this one has a state to
 * find, too. Kernels that draw random bits are run in the first order again, tile by tile with the
 * same seeds: their results depend on the place.
 */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"
#include "flow/left.h"

enum { AGAIN_INPUTS = 16384, ARRAYS = SWEEP_INPUTS * 3 + 2 };
_Static_assert((int)AGAIN_INPUTS <= (int)SWEEP_BATCH_ELEMENTS, "one call of an engine");

struct again {
    const struct sweep_domain *domain;
    const struct sweep_kernel *kernel;
    const struct sweep_engine *engine;
    size_t count; /* of inputs */
    unsigned tiles;
    uint16_t order[2][AGAIN_INPUTS]; /* for each place of both passes the input */
    uint16_t place[2][AGAIN_INPUTS];
    uint32_t *memory;
    uint32_t *words[SWEEP_INPUTS], *laid[2][SWEEP_INPUTS], *out[2];
    struct sweep_findings *found;
    bool drew; /* the second pass has moved the PRNG */
};

static uint64_t index_of(const struct again *a, size_t i)
{
    const uint64_t all = a->domain->count;
    const uint64_t first = i * all / a->count;
    const uint64_t end = (i + 1) * all / a->count;
    uint64_t state = i;
    return first + (uint64_t)((unsigned __int128)feed_random(&state) * (end - first) >> 64);
}

static void lay(struct again *a, unsigned pass)
{
    for (size_t p = 0; p < a->count; p++) {
        a->place[pass][a->order[pass][p]] = (uint16_t)p;
    }
    for (unsigned k = 0; k < a->domain->operands; k++) {
        for (size_t p = 0; p < (size_t)a->tiles * TX_TILE_ELEMENTS; p++) {
            a->laid[pass][k][p] = a->words[k][a->order[pass][p % a->count]];
        }
    }
}

static int open_again(struct txl_error *err, const struct sweep_domain *domain, struct again *a)
{
    a->domain = domain;
    a->count = domain->count < AGAIN_INPUTS ? (size_t)domain->count : AGAIN_INPUTS;
    a->tiles = (unsigned)((a->count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS);
    a->memory = zeroed(err, (size_t)ARRAYS * SWEEP_BATCH_ELEMENTS, sizeof *a->memory);
    a->found = zeroed(err, 1, sizeof *a->found);
    if (a->memory == NULL || a->found == NULL) {
        return TXL_INPUT;
    }
    uint32_t *next = a->memory;
    for (unsigned k = 0; k < SWEEP_INPUTS; k++, next += 3 * SWEEP_BATCH_ELEMENTS) {
        a->words[k] = next;
        a->laid[0][k] = next + SWEEP_BATCH_ELEMENTS;
        a->laid[1][k] = next + 2 * SWEEP_BATCH_ELEMENTS;
    }
    a->out[0] = next;
    a->out[1] = next + SWEEP_BATCH_ELEMENTS;
    for (size_t i = 0; i < a->count; i++) {
        uint32_t *const to[] = {a->words[0] + i, a->words[1] + i, a->words[2] + i};
        domain_fill(domain, index_of(a, i), 1, to);
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        order_shuffle(ORDER_RUN + pass, a->order[pass], (unsigned)a->count);
        lay(a, pass);
    }
    return TXL_CONTINUE;
}

static void close_again(struct again *a)
{
    free(a->memory);
    free(a->found);
    free(a);
}

/* ---- the two passes ---- */

static int run_first(struct txl_error *err, struct again *a, void *worker, uint32_t *out)
{
    return a->engine->run(worker, 0, a->tiles, (const uint32_t *const *)a->laid[0], out, err);
}

static enum tx_status carried_tile(struct again *a, tx_kernel *kernel, unsigned tile, uint32_t *out)
{
    tx_machine *m = tx_kernel_machine(kernel);
    const uint32_t *in[RUN_INPUTS] = {NULL};
    uint32_t prng[2][TX_LANES];
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        in[k] = a->laid[1][k] + (size_t)tile * TX_TILE_ELEMENTS;
    }
    tx_prng_seed(m, tx_kernel_tile_seed(a->kernel->options.seed, tile));
    (void)tx_read(m, TX_FILE_PRNG, 0, prng[0], TX_LANES);
    const enum tx_status status = tx_kernel_tile(kernel, tile, in, out);
    (void)tx_read(m, TX_FILE_PRNG, 0, prng[1], TX_LANES);
    a->drew = a->drew || memcmp(prng[0], prng[1], sizeof prng[0]) != 0;
    return status;
}

/* Keeps what the first pass has not found. */
static void keep_new(struct again *a, const tx_machine *machine, const struct sweep_findings *known)
{
    for (size_t i = 0; i < tx_finding_count(machine); i++) {
        const struct tx_finding *f = tx_finding_at(machine, i);
        bool there = f->rule == NULL;
        for (uint64_t k = 0; k < known->count && !there; k++) {
            const struct sweep_finding *one = &known->list[k];
            there = one->finding.word == f->word && one->finding.category == f->category &&
                    strcmp(one->rule, f->rule) == 0;
        }
        if (!there && a->found->count < SWEEP_FINDINGS) {
            struct sweep_finding *one = &a->found->list[a->found->count++];
            one->finding = *f;
            one->finding.rule = NULL;
            snprintf(one->rule, sizeof one->rule, "%s", f->rule);
        }
    }
}

static void sweep_again_add(struct again *a, const struct tx_finding *finding, uint64_t tile)
{
    if (a->found->count < SWEEP_FINDINGS) {
        struct sweep_finding *one = &a->found->list[a->found->count++];
        one->finding = *finding;
        one->finding.rule = NULL;
        one->tile = tile;
        snprintf(one->rule, sizeof one->rule, "E-LEFT");
    }
}

static struct tx_finding blank(const struct again *a)
{
    struct tx_finding f;
    memset(&f, 0, sizeof f);
    f.size = sizeof f;
    f.category = TX_UNPREDICTABLE_VALUE;
    f.arch = tx_program_arch(a->kernel->program);
    f.thread = (uint8_t)a->kernel->options.thread;
    f.count = 1;
    f.producer = UINT64_MAX;
    return f;
}

static int run_second(struct txl_error *err, struct again *a, bool carry,
                      const struct sweep_findings *known)
{
    const struct sweep_kernel *k = a->kernel;
    struct tx_kernel_options how = k->options;
    how.carry = carry;
    tx_kernel *kernel = NULL;
    enum tx_status status = tx_kernel_open(&k->settings, k->program, &how, &kernel);
    status = status == TX_OK ? tx_kernel_start(kernel) : status;
    if (status == TX_OK) {
        tx_findings_clear(tx_kernel_machine(kernel));
        status = carried_tile(a, kernel, a->tiles - 1, a->out[1]);
    }
    for (unsigned tile = 0; tile < a->tiles && status == TX_OK; tile++) {
        status = carried_tile(a, kernel, tile, a->out[1] + (size_t)tile * TX_TILE_ELEMENTS);
    }
    if (kernel != NULL && known != NULL) {
        keep_new(a, tx_kernel_machine(kernel), known);
    }
    if (status == TX_FAULT) {
        struct tx_finding f = blank(a);
        snprintf(f.message, sizeof f.message,
                 "the kernel stops where state is carried from tile to tile");
        sweep_again_add(a, &f, 0);
    }
    tx_kernel_close(kernel);
    return status == TX_ENOMEM ? no_memory(err) : TXL_CONTINUE;
}

/* ---- what differs ---- */

/* Counts inputs with two results, and returns the one that comes first in the second pass. */
static size_t count_differing(const struct again *a, size_t *first)
{
    size_t differing = 0;
    *first = 0;
    for (size_t p = a->count; p-- > 0;) {
        const uint16_t input = a->order[1][p];
        if (a->out[1][p] != a->out[0][a->place[0][input]]) {
            differing++;
            *first = input;
        }
    }
    return differing;
}

/* Tells whether results depend on the seed. Without a draw of the second pass they do not. */
static int draws(struct txl_error *err, struct again *a, bool *is)
{
    *is = false;
    if (!a->drew) {
        return TXL_CONTINUE;
    }
    struct sweep_kernel other = *a->kernel;
    other.options.seed ^= 0x5bd1e995u;
    uint32_t *out = zeroed(err, SWEEP_BATCH_ELEMENTS, sizeof *out);
    void *worker = out != NULL ? a->engine->open(&other, err) : NULL;
    const int result = worker != NULL ? run_first(err, a, worker, out) : TXL_INPUT;
    if (worker != NULL) {
        a->engine->close(worker);
    }
    *is = result == TXL_CONTINUE && memcmp(out, a->out[0], a->count * sizeof *out) != 0;
    free(out);
    return result;
}

/* Adds what the tile before leaves, if it explains the difference. */
static bool add_left(struct again *a, size_t input)
{
    const unsigned tile = (unsigned)(a->place[1][input] / TX_TILE_ELEMENTS);
    const unsigned before = tile > 0 ? tile - 1 : a->tiles - 1;
    const uint32_t *in[2][SWEEP_INPUTS];
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        in[0][k] = a->laid[1][k] + (size_t)before * TX_TILE_ELEMENTS;
        in[1][k] = a->laid[1][k] + (size_t)tile * TX_TILE_ELEMENTS;
    }
    const uint32_t *const *const inputs[2] = {in[0], in[1]};
    const struct sweep_kernel *k = a->kernel;
    struct left left = {.count = 0};
    (void)left_find(k->program, &k->settings, &k->options, inputs, &left);
    for (size_t i = 0; i < left.count; i++) {
        sweep_again_add(a, &left.list[i], tile);
    }
    return left.count > 0;
}

static void take_tile(const struct again *a, unsigned pass, size_t input, struct order_tile *tile)
{
    const unsigned place = a->place[pass][input];
    tile->number = place / TX_TILE_ELEMENTS;
    tile->element = place % TX_TILE_ELEMENTS;
    for (unsigned k = 0; k < a->domain->operands; k++) {
        memcpy(tile->words[k], a->laid[pass][k] + (size_t)tile->number * TX_TILE_ELEMENTS,
               sizeof tile->words[k]);
    }
}

/* Loads and stores of the two have other addresses; everything else is the same instruction. */
static bool same_step(const struct txl_sweep_step *x, const struct txl_sweep_step *y, bool ends)
{
    return x->value == y->value && x->store == y->store &&
           (ends || (x->word == y->word && x->reg == y->reg));
}

/* Fills in which step of the input's lane is another one in its second place. */
static int find_step(struct txl_error *err, const struct again *a, size_t input,
                     struct tx_finding *f, char *text, size_t size)
{
    struct sweep_steps steps[2] = {{0}};
    struct order_tile *tile = zeroed(err, 1, sizeof *tile);
    int result = tile != NULL ? TXL_CONTINUE : TXL_INPUT;
    unsigned lane[2] = {0};
    for (unsigned pass = 0; pass < 2 && result == TXL_CONTINUE; pass++) {
        take_tile(a, pass, input, tile);
        result = sweep_steps_of(err, a->kernel, tile, &steps[pass]);
        lane[pass] = steps[pass].lane;
    }
    const struct sweep_steps *x = &steps[0];
    const struct sweep_steps *y = &steps[1];
    size_t i = 0;
    while (result == TXL_CONTINUE && i < x->count && i < y->count &&
           same_step(&x->list[i], &y->list[i], i == 0 || x->list[i].store)) {
        i++;
    }
    if (result == TXL_CONTINUE && (i < x->count || i < y->count)) {
        const struct txl_sweep_step *step = i < y->count ? &y->list[i] : &x->list[i];
        char insn[64];
        char reg[16];
        (void)tx_disassemble(f->arch, step->word, TX_DIS_NORMAL, insn, sizeof insn);
        snprintf(reg, sizeof reg, step->store ? "Dst" : "L%u", step->reg);
        snprintf(text, size, "; %.40s writes %s otherwise, in lane %u", insn, reg, lane[1]);
        f->word = step->word;
        f->lanes = lane[1] < TX_LANES ? 1u << lane[1] : 0;
    }
    free(steps[0].list);
    free(steps[1].list);
    free(tile);
    return result == TXL_NEGATIVE ? TXL_CONTINUE : result;
}

static int sweep_again_tell(struct txl_error *err, struct again *a, size_t differing, size_t input)
{
    struct tx_finding f = blank(a);
    char text[112] = "";
    if (add_left(a, input)) {
        return TXL_CONTINUE;
    }
    const int result = find_step(err, a, input, &f, text, sizeof text);
    snprintf(f.message, sizeof f.message, "%zu of %zu results depend on the rows before theirs%s",
             differing, a->count, text);
    sweep_again_add(a, &f, a->place[1][input] / TX_TILE_ELEMENTS);
    return result;
}

int sweep_again(struct txl_error *err, struct txl_sweep *s, void *worker)
{
    struct again *a = zeroed(err, 1, sizeof *a);
    int result = a != NULL ? open_again(err, &s->domain, a) : TXL_INPUT;
    const bool carry = !tx_program_carry(s->kernel.program);
    size_t input = 0;
    size_t differing = 0;
    if (result == TXL_CONTINUE) {
        a->kernel = &s->kernel;
        a->engine = s->engine;
        result = run_first(err, a, worker, a->out[0]);
    }
    if (result == TXL_CONTINUE) {
        result = run_second(err, a, carry, &s->findings);
    }
    bool hazards = false; /* an old value that is read is what was left: one report will do */
    for (uint64_t i = 0; i < s->findings.count; i++) {
        hazards = hazards || s->findings.list[i].finding.category == TX_HAZARD;
    }
    if (result == TXL_CONTINUE && a->found->count == 0 && !hazards) {
        differing = count_differing(a, &input);
    }
    if (differing > 0) {
        bool random = false;
        result = draws(err, a, &random);
        if (result == TXL_CONTINUE && random) {
            memcpy(a->order[1], a->order[0], sizeof a->order[1]);
            lay(a, 1);
            result = run_second(err, a, carry, &s->findings);
            differing = count_differing(a, &input);
        }
    }
    if (result == TXL_CONTINUE && differing > 0) {
        result = sweep_again_tell(err, a, differing, input);
    }
    if (result == TXL_CONTINUE) {
        s->again = a->count;
        s->again_differing = differing;
        sweep_findings_merge(&s->findings, a->found);
    }
    if (a != NULL) {
        close_again(a);
    }
    return result;
}

int sweep_carried(struct txl_error *err, const struct sweep_domain *domain,
                  const struct sweep_kernel *const kernels[2], struct sweep_carried *carried)
{
    struct again *a = zeroed(err, 1, sizeof *a);
    int result = a != NULL ? open_again(err, domain, a) : TXL_INPUT;
    for (unsigned n = 0; n < 2 && result == TXL_CONTINUE; n++) {
        a->kernel = kernels[n];
        result = run_second(err, a, true, NULL);
        if (n == 0 && result == TXL_CONTINUE) {
            memcpy(a->out[0], a->out[1], SWEEP_BATCH_ELEMENTS * sizeof *a->out[0]);
        }
    }
    *carried = (struct sweep_carried){.count = a != NULL ? a->count : 0};
    for (size_t i = 0; result == TXL_CONTINUE && i < a->count; i++) {
        const unsigned place = a->place[1][i];
        if (a->out[0][place] != a->out[1][place] && carried->differing++ == 0) {
            carried->index = index_of(a, i);
            carried->got[0] = a->out[0][place];
            carried->got[1] = a->out[1][place];
            for (unsigned k = 0; k < domain->operands; k++) {
                carried->inputs[k] = a->words[k][i];
            }
        }
    }
    if (a != NULL) {
        close_again(a);
    }
    return result;
}
