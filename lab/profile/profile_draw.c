/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as tracks for ui.perfetto.dev, and as a page with all lanes side by side. */
#include "profile/profile.h"

#include "base/json_put.h"
#include "page/page.h"

enum { PATH_TRACK = 1, LANE_TRACK = 2 };

/* ---- Perfetto ---- */

/* Begins an event: {"ph": PHASE, "name": NAME, "pid": 1, "tid": TRACK. */
static void begin_event(struct json_put *j, const char *phase, const char *name, unsigned id)
{
    json_put_break(j);
    json_put_open(j, NULL, '{');
    json_put_text(j, "ph", phase);
    json_put_text(j, "name", name);
    json_put_uint(j, "pid", 1);
    json_put_uint(j, "tid", id);
}

/* A fact about a track: a name, or its place among them where text is NULL. */
static void put_fact(struct json_put *j, unsigned id, const char *name, const char *text)
{
    begin_event(j, "M", name, id);
    json_put_open(j, "args", '{');
    if (text != NULL) {
        json_put_text(j, "name", text);
    } else {
        json_put_uint(j, "sort_index", id);
    }
    json_put_close(j, '}');
    json_put_close(j, '}');
}

static void put_track(struct json_put *j, unsigned id, const char *name)
{
    put_fact(j, id, "thread_name", name);
    put_fact(j, id, "thread_sort_index", NULL);
}

static void put_slice(struct json_put *j, unsigned track, uint64_t from, uint64_t to,
                      const char *category, const char *text)
{
    begin_event(j, "X", text, track);
    json_put_uint(j, "ts", from);
    json_put_uint(j, "dur", to - from);
    json_put_text(j, "cat", category);
    json_put_close(j, '}');
}

static uint64_t span_end(const txl_profile *p, const struct profile_lane_data *l, size_t i)
{
    return i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
}

void profile_chrome(FILE *out, const txl_profile *p)
{
    char text[2 * PROFILE_TEXT];
    struct json_put j = {.stream = out};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "displayTimeUnit", "ns");
    json_put_open(&j, "otherData", '{');
    json_put_text(&j, "arch", tx_arch_name(p->arch));
    json_put_text(&j, "unit", "1 us is 1 cycle");
    json_put_text(&j, "tensix", tx_version());
    json_put_close(&j, '}');
    json_put_break(&j);
    json_put_open(&j, "traceEvents", '[');
    snprintf(text, sizeof text, "profile, %s", tx_arch_name(p->arch));
    put_fact(&j, 0, "process_name", text);
    put_track(&j, PATH_TRACK, "path");
    for (size_t i = 0; i < p->step_count; i++) {
        const struct txl_profile_step *s = &p->steps[i];
        snprintf(text, sizeof text, "%s%s %s", s->lane,
                 s->kind == TXL_PROFILE_WAITS ? " waits for" : ":", s->text);
        put_slice(&j, PATH_TRACK, s->from, s->to, s->bound, text);
    }
    for (unsigned n = 0; n < p->result.lanes; n++) {
        const txl_profile *owner;
        const struct profile_lane_data *l = profile_shown(p, n, &owner);
        put_track(&j, LANE_TRACK + n, l->name);
        for (size_t i = 0; i < l->span_count; i++) {
            const struct profile_state *s = &l->states[l->spans[i].state];
            if (s->kind != TXL_PROFILE_IDLE) {
                put_slice(&j, LANE_TRACK + n, l->spans[i].from, span_end(owner, l, i),
                          txl_profile_kind_name(s->kind), s->text);
            }
        }
    }
    json_put_end_line(&j);
    json_put_close(&j, ']');
    json_put_close(&j, '}');
    json_put_end_line(&j);
}

/* ---- the page ---- */

static void put_lane(struct json_put *j, const struct profile_lane_data *l)
{
    json_put_break(j);
    json_put_open(j, NULL, '{');
    json_put_text(j, "name", l->name);
    json_put_open(j, "cycles", '[');
    for (unsigned i = 0; i < 3; i++) {
        json_put_uint(j, NULL, l->shown.cycles[i]);
    }
    json_put_close(j, ']');
    json_put_open(j, "states", '[');
    for (unsigned i = 0; i < l->state_count; i++) {
        const struct profile_state *s = &l->states[i];
        json_put_open(j, NULL, '[');
        json_put_int(j, NULL, (int)s->kind);
        json_put_uint(j, NULL, s->cycles);
        json_put_text(j, NULL, s->text);
        json_put_close(j, ']');
    }
    json_put_close(j, ']');
    json_put_open(j, "spans", '[');
    for (size_t i = 0; i < l->span_count; i++) {
        json_put_uint(j, NULL, l->spans[i].from);
        json_put_uint(j, NULL, l->spans[i].state);
    }
    json_put_close(j, ']');
    json_put_close(j, '}');
}

static void put_trial(struct json_put *j, const struct txl_profile_trial *t)
{
    json_put_open(j, NULL, '[');
    json_put_text(j, NULL, t->unit);
    json_put_uint(j, NULL, t->path);
    json_put_uint(j, NULL, t->half);
    json_put_uint(j, NULL, t->none);
    json_put_uint(j, NULL, t->differs);
    json_put_close(j, ']');
}

static void put_step(struct json_put *j, const struct txl_profile_step *s)
{
    json_put_break(j);
    json_put_open(j, NULL, '[');
    json_put_uint(j, NULL, s->from);
    json_put_uint(j, NULL, s->to);
    json_put_text(j, NULL, s->lane);
    json_put_int(j, NULL, (int)s->kind);
    json_put_text(j, NULL, s->text);
    json_put_close(j, ']');
}

void profile_html(FILE *out, const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    struct json_put j = {.stream = out};
    page_begin(out, PAGE_PROFILE);
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "arch", tx_arch_name(p->arch));
    json_put_uint(&j, "cycles", r->cycles);
    json_put_uint(&j, "atLeast", r->at_least);
    json_put_text(&j, "bound", r->bound);
    json_put_uint(&j, "boundCycles", r->bound_cycles);
    json_put_text(&j, "change", r->change);
    json_put_open(&j, "again", '[');
    for (unsigned i = 0; i < r->trials; i++) {
        put_trial(&j, &p->trials[i]);
    }
    json_put_close(&j, ']');
    json_put_open(&j, "lanes", '[');
    for (unsigned n = 0; n < r->lanes; n++) {
        const txl_profile *owner;
        put_lane(&j, profile_shown(p, n, &owner));
    }
    json_put_close(&j, ']');
    json_put_open(&j, "path", '[');
    for (size_t i = 0; i < p->step_count; i++) {
        put_step(&j, &p->steps[i]);
    }
    json_put_close(&j, ']');
    json_put_close(&j, '}');
    json_put_end_line(&j);
    page_end(out, PAGE_PROFILE);
}
