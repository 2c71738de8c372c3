/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References in files, run in child processes, one for each thread, so that any failure there
 * becomes a one-line error here. python3 runs FILE.py; a helper runs FILE.so: the command tensix or
 * another program that calls txl_sweep_serve.
 *
 * The protocol: a request has count and number of operands as two 64-bit numbers, then the operands
 * of every element as doubles. The answer is the 64-bit length of an error text and that text, or 0
 * and the results.
 */
#include "sweep/sweep.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/program.h"

enum { CHILD_SOCKET = 3 };             /* the socket's descriptor in the child */
enum { ASK_MS = 50, ASKED_MOST = 20 }; /* how often patience is asked, and how often in vain */
#define CHILD_SOCKET_TEXT "3"

struct sweep_child {
    const struct sweep_reference *reference;
    pid_t process; /* -1: it has ended */
    int socket;
    struct sweep_patience patience;
};

static bool send_all(int fd, const void *data, size_t size)
{
    const char *bytes = data;
    while (size > 0) {
        ssize_t done = send(fd, bytes, size, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static bool receive_all(int fd, void *data, size_t size)
{
    char *bytes = data;
    while (size > 0) {
        ssize_t done = recv(fd, bytes, size, 0);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static void answer_text(int fd, const char *text)
{
    uint64_t length = strlen(text);
    (void)(send_all(fd, &length, sizeof length) && send_all(fd, text, (size_t)length));
}

/* ---- in the child process ---- */

int txl_sweep_serve(const char *file, int socket)
{
    char full[sizeof((struct sweep_reference *)0)->name + 4];
    double (*function)(const double *) = NULL;
    snprintf(full, sizeof full, "%s%s", strchr(file, '/') == NULL ? "./" : "", file);
    void *library = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "tensix_reference") : NULL;
    memcpy(&function, &symbol, sizeof function);
    if (function == NULL) {
        const char *why = dlerror();
        answer_text(socket, why != NULL ? why : "no function tensix_reference");
        return TXL_INPUT;
    }
    double *x = calloc((size_t)SWEEP_BATCH_ELEMENTS * (SWEEP_INPUTS + 1), sizeof *x);
    uint64_t head[2];
    bool good = x != NULL;
    while (good && receive_all(socket, head, sizeof head)) {
        const uint64_t none = 0;
        double *y = x + (size_t)SWEEP_BATCH_ELEMENTS * SWEEP_INPUTS;
        good = head[0] <= SWEEP_BATCH_ELEMENTS && head[1] <= SWEEP_INPUTS &&
               receive_all(socket, x, (size_t)(head[0] * head[1]) * sizeof *x);
        for (uint64_t i = 0; i < head[0] && good; i++) {
            y[i] = function(x + i * head[1]);
        }
        good = good && send_all(socket, &none, sizeof none) &&
               send_all(socket, y, (size_t)head[0] * sizeof *y);
    }
    free(x);
    return good ? TXL_OK : TXL_INPUT;
}

/*
 * The program for python3. It calls reference(x) with as many numbers as the kernel has inputs. -I
 * makes Python import modules only from its own folders, never from the working directory or the
 * environment.
 */
static const char python_text[] =
    "import os, runpy, socket, struct, sys\n"
    "s = socket.socket(fileno=int(sys.argv[1]))\n"
    "path = sys.argv[2]\n"
    "os.dup2(2, 1)\n"
    "def get(n):\n"
    "    data = b''\n"
    "    while len(data) < n:\n"
    "        part = s.recv(n - len(data))\n"
    "        if not part:\n"
    "            os._exit(0)\n"
    "        data += part\n"
    "    return data\n"
    "def fail(text):\n"
    "    text = ' '.join(text.split())[:300].encode('ascii', 'replace')\n"
    "    s.sendall(struct.pack('=Q', len(text)) + text)\n"
    "    os._exit(0)\n"
    "def name(e):\n"
    "    return type(e).__name__ + (': ' + str(e) if str(e) else '')\n"
    "try:\n"
    "    f = runpy.run_path(path)['reference']\n"
    "except KeyError:\n"
    "    fail('there is no function reference')\n"
    "except BaseException as e:\n"
    "    fail(name(e))\n"
    "while True:\n"
    "    n, k = struct.unpack('=QQ', get(16))\n"
    "    x = struct.unpack('=%dd' % (n * k), get(8 * n * k))\n"
    "    y = []\n"
    "    for i in range(0, n * k, k):\n"
    "        try:\n"
    "            y.append(float(f(*x[i:i + k])))\n"
    "        except BaseException as e:\n"
    "            fail('reference(%s) raises %s' % (', '.join(map(repr, x[i:i + k])), name(e)))\n"
    "    s.sendall(struct.pack('=Q%dd' % n, 0, *y))\n";

/* ---- in this process ---- */

static int missing(struct txl_error *err, const struct sweep_reference *r, int error)
{
    if (error != ENOENT) {
        return txl_fail(err, "%s: %s", r->name, strerror(error));
    }
    return r->python ? txl_fail(err, "%s: python3 is not installed", r->name)
                     : txl_fail(err,
                                "%s: there is no program %s to run it in, which is to be the "
                                "command tensix",
                                r->name, r->helper != NULL ? r->helper : "tensix");
}

/*
 * Starts the child with its end of the socket pair. SIGINT is blocked there, since an interrupt is
 * meant for the caller. Returns 0 or an errno.
 */
static int spawn(struct sweep_child *c, int socket)
{
    const struct sweep_reference *r = c->reference;
    const char *const helper = r->helper != NULL ? r->helper : "tensix";
    const char *const word = r->python ? "python3" : helper;
    const char *const python[] = {word, "-I", "-c", python_text, CHILD_SOCKET_TEXT, r->name, NULL};
    const char *const serve[] = {word, TXL_SWEEP_SERVE, r->name, CHILD_SOCKET_TEXT, NULL};
    const char *const *wanted = r->python ? python : serve;
    char *arguments[8] = {NULL};
    char path[4096];
    const int not_found = program_find(r->path, word, path, sizeof path);
    if (not_found != 0) {
        return not_found;
    }
    for (unsigned i = 0; wanted[i] != NULL; i++) {
        /* The strings are never written to. */
        memcpy(&arguments[i], &wanted[i], sizeof arguments[i]);
    }
    sigset_t blocked;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, CHILD_SOCKET);
    const int error = posix_spawn(&c->process, path, &actions, &attributes, arguments,
                                  program_environment(r->environment));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int sweep_child_open(struct txl_error *err, const struct sweep_reference *reference,
                     struct sweep_child **child)
{
    int pair[2];
    struct sweep_child *c = zeroed(err, 1, sizeof *c);
    *child = NULL;
    if (c == NULL) {
        return TXL_INPUT;
    }
    c->reference = reference;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        const int error = errno;
        free(c);
        return txl_fail(err, "%s: %s", reference->name, strerror(error));
    }
    const int error = spawn(c, pair[1]);
    close(pair[1]);
    if (error != 0) {
        close(pair[0]);
        free(c);
        return missing(err, reference, error);
    }
    c->socket = pair[0];
    *child = c;
    return TXL_CONTINUE;
}

void sweep_child_close(struct sweep_child *c)
{
    if (c == NULL) {
        return;
    }
    close(c->socket); /* makes the child exit */
    if (c->process > 0) {
        waitpid(c->process, NULL, 0);
    }
    free(c);
}

static int died(struct sweep_child *c, struct txl_error *err)
{
    int status = 0;
    const bool crashed =
        c->process > 0 && waitpid(c->process, &status, 0) == c->process && WIFSIGNALED(status);
    c->process = -1;
    return crashed ? txl_refuse(err, TXL_NEGATIVE, "%s: the reference crashed: %s",
                                c->reference->name, strsignal(WTERMSIG(status)))
                   : txl_refuse(err, TXL_NEGATIVE, "%s: the reference ended", c->reference->name);
}

void sweep_child_watch(struct sweep_child *c, const struct sweep_patience *patience)
{
    c->patience = *patience;
}

/* Waits for the answer. Returns false, with the child ended, where patience has come to its end. */
static bool answers(struct sweep_child *c)
{
    struct pollfd from = {.fd = c->socket, .events = POLLIN};
    unsigned asked = 0;
    while (c->patience.go_on != NULL && asked < ASKED_MOST && poll(&from, 1, ASK_MS) <= 0) {
        asked += c->patience.go_on(c->patience.user) ? 0 : 1;
    }
    if (asked < ASKED_MOST) {
        return true;
    }
    kill(c->process, SIGKILL);
    waitpid(c->process, NULL, 0);
    c->process = -1;
    return false;
}

int sweep_child_ask(struct sweep_child *c, const double *numbers, size_t count, double *value,
                    struct txl_error *err)
{
    const uint64_t head[2] = {count, c->reference->inputs};
    uint64_t length = 0;
    bool sent = send_all(c->socket, head, sizeof head) &&
                send_all(c->socket, numbers, count * c->reference->inputs * sizeof *numbers);
    if (!answers(c)) {
        return TXL_CANCELLED;
    }
    if (!receive_all(c->socket, &length, sizeof length)) {
        return died(c, err);
    }
    if (length != 0) {
        char text[301] = "";
        size_t part = length < sizeof text ? (size_t)length : sizeof text - 1;
        (void)receive_all(c->socket, text, part);
        return txl_refuse(err, TXL_NEGATIVE, "%.90s: %s", c->reference->name, text);
    }
    return sent && receive_all(c->socket, value, count * sizeof *value) ? TXL_CONTINUE
                                                                        : died(c, err);
}
