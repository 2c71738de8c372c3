/* SPDX-License-Identifier: Apache-2.0 */
#include "compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_ROOM = 1024, WORDS = 40 };

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

/* FNV-1a with 128 bits: a name for what is compiled, and how. */
static unsigned __int128 hash_text(unsigned __int128 hash, const char *text)
{
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13B;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * prime;
    }
    return hash;
}

static const char *const fixed_options[] = {
    "-std=c17",           "-O3", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-w",  "-shared",           "-fPIC"};

/* ---- the cache ---- */

static bool make_directory(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* What stands there is executed: it must be the user's own. */
static bool cache_directory(char path[PATH_ROOM], char *message, size_t size)
{
    const char *own = getenv("TENSIX_CACHE");
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    struct stat about;
    int length = 0;
    if (own != NULL && own[0] != '\0') {
        length = snprintf(path, PATH_ROOM, "%s", own);
    } else if (base != NULL && base[0] == '/') {
        length = snprintf(path, PATH_ROOM, "%s/tensix", base);
        (void)make_directory(base);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, PATH_ROOM, "%s/.cache", home);
        (void)make_directory(path);
        length = snprintf(path, PATH_ROOM, "%s/.cache/tensix", home);
    }
    if (length <= 0 || length >= PATH_ROOM - 100) {
        snprintf(message, size, "no directory for compiled kernels; set TENSIX_CACHE");
        return false;
    }
    if (!make_directory(path) || stat(path, &about) != 0) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    if (about.st_uid != geteuid() || (about.st_mode & 022u) != 0) {
        snprintf(message, size, "%s: others may write there; compiled kernels are not", path);
        return false;
    }
    return true;
}

static tx_fast_tile *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays until the end */
    void *symbol = library != NULL ? dlsym(library, "tensix_tile") : NULL;
    tx_fast_tile *tile = NULL;
    memcpy(&tile, &symbol, sizeof tile); /* a function's address, by POSIX */
    return tile;
}

/* ---- the compiler ---- */

/* 0, or errno; *failed: the compiler did not like it. */
static int run_compiler(const char *compiler, const char *level, const char *source,
                        const char *output, bool *failed)
{
    char words[PATH_ROOM];
    char *arguments[WORDS];
    int count = 0;
    pid_t child = 0;
    int status = 0;
    posix_spawn_file_actions_t actions;
    snprintf(words, sizeof words, "%s %s", compiler, level);
    char *rest = words;
    for (char *word; (word = strsep(&rest, " ")) != NULL && count < WORDS - 12;) {
        if (word[0] != '\0') {
            arguments[count++] = word;
        }
    }
    for (size_t i = 0; i < sizeof fixed_options / sizeof fixed_options[0]; i++) {
        memcpy(&arguments[count++], &fixed_options[i], sizeof arguments[0]); /* not written to */
    }
    char output_option[] = "-o";
    arguments[count++] = output_option;
    memcpy(&arguments[count++], &output, sizeof output);
    memcpy(&arguments[count++], &source, sizeof source);
    arguments[count] = NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return error;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT : 0;
}

static bool write_source(const char *path, const struct text *source)
{
    FILE *f = fopen(path, "wx");
    if (f == NULL) {
        return false;
    }
    bool good = fwrite(source->data, 1, source->length, f) == source->length;
    return fclose(f) == 0 && good;
}

static bool build(const char *path, const char *level, const struct text *source, char *message,
                  size_t size)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *own = getenv("CC");
    char c_file[PATH_ROOM + 40];
    char library[PATH_ROOM + 40];
    bool failed = false;
    int error = ENOENT;
    snprintf(c_file, sizeof c_file, "%s.%ld.c", path, (long)getpid());
    snprintf(library, sizeof library, "%s.%ld.tmp", path, (long)getpid());
    if (!write_source(c_file, source)) {
        snprintf(message, size, "%s: %s", c_file, strerror(errno));
        (void)unlink(c_file);
        return false;
    }
    if (own != NULL && own[0] != '\0') {
        error = run_compiler(own, level, c_file, library, &failed);
    }
    for (size_t i = 0; error == ENOENT && (own == NULL || own[0] == '\0') && i < 3; i++) {
        error = run_compiler(usual[i], level, c_file, library, &failed);
    }
    bool good = error == 0 && !failed && rename(library, path) == 0;
    if (error != 0) {
        snprintf(message, size, "no C compiler%s%s: %s", own != NULL ? " " : "",
                 own != NULL ? own : "", strerror(error));
    } else if (!good) {
        snprintf(message, size, "the C compiler refuses the kernel");
    }
    (void)unlink(c_file);
    (void)unlink(library);
    return good;
}

/* ---- both ---- */

static bool compile_text(tx_fast *fast, const struct text *source, bool cached_only, char *message,
                         size_t size)
{
    const char *own = getenv("CC");
    const char *options = tx_fast_options_of(fast);
    char path[PATH_ROOM];
    unsigned __int128 key = hash_text(0x6C62272E07BB0142, source->data);
    key = hash_text(hash_text(key, options), own != NULL ? own : "");
    if (!cache_directory(path, message, size)) {
        return false;
    }
    const size_t length = strlen(path);
    snprintf(path + length, PATH_ROOM - length, "/%016llx%016llx.so",
             (unsigned long long)(key >> 64), (unsigned long long)key);
    tx_fast_tile *tile = access(path, R_OK) == 0 ? load(path) : NULL;
    if (tile == NULL && !cached_only && build(path, options, source, message, size)) {
        tile = load(path);
        if (tile == NULL) {
            snprintf(message, size, "%s cannot be loaded", path);
        }
    }
    tx_fast_use(fast, tile);
    return tile != NULL;
}

bool compile_kernel(tx_fast *fast, bool cached_only, char *message, size_t size)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* one makes it, others find it */
    struct text source = {NULL, 0, 0, false};
    bool good = false;
    if (tx_fast_source(fast, append, &source) != TX_OK) {
        snprintf(message, size, "this kernel is not 32 times the same function of a vector");
    } else if (source.failed) {
        snprintf(message, size, "out of memory");
    } else {
        pthread_mutex_lock(&mutex);
        good = compile_text(fast, &source, cached_only, message, size);
        pthread_mutex_unlock(&mutex);
    }
    free(source.data);
    return good;
}
