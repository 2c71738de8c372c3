/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public face of the room: opens a shadow for a program and gives accounts, whose lines carry
 * the places of their instructions in the source.
 */
#include "base/json.h"
#include "shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"
#include "reference/ulp.h"

struct txl_shadow {
    struct shadow *inner;
    const struct tx_program *program;
    enum tx_dst_format out;
    struct feed feed; /* the program's words, in the order in which they are issued */
    uint32_t *issued; /* words of .tile in the order of issue, as indices into feed.words */
    size_t issued_count;
};

struct txl_account {
    struct txl_account_total total;
    struct txl_account_line *lines;
    struct txl_step *steps; /* copies for the lines, since the graph may be gone */
    enum tx_arch arch;
    char exact[40];
};

static const char *const event_names[TXL_SHADOW_EVENTS] = {
    "operand flushed", "product flushed",
    "result flushed",  "tie",
    "cancellation",    "overflow",
    "saturated",       "not IEEE",
    "low bits cut",    "NaN",
    "random",          "rounded by a constant",
};

const char *txl_shadow_event_name(unsigned bit)
{
    return bit < TXL_SHADOW_EVENTS ? event_names[bit] : NULL;
}

/*
 * Lists the words of .tile that are issued. For a program that is too long for a feed the list
 * stays empty, and lines have no places. Returns false without memory.
 */
static bool list_issued(struct txl_shadow *s)
{
    if (!feed_build(&s->feed, s->program)) {
        feed_free(&s->feed);
        return true;
    }
    s->issued = malloc((s->feed.count + 1) * sizeof *s->issued);
    for (size_t at = s->feed.tile; s->issued != NULL && at < s->feed.count; at++) {
        if (!s->feed.words[at].idle) {
            s->issued[s->issued_count++] = (uint32_t)at;
        }
    }
    return s->issued != NULL;
}

int txl_shadow_open(struct txl_error *err, const struct tx_program *program, enum tx_dst_format dst,
                    enum tx_dst_format out, txl_shadow **shadow)
{
    struct txl_shadow *s = calloc(1, sizeof *s);
    *shadow = NULL;
    if (s == NULL) {
        return no_memory(err);
    }
    s->program = program;
    s->out = out;
    s->inner = shadow_open(tx_program_arch(program), dst);
    if (s->inner == NULL || !list_issued(s)) {
        txl_shadow_close(s);
        return no_memory(err);
    }
    *shadow = s;
    return TXL_OK;
}

void txl_shadow_close(txl_shadow *s)
{
    if (s != NULL) {
        shadow_close(s->inner);
        feed_free(&s->feed);
        free(s->issued);
        free(s);
    }
}

void txl_shadow_event(void *shadow, const struct tx_event *event)
{
    shadow_event(((struct txl_shadow *)shadow)->inner, event);
}

void txl_shadow_begin(void *shadow)
{
    shadow_begin(((struct txl_shadow *)shadow)->inner);
}

const txl_graph *txl_shadow_graph(const txl_shadow *s)
{
    return shadow_graph(s->inner);
}

/* ---- lines ---- */

/*
 * Returns the place of the word that issued the step, or whose SFPLOADMACRO scheduled it; NULL
 * where it is not known.
 */
static const struct feed_site *site_of(const struct txl_shadow *s, const struct txl_step *step)
{
    const uint64_t first = shadow_first(s->inner);
    if (step->number < first || step->number - first >= s->issued_count) {
        return NULL;
    }
    const struct feed_word *word = &s->feed.words[s->issued[step->number - first]];
    const bool right = word->site != FEED_NOWHERE && (step->scheduled || word->word == step->word);
    return right ? &s->feed.sites[word->site] : NULL;
}

static void fill_line(const struct txl_shadow *s, const struct shadow_line *from,
                      struct txl_account_line *to, struct txl_step *copy)
{
    const struct shadow_node *n = shadow_node_at(s->inner, from->node);
    const struct txl_step *step = shadow_step_at(s->inner, n->step);
    const struct feed_site *site = site_of(s, step);
    *copy = *step;
    *to = (struct txl_account_line){
        .step = copy,
        .placed = site != NULL,
        .word = site != NULL ? site->offset : 0,
        .source_line = site != NULL ? site->line : 0,
        .source = site != NULL ? site->file : NULL,
        .result = n->bits,
        .own = from->local,
        .so_far = from->so_far,
        .share = from->share,
        .events = from->events,
        .cancelled = from->cancelled,
        .cut = from->cut,
        .taken = n->kind == SHADOW_START   ? (n->constant ? "constant" : "as it is")
                 : n->kind == SHADOW_INPUT ? "input"
                                           : "",
    };
    memcpy(to->exact, from->exact, sizeof to->exact);
    if (n->integer) {
        snprintf(to->value, sizeof to->value, "%lld", (long long)shadow_integer(n));
    } else {
        (void)number_text(TX_DST_FORMAT_FP32, n->bits, to->value, sizeof to->value);
    }
}

static txl_account *make_account(const struct txl_shadow *s, const struct shadow_account *inner)
{
    txl_account *a = calloc(1, sizeof *a);
    if (a == NULL) {
        return NULL;
    }
    a->arch = tx_program_arch(s->program);
    memcpy(a->exact, inner->exact, sizeof a->exact);
    a->total = (struct txl_account_total){.stored = inner->stored,
                                          .has_reference = inner->has_reference,
                                          .error = inner->error,
                                          .method = inner->method,
                                          .exact = a->exact,
                                          .lines = inner->count,
                                          .guilty = inner->guilty};
    a->lines = calloc(inner->count + 1, sizeof *a->lines);
    a->steps = calloc(inner->count + 1, sizeof *a->steps);
    if (a->lines == NULL || a->steps == NULL) {
        txl_account_close(a);
        return NULL;
    }
    for (size_t i = 0; i < inner->count; i++) {
        fill_line(s, &inner->lines[i], &a->lines[i], &a->steps[i]);
    }
    return a;
}

int txl_shadow_account(struct txl_error *err, txl_shadow *s, unsigned place, uint32_t word,
                       const double *reference, txl_account **account)
{
    struct shadow_account inner;
    *account = NULL;
    if (!shadow_whole(s->inner)) {
        return no_memory(err);
    }
    const uint32_t node =
        shadow_output(s->inner, tx_program_output(s->program), place, s->out, word);
    if (shadow_account(s->inner, node, s->out, reference, &inner)) {
        *account = make_account(s, &inner);
    }
    shadow_account_free(&inner);
    return *account != NULL ? TXL_OK : no_memory(err);
}

int txl_shadow_error(struct txl_error *err, txl_shadow *s, unsigned place, uint32_t word,
                     const double *reference, double *error)
{
    *error = 0.0;
    if (!shadow_whole(s->inner)) {
        return no_memory(err);
    }
    const uint32_t node =
        shadow_output(s->inner, tx_program_output(s->program), place, s->out, word);
    return shadow_error(s->inner, node, s->out, reference, error) ? TXL_OK : no_memory(err);
}

void txl_account_close(txl_account *a)
{
    if (a != NULL) {
        free(a->lines);
        free(a->steps);
        free(a);
    }
}

const struct txl_account_total *txl_account_total(const txl_account *a)
{
    return &a->total;
}

const struct txl_account_line *txl_account_line(const txl_account *a, size_t index)
{
    return index < a->total.lines ? &a->lines[index] : NULL;
}

/* ---- JSON ---- */

static void set_error(txl_json *object, const char *key, double error)
{
    if (isinf(error)) {
        txl_json_set_text(object, key, "special");
    } else {
        txl_json_set_real(object, key, error);
    }
}

static txl_json *line_json(const txl_account *a, const struct txl_account_line *line)
{
    char text[128];
    txl_json *object = txl_json_object();
    txl_json *events = txl_json_array();
    if (line->placed) {
        txl_json_set_int(object, "word", line->word);
        txl_json_set_text(object, "file", line->source);
        if (line->source_line != 0) {
            txl_json_set_int(object, "line", line->source_line);
        }
    }
    (void)tx_disassemble(a->arch, line->step->word, TX_DIS_NORMAL, text, sizeof text);
    txl_json_set_text(object, "instruction", text);
    JSON_MEMBERS(object, line->step, scheduled, cycle);
    txl_json_set_word(object, "result", line->result);
    JSON_MEMBERS(object, line, value, exact, taken);
    set_error(object, "own_ulp", line->own);
    set_error(object, "ulp", line->so_far);
    set_error(object, "share_ulp", line->share);
    for (unsigned i = 0; i < TXL_SHADOW_EVENTS; i++) {
        if ((line->events >> i & 1U) != 0) {
            txl_json_append(events, txl_json_string(event_names[i]));
        }
    }
    txl_json_set(object, "events", events);
    if ((line->events & TXL_SHADOW_CANCELLATION) != 0 && line->cancelled > 0) {
        txl_json_set_int(object, "bits_cancelled", (unsigned)line->cancelled);
    }
    if ((line->events & TXL_SHADOW_CUT) != 0) {
        txl_json_set_int(object, "bits_cut", (unsigned)line->cut);
    }
    return object;
}

enum tx_arch shadow_account_arch(const txl_account *account)
{
    return account->arch;
}

txl_json *txl_account_json(const txl_account *a)
{
    const struct txl_account_total *t = &a->total;
    txl_json *object = txl_json_object();
    txl_json *steps = txl_json_array();
    set_error(object, "error_ulp", t->error);
    if (t->has_reference) {
        set_error(object, "method_ulp", t->method);
    }
    txl_json_set_text(object, "exact", t->exact);
    if (t->guilty >= 0) {
        txl_json_set(object, "guilty", line_json(a, &a->lines[t->guilty]));
    } else {
        txl_json_set_text(object, "guilty", t->guilty == TXL_GUILTY_METHOD ? "method" : NULL);
    }
    for (size_t i = 0; i < t->lines; i++) {
        txl_json_append(steps, line_json(a, &a->lines[i]));
    }
    txl_json_set(object, "steps", steps);
    return object;
}
