/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as the run room keeps them, for the sweep's report until it has accessors of its own. */
#ifndef CLI_PRINT_RUN_INNER_H
#define CLI_PRINT_RUN_INNER_H

#include "print/run.h"
#include "run/run.h"

static inline void run_print_findings(FILE *stream, const struct run_findings *findings,
                                      const struct tx_program *program)
{
    static const uint64_t notes[RUN_NOTES];
    struct run_shown shown = {.findings = NULL};
    if (run_show(NULL, &shown, findings, notes, program) == TXL_CONTINUE) {
        for (size_t i = 0; i < shown.finding_count; i++) {
            print_finding(stream, &shown.findings[i]);
        }
        print_findings_end(stream, shown.finding_count, findings->dropped);
    }
    run_hide(&shown);
}

static inline json_t *run_findings_list(const struct run_findings *findings,
                                        const struct tx_program *program)
{
    static const uint64_t notes[RUN_NOTES];
    struct run_shown shown = {.findings = NULL};
    (void)run_show(NULL, &shown, findings, notes, program);
    txl_json *list = run_findings_json(&shown);
    char *text = txl_json_line(list);
    json_t *loaded = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    txl_json_free(list);
    run_hide(&shown);
    return loaded;
}

#endif
