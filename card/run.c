/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a command with the library and a folder, waits for it, and reads what was found. */
#define _GNU_SOURCE 1
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool fails(struct card_result *done, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fails(struct card_result *done, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(done->text, sizeof done->text, format, args);
    va_end(args);
    return false;
}

/* ---- the library for LD_PRELOAD ---- */

/* Finds it beside the command, as built and as installed. */
static bool find_library(char *path, size_t size)
{
    static const char *const places[] = {"libtensix-card.so", "../lib/tensix/libtensix-card.so",
                                         "../lib64/tensix/libtensix-card.so",
                                         "../lib/x86_64-linux-gnu/tensix/libtensix-card.so"};
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        return false;
    }
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (snprintf(path, size, "%s/%s", self, places[i]) < (int)size && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

static bool set_environment(struct card_result *done, const char *root)
{
    char library[PATH_MAX];
    char all[2 * PATH_MAX];
    const char *before = getenv("LD_PRELOAD");
    if (!find_library(library, sizeof library)) {
        return fails(done, "libtensix-card.so is not beside the command: this build has no card, "
                           "because it had no Zydis (libzydis-dev)");
    }
    if (strpbrk(library, " :") != NULL) {
        return fails(done, "%.128s: the dynamic linker takes no path with spaces or colons",
                     library);
    }
    (void)snprintf(all, sizeof all, "%s%s%s", library,
                   before != NULL && before[0] != '\0' ? ":" : "", before != NULL ? before : "");
    setenv("LD_PRELOAD", all, 1);
    setenv("TENSIX_CARD", root, 1);
    return true;
}

/* ---- while it runs ---- */

static volatile sig_atomic_t child; /* of the handler */

static void hand_on(int number)
{
    if (child > 0) {
        (void)kill((pid_t)child, number);
    }
}

static void print_live(const struct card_shared *shared, const struct timespec *start)
{
    struct timespec now;
    struct card_counts sum = {0};
    uint64_t requests = 0, moved = 0;
    unsigned processes = 0;
    for (unsigned i = 0; i < CARD_PROCESSES; i++) {
        const struct card_process *p = &shared->process[i];
        if (atomic_load(&p->pid) != 0) {
            processes++;
            sum.cycles += atomic_load(&p->cycles);
            sum.active += atomic_load(&p->active);
            sum.findings += atomic_load(&p->findings);
            sum.instructions += atomic_load(&p->instructions);
            requests += atomic_load(&p->requests);
            moved += atomic_load(&p->moved);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (processes != 0) {
        fprintf(stderr,
                "\r\x1b[Ktensix card: %lds, %.1fM cycles, %llu tiles at work, %.1fM Tensix "
                "instructions, %llu accesses, %.1f MB, %llu findings\r",
                (long)(now.tv_sec - start->tv_sec), (double)sum.cycles / 1e6,
                (unsigned long long)sum.active, (double)sum.instructions / 1e6,
                (unsigned long long)requests, (double)moved / 1e6,
                (unsigned long long)sum.findings);
    }
}

static int wait_for(pid_t pid, const struct card_shared *shared)
{
    struct timespec start;
    const bool live = isatty(STDERR_FILENO) != 0;
    int status = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        const pid_t got = waitpid(pid, &status, live ? WNOHANG : 0);
        if (got == pid || (got < 0 && errno != EINTR)) {
            break;
        }
        if (live) {
            const struct timespec pause = {.tv_nsec = 200000000};
            print_live(shared, &start);
            (void)nanosleep(&pause, NULL);
        }
    }
    if (live) {
        fprintf(stderr, "\r\x1b[K");
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void become(char **command, pid_t parent, const sigset_t *mask)
{
    /* The program is not to outlive the files of its card. */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) {
        _exit(126);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(command[0], command);
    fprintf(stderr, "tensix card: %s: %s\n", command[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static bool start(char **command, const struct card_shared *shared, struct card_result *done)
{
    struct sigaction action;
    sigset_t signals, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        become(command, parent, &before);
    }
    if (pid < 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return fails(done, "no process can be started: %s", strerror(errno));
    }
    child = (sig_atomic_t)pid;
    action.sa_handler = hand_on;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGINT, SIG_IGN); /* the terminal sends it to the command, too */
    signal(SIGQUIT, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before, NULL);
    done->status = wait_for(pid, shared);
    return true;
}

/* ---- afterwards ---- */

static void read_log(const char *root, struct card_result *done)
{
    char path[CARD_TEXT + 8];
    char *line = NULL;
    size_t room = 0;
    (void)snprintf(path, sizeof path, "%s/log", root);
    FILE *log = fopen(path, "re");
    while (log != NULL && getline(&line, &room, log) > 0) {
        char **more = realloc(done->lines, (done->count + 1) * sizeof *more);
        if (more == NULL) {
            break;
        }
        line[strcspn(line, "\n")] = '\0';
        done->lines = more;
        done->lines[done->count] = line;
        done->count++;
        line = NULL;
        room = 0;
    }
    free(line);
    if (log != NULL) {
        fclose(log);
    }
}

bool card_run(const struct card_options *options, char **command, struct card_result *done)
{
    char root[CARD_TEXT];
    struct card_options read;
    memset(done, 0, sizeof *done);
    const int keep = tree_make(options, root, sizeof root);
    if (keep < 0) {
        return fails(done, "no folder for the card's files: %s", strerror(errno));
    }
    const struct card_shared *shared = tree_open(root, &read);
    const bool good = shared == NULL ? fails(done, "%.128s: cannot be read", root)
                                     : set_environment(done, root) && start(command, shared, done);
    if (good) {
        read_log(root, done);
    }
    close(keep); /* the folder goes */
    return good;
}

void card_result_free(struct card_result *done)
{
    for (unsigned i = 0; i < done->count; i++) {
        free(done->lines[i]);
    }
    free(done->lines);
}
