/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles kernels for the tile's own cores with a RISC-V cross compiler. Each T core has 16 KiB of
 * L1 for its program, from the address at which reset lets it start, so that a program runs with or
 * without explicit start addresses. Source: spec/tile.md 2.2, 2.3, 12.1, 13.
 */
#include "kernel/record.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/program.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix/kernel/launch.h>

enum {
    THREADS = 3,
    KERNELS = 5, /* threads, and data movement on B and NC */
    WORDS = RECORD_FLAGS + 110,
    CODE_BYTES = 0x4000,
    MAILBOX = 0x1FFB8
};

static const char *const threads[THREADS] = {"UNPACK", "MATH", "PACK"};

struct cross {
    struct txl_cc_options how;
    const char *argv[WORDS];
    unsigned count;
    char text[60][4200]; /* words that had to be put together */
    unsigned texts;
    char source[4096], include[4096]; /* as words of the compiler */
};

static enum tx_core core_of(const struct txl_cc_options *how)
{
    return how->thread < THREADS    ? (enum tx_core)(TX_CORE_T0 + how->thread)
           : how->thread == THREADS ? TX_CORE_B
                                    : TX_CORE_NC;
}

static void cross_add(struct cross *c, const char *word)
{
    c->argv[c->count++] = word;
    c->argv[c->count] = NULL;
}

static void add_text(struct cross *c, const char *format, const char *name, uint32_t value)
{
    char *text = c->text[c->texts++];
    snprintf(text, sizeof c->text[0], format, name, (unsigned)value);
    cross_add(c, text);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/*
 * The words for a kernel in tt-metal's headers: where these are, and what they want to be told
 * (tt-metal, jit_build/build.cpp and llrt/hal: which folders and which macros).
 */
static void metal_words(struct cross *c)
{
    static const char *const folders[] = {"",
                                          "/ttnn",
                                          "/ttnn/cpp",
                                          "/tt_metal",
                                          "/tt_metal/hw/inc",
                                          "/tt_metal/tt-llk/common",
                                          "/tt_metal/tt-llk/tools/include",
                                          "/tt_metal/hostdevcommon/api",
                                          "/tt_metal/api",
                                          "/tt_metal/hw/inc/internal/tt-1xx",
                                          "/tt_metal/hw/firmware/src/tt-1xx"};
    static const char *const own[] = {"-I%s/tt_metal/hw/ckernels/%s/metal/common",
                                      "-I%s/tt_metal/hw/ckernels/%s/metal/llk_io",
                                      "-I%s/tt_metal/hw/ckernels/%s/metal/llk_api",
                                      "-I%s/tt_metal/hw/ckernels/%s/metal/llk_api/llk_sfpu",
                                      "-I%s/tt_metal/tt-llk/tt_llk_%s/common/inc",
                                      "-I%s/tt_metal/tt-llk/tt_llk_%s/llk_lib",
                                      "-I%s/tt_metal/tt-llk/tt_llk_%s/llk_lib/hal",
                                      "-I%s/tt_metal/hw/inc/internal/tt-1xx/%.9s",
                                      "-I%s/tt_metal/hw/inc/internal/tt-1xx/%.9s/noc"};
    static const char *const always[] = {"-std=c++17",
                                         "-ftt-nttp",
                                         "-ftt-constinit",
                                         "-ftt-consteval",
                                         "-ffast-math",
                                         "-fno-finite-math-only",
                                         "-fsigned-zeros",
                                         "-fno-associative-math",
                                         "-fno-tree-loop-distribute-patterns",
                                         "-ffunction-sections",
                                         "-fdata-sections",
                                         "-Wl,--gc-sections",
                                         "-DTENSIX_FIRMWARE",
                                         "-DLOCAL_MEM_EN=0",
                                         "-DKERNEL_BUILD",
                                         "-DNOC_MODE=0",
                                         "-DPROGRAMMABLE_CORE_TYPE=0",
                                         "-DDISPATCH_MESSAGE_ADDR=0",
                                         "-Wl,--defsym=__instrn_buffer=0xFFE40000"};
    static const char *const uses[] = {"UCK_CHLKC_UNPACK", "UCK_CHLKC_MATH", "UCK_CHLKC_PACK",
                                       "COMPILE_FOR_BRISC", "COMPILE_FOR_NCRISC"};
    static const char *const parts[] = {"TRISC_UNPACK", "TRISC_MATH", "TRISC_PACK"};
    const struct txl_cc_options *how = &c->how;
    const bool bh = how->arch == TX_BLACKHOLE;
    const char *chip = bh ? "blackhole" : "wormhole_b0";
    for (unsigned i = 0; i < sizeof always / sizeof always[0]; i++) {
        cross_add(c, always[i]);
    }
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char *text = c->text[c->texts++];
        snprintf(text, sizeof c->text[0], "-I%s%s", how->metal, folders[i]);
        cross_add(c, text);
    }
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++) {
        char *text = c->text[c->texts++];
        const bool short_name = strstr(own[i], "%.9s") != NULL;
        snprintf(text, sizeof c->text[0], own[i], how->metal,
                 short_name && !bh ? "wormhole" : chip);
        cross_add(c, text);
    }
    char *defines = c->text[c->texts++];
    snprintf(defines, sizeof c->text[0], "-I%s/tt_metal/hw/inc/internal/tt-1xx/%s/%s_defines",
             how->metal, bh ? "blackhole" : "wormhole", chip);
    cross_add(c, defines);
    add_text(c, "-I%s/include%.0u", how->sfpi, 0);
    cross_add(c, bh ? "-DARCH_BLACKHOLE" : "-DARCH_WORMHOLE");
    add_text(c, "-D%s%.0u", uses[how->thread], 0);
    if (how->thread < THREADS) {
        add_text(c, "-D%s%.0u", parts[how->thread], 0);
    }
    /* data movement 0, 1, then the threads */
    add_text(c, "-DPROCESSOR_INDEX%.0s=%u", "",
             how->thread < THREADS ? how->thread + 2 : how->thread - THREADS);
    char *kernel = c->text[c->texts++];
    snprintf(kernel, sizeof c->text[0], "-DTX_KERNEL_FILE=\"%s\"", how->source);
    cross_add(c, kernel);
    add_text(c,
             how->llk ? "%s/tensix/kernel/metal/llk.cpp%.0u" : "%s/tensix/kernel/metal/run.cpp%.0u",
             c->include, 0);
}

/* The words of every call: what the code is to be. */
static void options(struct cross *c)
{
    /* "ttinsn" words become constants only by inlining, so optimization is needed. */
    static const char *const always[] = {"-mabi=ilp32",
                                         "-O2",
                                         "-ffreestanding",
                                         "-fno-asynchronous-unwind-tables",
                                         "-nostdlib",
                                         "-nostartfiles",
                                         "-msmall-data-limit=64",
                                         "-g",
                                         "-frandom-seed=0",
                                         "-fdebug-prefix-map=" PROGRAM_WORKING_FOLDER "=.",
                                         "-Wl,-z,max-page-size=16",
                                         "-Wl,--no-warn-rwx-segments",
                                         "-Wl,--build-id=none"};
    static const char *const cpp[] = {"-std=gnu++17", "-fno-exceptions", "-fno-rtti",
                                      "-fno-use-cxa-atexit", "-fno-threadsafe-statics"};
    const struct txl_cc_options *how = &c->how;
    const bool bh = how->arch == TX_BLACKHOLE;
    const char *include = program_word(how->include, c->include, sizeof c->include);
    const bool plain = ends_in(how->source, ".c") || ends_in(how->source, ".S");
    const char *program = how->compiler != NULL ? how->compiler
                          : plain               ? "riscv64-unknown-elf-gcc"
                                                : "riscv64-unknown-elf-g++";
    if (how->sfpi != NULL) {
        add_text(c, "%s/compiler/bin/riscv-tt-elf-g++%.0u", how->sfpi, 0);
        add_text(c, how->thread < THREADS ? "-mcpu=%s-tensix%.0u" : "-mcpu=%s%.0u",
                 bh ? "tt-bh" : "tt-wh", 0);
    } else {
        cross_add(c, program);
        cross_add(c, bh ? "-march=rv32im_zicsr_zba_zbb" : "-march=rv32im");
    }
    for (unsigned i = 0; i < sizeof always / sizeof always[0]; i++) {
        cross_add(c, always[i]);
    }
    for (unsigned i = how->metal != NULL ? 1 : 0; !plain && i < sizeof cpp / sizeof cpp[0]; i++) {
        cross_add(c, cpp[i]);
    }
    cross_add(c, how->say != NULL ? "-Wall" : "-w");
    cross_add(c, bh ? "-DTENSIX_ARCH_BLACKHOLE=1" : "-DTENSIX_ARCH_WORMHOLE=1");
    for (unsigned t = 0; t < THREADS; t++) {
        add_text(c, "-DTENSIX_%s=%u", threads[t], t == how->thread);
    }
    if (how->thread < THREADS) {
        add_text(c, "-DCOMPILE_FOR_TRISC%.0s=%u", "", how->thread);
    }
    add_text(c, "-DTENSIX_DATA_MOVEMENT%.0s=%u", "", how->thread >= THREADS);
    add_text(c, "-DTENSIX_CORE%.0s=%u", "", core_of(how));
    add_text(c, "-DTENSIX_BLACKHOLE%.0s=%u", "", bh);
    cross_add(c, "-I");
    cross_add(c, include);
    for (unsigned i = 0; i < how->flag_count; i++) {
        cross_add(c, how->flags[i]);
    }
}

/* A source in assembler, to the object. */
static void assemble_words(struct cross *c, const char *object)
{
    options(c);
    cross_add(c, "-c");
    cross_add(c, program_word(c->how.source, c->source, sizeof c->source));
    cross_add(c, "-o");
    cross_add(c, object);
}

static void link_words(struct cross *c, const char *source, const char *program)
{
    const struct txl_cc_options *how = &c->how;
    const char *include = program_word(how->include, c->include, sizeof c->include);
    options(c);
    if (how->metal != NULL) {
        snprintf(c->include, sizeof c->include, "%s", include);
        metal_words(c);
    } else {
        cross_add(c, program_word(source, c->source, sizeof c->source));
    }
    add_text(c, "%s/tensix/kernel/start.S%.0u", include, 0);
    cross_add(c, "-T");
    add_text(c, "%s/tensix/kernel/kernel.ld%.0u", include, 0);
    const enum tx_core core = core_of(how);
    const uint32_t done = TX_LAUNCH + (uint32_t)offsetof(struct tx_launch, done);
    add_text(c, "-Wl,--defsym=%s=0x%x", "TX_CODE",
             how->placed ? TX_LAUNCH_CODE + TX_LAUNCH_CODE_BYTES * core : tx_core_start(core));
    add_text(c, "-Wl,--defsym=%s=0x%x", "TX_CODE_SIZE",
             how->placed ? TX_LAUNCH_CODE_BYTES : CODE_BYTES);
    add_text(c, "-Wl,--defsym=%s=0x%x", "TX_LOCAL_SIZE", tx_core_local_size(how->arch, core));
    add_text(c, "-Wl,--defsym=%s=0x%x", "__mailbox",
             how->placed ? done + 4 * core : MAILBOX + 4 * how->thread);
    cross_add(c, "-lgcc");
    cross_add(c, "-o");
    cross_add(c, program);
}

static int check(struct txl_error *err, const struct txl_cc_options *how)
{
    const struct txl_where where = {.file = how->source};
    char start[320];
    if (how->arch == TX_ARCH_NONE || how->source == NULL || how->out == NULL ||
        how->include == NULL || how->thread >= KERNELS) {
        return txl_fail(err, "%s is missing",
                        how->arch == TX_ARCH_NONE ? "the chip"
                        : how->source == NULL     ? "the source"
                        : how->out == NULL        ? "the output"
                        : how->include == NULL    ? "the folder of tensix/kernel"
                                                  : "which thread it is for");
    }
    const char *name = strrchr(how->source, '/');
    if ((name != NULL ? name + 1 : how->source)[0] == '@') {
        /* gcc gives the name without its folder to its own parts. */
        return txl_fail_at(err, &where, "the compiler would take that name for a file of options");
    }
    if (access(how->source, R_OK) != 0) {
        return txl_fail_at(err, &where, "%s", strerror(errno));
    }
    const int n = snprintf(start, sizeof start, "%s/tensix/kernel/start.S", how->include);
    if (n < 0 || (size_t)n >= sizeof start - 64 || access(start, R_OK) != 0) {
        return txl_fail(err, "%s has no tensix/kernel", how->include);
    }
    if (how->metal != NULL && (how->sfpi == NULL || (!how->placed && !how->llk))) {
        return txl_fail(err, "kernels in tt-metal's headers want the vendor's compiler, and are "
                             "placed by tensix chip run");
    }
    if (how->llk && (how->metal == NULL || how->thread >= THREADS)) {
        return txl_fail(err, "tt-llk's headers are those of tt-metal, for threads");
    }
    return record_check_flags(err, how->flags, how->flag_count);
}

/*
 * An object that assembler made does not name its source, so that the linker writes the object's
 * name into the symbol table: it must not be one of the compiler's own, which are random.
 */
static int compile(struct cross *c, struct txl_record *r, const char *program)
{
    char object[340];
    if (!ends_in(c->how.source, ".S")) {
        link_words(c, c->how.source, program);
        return record_compiler(r, c->argv);
    }
    snprintf(object, sizeof object, "%s/source.o", r->folder);
    assemble_words(c, object);
    int result = record_compiler(r, c->argv);
    if (result == TXL_OK) {
        c->count = c->texts = 0;
        link_words(c, object, program);
        result = record_compiler(r, c->argv);
    }
    return result;
}

static int cross_put(struct txl_error *err, const char *program, const char *out)
{
    size_t size = 0;
    char *bytes = txl_read_file(err, program, &size);
    const int result = bytes != NULL ? txl_write_file(err, out, bytes, size) : TXL_INPUT;
    free(bytes);
    return result;
}

/* Returns the value of a variable, or NULL where it is not set or empty. */
static const char *variable(char *const *environment, const char *name)
{
    const size_t length = strlen(name);
    for (; environment != NULL && *environment != NULL; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
            const char *value = *environment + length + 1;
            return value[0] != '\0' ? value : NULL;
        }
    }
    return NULL;
}

static bool has_compiler(const char *folder, const char *beneath, char path[4096])
{
    char program[4200];
    const int n = snprintf(path, 4096, "%s%s", folder, beneath);
    snprintf(program, sizeof program, "%s/compiler/bin/riscv-tt-elf-g++", path);
    return n > 0 && n < 4000 && access(program, X_OK) == 0;
}

int txl_sfpi(struct txl_error *err, const char *given, char *const *environment, char path[4096])
{
    const char *home = variable(environment, "SFPI_HOME");
    const char *metal = variable(environment, "TT_METAL_HOME");
    if (given != NULL) {
        return has_compiler(given, "", path)
                   ? TXL_OK
                   : txl_fail_option(err, NULL, "sfpi", "'%s' has no compiler/bin/riscv-tt-elf-g++",
                                     given);
    }
    if ((home != NULL && has_compiler(home, "", path)) ||
        (metal != NULL && has_compiler(metal, "/runtime/sfpi", path)) ||
        has_compiler("/opt/tenstorrent/sfpi", "", path)) {
        return TXL_OK;
    }
    return txl_fail_option(err, NULL, "sfpi",
                           "the vendor's compiler is neither in SFPI_HOME nor in "
                           "TT_METAL_HOME/runtime/sfpi nor in /opt/tenstorrent/sfpi");
}

int txl_cc(struct txl_error *err, const struct txl_cc_options *options)
{
    struct cross *c = zeroed(err, 1, sizeof *c);
    struct txl_record *r = zeroed(err, 1, sizeof *r);
    int result =
        c != NULL && r != NULL ? options_take(err, &c->how, sizeof c->how, options) : TXL_INPUT;
    result = result == TXL_CONTINUE
                 ? options_reserved(err, c->how.reserved_too, sizeof c->how.reserved_too)
                 : result;
    result = result == TXL_CONTINUE ? check(err, &c->how) : result;
    if (result == TXL_OK) {
        r->err = err;
        r->how.source = c->how.source;
        r->how.scratch = c->how.scratch;
        r->how.environment = c->how.environment;
        r->how.say = c->how.say;
        r->how.progress = c->how.progress;
        r->how.user = c->how.user;
        result = record_folder(r);
    }
    if (result == TXL_OK) {
        char program[340];
        snprintf(program, sizeof program, "%s/program", r->folder);
        result = compile(c, r, program);
        result = result == TXL_OK ? cross_put(err, program, c->how.out) : result;
    }
    if (r != NULL) {
        record_clean(r);
    }
    free(r);
    free(c);
    return result;
}
