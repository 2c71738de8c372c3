/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Started by an MPI launcher: each rank is a shard, and rank 0 adds up their state files. The rank
 * comes from the environment, as Open MPI, MPICH and Slurm's PMI set it, so that nothing is linked.
 */
#include "sweep_ranks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool number_from(const char *name, unsigned *value)
{
    const char *text = getenv(name);
    int64_t number = 0;
    if (text == NULL || !cli_number(text, 0, SWEEP_CHUNKS, &number)) {
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

static void part_path(const struct sweep_ranks *ranks, unsigned rank, char *path, size_t size)
{
    snprintf(path, size, "%s.%u-of-%u", ranks->base, rank + 1, ranks->size);
}

int ranks_paths(struct cli *cli, struct sweep_ranks *ranks, const char *resume, uint64_t key)
{
    unsigned here = 0;
    ranks->scratch = resume == NULL;
    if (resume != NULL) {
        snprintf(ranks->base, sizeof ranks->base, "%s", resume);
    } else {
        /* One launcher, one parent: that names the scratch files where all ranks are on one node.
         */
        if ((number_from("OMPI_COMM_WORLD_LOCAL_SIZE", &here) ||
             number_from("MPI_LOCALNRANKS", &here)) &&
            here != ranks->size) {
            return cli_fail(cli, "ranks on several nodes need --resume FILE in a place they share");
        }
        const char *directory = getenv("TMPDIR");
        snprintf(ranks->base, sizeof ranks->base, "%s/tensix-sweep-%016llx-%ld",
                 directory != NULL ? directory : "/tmp", (unsigned long long)key, (long)getppid());
    }
    part_path(ranks, ranks->rank, ranks->own, sizeof ranks->own);
    return CLI_CONTINUE;
}

/* A rank that fails ends the whole job, which is the launcher's business. */
int ranks_collect(struct sweep *s, const struct sweep_ranks *ranks)
{
    char path[sizeof ranks->own];
    for (unsigned rank = 1; rank < ranks->size; rank++) {
        part_path(ranks, rank, path, sizeof path);
        while (!state_whole(s, path, rank, ranks->size)) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        }
        int result = state_load(s, path, true);
        if (result != CLI_CONTINUE) {
            return result;
        }
    }
    for (unsigned rank = 0; rank < ranks->size && ranks->scratch; rank++) {
        part_path(ranks, rank, path, sizeof path);
        unlink(path);
    }
    return CLI_CONTINUE;
}
