/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles the C code of a kernel's fast engine with the system's compiler, keeps the library in
 * the cache, and loads it.
 */
#include "engine/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "base/program.h"
#include "engine/cache.h"

enum { PATH_ROOM = CACHE_PATH_ROOM, WORDS = 40 };

struct txl_compiler {
    char *cache, *command, *path; /* from the options; NULL: not given */
    char *const *environment;
    bool make_parent;
    pthread_mutex_t mutex; /* so that one thread compiles, and others find what it made */
    bool asked;
    const char *name; /* the compiler with its options; NULL: there is none */
    /* Hash of the compiler and of the machine, which "native" in the options means. */
    unsigned __int128 identity;
    int error; /* errno when it cannot be run */
};

struct text {
    char *data;
    size_t length, room;
    bool failed;
};

static void append(void *user, const char *data, size_t length)
{
    struct text *t = user;
    if (!LIST_ROOM(t->data, t->length, t->room, length + 1)) {
        t->failed = true;
        return;
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = '\0';
}

static const char *const fixed_options[] = {
    "-std=c17",           "-O3", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-w",  "-shared",           "-fPIC"};

enum { FIXED_OPTIONS = sizeof fixed_options / sizeof fixed_options[0] };

static void *compile_load(const char *path, const char *name, struct txl_error *err)
{
    /* Never closed, since the code stays in use. */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, name) : NULL;
    if (symbol == NULL) {
        fail_false(err, "%s", dlerror());
    }
    if (symbol == NULL && library != NULL) {
        dlclose(library); /* so that a rebuilt file of that name is loaded again */
    }
    return symbol;
}

/* ---- the compiler ---- */

struct compilation {
    const txl_compiler *compiler;
    const char *level, *source, *output;
    char said[200]; /* the beginning of its messages */
};

/* Reads all that comes from fd and keeps the beginning as text. */
static void listen(int fd, char *text, size_t size)
{
    char bytes[512];
    size_t length = 0;
    for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < got && length + 1 < size; i++) {
            text[length++] = bytes[i];
        }
    }
    text[length] = '\0';
}

/* Cuts a command into words, leaving room for more after them. Returns 0 for none or too many. */
static unsigned cut_words(char *words, const char *arguments[WORDS])
{
    unsigned count = 0;
    for (char *word; (word = strsep(&words, " ")) != NULL;) {
        if (word[0] != '\0' && count == WORDS - FIXED_OPTIONS - 4) {
            return 0;
        }
        if (word[0] != '\0') {
            arguments[count++] = word;
        }
    }
    return count;
}

/* Starts a program. heard: its output (1 or 2) that goes to report. */
static int spawn(const txl_compiler *c, const char *const *arguments, int heard, int report,
                 pid_t *child)
{
    char path[PATH_ROOM];
    const int missing = program_find(c->path, arguments[0], path, sizeof path);
    if (missing != 0) {
        return missing;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 3 - heard, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, report, heard);
    char *const *list;
    memcpy(&list, &arguments, sizeof list); /* posix_spawn does not write to the strings */
    char **around = program_compiler_environment(program_environment(c->environment), NULL);
    const int error =
        around != NULL ? posix_spawn(child, path, &actions, &attributes, list, around) : ENOMEM;
    free(around);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/*
 * Runs a program. Returns 0 or errno. said: the beginning of the output `heard`; *failed: it
 * reported an error.
 */
static int run_program(const txl_compiler *c, const char *const *arguments, int heard, char *said,
                       size_t size, bool *failed)
{
    int report[2];
    pid_t child = 0;
    int status = 0;
    if (pipe2(report, O_CLOEXEC) != 0) {
        return errno;
    }
    const int error = spawn(c, arguments, heard, report[1], &child);
    close(report[1]);
    if (error == 0) {
        listen(report[0], said, size);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    close(report[0]);
    return error;
}

static int run_compiler(struct compilation *r, bool *failed)
{
    char words[PATH_ROOM];
    const char *arguments[WORDS];
    const int length = snprintf(words, sizeof words, "%s %s", r->compiler->name, r->level);
    unsigned count = length < (int)sizeof words ? cut_words(words, arguments) : 0;
    if (count == 0) {
        return E2BIG;
    }
    char output[PATH_ROOM + 24];
    char source[PATH_ROOM + 24];
    memcpy(arguments + count, fixed_options, sizeof fixed_options);
    count += FIXED_OPTIONS;
    arguments[count++] = "-o";
    arguments[count++] = program_word(r->output, output, sizeof output);
    arguments[count++] = program_word(r->source, source, sizeof source);
    arguments[count] = NULL;
    const int error = run_program(r->compiler, arguments, 2, r->said, sizeof r->said, failed);
    r->said[strcspn(r->said, "\n")] = '\0';
    return error;
}

/* ---- which compiler, and for what machine ---- */

static unsigned __int128 hash_number(unsigned __int128 hash, unsigned long number)
{
    char text[32];
    snprintf(text, sizeof text, "%lx", number);
    return cache_hash(hash, text);
}

/* Adds the path of the file that the word names, or the word itself when there is none. */
static unsigned __int128 hash_program(const txl_compiler *c, unsigned __int128 hash,
                                      const char *word)
{
    char path[PATH_ROOM];
    char *real = program_find(c->path, word, path, sizeof path) == 0 ? realpath(path, NULL) : NULL;
    hash = cache_hash(hash, real != NULL ? real : word);
    free(real);
    return hash;
}

/* Adds the machine's properties, since several machines may share a home directory. */
static unsigned __int128 hash_machine(unsigned __int128 hash)
{
    struct utsname machine;
    hash = cache_hash(hash, uname(&machine) == 0 ? machine.machine : "");
    hash = hash_number(hash_number(hash, getauxval(AT_HWCAP)), getauxval(AT_HWCAP2));
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0;
    unsigned b = 0; /* leaf 1 also tells which core is asking */
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        hash = hash_number(hash_number(hash_number(hash, a), c), d);
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        hash = hash_number(hash_number(hash_number(hash, b), c), d);
    }
#endif
    return hash;
}

/* Asks the compiler for its version. One that does not tell is identified by its path. */
static void ask_version(txl_compiler *c)
{
    char words[PATH_ROOM];
    char said[4096] = "";
    const char *arguments[WORDS];
    bool failed = false;
    const int length = snprintf(words, sizeof words, "%s", c->name);
    const unsigned count = length < (int)sizeof words ? cut_words(words, arguments) : 0;
    c->error = count == 0 ? E2BIG : 0;
    if (count > 0) {
        arguments[count] = "--version";
        arguments[count + 1] = NULL;
        c->error = run_program(c, arguments, 1, said, sizeof said, &failed);
        c->identity = cache_hash(cache_hash(cache_hash_start, tx_version()), c->name);
        c->identity = hash_machine(cache_hash(hash_program(c, c->identity, arguments[0]), said));
    }
}

static void choose_compiler(txl_compiler *c)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    c->asked = true;
    c->error = ENOENT;
    if (c->command != NULL && c->command[0] != '\0') {
        c->name = c->command;
        ask_version(c);
        return;
    }
    for (size_t i = 0; c->error == ENOENT && i < sizeof usual / sizeof usual[0]; i++) {
        c->name = usual[i];
        ask_version(c);
    }
    c->name = c->error == ENOENT ? NULL : c->name;
}

/* Chooses the compiler at the first call. False: err says what is wrong with it. */
static bool has_compiler(txl_compiler *c, struct txl_error *err)
{
    if (!c->asked) {
        choose_compiler(c);
    }
    if (c->name == NULL) {
        fail_false(err, "no C compiler: neither cc nor gcc nor clang is there; set CC");
    } else if (c->error != 0) {
        fail_false(err, "no C compiler '%s': %s", c->name, strerror(c->error));
    }
    return c->error == 0;
}

/* ---- a library ---- */

static bool write_source(int fd, const struct text *source)
{
    FILE *f = fdopen(fd, "w");
    if (f == NULL) {
        close(fd);
        return false;
    }
    bool good = fwrite(source->data, 1, source->length, f) == source->length;
    return fclose(f) == 0 && good;
}

static bool compile_file(const char *path, struct compilation *r, struct txl_error *err)
{
    bool failed = false;
    const int error = run_compiler(r, &failed);
    if (error != 0) {
        return fail_false(err, "no C compiler '%s': %s", r->compiler->name, strerror(error));
    }
    if (failed) {
        return fail_false(err, "'%s' does not compile the kernel%s%s", r->compiler->name,
                          r->said[0] != '\0' ? ": " : "", r->said);
    }
    return (cache_seal(r->output) && rename(r->output, path) == 0) ||
           fail_false(err, "%s: %s", path, strerror(errno));
}

/* Compiles into temporary files with names of their own, since other processes may do the same. */
static bool build(const txl_compiler *c, const char *path, const char *level,
                  const struct text *source, struct txl_error *err)
{
    char c_file[PATH_ROOM + 16];
    char library[PATH_ROOM + 16];
    struct compilation r = {.compiler = c, .level = level, .source = c_file, .output = library};
    snprintf(c_file, sizeof c_file, "%s.XXXXXX.c", path);
    snprintf(library, sizeof library, "%s.XXXXXX", path);
    const int fd = mkostemps(c_file, 2, O_CLOEXEC);
    bool good = fd >= 0 && write_source(fd, source);
    const int empty = good ? mkostemp(library, O_CLOEXEC) : -1;
    good = empty >= 0;
    if (!good) {
        fail_false(err, "%s: %s", path, strerror(errno));
    } else {
        close(empty);
        good = compile_file(path, &r, err);
        (void)unlink(library);
    }
    if (fd >= 0) {
        (void)unlink(c_file);
    }
    cache_tidy(path);
    return good;
}

/*
 * Runs build with signals blocked: an interrupt ends the compiler, but this process only after its
 * temporary files are gone.
 */
static bool build_undisturbed(const txl_compiler *c, const char *path, const char *level,
                              const struct text *source, struct txl_error *err)
{
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    const bool good = build(c, path, level, source, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* ---- the code of a tile ---- */

/*
 * Returns the address of the function `name` in the source's library, from the cache or newly
 * compiled. NULL: err says why; what is wrong with a file of the cache that is built anew is not
 * told.
 */
static void *compile_text(txl_compiler *c, const struct text *source, const char *options,
                          const char *name, bool cached_only, struct txl_error *err)
{
    char path[PATH_ROOM];
    void *symbol = NULL;
    if (!cache_directory(c->cache, c->make_parent, path, !cached_only, err)) {
        return NULL;
    }
    unsigned __int128 key = cache_hash(cache_hash(c->identity, source->data), options);
    for (size_t i = 0; i < FIXED_OPTIONS; i++) {
        key = cache_hash(key, fixed_options[i]);
    }
    cache_name(path, key);
    if (cache_is_whole(path)) {
        symbol = compile_load(path, name, cached_only ? err : NULL);
    }
    if (symbol == NULL && !cached_only && build_undisturbed(c, path, options, source, err)) {
        symbol = compile_load(path, name, err);
    }
    return symbol;
}

tx_fast_tile *compile_tile(txl_compiler *c, const tx_fast *fast, bool cached_only,
                           struct txl_error *err)
{
    struct text source = {NULL, 0, 0, false};
    tx_fast_tile *tile = NULL;
    if (tx_fast_source(fast, append, &source) != TX_OK || source.failed) {
        no_memory(err);
    } else {
        pthread_mutex_lock(&c->mutex);
        void *symbol = NULL;
        if (has_compiler(c, err)) {
            symbol =
                compile_text(c, &source, tx_fast_options_of(fast), "tensix_tile", cached_only, err);
        }
        memcpy(&tile, &symbol, sizeof tile); /* POSIX allows this for the address of a function */
        pthread_mutex_unlock(&c->mutex);
    }
    free(source.data);
    return tile;
}

int txl_compile(struct txl_error *err, txl_compiler *compiler, tx_fast *fast)
{
    tx_fast_tile *tile = compile_tile(compiler, fast, false, err);
    if (tile == NULL) {
        return TXL_INPUT;
    }
    tx_fast_use(fast, tile);
    return TXL_OK;
}

/* ---- steps ---- */

enum { STEPS = 64, BUILDERS = 64 }; /* steps in one library */

struct building {
    txl_compiler *compiler;
    tx_fast_steps *steps;
};

static bool build_steps(struct pool *pool, const struct building *b, size_t first, size_t count,
                        struct txl_error *err)
{
    struct text source = {NULL, 0, 0, false};
    void *table = NULL;
    if (tx_fast_steps_source(b->steps, first, count, append, &source) != TX_OK || source.failed) {
        no_memory(err);
    } else {
        table = compile_text(b->compiler, &source, tx_fast_steps_options(b->steps), "tensix_steps",
                             false, err);
    }
    free(source.data);
    if (table == NULL) {
        return false;
    }
    pool_lock(pool);
    const bool good = tx_fast_steps_use(b->steps, first, count, table) == TX_OK;
    pool_unlock(pool);
    pool_add(pool, count);
    return good || fail_false(err, "%s", no_memory_text);
}

static void build_pieces(struct pool *pool, void *user, unsigned worker)
{
    const struct building *b = user;
    const size_t all = tx_fast_steps_count(b->steps);
    uint64_t piece = 0;
    (void)worker;
    while (pool_take(pool, &piece)) {
        struct txl_error why = {.status = TXL_OK};
        const size_t first = (size_t)piece * STEPS;
        const size_t count = all - first < STEPS ? all - first : STEPS;
        if (!build_steps(pool, b, first, count, &why)) {
            pool_refuse(pool, TXL_INPUT, "%s", why.message);
        }
    }
}

int compile_steps(struct txl_error *err, txl_compiler *compiler, tx_fast_steps *steps,
                  unsigned jobs, txl_progress progress, void *user)
{
    struct building b = {.compiler = compiler, .steps = steps};
    const size_t all = tx_fast_steps_count(steps);
    const struct pool_how how = {.threads = jobs < BUILDERS ? jobs : BUILDERS,
                                 .pieces = (all + STEPS - 1) / STEPS,
                                 .total = all,
                                 .work = build_pieces,
                                 .user = &b,
                                 .progress = progress,
                                 .progress_user = user};
    pthread_mutex_lock(&compiler->mutex);
    const bool there = all == 0 || has_compiler(compiler, err);
    pthread_mutex_unlock(&compiler->mutex);
    if (!there) {
        return TXL_INPUT;
    }
    sigset_t signals;
    sigset_t before;
    sigfillset(&signals); /* as in build_undisturbed, for all threads */
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    const int result = pool_run(err, &how);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == TXL_CONTINUE && tx_fast_steps_use(steps, 0, 0, NULL) != TX_OK) {
        return no_memory(err);
    }
    return result;
}

/* ---- the handle ---- */

static bool copy_text(char **to, const char *from)
{
    *to = from != NULL ? strdup(from) : NULL;
    return from == NULL || *to != NULL;
}

int txl_compiler_open(struct txl_error *err, const struct txl_compiler_options *options,
                      txl_compiler **compiler)
{
    struct txl_compiler_options o;
    *compiler = NULL;
    if (options_take(err, &o, sizeof o, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    txl_compiler *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    c->make_parent = o.make_parent;
    pthread_mutex_init(&c->mutex, NULL);
    c->environment = o.environment;
    if (!copy_text(&c->cache, o.cache) || !copy_text(&c->command, o.command) ||
        !copy_text(&c->path, o.path)) {
        txl_compiler_close(c);
        return no_memory(err);
    }
    *compiler = c;
    return TXL_OK;
}

void txl_compiler_close(txl_compiler *c)
{
    if (c == NULL) {
        return;
    }
    pthread_mutex_destroy(&c->mutex);
    free(c->cache);
    free(c->command);
    free(c->path);
    free(c);
}
