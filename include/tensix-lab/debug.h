/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger for a kernel, or for programs on a tile's cores, that can run forwards and backwards.
 * It takes commands as lines of text (docs/debug.md) and answers with text, JSON, or both.
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
    uint64_t tile, tiles;  /* kernels only: the first tile, and how many; 0: all */
    uint64_t history;      /* bytes kept for going backwards; 0: 256 MiB */
    txl_progress progress; /* in cycles; returning false interrupts the run where it is */
    void *user;
};

/*
 * Opens a kernel with the inputs that run describes. Where it takes arrays and run gives none,
 * random numbers are drawn with run's seed. Nothing is written to output files. path names the
 * kernel's text so that source lines can be shown; NULL: they are not. options may be NULL. Returns
 * TXL_OK, or TXL_INPUT with *debug NULL. program and whatever run points to must stay valid until
 * txl_debug_close.
 */
TXL_API int txl_debug_open(struct txl_error *err, const struct tx_program *program,
                           const char *path, const struct txl_run_options *run,
                           const struct txl_debug_options *options, txl_debug **debug);
/* The same for programs on a tile's cores; what tile points to must stay valid. */
TXL_API int txl_debug_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                                const struct txl_debug_options *options, txl_debug **debug);
/*
 * The same for a tile of a chip, which txl_chip_attach has handed to its visitor: steps run the
 * whole chip, and going back takes all of it back. It must be closed before the visitor returns.
 */
TXL_API int txl_debug_open_attached(struct txl_error *err, txl_tensix *tile,
                                    const struct txl_debug_options *options, txl_debug **debug);
TXL_API void txl_debug_close(txl_debug *debug); /* NULL is nothing */

/*
 * Executes one command; an empty line repeats the last one. Returns:
 * TXL_OK: *text is the answer, which the caller frees, and *json the same as an object, for
 * txl_json_free; pass NULL for either that is not wanted.
 * TXL_INPUT: there is no such command or it cannot be done; err says why, and nothing has changed.
 * TXL_CANCELLED: progress has interrupted it; the answer tells where execution stands, as with
 * TXL_OK.
 */
TXL_API int txl_debug_do(struct txl_error *err, txl_debug *debug, const char *line, char **text,
                         txl_json **json);
/* Tells whether the command "quit" was given. */
TXL_API bool txl_debug_ended(const txl_debug *debug);
/*
 * Completion: returns the index-th word that can replace the last, unfinished word of line, or NULL
 * past the end. The text is valid until the next call.
 */
TXL_API const char *txl_debug_complete(txl_debug *debug, const char *line, size_t index);

/*
 * ---- a screen of text ----
 *
 * The debugger as a full-screen terminal program: source, pipeline, a pane with registers or with
 * the output of any command chosen for it ("pane dst"), the answers, and a command line. The screen
 * is drawn into rows of characters with attributes; the caller shows them.
 */
typedef struct txl_debug_screen txl_debug_screen;
TXL_API int txl_debug_screen_open(struct txl_error *err, txl_debug *debug,
                                  txl_debug_screen **screen);
TXL_API void txl_debug_screen_close(txl_debug_screen *screen); /* NULL is nothing */

/* Keys that are not characters. */
enum txl_debug_key {
    TXL_KEY_ENTER = 256,
    TXL_KEY_BACKSPACE,
    TXL_KEY_DELETE,
    TXL_KEY_LEFT, /* on an empty command line: one instruction back; right: one forward */
    TXL_KEY_RIGHT,
    TXL_KEY_UP, /* recalls earlier commands; down: later ones */
    TXL_KEY_DOWN,
    TXL_KEY_HOME,
    TXL_KEY_END,
    TXL_KEY_PAGE_UP, /* scrolls to earlier answers */
    TXL_KEY_PAGE_DOWN,
    TXL_KEY_TAB,  /* completes a word; on an empty command line: next pane */
    TXL_KEY_CLEAR /* empties the command line */
};
/*
 * Handles a key of enum txl_debug_key or an ASCII character. Returns TXL_OK, or TXL_INPUT without
 * memory. A command that was refused shows its message on the screen.
 */
TXL_API int txl_debug_screen_key(struct txl_error *err, txl_debug_screen *screen, int key);

enum txl_debug_look {
    TXL_LOOK_PLAIN,
    TXL_LOOK_TITLE, /* heading of a pane */
    TXL_LOOK_NEXT,  /* the instruction that executes next */
    TXL_LOOK_NEW,   /* changed by the last command */
    TXL_LOOK_WAIT,  /* a stall */
    TXL_LOOK_WRONG, /* a finding, a fault, an error */
    TXL_LOOK_COMMAND
};
/*
 * Draws the screen as rows * columns ASCII characters in text, with an enum txl_debug_look for each
 * in looks, and the cursor's position in *row and *column. Returns TXL_INPUT where there are fewer
 * than 8 rows or 40 columns, or without memory.
 */
TXL_API int txl_debug_screen_draw(struct txl_error *err, txl_debug_screen *screen, unsigned rows,
                                  unsigned columns, char *text, unsigned char *looks, unsigned *row,
                                  unsigned *column);

#ifdef __cplusplus
}
#endif

#endif
