/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every public header shares: version, visibility, chips, status codes, the categories of
 * findings and faults. All functions of the library are re-entrant; a machine must be used by one
 * thread at a time, and different machines share nothing.
 */
#ifndef TENSIX_BASE_H
#define TENSIX_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TX_VERSION_MAJOR 0
#define TX_VERSION_MINOR 1
#define TX_VERSION_PATCH 0
#define TX_VERSION_STRING "0.1.0"
/* Raised whenever a released binary interface changes; part of the SONAME. */
#define TX_ABI 0

#if defined(TX_BUILDING_SHARED) && defined(__GNUC__)
#define TX_API __attribute__((visibility("default")))
#else
#define TX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Structs that may grow do so at their end, so that a library and a program of different versions
 * work together. A struct that the caller owns is passed with its size in the caller's version:
 * functions whose name ends in _sized take the size, and the same name without the ending is an
 * inline function that passes it. What a newer caller's struct has in addition must be zero, which
 * means "as before"; otherwise TX_EINVAL. Fields that an older caller's struct lacks have their
 * defaults. Structs that the library owns and shows to callers have a field size or struct_size, or
 * are entries of a table. docs/decisions/0006.
 */

enum {
    TX_LANES = 32,
    TX_COLUMNS = 8, /* lanes in a row of an LReg; lane = 8 * row + column */
    TX_LREGS = 17,  /* L0..L15 and L16, which only scheduled instructions reach */
    TX_DST_ROWS = 1024,
    TX_SRC_ROWS = 64,  /* of a bank of SrcA or SrcB */
    TX_DST_WIDTH = 16, /* 16-bit cells in a row */
    TX_THREADS = 3,
    TX_GPRS = 64,
    TX_TILE_ELEMENTS = 1024 /* a 32x32 tile */
};

/* Bits of a chip set are 1 << tx_arch. */
enum tx_arch { TX_ARCH_NONE = 0, TX_WORMHOLE = 1, TX_BLACKHOLE = 2 };

enum tx_status {
    TX_OK = 0,
    TX_FAULT,  /* the machine stopped: tx_fault() says why */
    TX_EINVAL, /* an argument is outside what the function states */
    TX_ENOMEM,
    TX_EPARSE, /* text could not be parsed: the diagnostic says where */
    TX_ELIMIT, /* a stated limit was reached before the work was done */
    TX_ENOENT, /* no such name */
    TX_EUNSUPPORTED,
    TX_EDEADLOCK /* every thread waits for something that no other thread or unit will do */
};

/* Kinds of findings; the terms are those of the ISA documentation's glossary. */
enum tx_category {
    TX_NONE = 0,
    TX_UNDEFINED_BEHAVIOR,
    TX_UNPREDICTABLE_VALUE,
    TX_NON_CONTRACTUAL_BEHAVIOR,
    TX_MISSING_SPECIFICATION,
    TX_UNSUPPORTED,
    TX_HAZARD,
    TX_CATEGORY_COUNT
};

TX_API const char *tx_version(void);
TX_API int tx_abi(void);

/*
 * Accepts every spelling in use, in any case: bh, blackhole, BlackholeA0, tt-bh, tt-bh-tensix; wh,
 * wormhole, wormhole_b0, WormholeB0, tt-wh ... Returns TX_OK, TX_ENOENT for an unknown word, or
 * TX_EUNSUPPORTED for chips that exist and are not modelled (quasar, qsr, grayskull).
 */
TX_API enum tx_status tx_arch_parse(const char *text, enum tx_arch *arch);
TX_API const char *tx_arch_name(enum tx_arch arch);  /* "blackhole", "wormhole_b0" */
TX_API const char *tx_arch_short(enum tx_arch arch); /* "bh", "wh" */

/*
 * Parses and names Tensix threads, by number or by what kernels use them for: 0 unpack, 1 math, 2
 * pack. TX_ENOENT: none of these. The name of any other number is "?".
 */
TX_API enum tx_status tx_thread_parse(const char *text, unsigned *thread);
TX_API const char *tx_thread_name(unsigned thread);

TX_API const char *tx_status_text(enum tx_status status);
TX_API const char *tx_category_name(enum tx_category category); /* "UndefinedBehavior" ... */
TX_API enum tx_status tx_category_parse(const char *text, enum tx_category *category);

#ifdef __cplusplus
}
#endif

#endif
