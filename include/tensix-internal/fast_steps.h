/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internal: how tensix check and the tests compare the fast engine's steps, interpreted and
 * compiled, with the reference engine on a machine of any state. libtensix-lab and the tests of the
 * same version include this; it is not installed, and promises nothing to anybody else.
 */
#ifndef TENSIX_INTERNAL_FAST_STEPS_H
#define TENSIX_INTERNAL_FAST_STEPS_H

#include <tensix/fast.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All that machine executes between begin and end is computed again by the fast engine, and what it
 * gets replaces LRegs, lane flags, flag stack, random state and Dst of the machine, for
 * comparisons. end frees; machine must still be open, and nothing scheduled may be outstanding.
 * level: as tx_fast_open. TX_EUNSUPPORTED: *reason says what it does not do, the machine keeps its
 * values.
 */
typedef struct tx_fast_again tx_fast_again;
TX_API enum tx_status tx_fast_again_begin(tx_machine *machine, tx_fast_again **out);
TX_API enum tx_status tx_fast_again_end(tx_fast_again *again, const char *level,
                                        const char **reason);

/*
 * The same by compiled code. Steps that differ in more than data are collected first:
 *
 *     tx_fast_steps_open(machine, NULL, &steps);
 *     tx_fast_again_end_steps(again, steps, &reason);     // for all that will be compared
 *     tx_fast_steps_source(steps, 0, tx_fast_steps_count(steps), put, user);
 *     tx_fast_steps_use(steps, 0, tx_fast_steps_count(steps), table);
 *     tx_fast_again_end_steps(again, steps, &reason);     // once more: compiled
 *
 * Immediates are constants in their steps, but for an argument from the 17th of an instruction's
 * mode on. The source is compiled as that of tx_fast_source, level and options with it, and defines
 * the table tensix_steps. It may be taken, and used, in parts. After the first tx_fast_steps_use no
 * further ones are collected, and what needs one without code is TX_EUNSUPPORTED; after the last
 * one threads may share them. TX_EINVAL: a machine of other rules or another chip, or no such
 * steps.
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
