/* SPDX-License-Identifier: Apache-2.0 */
/* Resuming and stopping: vCont, bs, bc, and their answers. */
#include "gdb/gdb.h"
#include "base/small.h"

#include <stdlib.h>
#include <string.h>

/* Signals with gdb's numbers. */
enum {
    GDB_INT = 2,
    GDB_ILL = 4,
    GDB_TRAP = 5,
    GDB_ABRT = 6,
    GDB_SEGV = 11,
    GDB_STOP = 17,
    GDB_XCPU = 24
};

enum { PC = 32, SP = 2 };

/* ---- the answer ---- */

static unsigned signal_of(const txl_gdb *g, const struct event *e)
{
    switch (e->kind) {
    case EVENT_INTERRUPT:
        return GDB_INT;
    case EVENT_FAULT:
        return GDB_ABRT;
    case EVENT_REST:
    case EVENT_DEADLOCK:
    case EVENT_WORDS:
        return GDB_STOP;
    case EVENT_LIMIT:
        return GDB_XCPU;
    case EVENT_ENDED:
        return g->stops.now[e->core].phase == TX_CORE_HUNG      ? GDB_SEGV
               : g->stops.now[e->core].phase == TX_CORE_STOPPED ? GDB_ILL
                                                                : GDB_TRAP;
    case EVENT_NONE:
    case EVENT_BREAK:
    case EVENT_WATCH:
    case EVENT_RACE:
    case EVENT_STEP:
    case EVENT_BEGIN:
        break;
    }
    return GDB_TRAP;
}

/* Writes details of a stop that gdb's own message does not include. */
static void resume_tell(txl_gdb *g, const struct event *e)
{
    struct memory_text text;
    const unsigned long long cycles = (unsigned long long)tx_tensix_cycles(g->tile);
    const struct tx_finding *fault = tx_fault(tx_tensix_machine(g->tile));
    const char *about = bound_prefix(tx_bounds(tx_tensix_machine(g->tile)));
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return;
    }
    switch (e->kind) {
    case EVENT_WATCH:
        if (e->core == TX_CORES) {
            fprintf(text.stream, "cycle %llu: not by a core\n", cycles);
        }
        break;
    case EVENT_ENDED: {
        char line[256];
        (void)tx_tensix_wait_text(g->tile, e->core, line, sizeof line);
        fprintf(text.stream, "%s\n", line);
        break;
    }
    case EVENT_RACE: {
        unsigned count;
        const unsigned race = stops_race(&g->stops);
        fprintf(text.stream, "cycle %llu, race %u, %s\n", cycles, race,
                tile_marks(g->run, &count)[race - 1].text);
        break;
    }
    case EVENT_FAULT:
        fprintf(text.stream, "fault%s%s\n", fault != NULL ? ": " : "",
                fault != NULL ? fault->message : "");
        break;
    case EVENT_REST:
        fprintf(text.stream, "every core rests after %s%llu cycles\n", about, cycles);
        break;
    case EVENT_WORDS:
        fprintf(text.stream, "the words have their values after %s%llu cycles\n", about, cycles);
        break;
    case EVENT_LIMIT:
        fprintf(text.stream, "no more than %llu cycles are allowed\n", cycles);
        break;
    case EVENT_DEADLOCK:
        fprintf(text.stream, "deadlock after %s%llu cycles\n", about, cycles);
        monitor_waits(g, text.stream);
        break;
    default:
        break;
    }
    if (memory_text_close(NULL, &text) == TXL_CONTINUE) {
        packet_console(g, text.text, text.size);
        free(text.text);
    }
}

static void stopped(txl_gdb *g, const struct event *e)
{
    uint32_t pc = 0;
    uint32_t sp = 0;
    char hex_pc[9];
    char hex_sp[9];
    char why[32] = "";
    static const char *const watches[STOP_TYPES] = {
        [STOP_WRITE] = "watch", [STOP_READ] = "rwatch", [STOP_ACCESS] = "awatch"};
    g->current = e->core != TX_CORES ? e->core : g->current;
    g->general = g->current;
    g->resumed = TX_CORES;
    if (e->kind == EVENT_WATCH) {
        snprintf(why, sizeof why, "%s:%x;", watches[e->type], (unsigned)e->address);
    } else if (e->kind == EVENT_BEGIN) {
        snprintf(why, sizeof why, "replaylog:begin;");
    } else if (e->kind == EVENT_BREAK && g->swbreak) {
        snprintf(why, sizeof why, "swbreak:;");
    }
    (void)tx_core_read(g->tile, g->current, PC, &pc);
    (void)tx_core_read(g->tile, g->current, SP, &sp);
    uint8_t b[8];
    bytes_of_word(b, pc);
    bytes_of_word(b + 4, sp);
    hex_bytes(hex_pc, b, 4);
    hex_bytes(hex_sp, b + 4, 4);
    snprintf(g->stopped, sizeof g->stopped, "T%02x%x:%s;%02x:%s;thread:%x;%s", signal_of(g, e), PC,
             hex_pc, SP, hex_sp, (unsigned)g->current + 1, why);
}

static void answer(txl_gdb *g, const struct event *e)
{
    resume_tell(g, e);
    stopped(g, e);
    packet_text(g, g->stopped);
}

void resume_first(txl_gdb *g)
{
    struct event e = {.kind = EVENT_STEP, .core = TX_CORE_B};
    for (unsigned c = TX_CORES; c-- > 0;) {
        e.core = g->stops.now[c].phase != TX_CORE_HELD ? (enum tx_core)c : e.core;
    }
    stopped(g, &e);
}

/* ---- resuming ---- */

static void go(txl_gdb *g, struct resume *how)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct change wake = {.kind = CHANGE_WAKE, .core = (int)c};
        if ((how->step >> c & 1u) != 0 && g->stops.now[c].phase >= TX_CORE_PAUSED) {
            (void)stops_change(&g->stops, &wake, NULL);
        }
        /*
         * gdb steps over a breakpoint by removing it and letting only this core execute one
         * instruction. All other cores must run meanwhile, so that a run with breakpoints takes the
         * same cycles as one without.
         */
        if (how->go == 0 && how->step == 1u << c && stops_took(&g->stops, (enum tx_core)c)) {
            how->along = ALL_CORES & ~how->step;
            g->current = (enum tx_core)c;
        }
    }
    const struct event e = stops_go(&g->stops, how);
    answer(g, &e);
}

/* Parses an action such as "s:2", "c", "r100,200:3"; returns false where it is none. */
static bool action(txl_gdb *g, const char **text, struct resume *how, unsigned *open)
{
    const char *at = *text;
    const char kind = *at++;
    uint64_t first = 0;
    uint64_t end = 0;
    uint64_t thread = 0;
    unsigned cores = ALL_CORES;
    if ((kind == 'C' || kind == 'S') && !hex_number(&at, &first)) {
        return false;
    }
    if (kind == 'r' && (!hex_number(&at, &first) || *at++ != ',' || !hex_number(&at, &end))) {
        return false;
    }
    if (strchr("cCsSr", kind) == NULL || kind == '\0') {
        return false;
    }
    if (*at == ':') {
        at++;
        if (strncmp(at, "-1", 2) == 0) {
            at += 2;
        } else if (!hex_number(&at, &thread) || thread > TX_CORES) {
            return false;
        } else {
            cores = thread == 0 ? 1u << g->current : 1u << (thread - 1);
        }
    }
    cores &= *open;
    *open &= ~cores;
    if (kind == 'c' || kind == 'C') {
        how->go |= cores;
    } else {
        how->step |= cores;
    }
    for (unsigned c = 0; kind == 'r' && c < TX_CORES; c++) {
        if ((cores >> c & 1u) != 0) {
            how->first[c] = (uint32_t)first;
            how->end[c] = (uint32_t)end;
        }
    }
    *text = at;
    return true;
}

void resume_vcont(txl_gdb *g, const char *text)
{
    struct resume how = {.go = 0};
    unsigned open = ALL_CORES;
    bool good = *text == ';';
    while (good && *text == ';') {
        text++;
        good = action(g, &text, &how, &open);
    }
    if (!good || *text != '\0' || open == ALL_CORES) {
        packet_text(g, "E22");
        return;
    }
    go(g, &how);
}

void resume_old(txl_gdb *g, bool step)
{
    const enum tx_core core = g->resumed != TX_CORES ? g->resumed : g->current;
    struct resume how = {.go = ALL_CORES};
    if (step) {
        how = (struct resume){.go = ALL_CORES & ~(1u << core), .step = 1u << core};
    }
    go(g, &how);
}

void resume_back(txl_gdb *g, bool step)
{
    const enum tx_core core = g->resumed != TX_CORES ? g->resumed : g->current;
    const struct event e = stops_back(&g->stops, step ? core : TX_CORES);
    answer(g, &e);
}
