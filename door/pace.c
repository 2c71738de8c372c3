/* SPDX-License-Identifier: Apache-2.0 */
/* How far the chip runs for one clock of the interface. */
#include <errno.h>
#include <stdlib.h>

#include "door.h"

/*
 * A host calls the clock after each read. Cores answer within tens of cycles or, where a kernel
 * runs, within tens of thousands: the number doubles from one to the other.
 */
enum { CYCLES_LEAST = 16, CYCLES_MOST = 1 << 16, CYCLES_FIXED_MOST = 1000000000 };

static void forget(struct door_pace *pace)
{
    pace->cycles = CYCLES_LEAST;
    pace->looks = 0;
    for (unsigned i = 0; i < DOOR_POLLED; i++) {
        pace->address[i] = UINT64_MAX;
    }
}

void door_pace_start(struct door_pace *pace)
{
    const char *text = getenv("TENSIX_CYCLES_PER_CLOCK");
    char *end = NULL;
    *pace = (struct door_pace){.fixed = 0};
    forget(pace);
    if (text == NULL) {
        return;
    }
    errno = 0;
    const unsigned long long n = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n == 0 || n > CYCLES_FIXED_MOST) {
        door_tell(DOOR_CALL,
                  "TENSIX_CYCLES_PER_CLOCK is no number from 1 to %d: the number of cycles follows "
                  "from what the host does",
                  CYCLES_FIXED_MOST);
        return;
    }
    pace->fixed = n;
}

void door_pace_read(struct door_pace *pace, uint64_t address)
{
    for (unsigned i = 0; i < DOOR_POLLED; i++) {
        if (pace->address[i] == address) {
            pace->looks++;
            pace->cycles *= pace->cycles < CYCLES_MOST ? 2 : 1;
            return;
        }
    }
    pace->looks = 0;
    pace->cycles = CYCLES_LEAST;
    pace->address[pace->next] = address;
    pace->next = (pace->next + 1) % DOOR_POLLED;
}

void door_pace_write(struct door_pace *pace)
{
    forget(pace);
}

uint64_t door_pace_cycles(const struct door_pace *pace, uint32_t clocks)
{
    return clocks * (pace->fixed != 0 ? pace->fixed : pace->cycles);
}
