/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which engine runs tiles, and the compiler that makes machine code of a kernel. All engines give
 * the same results, bit for bit.
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
    TXL_ENGINE_AUTO,     /* the fast one where it can; compiled code where that pays */
    TXL_ENGINE_COMPILED, /* the fast engine's schedule as machine code */
    TXL_ENGINE_FAST,     /* many tiles through one schedule */
    TXL_ENGINE_REFERENCE /* a machine, cycle by cycle */
};

/* "auto", "compiled", "fast" or "reference"; NULL past the end. */
TXL_API const char *txl_engine_name(size_t index);
/* TXL_OK, or TXL_INPUT where the text is none of them. */
TXL_API int txl_engine_parse(struct txl_error *err, const char *text, enum txl_engine *engine);

/*
 * A C compiler and a directory that keeps what it has made, so that a kernel is compiled once.
 * What lies there is loaded and run: it is taken only where nobody but this user may write, and
 * files that are not whole are made anew. Threads may share one; the library starts the compiler as
 * a child process and blocks signals meanwhile. Code once loaded stays until the process ends.
 */
typedef struct txl_compiler txl_compiler;

struct txl_compiler_options {
    size_t size;         /* of this struct */
    const char *cache;   /* the directory, made where it is missing; NULL: nothing is compiled */
    bool make_parent;    /* the folder above it is made as well */
    const char *command; /* with options, as "cc -march=native"; NULL: cc, gcc or clang */
    const char *path;    /* folders in which it is looked for, as PATH; NULL: /usr/bin:/bin */
    char *const *environment; /* of the child, ended by NULL; NULL: PATH=/usr/bin:/bin */
};

/*
 * The compiler is asked for its version when something is to be compiled first. environment stays
 * the caller's and must live as long as the compiler; the other texts are copied. TXL_OK, or
 * TXL_INPUT.
 */
TXL_API int txl_compiler_open(struct txl_error *err, const struct txl_compiler_options *options,
                              txl_compiler **compiler);
TXL_API void txl_compiler_close(txl_compiler *compiler); /* NULL is nothing */
/*
 * Workers of fast that are opened from now on run compiled code. TXL_OK, or TXL_INPUT: no compiler,
 * no safe directory, or what the compiler said.
 */
TXL_API int txl_compile(struct txl_error *err, txl_compiler *compiler, tx_fast *fast);

#ifdef __cplusplus
}
#endif

#endif
