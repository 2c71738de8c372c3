/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of tensix record: the source and a main that calls its kernels, compiled on this
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
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/abandon.h"

enum { SECONDS = 60 /* of CPU; a kernel is recorded in less than one */ };

/* ---- headers, scratch files, processes ---- */

/* Beside the command (a build), one folder up (an installed tree): where the headers are. */
static void find_include(char path[512])
{
    static const char *const places[] = {"/include", "/../include"};
    char self[256];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    path[0] = '\0';
    if (length <= 0) {
        return;
    }
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (unsigned i = 0; i < 2; i++) {
        char header[512];
        snprintf(header, sizeof header, "%s%s/tensix/ckernel_ops.h", self, places[i]);
        if (access(header, R_OK) == 0) {
            snprintf(path, 512, "%s%s", self, places[i]);
            return;
        }
    }
}

static void scratch(const struct record_args *a, const char *name, char path[320])
{
    snprintf(path, 320, "%s/%s", a->folder, name);
}

/* What a signal handler needs: paths as they are, and the process group that is running. */
static struct {
    char folder[256];
    char files[8][320];
    volatile pid_t running;
} made;

/* Compilers remove files of their own when they are asked to end, so they are asked first. */
static void end_running(void)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    const pid_t group = made.running;
    if (group <= 0) {
        return;
    }
    made.running = 0;
    kill(-group, SIGTERM);
    for (unsigned i = 0; i < 200 && waitpid(group, NULL, WNOHANG) == 0; i++) {
        nanosleep(&pause, NULL);
    }
    kill(-group, SIGKILL);
}

static void clean(void *what)
{
    (void)what;
    if (made.folder[0] == '\0') {
        return;
    }
    end_running();
    for (size_t i = 0; i < sizeof made.files / sizeof made.files[0]; i++) {
        unlink(made.files[i]);
    }
    rmdir(made.folder);
    made.folder[0] = '\0';
}

void record_clean(void)
{
    clean(&made);
    abandon_remove(clean, &made);
}

void record_guard(const struct record_args *a)
{
    static const char *const names[] = {"main.c",  "main.cc", "all.i", "source.i",
                                        "program", "kernel",  "out",   "err"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        scratch(a, names[i], made.files[i]);
    }
    memcpy(made.folder, a->folder, sizeof made.folder);
    (void)abandon_add(clean, &made);
}

static char *read_scratch(const struct record_args *a, const char *name, size_t *length)
{
    char path[320];
    scratch(a, name, path);
    return txl_read_file(a->err, path, length);
}

/* In the child: never returns. */
static void become(const struct record_args *a, const char *const argv[])
{
    char path[320];
    scratch(a, "out", path);
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    scratch(a, "err", path);
    const int err = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    /* A list of kernels is more to compile. */
    const rlim_t seconds = SECONDS * (1 + a->count / 16);
    const struct rlimit limit = {seconds, seconds};
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out >= 0 && err >= 0 && in >= 0 && dup2(in, STDIN_FILENO) >= 0 &&
        setrlimit(RLIMIT_CPU, &limit) == 0 && setenv("LC_ALL", "C", 1) == 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0) {
        union {
            const char *const *in;
            char *const *out;
        } arguments = {argv}; /* execvp promises not to write */
        execvp(argv[0], arguments.out);
    }
    _exit(127);
}

/*
 * Runs it with out and err as its streams; its wait status, or -1. In a process group of its own,
 * so that a compiler's parts end with it.
 */
static int run_program(const struct record_args *a, const char *const argv[])
{
    int status = -1;
    sigset_t all;
    sigset_t before;
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(a, argv);
    }
    if (child > 0) {
        setpgid(child, child);
        made.running = child;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            status = -1;
            break;
        }
    }
    made.running = 0;
    return child > 0 ? status : -1;
}

/* ---- the main program ---- */

static bool is_c(const char *file)
{
    const size_t length = strlen(file);
    return length > 2 && strcmp(file + length - 2, ".c") == 0;
}

/* "f" becomes "f()"; a call stays as it is. */
static void write_call(const struct record_args *a, const struct record_kernel *kernel,
                       FILE *stream, bool tile)
{
    const char *what = tile ? kernel->tile : kernel->init;
    if (what == NULL) {
        return;
    }
    fprintf(stream, "    tx_record_into(%s);\n", tile ? "TX_RECORD_TILE" : "TX_RECORD_INIT");
    if (kernel->line != 0) {
        fprintf(stream, "#line %u \"%s\"\n", kernel->line, a->list);
    } else {
        fprintf(stream, "#line 1 \"%s\"\n", tile ? "--tile" : "--init");
    }
    fprintf(stream, "    %s%s;\n", what, strchr(what, '(') != NULL ? "" : "()");
}

static bool write_main(const struct record_args *a, const char *path)
{
    FILE *stream = fopen(path, "we");
    if (stream == NULL) {
        return false;
    }
    fprintf(stream, "#include <tensix/ckernel_ops.h>\n"
                    "static void tell(const struct tx_recorder *recorder)\n{\n"
                    "    fprintf(stderr, \"%%s\\n\", tx_recorder_error(recorder));\n"
                    "    exit(1);\n}\n");
    for (size_t i = 0; i < a->count; i++) {
        fprintf(stream, "static void tx_record_kernel_%zu(void)\n{\n", i);
        write_call(a, &a->kernels[i], stream, false);
        write_call(a, &a->kernels[i], stream, true);
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
            a->spill ? "true" : "false");
    for (size_t i = 0; i < a->count; i++) {
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

/* p stands before word and blanks: behind them, else NULL. */
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

/* "static_assert(false" at p: behind it and a comma, else NULL. */
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
        return; /* the line is empty then, and the others keep their numbers */
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

static int filter(const struct record_args *a, const char *from, const char *to)
{
    size_t length = 0;
    char *text = txl_read_file(a->err, from, &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    FILE *out = fopen(to, "we");
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL && out != NULL;
         line = strsep(&rest, "\n")) {
        filter_line(line, is_c(a->file), out);
        if (rest != NULL) {
            fputc('\n', out);
        }
    }
    free(text);
    return out != NULL && fclose(out) == 0 ? TXL_CONTINUE
                                           : txl_fail(a->err, "%s: %s", to, strerror(errno));
}

/* ---- compile ---- */

const char *record_plain(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* "FILE:LINE" at the start of a line that speaks of the source. */
static unsigned line_of(const char *text, const char *file)
{
    const size_t length = strlen(record_plain(file));
    for (const char *p = text; p != NULL; p = strchr(p, '\n')) {
        p = record_plain(*p == '\n' ? p + 1 : p);
        if (strncmp(p, record_plain(file), length) == 0 && p[length] == ':' &&
            p[length + 1] >= '1' && p[length + 1] <= '9') {
            return (unsigned)strtoul(p + length + 1, NULL, 10);
        }
        if (*p == '\0') {
            break;
        }
    }
    return 0;
}

/*
 * The compiler's first error in one line, at the first line of the source, or of the list, that it
 * names: gcc names the line that instantiates before the error in the header, and there are no
 * warnings (-w).
 */
static int tell_compiler(const struct record_args *a, const char *text)
{
    static const char word[] = "error: ";
    const char *error = strstr(text, word);
    struct txl_where where = {.file = a->file, .line = line_of(text, a->file)};
    if (a->verbose) {
        fputs(text, stderr);
    }
    if (a->list != NULL && where.line == 0) {
        where = (struct txl_where){.file = a->list, .line = line_of(text, a->list)};
    }
    if (error == NULL) {
        error = text[0] != '\0' ? text : "the compiler failed without a word";
    } else {
        error += strlen(word);
    }
    return txl_fail_at(a->err, &where, "%.*s", (int)strcspn(error, "\n"), error);
}

struct command {
    const char *argv[RECORD_ARGS + 32];
    unsigned count;
};

static void add(struct command *command, const char *word)
{
    command->argv[command->count++] = word;
    command->argv[command->count] = NULL;
}

/* Runs the compiler; TXL_CONTINUE, or TXL_INPUT (printed). */
static int run_compiler(const struct record_args *a, const struct command *command)
{
    const int status = run_program(a, command->argv);
    if (status == 0) {
        return TXL_CONTINUE;
    }
    if (status < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        return txl_fail(a->err, "the compiler '%s' cannot be run", command->argv[0]);
    }
    size_t length = 0;
    char *text = read_scratch(a, "err", &length);
    const int result = text != NULL ? tell_compiler(a, text) : TXL_INPUT;
    free(text);
    return result;
}

static struct command compiler_of(const struct record_args *a, const char *standard)
{
    const bool c = is_c(a->file);
    const char *set = getenv(c ? "CC" : "CXX");
    struct command command = {.count = 0};
    add(&command, a->compiler != NULL             ? a->compiler
                  : set != NULL && set[0] != '\0' ? set
                  : c                             ? "cc"
                                                  : "c++");
    add(&command, standard);
    /* An address of the program fits in 32 bits, as the card's do: kernels that read L1 do so. */
    add(&command, "-fno-pie");
    if (!a->verbose) {
        add(&command, "-w");
    }
    return command;
}

static int preprocess(const struct record_args *a, struct command command, const char *main_file,
                      const char *to)
{
    char include[512];
    char forwards[530];
    add(&command,
        a->arch == TX_BLACKHOLE ? "-DTENSIX_ARCH_BLACKHOLE=1" : "-DTENSIX_ARCH_WORMHOLE=1");
    if (a->no_fuse) {
        add(&command, "-DTENSIX_FUSE_NONE=1");
    }
    find_include(include);
    if (include[0] != '\0') {
        snprintf(forwards, sizeof forwards, "%s/tensix/llk", include);
        add(&command, "-I");
        add(&command, include);
        add(&command, "-I");
        add(&command, forwards);
    }
    for (unsigned i = 0; i < a->flag_count; i++) {
        add(&command, a->flags[i]);
    }
    add(&command, "-include");
    add(&command, a->file);
    add(&command, "-E");
    add(&command, main_file);
    add(&command, "-o");
    add(&command, to);
    return run_compiler(a, &command);
}

int record_compile(const struct record_args *a)
{
    const bool c = is_c(a->file);
    char standard[40];
    char main_file[320];
    char all[320];
    char source[320];
    char program[320];
    snprintf(standard, sizeof standard, "-std=%s",
             a->standard != NULL ? a->standard
             : c                 ? "gnu17"
                                 : "gnu++17");
    scratch(a, c ? "main.c" : "main.cc", main_file);
    scratch(a, "all.i", all);
    scratch(a, "source.i", source);
    scratch(a, "program", program);
    if (!write_main(a, main_file)) {
        return txl_fail(a->err, "%s: %s", main_file, strerror(errno));
    }
    struct command command = compiler_of(a, standard);
    int result = preprocess(a, command, main_file, all);
    if (result == TXL_CONTINUE) {
        result = filter(a, all, source);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    add(&command, "-no-pie");
    add(&command, "-x");
    add(&command, c ? "cpp-output" : "c++-cpp-output");
    add(&command, source);
    add(&command, "-o");
    add(&command, program);
    return run_compiler(a, &command);
}

/* ---- run ---- */

/* A failure: the first line that the program said, or how it ended. */
static int tell_ended(const struct record_args *a, const struct record_kernel *kernel, int status)
{
    const struct txl_where source = {.file = a->file};
    const struct txl_where listed = {.file = a->list, .line = kernel->line};
    const struct txl_where *where = kernel->line != 0 ? &listed : &source;
    const char *name = kernel->line != 0 ? kernel->name : "the kernel";
    size_t length = 0;
    if (status > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return txl_fail_at(a->err, where, "%s did not end within %d seconds", name, SECONDS);
    }
    char *text = read_scratch(a, "err", &length);
    if (text == NULL) {
        return TXL_INPUT;
    }
    text[strcspn(text, "\n")] = '\0';
    const char *said = record_plain(text);
    const int result =
        said[0] != '\0' && kernel->line != 0 ? txl_fail_at(a->err, where, "%s: %s", name, said)
        : said[0] != '\0'                    ? txl_fail(a->err, "%s", said)
        : WIFSIGNALED(status)
            ? txl_fail_at(a->err, where, "%s was ended by signal %d", name, WTERMSIG(status))
            : txl_fail_at(a->err, where, "%s ended with status %d", name, WEXITSTATUS(status));
    free(text);
    return result;
}

char *record_run(const struct record_args *a, const struct record_kernel *kernel)
{
    char program[320];
    char path[320];
    char number[24];
    size_t size = 0;
    scratch(a, "program", program);
    scratch(a, "kernel", path);
    snprintf(number, sizeof number, "%zu", (size_t)(kernel - a->kernels));
    const char *const argv[] = {program, path, number, NULL};
    const int status = run_program(a, argv);
    if (a->verbose) {
        char *said = read_scratch(a, "out", &size);
        fputs(said != NULL ? said : "", stderr);
        free(said);
    }
    if (status != 0) {
        (void)tell_ended(a, kernel, status);
        return NULL;
    }
    return read_scratch(a, "kernel", &size);
}
