/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the accounts of shadow execution as text. */
#include "shadow/shadow_text.h"

#include <math.h>

#include <tensix-lab/base.h>

#include "base/memory.h"

/* Prints an error with at most six significant digits and twelve characters. */
static const char *error_text(double error, char text[24])
{
    if (isinf(error)) {
        snprintf(text, 24, "special");
    } else if (error == 0.0) {
        snprintf(text, 24, "0");
    } else if (fabs(error) < 1e-3) {
        snprintf(text, 24, "%.1e", error);
    } else if (fabs(error) < 999999.5) {
        snprintf(text, 24, "%.*f", fabs(error) < 99.9995 ? 3 : 0, error);
    } else {
        snprintf(text, 24, "%.5e", error);
    }
    return text;
}

static const char *events_text(const struct txl_account_line *line, char text[200])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < TXL_SHADOW_EVENTS; i++) {
        if ((line->events >> i & 1U) == 0) {
            continue;
        }
        char more[40] = "";
        if (1U << i == TXL_SHADOW_CANCELLATION) {
            snprintf(more, sizeof more, line->cancelled < 0 ? ", all bits" : ", %d bits",
                     line->cancelled);
        } else if (1U << i == TXL_SHADOW_CUT) {
            snprintf(more, sizeof more, ", %d", line->cut);
        }
        int wrote = snprintf(text + used, 200 - used, "%s%s%s", used == 0 ? "" : "; ",
                             txl_shadow_event_name(i), more);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

/* Prints the place of a word, such as "exp.s:40", into text; "" when it is unknown. */
static const char *place_text(const struct txl_account_line *line, char *text, size_t size)
{
    text[0] = '\0';
    if (line->source_line != 0 && line->source != NULL) {
        snprintf(text, size, "%s:%u", txl_basename(line->source), line->source_line);
    } else if (line->source_line != 0) {
        snprintf(text, size, "%u", line->source_line);
    }
    return text;
}

static void print_line(FILE *out, enum tx_arch arch, const struct txl_account_line *line,
                       bool guilty)
{
    char dis[128];
    char where[48];
    char word[16] = "-";
    char events[200];
    char errors[3][24];
    (void)tx_disassemble(arch, line->step->word, TX_DIS_NORMAL, dis, sizeof dis);
    if (line->placed) {
        snprintf(word, sizeof word, "%u", line->word);
    }
    events_text(line, events);
    const char *taken = line->taken;
    fprintf(out, "%s%5s %5s  %-30.60s %08x %15s %18s %12s %12s %12s  %s%s%s%s\n",
            guilty ? ">" : " ", word, place_text(line, where, sizeof where), dis, line->result,
            line->value, line->exact, error_text(line->own, errors[0]),
            error_text(line->so_far, errors[1]), error_text(line->share, errors[2]), taken,
            taken[0] != '\0' && events[0] != '\0' ? "; " : "", events,
            line->step->scheduled ? " (scheduled)" : "");
}

void shadow_print_account(FILE *out, const txl_account *account)
{
    const enum tx_arch arch = shadow_account_arch(account);
    const struct txl_account_total *total = txl_account_total(account);
    fprintf(out, "  word  line  %-30s %-8s %15s %18s %12s %12s %12s\n", "instruction", "result", "",
            "exact", "own ULP", "ULP", "share");
    for (size_t i = 0; i < total->lines; i++) {
        print_line(out, arch, txl_account_line(account, i), (int)i == total->guilty);
    }
    shadow_print_blame(out, account);
}

/* Prints "sfpmad L3,L3,L5,L3,0, word 10 of .tile, line 33: -0.492 ULP; tie". */
static void print_step(FILE *out, const char *label, enum tx_arch arch,
                       const struct txl_account_line *line)
{
    char dis[128];
    char where[48];
    char events[200];
    char error[24];
    (void)tx_disassemble(arch, line->step->word, TX_DIS_NORMAL, dis, sizeof dis);
    fprintf(out, "%-15s %s", label, dis);
    if (line->placed) {
        fprintf(out, ", %sword %u of .tile", line->step->scheduled ? "scheduled by " : "",
                line->word);
        if (place_text(line, where, sizeof where)[0] != '\0') {
            fprintf(out, ", %s%s", line->source == NULL ? "line " : "", where);
        }
    } else if (line->step->scheduled) {
        fprintf(out, " (scheduled)");
    }
    fprintf(out, ": %s ULP", error_text(line->share, error));
    if (events_text(line, events)[0] != '\0') {
        fprintf(out, "; %s", events);
    }
    fprintf(out, "\n");
}

void shadow_print_way(FILE *out, const txl_account *account)
{
    const enum tx_arch arch = shadow_account_arch(account);
    const struct txl_account_total *total = txl_account_total(account);
    const char *label = "on the way";
    for (size_t i = 0; i < total->lines; i++) {
        const struct txl_account_line *line = txl_account_line(account, i);
        if (line->events != 0 && (int)i != total->guilty) {
            print_step(out, label, arch, line);
            label = "";
        }
    }
}

void shadow_print_blame(FILE *out, const txl_account *account)
{
    const enum tx_arch arch = shadow_account_arch(account);
    const struct txl_account_total *total = txl_account_total(account);
    char error[24];
    char method[24];
    fprintf(out, "error           %s ULP", error_text(total->error, error));
    if (total->has_reference) {
        fprintf(out, ", of which %s ULP by the method: in exact arithmetic it gives %s",
                error_text(total->method, method), total->exact);
    } else {
        fprintf(out, " against exact arithmetic, %s", total->exact);
    }
    fprintf(out, "\n");
    if (total->guilty >= 0) {
        print_step(out, "guilty", arch, txl_account_line(account, (size_t)total->guilty));
    } else if (total->guilty == TXL_GUILTY_METHOD) {
        fprintf(out, "guilty          the method, not an instruction\n");
    }
}

char *txl_account_text(const txl_account *account)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    shadow_print_account(text.stream, account);
    return memory_text_take(&text);
}
