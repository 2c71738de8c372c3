/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal interface by which tensix check and the tests compare the fast engine's steps,
 * interpreted and compiled, with the reference engine on a machine in any state. Only libtensix-lab
 * and the tests of the same version include this; it is not installed and may change at any time.
 */
#ifndef TENSIX_INTERNAL_FAST_STEPS_H
#define TENSIX_INTERNAL_FAST_STEPS_H

#include <tensix/fast.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Between begin and end, records what the machine executes; end then computes all of it again with
 * the fast engine and replaces LRegs, lane flags, flag stack, random state and Dst of the machine
 * by the results, so that they can be compared. end also frees *again; the machine must still be
 * open, and no scheduled instruction may be outstanding. level: as for tx_fast_open.
 * TX_EUNSUPPORTED: *reason says what the fast engine does not support, and the machine keeps its
 * values.
 */
typedef struct tx_fast_again tx_fast_again;
TX_API enum tx_status tx_fast_again_begin(tx_machine *machine, tx_fast_again **out);
TX_API enum tx_status tx_fast_again_end(tx_fast_again *again, const char *level,
                                        const char **reason);

/*
 * The same with compiled code. The distinct steps (those that differ in more than data) are
 * collected first:
 *
 *     tx_fast_steps_open(machine, NULL, &steps);
 *     tx_fast_again_end_steps(again, steps, &reason);     // for all that will be compared
 *     tx_fast_steps_source(steps, 0, tx_fast_steps_count(steps), put, user);
 *     tx_fast_steps_use(steps, 0, tx_fast_steps_count(steps), table);
 *     tx_fast_again_end_steps(again, steps, &reason);     // once more: compiled
 *
 * A step has its immediate as a constant, except that from the 17th value for one instruction and
 * mode on the immediate is an argument. The source must be compiled like that of tx_fast_source,
 * with the same level and options, and defines the table tensix_steps. It may be fetched, and used,
 * in parts. After the first tx_fast_steps_use no further steps are collected, and a step without
 * code is TX_EUNSUPPORTED; after the last one threads may share the steps. TX_EINVAL: a machine
 * with other rules or of another chip, or no such steps.
 */
typedef struct tx_fast_steps tx_fast_steps;
typedef void tx_fast_code(const uint32_t *const *in, uint32_t *const *out, uint32_t imm,
                          uint8_t *tiers);
TX_API enum tx_status tx_fast_steps_open(const tx_machine *machine, const char *level,
                                         tx_fast_steps **out);
TX_API void tx_fast_steps_close(tx_fast_steps *steps); /* NULL is allowed */
TX_API size_t tx_fast_steps_count(const tx_fast_steps *steps);
TX_API const char *tx_fast_steps_options(const tx_fast_steps *steps);
TX_API enum tx_status tx_fast_steps_source(const tx_fast_steps *steps, size_t first, size_t count,
                                           tx_fast_put *put, void *user);
TX_API enum tx_status tx_fast_steps_use(tx_fast_steps *steps, size_t first, size_t count,
                                        tx_fast_code *const *table);
TX_API enum tx_status tx_fast_again_end_steps(tx_fast_again *again, tx_fast_steps *steps,
                                              const char **reason);

#ifdef __cplusplus
}
#endif

#endif
