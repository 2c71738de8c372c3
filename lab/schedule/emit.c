/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a schedule as a kernel file: the rows one by one until all stages overlap, then the steady
 * state as a loop, then the cycles that are left.
 */
#include "schedule/schedule.h"

#include <string.h>

#include "kernel/write.h"

enum { TEXT = 160 };

int sched_first(const struct sched_plan *plan)
{
    int first = plan->issue[0].time;
    for (unsigned i = 1; i < plan->issues; i++) {
        first = plan->issue[i].time < first ? plan->issue[i].time : first;
    }
    return first;
}

/* Returns the cycle of a row's last instruction, whether issued or scheduled. */
int sched_last(const struct sched_body *body, const struct sched_plan *plan)
{
    int last = plan->place[0].time;
    for (unsigned i = 0; i < body->ops; i++) {
        const int time = plan->place[i].time + (int)body->op[i].cycles - 1;
        last = time > last ? time : last;
    }
    return last;
}

unsigned sched_cycles(const struct sched_body *body, const struct sched_plan *plan)
{
    return (unsigned)(sched_last(body, plan) - sched_first(plan)) + 1 + (body->rows - 1) * plan->ii;
}

struct writer {
    FILE *out;
    const struct sched_body *body;
    const struct sched_plan *plan;
    const struct sched_code *code;
    int first;
};

static void put_word(const struct writer *w, uint32_t word, char text[TEXT])
{
    (void)tx_disassemble(w->body->arch, word, TX_DIS_NORMAL, text, TEXT);
}

static void head(const struct writer *w)
{
    fprintf(w->out, "# Written by tensix schedule: a row every %u cycle%s.\n", w->plan->ii,
            w->plan->ii == 1 ? "" : "s");
    kernel_write_head(w->out, w->body->program);
}

static void put_template(const struct writer *w, unsigned number, uint32_t word)
{
    char text[TEXT];
    put_word(w, word, text);
    char *own = strstr(text, "L12"); /* the destination comes first */
    if (own != NULL) {
        fprintf(w->out, ".template  t%u, %.*sVD%s\n", number, (int)(own - text), text, own + 3);
    } else {
        fprintf(w->out, ".template  t%u, %s\n", number, text);
    }
}

static void put_sequence(const struct writer *w, unsigned number, uint32_t word)
{
    static const char *const names[] = {"simple", "mad", "round", "store"};
    fprintf(w->out, ".sequence  %u,", number);
    for (unsigned u = 0; u < 4; u++) {
        const uint32_t byte = word >> (8 * u) & 0xFF;
        const unsigned source = byte & 7;
        const bool l16 = (byte & 0x40) != 0;
        if (source == 0) {
            fprintf(w->out, " %s=none@7", names[u]);
        } else if (u == 3) {
            fprintf(w->out, " store%s@%u%s", (byte & 0x80) != 0 ? ".vd" : "", byte >> 3 & 7,
                    l16 ? "<L16" : "");
        } else {
            fprintf(w->out, " %s=t%u%s@%u%s", names[u], source - 4, (byte & 0x80) != 0 ? ".vb" : "",
                    byte >> 3 & 7, l16 ? ">L16" : "");
        }
    }
    fputc('\n', w->out);
}

/*
 * Returns whether a row consists of several issues that must keep their distance. Then the delays
 * of SFPLOADMACRO count instructions instead of cycles, so that the distance holds when the thread
 * pauses.
 */
static bool coupled(const struct writer *w)
{
    return w->plan->issues > 1;
}

/*
 * Whether a word of the kernel's own .init sets a template, a sequence or Misc in whose place the
 * schedule has another. What the caller has reserved stays.
 */
static bool replaced(const struct writer *w, struct tx_macro_reader *macros, uint32_t word)
{
    char text[256];
    unsigned number = 0;
    if (!tx_macro_follow(macros, w->body->arch, word, text, sizeof text)) {
        return false;
    }
    if (sscanf(text, ".template t%u", &number) == 1) {
        return number >= w->code->first_template;
    }
    if (sscanf(text, ".sequence %u", &number) == 1) {
        return number >= w->code->first_sequence;
    }
    return w->code->sequences != 0;
}

static void init(const struct writer *w)
{
    const struct tx_program *p = w->body->program;
    char text[TEXT];
    fputs(".init\n", w->out);
    for (unsigned i = 0; i < w->code->templates; i++) {
        put_template(w, w->code->first_template + i, w->code->template[i]);
    }
    for (unsigned i = 0; i < w->code->sequences; i++) {
        put_sequence(w, w->code->first_sequence + i, w->code->sequence[i]);
    }
    const struct sched_form *store = &w->body->op[w->body->ops - 1].form[0];
    if (w->code->sequences != 0) {
        fprintf(w->out, ".misc      mod0=%u%s\n",
                tx_row_field(store->row, TX_FLD_MOD, w->body->store),
                coupled(w) ? " instructions=all" : "");
    }
    for (unsigned i = 0; i < w->body->hoisted_count; i++) {
        const struct sched_hoisted *h = &w->body->hoisted[i];
        if (h->reg >= SCHED_REGS) { /* through L0, which what follows sets again */
            fprintf(w->out, ".loadi     L0, 0x%08x\n    sfpconfig %u,0,0\n", h->bits, h->reg);
        }
    }
    struct tx_macro_reader macros = {.l0 = 0};
    for (size_t i = 0; i < tx_program_count(p, TX_SECTION_INIT); i++) {
        const uint32_t word = tx_program_words(p, TX_SECTION_INIT)[i];
        if (!replaced(w, &macros, word)) {
            put_word(w, word, text);
            fprintf(w->out, "    %s\n", text);
        }
    }
    for (unsigned i = 0; i < w->body->hoisted_count; i++) {
        const struct sched_hoisted *h = &w->body->hoisted[i];
        if (h->reg < SCHED_REGS) {
            fprintf(w->out, ".loadi     L%u, 0x%08x\n", h->reg, h->bits);
        }
    }
    fputs("    sfpnop\n", w->out);
}

/* ---- the tile ---- */

/*
 * Writes the Dst address of a load or store of this row, hi added. Within the loop it is relative
 * to I.
 */
static void put_address(const struct writer *w, uint16_t address, long row, bool loop, unsigned hi,
                        char text[TEXT])
{
    const long apart = loop || row < 0 || row >= (long)w->body->rows ? row * w->body->stride
                                                                     : w->body->offset[row];
    const long at = (long)address + apart + (long)hi;
    if (loop) {
        snprintf(text, TEXT, "I %c %ld", at < 0 ? '-' : '+', at < 0 ? -at : at);
    } else {
        snprintf(text, TEXT, "%ld", at);
    }
}

/* The phase whose registers a row uses. Rows within the loop may be negative. */
static unsigned phase_of(const struct writer *w, long row)
{
    const long phases = (long)w->code->phases;
    return (unsigned)((row % phases + phases) % phases);
}

static void put_load(const struct writer *w, unsigned issue, long row, bool loop)
{
    const struct sched_issue *load = &w->plan->issue[issue];
    const unsigned phase = phase_of(w, row);
    const unsigned reg = (unsigned)w->code->reg[load->cls][phase];
    const int macro = w->code->macro[issue][phase];
    const struct sched_value *value = load->load != SCHED_NONE ? &w->body->value[load->load] : NULL;
    /*
     * A load that serves only for its address is encoded as any load of the row, or in the format
     * of its store; nothing reads its value.
     */
    for (unsigned i = 0; value == NULL && i < w->body->values; i++) {
        value = w->body->value[i].kind == SCHED_LOADED ? &w->body->value[i] : NULL;
    }
    const uint16_t address = load->load != SCHED_NONE ? value->address : w->body->address;
    const uint32_t word = value != NULL ? value->word : w->body->store;
    struct tx_decoded d;
    char at[TEXT];
    (void)tx_decode(w->body->arch, word, &d);
    const unsigned mode = tx_row_field(d.row, TX_FLD_MOD, word);
    const unsigned amod = tx_row_field(d.row, TX_FLD_AMOD, word);
    put_address(w, address, row, loop, macro >= 0 ? reg >> 2 : 0, at);
    if (macro >= 0) {
        fprintf(w->out, "    sfploadmacro %d, L%u, %s, %u, %u\n", macro, reg, at, mode, amod);
    } else {
        fprintf(w->out, "    sfpload      L%u, %s, %u, %u\n", reg, at, mode, amod);
    }
}

/* A load that keeps a part. It may schedule ops as other loads do. */
static void put_part(const struct writer *w, unsigned issue, long row, bool loop)
{
    const unsigned op = (unsigned)w->plan->issue[issue].op;
    const unsigned phase = phase_of(w, row);
    const uint32_t word = sched_word(w->body, w->plan, w->code, op, phase);
    const struct tx_row *form = w->body->op[op].form[w->plan->place[op].form].row;
    const unsigned reg = tx_row_field(form, TX_FLD_VD, word);
    const int macro = w->code->macro[issue][phase];
    char number[16] = "", at[TEXT];
    put_address(w, w->body->op[op].address, row, loop, macro >= 0 ? reg >> 2 : 0, at);
    if (macro >= 0) {
        snprintf(number, sizeof number, "macro %d,", macro);
    }
    fprintf(w->out, "    sfpload%-5s L%u, %s, %u, %u\n", number, reg, at,
            tx_row_field(form, TX_FLD_MOD, word), tx_row_field(form, TX_FLD_AMOD, word));
}

static void put_plain(const struct writer *w, unsigned op, long row, bool loop)
{
    const unsigned phase = phase_of(w, row);
    const uint32_t word = sched_word(w->body, w->plan, w->code, op, phase);
    const struct tx_row *form = w->body->op[op].form[w->plan->place[op].form].row;
    char text[TEXT];
    if (w->body->op[op].store) {
        put_address(w, w->body->address, row, loop, 0, text);
        fprintf(w->out, "    sfpstore     L%u, %s, %u, %u\n", tx_row_field(form, TX_FLD_VD, word),
                text, tx_row_field(form, TX_FLD_MOD, word), tx_row_field(form, TX_FLD_AMOD, word));
        return;
    }
    put_word(w, word, text);
    fprintf(w->out, "    %s\n", text);
}

/*
 * Writes what is issued at this cycle of the tile, or an SFPNOP. base: the row that is 0 within the
 * loop; loop: addresses are relative to I.
 */
static void put_cycle(const struct writer *w, long time, long base, bool loop)
{
    const long ii = (long)w->plan->ii;
    const long slot = ((time % ii) + ii) % ii;
    const int at = w->plan->slot[slot];
    const long row = at < 0 ? -1 : (time - w->plan->issue[at].time) / ii;
    if (at < 0 || (!loop && (time < w->plan->issue[at].time || row >= (long)w->body->rows))) {
        fputs("    sfpnop\n", w->out);
        return;
    }
    const int op = w->plan->issue[at].op;
    if (op == SCHED_NONE) {
        put_load(w, (unsigned)at, row - base, loop);
    } else if (w->body->op[op].form[0].row->insn == TX_INSN_SFPLOAD) {
        put_part(w, (unsigned)at, row - base, loop);
    } else {
        put_plain(w, (unsigned)w->plan->issue[at].op, row - base, loop);
    }
}

static void put_around(const struct writer *w, const uint32_t *words, unsigned count)
{
    char text[TEXT];
    for (unsigned i = 0; i < count; i++) {
        put_word(w, words[i], text);
        fprintf(w->out, "    %s\n", text);
    }
}

void sched_write(FILE *out, const struct sched_body *body, const struct sched_plan *plan,
                 const struct sched_code *code)
{
    const struct writer w = {out, body, plan, code, sched_first(plan)};
    const long period = (long)(code->phases * plan->ii);
    const long end = w.first + (long)sched_cycles(body, plan);
    long latest = w.first;
    for (unsigned i = 0; i < plan->issues; i++) {
        latest = plan->issue[i].time > latest ? plan->issue[i].time : latest;
    }
    /*
     * The loop begins with the first block of as many rows as there are phases in which every issue
     * of the row takes place.
     */
    long from = w.first;
    while (from < latest) {
        from += period;
    }
    /* A last row that ends before its cycles do is no part of the loop. */
    const long rows = w.first + (long)(body->rows * plan->ii);
    const long whole = rows < end ? rows : end;
    const long loops = body->stepped && whole > from ? (whole - from) / period : 0;
    const long row = (from - w.first) / (long)plan->ii;
    head(&w);
    init(&w);
    fputs(".tile\n", out);
    put_around(&w, body->lead, body->leads);
    for (long t = w.first; t < (loops > 1 ? from : end); t++) {
        put_cycle(&w, t, 0, false);
    }
    if (loops > 1) {
        fprintf(out, "I = %ld\n.rept %ld\n", row * body->stride, loops);
        for (long t = from; t < from + period; t++) {
            put_cycle(&w, t, row, true);
        }
        fprintf(out, "    I = I + %ld\n.endr\n", (long)code->phases * body->stride);
        for (long t = from + loops * period; t < end; t++) {
            put_cycle(&w, t, 0, false);
        }
    }
    put_around(&w, body->tail, body->tails);
}
