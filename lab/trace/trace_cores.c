/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RISC-V cores of a tile, cycle by cycle: where each core is (instruction, function, source
 * line) and what it waits for. The cores are inspected after every cycle.
 */
#include "trace/trace_lines.h"
#include "base/memory.h"
#include "trace/trace_model.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 4096 };

/* Cached source place of an instruction. */
struct place {
    uint32_t pc;
    bool known;
    char function[96], source[256];
};

struct trace_watched {
    struct tx_core_state before; /* state at the beginning of the cycle */
    bool seen;
    struct trace_core now;
    uint64_t since, line_since;
    char line[96 + 256]; /* function and line of the open span */
    bool waits;          /* the open span is one of waiting */
    const char *cause;
    uint32_t word, begun; /* of the open span: its first instruction, and that one's pc */
    struct place *places; /* cache of PLACES entries, indexed by pc */
};

bool trace_cores_open(struct collect *trace, txl_tensix *tile)
{
    trace->tile = tile;
    trace->watched = calloc(TX_CORES, sizeof *trace->watched);
    for (unsigned c = 0; trace->watched != NULL && c < TX_CORES; c++) {
        trace->watched[c].places = calloc(PLACES, sizeof *trace->watched[c].places);
        if (trace->watched[c].places == NULL) {
            return false;
        }
        (void)tx_tensix_core(txl_tensix_tile(tile), (enum tx_core)c, &trace->watched[c].before);
    }
    return trace->watched != NULL;
}

void trace_cores_free(struct collect *trace)
{
    for (unsigned c = 0; trace->watched != NULL && c < TX_CORES; c++) {
        free(trace->watched[c].places);
    }
    free(trace->watched);
    trace->watched = NULL;
}

static const struct place *trace_cores_find(struct collect *trace, unsigned core, uint32_t pc)
{
    struct place *p = &trace->watched[core].places[pc / 4 % PLACES];
    if (!p->known || p->pc != pc) {
        p->known = true;
        p->pc = pc;
        if (txl_tensix_function(trace->tile, (enum tx_core)core, pc, p->function) == NULL) {
            p->function[0] = '\0';
        }
        if (txl_tensix_source(trace->tile, (enum tx_core)core, pc, p->source) == NULL) {
            p->source[0] = '\0';
        }
    }
    return p;
}

/* Writes "test.cpp:37, run_kernel", by which spans are distinguished. */
static void line_of(const struct place *p, char *text, size_t size)
{
    const int length = (int)strcspn(p->function, "+");
    snprintf(text, size, "%s%s%.*s", p->source,
             p->function[0] != '\0' && p->source[0] != '\0' ? ", " : "", length, p->function);
}

/* Writes the open span, which ends before t. */
static void trace_cores_put(struct collect *trace, unsigned core, uint64_t t)
{
    const struct trace_watched *w = &trace->watched[core];
    struct trace_span span = {.lane = TRACE_LANE_CORE,
                              .index = (uint8_t)core,
                              .phase = w->waits ? TRACE_WAITS : TRACE_WORKS,
                              .word = w->word,
                              .number = w->now.pc,
                              .from = w->since};
    if ((trace->meta.cores >> core & 1u) == 0 || !w->seen) {
        return;
    }
    span.place = trace_lines_core(trace, (enum tx_core)core, w->begun, w->word);
    snprintf(span.text, sizeof span.text, "%.39s", w->line);
    snprintf(span.cause, sizeof span.cause, "%.150s", w->waits ? w->cause : w->line);
    trace_put_span(trace, &span, t);
}

/*
 * Handles one cycle of a core: it executed at, or waited at, the pc that it had at the previous
 * inspection.
 */
static void look(struct collect *trace, unsigned core, uint64_t t)
{
    static const char *const phases[] = {"in reset", "runs", "paused", "hung", "stopped"};
    struct trace_watched *w = &trace->watched[core];
    struct tx_core_state after;
    (void)tx_tensix_core(txl_tensix_tile(trace->tile), (enum tx_core)core, &after);
    const struct tx_core_state *was = &w->before;
    const bool ran = after.instructions != was->instructions;
    const bool waits = !ran && was->phase == TX_CORE_RUNS && after.phase == TX_CORE_RUNS;
    const char *state = waits ? "waits" : phases[ran ? TX_CORE_RUNS : after.phase];
    const char *wait = waits ? after.wait : "";
    char line[sizeof w->line];
    const struct place *p = trace_cores_find(trace, core, was->pc);
    line_of(p, line, sizeof line);
    const bool off = !ran && after.phase == TX_CORE_HELD;
    const bool moved = !w->seen || strcmp(line, w->line) != 0;
    const bool changed =
        moved || was->pc != w->now.pc || state != w->now.state || strcmp(wait, w->now.wait) != 0;
    if (off ? w->seen : changed) {
        if (moved || off || waits != w->waits || (waits && strcmp(wait, w->cause) != 0)) {
            trace_cores_put(trace, core, t);
            w->since = t;
            w->waits = waits;
            w->cause = wait;
            w->word = was->word;
            w->begun = was->pc;
            memcpy(w->line, line, sizeof line);
        }
        w->seen = !off;
        w->now = (struct trace_core){.core = (uint8_t)core,
                                     .moved = moved,
                                     .pc = was->pc,
                                     .word = was->word,
                                     .state = state,
                                     .wait = wait};
        memcpy(w->now.function, p->function, sizeof p->function);
        memcpy(w->now.source, p->source, sizeof p->source);
        struct trace_cycle *c = &trace->now;
        if (LIST_ONE(c->cores, c->core_count, c->core_room, trace->failed)) {
            c->cores[c->core_count++] = w->now;
        }
    }
    w->before = after;
}

void trace_cores_cycle(void *collect)
{
    struct collect *trace = collect;
    const uint64_t cycles = tx_tensix_cycles(txl_tensix_tile(trace->tile));
    if (!trace->active || trace->failed || cycles == 0) {
        return;
    }
    trace_arrive(trace, cycles - 1 + trace->ahead);
    for (unsigned core = 0; core < TX_CORES; core++) {
        look(trace, core, trace->now.t);
    }
}

void trace_cores_end(struct collect *trace)
{
    for (unsigned core = 0; trace->watched != NULL && core < TX_CORES; core++) {
        trace_cores_put(trace, core, trace->now.t + 1);
    }
}
