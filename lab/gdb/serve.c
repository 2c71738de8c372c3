/* SPDX-License-Identifier: Apache-2.0 */
/* Connections from gdb: at a port of this machine, at a path, or over two descriptors. */
#define _GNU_SOURCE 1

#include <tensix-lab/gdb.h>

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/abandon.h"
#include "base/memory.h"
#include "base/options.h"

enum { BUFFER = 1 << 15, INTERRUPT = 0x03 };

struct server {
    struct txl_gdb_server how;
    struct txl_error *err;
    int listening; /* -1: not listening */
    int in, out;   /* of the connection */
    bool is_socket;
    bool gone;
    uint8_t buffer[BUFFER]; /* bytes received while cores ran */
    size_t held;
    struct sockaddr_un path; /* path of our socket; empty: none */
};

/* ---- bytes ---- */

static bool send_all(void *user, const void *bytes, size_t size)
{
    const struct server *s = user;
    const char *at = bytes;
    while (size > 0) {
        const ssize_t n =
            s->is_socket ? send(s->out, at, size, MSG_NOSIGNAL) : write(s->out, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static ssize_t receive(const struct server *s, void *bytes, size_t size)
{
    ssize_t n;
    do {
        n = read(s->in, bytes, size);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Called while cores run: returns false on an interrupt or at the end of the connection. */
static bool goes_on(void *user, uint64_t done, uint64_t total)
{
    struct server *s = user;
    struct pollfd p = {.fd = s->in, .events = POLLIN};
    (void)done, (void)total;
    if (s->held == sizeof s->buffer || poll(&p, 1, 0) <= 0) {
        return true;
    }
    const ssize_t n = receive(s, s->buffer + s->held, sizeof s->buffer - s->held);
    if (n <= 0) {
        s->gone = true;
        return false;
    }
    s->held += (size_t)n;
    uint8_t *interrupt = memchr(s->buffer, INTERRUPT, s->held);
    if (interrupt == NULL) {
        return true;
    }
    s->held--;
    memmove(interrupt, interrupt + 1, s->held - (size_t)(interrupt - s->buffer));
    return false;
}

/* Returns whether bytes are the beginning of what a debugger says first; *whole: all of it. */
static bool greets(const uint8_t *bytes, size_t size, bool *whole)
{
    static const char *const hellos[] = {"$qSupported", "$QStartNoAckMode"}; /* gdb, lldb */
    while (size != 0 && bytes[0] == '+') {
        bytes++;
        size--;
    }
    for (size_t i = 0; i < sizeof hellos / sizeof hellos[0]; i++) {
        const size_t length = strlen(hellos[i]);
        *whole = size >= length;
        if (memcmp(bytes, hellos[i], *whole ? length : size) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Waits for the first bytes of a connection, which it leaves in the buffer. False: whoever connects
 * does not speak the protocol. A page in a browser can send packets to the port, but only within a
 * request of its own protocol, never as the first bytes.
 */
static bool greeted(struct server *s)
{
    bool whole = !s->is_socket;
    while (!whole) {
        const ssize_t n = s->held < sizeof s->buffer
                              ? receive(s, s->buffer + s->held, sizeof s->buffer - s->held)
                              : 0;
        s->held += n > 0 ? (size_t)n : 0;
        if (n <= 0 || !greets(s->buffer, s->held, &whole)) {
            return false;
        }
    }
    return true;
}

/* Serves one gdb until it leaves. */
static enum txl_gdb_state talk(struct server *s, txl_gdb *gdb)
{
    enum txl_gdb_state state = TXL_GDB_CONNECTED;
    s->held = 0;
    s->gone = false;
    if (!greeted(s)) {
        return TXL_GDB_LOST;
    }
    txl_gdb_connect(gdb);
    while (state == TXL_GDB_CONNECTED && !s->gone) {
        uint8_t bytes[BUFFER];
        ssize_t n = (ssize_t)s->held;
        if (n == 0) {
            n = receive(s, bytes, sizeof bytes);
        } else {
            memcpy(bytes, s->buffer, s->held);
            s->held = 0;
        }
        s->gone = n <= 0;
        state = n > 0 ? txl_gdb_input(gdb, bytes, (size_t)n) : TXL_GDB_LOST;
    }
    return state;
}

/* ---- listening ---- */

static int cannot(struct server *s, int error)
{
    return txl_fail_option(s->err, NULL, "address", "%s: %s", s->how.address, strerror(error));
}

static void forget_path(void *what)
{
    const struct server *s = what;
    if (s->path.sun_path[0] != '\0') {
        (void)unlink(s->path.sun_path);
    }
}

static int listen_path(struct server *s)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    if (strlen(s->how.address) >= sizeof path.sun_path) {
        return cannot(s, ENAMETOOLONG);
    }
    strcpy(path.sun_path, s->how.address);
    s->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listening < 0 || bind(s->listening, (const struct sockaddr *)&path, sizeof path) != 0) {
        return cannot(s, errno);
    }
    s->path = path;
    (void)abandon_add(forget_path, s);
    return listen(s->listening, 1) == 0 ? TXL_CONTINUE : cannot(s, errno);
}

/*
 * A port without an address listens on this machine only, because whoever connects can read and
 * write everything that we can.
 */
static int listen_port(struct server *s, char where[128])
{
    char host[96] = "127.0.0.1";
    const char *port = s->how.address;
    const char *colon = strrchr(port, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *list = NULL;
    if (colon != NULL) {
        const bool brackets = port[0] == '[' && colon > port && colon[-1] == ']';
        snprintf(host, sizeof host, "%.*s", (int)(colon - port - 2 * brackets), port + brackets);
        port = colon + 1;
    }
    int64_t number;
    if (!txl_number(port, 1, 65535, &number)) {
        return txl_fail_option(s->err, NULL, "address",
                               "'%s' is neither a port, ADDRESS:PORT, nor a path with a slash",
                               s->how.address);
    }
    const int failed = getaddrinfo(host[0] != '\0' ? host : "127.0.0.1", port, &hints, &list);
    if (failed != 0) {
        return txl_fail_option(s->err, NULL, "address", "%s: %s", s->how.address,
                               gai_strerror(failed));
    }
    const int on = 1;
    s->listening = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool good = s->listening >= 0 &&
                      setsockopt(s->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      bind(s->listening, list->ai_addr, list->ai_addrlen) == 0 &&
                      listen(s->listening, 1) == 0;
    const int error = errno;
    freeaddrinfo(list);
    snprintf(where, 128, "%s:%s", colon != NULL ? host : "localhost", port);
    return good ? TXL_CONTINUE : cannot(s, error);
}

static int serve_place(struct server *s, char where[128])
{
    if (s->how.address == NULL) {
        s->in = s->how.input;
        s->out = s->how.output;
        snprintf(where, 128, "-");
        return TXL_CONTINUE;
    }
    s->is_socket = true;
    snprintf(where, 128, "%s", s->how.address);
    return strchr(s->how.address, '/') != NULL ? listen_path(s) : listen_port(s, where);
}

/* ---- serving ---- */

static enum txl_gdb_state serve(struct server *s, txl_gdb *gdb)
{
    if (!s->is_socket) {
        return talk(s, gdb);
    }
    enum txl_gdb_state state = TXL_GDB_LOST;
    while (state != TXL_GDB_DETACHED && state != TXL_GDB_KILLED) {
        const int fd = accept4(s->listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 && errno != EINTR && errno != ECONNABORTED) {
            return TXL_GDB_LOST;
        }
        if (fd >= 0) {
            s->in = s->out = fd;
            state = talk(s, gdb);
            (void)close(fd);
        }
    }
    return state;
}

int txl_gdb_serve(struct txl_error *err, txl_tensix *tile, const struct txl_gdb_server *server)
{
    struct server *s = zeroed(err, 1, sizeof *s);
    txl_gdb *gdb = NULL;
    char where[128];
    if (s == NULL) {
        return TXL_INPUT;
    }
    s->err = err;
    s->listening = -1;
    int result = options_take(err, &s->how, sizeof s->how, server);
    const struct txl_gdb_options how = {.size = sizeof how,
                                        .send = send_all,
                                        .user = s,
                                        .progress = goes_on,
                                        .progress_user = s,
                                        .history = s->how.history};
    if (result == TXL_CONTINUE) {
        result = txl_gdb_open(err, tile, &how, &gdb) == TXL_OK ? serve_place(s, where) : TXL_INPUT;
    }
    if (result == TXL_CONTINUE && s->how.ready != NULL) {
        s->how.ready(s->how.user, where);
    }
    if (result == TXL_CONTINUE) {
        const enum txl_gdb_state state = serve(s, gdb);
        result = state == TXL_GDB_DETACHED ? TXL_OK
                 : state == TXL_GDB_KILLED
                     ? txl_refuse(err, TXL_CANCELLED, "gdb has ended the run")
                     : txl_refuse(err, TXL_CANCELLED, "the connection to gdb is lost");
    }
    txl_gdb_close(gdb);
    if (s->listening >= 0) {
        (void)close(s->listening);
    }
    abandon_remove(forget_path, s);
    forget_path(s);
    free(s);
    return result;
}
