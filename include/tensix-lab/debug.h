/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger of a kernel, or of programs of a tile's cores, that goes forwards and backwards in
 * time. It is told what to do in lines of text, as docs/debug.md has them, and answers in text, in
 * JSON, or in both.
 *
 *     txl_debug *debug;
 *     char *text;
 *     if (txl_debug_open(&err, program, &run, NULL, &debug) == TXL_OK &&
 *         txl_debug_do(&err, debug, "break sfpmad", &text, NULL) == TXL_OK) {
 *         fputs(text, stdout);
 *     }
 */
#ifndef TENSIX_LAB_DEBUG_H
#define TENSIX_LAB_DEBUG_H

#include <tensix-lab/json.h>
#include <tensix-lab/run.h>
#include <tensix-lab/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_debug txl_debug;

struct txl_debug_options {
    size_t size;
    uint64_t tile, tiles;  /* of a kernel: the first, and how many; 0: all that there are */
    uint64_t history;      /* bytes for the way back; 0: 256 MiB */
    txl_progress progress; /* while it runs, in cycles; false interrupts, and it stands there */
    void *user;
};

/*
 * A kernel with what run says of its inputs; where it takes arrays and none are given, numbers are
 * drawn by its seed. No output is written. path: of the kernel's text, for its lines; NULL: they
 * are not shown. TXL_OK, or TXL_INPUT; *debug is NULL then. program must stay until
 * txl_debug_close, and so must what run and tile point to. options may be NULL.
 */
TXL_API int txl_debug_open(struct txl_error *err, const struct tx_program *program,
                           const char *path, const struct txl_run_options *run,
                           const struct txl_debug_options *options, txl_debug **debug);
/* Programs of a tile's cores. */
TXL_API int txl_debug_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                                const struct txl_debug_options *options, txl_debug **debug);
TXL_API void txl_debug_close(txl_debug *debug); /* NULL is nothing */

/*
 * One command; an empty line is the last one again. TXL_OK: *text is for free(), *json, an object,
 * for txl_json_free(); either may be NULL. TXL_INPUT: it is none, or cannot be done, err says why
 * and nothing has changed. TXL_CANCELLED: progress has interrupted it, and where it stands is in
 * the answer, as with TXL_OK.
 */
TXL_API int txl_debug_do(struct txl_error *err, txl_debug *debug, const char *line, char **text,
                         txl_json **json);
/* Whether quit was among the commands. */
TXL_API bool txl_debug_ended(const txl_debug *debug);
/* What can be written here instead of the last word of a line that is not whole: the index-th, or
 * NULL. It holds until the next call. */
TXL_API const char *txl_debug_complete(txl_debug *debug, const char *line, size_t index);

/*
 * ---- a screen of text ----
 *
 * Source, pipeline, a pane of registers or of whatever command was chosen for it ("pane dst"), the
 * answers, and a line to write commands on: rows of characters with attributes, for a terminal.
 */
typedef struct txl_debug_screen txl_debug_screen;
TXL_API int txl_debug_screen_open(struct txl_error *err, txl_debug *debug,
                                  txl_debug_screen **screen);
TXL_API void txl_debug_screen_close(txl_debug_screen *screen); /* NULL is nothing */

/* Keys that are no characters. */
enum txl_debug_key {
    TXL_KEY_ENTER = 256,
    TXL_KEY_BACKSPACE,
    TXL_KEY_DELETE,
    TXL_KEY_LEFT, /* on an empty line: back by one instruction; right: on by one */
    TXL_KEY_RIGHT,
    TXL_KEY_UP, /* to earlier commands, and down again */
    TXL_KEY_DOWN,
    TXL_KEY_HOME,
    TXL_KEY_END,
    TXL_KEY_PAGE_UP, /* to earlier answers */
    TXL_KEY_PAGE_DOWN,
    TXL_KEY_TAB,  /* completes; on an empty line: another pane */
    TXL_KEY_CLEAR /* the line that is being written goes */
};
/* A key, or a character of ASCII. TXL_OK; TXL_INPUT without memory. What a command says that was
 * refused stands on the screen. */
TXL_API int txl_debug_screen_key(struct txl_error *err, txl_debug_screen *screen, int key);

enum txl_debug_look {
    TXL_LOOK_PLAIN,
    TXL_LOOK_TITLE, /* a line over a pane */
    TXL_LOOK_NEXT,  /* what is done next */
    TXL_LOOK_NEW,   /* is not what it was before the last command */
    TXL_LOOK_WAIT,  /* a stall */
    TXL_LOOK_WRONG, /* a finding, a fault, an error */
    TXL_LOOK_COMMAND
};
/*
 * The screen as rows * columns characters of ASCII, and for each of them its look; where the cursor
 * is. At least 8 rows of 40 columns: TXL_INPUT where they are fewer, or memory ends.
 */
TXL_API int txl_debug_screen_draw(struct txl_error *err, txl_debug_screen *screen, unsigned rows,
                                  unsigned columns, char *text, unsigned char *looks, unsigned *row,
                                  unsigned *column);

#ifdef __cplusplus
}
#endif

#endif
