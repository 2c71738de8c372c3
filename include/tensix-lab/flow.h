/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run made of what: a graph of values, built from a machine's events while it runs. A step
 * is one execution of an instruction of the Vector Unit; a value is what one step wrote into one
 * LReg, or what one SFPSTORE wrote into Dst. Predication, schedules and everything else that
 * decides who writes where are thereby the machine's own.
 *
 *     txl_graph *graph;
 *     txl_graph_open(&err, &graph);
 *     settings.sink = (struct tx_sink){.event = txl_graph_event, .user = graph};
 *     ... run ...
 *     struct txl_source at = txl_graph_origin(graph, txl_graph_register(graph, 3), 7);
 *     while (txl_graph_sources(graph, at, &at, 1) == 1) { ... what L3[7] was made of ... }
 *
 * Time is linear in the number of events. A step with its values takes about half a kilobyte; from
 * 2^20 values on nothing more is recorded, and txl_graph_whole says so.
 */
#ifndef TENSIX_LAB_FLOW_H
#define TENSIX_LAB_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>
#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_graph txl_graph;

enum {
    TXL_NO_VALUE = 0x7FFFFFFF, /* neither a value nor a step */
    TXL_IN_DST = 0xFF,         /* instead of a register */
    TXL_MOST_SOURCES = 17
};

/* An execution. Later versions append members. */
struct txl_step {
    const struct tx_row *row;
    uint64_t number; /* as in struct tx_event; of a scheduled one that of its SFPLOADMACRO */
    uint64_t cycle;  /* in which it read its operands */
    uint32_t word;
    uint32_t lanes;   /* it runs in; 0: predication or a scheduled instruction has taken all */
    uint32_t reads;   /* LRegs, bit n = Ln */
    uint32_t writes;  /* LRegs that it writes where predication lets it */
    uint16_t address; /* in Dst, of loads and stores; see tx_dst_place */
    uint8_t unit;     /* enum tx_unit */
    uint8_t mode;     /* of loads and stores: the modifier, 0 resolved */
    bool scheduled;   /* by SFPLOADMACRO */
};

/* Later versions append members. */
struct txl_value {
    uint32_t step;   /* that wrote it; TXL_NO_VALUE: there before, or written by no such step */
    uint32_t lanes;  /* that were written; in the others the register holds what it held */
    uint32_t before; /* what the register held when the step read its operands */
    uint8_t reg;     /* 0..16, or TXL_IN_DST */
};

/* One lane of a value. */
struct txl_source {
    uint32_t value; /* TXL_NO_VALUE: nothing that the graph knows */
    uint8_t lane;
};

/* TXL_OK, or TXL_INPUT without memory, and *graph is NULL. */
TXL_API int txl_graph_open(struct txl_error *err, txl_graph **graph);
TXL_API void txl_graph_close(txl_graph *graph); /* NULL: nothing */
/* Forgets everything: what follows begins with values of unknown origin. */
TXL_API void txl_graph_begin(txl_graph *graph);
/* For struct tx_sink; user is the graph. */
TXL_API void txl_graph_event(void *graph, const struct tx_event *event);
/* False: memory or the room for values ended on the way, and what came after is missing. */
TXL_API bool txl_graph_whole(const txl_graph *graph);

/* Steps in the order in which they read their operands. */
TXL_API size_t txl_graph_steps(const txl_graph *graph);
TXL_API const struct txl_step *txl_graph_step(const txl_graph *graph, uint32_t step);
/* What its fields named. Of no such step: NULL. */
TXL_API const struct tx_operands *txl_graph_operands(const txl_graph *graph, uint32_t step);
TXL_API size_t txl_graph_values(const txl_graph *graph);
TXL_API const struct txl_value *txl_graph_value(const txl_graph *graph, uint32_t value);

/* The value that a step found in a register; TXL_NO_VALUE where it did not read it. */
TXL_API uint32_t txl_graph_read(const txl_graph *graph, uint32_t step, unsigned reg);
/* The value that a step made there; TXL_NO_VALUE where it did not. */
TXL_API uint32_t txl_graph_wrote(const txl_graph *graph, uint32_t step, unsigned reg);
/* The value in a register now; TXL_NO_VALUE before the first step. */
TXL_API uint32_t txl_graph_register(const txl_graph *graph, unsigned reg);
/* What was stored last in a cell of Dst, as the lane that it came from. */
TXL_API struct txl_source txl_graph_cell(const txl_graph *graph, unsigned row, unsigned column);
/* What a load found in Dst for one of its lanes, likewise. */
TXL_API struct txl_source txl_graph_loaded(const txl_graph *graph, uint32_t step, unsigned lane);

/* What a register holds in a lane while it has this value; of Dst: what the LReg held. */
TXL_API uint32_t txl_graph_bits(const txl_graph *graph, uint32_t value, unsigned lane);
/* The value whose step wrote this lane: itself, or an earlier one of the same register. */
TXL_API struct txl_source txl_graph_origin(const txl_graph *graph, uint32_t value, unsigned lane);
/*
 * What one lane that a step wrote was made of: each of them the lane of its origin, at most once.
 * Returns how many there are, TXL_MOST_SOURCES at most, and writes no more than most of them. 0:
 * a constant, or something from outside the graph.
 */
TXL_API size_t txl_graph_sources(const txl_graph *graph, struct txl_source of,
                                 struct txl_source *out, size_t most);

#ifdef __cplusplus
}
#endif

#endif
