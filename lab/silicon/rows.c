/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of measurements; their form follows from the number of columns. */
#include "silicon/silicon.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 24, NOC_FIELDS = 12, FIGURE_FIELDS = 8, KERNEL_FIELDS = 7, LINE = 2000 };

static const char blank[] = "";

struct line {
    char text[LINE];
    const char *field[FIELDS];
    unsigned fields;
};

static void split(struct line *l)
{
    char *at = l->text;
    l->fields = 0;
    for (unsigned i = 0; i < FIELDS; i++) {
        l->field[i] = blank;
    }
    while (l->fields < FIELDS) {
        l->field[l->fields++] = at;
        at = strchr(at, '\t');
        if (at == NULL) {
            return;
        }
        *at++ = '\0';
    }
}

static bool is_chip(const char *text, enum tx_arch *arch)
{
    *arch = strncmp(text, "bh", 2) == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    return (strncmp(text, "bh", 2) == 0 || strncmp(text, "wh", 2) == 0) &&
           (text[2] == '\0' || text[2] == ' ');
}

static bool is_whole(const char *text, unsigned most, unsigned *value)
{
    char *end;
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    const unsigned long n = strtoul(text, &end, 10);
    *value = (unsigned)n;
    return *end == '\0' && n <= most;
}

/* "x,y WxH", perhaps with words behind. */
static bool is_rect(const char *text, struct silicon_rect *r)
{
    int used = 0;
    return sscanf(text, "%u,%u %ux%u%n", &r->x, &r->y, &r->w, &r->h, &used) == 4 && used != 0 &&
           r->x < 64 && r->y < 64 && r->w >= 1 && r->h >= 1 && r->w < 64 && r->h < 64 &&
           r->w * r->h <= SILICON_MOST_MASTERS;
}

/* names: NULL behind the last one. */
static bool is_one_of(const char *text, const char *const *names, unsigned *which)
{
    for (*which = 0; names[*which] != NULL; ++*which) {
        if (strcmp(text, names[*which]) == 0) {
            return true;
        }
    }
    return false;
}

/* Columns 1 to 11 of the form with a column for each size. */
static const char *noc_fields(const struct line *l, struct silicon_noc *n)
{
    static const char *const memories[] = {"l1", "dram-sharded", "dram-interleaved", NULL};
    static const char *const mechanisms[] = {"unicast", "multicast", "linked", NULL};
    unsigned memory;
    unsigned mechanism;
    unsigned flag;
    const char *const *f = l->field;
    if (!is_chip(f[1], &n->arch) || !is_one_of(f[2], memories, &memory) ||
        !is_one_of(f[3], mechanisms, &mechanism)) {
        return "chip, memory or mechanism is not known";
    }
    n->dram = memory != 0;
    n->interleaved = memory == 2;
    n->mechanism = (enum silicon_mechanism)mechanism;
    n->reads = strstr(f[4], "from") != NULL;
    n->single =
        !n->interleaved && (n->dram || n->mechanism != SILICON_UNICAST ||
                            strcmp(f[4], "one_to_one") == 0 || strcmp(f[4], "one_from_one") == 0);
    n->minus_master = strstr(f[6], "minus master") != NULL;
    if (!is_rect(f[5], &n->masters) || (!n->dram && !is_rect(f[6], &n->others))) {
        return "masters or subordinates are no rectangle";
    }
    if (!is_whole(f[7], SILICON_MOST_PER, &n->per) || n->per == 0 || !is_whole(f[8], 1, &flag) ||
        !is_whole(f[11], 1, &n->noc)) {
        return "per_dest, same_axis or noc is not a number in its range";
    }
    n->stateful = strcmp(f[9], "1") == 0;
    n->loopback = strcmp(f[10], "1") == 0;
    if ((n->dram || n->reads) && n->mechanism != SILICON_UNICAST) {
        return "broadcasts only write to L1";
    }
    return NULL;
}

static void read_noc(const struct line *l, struct silicon_row *r)
{
    const char *why = noc_fields(l, &r->noc);
    const bool one = r->noc.masters.w * r->noc.masters.h == 1;
    snprintf(r->why, sizeof r->why, "%s", why != NULL ? why : "");
    snprintf(r->name, sizeof r->name, "%.8s %.20s %.12s, %s", l->field[1], l->field[2], l->field[3],
             one ? "one master" : "many masters");
    for (unsigned i = 0; i < SILICON_SIZES; i++) {
        const char *cell = l->field[NOC_FIELDS + i];
        char *end;
        const double value = strtod(cell, &end);
        if (end != cell && isfinite(value) && value > 0) {
            r->bytes[r->values] = (uint32_t)SILICON_FIRST_SIZE << i;
            r->measured[r->values++] = value;
        }
    }
}

static void read_figure(const struct line *l, struct silicon_row *r)
{
    enum tx_arch arch;
    char *end;
    const double value = strtod(l->field[5], &end);
    r->values = 1;
    r->measured[0] = end != l->field[5] && isfinite(value) ? value : NAN;
    snprintf(r->name, sizeof r->name, "%.8s %.20s", l->field[2], l->field[1]);
    if (!is_chip(l->field[2], &arch)) {
        snprintf(r->why, sizeof r->why, "the chip is not known");
    } else if (!silicon_figure(l->field[3], l->field[6], arch, r)) {
        snprintf(r->why, sizeof r->why, "the program behind the figure is not known here");
    }
}

static void read_kernel(const struct line *l, struct silicon_row *r)
{
    char *end;
    r->values = 1;
    r->measured[0] = strtod(l->field[5], &end);
    snprintf(r->name, sizeof r->name, "%.8s kernels", l->field[1]);
    snprintf(r->why, sizeof r->why,
             "the kernel is source text: scripts/silicon.py compiles and runs those it has");
}

static int read_line(struct txl_error *err, const struct txl_where *where, struct line *l,
                     txl_silicon *s)
{
    struct silicon_row *r = &s->row[s->rows];
    split(l);
    if (strcmp(l->field[0], "id") == 0) {
        return TXL_OK; /* names of the columns */
    }
    if (s->rows == SILICON_MOST_ROWS) {
        return txl_fail_at(err, where, "more than %u rows", SILICON_MOST_ROWS);
    }
    snprintf(r->id, sizeof r->id, "%.47s", l->field[0]);
    txl_mask_controls(r->id);
    if (l->fields > NOC_FIELDS) {
        read_noc(l, r);
    } else if (l->fields == FIGURE_FIELDS) {
        read_figure(l, r);
    } else if (l->fields == KERNEL_FIELDS) {
        read_kernel(l, r);
    } else {
        return txl_fail_at(err, where, "%u columns; rows have 23, 8 or 7", l->fields);
    }
    txl_mask_controls(r->name);
    s->rows++;
    return TXL_OK;
}

int silicon_read(struct txl_error *err, const char *name, const char *text, size_t size,
                 txl_silicon *s)
{
    struct line l;
    struct txl_where where = {.file = name};
    size_t lines = 1;
    int result = TXL_OK;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    lines = lines < SILICON_MOST_ROWS ? lines : SILICON_MOST_ROWS;
    s->row = calloc(lines + 1, sizeof *s->row);
    if (s->row == NULL) {
        return txl_fail(err, "no memory");
    }
    for (size_t at = 0; at < size && result == TXL_OK;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : size - at;
        const size_t next = at + length + 1;
        where.line++;
        length -= length != 0 && text[at + length - 1] == '\r';
        if (length != 0 && text[at] != '#') {
            if (length >= sizeof l.text || memchr(text + at, '\0', length) != NULL) {
                return txl_fail_at(err, &where, "the line is no row");
            }
            memcpy(l.text, text + at, length);
            l.text[length] = '\0';
            result = read_line(err, &where, &l, s);
        }
        at = next;
    }
    if (result == TXL_OK && s->rows == 0) {
        return txl_fail_at(err, &where, "there are no rows");
    }
    return result;
}
