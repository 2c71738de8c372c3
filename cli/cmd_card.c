/* SPDX-License-Identifier: Apache-2.0 */
/* tensix card: runs any program with an emulated card. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "card/tree.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_PRODUCT,
    KEY_CHIPS,
    KEY_DOOR,
    KEY_STRICT,
    KEY_STEPS,
    KEY_TIMED
};
enum { SHOWN_MOST = 32 };

struct card_args {
    struct cli *cli;
    struct card_options options;
    const char *product, *door;
    enum tx_arch arch;
    char **command;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh (default) or wh in any spelling: the usual card with it", 1},
    {"product", KEY_PRODUCT, "NAME", 0,
     "The card: p150a (default), p150b, p150c, p100a, p100, n150, n300 (its first chip)", 1},
    {"chips", KEY_CHIPS, "N", 0, "Number of cards, each for itself; default 1", 1},
    {"strict", KEY_STRICT, NULL, 0,
     "End the program with status 1 at the first finding; else findings never stop it", 2},
    {"deterministic", KEY_STEPS, NULL, 0,
     "The chip's time goes on by a fixed number of cycles at each access of the program, so that "
     "two runs of a program with one thread are alike",
     2},
    {"timed", KEY_TIMED, NULL, 0,
     "Instructions and requests take their time in cycles; default: each core runs until it must "
     "wait, which is faster and gives programs without races the same results",
     2},
    {"door", KEY_DOOR, "FILE.so", 0,
     "Put the chip of a library with the libttsim interface behind the card instead of ours", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs COMMAND, and what it starts, with an emulated card: /dev/tenstorrent/0, the files that "
    "the driver shows, its ioctls, mappings and locks. No driver, no root and no card are needed. "
    "Each process that opens the card has a chip of its own, as after power-on.\v"
    "The exit status is that of COMMAND. What the chip has found goes to standard error when "
    "COMMAND has ended; on a terminal a line there tells meanwhile what the chip does.";

static error_t parse_value(struct card_args *a, int key, char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_PRODUCT:
        a->product = arg;
        return card_product(arg, &a->options)
                   ? 0
                   : cli_fail(a->cli,
                              "--product: %s is none of p150a, p150b, p150c, p150, p100a, "
                              "p100, n150, n300",
                              arg);
    case KEY_CHIPS:
        result = cli_unsigned(a->cli, "--chips", arg, CARD_CHIPS, &number);
        a->options.chips = (unsigned)number;
        return result == 0 && number == 0 ? cli_fail(a->cli, "--chips: at least 1") : result;
    case KEY_DOOR:
        a->door = arg;
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct card_args *a = state->input;
    switch (key) {
    case KEY_STRICT:
        a->options.strict = true;
        return 0;
    case KEY_STEPS:
        a->options.deterministic = true;
        return 0;
    case KEY_TIMED:
        a->options.timed = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_fail(a->cli, "'%s': put -- between the options and the command", arg);
    default:
        return parse_value(a, key, arg);
    }
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

static int set_environment(struct card_args *a, const char *root)
{
    char library[PATH_MAX];
    char all[2 * PATH_MAX];
    const char *before = getenv("LD_PRELOAD");
    if (!find_library(library, sizeof library)) {
        return cli_fail(a->cli, "libtensix-card.so is not beside the command: this build has no "
                                "card, because it had no Zydis (libzydis-dev)");
    }
    if (strpbrk(library, " :") != NULL) {
        return cli_fail(a->cli, "%s: the dynamic linker takes no path with spaces or colons",
                        library);
    }
    snprintf(all, sizeof all, "%s%s%s", library, before != NULL && before[0] != '\0' ? ":" : "",
             before != NULL ? before : "");
    setenv("LD_PRELOAD", all, 1);
    setenv("TENSIX_CARD", root, 1);
    return CLI_OK;
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
    uint64_t cycles = 0, active = 0, findings = 0, instructions = 0, requests = 0, moved = 0;
    unsigned processes = 0;
    for (unsigned i = 0; i < CARD_PROCESSES; i++) {
        const struct card_process *p = &shared->process[i];
        if (atomic_load(&p->pid) != 0) {
            processes++;
            cycles += atomic_load(&p->cycles);
            active += atomic_load(&p->active);
            findings += atomic_load(&p->findings);
            instructions += atomic_load(&p->instructions);
            requests += atomic_load(&p->requests);
            moved += atomic_load(&p->moved);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (processes != 0) {
        fprintf(stderr,
                "\r\x1b[Ktensix card: %lds, %.1fM cycles, %llu tiles at work, %.1fM Tensix "
                "instructions, %llu accesses, %.1f MB, %llu findings\r",
                (long)(now.tv_sec - start->tv_sec), (double)cycles / 1e6,
                (unsigned long long)active, (double)instructions / 1e6,
                (unsigned long long)requests, (double)moved / 1e6, (unsigned long long)findings);
    }
}

/* Waits for the command. Returns its status as a shell gives it. */
static int wait_for(pid_t pid, const struct card_shared *shared)
{
    struct timespec start;
    const bool live = isatty(STDERR_FILENO) != 0;
    int status = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        const pid_t got = waitpid(pid, &status, live ? WNOHANG : 0);
        if (got == pid) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return CLI_INPUT;
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

static int run(struct card_args *a, const struct card_shared *shared)
{
    struct sigaction action;
    sigset_t signals, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        /* The program is not to outlive the files of its card. */
        if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) {
            _exit(126);
        }
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(a->command[0], a->command);
        fprintf(stderr, "tensix card: %s: %s\n", a->command[0], strerror(errno));
        _exit(errno == ENOENT ? 127 : 126);
    }
    if (pid < 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return cli_fail(a->cli, "no process can be started: %s", strerror(errno));
    }
    child = (sig_atomic_t)pid;
    action.sa_handler = hand_on;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGINT, SIG_IGN); /* the terminal sends it to the command, too */
    signal(SIGQUIT, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return wait_for(pid, shared);
}

/* ---- afterwards ---- */

/* Prints what has been found: lines of the folder's log. */
static void print_findings(const struct card_args *a, const char *root, int status)
{
    char path[CARD_TEXT + 8];
    char line[1024];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/log", root);
    FILE *log = fopen(path, "re");
    json_t *list = json_array();
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (!a->cli->json && count < SHOWN_MOST) {
            fprintf(stderr, "tensix: %s\n", line);
        }
        json_array_append_new(list, json_string(line));
        count++;
    }
    if (log != NULL) {
        fclose(log);
    }
    if (!a->cli->json && count > SHOWN_MOST) {
        fprintf(stderr, "tensix: and %u more\n", count - SHOWN_MOST);
    }
    if (a->cli->json) {
        json_t *all = json_object();
        json_object_set_new(all, "schema", json_integer(CLI_JSON_SCHEMA));
        json_object_set_new(all, "status", json_integer(status));
        json_object_set_new(all, "findings", list);
        (void)cli_put(a->cli, json_dumps(all, 0));
        json_decref(all);
    } else {
        json_decref(list);
    }
}

static int with_tree(struct card_args *a)
{
    char root[CARD_TEXT];
    struct card_options read;
    const int keep = tree_make(&a->options, root, sizeof root);
    if (keep < 0) {
        return cli_fail(a->cli, "no folder for the card's files: %s", strerror(errno));
    }
    const struct card_shared *shared = tree_open(root, &read);
    int status =
        shared == NULL ? cli_fail(a->cli, "%s: cannot be read", root) : set_environment(a, root);
    if (status == CLI_OK) {
        fflush(NULL);
        status = run(a, shared);
        print_findings(a, root, status);
    }
    close(keep); /* the folder goes */
    return status;
}

/*
 * Splits the line: the command is what follows --, or all of it where it has no options. Returns
 * the number of words before it.
 */
static int split(struct card_args *a, int argc, char **argv)
{
    int own = 1;
    if (argc > 1 && argv[1][0] != '-') {
        a->command = argv + 1;
        return own;
    }
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    a->command = own + 1 < argc ? argv + own + 1 : NULL;
    return own;
}

int cmd_card(struct cli *cli, int argc, char **argv)
{
    struct card_args a = {.cli = cli, .arch = TX_ARCH_NONE};
    char door[PATH_MAX];
    static const struct argp argp = {options, parse, "[--] COMMAND [ARGUMENTS]", doc, NULL,
                                     NULL,    NULL};
    card_options_default(&a.options);
    const int own = split(&a, argc, argv);
    int result = cli_parse(cli, &argp, own, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.command == NULL) {
        return cli_fail(cli, "no command to run given; see 'tensix card --help'");
    }
    if (a.product == NULL && a.arch == TX_WORMHOLE) {
        (void)card_product("n150", &a.options);
    }
    if (a.arch != TX_ARCH_NONE && (a.arch == TX_WORMHOLE) != card_is_wormhole(&a.options)) {
        return cli_fail(cli, "--product %s has another chip than --arch says", a.product);
    }
    if (a.door != NULL) {
        if (realpath(a.door, door) == NULL || strlen(door) >= sizeof a.options.door) {
            return cli_fail(cli, "--door: %s: %s", a.door, strerror(errno));
        }
        strcpy(a.options.door, door);
    }
    if (a.door != NULL && a.options.chips != 1) {
        return cli_fail(cli, "--door: that interface has one chip; --chips does not go with it");
    }
    return with_tree(&a);
}
