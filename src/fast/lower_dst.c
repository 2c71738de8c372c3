/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dst in the graph of values. Loads and stores access four rows, in the even or the odd columns: 32
 * cells. A node therefore stands for 16 bits of each of these; 32-bit data are two nodes.
 */
#include "fast/lowering.h"

#include "fmt/dst_value.h"
#include "state/dst.h"

#include <string.h>

dag_ref lower_of_two(struct lowering *l, enum fast_kind kind, dag_ref a, dag_ref b)
{
    struct dag_node node = dag_blank(kind);
    node.in[IN_A] = a;
    node.in[IN_B] = b;
    return dag_value(l->dag, &node);
}

/* Returns the value of cells that an input tile fills. */
static dag_ref brought(struct lowering *l, unsigned from, bool odd)
{
    const enum tx_format format = l->task->format;
    const unsigned row = (from & ~(unsigned)LOW_HALF) - 1;
    struct dag_node word = dag_blank(FAST_INPUT);
    struct dag_node cell = dag_blank(FAST_CELL);
    word.number = (uint8_t)(row / 64);
    word.vector = (uint16_t)(row % 64 / 4 * 2 + (odd ? 1 : 0));
    cell.format = (uint8_t)format;
    cell.in[IN_A] = dag_value(l->dag, &word);
    const dag_ref value = dag_value(l->dag, &cell);
    return !dst_is_32bit(format)
               ? value
               : lower_of_two(l, (from & LOW_HALF) != 0 ? FAST_LOW : FAST_HIGH, value, DAG_NONE);
}

/* Returns what cells hold at the start: data of an input tile, or constants. */
static dag_ref first_cell(struct lowering *l, const uint16_t rows[4], bool odd)
{
    uint32_t lanes[32];
    const unsigned from = l->brings[rows[0]];
    bool whole = from != 0 && ((from - 1) & 3u) == 0;
    bool none = true;
    for (unsigned g = 0; g < 4; g++) {
        whole = whole && l->brings[rows[g]] == from + g;
        none = none && l->brings[rows[g]] == 0;
        for (unsigned i = 0; i < 8; i++) {
            lanes[8 * g + i] = l->task->start->dst[rows[g]][2 * i + (odd ? 1 : 0)];
        }
    }
    if (whole) {
        return brought(l, from, odd);
    }
    for (unsigned g = 0; g < 4; g++) {
        if (!dst_valid(l->task->start, rows[g])) {
            lower_refuse(l, "Dst has rows that are not valid");
        }
    }
    if (!none) {
        lower_refuse(l, "Dst is read across the rows of a tile");
    }
    return dag_constant(l->dag, lanes);
}

/*
 * Returns the number of the cell for these rows, which must always be used in the same groups of
 * four.
 */
static unsigned cell_at(struct lowering *l, const uint16_t rows[4], bool odd)
{
    const unsigned at = l->owner[rows[0]][odd];
    bool same = at != 0;
    bool unused = at == 0 && l->cell_count < CELLS;
    for (unsigned g = 0; g < 4; g++) {
        same = same && l->cells[at - 1].row[g] == rows[g];
        unused = unused && l->owner[rows[g]][odd] == 0;
    }
    if (same) {
        return at - 1;
    }
    if (!unused) {
        lower_refuse(l, "Dst rows are used in different groups of four");
        return 0;
    }
    struct cell *cell = &l->cells[l->cell_count++];
    memcpy(cell->row, rows, sizeof cell->row);
    cell->ref = first_cell(l, rows, odd);
    for (unsigned g = 0; g < 4; g++) {
        l->owner[rows[g]][odd] = (uint16_t)l->cell_count;
    }
    return l->cell_count - 1;
}

struct spot lower_spot_of(const struct fast_record *r, bool wide)
{
    struct spot spot = {.wide = wide, .odd = r->odd};
    for (unsigned g = 0; g < 4; g++) {
        const unsigned logical = ((r->address & 0x3FCu) + g) & 1023u;
        const struct dst_view view = {r->remap, r->swizzle, r->high};
        const unsigned at = dst_row(logical, wide, &view);
        spot.row[g] = (uint16_t)at;
        spot.low[g] = (uint16_t)(at + 8);
    }
    return spot;
}

dag_ref lower_read_spot(struct lowering *l, const struct spot *spot)
{
    const dag_ref high = l->cells[cell_at(l, spot->row, spot->odd)].ref;
    return spot->wide
               ? lower_of_two(l, FAST_JOIN, high, l->cells[cell_at(l, spot->low, spot->odd)].ref)
               : high;
}

void lower_write_spot(struct lowering *l, const struct spot *spot, dag_ref value, dag_ref mask)
{
    const dag_ref high = spot->wide ? lower_of_two(l, FAST_HIGH, value, DAG_NONE) : value;
    lower_put(l, &l->now, TO_CELL, cell_at(l, spot->row, spot->odd), high, mask);
    if (spot->wide) {
        lower_put(l, &l->now, TO_CELL, cell_at(l, spot->low, spot->odd),
                  lower_of_two(l, FAST_LOW, value, DAG_NONE), mask);
    }
}
