/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a linear programme in GLPK's own format, runs glpsol, and reads the solution. */
#define _GNU_SOURCE 1 /* memfd_create */
#include "fit/programme.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/program.h"

enum { PLACE = 3 }; /* descriptors of the child: the programme, and behind it the solution */

bool programme_solver(const char *folders, char *path, size_t size)
{
    return program_find(folders, "glpsol", path, size) == 0;
}

/* Each bound is a row: those below come first. Column 1 is r. */
static void write_rows(FILE *out, const struct programme *p)
{
    for (size_t i = 0; i < 2 * p->rows; i++) {
        const struct programme_row *row = &p->row[i / 2];
        const bool below = i % 2 == 0;
        const double bound = below ? row->low : row->high;
        if (isinf(bound)) {
            fprintf(out, "i %zu f\n", i + 1);
        } else {
            fprintf(out, "i %zu %c %.17g\n", i + 1, below ? 'l' : 'u', bound);
        }
    }
    fprintf(out, "j 1 d -1e6 10\n");
    for (unsigned k = 0; k < p->columns; k++) {
        fprintf(out, "j %u f\n", k + 2);
    }
    fprintf(out, "a 0 1 1\n");
    for (size_t i = 0; i < 2 * p->rows; i++) {
        fprintf(out, "a %zu 1 %d\n", i + 1, i % 2 == 0 ? -1 : 1);
        for (unsigned k = 0; k < p->columns; k++) {
            if (p->row[i / 2].slope[k] != 0) {
                fprintf(out, "a %zu %u %.17g\n", i + 1, k + 2, p->row[i / 2].slope[k]);
            }
        }
    }
    fprintf(out, "e o f\n");
}

static size_t entries(const struct programme *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        count += 2;
        for (unsigned k = 0; k < p->columns; k++) {
            count += p->row[i].slope[k] != 0 ? 2 : 0;
        }
    }
    return count;
}

static bool write_programme(int file, const struct programme *p)
{
    const int copy = dup(file);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL) {
        return false;
    }
    fprintf(out, "p lp max %zu %u %zu\n", 2 * p->rows, p->columns + 1, entries(p));
    write_rows(out, p);
    return fclose(out) == 0;
}

static const char *programme_run(const char *solver, int programme, int solution)
{
    static char *const arguments[] = {"glpsol",    "--glp",   "/dev/fd/3", "-w",
                                      "/dev/fd/4", "--tmlim", "60",        NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, programme, PLACE);
    posix_spawn_file_actions_adddup2(&actions, solution, PLACE + 1);
    const int error =
        posix_spawn(&child, solver, &actions, NULL, arguments, program_environment(NULL));
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return "glpsol cannot be started";
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "glpsol fails";
}

/* "s bas ROWS COLUMNS PRIMAL DUAL VALUE", and "j COLUMN STATUS VALUE ..." of each column. */
static const char *read_solution(int file, const struct programme *p, double *x, double *r)
{
    char line[200];
    unsigned seen = 0;
    bool good = false;
    FILE *in = lseek(file, 0, SEEK_SET) == 0 ? fdopen(file, "r") : NULL;
    if (in == NULL) {
        return "glpsol's solution cannot be read";
    }
    while (fgets(line, sizeof line, in) != NULL) {
        char status[2][4] = {"", ""};
        unsigned column = 0;
        double value = 0;
        if (sscanf(line, "s bas %*u %*u %3s %3s", status[0], status[1]) == 2) {
            good = strcmp(status[0], "f") == 0 && strcmp(status[1], "f") == 0;
        } else if (sscanf(line, "j %u %*s %lf", &column, &value) == 2 && column >= 1 &&
                   column <= p->columns + 1) {
            *(column == 1 ? r : &x[column - 2]) = value;
            seen++;
        }
    }
    (void)fclose(in);
    return good && seen == p->columns + 1 ? NULL : "glpsol finds no solution";
}

const char *programme_solve(const char *solver, const struct programme *p, double *x, double *r)
{
    /* Files in memory, above the places that they get in the child. */
    int file[2];
    const char *why = NULL;
    for (unsigned i = 0; i < 2; i++) {
        const int made = memfd_create("programme", MFD_CLOEXEC);
        file[i] = made >= 0 ? fcntl(made, F_DUPFD_CLOEXEC, PLACE + 2) : -1;
        why = file[i] < 0 ? "no file in memory can be made" : why;
        if (made >= 0) {
            close(made);
        }
    }
    if (why == NULL && !write_programme(file[0], p)) {
        why = "a linear programme cannot be written";
    }
    if (why == NULL) {
        why = programme_run(solver, file[0], file[1]);
    }
    if (why == NULL) {
        const int copy = dup(file[1]);
        why = copy < 0 ? "glpsol's solution cannot be read" : read_solution(copy, p, x, r);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (file[i] >= 0) {
            close(file[i]);
        }
    }
    return why;
}
