/* SPDX-License-Identifier: Apache-2.0 */
/* What the rooms use of the graph of values beside its public face. */
#ifndef LAB_FLOW_GRAPH_H
#define LAB_FLOW_GRAPH_H

#include <tensix-lab/flow.h>

/*
 * Told when lanes of a value become known, in the order in which the machine wrote them: written by
 * its step, or found in a register that nothing was seen to write. Arguments are the value and the
 * lanes that are new; no lanes: predication has left nothing of it, and it is about to take the
 * place of the value in its register.
 */
typedef void graph_written(void *user, uint32_t value, uint32_t lanes);
void graph_watch(txl_graph *graph, graph_written *written, void *user);

/*
 * For runs of any length, before the first event: Dst is not followed, and whenever this many steps
 * are there, all but the last few are forgotten. The values in registers stay, with TXL_NO_VALUE
 * for the step that wrote them, and with their marks. Numbers of steps and values hold until the
 * next event only.
 */
void graph_keep(txl_graph *graph, size_t steps);

/* Who stored what in Dst: somebody from outside has put other data there. */
void graph_forget_dst(txl_graph *graph);

/* The values that a step has read: how many, in the order of its registers. */
size_t graph_found(const txl_graph *graph, uint32_t step, const uint32_t **values);

/* What a room notes about a value; zero at first. The members mean what the room likes. */
struct graph_mark {
    uint64_t number, cycle;
    uint32_t flags;
};
void graph_mark(txl_graph *graph, uint32_t value, const struct graph_mark *mark);
struct graph_mark graph_mark_of(const txl_graph *graph, uint32_t value);
/* Marks all that a step writes; to be called when its execution was reported. */
void graph_mark_step(txl_graph *graph, uint32_t step, const struct graph_mark *mark);

#endif
