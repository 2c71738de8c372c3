/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards that show only over many instructions: registers overwritten without being named. */
#include "flow/lint_flow.h"
#include "flow/operands.h"

#include <string.h>

/*
 * SFPTRANSP transposes L0..L3 and L4..L7 both. A group in which the program has written some of the
 * four registers but not all holds values that were not meant to take part.
 */
static bool partial(uint8_t set)
{
    return set != 0 && set != 15;
}

static unsigned named_reads(const struct tx_event *event)
{
    return flow_named(event->row->reads, event->operands) & 0xFF;
}

static void live_read(struct flow_run *run, const struct tx_event *event, const char *rule,
                      const struct live *by, const char *message)
{
    struct tx_finding finding = {.category = TX_HAZARD,
                                 .arch = run->flow->arch,
                                 .thread = event->thread,
                                 .rule = rule,
                                 .cycle = event->cycle,
                                 .index = event->number,
                                 .word = event->word,
                                 .lanes = UINT32_MAX,
                                 .count = 1};
    snprintf(finding.message, sizeof finding.message, "%s", message);
    struct flow_found *f = flow_add(run, &finding, run->site);
    if (f != NULL) {
        f->producer = by->site;
        f->producer_cycle = by->cycle;
    }
}

static void turned_read(struct flow_run *run, const struct tx_event *event, unsigned reg)
{
    char text[160];
    snprintf(text, sizeof text,
             "L%u was live when SFPTRANSP transposed L%u..L%u with it: %s reads the transposed "
             "value",
             reg, reg & 4, (reg & 4) + 3, event->row->mnemonic);
    live_read(run, event, "L-TRANSP", &run->turner, text);
}

static void shifted_read(struct flow_run *run, const struct tx_event *event, unsigned reg)
{
    char text[160];
    snprintf(text, sizeof text,
             "L%u was live when SFPSHFT2 moved L0..L3 down without naming them: %s reads what came "
             "from %s",
             reg, event->row->mnemonic,
             (run->stray >> reg & 1) != 0 ? "a register that nothing wrote" : "the next register");
    live_read(run, event, "L-SHFT2", &run->shifter, text);
}

static void transpose(struct flow_run *run)
{
    for (unsigned group = 0; group < 2; group++) {
        uint8_t live = run->defined[group];
        run->turned[group] = partial(live) ? run->turned[group] ^ live : 0;
    }
}

/*
 * SFPSHFT2 modes 0, 1 and 2 move L1..L3 to L0..L2. What L0 held is gone; if nothing had read it,
 * and something reads L0 next, that was not meant. Nor was a register that took over one which
 * nothing wrote. L3 gets a value that the instruction defines, or L0's (mode 1).
 */
static void shift_down(struct flow_run *run, bool chained)
{
    uint8_t defined = run->defined[0];
    uint8_t after = (uint8_t)(defined >> 1 | (chained ? (defined & 1) << 3 : 8));
    run->lost = (uint8_t)(run->unread & defined & 1 & (chained ? 0 : 1));
    run->stray = (uint8_t)(defined & ~after);
    run->defined[0] = after | run->stray; /* reported once, at the read */
    run->unread = (uint8_t)(run->unread >> 1);
}

static bool moves_down(const struct tx_event *event)
{
    return event->row->insn == TX_INSN_SFPSHFT2 && event->operands->mode <= 2;
}

void live_check(struct flow_run *run, const struct tx_event *event)
{
    if (event->row == NULL || event->operands == NULL) {
        return;
    }
    const struct live here = {run->site, event->cycle};
    if (event->row->insn == TX_INSN_SFPTRANSP) {
        transpose(run);
        run->unread = 0;
        run->turner = here;
        return;
    }
    unsigned reads = named_reads(event);
    for (unsigned reg = 0; reg < 8; reg++) {
        if ((reads >> reg & 1) != 0 && (run->turned[reg / 4] >> (reg & 3) & 1) != 0) {
            turned_read(run, event, reg);
        }
        if ((reads >> reg & 1) != 0 && reg < 4 && ((run->lost | run->stray) >> reg & 1) != 0) {
            shifted_read(run, event, reg);
        }
    }
    run->unread &= (uint8_t) ~(reads | flow_fixed(event->row->reads));
    if (moves_down(event)) {
        shift_down(run, event->operands->mode == 1);
        run->shifter = here;
        return;
    }
    if (event->operands->vd < 8 && (event->row->writes & (TX_SET(VD) | TX_SET(VDX))) != 0) {
        uint8_t bit = (uint8_t)(1U << (event->operands->vd & 3));
        run->defined[event->operands->vd / 4] |= bit;
        run->turned[event->operands->vd / 4] &= (uint8_t)~bit;
        if (event->operands->vd < 4) {
            run->lost &= (uint8_t)~bit;
            run->stray &= (uint8_t)~bit;
            run->unread |= bit;
        }
    }
}
