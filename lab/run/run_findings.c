/* SPDX-License-Identifier: Apache-2.0 */
/* Merges findings of several tiles and threads, and prepares them for the caller. */
#include "base/json.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "base/memory.h"

void run_add_finding(struct run_findings *findings, const struct run_finding *one)
{
    const struct tx_finding *f = &one->finding;
    for (size_t i = 0; i < findings->count; i++) {
        struct run_finding *there = &findings->list[i];
        if (there->finding.category == f->category && there->finding.word == f->word &&
            there->init == one->init && there->finding.thread == f->thread &&
            strcmp(there->finding.rule != NULL ? there->finding.rule : "",
                   f->rule != NULL ? f->rule : "") == 0) {
            uint64_t count = there->finding.count + f->count;
            if (one->tile < there->tile) {
                *there = *one;
            }
            there->finding.count = count;
            return;
        }
    }
    if (findings->count == RUN_FINDINGS) {
        findings->dropped += f->count;
        return;
    }
    /*
     * Sort by tile and then by order in the run, so that the result does not depend on the number
     * of threads.
     */
    size_t place = findings->count++;
    while (place > 0) {
        const struct run_finding *before = &findings->list[place - 1];
        bool later = before->init == one->init
                         ? before->tile > one->tile ||
                               (before->tile == one->tile && before->finding.index > f->index)
                         : one->init;
        if (!later) {
            break;
        }
        findings->list[place] = *before;
        place--;
    }
    findings->list[place] = *one;
}

void run_collect(struct run_findings *findings, const tx_machine *machine, bool init,
                 const uint64_t *first_tile)
{
    size_t count = tx_finding_count(machine);
    for (size_t i = 0; i < count; i++) {
        struct run_finding one = {.finding = *tx_finding_at(machine, i), .init = init};
        one.tile = first_tile != NULL && i < TX_MAX_FINDINGS ? first_tile[i] : 0;
        run_add_finding(findings, &one);
    }
    findings->dropped += tx_finding_dropped(machine);
}

void run_findings_merge(struct run_findings *into, const struct run_findings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        run_add_finding(into, &from->list[i]);
    }
    into->dropped += from->dropped;
}

void run_take(struct run_totals *t, const tx_machine *m)
{
    const struct tx_counters all = tx_machine_counters(m);
    t->tiles.cycles = all.cycles - t->init.cycles;
    t->tiles.issue_cycles = all.issue_cycles - t->init.issue_cycles;
    t->tiles.instructions = all.instructions - t->init.instructions;
    t->tiles.vector_instructions = all.vector_instructions - t->init.vector_instructions;
    t->tiles.stall_cycles = all.stall_cycles - t->init.stall_cycles;
    run_collect(&t->findings, m, false, NULL);
    for (size_t i = 0; i < RUN_NOTES && tx_evidence_at(i) != NULL; i++) {
        t->notes[i] = tx_note_count(m, i);
    }
    t->bounds = tx_bounds(m);
}

int run_show(struct txl_error *err, struct run_shown *shown, const struct run_findings *findings,
             const uint64_t *notes, const char *path, const struct tx_program *program)
{
    run_hide(shown);
    shown->findings = zeroed(err, findings->count + 1, sizeof *shown->findings);
    shown->sources = zeroed(err, findings->count + 1, sizeof *shown->sources);
    shown->notes = zeroed(err, RUN_NOTES, sizeof *shown->notes);
    if (shown->findings == NULL || shown->sources == NULL || shown->notes == NULL) {
        run_hide(shown);
        return TXL_INPUT;
    }
    for (size_t i = 0; i < findings->count; i++) {
        const struct run_finding *one = &findings->list[i];
        shown->findings[i] = (struct txl_run_finding){
            .finding = &one->finding,
            .init = one->init,
            .tile = one->tile,
            .source = kernel_source_of(path, program, one->finding.word, shown->sources[i])};
    }
    shown->finding_count = findings->count;
    const struct tx_evidence *entry;
    for (size_t i = 0; i < RUN_NOTES && (entry = tx_evidence_at(i)) != NULL; i++) {
        if (notes[i] != 0) {
            shown->notes[shown->note_count++] =
                (struct txl_run_note){.evidence = entry, .count = notes[i]};
        }
    }
    return TXL_CONTINUE;
}

void run_hide(struct run_shown *shown)
{
    free(shown->findings);
    free(shown->sources);
    free(shown->notes);
    *shown = (struct run_shown){.findings = NULL};
}

txl_json *run_findings_json(const struct run_shown *shown)
{
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < shown->finding_count; i++) {
        const struct txl_run_finding *one = &shown->findings[i];
        txl_json *object = finding_json(one->finding, one->finding->count);
        txl_json_set_text(object, "section", one->init ? "init" : "tile");
        txl_json_set_int(object, "tile", one->tile);
        if (one->source != NULL) {
            txl_json_set_text(object, "source", one->source);
        }
        txl_json_append(list, object);
    }
    return list;
}

txl_json *run_notes_json(const struct run_shown *shown)
{
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < shown->note_count; i++) {
        const struct tx_evidence *entry = shown->notes[i].evidence;
        txl_json *object = txl_json_object();
        JSON_MEMBERS(object, entry, id, text, source, rule);
        txl_json_set_int(object, "count", shown->notes[i].count);
        txl_json_append(list, object);
    }
    return list;
}

txl_json *run_counters_json(const struct tx_counters *c)
{
    txl_json *object = txl_json_object();
    JSON_MEMBERS(object, c, instructions, vector_instructions, cycles, issue_cycles, stall_cycles);
    return object;
}
