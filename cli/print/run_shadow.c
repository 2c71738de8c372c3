/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run --shadow: elements of one tile, instruction by instruction. */
#include "print/run_shadow.h"

#include <math.h>
#include <stdlib.h>

#include <tensix-lab/json.h>
#include <tensix-lab/shadow.h>

#include "print/print.h"

struct chosen {
    uint64_t element; /* of the array */
    unsigned place;   /* in the tile */
    double error;
};

struct look {
    struct cli *cli;
    const struct run_shadow *how;
    const struct tx_program *program;
    txl_run *run;
    const struct txl_run_result *about;
    txl_shadow *shadow;
    struct txl_run_tile *seen;
    uint64_t tile; /* that seen and shadow hold */
    bool ran;
    txl_json *list;
};

/* The tile through emulator and shadow, unless it was the last one. */
static int shadow_tile(struct look *l, uint64_t tile)
{
    const struct tx_sink sink = {.event = txl_shadow_event, .user = l->shadow};
    if (l->ran && l->tile == tile) {
        return CLI_OK;
    }
    l->tile = tile;
    l->ran = true;
    return txl_run_one(&l->cli->error, l->run, tile, &sink, txl_shadow_begin, l->seen);
}

/* The function at this place into *value, and where it stands; NULL: the run has none. */
static int reference_at(struct look *l, unsigned place, double *value, const double **reference)
{
    const int result = txl_run_unrounded(&l->cli->error, l->run, l->seen, place, value);
    *reference = result == TXL_OK ? value : NULL;
    return result == TXL_NEGATIVE ? CLI_OK : result;
}

static void print_values(const struct look *l, unsigned place)
{
    char text[48];
    for (unsigned k = 0; k < l->about->inputs; k++) {
        const uint32_t word = l->seen->held[k][place];
        printf("  x%u %s %08x", k, txl_number_text(l->about->dst, word, text, sizeof text), word);
    }
    printf("  got %s %08x\n",
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

static int tell(struct look *l, const struct chosen *one)
{
    txl_account *account = NULL;
    const double *reference = NULL;
    double value = 0.0;
    int result = reference_at(l, one->place, &value, &reference);
    if (result == CLI_OK) {
        result = txl_shadow_account(&l->cli->error, l->shadow, one->place, l->seen->got[one->place],
                                    reference, &account);
    }
    if (result != CLI_OK) {
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
            print_account(tx_program_arch(l->program), account);
        } else {
            printf("nothing was stored there\n");
        }
    }
    txl_account_close(account);
    return CLI_OK;
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
    int result = shadow_tile(l, l->how->tile);
    for (unsigned place = 0; place < TX_TILE_ELEMENTS && result == CLI_OK; place++) {
        struct chosen *one = &all[count];
        const double *reference = NULL;
        double value = 0.0;
        if (!txl_run_element(l->run, l->how->tile, place, &one->element)) {
            continue;
        }
        one->place = place;
        count++;
        result = reference_at(l, place, &value, &reference);
        if (result == CLI_OK) {
            result = txl_shadow_error(&l->cli->error, l->shadow, place, l->seen->got[place],
                                      reference, &one->error);
        }
        one->error = fabs(one->error);
    }
    qsort(all, count, sizeof all[0], by_error);
    for (unsigned i = 0; i < count && i < l->how->worst && result == CLI_OK; i++) {
        result = tell(l, &all[i]);
    }
    return result;
}

static int tell_element(struct look *l, uint64_t element)
{
    struct chosen one = {.element = element};
    uint64_t tile = 0;
    if (!txl_run_place(l->run, element, &tile, &one.place)) {
        return cli_fail(l->cli, "--element %llu: the array has %llu", (unsigned long long)element,
                        (unsigned long long)l->about->elements);
    }
    const int result = shadow_tile(l, tile);
    return result == CLI_OK ? tell(l, &one) : result;
}

static txl_json *report(const struct look *l)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", l->how->kernel);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(l->program)));
    txl_json_set_text(root, "dst", tx_dst_format_name(l->about->out_dst));
    txl_json_set_text(root, "reference", txl_run_reference(l->run));
    txl_json_set(root, "elements", l->list);
    return root;
}

static int tell_all(struct look *l)
{
    int result = l->how->count == 0 ? tell_worst(l) : CLI_OK;
    for (unsigned i = 0; i < l->how->count && result == CLI_OK; i++) {
        result = tell_element(l, l->how->elements[i]);
    }
    return result;
}

int run_shadow(struct cli *cli, const struct tx_program *program, txl_run *run,
               const struct run_shadow *how)
{
    struct look l = {.cli = cli,
                     .how = how,
                     .program = program,
                     .run = run,
                     .about = txl_run_result(run),
                     .seen = calloc(1, sizeof *l.seen),
                     .list = cli->json ? txl_json_array() : NULL};
    int result =
        l.seen == NULL || (cli->json && l.list == NULL)
            ? cli_fail(cli, "out of memory")
            : txl_shadow_open(&cli->error, program, l.about->dst, l.about->out_dst, &l.shadow);
    if (result == CLI_OK) {
        result = tell_all(&l);
    }
    if (result == CLI_OK && cli->json) {
        txl_json *root = report(&l);
        result = cli_put(cli, txl_json_indented(root));
        txl_json_free(root);
    } else {
        txl_json_free(l.list);
    }
    free(l.seen);
    txl_shadow_close(l.shadow);
    return result;
}
