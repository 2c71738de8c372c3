/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one tile of a kernel for the reader of its rows, and keeps what the rows need not have:
 * words before and behind them, and what is in counters and registers where the first one begins.
 */
#include "schedule/reader.h"

#include <stdlib.h>

#include "flow/feed.h"
#include "flow/operands.h"

enum { INPUTS = 16 };

/* What moves counters, waits, or sets where counters begin. */
static bool is_around(const struct tx_row *row)
{
    return row->insn == TX_INSN_INCRWC || row->insn == TX_INSN_SETRWC ||
           row->insn == TX_INSN_SETC16 || row->insn == TX_INSN_STALLWAIT ||
           row->insn == TX_INSN_NOP;
}

/*
 * Keeps such a word: in front of the first vector instruction it stays there. Behind one it stays
 * if no other follows; otherwise on_vector judges it.
 */
static void note_around(struct reader *r, const struct tx_row *row, uint32_t word)
{
    struct sched_body *b = r->body;
    uint32_t *list = r->begun ? b->tail : b->lead;
    unsigned *count = r->begun ? &b->tails : &b->leads;
    if (r->begun && (row->insn == TX_INSN_INCRWC || row->insn == TX_INSN_SETRWC)) {
        return; /* the schedule leaves counters as the rows have found them */
    }
    if (r->begun && row->insn == TX_INSN_SETC16) {
        r->sets = true;
    }
    if (*count == SCHED_AROUND) {
        r->full = true;
        *count = 0;
    }
    list[(*count)++] = word;
}

/*
 * A vector instruction comes: what stood in between only moved counters, of which addresses are
 * taken as they come out.
 */
static void on_vector(struct reader *r)
{
    if (r->sets) {
        (void)sched_refuse(r->why, "SETC16 between rows changes the configuration");
    }
    r->body->tails = 0;
    r->full = false;
}

static void refuse_issued(struct reader *r, const struct tx_event *event)
{
    const struct tx_row *row = event->row;
    if ((row->unit == TX_UNIT_FRONT && row->insn != TX_INSN_NOP) || row->insn == TX_INSN_SFPNOP) {
        return;
    }
    if (is_around(row) || (row->insn == TX_INSN_SFPENCC && !r->begun)) {
        note_around(r, row, event->word);
        return;
    }
    if (row->unit < TX_UNIT_LOAD || row->unit > TX_UNIT_STORE) {
        (void)sched_refuse(r->why, "%s in .tile: only vector instructions can be scheduled",
                           row->mnemonic);
        return;
    }
    on_vector(r);
    if (row->insn == TX_INSN_SFPLOADMACRO) {
        (void)sched_refuse(r->why,
                           "it has SFPLOADMACRO already; 'tensix expand' makes a straight line of "
                           "it");
    }
    if ((row->writes & (TX_SET(CFG) | TX_SET(MACRO))) != 0) {
        (void)sched_refuse(r->why, "%s in .tile changes the configuration: it belongs in .init",
                           row->mnemonic);
    }
}

/* Keeps what the first vector instruction of the tile finds: counters and registers. */
static void watch_begin(struct reader *r, uint64_t cycle)
{
    uint32_t rwc[TX_RWC_COUNT] = {0};
    uint32_t offset = 0, uses = 0;
    (void)tx_read(r->machine, TX_FILE_USE_LANE_FLAGS, 0, &uses, 1);
    r->predicated = uses != 0;
    (void)tx_read(r->machine, TX_FILE_RWC, r->options.thread, rwc, TX_RWC_COUNT);
    (void)tx_config_get(r->machine, r->options.thread, "DEST_TARGET_REG_CFG_MATH_Offset", &offset);
    for (unsigned reg = 0; reg < 16; reg++) {
        (void)tx_read(r->machine, TX_FILE_LREG, reg, r->constant[reg], TX_LANES);
    }
    r->base = (rwc[TX_RWC_DST] + offset) & 1023U;
    r->body->around = cycle - r->started;
    r->begun = true;
}

static void on_event(void *user, const struct tx_event *event)
{
    struct reader *r = user;
    if (r->on && !r->begun && event->kind == TX_EVENT_ISSUE && event->row != NULL &&
        event->row->unit >= TX_UNIT_LOAD && event->row->unit <= TX_UNIT_STORE &&
        event->row->insn != TX_INSN_SFPENCC) {
        watch_begin(r, event->cycle);
    }
    if (!r->on) {
        r->written |= event->kind == TX_EVENT_WRITE_LREG ? 1U << event->index : 0;
        return;
    }
    txl_graph_event(r->graph, event);
    if (event->kind == TX_EVENT_ISSUE && event->row != NULL) {
        refuse_issued(r, event);
    }
}

struct tile {
    uint32_t in[INPUTS][TX_TILE_ELEMENTS], out[TX_TILE_ELEMENTS];
};

static enum tx_status run_tile(struct reader *r, tx_kernel *kernel, struct tile *tile)
{
    const uint32_t *inputs[INPUTS];
    uint64_t random = 1;
    for (unsigned i = 0; i < INPUTS; i++) {
        feed_data(tx_kernel_dst(kernel), &random, tile->in[i]);
        inputs[i] = tile->in[i];
    }
    r->machine = tx_kernel_machine(kernel);
    enum tx_status status = tx_kernel_start(kernel);
    r->started = tx_machine_counters(r->machine).cycles;
    r->on = true;
    if (status == TX_OK) {
        status = tx_kernel_tile(kernel, 0, inputs, tile->out);
    }
    r->on = false;
    r->cycles = tx_machine_counters(r->machine).cycles - r->started;
    if (r->full) {
        (void)sched_refuse(r->why, "there are more than %d words behind the last row",
                           SCHED_AROUND);
    }
    return status;
}

bool read_run(struct reader *r, const struct tx_program *program)
{
    struct tx_settings settings;
    tx_kernel *kernel = NULL;
    struct tile *tile = malloc(sizeof *tile);
    if (tile == NULL || txl_graph_open(NULL, &r->graph) != TXL_OK) {
        free(tile);
        r->why->memory = true;
        return sched_refuse(r->why, "out of memory");
    }
    tx_settings_default(&settings, tx_program_arch(program));
    settings.sink = (struct tx_sink){on_event, r};
    enum tx_status status = tx_kernel_open(&settings, program, &r->options, &kernel);
    if (status == TX_OK) {
        const enum tx_dst_format dst = tx_kernel_dst(kernel);
        r->body->wide = dst == TX_DST_FORMAT_FP32 || dst == TX_DST_FORMAT_INT32 ||
                        dst == TX_DST_FORMAT_UINT32 || dst == TX_DST_FORMAT_INT32_SM;
        status = run_tile(r, kernel, tile);
        tx_kernel_close(kernel);
    }
    free(tile);
    if (status != TX_OK) {
        r->why->memory = r->why->memory || status == TX_ENOMEM;
        return sched_refuse(r->why, "the kernel stops: %s", tx_status_text(status));
    }
    if (r->why->text[0] == '\0' && !txl_graph_whole(r->graph)) {
        r->why->memory = graph_no_memory(r->graph);
        (void)sched_refuse(r->why, "the tile is too long");
    }
    return r->why->text[0] == '\0';
}
