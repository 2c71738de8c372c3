/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two kernels, or one kernel on two chips, over a domain: results, cycles, and where the
 * two computations diverge.
 */
#include <tensix-lab/compare.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "flow/left.h"
#include "sweep/sweep.h"

enum { SIDES = 2 };

struct side {
    const char *path;
    struct tx_program *own; /* read from a file */
    struct sweep_kernel kernel;
    uint64_t cycles;
    uint32_t got; /* its result at the first difference */
    bool parts;
    struct txl_sweep_step step;
    char left[TX_MESSAGE]; /* what its tiles leave for the next one, where that is the difference */
};

struct txl_compare {
    struct txl_sweep_options both;
    struct side side[SIDES];
    const struct sweep_engine *engine;
    struct sweep_domain domain;
    struct sweep_order order;
    char covered[256];
    struct comparer *workers;
    unsigned jobs;
    uint64_t differing, first;
    uint64_t carried;         /* not 0: results differ only in that many, with state carried */
    uint32_t x[SWEEP_INPUTS]; /* operands of the first difference */
};

/* The working data of one thread. */
struct comparer {
    struct txl_compare *compare;
    void *engine[SIDES];
    struct order_unit *unit;
    /* Inputs in the unit's order, and in tiles as the kernels have them; results in tiles. */
    uint32_t *words[SWEEP_INPUTS], *tiles[SWEEP_INPUTS], *got[SIDES];
};

static int measure_side(struct txl_error *err, txl_compare *c, struct side *side)
{
    const unsigned stated = tx_program_inputs(side->kernel.program);
    const unsigned inputs = stated > 0 ? stated : 1;
    if (inputs != c->domain.operands) {
        return txl_fail_option(err, NULL, "domain",
                               "%s takes %u input%s, %s has %u; pairs are bf16xbf16", side->path,
                               inputs, inputs == 1 ? "" : "s", c->domain.text, c->domain.operands);
    }
    struct sweep_findings *findings = zeroed(err, 1, sizeof *findings);
    if (findings == NULL) {
        return TXL_INPUT;
    }
    side->kernel.tiles = c->domain.count / TX_TILE_ELEMENTS;
    const int result = sweep_measure(err, side->path, &side->kernel, &side->cycles, findings);
    free(findings);
    return result;
}

/*
 * The format whose values a domain names: integers are those of the kernels' Dst, anything else are
 * patterns of floats, whatever the kernels take them for.
 */
static enum tx_dst_format domain_format(const char *domain, enum tx_dst_format dst)
{
    const bool integers = strncmp(domain, "int", 3) == 0 || strncmp(domain, "uint", 4) == 0;
    return integers ? dst : TX_DST_FORMAT_FP32;
}

static int prepare(struct txl_error *err, txl_compare *c, const struct txl_compare_options *o)
{
    struct txl_sweep_options own = c->both;
    if (o->a == NULL) {
        return txl_fail(err, "no kernel is given");
    }
    c->engine = sweep_engine_at(own.engine);
    if (c->engine == NULL) {
        return txl_fail_option(err, NULL, "engine", "there is no such engine");
    }
    c->jobs = sweep_jobs(own.jobs);
    c->first = UINT64_MAX;
    const char *domain = own.domain != NULL ? own.domain : "bf16";
    int result = TXL_CONTINUE;
    for (unsigned n = 0; n < SIDES && result == TXL_CONTINUE; n++) {
        const bool again = n == 1 && o->b == NULL;
        own.kernel = n == 0 || again ? o->a : o->b;
        own.program = n == 0 || again ? o->program_a : o->program_b;
        own.arch = n == 1 && o->arch_b != TX_ARCH_NONE ? o->arch_b : o->arch_a;
        c->side[n].path = own.kernel;
        result = sweep_load(err, &own, &c->side[n].kernel, &c->side[n].own);
    }
    if (result == TXL_CONTINUE) {
        result = domain_parse(err, domain, domain_format(domain, c->side[0].kernel.options.dst),
                              own.stride, own.sample, &c->domain);
    }
    if (result == TXL_CONTINUE) {
        result = order_open(err, &c->domain, false, &c->order);
    }
    for (unsigned n = 0; n < SIDES && result == TXL_CONTINUE; n++) {
        result = measure_side(err, c, &c->side[n]);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    const enum tx_dst_format a = c->side[0].kernel.options.out;
    const enum tx_dst_format b = c->side[1].kernel.options.out;
    (void)domain_count_text(&c->domain, c->covered, sizeof c->covered);
    return number_format(a)->integer == number_format(b)->integer
               ? TXL_CONTINUE
               : txl_fail_option(
                     err, NULL, "out",
                     "results of %s are %s, those of %s are %s; one format for both compares them",
                     c->side[0].path, tx_dst_format_name(a), c->side[1].path,
                     tx_dst_format_name(b));
}

int txl_compare_open(struct txl_error *err, const struct txl_compare_options *options,
                     txl_compare **compare)
{
    struct txl_compare_options o;
    *compare = NULL;
    txl_compare *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    int result = options_take(err, &o, sizeof o, options);
    if (result == TXL_CONTINUE) {
        result = options_take(err, &c->both, sizeof c->both, o.both);
    }
    if (result == TXL_CONTINUE) {
        result = prepare(err, c, &o);
    }
    if (result == TXL_CONTINUE) {
        *compare = c;
        return TXL_OK;
    }
    txl_compare_close(c);
    return result;
}

void txl_compare_close(txl_compare *c)
{
    if (c != NULL) {
        for (unsigned n = 0; n < SIDES; n++) {
            tx_program_free(c->side[n].own);
        }
        order_close(&c->order);
        domain_free(&c->domain);
        free(c);
    }
}

/* ---- the work ---- */

/* Returns the number of the input at a position of the unit. */
static uint64_t index_of(const struct order_unit *unit, size_t at)
{
    unsigned k = 0;
    while (at - unit->run[k].at >= unit->run[k].count) {
        k++;
    }
    return unit->run[k].index + (at - unit->run[k].at);
}

static void add_unit(struct pool *pool, const struct comparer *w)
{
    txl_compare *c = w->compare;
    uint64_t differing = 0;
    size_t place = 0;
    size_t first = SIZE_MAX; /* the unit's order is that of the inputs */
    for (size_t i = 0; i < w->unit->count; i++) {
        if (w->got[0][i] != w->got[1][i]) {
            differing++;
            place = w->unit->place[i] < first ? i : place;
            first = w->unit->place[i] < first ? w->unit->place[i] : first;
        }
    }
    const uint64_t index = differing > 0 ? index_of(w->unit, first) : UINT64_MAX;
    pool_lock(pool);
    c->differing += differing;
    if (index < c->first) {
        c->first = index;
        for (unsigned n = 0; n < SIDES; n++) {
            c->side[n].got = w->got[n][place];
        }
        for (unsigned k = 0; k < c->domain.operands; k++) {
            c->x[k] = w->words[k][first];
        }
    }
    pool_unlock(pool);
}

static int run_both(struct comparer *w, uint64_t tile, struct txl_error *err)
{
    txl_compare *c = w->compare;
    int result = TXL_CONTINUE;
    order_fill(&c->domain, w->unit, w->words);
    order_settle(&c->order, w->unit);
    for (unsigned k = 0; k < c->domain.operands; k++) {
        order_lay(w->unit, false, w->words[k], w->tiles[k]);
    }
    for (unsigned n = 0; n < SIDES && result == TXL_CONTINUE; n++) {
        result = c->engine->run(w->engine[n], tile, (unsigned)order_tiles(w->unit),
                                (const uint32_t *const *)w->tiles, w->got[n], err);
    }
    return result;
}

static void compare_work(struct pool *pool, void *user, unsigned worker)
{
    txl_compare *c = user;
    struct comparer *w = &c->workers[worker];
    uint64_t chunk = 0;
    bool going = true;
    while (going && pool_take(pool, &chunk)) {
        uint64_t tile = c->order.tiles[chunk];
        for (uint64_t n = 0; n < c->order.units && going; n++) {
            struct txl_error why = {.status = TXL_OK};
            order_unit(&c->order, chunk, n, w->unit);
            const int result = run_both(w, tile, &why);
            if (result != TXL_CONTINUE) {
                pool_refuse(pool, result, "%s", why.message);
                return;
            }
            add_unit(pool, w);
            tile += order_tiles(w->unit);
            going = pool_add(pool, w->unit->count);
        }
    }
}

static int open_comparer(struct txl_error *err, txl_compare *c, struct comparer *w)
{
    w->compare = c;
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        w->words[k] = zeroed(err, SWEEP_BATCH_ELEMENTS, sizeof **w->words);
        w->tiles[k] = zeroed(err, SWEEP_BATCH_ELEMENTS, sizeof **w->tiles);
        if (w->words[k] == NULL || w->tiles[k] == NULL) {
            return TXL_INPUT;
        }
    }
    w->unit = zeroed(err, 1, sizeof *w->unit);
    if (w->unit == NULL) {
        return TXL_INPUT;
    }
    for (unsigned n = 0; n < SIDES; n++) {
        struct txl_error why = {.status = TXL_OK};
        w->got[n] = zeroed(err, SWEEP_BATCH_ELEMENTS, sizeof **w->got);
        if (w->got[n] == NULL) {
            return TXL_INPUT;
        }
        w->engine[n] = c->engine->open(&c->side[n].kernel, &why);
        if (w->engine[n] == NULL) {
            return txl_fail(err, "%s: %s", c->side[n].path, why.message);
        }
    }
    return TXL_CONTINUE;
}

static void close_comparer(struct comparer *w)
{
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        free(w->words[k]);
        free(w->tiles[k]);
    }
    free(w->unit);
    for (unsigned n = 0; n < SIDES; n++) {
        free(w->got[n]);
        if (w->engine[n] != NULL) {
            w->compare->engine->close(w->engine[n]);
        }
    }
}

/* ---- divergence ---- */

static bool has_value(const struct sweep_steps *steps, uint32_t value)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (!steps->list[i].store && steps->list[i].value == value) {
            return true;
        }
    }
    return false;
}

/*
 * Finds where the two computations diverge. If both run the same instructions, steps are compared
 * one by one. Otherwise it is the first value of each that the other never computes; for the same
 * computation in another order there is none before the mistake.
 */
static void find_parting(const struct sweep_steps *steps, struct side *sides)
{
    bool same = steps[0].count == steps[1].count;
    for (size_t i = 0; i < steps[0].count && same; i++) {
        same = steps[0].list[i].word == steps[1].list[i].word;
    }
    for (unsigned n = 0; n < SIDES; n++) {
        const struct sweep_steps *other = &steps[1 - n];
        size_t i = 0;
        while (i < steps[n].count &&
               (same ? steps[n].list[i].value == other->list[i].value
                     : !steps[n].list[i].store && has_value(other, steps[n].list[i].value))) {
            i++;
        }
        sides[n].parts = i < steps[n].count;
        if (sides[n].parts) {
            sides[n].step = steps[n].list[i];
        }
    }
}

static int trace_both(struct txl_error *err, txl_compare *c)
{
    struct sweep_steps steps[SIDES] = {{0}};
    struct order_tile *tile = zeroed(err, 1, sizeof *tile);
    int result = tile != NULL ? order_tile(err, &c->order, &c->domain, c->first, tile) : TXL_INPUT;
    for (unsigned n = 0; n < SIDES && result == TXL_CONTINUE; n++) {
        struct txl_error why = {.status = TXL_OK};
        result = sweep_steps_of(&why, &c->side[n].kernel, tile, &steps[n]);
        if (result == TXL_NEGATIVE) {
            result = txl_fail(err, "the first input that differs could not be traced");
        } else if (result != TXL_CONTINUE) {
            result = no_memory(err);
        }
    }
    if (result == TXL_CONTINUE) {
        find_parting(steps, c->side);
    }
    for (unsigned n = 0; n < SIDES; n++) {
        free(steps[n].list);
    }
    free(tile);
    return result;
}

/* Both kernels again, as tiles follow one another on a card. */
static int compare_carried(struct txl_error *err, txl_compare *c)
{
    const struct sweep_kernel *const kernels[SIDES] = {&c->side[0].kernel, &c->side[1].kernel};
    struct sweep_carried carried;
    const int result = sweep_carried(err, &c->domain, kernels, &carried);
    if (result != TXL_CONTINUE || carried.differing == 0) {
        return result;
    }
    c->differing = carried.differing;
    c->carried = carried.count;
    c->first = carried.index;
    memcpy(c->x, carried.inputs, sizeof c->x);
    for (unsigned n = 0; n < SIDES; n++) {
        const struct sweep_kernel *k = kernels[n];
        struct left left = {.count = 0};
        c->side[n].got = carried.got[n];
        if (!left_find(k->program, &k->settings, &k->options, NULL, &left)) {
            return no_memory(err);
        }
        snprintf(c->side[n].left, sizeof c->side[n].left, "%s",
                 left.count > 0 ? left.list[0].message : "");
    }
    return TXL_CONTINUE;
}

int txl_compare_run(struct txl_error *err, txl_compare *c)
{
    unsigned opened = 0;
    c->workers = zeroed(err, c->jobs, sizeof *c->workers);
    int result = c->workers != NULL ? TXL_CONTINUE : TXL_INPUT;
    while (opened < c->jobs && result == TXL_CONTINUE) {
        result = open_comparer(err, c, &c->workers[opened++]);
    }
    if (result == TXL_CONTINUE) {
        const struct pool_how how = {.threads = c->jobs,
                                     .pieces = c->order.chunks,
                                     .total = c->domain.count,
                                     .work = compare_work,
                                     .user = c,
                                     .progress = c->both.progress,
                                     .progress_user = c->both.user};
        result = pool_run(err, &how);
    }
    for (unsigned i = 0; i < opened; i++) {
        close_comparer(&c->workers[i]);
    }
    free(c->workers);
    c->workers = NULL;
    if (result == TXL_CONTINUE && c->differing > 0) {
        result = trace_both(err, c);
    } else if (result == TXL_CONTINUE) {
        result = compare_carried(err, c);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- results ---- */

void txl_compare_result(const txl_compare *c, struct txl_compare_result *result)
{
    struct txl_compare_result all = {.domain = c->domain.text,
                                     .covered = c->covered,
                                     .operands = c->domain.operands,
                                     .compared = c->domain.count,
                                     .differing = c->differing,
                                     .first = c->first,
                                     .carried = c->carried};
    memcpy(all.inputs, c->x, sizeof all.inputs);
    options_give(result, &all, sizeof all);
}

void txl_compare_side(const txl_compare *c, unsigned at, struct txl_compare_side *side)
{
    const struct side *s = &c->side[at != 0 ? 1 : 0];
    const struct txl_compare_side all = {.kernel = s->path,
                                         .program = s->kernel.program,
                                         .dst = s->kernel.options.dst,
                                         .out = s->kernel.options.out,
                                         .cycles = s->cycles,
                                         .got = s->got,
                                         .parts = s->parts,
                                         .step = s->step};
    options_give(side, &all, sizeof all);
}

static txl_json *side_json(const txl_compare *c, const struct side *side)
{
    const struct tx_program *program = side->kernel.program;
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "kernel", side->path);
    txl_json_set_text(object, "arch", tx_arch_name(tx_program_arch(program)));
    txl_json_set_text(object, "start", txl_start_name(program));
    txl_json_set_text(object, "dst", tx_dst_format_name(side->kernel.options.dst));
    txl_json_set_text(object, "out_dst", tx_dst_format_name(side->kernel.options.out));
    txl_json_set_text(object, "dst_encoding", tx_dst_encoding_name(side->kernel.options.dst));
    txl_json_set_int(object, "cycles_per_tile", side->cycles);
    if (c->differing == 0) {
        return object;
    }
    txl_json_set_word(object, "got", side->got);
    if (side->left[0] != '\0') {
        txl_json_set_text(object, "leaves", side->left);
    }
    if (side->parts) {
        txl_json_set(object, "part_at", sweep_step_json(tx_program_arch(program), &side->step));
    }
    return object;
}

txl_json *txl_compare_json(struct txl_error *err, const txl_compare *c)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "domain", c->domain.text);
    txl_json_set_int(root, "compared", c->domain.count);
    txl_json_set_bool(root, "identical", c->differing == 0);
    txl_json_set_int(root, "differing", c->differing);
    if (c->carried != 0) {
        txl_json_set_int(root, "carried", c->carried);
    }
    if (c->differing != 0) {
        txl_json *list = txl_json_array();
        for (unsigned k = 0; k < c->domain.operands; k++) {
            char text[16];
            snprintf(text, sizeof text, "0x%08x", c->x[k]);
            txl_json_append(list, txl_json_string(text));
        }
        txl_json_set_int(root, "first", c->first);
        txl_json_set(root, "inputs", list);
    }
    txl_json_set(root, "a", side_json(c, &c->side[0]));
    txl_json_set(root, "b", side_json(c, &c->side[1]));
    if (root == NULL) {
        no_memory(err);
    }
    return root;
}

static void print_parting(FILE *out, const struct txl_compare_side *side, unsigned n)
{
    const struct txl_sweep_step *one = &side->step;
    char text[128];
    char number[48];
    fprintf(out, "%-15s %s", n == 0 ? "part at" : "", n == 0 ? "a" : "b");
    if (!side->parts) {
        fprintf(out, " nothing that the other does not compute\n");
        return;
    }
    (void)tx_disassemble(tx_program_arch(side->program), one->word, TX_DIS_NORMAL, text,
                         sizeof text);
    fprintf(out, " cycle %llu: %s = %08x %s by %s%s\n", (unsigned long long)one->cycle,
            one->store ? "Dst" : "LReg", one->value,
            txl_number_text(TX_DST_FORMAT_FP32, one->value, number, sizeof number), text,
            one->scheduled ? " (scheduled)" : "");
}

static void print_compare(FILE *out, const txl_compare *compare)
{
    char dst[80];
    char text[256];
    struct txl_compare_result r = {.size = sizeof r};
    struct txl_compare_side sides[2];
    txl_compare_result(compare, &r);
    for (unsigned n = 0; n < 2; n++) {
        struct txl_compare_side *side = &sides[n];
        side->size = sizeof *side;
        txl_compare_side(compare, n, side);
        fprintf(out, "%-15s %s on %s, Dst %s%s: cycles a tile %llu, a row of 32 %.6g\n",
                n == 0 ? "a" : "b", txl_basename(side->kernel),
                tx_arch_name(tx_program_arch(side->program)), txl_dst_text(side->dst, dst),
                txl_start_text(side->program), (unsigned long long)side->cycles,
                (double)side->cycles / 32.0);
    }
    fprintf(out, "inputs          %s\n", r.covered);
    if (r.differing == 0) {
        fprintf(out, "identical\n");
        return;
    }
    fprintf(out, "differing       %llu of %llu%s\nfirst          ", (unsigned long long)r.differing,
            (unsigned long long)(r.carried != 0 ? r.carried : r.compared),
            r.carried != 0 ? ", with state carried from tile to tile" : "");
    for (unsigned k = 0; k < r.operands; k++) {
        fprintf(out, " x%u %s %08x", k,
                txl_number_text(sides[0].dst, r.inputs[k], text, sizeof text), r.inputs[k]);
    }
    for (unsigned n = 0; n < 2; n++) {
        fprintf(out, "  %s %s %08x", n == 0 ? "a" : "b",
                txl_number_text(sides[n].out, sides[n].got, text, sizeof text), sides[n].got);
    }
    fprintf(out, "\n");
    for (unsigned n = 0; n < 2 && r.carried == 0; n++) {
        print_parting(out, &sides[n], n);
    }
    for (unsigned n = 0; n < 2; n++) {
        if (compare->side[n].left[0] != '\0') {
            fprintf(out, "%-15s %s\n", n == 0 ? "a leaves" : "b leaves", compare->side[n].left);
        }
    }
}

char *txl_compare_text(const txl_compare *compare)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_compare(text.stream, compare);
    return memory_text_take(&text);
}
