/* SPDX-License-Identifier: Apache-2.0 */
/* The times of isa/unit_times.def, as constants TIME_id. */
#ifndef STATE_TIMES_H
#define STATE_TIMES_H

enum unit_time {
#define UNIT_TIME(id, value, ...) TIME_##id = (value),
#include "isa/unit_times.def"
};
#define UNIT_TIME(id, value, least, most, ...) \
    _Static_assert((least) <= (value) && (value) <= (most), #id " is outside its range");
#include "isa/unit_times.def"

#endif
