/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a core polls: the loads near its pc that go to a semaphore, or to the counters of a circular
 * buffer, where a program for a chip has them. A loop that polls keeps the address in a register.
 */
#include <tensix/facts.h>

#include "chiprun/chiprun.h"
#include "base/small.h"

#include <string.h>

enum { BACK = 14, AHEAD = 8 };

/* Returns the address of a word that the instruction loads, by the core's registers; 0: no load. */
static uint32_t loaded(tx_tensix *tile, enum tx_core core, uint32_t pc)
{
    uint8_t b[4];
    uint32_t base = 0;
    if (tx_tensix_read(tile, pc, b, sizeof b) != TX_OK) {
        return 0;
    }
    struct tx_core_decoded d;
    tx_core_decode(tx_machine_arch(tx_tensix_machine(tile)), word_of_bytes(b), &d);
    if (d.kind != TX_CORE_KIND_LOAD || d.rd == d.rs1 ||
        tx_core_read(tile, core, d.rs1, &base) != TX_OK) {
        return 0;
    }
    return base + d.imm;
}

/* Writes what a circular buffer's counter is. Returns false for another address. */
static bool counter(const txl_chip *c, uint32_t address, uint32_t value, char text[160],
                    char end[96])
{
    const uint32_t first = circular_counters(c->arch, 0);
    const uint32_t step = circular_counters(c->arch, 1) - first;
    const uint32_t stream = (address - first) / step;
    const uint32_t offset = (address - first) % step;
    const bool received = offset == tx_arch_fact(c->arch, TX_FACT_STREAM_DEST_SIZE);
    const bool acked = offset == tx_arch_fact(c->arch, TX_FACT_STREAM_DEST_START);
    if (address < first || stream >= TX_LAUNCH_CIRCULAR || (!received && !acked)) {
        return false;
    }
    snprintf(text, 160, ", polls circular buffer %u: %u pages were %s", (unsigned)stream,
             (unsigned)(value & 0xFFFFu), received ? "pushed" : "popped");
    snprintf(end, 96, "%s of circular buffer %u", received ? "cb_push_back" : "cb_pop_front",
             (unsigned)stream);
    return true;
}

static bool semaphore(const txl_chip *c, uint32_t address, uint32_t value, char text[160],
                      char end[96])
{
    const uint32_t n = (address - TX_LAUNCH_SEMAPHORES) / TX_LAUNCH_APART;
    if (address < TX_LAUNCH_SEMAPHORES || n >= TX_LAUNCH_SEMAPHORE_COUNT ||
        c->semaphores[n][0] == '\0') {
        return false;
    }
    snprintf(text, 160, ", polls semaphore %s, which is %u", c->semaphores[n], (unsigned)value);
    snprintf(end, 96, "the kernel that sets semaphore %.60s", c->semaphores[n]);
    return true;
}

void chiprun_polls(txl_chip *c, const struct chiprun_tile *t, enum tx_core core, char text[160],
                   char end[96])
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    struct tx_core_state s;
    (void)tx_tensix_core(tile, core, &s);
    text[0] = end[0] = '\0';
    for (unsigned k = 0; k < BACK + AHEAD; k++) {
        const uint32_t pc = k < BACK ? s.pc - 4 * k : s.pc + 4 * (k - BACK + 1);
        const uint32_t address = loaded(tile, core, pc);
        uint8_t b[4] = {0};
        if (address == 0 || address % 4 != 0 ||
            tx_tensix_read(tile, address, b, sizeof b) != TX_OK) {
            continue;
        }
        const uint32_t value = word_of_bytes(b);
        if (semaphore(c, address, value, text, end) || counter(c, address, value, text, end)) {
            return;
        }
    }
}
