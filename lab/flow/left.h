/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tile leaves behind for the next one: registers, flags, configuration that .tile finds
 * otherwise the second time, and by which the second result becomes another one.
 */
#ifndef LAB_LEFT_H
#define LAB_LEFT_H

#include <tensix/kernel.h>

enum { LEFT_MOST = 16 };

struct left {
    struct tx_finding list[LEFT_MOST]; /* rule E-LEFT */
    size_t count;
};

/*
 * Runs two tiles, once with state carried from the first to the second and once from the state of
 * .init, and tells by which parts of the state the second result differs. A kernel that states
 * .carry is not looked at, nor is one that cannot run alone. inputs: for both tiles one array for
 * each input of the kernel; NULL: random data. Returns false without memory.
 */
bool left_find(const struct tx_program *program, const struct tx_settings *settings,
               const struct tx_kernel_options *options, const uint32_t *const *const inputs[2],
               struct left *left);

#endif
