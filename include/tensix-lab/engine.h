/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the engine that executes tiles, and manages the compiler that turns a kernel into machine
 * code. All engines give the same results, bit for bit.
 */
#ifndef TENSIX_LAB_ENGINE_H
#define TENSIX_LAB_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <tensix-lab/base.h>
#include <tensix/fast.h>

#ifdef __cplusplus
extern "C" {
#endif

enum txl_engine {
    TXL_ENGINE_AUTO,     /* fast where it supports the kernel, compiled where that pays */
    TXL_ENGINE_COMPILED, /* the fast engine's schedule as machine code */
    TXL_ENGINE_FAST,     /* many tiles through one precomputed schedule */
    TXL_ENGINE_REFERENCE /* simulates the machine cycle by cycle */
};

/* "auto", "compiled", "fast" or "reference"; NULL past the end. */
TXL_API const char *txl_engine_name(size_t index);
/* Parses an engine's name. Returns TXL_OK, or TXL_INPUT where it is none. */
TXL_API int txl_engine_parse(struct txl_error *err, const char *text, enum txl_engine *engine);

/*
 * A C compiler together with a cache directory for its output, so that each kernel is compiled only
 * once. Files in the cache are loaded and executed, so the directory is refused where anyone but
 * this user may write, and incomplete files are compiled again. Threads may share one txl_compiler.
 * The library runs the compiler as a child process and blocks signals meanwhile. Loaded code stays
 * until the process ends.
 */
typedef struct txl_compiler txl_compiler;

struct txl_compiler_options {
    size_t size;       /* of this struct */
    const char *cache; /* cache directory, created if missing; NULL: nothing is compiled */
    bool make_parent;  /* create its parent folder as well */
    /* command with options, such as "cc -march=native"; NULL: cc, gcc or clang */
    const char *command;
    const char *path;         /* search path for the command, as PATH; NULL: /usr/bin:/bin */
    char *const *environment; /* of the child process, ended by NULL; NULL: PATH=/usr/bin:/bin */
};

/*
 * Creates the object; the compiler itself is first started, and asked for its version, when there
 * is something to compile. environment is not copied and must live as long as the compiler; other
 * texts are copied. Returns TXL_OK or TXL_INPUT.
 */
TXL_API int txl_compiler_open(struct txl_error *err, const struct txl_compiler_options *options,
                              txl_compiler **compiler);
TXL_API void txl_compiler_close(txl_compiler *compiler); /* NULL is nothing */
/*
 * Compiles the kernel of fast: workers of it that are opened from now on execute compiled code.
 * Returns TXL_OK, or TXL_INPUT where there is no compiler or no safe directory, or compilation
 * failed; err has the compiler's message.
 */
TXL_API int txl_compile(struct txl_error *err, txl_compiler *compiler, tx_fast *fast);

#ifdef __cplusplus
}
#endif

#endif
