/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a command with the library and a folder, waits for it, and reads what was found. */
#define _GNU_SOURCE 1
#include "run.h"

#include <dirent.h>
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

static bool set_environment(struct card_result *done, const char *root, const char *door)
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
    setenv("TENSIX_CARD_DOOR", door, 1);
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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One line about all processes; on a terminal it takes the place of the last one. */
static void print_live(const struct card_shared *shared, double seconds, bool terminal)
{
    struct card_counts sum = {0};
    unsigned processes = 0;
    for (unsigned i = 0; i < CARD_PROCESSES; i++) {
        const struct card_process *p = &shared->process[i];
        if (atomic_load(&p->pid) != 0) {
            processes++;
            sum.cycles += atomic_load(&p->cycles);
            sum.active += atomic_load(&p->active);
            sum.findings += atomic_load(&p->findings);
            sum.noc += atomic_load(&p->noc);
            sum.dram += atomic_load(&p->dram);
        }
    }
    if (processes != 0) {
        fprintf(stderr,
                "%stensix card: %.0f s, %.1f M cycles, %llu tiles at work, NoC %.1f MB, DRAM %.1f "
                "MB, %llu findings%s",
                terminal ? "\r\x1b[K" : "", seconds, (double)sum.cycles / 1e6,
                (unsigned long long)sum.active, (double)sum.noc / 1e6, (double)sum.dram / 1e6,
                (unsigned long long)sum.findings, terminal ? "\r" : "\n");
    }
}

/* Waits for the command. */
static int wait_for(pid_t pid, const struct card_shared *shared, bool always, double *seconds)
{
    enum { TURN_NS = 200000000, LINE_TURNS = 5 };
    const double start = now();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const bool live = terminal || always;
    int status = 0;
    for (unsigned turn = 1;; turn++) {
        const pid_t got = waitpid(pid, &status, live ? WNOHANG : 0);
        if (got == pid || (got < 0 && errno != EINTR)) {
            break;
        }
        if (live) {
            const struct timespec pause = {.tv_nsec = TURN_NS};
            if (terminal || turn % LINE_TURNS == 0) {
                print_live(shared, now() - start, terminal);
            }
            (void)nanosleep(&pause, NULL);
        }
    }
    if (terminal) {
        fprintf(stderr, "\r\x1b[K");
    } else if (always) {
        print_live(shared, now() - start, false);
    }
    *seconds = now() - start;
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
    for (char *at = command[0]; *at != '\0'; at++) { /* as it goes to a terminal */
        *at = (unsigned char)*at < ' ' ? '?' : *at;
    }
    fprintf(stderr, "tensix card: %s: %s\n", command[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static bool run_start(char **command, const struct card_shared *shared, bool live,
                      struct card_result *done)
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
    done->status = wait_for(pid, shared, live, &done->seconds);
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

static char *whole(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");
    const bool read = file != NULL && getdelim(&text, &room, '\0', file) > 0;
    if (file != NULL) {
        fclose(file);
    }
    if (!read) {
        free(text);
        return NULL;
    }
    return text;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_report(const struct dirent *entry)
{
    return strncmp(entry->d_name, "report-", 7) == 0;
}

static void read_reports(const char *root, const struct card_shared *shared,
                         struct card_result *done)
{
    struct dirent **list = NULL;
    const int count = scandir(root, &list, is_report, by_name);
    done->report = count > 0 ? calloc((size_t)count, sizeof *done->report) : NULL;
    for (int i = 0; i < count; i++) {
        char path[CARD_TEXT + 300];
        (void)snprintf(path, sizeof path, "%s/%s", root, list[i]->d_name);
        char *text = done->report != NULL ? whole(path) : NULL;
        if (text != NULL) {
            done->report[done->reports++] = text;
        }
        free(list[i]);
    }
    free(list);
    for (unsigned i = 0; i < CARD_PROCESSES; i++) {
        const int32_t pid = atomic_load(&shared->process[i].pid);
        done->lost += pid != 0 && (kill(pid, 0) != 0 && errno == ESRCH);
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
                                     : set_environment(done, root, options->door) &&
                                           run_start(command, shared, options->live, done);
    if (good) {
        read_log(root, done);
        read_reports(root, shared, done);
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
    for (unsigned i = 0; i < done->reports; i++) {
        free(done->report[i]);
    }
    free(done->report);
}
