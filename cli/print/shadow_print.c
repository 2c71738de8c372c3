/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow execution as a table and as JSON. */
#include "cli.h"

#include "shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "flow/lint_flow.h"
#include "reference/ulp.h"

static const char *const event_names[TXL_SHADOW_EVENTS] = {
    "operand flushed", "product flushed",
    "result flushed",  "tie",
    "cancellation",    "overflow",
    "saturated",       "not IEEE",
    "low bits cut",    "NaN",
    "random",          "rounded by a constant",
};

/* ---- places ---- */

struct shadow_places *shadow_places_open(const struct tx_program *program, uint64_t first)
{
    struct shadow_places *places = calloc(1, sizeof *places);
    if (places == NULL) {
        return NULL;
    }
    places->program = program;
    places->first = first;
    places->flow = calloc(1, sizeof *places->flow);
    if (places->flow != NULL && !flow_build(places->flow, program)) {
        flow_free(places->flow);
        free(places->flow);
        places->flow = NULL;
    }
    return places;
}

void shadow_places_close(struct shadow_places *places)
{
    if (places != NULL && places->flow != NULL) {
        flow_free(places->flow);
        free(places->flow);
    }
    free(places);
}

/* The word of the program that issued the step, or launched it; NULL: not known. */
static const struct flow_site *site_of(const struct shadow_places *places,
                                       const struct txl_step *step)
{
    const struct flow *flow = places->flow;
    if (flow == NULL || step->number < places->first) {
        return NULL;
    }
    uint64_t left = step->number - places->first;
    for (size_t at = flow->tile; at < flow->count; at++) {
        const struct flow_word *word = &flow->words[at];
        if (word->idle || left-- != 0) {
            continue;
        }
        bool right = word->site != FLOW_NOWHERE && (step->scheduled || word->word == step->word);
        return right ? &flow->sites[word->site] : NULL;
    }
    return NULL;
}

/* ---- text ---- */

/* At most six significant digits, and twelve characters. */
static const char *error_text(double error, char text[24])
{
    if (isinf(error)) {
        snprintf(text, 24, "special");
    } else if (error == 0.0) {
        snprintf(text, 24, "0");
    } else if (fabs(error) < 1e-3) {
        snprintf(text, 24, "%.1e", error);
    } else if (fabs(error) < 999999.5) {
        snprintf(text, 24, "%.*f", fabs(error) < 99.9995 ? 3 : 0, error);
    } else {
        snprintf(text, 24, "%.5e", error);
    }
    return text;
}

static const char *events_text(const struct shadow_line *line, char text[200])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < TXL_SHADOW_EVENTS; i++) {
        if ((line->events >> i & 1U) == 0) {
            continue;
        }
        char more[40] = "";
        if (1U << i == TXL_SHADOW_CANCELLATION) {
            snprintf(more, sizeof more, line->cancelled < 0 ? ", all bits" : ", %d bits",
                     line->cancelled);
        } else if (1U << i == TXL_SHADOW_CUT) {
            snprintf(more, sizeof more, ", %d", line->cut);
        }
        int wrote = snprintf(text + used, 200 - used, "%s%s%s", used == 0 ? "" : "; ",
                             event_names[i], more);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

static const char *value_text(const struct shadow_node *n, char *text, size_t size)
{
    if (n->integer) {
        snprintf(text, size, "%lld", (long long)shadow_integer(n));
        return text;
    }
    return number_text(TX_DST_FP32, n->bits, text, size);
}

static const char *kind_text(const struct shadow_node *n)
{
    return n->kind == SHADOW_START   ? (n->constant ? "constant" : "as it is")
           : n->kind == SHADOW_INPUT ? "input"
                                     : "";
}

/* "exp.s:40", the place of a word; text, or "" */
static const char *place_text(const struct flow_site *site, char *text, size_t size)
{
    text[0] = '\0';
    if (site != NULL && site->line != 0) {
        if (site->file != NULL) {
            snprintf(text, size, "%s:%u", txl_basename(site->file), site->line);
        } else {
            snprintf(text, size, "%u", site->line);
        }
    }
    return text;
}

static void print_line(FILE *stream, const struct shadow *shadow,
                       const struct shadow_places *places, const struct shadow_line *line,
                       bool guilty)
{
    const struct shadow_node *n = shadow_node_at(shadow, line->node);
    const struct txl_step *step = shadow_step_at(shadow, n->step);
    const struct flow_site *site = site_of(places, step);
    char dis[128];
    char where[48];
    char word[16] = "-";
    char value[48];
    char events[200];
    char errors[3][24];
    (void)tx_disassemble(tx_program_arch(places->program), step->word, TX_DIS_NORMAL, dis,
                         sizeof dis);
    if (site != NULL) {
        snprintf(word, sizeof word, "%u", site->offset);
    }
    events_text(line, events);
    const char *kind = kind_text(n);
    fprintf(stream, "%s%5s %5s  %-30.60s %08x %15s %18s %12s %12s %12s  %s%s%s%s\n",
            guilty ? ">" : " ", word, place_text(site, where, sizeof where), dis, n->bits,
            value_text(n, value, sizeof value), line->exact, error_text(line->local, errors[0]),
            error_text(line->so_far, errors[1]), error_text(line->share, errors[2]), kind,
            kind[0] != '\0' && events[0] != '\0' ? "; " : "", events,
            step->scheduled ? " (scheduled)" : "");
}

void shadow_print(FILE *stream, const struct shadow *shadow, const struct shadow_places *places,
                  const struct shadow_account *account)
{
    fprintf(stream, "  word  line  %-30s %-8s %15s %18s %12s %12s %12s\n", "instruction", "result",
            "", "exact", "own ULP", "ULP", "share");
    for (size_t i = 0; i < account->count; i++) {
        print_line(stream, shadow, places, &account->lines[i], (int)i == account->guilty);
    }
    shadow_print_blame(stream, shadow, places, account);
}

/* "sfpmad L3,L3,L5,L3,0, word 10 of .tile, line 33: -0.492 ULP; tie" */
static void print_step(FILE *stream, const char *label, const struct shadow *shadow,
                       const struct shadow_places *places, const struct shadow_line *line)
{
    const struct shadow_node *n = shadow_node_at(shadow, line->node);
    const struct txl_step *step = shadow_step_at(shadow, n->step);
    const struct flow_site *site = site_of(places, step);
    char dis[128];
    char where[48];
    char events[200];
    char error[24];
    (void)tx_disassemble(tx_program_arch(places->program), step->word, TX_DIS_NORMAL, dis,
                         sizeof dis);
    fprintf(stream, "%-15s %s", label, dis);
    if (site != NULL) {
        fprintf(stream, ", %sword %u of .tile", step->scheduled ? "scheduled by " : "",
                site->offset);
        if (place_text(site, where, sizeof where)[0] != '\0') {
            fprintf(stream, ", %s%s", site->file == NULL ? "line " : "", where);
        }
    } else if (step->scheduled) {
        fprintf(stream, " (scheduled)");
    }
    fprintf(stream, ": %s ULP", error_text(line->share, error));
    if (events_text(line, events)[0] != '\0') {
        fprintf(stream, "; %s", events);
    }
    fprintf(stream, "\n");
}

void shadow_print_way(FILE *stream, const struct shadow *shadow, const struct shadow_places *places,
                      const struct shadow_account *account)
{
    const char *label = "on the way";
    for (size_t i = 0; i < account->count; i++) {
        if (account->lines[i].events != 0 && (int)i != account->guilty) {
            print_step(stream, label, shadow, places, &account->lines[i]);
            label = "";
        }
    }
}

void shadow_print_blame(FILE *stream, const struct shadow *shadow,
                        const struct shadow_places *places, const struct shadow_account *account)
{
    char error[24];
    char method[24];
    fprintf(stream, "error           %s ULP", error_text(account->error, error));
    if (account->has_reference) {
        fprintf(stream, ", of which %s ULP by the method: in exact arithmetic it gives %s",
                error_text(account->method, method), account->exact);
    } else {
        fprintf(stream, " against exact arithmetic, %s", account->exact);
    }
    fprintf(stream, "\n");
    if (account->guilty >= 0) {
        print_step(stream, "guilty", shadow, places, &account->lines[account->guilty]);
    } else if (account->guilty == TXL_GUILTY_METHOD) {
        fprintf(stream, "guilty          the method, not an instruction\n");
    }
}

/* ---- JSON ---- */

static void set_error(json_t *object, const char *key, double error)
{
    if (isinf(error)) {
        jx_set_text(object, key, "special");
    } else {
        jx_set_real(object, key, error);
    }
}

static json_t *line_json(const struct shadow *shadow, const struct shadow_places *places,
                         const struct shadow_line *line)
{
    const struct shadow_node *n = shadow_node_at(shadow, line->node);
    const struct txl_step *step = shadow_step_at(shadow, n->step);
    const struct flow_site *site = site_of(places, step);
    char text[128];
    json_t *object = json_object();
    if (site != NULL) {
        jx_set_int(object, "word", site->offset);
        jx_set_text(object, "file", site->file);
        if (site->line != 0) {
            jx_set_int(object, "line", site->line);
        }
    }
    (void)tx_disassemble(tx_program_arch(places->program), step->word, TX_DIS_NORMAL, text,
                         sizeof text);
    jx_set_text(object, "instruction", text);
    jx_set_bool(object, "scheduled", step->scheduled);
    jx_set_int(object, "cycle", step->cycle);
    jx_set_hex(object, "result", n->bits);
    jx_set_text(object, "value", value_text(n, text, sizeof text));
    jx_set_text(object, "exact", line->exact);
    jx_set_text(object, "taken", kind_text(n));
    set_error(object, "own_ulp", line->local);
    set_error(object, "ulp", line->so_far);
    set_error(object, "share_ulp", line->share);
    json_t *events = json_array();
    for (unsigned i = 0; i < TXL_SHADOW_EVENTS; i++) {
        if ((line->events >> i & 1U) != 0) {
            json_array_append_new(events, jx_text(event_names[i]));
        }
    }
    json_object_set_new(object, "events", events);
    if ((line->events & TXL_SHADOW_CANCELLATION) != 0 && line->cancelled > 0) {
        jx_set_int(object, "bits_cancelled", (unsigned)line->cancelled);
    }
    if ((line->events & TXL_SHADOW_CUT) != 0) {
        jx_set_int(object, "bits_cut", (unsigned)line->cut);
    }
    return object;
}

json_t *shadow_blame_json(const struct shadow *shadow, const struct shadow_places *places,
                          const struct shadow_account *account)
{
    json_t *object = json_object();
    set_error(object, "error_ulp", account->error);
    if (account->has_reference) {
        set_error(object, "method_ulp", account->method);
    }
    jx_set_text(object, "exact", account->exact);
    if (account->guilty >= 0) {
        json_object_set_new(object, "guilty",
                            line_json(shadow, places, &account->lines[account->guilty]));
    } else {
        jx_set_text(object, "guilty", account->guilty == TXL_GUILTY_METHOD ? "method" : NULL);
    }
    return object;
}

json_t *shadow_json(const struct shadow *shadow, const struct shadow_places *places,
                    const struct shadow_account *account)
{
    json_t *object = shadow_blame_json(shadow, places, account);
    json_t *steps = json_array();
    for (size_t i = 0; i < account->count; i++) {
        json_array_append_new(steps, line_json(shadow, places, &account->lines[i]));
    }
    json_object_set_new(object, "steps", steps);
    return object;
}
