/* SPDX-License-Identifier: Apache-2.0 */
/* What the other rooms may use of the graph of values beyond its public interface. */
#ifndef LAB_FLOW_GRAPH_H
#define LAB_FLOW_GRAPH_H

#include <tensix-lab/flow.h>

/*
 * Called when lanes of a value become known, in the order in which the machine wrote them: they
 * were written by the value's step, or found in a register without a write. lanes: those that are
 * new. 0 means that predication has left nothing of the value; it is then about to take the place
 * of the register's present value.
 */
typedef void graph_written(void *user, uint32_t value, uint32_t lanes);
void graph_watch(txl_graph *graph, graph_written *written, void *user);

/* Returns whether the graph is not whole because an allocation failed. */
bool graph_no_memory(const txl_graph *graph);

/*
 * For runs of any length, to be called before the first event: Dst is not followed, and whenever
 * the graph has this many steps, all but the last few are forgotten. The values in registers stay
 * with their marks, but have TXL_NO_VALUE as the step that wrote them. Numbers of steps and values
 * are then valid only until the next event.
 */
void graph_keep(txl_graph *graph, size_t steps);

/*
 * Forgets which values were stored in Dst, because somebody outside the run has put other data
 * there.
 */
void graph_forget_dst(txl_graph *graph);

/*
 * Returns the number of values that a step has read and sets *values to them, in the order of its
 * registers.
 */
size_t graph_found(const txl_graph *graph, uint32_t step, const uint32_t **values);

/* What a room notes about a value; zero at first. The room decides what the members mean. */
struct graph_mark {
    uint64_t number, cycle;
    uint32_t flags;
};
void graph_mark(txl_graph *graph, uint32_t value, const struct graph_mark *mark);
struct graph_mark graph_mark_of(const txl_graph *graph, uint32_t value);
/* Marks all values that a step writes. To be called after its execution was reported. */
void graph_mark_step(txl_graph *graph, uint32_t step, const struct graph_mark *mark);

#endif
