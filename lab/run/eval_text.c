/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what instructions have changed, as text. */
#include <tensix-lab/eval.h>

#include "base/bound.h"
#include "base/memory.h"
#include "run/run_text.h"

/* Writes a word as FP32, two's complement, sign and magnitude, and a pair of BF16. */
static void print_readings(FILE *out, uint32_t word)
{
    char number[48];
    char high[48];
    char low[48];
    fprintf(out, "%08x  fp32 %-14s int %-11d sm %c%-10u bf16 %s, %s", word,
            txl_number_text(TX_DST_FORMAT_FP32, word, number, sizeof number), (int32_t)word,
            (word >> 31) != 0 ? '-' : '+', word & 0x7fffffffU,
            txl_number_text(TX_DST_FORMAT_FP32, word & 0xffff0000U, high, sizeof high),
            txl_number_text(TX_DST_FORMAT_FP32, word << 16, low, sizeof low));
}

static void print_lreg(FILE *out, unsigned index, const uint32_t *before, const uint32_t *after,
                       int lanes)
{
    unsigned lane = 0;
    while (lane < TX_LANES) {
        unsigned end = lane + 1;
        bool changed = before[lane] != after[lane];
        while (lanes == TXL_EVAL_CHANGED && end < TX_LANES && after[end] == after[lane] &&
               before[end] == before[lane]) {
            end++;
        }
        bool wanted =
            lanes == TXL_EVAL_ALL || (lanes == TXL_EVAL_CHANGED ? changed : (int)lane == lanes);
        if (wanted) {
            char range[24];
            if (end - lane == TX_LANES) {
                snprintf(range, sizeof range, "all lanes");
            } else if (end - lane > 1) {
                snprintf(range, sizeof range, "lanes %u-%u", lane, end - 1);
            } else {
                snprintf(range, sizeof range, "lane %u", lane);
            }
            fprintf(out, "L%-2u %-11s ", index, range);
            print_readings(out, after[lane]);
            fprintf(out, changed ? "  (was %08x)\n" : "  (unchanged)\n", before[lane]);
        }
        lane = end;
    }
}

static void print_title(FILE *out, const struct txl_eval_change *c)
{
    char title[48];
    if (c->thread != TX_THREADS) {
        snprintf(title, sizeof title, "%s %u of T%u", c->name, c->index, c->thread);
    } else if (!c->alone) {
        snprintf(title, sizeof title, "%s %u", c->name, c->index);
    } else {
        snprintf(title, sizeof title, "%s", c->name);
    }
    fprintf(out, "%-15s ", title);
}

static void print_dst_row(FILE *out, const uint32_t *before, const uint32_t *after)
{
    for (unsigned i = 0; i < TX_DST_WIDTH; i++) {
        fprintf(out, "%s%04x%s", i == 0 ? "" : " ", after[i], before[i] != after[i] ? "*" : "");
    }
    fputc('\n', out);
}

static void print_entry(FILE *out, const struct txl_eval_change *c)
{
    const char *gap = "";
    bool uniform = true;
    print_title(out, c);
    if (c->file == TX_FILE_DST) {
        print_dst_row(out, c->before, c->after);
        return;
    }
    for (unsigned i = 1; i < c->width; i++) {
        uniform = uniform && c->before[i] == c->before[0] && c->after[i] == c->after[0];
    }
    if (uniform) {
        fprintf(out, "%08x -> %08x%s\n", c->before[0], c->after[0],
                c->width > 1 ? " everywhere" : "");
        return;
    }
    for (unsigned i = 0; i < c->width; i++) {
        if (c->before[i] != c->after[i]) {
            fprintf(out, "%s%s %u: %08x -> %08x", gap, c->unit, i, c->before[i], c->after[i]);
            gap = ", ";
        }
    }
    fputc('\n', out);
}

/* Writes changed lines of L1, 16 bytes each, but only the first few. */
static void print_l1(FILE *out, const txl_eval *eval)
{
    enum { MOST = 16 };
    const struct txl_l1_change *c;
    unsigned lines = 0;
    for (; (c = txl_eval_l1_change(eval, lines)) != NULL; lines++) {
        if (lines < MOST) {
            fprintf(out, "L1 %06x       %s -> %s\n", (unsigned)c->address, c->before, c->after);
        }
    }
    if (lines > MOST) {
        fprintf(out, "L1              %u more lines of 16 bytes\n", lines - MOST);
    }
}

static void print_changes(FILE *out, const txl_eval *eval, int lanes)
{
    const struct txl_eval_change *c;
    for (size_t i = 0; (c = txl_eval_change(eval, i)) != NULL; i++) {
        if (c->file == TX_FILE_LREG) {
            print_lreg(out, c->index, c->before, c->after, lanes);
        } else if (c->file == TX_FILE_COUNT) {
            fprintf(out, "%s %u -> %u (thread %u)\n", c->name, c->before[0], c->after[0],
                    c->thread);
        } else {
            print_entry(out, c);
        }
    }
    if (txl_eval_change(eval, 0) == NULL) {
        fprintf(out, "nothing changed\n");
    }
    print_l1(out, eval);
}

static struct txl_run_finding finding_at_index(const void *from, size_t index,
                                               char text[FINDING_PLACE])
{
    (void)text;
    return *txl_eval_finding(from, index);
}

static void print_eval(FILE *out, const txl_eval *eval, int lanes, bool evidence)
{
    const struct tx_counters c = tx_machine_counters(txl_eval_machine(eval));
    const struct txl_run_note *note;
    size_t count = 0;
    print_changes(out, eval, lanes);
    const uint32_t bounds = tx_bounds(txl_eval_machine(eval));
    fprintf(out, "cycles          %s%llu (issue %llu, stalled %llu), instructions %llu\n",
            bound_prefix(bounds), (unsigned long long)c.cycles, (unsigned long long)c.issue_cycles,
            (unsigned long long)c.stall_cycles, (unsigned long long)c.instructions);
    bound_print(out, bounds);
    while (txl_eval_finding(eval, count) != NULL) {
        count++;
    }
    run_findings_print(out, finding_at_index, eval, count, txl_eval_findings_dropped(eval));
    for (size_t i = 0; evidence && (note = txl_eval_note(eval, i)) != NULL; i++) {
        run_note_print(out, note);
    }
}

char *txl_eval_text(const txl_eval *eval, int lanes, bool evidence)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_eval(text.stream, eval, lanes, evidence);
    return memory_text_take(&text);
}
