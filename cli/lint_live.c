/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards that show only over many instructions. */
#include "lint_flow.h"

#include <string.h>

/*
 * SFPTRANSP transposes L0..L3 and L4..L7 both. A group in which the program has written some of the
 * four registers but not all holds values that were not meant to take part.
 */
static bool partial(uint8_t set)
{
    return set != 0 && set != 15;
}

static bool has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = strstr(list, word); p != NULL; p = strstr(p + 1, word)) {
        if ((p == list || p[-1] == ' ') && (p[length] == '\0' || p[length] == ' ')) {
            return true;
        }
    }
    return false;
}

static unsigned named_reads(const struct tx_event *event)
{
    const struct tx_operands *o = event->operands;
    const char *reads = event->row->reads;
    uint32_t set = 0;
    set |= has(reads, "VA") || has(reads, "VAX") ? 1U << o->va : 0;
    set |= has(reads, "VB") ? 1U << o->vb : 0;
    set |= has(reads, "VC") ? 1U << o->vc : 0;
    set |= has(reads, "VD") ? 1U << o->vd : 0;
    return set & 0xFF;
}

static void turned_read(struct flow_run *run, const struct tx_event *event, unsigned reg)
{
    char text[96];
    struct tx_finding finding = {.category = TX_HAZARD,
                                 .arch = run->flow->arch,
                                 .thread = event->thread,
                                 .rule = "L-TRANSP",
                                 .cycle = event->cycle,
                                 .index = event->number,
                                 .word = event->word,
                                 .lanes = UINT32_MAX,
                                 .count = 1};
    (void)tx_disassemble(run->flow->arch, event->word, TX_DIS_NORMAL, text, sizeof text);
    snprintf(finding.message, sizeof finding.message,
             "L%u was live when SFPTRANSP transposed L%u..L%u with it: %s reads the transposed "
             "value",
             reg, reg & 4, (reg & 4) + 3, event->row->mnemonic);
    struct flow_found *f = flow_add(run, &finding, run->site);
    if (f != NULL) {
        f->producer = run->turner;
        f->producer_cycle = run->turner_cycle;
    }
}

void live_check(struct flow_run *run, const struct tx_event *event)
{
    if (event->row == NULL || event->operands == NULL) {
        return;
    }
    if (strcmp(event->row->mnemonic, "SFPTRANSP") == 0) {
        for (unsigned group = 0; group < 2; group++) {
            uint8_t live = run->defined[group];
            run->turned[group] = partial(live) ? run->turned[group] ^ live : 0;
        }
        run->turner = run->site;
        run->turner_cycle = event->cycle;
        return;
    }
    unsigned reads = named_reads(event);
    for (unsigned reg = 0; reg < 8; reg++) {
        if ((reads >> reg & 1) != 0 && (run->turned[reg / 4] >> (reg & 3) & 1) != 0) {
            turned_read(run, event, reg);
        }
    }
    if (event->operands->vd < 8 &&
        (has(event->row->writes, "VD") || has(event->row->writes, "VDX"))) {
        uint8_t bit = (uint8_t)(1U << (event->operands->vd & 3));
        run->defined[event->operands->vd / 4] |= bit;
        run->turned[event->operands->vd / 4] &= (uint8_t)~bit;
    }
}

/* ---- the end of the stream ---- */

static void at_end(struct flow_run *run, const char *rule, const char *text, uint32_t site)
{
    struct tx_finding finding = {.category = TX_HAZARD,
                                 .arch = run->flow->arch,
                                 .thread = 1,
                                 .rule = rule,
                                 .cycle = run->cycles,
                                 .count = 1};
    finding.word = site != FLOW_NOWHERE ? run->flow->sites[site].word : 0;
    snprintf(finding.message, sizeof finding.message, "%s", text);
    (void)flow_add(run, &finding, site);
}

static bool armed(const tx_machine *machine)
{
    uint32_t misc[TX_LANES] = {0};
    (void)tx_read(machine, TX_FILE_MACRO_MISC, 0, misc, TX_LANES);
    uint32_t any = 0;
    for (unsigned i = 0; i < TX_LANES; i++) {
        any |= misc[i] & 0xF00;
    }
    return any != 0;
}

void end_check(struct flow_run *run)
{
    uint32_t launch = run->launch.site;
    if (launch == FLOW_NOWHERE) {
        if (armed(run->machine)) {
            at_end(run, "L-ARMED",
                   "delay kinds stay armed in Misc at the end and no SFPLOADMACRO used them; a "
                   "Wormhole hung in this state (timing.md d.8)",
                   run->now.site);
        }
        return;
    }
    run->executed_cycle = 0;
    uint32_t nop = flow_nop(run->flow->arch);
    run->site = FLOW_NOWHERE;
    size_t before = run->count;
    for (unsigned i = 0; i < 10; i++) {
        bool accepted = false;
        tx_findings_clear(run->machine);
        if (tx_cycle(run->machine, 1, &nop, &accepted) != TX_OK) {
            break;
        }
    }
    run->count = before; /* what the added SFPNOPs meet is not the program's */
    if (run->executed_cycle != 0) {
        at_end(run, "L-PENDING",
               "instructions that this SFPLOADMACRO scheduled are still outstanding at the end: "
               "they run with whatever comes next; SFPNOPs are missing behind it",
               launch);
    }
}
