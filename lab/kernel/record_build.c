/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that records: the source and a main that calls its kernels, compiled on this
 * machine in two steps. Between preprocessing and compiling, what a compiler judges that does not
 * matter here, or that matters only where it is reached, is taken out of the text:
 *
 *   #pragma GCC unroll    what is recorded does not depend on it; gcc 12 refuses a template's
 *                         parameter there, clang 14 refuses 0
 *   static_assert(false)  in a template; before C++23's defect report 2518, which gcc 13 and clang
 *                         17 have, a compiler may refuse it although nothing instantiates it. It
 *                         becomes an error of the recorder, at its line.
 */
#include "kernel/record.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/abandon.h"
#include "base/memory.h"
#include "base/program.h"

enum { SECONDS = 60 /* of CPU time; recording a kernel takes less than one */ };

/* ---- headers, scratch files, processes ---- */

static void scratch(const struct txl_record *r, const char *name, char path[320])
{
    snprintf(path, 320, "%s/%s", r->folder, name);
}

/* Ends the child. Compilers remove their files when they are asked to end, so that comes first. */
static void end_running(struct txl_record *r)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    const pid_t group = r->running;
    pid_t ended = 0;
    if (group <= 0) {
        return;
    }
    r->running = 0;
    kill(-group, SIGTERM);
    for (unsigned i = 0; i < 200 && ended == 0; i++) {
        nanosleep(&pause, NULL);
        ended = waitpid(group, NULL, WNOHANG);
    }
    kill(-group, SIGKILL);
    if (ended == 0) {
        (void)waitpid(group, NULL, 0);
    }
}

/* Also called by signal handlers, see base/abandon.h. */
static void abandon(void *what)
{
    struct txl_record *r = what;
    end_running(r);
    for (unsigned i = 0; i < RECORD_FILES; i++) {
        unlink(r->paths[i]);
    }
    rmdir(r->folder);
}

void record_clean(struct txl_record *r)
{
    if (r->folder[0] != '\0') {
        abandon_remove(abandon, r);
        abandon(r);
        r->folder[0] = '\0';
    }
}

static char *read_scratch(const struct txl_record *r, const char *name, size_t *length)
{
    char path[320];
    scratch(r, name, path);
    return txl_read_file(r->err, path, length);
}

/*
 * Starts a program with the files out and err as its streams, in its own process group, so that a
 * compiler's children end with it, and without the caller's signal handlers. Returns 0 or an
 * errno.
 */
static int record_build_start(struct txl_record *r, const char *const argv[], char **variables)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t ends;
    sigset_t all;
    sigset_t before;
    char out[320];
    char err[320];
    pid_t child = 0;
    union {
        const char *const *in;
        char *const *out;
    } arguments = {argv}; /* posix_spawnp does not write to them */
    scratch(r, "out", out);
    scratch(r, "err", err);
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigfillset(&all);
    /* A signal that ends the caller must find the child's number, so all wait. */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                       POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &ends);
    posix_spawnattr_setsigmask(&how, &before);
    posix_spawn_file_actions_init(&files);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    const bool opens = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                       posix_spawn_file_actions_addopen(&files, 1, out, flags, 0600) == 0 &&
                       posix_spawn_file_actions_addopen(&files, 2, err, flags, 0600) == 0;
    const int error =
        opens ? posix_spawnp(&child, argv[0], &files, &how, arguments.out, variables) : ENOMEM;
    if (error == 0) {
        /* A list of kernels takes longer to compile. */
        const rlim_t seconds = SECONDS * (1 + r->count / 16);
        const struct rlimit limit = {seconds, seconds};
        (void)prlimit(child, RLIMIT_CPU, &limit, NULL);
        r->running = child;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return error;
}

/*
 * Waits until it has ended. Returns TXL_OK with *status, or TXL_CANCELLED when the progress
 * function says so.
 */
static int wait_for(struct txl_record *r, int *status)
{
    struct timespec pause = {.tv_nsec = 250000};
    for (;;) {
        const pid_t ended = waitpid(r->running, status, WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR)) {
            r->running = 0;
            *status = ended > 0 ? *status : -1;
            return TXL_OK;
        }
        if (r->how.progress != NULL && !r->how.progress(r->how.user, 0, 0)) {
            end_running(r);
            return txl_refuse(r->err, TXL_CANCELLED, "cancelled");
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 5000000 ? 2 * pause.tv_nsec : pause.tv_nsec;
    }
}

/* Runs a program. With TXL_OK *status is its wait status, or -errno when it could not be run. */
static int run_program(struct txl_record *r, const char *const argv[], int *status)
{
    char temp[256];
    snprintf(temp, sizeof temp, "%.*s", (int)(strrchr(r->folder, '/') - r->folder), r->folder);
    char **variables = program_compiler_environment(r->how.environment, temp);
    *status = -1;
    if (variables == NULL) {
        return txl_fail(r->err, "out of memory");
    }
    const int error = record_build_start(r, argv, variables);
    free(variables);
    *status = -error;
    return error == 0 ? wait_for(r, status) : TXL_OK;
}

/* ---- the main program ---- */

static bool is_c(const char *file)
{
    const size_t length = strlen(file);
    return length > 2 && strcmp(file + length - 2, ".c") == 0;
}

/* Writes the call of a kernel function: "f" becomes "f()"; a complete call stays as it is. */
static void write_call(const struct txl_record *r, const struct record_kernel *kernel, FILE *stream,
                       bool tile)
{
    const char *what = tile ? kernel->tile : kernel->init;
    if (what == NULL) {
        return;
    }
    fprintf(stream, "    tx_record_into(%s);\n", tile ? "TX_RECORD_TILE" : "TX_RECORD_INIT");
    if (kernel->line != 0) {
        fprintf(stream, "#line %u \"%s\"\n", kernel->line, r->how.list);
    } else {
        fprintf(stream, "#line 1 \"%s\"\n", tile ? "--tile" : "--init");
    }
    fprintf(stream, "    %s%s;\n", what, strchr(what, '(') != NULL ? "" : "()");
}

static bool write_main(const struct txl_record *r, const char *path)
{
    FILE *stream = fopen(path, "we");
    if (stream == NULL) {
        return false;
    }
    fprintf(stream, "#include <tensix/ckernel_ops.h>\n"
                    "static void tell(const struct tx_recorder *recorder)\n{\n"
                    "    fprintf(stderr, \"%%s\\n\", tx_recorder_error(recorder));\n"
                    "    exit(1);\n}\n");
    for (size_t i = 0; i < r->count; i++) {
        fprintf(stream, "static void tx_record_kernel_%zu(void)\n{\n", i);
        write_call(r, &r->kernels[i], stream, false);
        write_call(r, &r->kernels[i], stream, true);
        fprintf(stream, "}\n");
    }
    fprintf(stream,
            "int main(int argc, char **argv)\n{\n"
            "    struct tx_recorder recorder;\n"
            "    tx_recorder_open(&recorder, TX_RECORD_ARCH);\n"
            "    recorder.stop = tell;\n"
            "    recorder.raw = true;\n"
            "    recorder.spill = %s;\n"
            "    switch (argc == 3 ? atoi(argv[2]) : -1) {\n",
            r->how.spill ? "true" : "false");
    for (size_t i = 0; i < r->count; i++) {
        fprintf(stream, "    case %zu: tx_record_kernel_%zu(); break;\n", i, i);
    }
    fprintf(stream, "    default: return 2;\n    }\n"
                    "    FILE *out = fopen(argv[1], \"w\");\n"
                    "    const bool good = out != NULL && tx_recorder_write(&recorder, out) &&\n"
                    "        fclose(out) == 0;\n"
                    "    tx_recorder_close(&recorder);\n"
                    "    return good ? 0 : 1;\n}\n");
    return fclose(stream) == 0;
}

/* ---- between preprocessing and compiling ---- */

/* Returns what follows blanks and word at p, or NULL when something else is there. */
static const char *after(const char *p, const char *word)
{
    p += strspn(p, " \t");
    return strncmp(p, word, strlen(word)) == 0 ? p + strlen(word) : NULL;
}

static bool is_unroll(const char *line)
{
    const char *p = after(line, "#");
    p = p != NULL ? after(p, "pragma") : NULL;
    const char *gcc = p != NULL ? after(p, "GCC") : NULL;
    p = gcc != NULL ? gcc : p;
    return p != NULL && after(p, "unroll") != NULL;
}

/*
 * Returns what follows "static_assert(false" and a comma at p, or NULL when something else is
 * there.
 */
static const char *after_refusal(const char *start, const char *p)
{
    if (p > start && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) {
        return NULL;
    }
    p = after(p, "static_assert");
    p = p != NULL ? after(p, "(") : NULL;
    p = p != NULL ? after(p, "false") : NULL;
    if (p == NULL) {
        return NULL;
    }
    p += strspn(p, " \t");
    return *p == ',' ? p + 1 : *p == ')' ? p : NULL;
}

static void filter_line(const char *line, bool c, FILE *out)
{
    if (is_unroll(line)) {
        return; /* leaves an empty line, so that the others keep their numbers */
    }
    const char *p = line;
    for (const char *found = c ? NULL : strstr(p, "static_assert"); found != NULL;
         found = strstr(p, "static_assert")) {
        const char *behind = after_refusal(line, found);
        fwrite(p, 1, (size_t)(found - p), out);
        fputs(behind != NULL ? "::ckernel::tx_record_refuse(" : "static_assert", out);
        p = behind != NULL ? behind : found + strlen("static_assert");
    }
    fputs(p, out);
}

static int filter(const struct txl_record *r, const char *from, const char *to)
{
    size_t length = 0;
    char *text = txl_read_file(r->err, from, &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    FILE *out = fopen(to, "we");
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL && out != NULL;
         line = strsep(&rest, "\n")) {
        filter_line(line, is_c(r->how.source), out);
        if (rest != NULL) {
            fputc('\n', out);
        }
    }
    free(text);
    return out != NULL && fclose(out) == 0 ? TXL_OK
                                           : txl_fail(r->err, "%s: %s", to, strerror(errno));
}

/* ---- compile ---- */

const char *record_plain(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

struct command {
    const char *argv[RECORD_FLAGS + 32];
    unsigned count;
};

static void record_build_add(struct command *command, const char *word)
{
    command->argv[command->count++] = word;
    command->argv[command->count] = NULL;
}

int record_compiler(struct txl_record *r, const char *const argv[])
{
    int status = -1;
    int result = run_program(r, argv, &status);
    if (result != TXL_OK || status == 0) {
        return result;
    }
    if (status < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        return txl_fail(r->err, "the compiler '%s' cannot be run: %s", argv[0],
                        strerror(status < 0 ? -status : ENOENT));
    }
    size_t length = 0;
    char *text = read_scratch(r, "err", &length);
    result = text != NULL ? record_tell(r, text) : TXL_INPUT;
    free(text);
    return result;
}

static struct command compiler_of(const struct txl_record *r, const char *standard)
{
    const bool c = is_c(r->how.source);
    struct command command = {.count = 0};
    record_build_add(&command, r->how.compiler != NULL ? r->how.compiler : c ? "cc" : "c++");
    record_build_add(&command, standard);
    /*
     * Addresses of the program must fit into 32 bits, as the card's do, for kernels that read L1.
     */
    record_build_add(&command, "-fno-pie");
    if (r->how.say == NULL) {
        record_build_add(&command, "-w");
    }
    return command;
}

static int preprocess(struct txl_record *r, struct command command, const char *main_file,
                      const char *to)
{
    char forwards[PATH_MAX];
    char source[PATH_MAX];
    record_build_add(&command, r->how.arch == TX_BLACKHOLE ? "-DTENSIX_ARCH_BLACKHOLE=1"
                                                           : "-DTENSIX_ARCH_WORMHOLE=1");
    if (r->how.no_fuse) {
        record_build_add(&command, "-DTENSIX_FUSE_NONE=1");
    }
    if (r->how.include != NULL) {
        snprintf(forwards, sizeof forwards, "%s/tensix/llk", r->how.include);
        record_build_add(&command, "-I");
        record_build_add(&command, r->how.include);
        record_build_add(&command, "-I");
        record_build_add(&command, forwards);
    }
    for (unsigned i = 0; i < r->how.flag_count; i++) {
        record_build_add(&command, r->how.flags[i]);
    }
    record_build_add(&command, "-include");
    record_build_add(&command, program_word(r->how.source, source, sizeof source));
    record_build_add(&command, "-E");
    record_build_add(&command, main_file);
    record_build_add(&command, "-o");
    record_build_add(&command, to);
    return record_compiler(r, command.argv);
}

int record_folder(struct txl_record *r)
{
    static const char *const names[RECORD_FILES] = {
        "main.c", "main.cc", "all.i", "source.i", "source.o", "program", "kernel", "out", "err"};
    const char *base = r->how.scratch != NULL ? r->how.scratch : "/tmp";
    errno = 0;
    char whole[PATH_MAX];
    /* A relative name would come before the compiler as the beginning of a word. */
    const bool there = realpath(base, whole) != NULL && strlen(whole) < 200;
    snprintf(r->folder, sizeof r->folder, "%.200s/tensix-record-XXXXXX", there ? whole : "");
    if (!there || mkdtemp(r->folder) == NULL) {
        r->folder[0] = '\0';
        return txl_fail(r->err, "no scratch folder in %s: %s", base,
                        strerror(errno != 0 ? errno : ENAMETOOLONG));
    }
    for (unsigned i = 0; i < RECORD_FILES; i++) {
        scratch(r, names[i], r->paths[i]);
    }
    (void)abandon_add(abandon, r);
    return TXL_OK;
}

int record_compile(struct txl_record *r)
{
    const bool c = is_c(r->how.source);
    char standard[40];
    int result = record_folder(r);
    if (result != TXL_OK) {
        return result;
    }
    char main_file[320];
    char all[320];
    char source[320];
    char program[320];
    snprintf(standard, sizeof standard, "-std=%s",
             r->how.standard != NULL ? r->how.standard
             : c                     ? "gnu17"
                                     : "gnu++17");
    scratch(r, c ? "main.c" : "main.cc", main_file);
    scratch(r, "all.i", all);
    scratch(r, "source.i", source);
    scratch(r, "program", program);
    if (!write_main(r, main_file)) {
        return txl_fail(r->err, "%s: %s", main_file, strerror(errno));
    }
    struct command command = compiler_of(r, standard);
    result = preprocess(r, command, main_file, all);
    if (result == TXL_OK) {
        result = filter(r, all, source);
    }
    if (result != TXL_OK) {
        return result;
    }
    record_build_add(&command, "-no-pie");
    record_build_add(&command, "-x");
    record_build_add(&command, c ? "cpp-output" : "c++-cpp-output");
    record_build_add(&command, source);
    record_build_add(&command, "-o");
    record_build_add(&command, program);
    return record_compiler(r, command.argv);
}

/* ---- run ---- */

/* Makes the first line that the program printed the error, or how it ended. */
static int tell_ended(const struct txl_record *r, const struct record_kernel *kernel, int status)
{
    const struct txl_where source = {.file = r->how.source};
    const struct txl_where listed = {.file = r->how.list, .line = kernel->line};
    const struct txl_where *where = kernel->line != 0 ? &listed : &source;
    const char *name = kernel->line != 0 ? kernel->name : "the kernel";
    size_t length = 0;
    if (status > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return txl_fail_at(r->err, where, "%s did not end within %d seconds", name, SECONDS);
    }
    char *text = read_scratch(r, "err", &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    text[strcspn(text, "\n")] = '\0';
    const char *said = record_plain(text);
    const int result =
        said[0] != '\0' && kernel->line != 0 ? txl_fail_at(r->err, where, "%s: %s", name, said)
        : said[0] != '\0'                    ? txl_fail(r->err, "%s", said)
        : WIFSIGNALED(status)
            ? txl_fail_at(r->err, where, "%s was ended by signal %d", name, WTERMSIG(status))
            : txl_fail_at(r->err, where, "%s ended with status %d", name, WEXITSTATUS(status));
    free(text);
    return result;
}

int record_run(struct txl_record *r, const struct record_kernel *kernel, char **text)
{
    char program[320];
    char path[320];
    char number[24];
    size_t size = 0;
    int status = -1;
    scratch(r, "program", program);
    scratch(r, "kernel", path);
    snprintf(number, sizeof number, "%zu", (size_t)(kernel - r->kernels));
    const char *const argv[] = {program, path, number, NULL};
    int result = run_program(r, argv, &status);
    if (result == TXL_OK && r->how.say != NULL) {
        char *said = read_scratch(r, "out", &size);
        r->how.say(r->how.user, said != NULL ? said : "");
        free(said);
    }
    if (result == TXL_OK && status != 0) {
        result = tell_ended(r, kernel, status);
    }
    if (result == TXL_OK) {
        *text = read_scratch(r, "kernel", &size);
        result = *text != NULL ? TXL_OK : TXL_INPUT;
    }
    return result;
}
