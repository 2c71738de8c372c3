/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and loading of what a machine has beside its state (state/beside.h). */
#include "state/beside.h"

#include <string.h>

/* DO(member) for every member that a checkpoint keeps. */
#define BESIDE_EACH(DO) \
    DO(faulted)         \
    DO(bounds)          \
    DO(l1_used)         \
    DO(quiet) DO(fault) DO(findings) DO(finding_count) DO(findings_dropped) DO(notes) DO(counters)

size_t beside_size(void)
{
    size_t size = 0;
#define ADD(member) size += sizeof((struct tx_machine *)0)->member;
    BESIDE_EACH(ADD)
#undef ADD
    return size;
}

void beside_save(const struct tx_machine *m, void *to)
{
    char *at = to;
#define SAVE(member)                          \
    memcpy(at, &m->member, sizeof m->member); \
    at += sizeof m->member;
    BESIDE_EACH(SAVE)
#undef SAVE
}

void beside_load(struct tx_machine *m, const void *from)
{
    const char *at = from;
#define LOAD(member)                          \
    memcpy(&m->member, at, sizeof m->member); \
    at += sizeof m->member;
    BESIDE_EACH(LOAD)
#undef LOAD
}
