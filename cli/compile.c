/* SPDX-License-Identifier: Apache-2.0 */
#include "compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "progress.h"

enum { PATH_ROOM = 1024, NAME_ROOM = 64, WORDS = 40 }; /* NAME: of a file in the cache */

struct text {
    char *data;
    size_t length, room;
    bool failed;
};

static void append(void *user, const char *data, size_t length)
{
    struct text *t = user;
    if (t->length + length + 1 > t->room) {
        size_t room = 2 * (t->length + length + 1);
        char *larger = realloc(t->data, room);
        t->failed = t->failed || larger == NULL;
        if (larger == NULL) {
            return;
        }
        t->data = larger;
        t->room = room;
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = '\0';
}

/* FNV-1a with 128 bits: a name for what is compiled, and how; and whether a file is whole. */
static unsigned __int128 hash_bytes(unsigned __int128 hash, const char *bytes, size_t size)
{
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13B;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * prime;
    }
    return hash;
}

static unsigned __int128 hash_text(unsigned __int128 hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

static const unsigned __int128 hash_start = 0x6C62272E07BB0142;

static const char *const fixed_options[] = {
    "-std=c17",           "-O3", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-w",  "-shared",           "-fPIC"};

enum { FIXED_OPTIONS = sizeof fixed_options / sizeof fixed_options[0] };

/* ---- the cache ---- */

static bool make_directory(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* What stands there is executed. */
static bool only_mine(const struct stat *about, mode_t kind)
{
    return (about->st_mode & S_IFMT) == kind && about->st_uid == geteuid() &&
           (about->st_mode & 022u) == 0;
}

/* No directory above may let others put another one in its place. */
static bool safe_above(const char *path)
{
    char above[PATH_ROOM];
    struct stat about;
    snprintf(above, sizeof above, "%s", path);
    for (char *slash; (slash = strrchr(above, '/')) != NULL && slash != above;) {
        *slash = '\0';
        if (stat(above, &about) != 0 || (about.st_mode & (S_IWOTH | S_ISVTX)) == (mode_t)S_IWOTH) {
            return false;
        }
    }
    return true;
}

static bool name_directory(char path[PATH_ROOM], bool make)
{
    const char *own = getenv("TENSIX_CACHE");
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (own != NULL && own[0] != '\0') {
        length = snprintf(path, PATH_ROOM, "%s", own);
    } else if (base != NULL && base[0] == '/') {
        length = snprintf(path, PATH_ROOM, "%s/tensix", base);
        (void)(make && make_directory(base));
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, PATH_ROOM, "%s/.cache", home);
        (void)(make && length < PATH_ROOM && make_directory(path));
        length = snprintf(path, PATH_ROOM, "%s/.cache/tensix", home);
    }
    return length > 0 && length < PATH_ROOM - NAME_ROOM;
}

static bool cache_directory(char path[PATH_ROOM], bool make, char *message, size_t size)
{
    char *real = NULL;
    struct stat about;
    if (!name_directory(path, make)) {
        snprintf(message, size, "no directory for compiled kernels; set TENSIX_CACHE");
        return false;
    }
    if ((make && !make_directory(path)) || stat(path, &about) != 0 ||
        (real = realpath(path, NULL)) == NULL) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = only_mine(&about, S_IFDIR) && safe_above(real);
    if (!S_ISDIR(about.st_mode)) {
        snprintf(message, size, "%s: %s", path, strerror(ENOTDIR));
    } else if (!good) {
        snprintf(message, size, "%s: others may write there; compiled kernels need a safe place",
                 path);
    } else if (strlen(real) >= PATH_ROOM - NAME_ROOM) {
        snprintf(message, size, "%s: %s", path, strerror(ENAMETOOLONG));
        good = false;
    } else {
        snprintf(path, PATH_ROOM, "%s", real);
    }
    free(real);
    return good;
}

/* The sum of a file's first size bytes. */
static bool sum_file(int fd, size_t size, unsigned __int128 *sum)
{
    char bytes[8192];
    size_t done = 0;
    *sum = hash_start;
    while (done < size) {
        const size_t want = size - done < sizeof bytes ? size - done : sizeof bytes;
        const ssize_t got = pread(fd, bytes, want, (off_t)done);
        if (got <= 0) {
            return false;
        }
        *sum = hash_bytes(*sum, bytes, (size_t)got);
        done += (size_t)got;
    }
    return true;
}

/*
 * A sum at the end of the file, which loaders do not look at: a library that lacks a part crashes
 * the one that loads it.
 */
static bool seal(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat about;
    unsigned __int128 sum;
    const bool good = fd >= 0 && fchmod(fd, 0600) == 0 && fstat(fd, &about) == 0 &&
                      sum_file(fd, (size_t)about.st_size, &sum) &&
                      pwrite(fd, &sum, sizeof sum, about.st_size) == (ssize_t)sizeof sum;
    return fd >= 0 && close(fd) == 0 && good;
}

static bool is_whole(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat about;
    unsigned __int128 sum;
    unsigned __int128 said;
    bool good = fd >= 0 && fstat(fd, &about) == 0 && only_mine(&about, S_IFREG) &&
                about.st_size > (off_t)sizeof sum;
    if (good) {
        const size_t size = (size_t)about.st_size - sizeof sum;
        good = sum_file(fd, size, &sum) &&
               pread(fd, &said, sizeof said, (off_t)size) == (ssize_t)sizeof said && said == sum;
    }
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

static void *load(const char *path, const char *name, char *message, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays until the end */
    void *symbol = library != NULL ? dlsym(library, name) : NULL;
    if (symbol == NULL) {
        snprintf(message, size, "%s", dlerror());
    }
    return symbol;
}

/* ---- the compiler ---- */

struct run {
    const char *compiler, *level, *source, *output;
    char said[200]; /* how its report begins */
};

/* The first line of what comes; all of it is read. */
static void listen(int fd, char *line, size_t size)
{
    char bytes[512];
    size_t length = 0;
    for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < got && length + 1 < size; i++) {
            line[length++] = bytes[i];
        }
    }
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

/* words: of compiler and level, cut apart. False: too many. */
static bool make_arguments(const struct run *r, char *words, const char *arguments[WORDS])
{
    unsigned count = 0;
    for (char *word; (word = strsep(&words, " ")) != NULL;) {
        if (word[0] != '\0' && count == WORDS - FIXED_OPTIONS - 4) {
            return false;
        }
        if (word[0] != '\0') {
            arguments[count++] = word;
        }
    }
    memcpy(arguments + count, fixed_options, sizeof fixed_options);
    count += FIXED_OPTIONS;
    arguments[count++] = "-o";
    arguments[count++] = r->output;
    arguments[count++] = r->source;
    arguments[count] = NULL;
    return count > 0;
}

static int spawn(const char *const *arguments, int report, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, report, 2);
    char *const *list;
    memcpy(&list, &arguments, sizeof list); /* the strings are not written to */
    const int error = posix_spawnp(child, arguments[0], &actions, &attributes, list, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* 0, or errno; *failed: the compiler did not like it. */
static int run_compiler(struct run *r, bool *failed)
{
    char words[PATH_ROOM];
    const char *arguments[WORDS];
    int report[2];
    pid_t child = 0;
    int status = 0;
    const int length = snprintf(words, sizeof words, "%s %s", r->compiler, r->level);
    if (length >= (int)sizeof words || !make_arguments(r, words, arguments)) {
        return E2BIG;
    }
    if (pipe2(report, O_CLOEXEC) != 0) {
        return errno;
    }
    const int error = spawn(arguments, report[1], &child);
    close(report[1]);
    if (error == 0) {
        listen(report[0], r->said, sizeof r->said);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    close(report[0]);
    return error;
}

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

static bool compile_file(const char *path, struct run *r, char *message, size_t size)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *own = getenv("CC");
    bool failed = false;
    int error = ENOENT;
    if (own != NULL && own[0] != '\0') {
        r->compiler = own;
        error = run_compiler(r, &failed);
    } else {
        for (size_t i = 0; error == ENOENT && i < sizeof usual / sizeof usual[0]; i++) {
            r->compiler = usual[i];
            error = run_compiler(r, &failed);
        }
    }
    if (error == ENOENT && r->compiler != own) {
        snprintf(message, size, "no C compiler: neither cc nor gcc nor clang is there; set CC");
    } else if (error != 0) {
        snprintf(message, size, "no C compiler '%s': %s", r->compiler, strerror(error));
    } else if (failed) {
        snprintf(message, size, "'%s' does not compile the kernel%s%s", r->compiler,
                 r->said[0] != '\0' ? ": " : "", r->said);
    } else if (!seal(r->output) || rename(r->output, path) != 0) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
    } else {
        return true;
    }
    return false;
}

/* Names of its own: others may be at the same. */
static bool build(const char *path, const char *level, const struct text *source, char *message,
                  size_t size)
{
    char c_file[PATH_ROOM];
    char library[PATH_ROOM];
    struct run r = {.level = level, .source = c_file, .output = library};
    snprintf(c_file, sizeof c_file, "%s.XXXXXX.c", path);
    snprintf(library, sizeof library, "%s.XXXXXX", path);
    const int fd = mkostemps(c_file, 2, O_CLOEXEC);
    bool good = fd >= 0 && write_source(fd, source);
    const int empty = good ? mkostemp(library, O_CLOEXEC) : -1;
    good = empty >= 0;
    if (!good) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
    } else {
        close(empty);
        good = compile_file(path, &r, message, size);
        (void)unlink(library);
    }
    if (fd >= 0) {
        (void)unlink(c_file);
    }
    return good;
}

/* An interrupt ends the compiler, and this only when its files are gone. */
static bool build_undisturbed(const char *path, const char *level, const struct text *source,
                              char *message, size_t size)
{
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    const bool good = build(path, level, source, message, size);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* ---- both ---- */

/* The address of what the source names so; NULL: message says why. */
static void *compile_text(const struct text *source, const char *options, const char *name,
                          bool cached_only, char *message, size_t size)
{
    const char *own = getenv("CC");
    char path[PATH_ROOM];
    unsigned __int128 key = hash_text(hash_start, source->data);
    key = hash_text(hash_text(key, options), own != NULL ? own : "");
    for (size_t i = 0; i < FIXED_OPTIONS; i++) {
        key = hash_text(key, fixed_options[i]);
    }
    if (!cache_directory(path, !cached_only, message, size)) {
        return NULL;
    }
    const size_t length = strlen(path);
    snprintf(path + length, PATH_ROOM - length, "/%016llx%016llx.so",
             (unsigned long long)(key >> 64), (unsigned long long)key);
    if (is_whole(path) ||
        (!cached_only && build_undisturbed(path, options, source, message, size))) {
        return load(path, name, message, size);
    }
    return NULL;
}

tx_fast_tile *compile_tile(const tx_fast *fast, bool cached_only, char *message, size_t size)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* one makes it, others find it */
    struct text source = {NULL, 0, 0, false};
    tx_fast_tile *tile = NULL;
    if (tx_fast_source(fast, append, &source) != TX_OK || source.failed) {
        snprintf(message, size, "out of memory");
    } else {
        pthread_mutex_lock(&mutex);
        void *symbol = compile_text(&source, tx_fast_options_of(fast), "tensix_tile", cached_only,
                                    message, size);
        memcpy(&tile, &symbol, sizeof tile); /* a function's address, by POSIX */
        pthread_mutex_unlock(&mutex);
    }
    free(source.data);
    return tile;
}

bool compile_kernel(tx_fast *fast, char *message, size_t size)
{
    tx_fast_tile *tile = compile_tile(fast, false, message, size);
    tx_fast_use(fast, tile);
    return tile != NULL;
}

/* ---- steps ---- */

enum { STEPS = 64, BUILDERS = 64 }; /* STEPS: in a library */

struct building {
    tx_fast_steps *steps;
    pthread_mutex_t mutex;
    size_t next, done; /* next: the first step that nobody has */
    struct progress progress;
    bool failed;
    char message[300];
};

static bool build_steps(struct building *b, size_t first, size_t count, char message[300])
{
    struct text source = {NULL, 0, 0, false};
    void *table = NULL;
    if (tx_fast_steps_source(b->steps, first, count, append, &source) != TX_OK || source.failed) {
        snprintf(message, 300, "out of memory");
    } else {
        table = compile_text(&source, tx_fast_steps_options(b->steps), "tensix_steps", false,
                             message, 300);
    }
    free(source.data);
    if (table == NULL) {
        return false;
    }
    pthread_mutex_lock(&b->mutex);
    const bool good = tx_fast_steps_use(b->steps, first, count, table) == TX_OK;
    b->done += count;
    progress_update(&b->progress, b->done);
    pthread_mutex_unlock(&b->mutex);
    return good;
}

static void *builder(void *argument)
{
    struct building *b = argument;
    const size_t all = tx_fast_steps_count(b->steps);
    for (;;) {
        char message[300] = "out of memory";
        pthread_mutex_lock(&b->mutex);
        const size_t first = b->next < all && !b->failed ? b->next : all;
        b->next = first + STEPS;
        pthread_mutex_unlock(&b->mutex);
        if (first == all) {
            return NULL;
        }
        if (!build_steps(b, first, all - first < STEPS ? all - first : STEPS, message)) {
            pthread_mutex_lock(&b->mutex);
            snprintf(b->message, sizeof b->message, "%s", message);
            b->failed = true;
            pthread_mutex_unlock(&b->mutex);
        }
    }
}

bool compile_steps(tx_fast_steps *steps, unsigned jobs, bool shown, char *message, size_t size)
{
    struct building b = {.steps = steps, .message = "out of memory"};
    pthread_t threads[BUILDERS];
    unsigned started = 0;
    sigset_t signals;
    sigset_t before;
    sigfillset(&signals); /* as in build_undisturbed, for all threads */
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    pthread_mutex_init(&b.mutex, NULL);
    progress_start(&b.progress, shown, tx_fast_steps_count(steps), "steps");
    while (started + 1 < jobs && started < BUILDERS &&
           pthread_create(&threads[started], NULL, builder, &b) == 0) {
        started++;
    }
    builder(&b);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    progress_end(&b.progress);
    pthread_mutex_destroy(&b.mutex);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const bool good = !b.failed && tx_fast_steps_use(steps, 0, 0, NULL) == TX_OK;
    if (!good) {
        snprintf(message, size, "%s", b.message);
    }
    return good;
}
