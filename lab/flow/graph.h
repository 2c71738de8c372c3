/* SPDX-License-Identifier: Apache-2.0 */
/* What the rooms use of the graph of values beside its public face. */
#ifndef LAB_FLOW_GRAPH_H
#define LAB_FLOW_GRAPH_H

#include <tensix-lab/flow.h>

/*
 * Told when lanes of a value become known, in the order in which the machine wrote them: written by
 * its step, or found in a register that nothing was seen to write. Arguments are the value and the
 * lanes that are new.
 */
typedef void graph_written(void *user, uint32_t value, uint32_t lanes);
void graph_watch(txl_graph *graph, graph_written *written, void *user);

#endif
