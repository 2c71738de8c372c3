/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A C or C++ source is compiled with ckernel_ops.h and a main that calls its functions; what that
 * program writes is assembled, which checks it, and written with the disassembly of its words.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_INIT,
    KEY_TILE,
    KEY_TITLE,
    KEY_DST,
    KEY_INPUTS,
    KEY_OUTPUT,
    KEY_REFERENCE,
    KEY_CXX,
    KEY_STD,
    KEY_FUSE
};

enum {
    SECONDS = 60, /* of CPU; a kernel is recorded in less than one */
    MOST_ARGS = 64
};

struct record_args {
    struct cli *cli;
    const char *file, *out, *init, *tile, *compiler, *standard;
    enum tx_arch arch;
    bool verbose, no_fuse;
    char head[512]; /* lines of the kernel's head */
    const char *flags[MOST_ARGS];
    unsigned flag_count;
    char folder[256]; /* for the compiler's files; "" where there is none yet */
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"init", KEY_INIT, "FUNC", 0, "What runs once, for .init: function or call, as for --tile", 1},
    {"tile", KEY_TILE, "FUNC", 0,
     "What runs for each tile: a function ('kernel', 'relu<8>') or a call ('scale(0x3f80)')", 1},
    {"out", 'o', "OUT.s", 0, "Where to, default: standard output", 1},
    {"dst", KEY_DST, "FORMAT", 0, "fp32, bf16, fp16, int32, int16 or int8", 2},
    {"inputs", KEY_INPUTS, "N", 0, "Tiles that the kernel reads", 2},
    {"output", KEY_OUTPUT, "N", 0, "Dst tile of the result", 2},
    {"reference", KEY_REFERENCE, "NAME", 0, "What it computes, for sweep", 2},
    {"title", KEY_TITLE, "TEXT", 0, "Title of the kernel", 2},
    {"compiler", KEY_CXX, "COMMAND", 0, "Default: $CXX or c++; for FILE.c $CC or cc", 3},
    {"std", KEY_STD, "STANDARD", 0, "Default: gnu++17, for FILE.c gnu17", 3},
    {"fuse", KEY_FUSE, "none|mad", 0,
     "sfpi.hpp: whether a*b+c is rounded once, by SFPMAD (default: mad, as the vendor's compiler)",
     3},
    {"include", 'I', "DIR", 0, "For the compiler; may be given several times", 3},
    {"define", 'D', "NAME[=VALUE]", 0, "The same", 3},
    {"verbose", 'v', NULL, 0, "Show all that the compiler says, and what the kernel prints", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Turns a kernel in C or C++ that is written with the vendor's TTI_ macros into a kernel file: "
    "compiles it natively, runs it, and records the words it emits with their source lines.\vThe "
    "source includes <tensix/ckernel_ops.h>, or <tensix/sfpi.hpp> for SFPI's style. Words of all "
    "other commands' findings and traces are "
    "then those of the source's lines. Loops, templates and 'if constexpr' are the compiler's "
    "affair: what is recorded is what they emit. A constant argument outside its field is an error "
    "of the compiler, another one an error of this command; nothing is written then.";

static error_t head_line(struct record_args *a, const char *directive, const char *value,
                         const char *quote)
{
    const size_t used = strlen(a->head);
    if (strpbrk(value, "\"\n\\") != NULL) {
        return cli_fail(a->cli, "%s: '%s' has a quote, a backslash or an end of line", directive,
                        value);
    }
    const int length = snprintf(a->head + used, sizeof a->head - used, "%s %s%s%s\n", directive,
                                quote, value, quote);
    return length < (int)(sizeof a->head - used) ? 0 : cli_fail(a->cli, "the head is too long");
}

/* -I DIR and -D NAME go on as they are. */
static error_t add_flag(struct record_args *a, const char *letter, const char *value)
{
    if (a->flag_count + 2 > MOST_ARGS) {
        return cli_fail(a->cli, "too many -I and -D");
    }
    a->flags[a->flag_count++] = letter;
    a->flags[a->flag_count++] = value;
    return 0;
}

static error_t parse_fuse(struct record_args *a, const char *arg)
{
    a->no_fuse = strcmp(arg, "none") == 0;
    return a->no_fuse || strcmp(arg, "mad") == 0
               ? 0
               : cli_fail(a->cli, "--fuse is none or mad, not '%s'", arg);
}

static error_t parse_head(struct record_args *a, int key, const char *arg)
{
    switch (key) {
    case KEY_TITLE:
        return head_line(a, ".title", arg, "\"");
    case KEY_DST:
        return head_line(a, ".dst", arg, "");
    case KEY_INPUTS:
        return head_line(a, ".inputs", arg, "");
    case KEY_OUTPUT:
        return head_line(a, ".output", arg, "");
    case KEY_REFERENCE:
        return head_line(a, ".reference", arg, "");
    default:
        return cli_common(a->cli, key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct record_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_INIT:
        a->init = arg;
        return 0;
    case KEY_TILE:
        a->tile = arg;
        return 0;
    case KEY_CXX:
        a->compiler = arg;
        return 0;
    case KEY_STD:
        a->standard = arg;
        return 0;
    case KEY_FUSE:
        return parse_fuse(a, arg);
    case 'o':
        a->out = arg;
        return 0;
    case 'v':
        a->verbose = true;
        return 0;
    case 'I':
        return add_flag(a, "-I", arg);
    case 'D':
        return add_flag(a, "-D", arg);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "source", arg, &a->file);
    default:
        return parse_head(a, key, arg);
    }
}

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

static void clean(const struct record_args *a)
{
    static const char *const names[] = {"main.c", "main.cc", "program", "kernel", "out", "err"};
    char path[320];
    for (size_t i = 0; i < sizeof names / sizeof names[0] && a->folder[0] != '\0'; i++) {
        scratch(a, names[i], path);
        unlink(path);
    }
    if (a->folder[0] != '\0') {
        rmdir(a->folder);
    }
}

/* In the child: never returns. */
static void become(const struct record_args *a, const char *const argv[])
{
    char path[320];
    scratch(a, "out", path);
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    scratch(a, "err", path);
    const int err = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const struct rlimit limit = {SECONDS, SECONDS};
    if (out >= 0 && err >= 0 && setrlimit(RLIMIT_CPU, &limit) == 0 &&
        setenv("LC_ALL", "C", 1) == 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(err, STDERR_FILENO) >= 0) {
        union {
            const char *const *in;
            char *const *out;
        } arguments = {argv}; /* execvp promises not to write */
        execvp(argv[0], arguments.out);
    }
    _exit(127);
}

/* Runs it with out and err as its streams; its wait status, or -1. */
static int run_program(const struct record_args *a, const char *const argv[])
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        become(a, argv);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return child > 0 ? status : -1;
}

/* ---- compile ---- */

static bool is_c(const char *file)
{
    const size_t length = strlen(file);
    return length > 2 && strcmp(file + length - 2, ".c") == 0;
}

/* "f" becomes "f()"; a call stays as it is. */
static void write_call(FILE *stream, const char *what, const char *section, const char *option)
{
    if (what != NULL) {
        fprintf(stream, "    tx_record_into(%s);\n#line 1 \"%s\"\n    %s%s;\n", section, option,
                what, strchr(what, '(') != NULL ? "" : "()");
    }
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
                    "    exit(1);\n}\n"
                    "int main(int argc, char **argv)\n{\n"
                    "    struct tx_recorder recorder;\n"
                    "    tx_recorder_open(&recorder, TX_RECORD_ARCH);\n"
                    "    recorder.stop = tell;\n");
    write_call(stream, a->init, "TX_RECORD_INIT", "--init");
    write_call(stream, a->tile, "TX_RECORD_TILE", "--tile");
    fprintf(stream, "    FILE *out = argc == 2 ? fopen(argv[1], \"w\") : NULL;\n"
                    "    const bool good = out != NULL && tx_recorder_write(&recorder, out) &&\n"
                    "        fclose(out) == 0;\n"
                    "    tx_recorder_close(&recorder);\n"
                    "    return good ? 0 : 1;\n}\n");
    return fclose(stream) == 0;
}

/* gcc writes "./a.cpp" for -include a.cpp. */
static const char *plain(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* "FILE:LINE" at the start of a line that speaks of the source. */
static unsigned line_of(const char *text, const char *file)
{
    const size_t length = strlen(plain(file));
    for (const char *p = text; p != NULL; p = strchr(p, '\n')) {
        p = plain(*p == '\n' ? p + 1 : p);
        if (strncmp(p, plain(file), length) == 0 && p[length] == ':' && p[length + 1] >= '1' &&
            p[length + 1] <= '9') {
            return (unsigned)strtoul(p + length + 1, NULL, 10);
        }
        if (*p == '\0') {
            break;
        }
    }
    return 0;
}

/*
 * The compiler's first error in one line, at the first line of the source that it names: gcc names
 * the line that instantiates before the error in the header, and there are no warnings (-w).
 */
static int tell_compiler(const struct record_args *a, const char *text)
{
    static const char word[] = "error: ";
    const char *error = strstr(text, word);
    struct cli_where where = {.file = a->file, .line = line_of(text, a->file)};
    if (a->verbose) {
        fputs(text, stderr);
    }
    if (error == NULL) {
        error = text[0] != '\0' ? text : "the compiler failed without a word";
    } else {
        error += strlen(word);
    }
    const int length = (int)strcspn(error, "\n");
    const char *check = strstr(error, "an argument is outside its field");
    /* What the three forms of the check look like: see TX_FIELD in ckernel_ops.h. */
    const bool outside = (check != NULL && check < error + length) ||
                         strncmp(error, "array size is negative", 22) == 0 ||
                         strncmp(error, "size of unnamed array is negative", 33) == 0;
    return outside ? cli_fail_at(a->cli, &where, "an argument is outside its field")
                   : cli_fail_at(a->cli, &where, "%.*s", length, error);
}

static char *read_scratch(const struct record_args *a, const char *name, size_t *length)
{
    char path[320];
    scratch(a, name, path);
    return cli_read_file(a->cli, path, length);
}

static int compile(const struct record_args *a, const char *program)
{
    const bool c = is_c(a->file);
    const char *set = getenv(c ? "CC" : "CXX");
    const char *compiler = a->compiler != NULL             ? a->compiler
                           : set != NULL && set[0] != '\0' ? set
                           : c                             ? "cc"
                                                           : "c++";
    char standard[40];
    char main_file[320];
    char include[512];
    char forwards[530];
    const char *argv[MOST_ARGS + 20];
    unsigned n = 0;
    snprintf(standard, sizeof standard, "-std=%s",
             a->standard != NULL ? a->standard
             : c                 ? "gnu17"
                                 : "gnu++17");
    scratch(a, c ? "main.c" : "main.cc", main_file);
    if (!write_main(a, main_file)) {
        return cli_fail(a->cli, "%s: %s", main_file, strerror(errno));
    }
    find_include(include);
    argv[n++] = compiler;
    argv[n++] = standard;
    argv[n++] = a->arch == TX_BLACKHOLE ? "-DTENSIX_ARCH_BLACKHOLE=1" : "-DTENSIX_ARCH_WORMHOLE=1";
    if (a->no_fuse) {
        argv[n++] = "-DTENSIX_FUSE_NONE=1";
    }
    if (include[0] != '\0') {
        snprintf(forwards, sizeof forwards, "%s/tensix/llk", include);
        argv[n++] = "-I";
        argv[n++] = include;
        argv[n++] = "-I";
        argv[n++] = forwards;
    }
    for (unsigned i = 0; i < a->flag_count; i++) {
        argv[n++] = a->flags[i];
    }
    if (!a->verbose) {
        argv[n++] = "-w";
    }
    argv[n++] = "-include";
    argv[n++] = a->file;
    argv[n++] = main_file;
    argv[n++] = "-o";
    argv[n++] = program;
    argv[n] = NULL;
    const int status = run_program(a, argv);
    if (status == 0) {
        return CLI_CONTINUE;
    }
    if (status < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        return cli_fail(a->cli, "the compiler '%s' cannot be run", compiler);
    }
    size_t length = 0;
    char *text = read_scratch(a, "err", &length);
    const int result = text != NULL ? tell_compiler(a, text) : CLI_INPUT;
    free(text);
    return result;
}

/* ---- run and write ---- */

static int run_recorded(const struct record_args *a, const char *program)
{
    char kernel[320];
    scratch(a, "kernel", kernel);
    const char *const argv[] = {program, kernel, NULL};
    const int status = run_program(a, argv);
    if (a->verbose) {
        size_t size = 0;
        char *said = read_scratch(a, "out", &size);
        fputs(said != NULL ? said : "", stderr);
        free(said);
    }
    if (status == 0) {
        return CLI_CONTINUE;
    }
    struct cli_where where = {.file = a->file};
    if (status > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return cli_fail_at(a->cli, &where, "the kernel did not end within %d seconds", SECONDS);
    }
    size_t length = 0;
    char *text = read_scratch(a, "err", &length);
    if (text == NULL) {
        return CLI_INPUT;
    }
    text[strcspn(text, "\n")] = '\0';
    const int result =
        text[0] != '\0' ? cli_fail(a->cli, "%s", text)
        : WIFSIGNALED(status)
            ? cli_fail_at(a->cli, &where, "the kernel was ended by signal %d", WTERMSIG(status))
            : cli_fail_at(a->cli, &where, "the kernel ended with status %d", WEXITSTATUS(status));
    free(text);
    return result;
}

/* The lines of the recording, .word lines with the disassembly in their place. */
static void write_kernel(const struct record_args *a, char *text, FILE *out)
{
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        static const char word[] = "    .word ";
        char dis[128];
        if (strncmp(line, word, strlen(word)) == 0) {
            (void)tx_disassemble(a->arch, (uint32_t)strtoul(line + strlen(word), NULL, 0),
                                 TX_DIS_NORMAL, dis, sizeof dis);
            fprintf(out, "    %s\n", dis);
        } else if (strncmp(line, ".file ", 6) == 0 && strchr(line, '"') != NULL) {
            const char *name = strchr(line, '"') + 1;
            fprintf(out, "%.*s%s\n", (int)(name - line), line, plain(name));
        } else if (line[0] != '\0') {
            fprintf(out, "%s\n%s", line, strncmp(line, ".arch", 5) == 0 ? a->head : "");
        }
    }
}

static int finish(const struct record_args *a, const char *text, size_t size)
{
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const enum tx_status status = tx_assemble(text, size, NULL, &program, &diag);
    if (status != TX_OK) {
        return cli_fail(a->cli, "the recording is no kernel: %s (%s)",
                        diag.message[0] != '\0' ? diag.message : tx_status_text(status),
                        diag.source);
    }
    int result = CLI_OK;
    if (a->out != NULL) {
        result = cli_write_file(a->cli, a->out, text, size);
    } else if (!a->cli->json) {
        fwrite(text, 1, size, stdout);
    }
    if (a->cli->json && result == CLI_OK) {
        json_t *root = json_object();
        json_object_set_new(root, "arch", json_string(tx_arch_name(program->arch)));
        json_object_set_new(root, "init",
                            json_integer((json_int_t)program->section[TX_SECTION_INIT].count));
        json_object_set_new(root, "tile",
                            json_integer((json_int_t)program->section[TX_SECTION_TILE].count));
        json_object_set_new(root, "kernel", json_string(text));
        json_dumpf(root, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(root);
    }
    tx_program_free(program);
    return result;
}

static int record(struct record_args *a)
{
    char program[320];
    const char *base = getenv("TMPDIR");
    base = base != NULL && base[0] != '\0' ? base : "/tmp";
    snprintf(a->folder, sizeof a->folder, "%.200s/tensix-record-XXXXXX", base);
    if (mkdtemp(a->folder) == NULL) {
        a->folder[0] = '\0';
        return cli_fail(a->cli, "no scratch folder in %s: %s", base, strerror(errno));
    }
    scratch(a, "program", program);
    int result = compile(a, program);
    if (result == CLI_CONTINUE) {
        result = run_recorded(a, program);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    size_t length = 0;
    char *raw = read_scratch(a, "kernel", &length);
    if (raw == NULL) {
        return CLI_INPUT;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        free(raw);
        return cli_fail(a->cli, "out of memory");
    }
    write_kernel(a, raw, memory);
    fclose(memory);
    result = finish(a, text, size);
    free(text);
    free(raw);
    return result;
}

int cmd_record(struct cli *cli, int argc, char **argv)
{
    struct record_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "FILE.cpp|FILE.c", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL || a.tile == NULL || a.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "%s; see 'tensix record --help'",
                        a.file == NULL   ? "no source given"
                        : a.tile == NULL ? "--tile FUNC is missing"
                                         : "--arch is missing");
    }
    struct cli_where where = {.file = a.file};
    if (access(a.file, R_OK) != 0) {
        return cli_fail_at(cli, &where, "%s", strerror(errno));
    }
    result = record(&a);
    clean(&a);
    return result;
}
