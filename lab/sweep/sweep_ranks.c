/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Started by an MPI launcher: each rank is a shard, and rank 0 adds up their state files. The rank
 * comes from the environment, as Open MPI, MPICH and Slurm's PMI set it, so that nothing is linked.
 * A rank that fails ends the whole job, if the launcher does that; else rank 0 gives up after a
 * time.
 */
#include "sweep/sweep_ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/abandon.h"

static bool number_from(const char *name, unsigned *value)
{
    const char *text = getenv(name);
    int64_t number = 0;
    if (text == NULL || !txl_number(text, 0, SWEEP_CHUNKS, &number)) {
        return false;
    }
    *value = (unsigned)number;
    return true;
}

bool ranks_find(struct sweep_ranks *ranks)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (number_from(names[i][0], &ranks->rank) && number_from(names[i][1], &ranks->size) &&
            ranks->size > 1 && ranks->rank < ranks->size) {
            return true;
        }
    }
    return false;
}

static struct sweep_ranks guarded; /* for a signal's handler */

static void leave(void *what)
{
    const struct sweep_ranks *ranks = what;
    unlink(ranks->own);
    rmdir(ranks->base); /* the last one does */
}

static void part_path(const struct sweep_ranks *ranks, unsigned rank, char *path, size_t size)
{
    snprintf(path, size, ranks->scratch ? "%s/%u-of-%u" : "%s.%u-of-%u", ranks->base, rank + 1,
             ranks->size);
}

/*
 * Ranks have nothing in common but their launcher, so they cannot agree on a name that nobody could
 * guess: the folder is taken only if it is ours alone.
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

int ranks_paths(struct txl_error *err, struct sweep_ranks *ranks, const char *resume, uint64_t key)
{
    unsigned here = 0;
    ranks->scratch = resume == NULL;
    if (resume != NULL) {
        snprintf(ranks->base, sizeof ranks->base, "%s", resume);
    } else {
        if ((number_from("OMPI_COMM_WORLD_LOCAL_SIZE", &here) ||
             number_from("MPI_LOCALNRANKS", &here)) &&
            here != ranks->size) {
            return txl_fail(err, "ranks on several nodes need --resume FILE in a place they share");
        }
        /* One launcher, one parent. */
        const char *directory = getenv("TMPDIR");
        snprintf(ranks->base, sizeof ranks->base, "%.300s/tensix-sweep-%016llx-%ld",
                 directory != NULL && directory[0] != '\0' ? directory : "/tmp",
                 (unsigned long long)key, (long)getppid());
    }
    part_path(ranks, ranks->rank, ranks->own, sizeof ranks->own);
    int result = ranks->scratch ? make_scratch(err, ranks->base) : TXL_CONTINUE;
    if (ranks->scratch && result == TXL_CONTINUE) {
        guarded = *ranks;
        (void)abandon_add(leave, &guarded);
    }
    return result;
}

/* Seconds without a sign of life, which each rank gives every second. */
static unsigned patience(void)
{
    unsigned seconds = 60;
    (void)number_from("TENSIX_RANK_WAIT", &seconds);
    return seconds;
}

/* Until the rank's part is done; TXL_INPUT (printed) if nothing is heard of it. */
static int wait_for(struct sweep *s, const char *path, unsigned rank, unsigned size)
{
    struct timespec last = {0};
    double heard = clock_seconds();
    while (!state_whole(s, path, rank, size)) {
        struct stat status;
        const struct timespec now = stat(path, &status) == 0 ? status.st_mtim : last;
        if (now.tv_sec != last.tv_sec || now.tv_nsec != last.tv_nsec) {
            last = now;
            heard = clock_seconds();
        }
        if (clock_seconds() - heard > patience()) {
            return txl_fail(s->err,
                            "rank %u of %u has ended or never began: no sign of it for %u "
                            "seconds (TENSIX_RANK_WAIT)",
                            rank, size, patience());
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return TXL_CONTINUE;
}

int ranks_collect(struct sweep *s, const struct sweep_ranks *ranks)
{
    char path[sizeof ranks->own];
    int result = TXL_CONTINUE;
    for (unsigned rank = 1; rank < ranks->size && result == TXL_CONTINUE; rank++) {
        part_path(ranks, rank, path, sizeof path);
        result = wait_for(s, path, rank, ranks->size);
        if (result == TXL_CONTINUE) {
            result = state_load(s, path, true);
        }
    }
    for (unsigned rank = 1; rank < ranks->size && ranks->scratch; rank++) {
        part_path(ranks, rank, path, sizeof path);
        unlink(path);
    }
    return result;
}

void ranks_leave(const struct sweep_ranks *ranks)
{
    if (ranks->scratch) {
        leave(&guarded);
        abandon_remove(leave, &guarded);
    }
}
