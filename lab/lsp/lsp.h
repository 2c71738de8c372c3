/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "lsp": the language server. server.c implements the protocol, document.c holds the texts and
 * converts positions, names.c finds what a text defines, words.c answers requests about the word
 * under the cursor, look.c and hints.c assemble and run. It may use the rooms before it, up to
 * race.
 */
#ifndef LAB_LSP_LSP_H
#define LAB_LSP_LSP_H

#include "base/error.h"

#include <tensix-lab/json.h>
#include <tensix-lab/lsp.h>

/* A file that the client has open. */
struct document {
    struct document *next;
    char *uri, *path; /* path: for a file: URI; else the URI, for messages */
    char *text;       /* length bytes, and a zero byte */
    size_t length;
    bool changed; /* changed since its diagnostics were sent */
};

/* Constants of the assembler on one chip: tx_asm_constants_at, which counts from the first. */
struct constants {
    const char **names; /* as it gives them */
    uint32_t *values;
    size_t count;
};

struct txl_lsp {
    struct txl_lsp_options how;
    struct document *documents;
    struct constants constants[TX_BLACKHOLE + 1]; /* by chip, when first asked for */
    /* Positions count bytes; else UTF-16 code units, which is the protocol's default. */
    bool utf8;
    bool initialized; /* the client has sent initialize */
    bool shutdown, ended;
};

/* ---- document.c ---- */

/* Finds an open document; NULL: it is not open. */
struct document *document_find(txl_lsp *lsp, const char *uri);
/* Sets the text of a document, length bytes, and opens it if necessary. NULL: no memory. */
struct document *document_put(txl_lsp *lsp, const char *uri, const char *text, size_t length);
void document_close(txl_lsp *lsp, const char *uri);
/* Convert "file:///a%20b.s" to a path, and back; the caller frees the result. NULL: no memory. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);

/* Returns a line, counted from 0, without its end; past the end of the text an empty one. */
const char *line_at(const char *text, size_t text_length, size_t line, size_t *length);
/* Converts the client's character position in a line to an offset in bytes. */
size_t byte_of(const txl_lsp *lsp, const char *line, size_t length, size_t character);
/* Converts an offset in bytes to the client's character position. */
size_t character_of(const txl_lsp *lsp, const char *line, size_t bytes);
/* Returns {"start", "end"} for a range of bytes in a line, which is counted from 0. */
txl_json *range_json(const txl_lsp *lsp, const struct document *d, size_t line, size_t from,
                     size_t to);

/* ---- names.c ---- */

enum name_kind { NAME_SECTION, NAME_THREAD, NAME_MACRO, NAME_VALUE, NAME_INCLUDE };
struct name {
    enum name_kind kind;
    size_t line;     /* counted from 0 */
    size_t from, to; /* position of the name in its line, in bytes */
    const char *text;
    size_t length;
};
/*
 * Reports everything that a text defines, in order and including duplicates, until the function
 * returns false. The assembler cannot be used for this: it stops at the first error, and a text
 * being edited usually has one.
 */
void names_in(const char *text, size_t length, bool (*each)(void *user, const struct name *name),
              void *user);
/*
 * The first returns what .arch states. The second returns the chip to use; without .arch the
 * server's default.
 */
enum tx_arch stated_arch(const char *text, size_t length);
enum tx_arch document_arch(const txl_lsp *lsp, const struct document *d);
/*
 * Finds the statement at a byte of the line, and returns the position and length of its first word.
 */
size_t first_word(const char *line, size_t length, size_t byte, size_t *word_length);
/*
 * Tells whether a character can be part of a name: letters, digits, '_', '.', and the colons of
 * p_sfpu::LREG1.
 */
bool name_character(char c);

/* ---- words.c: results of requests; NULL stands for null ---- */

txl_json *hover_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *completion_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *definition_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *symbols_json(txl_lsp *lsp, struct document *d);
void constants_free(txl_lsp *lsp);

/* ---- look.c, hints.c ---- */

/* Assembles a document. TXL_OK: the caller frees *program with tx_program_free. */
int document_assemble(const txl_lsp *lsp, const struct document *d, struct txl_error *err,
                      struct tx_program **program);
/* Returns an array of diagnostics. */
txl_json *diagnostics_json(txl_lsp *lsp, const struct document *d);
/* Returns an array of hints for lines first to before end. */
txl_json *hints_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end);

#endif
