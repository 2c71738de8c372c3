/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run --shadow: elements of one tile, instruction by instruction. */
#include "cli.h"

#include "print/run_shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>
#include <tensix-lab/shadow.h>

#include "print/print.h"

struct chosen {
    uint64_t element; /* of the array */
    unsigned place;   /* in the tile */
    double error;
};

struct look {
    struct run_job *job;
    const struct run_shadow *how;
    txl_shadow *shadow;
    struct reference_work *reference;
    struct txl_run_tile *seen;
    uint64_t tile; /* that seen and shadow hold */
    bool ran;
    txl_json *list;
};

/* The tile through emulator and shadow, unless it was the last one. */
static int shadow_tile(struct look *l, uint64_t tile)
{
    struct run_job *job = l->job;
    if (l->ran && l->tile == tile) {
        return TXL_CONTINUE;
    }
    job->settings.sink = (struct tx_sink){.event = txl_shadow_event, .user = l->shadow};
    int result = run_look(job, tile, txl_shadow_begin, l->seen);
    if (result == TXL_CONTINUE && job->failure != RUN_GOOD) {
        result = run_failed(job);
    }
    l->tile = tile;
    l->ran = true;
    return result;
}

/* The function at this place, or NULL. */
static const double *reference_at_place(struct look *l, unsigned place, double *value)
{
    double x[REF_INPUTS] = {0};
    if (l->reference == NULL) {
        return NULL;
    }
    for (unsigned k = 0; k < l->job->input_count && k < REF_INPUTS; k++) {
        x[k] = number_of(l->job->dst, l->seen->held[k][place], true);
    }
    *value = reference_unrounded(l->reference, x);
    return value;
}

static void print_values(const struct look *l, unsigned place)
{
    const struct run_job *job = l->job;
    char text[48];
    for (unsigned k = 0; k < job->input_count; k++) {
        uint32_t word = l->seen->held[k][place];
        printf("  x%u %s %08x", k, number_text(job->dst, word, text, sizeof text), word);
    }
    printf("  got %s %08x\n", number_text(job->out_dst, l->seen->got[place], text, sizeof text),
           l->seen->got[place]);
}

static txl_json *values_json(const struct look *l, const struct chosen *one)
{
    txl_json *object = txl_json_object();
    txl_json *inputs = txl_json_array();
    txl_json_set_int(object, "element", one->element);
    txl_json_set_int(object, "tile", l->tile);
    for (unsigned k = 0; k < l->job->input_count; k++) {
        char text[16];
        snprintf(text, sizeof text, "0x%08x", l->seen->held[k][one->place]);
        txl_json_append(inputs, txl_json_string(text));
    }
    txl_json_set(object, "inputs", inputs);
    txl_json_set_word(object, "got", l->seen->got[one->place]);
    return object;
}

static int tell(struct look *l, const struct chosen *one)
{
    const enum tx_arch arch = tx_program_arch(l->job->program);
    txl_account *account = NULL;
    double value = 0.0;
    const double *reference = reference_at_place(l, one->place, &value);
    const int result = txl_shadow_account(l->job->err, l->shadow, one->place,
                                          l->seen->got[one->place], reference, &account);
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
        printf("element %llu of tile %llu ", (unsigned long long)one->element,
               (unsigned long long)l->tile);
        print_values(l, one->place);
        if (stored) {
            print_account(arch, account);
        } else {
            printf("nothing was stored there\n");
        }
    }
    txl_account_close(account);
    return TXL_CONTINUE;
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
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    unsigned count = 0;
    int result = shadow_tile(l, l->how->tile);
    unsigned rows = run_spans(&l->job->tiling, l->how->tile, spans);
    for (unsigned s = 0; s < rows && result == TXL_CONTINUE; s++) {
        for (unsigned i = 0; i < spans[s].length && result == TXL_CONTINUE; i++) {
            struct chosen *one = &all[count++];
            double value = 0.0;
            *one = (struct chosen){.element = spans[s].element + i, .place = spans[s].place + i};
            const double *reference = reference_at_place(l, one->place, &value);
            if (txl_shadow_error(l->job->err, l->shadow, one->place, l->seen->got[one->place],
                                 reference, &one->error) != TXL_OK) {
                result = TXL_INPUT;
            }
            one->error = fabs(one->error);
        }
    }
    qsort(all, count, sizeof all[0], by_error);
    for (unsigned i = 0; i < count && i < l->how->worst && result == TXL_CONTINUE; i++) {
        result = tell(l, &all[i]);
    }
    return result;
}

static int tell_element(struct look *l, uint64_t element)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    for (uint64_t tile = 0; tile < l->job->tiling.tiles; tile++) {
        unsigned rows = run_spans(&l->job->tiling, tile, spans);
        for (unsigned s = 0; s < rows; s++) {
            if (element - spans[s].element < spans[s].length) {
                unsigned place = spans[s].place + (unsigned)(element - spans[s].element);
                const struct chosen one = {.element = element, .place = place};
                int result = shadow_tile(l, tile);
                return result == TXL_CONTINUE ? tell(l, &one) : result;
            }
        }
    }
    return txl_fail(l->job->err, "--element %llu: the array has %llu", (unsigned long long)element,
                    (unsigned long long)l->job->tiling.count);
}

static int tell_all(struct look *l)
{
    int result = TXL_CONTINUE;
    if (l->how->count == 0) {
        return l->how->tile < l->job->tiling.tiles
                   ? tell_worst(l)
                   : txl_fail(l->job->err, "--tile %llu: the array has %llu tiles",
                              (unsigned long long)l->how->tile,
                              (unsigned long long)l->job->tiling.tiles);
    }
    for (unsigned i = 0; i < l->how->count && result == TXL_CONTINUE; i++) {
        result = tell_element(l, l->how->elements[i]);
    }
    return result;
}

static txl_json *report(const struct look *l)
{
    const struct run_job *job = l->job;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", job->kernel);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(job->program)));
    txl_json_set_text(root, "dst", tx_dst_format_name(job->out_dst));
    txl_json_set_text(root, "reference", job->reference != NULL ? job->reference->name : NULL);
    txl_json_set(root, "elements", l->list);
    return root;
}

int run_shadow(struct run_job *job, const struct run_shadow *how)
{
    struct cli *cli = cli_of(job->err);
    struct look l = {.job = job, .how = how};
    l.seen = calloc(1, sizeof *l.seen);
    l.reference = job->reference != NULL ? reference_open(job->reference, job->out_dst) : NULL;
    l.list = cli->json ? txl_json_array() : NULL;
    int result = l.seen == NULL || (cli->json && l.list == NULL) ||
                         (job->reference != NULL && l.reference == NULL)
                     ? txl_fail(job->err, "out of memory")
                     : txl_shadow_open(job->err, job->program, job->dst, job->out_dst, &l.shadow);
    if (result == TXL_OK) {
        result = tell_all(&l);
    }
    if (result == TXL_CONTINUE && cli->json) {
        txl_json *root = report(&l);
        result = cli_put_json(cli, txl_json_indented(root));
        txl_json_free(root);
    } else {
        txl_json_free(l.list);
    }
    reference_close(l.reference);
    free(l.seen);
    txl_shadow_close(l.shadow);
    return result == TXL_CONTINUE ? TXL_OK : result;
}
