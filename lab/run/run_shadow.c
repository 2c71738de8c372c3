/* SPDX-License-Identifier: Apache-2.0 */
/* Reports how elements are computed in exact arithmetic, instruction by instruction. */
#include "run/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/options.h"
#include "shadow/shadow_text.h"

struct chosen {
    uint64_t element; /* index in the array */
    unsigned place;   /* position in the tile */
    double error;
};

struct look {
    struct txl_error *err;
    struct txl_run_shadow_options how;
    txl_run *run;
    FILE *out; /* NULL: only list is filled */
    const struct txl_run_result *about;
    txl_shadow *shadow;
    struct txl_run_tile *seen;
    uint64_t tile; /* the tile that seen and shadow contain */
    bool ran;
    txl_json *list;
};

/* Runs a tile with the shadow listening, unless it was the last one that was run. */
static int shadow_tile(struct look *l, uint64_t tile)
{
    const struct tx_sink sink = {.event = txl_shadow_event, .user = l->shadow};
    if (l->ran && l->tile == tile) {
        return TXL_OK;
    }
    l->tile = tile;
    l->ran = true;
    return txl_run_one(l->err, l->run, tile, &sink, txl_shadow_begin, l->seen);
}

/*
 * Computes the unrounded reference at a place into *value. *reference points to it, or is NULL
 * where the run has no reference.
 */
static int unrounded_at(struct look *l, unsigned place, double *value, const double **reference)
{
    const int result = txl_run_unrounded(l->err, l->run, l->seen, place, value);
    *reference = result == TXL_OK ? value : NULL;
    return result == TXL_NEGATIVE ? TXL_OK : result;
}

static void print_values(const struct look *l, unsigned place)
{
    char text[48];
    for (unsigned k = 0; k < l->about->inputs; k++) {
        const uint32_t word = l->seen->held[k][place];
        fprintf(l->out, "  x%u %s %08x", k, txl_number_text(l->about->dst, word, text, sizeof text),
                word);
    }
    fprintf(l->out, "  got %s %08x\n",
            txl_number_text(l->about->out_dst, l->seen->got[place], text, sizeof text),
            l->seen->got[place]);
}

static txl_json *values_json(const struct look *l, const struct chosen *one)
{
    txl_json *object = txl_json_object();
    txl_json *inputs = txl_json_array();
    txl_json_set_int(object, "element", one->element);
    txl_json_set_int(object, "tile", l->tile);
    for (unsigned k = 0; k < l->about->inputs; k++) {
        char text[16];
        snprintf(text, sizeof text, "0x%08x", l->seen->held[k][one->place]);
        txl_json_append(inputs, txl_json_string(text));
    }
    txl_json_set(object, "inputs", inputs);
    txl_json_set_word(object, "got", l->seen->got[one->place]);
    return object;
}

static int run_shadow_tell(struct look *l, const struct chosen *one)
{
    txl_account *account = NULL;
    const double *reference = NULL;
    double value = 0.0;
    int result = unrounded_at(l, one->place, &value, &reference);
    if (result == TXL_OK) {
        result = txl_shadow_account(l->err, l->shadow, one->place, l->seen->got[one->place],
                                    reference, &account);
    }
    if (result != TXL_OK) {
        return result;
    }
    const bool stored = txl_account_total(account)->stored;
    if (l->list != NULL) {
        txl_json *object = values_json(l, one);
        txl_json_set_bool(object, "stored", stored);
        txl_json_merge(object, txl_account_json(account));
        txl_json_append(l->list, object);
    } else {
        fprintf(l->out, "element %llu of tile %llu ", (unsigned long long)one->element,
                (unsigned long long)l->tile);
        print_values(l, one->place);
        if (stored) {
            shadow_print_account(l->out, account);
        } else {
            fprintf(l->out, "nothing was stored there\n");
        }
    }
    txl_account_close(account);
    return TXL_OK;
}

static int by_error(const void *a, const void *b)
{
    const struct chosen *x = a;
    const struct chosen *y = b;
    if (x->error != y->error) {
        return x->error > y->error ? -1 : 1;
    }
    return x->element < y->element ? -1 : x->element > y->element ? 1 : 0;
}

static int tell_worst(struct look *l)
{
    struct chosen all[TX_TILE_ELEMENTS];
    unsigned count = 0;
    int result = shadow_tile(l, l->how.tile);
    for (unsigned place = 0; place < TX_TILE_ELEMENTS && result == TXL_OK; place++) {
        struct chosen *one = &all[count];
        const double *reference = NULL;
        double value = 0.0;
        if (!txl_run_element(l->run, l->how.tile, place, &one->element)) {
            continue;
        }
        one->place = place;
        count++;
        result = unrounded_at(l, place, &value, &reference);
        if (result == TXL_OK) {
            result = txl_shadow_error(l->err, l->shadow, place, l->seen->got[place], reference,
                                      &one->error);
        }
        one->error = fabs(one->error);
    }
    qsort(all, count, sizeof all[0], by_error);
    for (unsigned i = 0; i < count && i < l->how.worst && result == TXL_OK; i++) {
        result = run_shadow_tell(l, &all[i]);
    }
    return result;
}

static int tell_element(struct look *l, uint64_t element)
{
    struct chosen one = {.element = element};
    uint64_t tile = 0;
    if (!txl_run_place(l->run, element, &tile, &one.place)) {
        return txl_fail_option(l->err, NULL, "elements", "%llu: the array has %llu",
                               (unsigned long long)element, (unsigned long long)l->about->elements);
    }
    const int result = shadow_tile(l, tile);
    return result == TXL_OK ? run_shadow_tell(l, &one) : result;
}

/* Builds the JSON report. */
static txl_json *report(const struct look *l)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", l->run->job.kernel);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(l->run->job.program)));
    txl_json_set_text(root, "dst", tx_dst_format_name(l->run->result.out_dst));
    txl_json_set_text(root, "reference", txl_run_reference(l->run));
    txl_json_set(root, "elements", l->list);
    return root;
}

static int tell_all(struct look *l)
{
    int result = l->how.element_count == 0 ? tell_worst(l) : TXL_OK;
    for (unsigned i = 0; i < l->how.element_count && result == TXL_OK; i++) {
        result = tell_element(l, l->how.elements[i]);
    }
    return result;
}

/* Makes the report; options and run are in l. */
static int look_at(struct look *l)
{
    l->about = txl_run_result(l->run);
    l->seen = zeroed(l->err, 1, sizeof *l->seen);
    int result = l->seen == NULL ? TXL_INPUT
                                 : txl_shadow_open(l->err, l->run->job.program, l->about->dst,
                                                   l->about->out_dst, &l->shadow);
    if (result == TXL_OK) {
        result = tell_all(l);
    }
    free(l->seen);
    txl_shadow_close(l->shadow);
    return result;
}

int txl_run_shadow_text(struct txl_error *err, txl_run *run,
                        const struct txl_run_shadow_options *options, char **text)
{
    struct look l = {.err = err, .run = run};
    struct memory_text written;
    *text = NULL;
    if (options_take(err, &l.how, sizeof l.how, options) != TXL_CONTINUE ||
        memory_text_open(err, &written) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    l.out = written.stream;
    const int result = look_at(&l);
    return memory_text_give(err, &written, result, text);
}

int txl_run_shadow_json(struct txl_error *err, txl_run *run,
                        const struct txl_run_shadow_options *options, char **text)
{
    struct look l = {.err = err, .run = run};
    *text = NULL;
    if (options_take(err, &l.how, sizeof l.how, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    l.list = txl_json_array();
    int result = l.list == NULL ? no_memory(err) : look_at(&l);
    txl_json *root = report(&l);
    if (result == TXL_OK) {
        *text = txl_json_indented(root);
        result = *text != NULL ? TXL_OK : no_memory(err);
    }
    txl_json_free(root);
    return result;
}
