/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds hazards that show only over many instructions: SFPTRANSP and SFPSHFT2 overwrite registers
 * that no field of theirs names. The mark of each value in the graph of the run records what the
 * value went through.
 */
#include "flow/feed.h"
#include "flow/operands.h"

#include <string.h>

/*
 * Flags of a mark. Number and cycle of a mark are those of the instruction that last moved the
 * value.
 */
enum {
    WRITTEN = 1, /* by the program, or read by name: what a function of an ELF file begins with */
    TURNED = 2,  /* transposed together with registers that the program had not written */
    UNREAD = 4,
    LOST = 8,  /* overwrote a value that nothing had read */
    STRAY = 16 /* never written by the program, and overwrote a value that it had written */
};

static uint32_t site_of(const struct feed_run *run, uint64_t number)
{
    const uint32_t at = feed_place(run->feed, number);
    return at < run->feed->count ? run->feed->words[at].site : FEED_NOWHERE;
}

static void live_read(struct feed_run *run, const struct tx_event *event, const char *rule,
                      const struct graph_mark *by, const char *message)
{
    struct tx_finding finding = {.category = TX_HAZARD,
                                 .arch = run->feed->arch,
                                 .thread = event->thread,
                                 .rule = rule,
                                 .cycle = event->cycle,
                                 .index = event->number,
                                 .word = event->word,
                                 .lanes = UINT32_MAX,
                                 .count = 1};
    snprintf(finding.message, sizeof finding.message, "%s", message);
    const uint32_t site = site_of(run, event->number);
    struct feed_found *f = feed_add(run, &finding, site != FEED_NOWHERE ? site : run->site);
    if (f != NULL) {
        f->producer = site_of(run, by->number);
        f->producer_cycle = by->cycle;
    }
}

static void turned_read(struct feed_run *run, const struct tx_event *event, unsigned reg,
                        const struct graph_mark *mark)
{
    char text[160];
    snprintf(text, sizeof text,
             "L%u was live when SFPTRANSP transposed L%u..L%u with it: %s reads the transposed "
             "value",
             reg, reg & 4, (reg & 4) + 3, event->row->mnemonic);
    live_read(run, event, "L-TRANSP", mark, text);
}

static void shifted_read(struct feed_run *run, const struct tx_event *event, unsigned reg,
                         const struct graph_mark *mark)
{
    char text[160];
    snprintf(text, sizeof text,
             "L%u was live when SFPSHFT2 moved L0..L3 down without naming them: %s reads what came "
             "from %s",
             reg, event->row->mnemonic,
             (mark->flags & STRAY) != 0 ? "a register that nothing wrote" : "the next register");
    live_read(run, event, "L-SHFT2", mark, text);
}

/*
 * Returns whether the row lets two registers change places, whatever they hold. Between two
 * SFPTRANSPs that turns the order of the rows round, and what one reads of it is in place again
 * after the second.
 */
static bool exchanges(const struct tx_row *row)
{
    unsigned reverse;
    const unsigned mode = (unsigned)__builtin_ctz(row->modes | 1U << 15);
    return tx_row_reverse(row, mode, &reverse) && reverse == mode;
}

/*
 * Reports reads of values that were moved by accident, and marks all values that the step reads as
 * read. Only registers that the instruction names count as reads on purpose.
 */
static void check_reads(struct feed_run *run, uint32_t step, const struct tx_event *event)
{
    const struct txl_step *s = txl_graph_step(run->graph, step);
    const uint32_t named = (s->reads & ~flow_fixed(s->row->reads)) |
                           flow_named(s->row->reads, txl_graph_operands(run->graph, step));
    for (unsigned reg = 0; reg < 8; reg++) {
        const uint32_t value = txl_graph_read(run->graph, step, reg);
        if (value == TXL_NO_VALUE) {
            continue;
        }
        struct graph_mark mark = graph_mark_of(run->graph, value);
        if ((named >> reg & 1) != 0 && (mark.flags & TURNED) != 0 && !exchanges(event->row)) {
            turned_read(run, event, reg, &mark);
        }
        if ((named >> reg & 1) != 0 && (mark.flags & (LOST | STRAY)) != 0) {
            shifted_read(run, event, reg, &mark);
        }
        mark.flags &= ~(uint32_t)UNREAD;
        mark.flags |= (named >> reg & 1) != 0 ? WRITTEN : 0;
        graph_mark(run->graph, value, &mark);
    }
}

/* Returns the mark of the value that was in a register before the step wrote it. */
static struct graph_mark mark_before(const struct feed_run *run, uint32_t step, unsigned reg)
{
    const struct txl_value *v = txl_graph_value(run->graph, txl_graph_wrote(run->graph, step, reg));
    return graph_mark_of(run->graph, v->before);
}

/*
 * SFPTRANSP transposes L0..L3 and L4..L7 both. A group in which the program has written some of the
 * four registers but not all holds values that were not meant to take part.
 */
static void transpose(struct feed_run *run, uint32_t step, const struct tx_event *event)
{
    struct graph_mark mark[8];
    unsigned written[2] = {0, 0};
    for (unsigned reg = 0; reg < 8; reg++) {
        mark[reg] = mark_before(run, step, reg);
        written[reg / 4] += mark[reg].flags & WRITTEN;
    }
    for (unsigned reg = 0; reg < 8; reg++) {
        const bool all = written[reg / 4] == 4;
        struct graph_mark new = {event->number, event->cycle, mark[reg].flags & WRITTEN};
        if (new.flags != 0 && !all) {
            /* The second one restores the values. */
            new.flags |= (mark[reg].flags & TURNED) ^ TURNED;
        }
        graph_mark(run->graph, txl_graph_wrote(run->graph, step, reg), &new);
    }
}

/* Marks what an exchange has written as turned if one of the two registers was. */
static void exchange(struct feed_run *run, uint32_t step, const struct tx_event *event)
{
    uint32_t turned = 0;
    for (unsigned reg = 0; reg < 8; reg++) {
        const uint32_t value = txl_graph_read(run->graph, step, reg);
        turned |= value != TXL_NO_VALUE ? graph_mark_of(run->graph, value).flags & TURNED : 0;
    }
    const struct graph_mark new = {event->number, event->cycle, WRITTEN | UNREAD | turned};
    graph_mark_step(run->graph, step, &new);
}

/* Returns whether the row takes L0 from L1 without naming them, by isa/moves.def. */
static bool moves_down(const struct tx_row *row)
{
    const struct tx_move first = tx_row_move(row, 0, 0);
    return (row->writes & TX_SET_LREGS) != 0 && first.source == TX_MOVE_LREG && first.reg == 1;
}

/* Returns whether L3 receives what L0 held. */
static bool chains(const struct tx_row *row)
{
    const struct tx_move last = tx_row_move(row, 3, 0);
    return last.source == TX_MOVE_LREG && last.reg == 0;
}

/* Returns whether each register of a group receives parts of all four. */
static bool transposes(const struct tx_row *row)
{
    const struct tx_move of_row1 = tx_row_move(row, 0, TX_LANES / 4);
    return (row->writes & TX_SET_LREGS) != 0 && of_row1.source == TX_MOVE_LREG && of_row1.lane == 0;
}

/*
 * SFPSHFT2 modes 0, 1 and 2 move L1..L3 to L0..L2, and L3 gets a value that the instruction
 * defines, or that of L0 (mode 1). Two things suggest a mistake, and are reported at the next read:
 * the old value of L0 is gone although nothing had read it, or a register that the program wrote is
 * overwritten by one that it had not written.
 */
static void shift_down(struct feed_run *run, uint32_t step, const struct tx_event *event)
{
    const struct graph_mark here = {event->number, event->cycle, WRITTEN};
    const bool chained = chains(event->row);
    struct graph_mark mark[4];
    for (unsigned reg = 0; reg < 4; reg++) {
        mark[reg] = mark_before(run, step, reg);
    }
    for (unsigned reg = 0; reg < 4; reg++) {
        struct graph_mark new = reg < 3 ? mark[reg + 1] : chained ? mark[0] : here;
        const uint32_t over = mark[reg].flags & (WRITTEN | UNREAD);
        const bool stray = over != 0 && (new.flags &WRITTEN) == 0;
        const bool lost = reg == 0 && !chained && over == (WRITTEN | UNREAD);
        new.flags &= WRITTEN | TURNED;
        if (stray || lost) {
            new = here;
            new.flags |= (stray ? STRAY : 0) | (lost ? LOST : 0);
        }
        graph_mark(run->graph, txl_graph_wrote(run->graph, step, reg), &new);
    }
}

void live_check(struct feed_run *run, const struct tx_event *event)
{
    const struct graph_mark written = {event->number, event->cycle, WRITTEN | UNREAD};
    const uint32_t step = (uint32_t)txl_graph_steps(run->graph) - 1;
    if (transposes(event->row)) {
        transpose(run, step, event);
        return;
    }
    check_reads(run, step, event);
    graph_mark_step(run->graph, step, &written);
    if (exchanges(event->row)) {
        exchange(run, step, event);
    }
    if (moves_down(event->row)) {
        shift_down(run, step, event);
    }
}
