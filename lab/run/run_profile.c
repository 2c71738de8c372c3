/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts for each cycle of a tile, lane by lane. */
#include "profile/profile.h"
#include "run/run.h"

static void begin(void *user, const tx_machine *machine)
{
    txl_profile *profile = user;
    profile_attach(profile, machine, NULL);
    profile->on = true;
}

int txl_run_profile(struct txl_error *err, txl_run *run, const txl_profile **profile)
{
    *profile = NULL;
    profile_close(run->profile);
    run->profile = profile_open(err);
    if (run->profile == NULL) {
        return TXL_INPUT;
    }
    struct run_once once = {.sink = {profile_event, run->profile}, .begin = begin};
    int result = run_once(err, run, &once);
    if (result == TXL_CONTINUE) {
        result = profile_finish(err, run->profile, once.all.cycles - once.init.cycles, once.bounds);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    *profile = run->profile;
    return TXL_OK;
}
