/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps started by an MPI launcher: each rank is a shard, and rank 0 combines their state files.
 * The launcher's environment tells each process its rank, so that no MPI library is needed. If a
 * rank fails, the launcher may end the job; otherwise rank 0 gives up after a timeout.
 */
#include "sweep/sweep_ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/abandon.h"
#include "base/pool.h"

/* Reads a number from an environment. Returns whether it is there and in range. */
static bool number_from(char *const *environment, const char *name, unsigned *value)
{
    const size_t length = strlen(name);
    int64_t number = 0;
    while (environment != NULL && *environment != NULL &&
           (strncmp(*environment, name, length) != 0 || (*environment)[length] != '=')) {
        environment++;
    }
    if (environment == NULL || *environment == NULL ||
        !txl_number(*environment + length + 1, 0, TXL_SWEEP_SHARDS, &number)) {
        return false;
    }
    *value = (unsigned)number;
    return true;
}

void txl_sweep_find_ranks(struct txl_sweep_options *o)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && o->ranks < 2; i++) {
        unsigned rank = 0;
        unsigned ranks = 0;
        if (number_from(o->environment, names[i][0], &rank) &&
            number_from(o->environment, names[i][1], &ranks) && ranks > 1 && rank < ranks) {
            o->rank = rank;
            o->ranks = ranks;
        }
    }
    if (!number_from(o->environment, "OMPI_COMM_WORLD_LOCAL_SIZE", &o->ranks_here)) {
        (void)number_from(o->environment, "MPI_LOCALNRANKS", &o->ranks_here);
    }
    (void)number_from(o->environment, "TENSIX_RANK_WAIT", &o->rank_seconds);
}

static void leave(void *what)
{
    const struct sweep_ranks *ranks = what;
    unlink(ranks->own);
    rmdir(ranks->base); /* succeeds only for the last rank */
}

static void part_path(const struct sweep_ranks *ranks, unsigned rank, char *path, size_t size)
{
    snprintf(path, size, ranks->scratch ? "%s/%u-of-%u" : "%s.%u-of-%u", ranks->base, rank + 1,
             ranks->size);
}

/*
 * Ranks share nothing but their launcher, so they cannot agree on an unpredictable name. Therefore
 * the folder is accepted only if it belongs to this user alone.
 */
static int make_scratch(struct txl_error *err, const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) == 0) {
        return TXL_CONTINUE;
    }
    if (errno != EEXIST || lstat(path, &status) != 0) {
        return txl_fail(err, "%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077u) != 0) {
        return txl_fail(err, "%s: is not a folder of this user alone; set TMPDIR", path);
    }
    return TXL_CONTINUE;
}

int ranks_open(struct txl_error *err, const struct txl_sweep_options *o, uint64_t key,
               struct sweep_ranks **opened)
{
    struct sweep_ranks *ranks = zeroed(err, 1, sizeof *ranks);
    if (ranks == NULL) {
        return TXL_INPUT;
    }
    *opened = ranks;
    ranks->rank = o->rank;
    ranks->size = o->ranks;
    ranks->patience = o->rank_seconds != 0 ? o->rank_seconds : 60;
    if (o->state != NULL) {
        snprintf(ranks->base, sizeof ranks->base, "%s", o->state);
    } else if (o->ranks_here != 0 && o->ranks_here != o->ranks) {
        return txl_fail_option(err, NULL, "state",
                               "ranks on several nodes need a file in a place they share");
    } else { /* one launcher: all ranks have the same parent process */
        snprintf(ranks->base, sizeof ranks->base, "%.300s/tensix-sweep-%016llx-%ld",
                 o->scratch != NULL ? o->scratch : "/tmp", (unsigned long long)key,
                 (long)getppid());
        const int result = make_scratch(err, ranks->base);
        if (result != TXL_CONTINUE) {
            return result;
        }
        ranks->scratch = true;
    }
    part_path(ranks, ranks->rank, ranks->own, sizeof ranks->own);
    if (ranks->scratch) {
        (void)abandon_add(leave, ranks);
    }
    return TXL_CONTINUE;
}

/* Waits until a rank's part is complete; returns TXL_INPUT where the rank shows no sign of life. */
static int wait_for(struct txl_error *err, struct txl_sweep *s, const char *path, unsigned rank)
{
    const unsigned size = s->ranks->size;
    struct timespec last = {0};
    double heard = clock_seconds();
    while (!state_whole(s, path, rank, size)) {
        struct stat status;
        const struct timespec now = stat(path, &status) == 0 ? status.st_mtim : last;
        if (now.tv_sec != last.tv_sec || now.tv_nsec != last.tv_nsec) {
            last = now;
            heard = clock_seconds();
        }
        if (clock_seconds() - heard > s->ranks->patience) {
            return txl_fail(err,
                            "rank %u of %u has ended or never began: no sign of it for %.0f "
                            "seconds (TENSIX_RANK_WAIT)",
                            rank, size, s->ranks->patience);
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return TXL_CONTINUE;
}

int ranks_collect(struct txl_error *err, struct txl_sweep *s)
{
    const struct sweep_ranks *ranks = s->ranks;
    char path[sizeof ranks->own];
    int result = TXL_CONTINUE;
    for (unsigned rank = 1; rank < ranks->size && result == TXL_CONTINUE; rank++) {
        part_path(ranks, rank, path, sizeof path);
        result = wait_for(err, s, path, rank);
        if (result == TXL_CONTINUE) {
            result = state_load(err, s, path, true);
        }
    }
    for (unsigned rank = 1; rank < ranks->size && ranks->scratch; rank++) {
        part_path(ranks, rank, path, sizeof path);
        unlink(path);
    }
    return result;
}

void ranks_close(struct sweep_ranks *ranks, bool leaves)
{
    if (ranks != NULL && ranks->scratch) {
        if (leaves) {
            leave(ranks);
        }
        abandon_remove(leave, ranks);
    }
    free(ranks);
}
