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
/* A word of a statement, outside comments and quotes. */
struct word {
    size_t line;     /* counted from 0 */
    size_t from, to; /* its position in the line, in bytes */
    const char *text;
    size_t length;
    bool parameter;    /* behind a backslash: a macro's parameter is used */
    const char *first; /* the first word of its statement */
    size_t first_length;
};
/* Reports every word of a text, in order, until the function returns false. */
void words_in(const char *text, size_t length, bool (*each)(void *user, const struct word *word),
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

/* ---- files.c ---- */

/*
 * Reports the document and then the files that it includes, in their order, until the function
 * returns false. Of a file that is included only path, text and length are set.
 */
void files_of(txl_lsp *lsp, const struct document *d,
              bool (*each)(void *user, const struct document *there), void *user);
/*
 * Returns the path of an included file by the assembler's rule: in the folder of the including file
 * or below. The caller frees it; NULL where there is none.
 */
char *included_path(const char *from, const char *name, size_t length);

/* ---- words.c: results of requests; NULL stands for null ---- */

txl_json *hover_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *completion_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *definition_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
txl_json *symbols_json(txl_lsp *lsp, struct document *d);
/* Finds the name around a byte of a line; returns false where there is none. */
bool word_at(const char *line, size_t length, size_t byte, size_t *from, size_t *to);
/* Returns {"uri", "range"} of a range of bytes in a line of the text that stands under the path. */
txl_json *location_json(const txl_lsp *lsp, const char *path, const struct document *d, size_t line,
                        size_t from, size_t to);
/* Tells whether the vendor has defined the name on that chip. */
bool is_constant(txl_lsp *lsp, enum tx_arch arch, const char *word);
void constants_free(txl_lsp *lsp);

/* ---- signature.c, rename.c ---- */

txl_json *signature_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);
/* declaration: the place of the definition is listed, too. */
txl_json *references_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte,
                          bool declaration);
/* Returns a WorkspaceEdit, or NULL and a sentence that says why there is none. */
txl_json *rename_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte, const char *name,
                      const char **why);
/* Returns the range of the name that can be renamed there, or NULL. */
txl_json *renamable_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte);

/* ---- look.c, actions.c, hints.c ---- */

enum seen_kind {
    SEEN_ERROR, /* the assembler refuses the text */
    SEEN_HAZARD,
    SEEN_FINDING,
    SEEN_NOP, /* an SFPNOP that is not needed */
    SEEN_RACE,
    SEEN_NOTE
};
/* What is to be said about a text. Strings are valid during the call that reports it. */
struct seen {
    enum seen_kind kind;
    uint32_t line;           /* counted from 1; 0: about the whole text */
    unsigned column, length; /* of what is refused, counted from 1; 0: not known */
    const char *source;      /* NULL: the text itself, else the file that line belongs to */
    const char *code, *text; /* rule or NULL, and a sentence */
    bool sfpnop_missing;     /* an SFPNOP in front of the line would remove the hazard */
    const struct txl_race_found *race; /* of SEEN_RACE */
};
/* Assembles and runs a text and reports what is to be said about it. */
void look(const txl_lsp *lsp, const struct document *d,
          void (*each)(void *user, const struct seen *seen), void *user);
/*
 * Returns an array of quick fixes for lines first to before end. Each has been tried: the text with
 * it assembles, what it is for is gone, and nothing else is found that was not found before.
 */
txl_json *actions_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end);

/* Assembles a document. TXL_OK: the caller frees *program with tx_program_free. */
int document_assemble(const txl_lsp *lsp, const struct document *d, struct txl_error *err,
                      struct tx_program **program);
/* Returns an array of diagnostics. */
txl_json *diagnostics_json(txl_lsp *lsp, const struct document *d);
/* Returns an array of hints for lines first to before end. */
txl_json *hints_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end);

#endif
