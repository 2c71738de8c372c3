/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data flow of a run: a graph of values, built from a machine's events while it runs. A step is
 * one execution of a Vector Unit instruction; a value is what one step wrote into one LReg, or what
 * one SFPSTORE wrote into Dst. Because the graph records what the machine did, predication and
 * scheduled instructions need no treatment of their own.
 *
 *     txl_graph *graph;
 *     txl_graph_open(&err, &graph);
 *     settings.sink = (struct tx_sink){.event = txl_graph_event, .user = graph};
 *     ... run ...
 *     struct txl_source at = txl_graph_origin(graph, txl_graph_register(graph, 3), 7);
 *     while (txl_graph_sources(graph, at, &at, 1) == 1) { ... what L3[7] was made of ... }
 *
 * Time is linear in the number of events. A step with its values takes about half a kilobyte. After
 * 2^20 values nothing more is recorded, and txl_graph_whole returns false.
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
    TXL_IN_DST = 0xFF,         /* in place of a register number: the value is in Dst */
    TXL_MOST_SOURCES = 17
};

/* One execution of an instruction. Later versions may append fields. */
struct txl_step {
    const struct tx_row *row;
    uint64_t number; /* as in struct tx_event; a scheduled step has that of its SFPLOADMACRO */
    uint64_t cycle;  /* the cycle in which it read its operands */
    uint32_t word;
    /* lanes that execute it; 0: none, because of predication or a scheduled instruction */
    uint32_t lanes;
    uint32_t reads;   /* LRegs that it reads, bit n for Ln */
    uint32_t writes;  /* LRegs that it writes in enabled lanes */
    uint16_t address; /* of loads and stores: address in Dst, see tx_dst_place */
    uint8_t unit;     /* enum tx_unit */
    uint8_t mode;     /* of loads and stores: the modifier, with 0 resolved to the actual format */
    bool scheduled;   /* executed by SFPLOADMACRO */
};

/* One value of an LReg or of Dst. Later versions may append fields. */
struct txl_value {
    /* the step that wrote it; TXL_NO_VALUE: written before recording, or by no recorded step */
    uint32_t step;
    uint32_t lanes;  /* lanes that were written; the others keep the previous value */
    uint32_t before; /* the previous value in the register, as of when the step read its operands */
    uint8_t reg;     /* 0..16, or TXL_IN_DST */
};

/* One lane of a value. */
struct txl_source {
    uint32_t value; /* TXL_NO_VALUE: unknown to the graph */
    uint8_t lane;
};

/* Creates an empty graph. Returns TXL_OK, or TXL_INPUT without memory, with *graph NULL. */
TXL_API int txl_graph_open(struct txl_error *err, txl_graph **graph);
TXL_API void txl_graph_close(txl_graph *graph); /* NULL: nothing */
/* Empties the graph: registers then hold values of unknown origin. */
TXL_API void txl_graph_begin(txl_graph *graph);
/* The event function for struct tx_sink; user must be the graph. */
TXL_API void txl_graph_event(void *graph, const struct tx_event *event);
/* Returns false where memory or room for values ran out and later events are missing. */
TXL_API bool txl_graph_whole(const txl_graph *graph);

/* Number of steps; they are in the order in which they read their operands. */
TXL_API size_t txl_graph_steps(const txl_graph *graph);
TXL_API const struct txl_step *txl_graph_step(const txl_graph *graph, uint32_t step);
/* Returns the decoded operands of a step; NULL where there is no such step. */
TXL_API const struct tx_operands *txl_graph_operands(const txl_graph *graph, uint32_t step);
TXL_API size_t txl_graph_values(const txl_graph *graph);
TXL_API const struct txl_value *txl_graph_value(const txl_graph *graph, uint32_t value);

/* Returns the value that a step read from a register, or TXL_NO_VALUE where it did not read it. */
TXL_API uint32_t txl_graph_read(const txl_graph *graph, uint32_t step, unsigned reg);
/* Returns the value that a step wrote to a register, or TXL_NO_VALUE where it wrote none. */
TXL_API uint32_t txl_graph_wrote(const txl_graph *graph, uint32_t step, unsigned reg);
/* Returns the value now in a register, or TXL_NO_VALUE before the first write. */
TXL_API uint32_t txl_graph_register(const txl_graph *graph, unsigned reg);
/* Returns the lane and value stored last to a cell of Dst. */
TXL_API struct txl_source txl_graph_cell(const txl_graph *graph, unsigned row, unsigned column);
/* Returns the lane and value that a load read from Dst for one of its lanes. */
TXL_API struct txl_source txl_graph_loaded(const txl_graph *graph, uint32_t step, unsigned lane);

/* Returns the bits of a value in a lane; for a value in Dst the bits that the LReg had. */
TXL_API uint32_t txl_graph_bits(const txl_graph *graph, uint32_t value, unsigned lane);
/*
 * Finds the value whose step actually wrote this lane: the value itself, or an earlier value of the
 * same register that this lane still holds.
 */
TXL_API struct txl_source txl_graph_origin(const txl_graph *graph, uint32_t value, unsigned lane);
/*
 * Lists what one written lane was computed from. Every source is given by its origin and at most
 * once. Returns their number, at most TXL_MOST_SOURCES, and writes at most most of them to out. 0:
 * a constant, or something that the graph does not know.
 */
TXL_API size_t txl_graph_sources(const txl_graph *graph, struct txl_source of,
                                 struct txl_source *out, size_t most);

#ifdef __cplusplus
}
#endif

#endif
