/* SPDX-License-Identifier: Apache-2.0 */
#include "base/waits.h"

#include <stdio.h>
#include <string.h>

static struct wait_row *next_row(struct waits *w)
{
    if (w->count == WAITS_MOST) {
        w->more++;
        return NULL;
    }
    w->row[w->count] = (struct wait_row){.who = ""};
    return &w->row[w->count++];
}

/*
 * Cuts what tx_wait_text says in two: "since cycle 4, before NOP, by SEMWAIT of cycle 3" is where,
 * "semaphore 2 (0 of 1) to be above 0" what for.
 */
static void part(struct wait_row *row, const char *said)
{
    static const char *const between[] = {", for: ", ", for ", " for: ", " for "};
    const char *waits = strstr(said, "waits");
    said = waits != NULL ? waits + strlen("waits") : said;
    const char *cut = NULL;
    size_t length = 0;
    for (size_t i = 0; i < sizeof between / sizeof between[0] && cut == NULL; i++) {
        cut = strstr(said, between[i]);
        length = strlen(between[i]);
    }
    if (cut == NULL) {
        snprintf(row->what, sizeof row->what, "%s", said + strspn(said, " "));
        return;
    }
    snprintf(row->where, sizeof row->where, "%.*s", (int)(cut - said), said + strspn(said, " "));
    row->where[cut - said > 0 ? (size_t)(cut - said - 1) : 0] = '\0';
    /* Behind a unit that waits itself stands what that one waits for. */
    const char *what = cut + length;
    for (const char *next; (next = strstr(what, between[0])) != NULL;) {
        what = next + strlen(between[0]);
    }
    snprintf(row->what, sizeof row->what, "%s", what);
}

void waits_thread(struct waits *w, const tx_machine *m, unsigned thread, const char *tile)
{
    char said[256];
    if (!tx_wait_text(m, thread, said, sizeof said)) {
        return;
    }
    struct wait_row *row = next_row(w);
    if (row != NULL) {
        snprintf(row->who, sizeof row->who, "%sT%u", tile, thread);
        part(row, said);
        (void)tx_wait_end(m, thread, row->end, sizeof row->end);
    }
}

void waits_core(struct waits *w, const tx_tensix *t, enum tx_core core, const char *tile,
                const char *where, const char *polls)
{
    char said[256];
    struct tx_core_state s;
    if (tx_tensix_core(t, core, &s) != TX_OK || !tx_tensix_wait_text(t, core, said, sizeof said) ||
        (s.rests && s.phase == TX_CORE_RUNS)) {
        return;
    }
    struct wait_row *row = next_row(w);
    if (row == NULL) {
        return;
    }
    /* "t1 at 0000a014, lw a2, 4(a4): waits for the answer of ffe80004 (PC buffer)" */
    const char *what = strstr(said, ": ");
    what = what != NULL ? what + 2 : said + strlen(said);
    snprintf(row->who, sizeof row->who, "%score %s", tile, tx_core_name(core));
    /* Without symbols the instruction says where the core is. */
    const char *at = strstr(said, " at ");
    at = at != NULL && at < what ? at + 4 : what - 2;
    snprintf(row->where, sizeof row->where, "%.*s%s%s", where != NULL ? 8 : (int)(what - 2 - at),
             at, where != NULL ? " " : "", where != NULL ? where : "");
    static const char *const words[] = {"waits for ever for ", "waits for "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        what += strncmp(what, words[i], strlen(words[i])) == 0 ? strlen(words[i]) : 0;
    }
    snprintf(row->what, sizeof row->what, "%.*s", (int)sizeof row->what - 1,
             polls != NULL && polls[0] != '\0' ? polls : what);
    (void)tx_tensix_wait_end(t, core, row->end, sizeof row->end);
}

/* ---- the table ---- */

enum { COLUMNS = 4, WIDEST = 72 };

static const char *cell(const struct wait_row *row, unsigned column)
{
    const char *const cells[COLUMNS] = {row->who, row->where, row->what, row->end};
    return cells[column];
}

void waits_append(const struct waits *w, char *text, size_t size)
{
    static const struct wait_row head = {"who", "where", "waits for", "what would end it"};
    size_t width[COLUMNS];
    size_t used = strlen(text);
    for (unsigned c = 0; c < COLUMNS; c++) {
        width[c] = strlen(cell(&head, c));
        for (unsigned i = 0; i < w->count; i++) {
            const size_t length = strlen(cell(&w->row[i], c));
            width[c] = length > width[c] ? length : width[c];
        }
        width[c] = width[c] > WIDEST ? WIDEST : width[c];
    }
    unsigned left = w->more;
    for (unsigned i = 0; w->count != 0 && i <= w->count; i++) {
        const struct wait_row *row = i == 0 ? &head : &w->row[i - 1];
        char line[512];
        int n = snprintf(line, sizeof line, "\n");
        for (unsigned c = 0; c < COLUMNS; c++) {
            const char *said = cell(row, c);
            n += snprintf(line + n, sizeof line - (size_t)n, "  %-*s",
                          c + 1 < COLUMNS ? (int)width[c] : 0, said[0] != '\0' ? said : "-");
        }
        if (used + (size_t)n + 24 >= size) {
            left += w->count + 1 - i;
            break;
        }
        memcpy(text + used, line, (size_t)n + 1);
        used += (size_t)n;
    }
    if (left != 0) {
        snprintf(text + used, size - used, "\n  and %u more", left);
    }
}
