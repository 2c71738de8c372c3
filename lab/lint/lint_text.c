/* SPDX-License-Identifier: Apache-2.0 */
/* Lint results as text: a line for each finding, and a summary. */
#include "lint/lint.h"

#include <tensix/finding.h>

#include <string.h>

#include "base/memory.h"

/* Returns a place as "kernel.s:12", "a.elf: calculate+0x1c", or "kernel.hex: word 7". */
static const char *lint_text_place(const struct txl_lint_result *r, const struct txl_lint_place *p,
                                   char text[320])
{
    if (!p->known) {
        snprintf(text, 320, "%.120s", r->file);
    } else if (r->function != NULL) {
        snprintf(text, 320, "%.120s: %.120s+0x%x", r->file, r->function, p->offset);
    } else if (p->line != 0) {
        snprintf(text, 320, "%.120s:%u", p->source != NULL ? p->source : r->file, p->line);
    } else {
        snprintf(text, 320, "%.120s: word %u", r->file, p->offset);
    }
    return text;
}

static const char *disassembly(const struct txl_lint_result *r, uint32_t word, char text[128])
{
    (void)tx_disassemble(r->arch, word, TX_DIS_NORMAL, text, 128);
    return text;
}

static bool is_hazard(const struct txl_lint_finding *f)
{
    return f->finding->category == TX_HAZARD;
}

static void print_more(FILE *stream, uint32_t more)
{
    if (more > 0) {
        fprintf(stream, "; the same at %u more word%s", more, more == 1 ? "" : "s");
    }
}

static void print_finding(FILE *stream, const struct txl_lint_result *r,
                          const struct txl_lint_finding *f)
{
    char where[320];
    char text[128];
    const struct tx_finding *what = f->finding;
    const bool of_word = what->word != 0; /* otherwise of the whole program, at its end */
    fprintf(stream, "%s: %s [%s] %s: %s (%s%scycle %llu", lint_text_place(r, &f->place, where),
            is_hazard(f) ? "hazard" : tx_category_name(what->category),
            what->rule != NULL ? what->rule : "-", tx_arch_short(r->arch), what->message,
            of_word ? disassembly(r, what->word, text) : "", of_word ? ", " : "",
            (unsigned long long)what->cycle);
    if (f->producer.known) {
        fprintf(stream, "; producer at %s: %s, cycle %llu", lint_text_place(r, &f->producer, where),
                disassembly(r, f->producer.word, text), (unsigned long long)f->producer_cycle);
    }
    if (f->count > 1) {
        fprintf(stream, "; %llu times", (unsigned long long)f->count);
    }
    print_more(stream, f->more);
    fprintf(stream, ")%s\n", f->sfpnop_missing ? ": an SFPNOP in front of it is missing" : "");
}

/* What has been said behind earlier findings, each once. */
struct advised {
    const char *change[40];
    unsigned count;
};

static void print_advice(FILE *stream, struct advised *advised, const struct txl_lint_finding *f)
{
    const struct tx_advice advice = tx_finding_advice(f->finding);
    for (unsigned i = 0; i < advised->count; i++) {
        if (strcmp(advised->change[i], advice.change) == 0) {
            return;
        }
    }
    if (advised->count < sizeof advised->change / sizeof advised->change[0]) {
        advised->change[advised->count++] = advice.change;
    }
    fprintf(stream, "    on a card: %s\n", advice.on_card);
    if (!f->sfpnop_missing) { /* otherwise the finding's line says what is missing */
        fprintf(stream, "    change: %s\n", advice.change);
    }
}

static void print_findings(FILE *stream, const struct txl_lint_result *r)
{
    bool headed = false;
    struct advised advised = {.count = 0};
    for (size_t i = 0; i < r->finding_count; i++) {
        if (is_hazard(txl_lint_finding(r, i)) && !txl_lint_finding(r, i)->repeated) {
            print_finding(stream, r, txl_lint_finding(r, i));
            print_advice(stream, &advised, txl_lint_finding(r, i));
        }
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        if (is_hazard(txl_lint_finding(r, i)) || txl_lint_finding(r, i)->repeated) {
            continue;
        }
        if (!headed) {
            fprintf(stream, "%s: other findings on %s:\n", r->file, tx_arch_name(r->arch));
            headed = true;
        }
        print_finding(stream, r, txl_lint_finding(r, i));
        print_advice(stream, &advised, txl_lint_finding(r, i));
    }
}

static void print_nops(FILE *stream, const struct txl_lint_result *r)
{
    char where[320];
    for (size_t i = 0; i < r->nop_count; i++) {
        const struct txl_lint_nop *n = txl_lint_nop(r, i);
        if (n->repeated) {
            continue;
        }
        fprintf(stream, "%s: %s [%s] %s: %s", lint_text_place(r, &n->place, where),
                n->cycles != 0 ? "superfluous SFPNOP" : "note: SFPNOP costs nothing", n->rule,
                tx_arch_short(r->arch), n->text);
        if (n->cycles != 0) {
            fprintf(stream, "; without it %llu cycles less", (unsigned long long)n->cycles);
        }
        print_more(stream, n->more);
        fputc('\n', stream);
    }
}

static void print_lint(FILE *stream, const struct txl_lint_result *r)
{
    print_findings(stream, r);
    print_nops(stream, r);
    fprintf(stream, "%s%s%s on %s: %zu hazards, %zu other findings, %zu superfluous SFPNOPs",
            r->file, r->function != NULL ? ": " : "", r->function != NULL ? r->function : "",
            tx_arch_name(r->arch), r->hazards, r->others, r->superfluous);
    if (r->skipped != 0) {
        fprintf(stream, ", %llu words of other units skipped", (unsigned long long)r->skipped);
    }
    if (r->unrecorded != 0) {
        fprintf(stream, ", %llu replayed words that it does not record skipped",
                (unsigned long long)r->unrecorded);
    }
    if (!r->complete) {
        fprintf(stream, "; not ended after %llu cycles, the rest was not looked at (--max-cycles)",
                (unsigned long long)r->cycles);
    }
    fputc('\n', stream);
}

char *txl_lint_text(const struct txl_lint_result *result)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_lint(text.stream, result);
    return memory_text_take(&text);
}
