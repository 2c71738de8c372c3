/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts for each cycle of a tile, lane by lane. */
#include "profile/profile.h"
#include "run/run.h"

#include "base/memory.h"

static void run_profile_begin(void *user, const tx_machine *machine)
{
    txl_profile *profile = user;
    profile_attach(profile, machine, NULL);
    profile->on = true;
}

static void run_profile_end(void *user, const tx_machine *machine)
{
    txl_profile *profile = user;
    profile->memory = profile_memory(machine, 0);
}

/* ---- the run repeated ---- */

struct again {
    txl_run *run;
    uint64_t memory;
};

static void again_begin(void *user, const tx_machine *machine)
{
    (void)user;
    (void)machine;
}

static void again_end(void *user, const tx_machine *machine)
{
    struct again *a = user;
    a->memory = profile_memory(machine, 0);
}

static int run_profile_again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    struct again *a = user;
    struct run_once once = {
        .sink = {NULL, a}, .begin = again_begin, .end = again_end, .pace = rerun->pace};
    struct txl_error why = {.status = TXL_OK}; /* a run that does not end is a result, too */
    const int result = run_once(&why, a->run, &once);
    if (memory_status(why.message, TXL_NEGATIVE) == TXL_INPUT) {
        return no_memory(err);
    }
    rerun->ended = result == TXL_CONTINUE;
    rerun->cycles = once.all.cycles - once.init.cycles;
    rerun->same = a->memory == a->run->profile->memory;
    return TXL_CONTINUE;
}

int txl_run_profile(struct txl_error *err, txl_run *run, const txl_profile **profile)
{
    *profile = NULL;
    profile_close(run->profile);
    run->profile = profile_open(err);
    if (run->profile == NULL) {
        return TXL_INPUT;
    }
    struct run_once once = {
        .sink = {profile_event, run->profile}, .begin = run_profile_begin, .end = run_profile_end};
    int result = run_once(err, run, &once);
    if (result == TXL_CONTINUE) {
        result = profile_finish(err, run->profile, once.all.cycles - once.init.cycles, once.bounds);
    }
    if (result == TXL_CONTINUE) {
        struct again user = {.run = run};
        result =
            profile_try(err, run->profile, &(struct profile_again){run_profile_again, &user, 1});
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    *profile = run->profile;
    return TXL_OK;
}
