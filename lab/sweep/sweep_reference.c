/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of a sweep: a named function, or a file. Files run in child processes, one for each
 * thread, so that whatever happens there ends in one line here. The protocol: count and operands
 * as two 64-bit numbers, then the operands of every element as doubles; back comes a 64-bit length
 * of an error text, which follows, or 0 and the results.
 */
#include "sweep/sweep.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/program.h"

struct sweep_oracle {
    const struct sweep_reference *reference;
    enum tx_dst_format dst, out; /* of inputs, of results */
    struct reference_work *work; /* of a named function */
    pid_t child;
    int socket;
    double *numbers; /* SWEEP_BATCH_ELEMENTS times the operands */
};

/* ---- which ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static int find_file(struct txl_error *err, const char *name, unsigned inputs,
                     struct sweep_reference *reference)
{
    size_t length = 0;
    char *data = txl_read_file(err, name, &length);
    if (data == NULL) {
        return TXL_INPUT;
    }
    reference->python = ends_with(name, ".py");
    reference->inputs = inputs;
    reference->hash = sweep_hash(SWEEP_HASH, data, length);
    free(data);
    return TXL_CONTINUE;
}

int sweep_reference_find(struct txl_error *err, const char *name, bool given, unsigned inputs,
                         struct sweep_reference *reference)
{
    const bool file = ends_with(name, ".py") || ends_with(name, ".so");
    if (file && !given) {
        return txl_fail(err,
                        "the reference is the program %s, which only the command line may name: "
                        "--reference %s, if you trust it",
                        name, name);
    }
    if (name[0] == '\0') {
        return txl_fail(err, "the kernel states no .reference: give --reference");
    }
    if (strlen(name) >= sizeof reference->name) {
        return txl_fail(err, "--reference: longer than %zu letters", sizeof reference->name - 1);
    }
    snprintf(reference->name, sizeof reference->name, "%s", name);
    if (file) {
        return find_file(err, name, inputs, reference);
    }
    if (reference_named(err, name, &reference->named) != TXL_OK) {
        return TXL_INPUT;
    }
    reference->inputs = reference->named->inputs;
    reference->hash = sweep_hash(SWEEP_HASH, name, strlen(name));
    return reference->inputs == inputs
               ? TXL_CONTINUE
               : txl_fail(err, "--reference %s has %u inputs, the kernel %u", name,
                          reference->inputs, inputs);
}

int sweep_direction(const struct sweep_reference *reference, bool negative)
{
    static const struct {
        const char *name;
        int below, above; /* zero */
    } known[] = {
        {"exp", 1, 1},     {"exp2", 1, 1},     {"expm1", 1, 1},   {"log", 1, 1},
        {"log2", 1, 1},    {"log10", 1, 1},    {"log1p", 1, 1},   {"sqrt", 1, 1},
        {"cbrt", 1, 1},    {"tanh", 1, 1},     {"sigmoid", 1, 1}, {"erf", 1, 1},
        {"erfc", -1, -1},  {"sinh", 1, 1},     {"cosh", -1, 1},   {"asin", 1, 1},
        {"acos", -1, -1},  {"atan", 1, 1},     {"asinh", 1, 1},   {"acosh", 1, 1},
        {"atanh", 1, 1},   {"recip", -1, -1},  {"rsqrt", -1, -1}, {"relu", 1, 1},
        {"square", -1, 1}, {"abs", -1, 1},     {"neg", -1, -1},   {"identity", 1, 1},
        {"floor", 1, 1},   {"ceil", 1, 1},     {"trunc", 1, 1},   {"round", 1, 1},
        {"sign", 1, 1},    {"softplus", 1, 1}, {"i0", -1, 1},     {"i1", 1, 1},
        {"erfinv", 1, 1},  {"lambertw", 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, reference->name) == 0) {
            return negative ? known[i].below : known[i].above;
        }
    }
    return 0;
}

/* ---- children ---- */

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

/* The child of FILE.so: double tensix_reference(const double *x). */
static _Noreturn void serve_library(const char *path, int fd)
{
    char full[sizeof((struct sweep_reference *)0)->name + 4];
    snprintf(full, sizeof full, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    double (*function)(const double *) = NULL;
    void *library = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "tensix_reference") : NULL;
    memcpy(&function, &symbol, sizeof function);
    if (function == NULL) {
        const char *why = dlerror();
        answer_text(fd, why != NULL ? why : "no function tensix_reference");
        _exit(0);
    }
    double *x = calloc((size_t)SWEEP_BATCH_ELEMENTS * (SWEEP_INPUTS + 1), sizeof *x);
    double *y = x + (size_t)SWEEP_BATCH_ELEMENTS * SWEEP_INPUTS;
    uint64_t head[2];
    while (x != NULL && receive_all(fd, head, sizeof head) &&
           receive_all(fd, x, (size_t)(head[0] * head[1]) * sizeof *x)) {
        for (uint64_t i = 0; i < head[0]; i++) {
            y[i] = function(x + i * head[1]);
        }
        uint64_t good = 0;
        if (!send_all(fd, &good, sizeof good) || !send_all(fd, y, (size_t)head[0] * sizeof *y)) {
            break;
        }
    }
    _exit(0);
}

/*
 * The child of FILE.py: reference(x), or of as many numbers as the kernel has inputs. -I: modules
 * come from where Python keeps them, never from the working directory or the environment.
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

static _Noreturn void serve_python(const struct sweep_reference *reference, int fd)
{
    char path[4096];
    char number[16];
    const int missing = program_find(reference->path, "python3", path, sizeof path);
    snprintf(number, sizeof number, "%d", fd);
    if (missing == 0) {
        execle(path, "python3", "-I", "-c", python_text, number, reference->name, (char *)NULL,
               program_environment(reference->environment));
    }
    const int error = missing != 0 ? missing : errno;
    answer_text(fd, error == ENOENT ? "python3 is not installed" : strerror(error));
    _exit(0);
}

static int start_child(struct txl_error *err, struct sweep_oracle *o)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        return txl_fail(err, "--reference: %s", strerror(errno));
    }
    fflush(NULL);
    o->child = fork();
    if (o->child < 0) {
        int error = errno;
        close(pair[0]);
        close(pair[1]);
        return txl_fail(err, "--reference: %s", strerror(error));
    }
    if (o->child == 0) {
        close(pair[0]);
        signal(SIGINT, SIG_IGN); /* the parent decides when to end */
        if (o->reference->python) {
            serve_python(o->reference, pair[1]);
        }
        serve_library(o->reference->name, pair[1]);
    }
    close(pair[1]);
    o->socket = pair[0];
    return TXL_CONTINUE;
}

static void child_died(struct sweep_oracle *o, char message[SWEEP_MESSAGE])
{
    int status = 0;
    if (o->child > 0 && waitpid(o->child, &status, 0) == o->child && WIFSIGNALED(status)) {
        snprintf(message, SWEEP_MESSAGE, "%s: the reference crashed: %s", o->reference->name,
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(message, SWEEP_MESSAGE, "%s: the reference ended", o->reference->name);
    }
    o->child = -1;
}

static bool ask_child(struct sweep_oracle *o, size_t count, double *value,
                      char message[SWEEP_MESSAGE])
{
    uint64_t head[2] = {count, o->reference->inputs};
    uint64_t length = 0;
    bool sent = send_all(o->socket, head, sizeof head) &&
                send_all(o->socket, o->numbers, count * o->reference->inputs * sizeof(double));
    if (!receive_all(o->socket, &length, sizeof length)) {
        child_died(o, message);
        return false;
    }
    if (length != 0) {
        char text[301] = "";
        size_t part = length < sizeof text ? (size_t)length : sizeof text - 1;
        (void)receive_all(o->socket, text, part);
        snprintf(message, SWEEP_MESSAGE, "%.90s: %s", o->reference->name, text);
        return false;
    }
    if (!sent || !receive_all(o->socket, value, count * sizeof *value)) {
        child_died(o, message);
        return false;
    }
    return true;
}

/* ---- one for each thread ---- */

int sweep_oracle_open(struct txl_error *err, const struct sweep_reference *reference,
                      enum tx_dst_format dst, enum tx_dst_format out, struct sweep_oracle **opened)
{
    struct sweep_oracle *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return txl_fail(err, "out of memory");
    }
    *opened = o;
    o->reference = reference;
    o->dst = dst;
    o->out = out;
    o->socket = -1;
    if (reference->named != NULL) {
        return TXL_CONTINUE; /* MPFR's variables belong to the thread: opened at first use */
    }
    o->numbers = calloc((size_t)SWEEP_BATCH_ELEMENTS * reference->inputs, sizeof *o->numbers);
    if (o->numbers == NULL) {
        return txl_fail(err, "out of memory");
    }
    return reference->function != NULL ? TXL_CONTINUE : start_child(err, o);
}

void sweep_oracle_close(struct sweep_oracle *o)
{
    if (o == NULL) {
        return;
    }
    reference_close(o->work);
    if (o->socket >= 0) {
        (void)shutdown(o->socket, SHUT_RDWR); /* later children have copies of it */
        close(o->socket);
    }
    if (o->child > 0) {
        waitpid(o->child, NULL, 0);
    }
    free(o->numbers);
    free(o);
}

static bool of_file(struct sweep_oracle *o, const uint32_t *const *inputs, size_t count,
                    uint32_t *expected, uint8_t *below, double *value, char message[SWEEP_MESSAGE])
{
    unsigned operands = o->reference->inputs;
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < operands && k < SWEEP_INPUTS; k++) {
            o->numbers[i * operands + k] = number_of(o->dst, inputs[k][i], true);
        }
    }
    const struct sweep_reference *r = o->reference;
    for (size_t i = 0; i < count && r->function != NULL; i++) {
        value[i] = r->function(r->user, &o->numbers[i * operands]);
    }
    if (r->function == NULL && !ask_child(o, count, value, message)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        expected[i] = reference_round(o->out, value[i], &below[i]);
    }
    return true;
}

/* The named function, opened when it is needed first. */
static bool open_work(struct sweep_oracle *o, char message[SWEEP_MESSAGE])
{
    if (o->work == NULL) {
        o->work = reference_open(o->reference->named, o->out);
        if (o->work == NULL) {
            snprintf(message, SWEEP_MESSAGE, "%s", no_memory_text);
        } else {
            reference_inputs(o->work, o->dst);
        }
    }
    return o->work != NULL;
}

bool sweep_oracle_words(struct sweep_oracle *o, const uint32_t *const *inputs, size_t count,
                        uint32_t *expected, uint8_t *below, double *value,
                        char message[SWEEP_MESSAGE])
{
    if (o->reference->named == NULL) {
        return of_file(o, inputs, count, expected, below, value, message);
    }
    if (!open_work(o, message)) {
        return false;
    }
    reference_words(o->work, inputs, count, expected, below, value);
    return true;
}

bool sweep_oracle_unrounded(struct sweep_oracle *o, const uint32_t *x, double *value,
                            char message[SWEEP_MESSAGE])
{
    const uint32_t *const inputs[SWEEP_INPUTS] = {&x[0], &x[1], &x[2]};
    double numbers[SWEEP_INPUTS];
    uint32_t expected = 0;
    uint8_t below = 0;
    if (o->reference->named == NULL) {
        return of_file(o, inputs, 1, &expected, &below, value, message);
    }
    if (!open_work(o, message)) {
        return false;
    }
    for (unsigned k = 0; k < o->reference->inputs; k++) {
        numbers[k] = number_of(o->dst, x[k], true);
    }
    *value = reference_unrounded(o->work, numbers);
    return true;
}

double sweep_oracle_tolerance(const struct sweep_oracle *o)
{
    return o->work == NULL ? 0.0 : reference_tolerance(o->work);
}

double sweep_oracle_distance(struct sweep_oracle *o, const double *x, double value, double expected,
                             double got)
{
    if (o->work != NULL) {
        return reference_distance(o->work, x, expected, got);
    }
    const struct number_format *f = number_format(o->out);
    const double from = number_is_limit(f, expected) ? expected : value;
    const double exact = ulp_units(f, expected, got - from);
    return floor(exact * 1024.0) / 1024.0;
}
