/* SPDX-License-Identifier: Apache-2.0 */
/* Everything: the Tensix emulator's public interface. */
#ifndef TENSIX_TENSIX_H
#define TENSIX_TENSIX_H

#include <tensix/asm.h>
#include <tensix/base.h>
#include <tensix/chip.h>
#include <tensix/fast.h>
#include <tensix/formats.h>
#include <tensix/isa.h>
#include <tensix/isa_modes.h>
#include <tensix/isa_names.h>
#include <tensix/kernel.h>
#include <tensix/kernel_debug.h>
#include <tensix/machine.h>
#include <tensix/order.h>
#include <tensix/pcie.h>
#include <tensix/threads.h>
#include <tensix/tile.h>
#include <tensix/tile_debug.h>

#endif
