/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as tracks for ui.perfetto.dev, and as a page with all lanes side by side. */
#include "profile/profile.h"

#include "base/quote.h"
#include "page/page.h"

#include <string.h>

enum { PATH_TRACK = 1, LANE_TRACK = 2 };

static void put_string(FILE *out, const char *text)
{
    quote_json(out, text, strlen(text));
}

static unsigned long long wide(uint64_t value)
{
    return value;
}

/* ---- Perfetto ---- */

static void put_track(FILE *out, unsigned id, const char *name)
{
    fprintf(out,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"%s"
            "\"}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":%u,\"args\":{"
            "\"sort_index\":%u}}",
            id, name, id, id);
}

static void put_slice(FILE *out, unsigned track, uint64_t from, uint64_t to, const char *category,
                      const char *text)
{
    fprintf(out,
            ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"cat\":\"%s\",\"name\""
            ":",
            track, wide(from), wide(to - from), category);
    put_string(out, text);
    putc('}', out);
}

static uint64_t span_end(const txl_profile *p, const struct profile_lane_data *l, size_t i)
{
    return i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
}

void profile_chrome(FILE *out, const txl_profile *p)
{
    char text[2 * PROFILE_TEXT];
    fprintf(out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"arch\":\"%s\",\"unit\":\"1 us is 1 "
            "cycle\",\"tensix\":\"%s\"},\n\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name"
            "\",\"pid\":1,\"args\":{\"name\":\"profile, %s\"}}",
            tx_arch_name(p->arch), tx_version(), tx_arch_name(p->arch));
    put_track(out, PATH_TRACK, "path");
    for (size_t i = 0; i < p->step_count; i++) {
        const struct txl_profile_step *s = &p->steps[i];
        snprintf(text, sizeof text, "%s%s %s", s->lane,
                 s->kind == TXL_PROFILE_WAITS ? " waits for" : ":", s->text);
        put_slice(out, PATH_TRACK, s->from, s->to, s->bound, text);
    }
    for (unsigned n = 0; n < p->result.lanes; n++) {
        const txl_profile *owner;
        const struct profile_lane_data *l = profile_shown(p, n, &owner);
        put_track(out, LANE_TRACK + n, l->name);
        for (size_t i = 0; i < l->span_count; i++) {
            const struct profile_state *s = &l->states[l->spans[i].state];
            if (s->kind != TXL_PROFILE_IDLE) {
                put_slice(out, LANE_TRACK + n, l->spans[i].from, span_end(owner, l, i),
                          txl_profile_kind_name(s->kind), s->text);
            }
        }
    }
    fputs("\n]}\n", out);
}

/* ---- the page ---- */

static void put_lane(FILE *out, const struct profile_lane_data *l)
{
    fprintf(out, "{\"name\":\"%s\",\"cycles\":[%llu,%llu,%llu],\"states\":[", l->name,
            wide(l->shown.cycles[0]), wide(l->shown.cycles[1]), wide(l->shown.cycles[2]));
    for (unsigned i = 0; i < l->state_count; i++) {
        const struct profile_state *s = &l->states[i];
        fprintf(out, "%s[%d,%llu,", i != 0 ? "," : "", (int)s->kind, wide(s->cycles));
        put_string(out, s->text);
        putc(']', out);
    }
    fputs("],\"spans\":[", out);
    for (size_t i = 0; i < l->span_count; i++) {
        fprintf(out, "%s%llu,%u", i != 0 ? "," : "", wide(l->spans[i].from), l->spans[i].state);
    }
    fputs("]}", out);
}

void profile_html(FILE *out, const txl_profile *p)
{
    const struct txl_profile_result *r = &p->result;
    page_begin(out, PAGE_PROFILE);
    fprintf(out,
            "{\"arch\":\"%s\",\"cycles\":%llu,\"atLeast\":%d,\"bound\":\"%s\","
            "\"boundCycles\":%llu,\"change\":",
            tx_arch_name(p->arch), wide(r->cycles), r->at_least, r->bound, wide(r->bound_cycles));
    put_string(out, r->change);
    fputs(",\"again\":[", out);
    for (unsigned i = 0; i < r->trials; i++) {
        const struct txl_profile_trial *t = &p->trials[i];
        fprintf(out, "%s[\"%s\",%llu,%llu,%llu,%d]", i != 0 ? "," : "", t->unit, wide(t->path),
                wide(t->half), wide(t->none), t->differs);
    }
    fputs("],\"lanes\":[", out);
    for (unsigned n = 0; n < r->lanes; n++) {
        const txl_profile *owner;
        fputs(n != 0 ? ",\n" : "\n", out);
        put_lane(out, profile_shown(p, n, &owner));
    }
    fputs("],\"path\":[", out);
    for (size_t i = 0; i < p->step_count; i++) {
        const struct txl_profile_step *s = &p->steps[i];
        fprintf(out, "%s\n[%llu,%llu,\"%s\",%d,", i != 0 ? "," : "", wide(s->from), wide(s->to),
                s->lane, (int)s->kind);
        put_string(out, s->text);
        fputc(']', out);
    }
    fputs("]}\n", out);
    page_end(out, PAGE_PROFILE);
}
