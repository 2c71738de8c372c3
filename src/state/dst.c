/* SPDX-License-Identifier: Apache-2.0 */
/* Writing whole rows of Dst, and reporting them to sink and listener. */
#include "state/dst.h"
#include "base/check.h"

#include "state/machine.h"
#include "state/order.h"

#include <stdio.h>
#include <string.h>

static void write_event(const struct tx_machine *m, const struct tx_op *op, unsigned at,
                        const uint32_t values[16], uint32_t columns)
{
    const struct tx_event event = {.size = sizeof event,
                                   .kind = TX_EVENT_WRITE_DST,
                                   .thread = op->thread,
                                   .unit = op->unit,
                                   .index = (uint16_t)at,
                                   .cycle = m->state.cycle,
                                   .start = m->state.cycle,
                                   .number = op->number,
                                   .word = op->word,
                                   .lanes = columns,
                                   .row = &isa_row((enum isa_row_id)op->row)->text,
                                   .values = values};
    machine_event(m, &event);
}

static void put_row(struct tx_machine *m, const struct tx_op *op, unsigned at,
                    const uint32_t cells[16], unsigned shift, uint32_t columns)
{
    CHECK(at < TX_DST_ROWS, "a row that is put into Dst is one of its rows");
    CHECK(shift == 0 || shift == 16, "a cell is a low or a high half");
    CHECK(columns <= 0xFFFFu, "a row of Dst has sixteen columns");
    uint32_t values[16];
    for (unsigned column = 0; column < 16; column++) {
        values[column] = cells[column] >> shift & 0xFFFFu;
    }
    if (columns == 0xFFFFu) {
        for (unsigned column = 0; column < 16; column++) {
            m->state.dst[at][column] = (uint16_t)values[column];
        }
        m->state.dst_unknown[at] = 0;
    }
    for (unsigned column = 0; columns != 0xFFFFu && column < 16; column++) {
        if ((columns >> column & 1u) != 0) {
            dst_put(&m->state, at, column, values[column]);
        }
    }
    if (m->settings.sink.event != NULL) {
        write_event(m, op, at, values, columns);
    }
}

void dst_store_row(struct tx_machine *m, const struct tx_op *op, unsigned at, bool wide,
                   const uint32_t cells[16], uint32_t columns)
{
    CHECK(at + (wide ? 8u : 0u) < TX_DST_ROWS, "both halves of a 32-bit row lie in Dst");
    order_rows(m, op, true, &at, 1, wide, columns);
    dst_mark(&m->state, at);
    dst_written(&m->state, at, columns, wide);
    put_row(m, op, at, cells, wide ? 16 : 0, columns);
    if (wide) {
        put_row(m, op, at + 8, cells, 0, columns);
    }
}

static void row_event(const struct tx_machine *m, const struct tx_op *op, unsigned at)
{
    uint32_t values[16];
    for (unsigned column = 0; column < 16; column++) {
        values[column] = m->state.dst[at][column];
    }
    write_event(m, op, at, values, 0xFFFFu);
}

static void stored_row(struct tx_state *s, unsigned at, bool wide)
{
    CHECK(at + (wide ? 8u : 0u) < TX_DST_ROWS, "what has been stored lies in Dst");
    dst_set_valid(s, at, true);
    dst_written(s, at, 0xFFFFu, wide);
    s->dst_unknown[at] = 0;
    if (wide) {
        s->dst_unknown[at + 8] = 0;
    }
}

/* The same for eight rows behind each other; the rows of their low halves are the next eight. */
static void stored_block(struct tx_state *s, unsigned at, bool wide)
{
    CHECK(at % 8 == 0, "a block of rows begins at a multiple of eight");
    const size_t size = (wide ? 16u : 8u) * sizeof s->dst_unknown[0];
    s->dst_valid[at / 32] |= 0xFFu << at % 32;
    memset(&s->dst_unknown[at], 0, size);
    memset(&s->dst_given[at], 0, size);
    memset(&s->dst_wide[at], wide ? 0xFF : 0, size);
    memset(&s->dst_narrow[at], wide ? 0 : 0xFF, size);
}

void dst_stored_rows(struct tx_machine *m, const struct tx_op *op, const unsigned at[],
                     unsigned rows, unsigned step, bool wide)
{
    CHECK(rows <= 16 && step != 0, "an instruction stores sixteen rows at most");
    bool block = rows == 8 && step == 1 && at[0] + (wide ? 16u : 8u) <= TX_DST_ROWS &&
                 (wide || m->state.dst16_high == 0);
    for (unsigned i = 1; block && i < rows; i++) {
        block = at[i] == at[0] + i;
    }
    if (block) {
        stored_block(&m->state, at[0], wide);
    }
    for (unsigned i = 0; i < rows && !block; i += step) {
        stored_row(&m->state, at[i], wide);
    }
    for (unsigned i = 0; i < rows && order_wanted(m); i += step) {
        order_rows(m, op, true, &at[i], step == 1 ? rows : 1, wide, 0xFFFFu);
        i = step == 1 ? rows : i;
    }
    for (unsigned i = 0; i < rows && m->settings.sink.event != NULL; i += step) {
        row_event(m, op, at[i]);
        if (wide) {
            row_event(m, op, at[i] + 8);
        }
    }
}

const char *dst_origin_text(const struct tx_state *s, unsigned row, char text[DST_ORIGIN_TEXT])
{
    CHECK(row < TX_DST_ROWS, "an origin is asked for of a row of Dst");
    const struct src_origin *o = &s->dst_origin[row];
    const char name = o->src == 0 ? 'A' : 'B';
    if (o->by == 0) {
        snprintf(text, DST_ORIGIN_TEXT,
                 "row %u of Src%c, bank %u, which nobody has written: an UNPACR of it is missing",
                 (unsigned)o->row, name, (unsigned)o->bank);
    } else {
        snprintf(text, DST_ORIGIN_TEXT,
                 "row %u of Src%c, bank %u, which is left from hand-over %u of the bank: hand-over "
                 "%u has written other rows only",
                 (unsigned)o->row, name, (unsigned)o->bank, (unsigned)o->by, (unsigned)o->handed);
    }
    return text;
}
