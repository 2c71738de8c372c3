/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the assembler share: the cursor over the text, the names it knows, and the
 * program it builds. Everything lives in one struct asm_state for the time of one tx_assemble.
 */
#ifndef ASM_STATE_H
#define ASM_STATE_H

#include "asm/program.h"
#include "isa/insn.h"

enum {
    ASM_MAX_WORDS = 1 << 20,
    ASM_MAX_NESTING = 32,       /* of .rept and macro calls, and of parentheses */
    ASM_MAX_ARGS = 16,          /* of a macro */
    ASM_MAX_EXPANSION = 1 << 26 /* bytes of text read beyond the source itself */
};

enum asm_token_kind {
    TOKEN_END, /* of the statement: ";", end of line or of the text, or start of a comment */
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_OP /* op holds the character, or TWO(a, b) */
};

#define TWO(a, b) ((unsigned)(a) << 8 | (unsigned)(b))

struct asm_token {
    enum asm_token_kind kind;
    unsigned op;
    const char *text;
    size_t length;
    int64_t number;
};

enum { FREE_MIXED = 255 };

enum asm_name_kind {
    NAME_INSN = 1,     /* value: index of the form */
    NAME_CONSTANT = 2, /* of the vendor's headers */
    NAME_USER = 4,     /* .set */
    NAME_MACRO = 8,
    NAME_DIRECTIVE = 16 /* value: index in the directive table */
};

struct asm_macro {
    const char *name;
    const char *body;
    size_t name_length, body_length;
    unsigned line; /* of the body's first line */
    unsigned file; /* the body is in */
    unsigned arg_count;
    struct {
        const char *name, *value; /* value: the default, NULL where there is none */
        size_t name_length, value_length;
    } args[ASM_MAX_ARGS];
};

struct asm_name {
    const char *text;
    uint32_t hash;
    uint16_t length;
    uint8_t kind;
    uint8_t free_kind; /* of NAME_USER: made from .free; 1 + its kind, FREE_MIXED, or 0 */
    int64_t value;
    struct asm_macro *macro;
};

/* A stretch of text being read: the source, the body of a .rept, an expanded macro. */
struct asm_frame {
    const char *text, *end;
    const char *line_start; /* of the line that text begins in: .rept 2; sfpnop; .endr */
    unsigned first_line;
    unsigned file;      /* 0: the text itself, else source[n - 1] of the program */
    uint64_t repeat;    /* times still to read, this one included */
    const char *resume; /* where the frame below goes on, */
    unsigned resume_line;
    char *owned; /* to be freed with the frame */
    unsigned if_depth;
    uint32_t else_seen; /* bit n: .else of depth n is behind us */
};

struct asm_block {
    struct asm_block *next;
    char data[];
};

struct asm_state {
    enum tx_arch arch;
    bool force_arch, ttinsn;
    tx_include_fn *include;
    void *include_user;
    uint32_t included; /* bit n: source[n] of the program came from .include */
    struct tx_program *program;
    size_t capacity[TX_SECTIONS];
    unsigned section;
    unsigned thread;   /* of .thread; TX_THREADS: none was given */
    unsigned loc_file; /* of .loc; 0: words have the line of the text */
    uint32_t loc_line;

    struct tx_diag *diag;
    enum tx_status status;

    struct asm_frame frames[ASM_MAX_NESTING];
    unsigned depth;         /* frames in use */
    const char *p, *end;    /* cursor in the top frame */
    unsigned line;          /* of the cursor */
    unsigned open;          /* parentheses of a macro call: inside them lines go on */
    struct asm_token token; /* look-ahead */
    unsigned nesting;       /* of the expression */
    uint8_t free_kind;      /* as in asm_name: what the last expression was made from */
    unsigned dead;          /* branches of && || ?: that are not taken: no division fault there */
    uint64_t budget;        /* bytes that may still be read */
    unsigned template_vd;   /* what VD means in the .template being read; 0: nothing */
    unsigned next_template, next_sequence; /* where .template and .sequence name no number */
    unsigned macro_serial;
    const struct insn_form *form; /* whose operands are being read; NULL: none */

    struct asm_name *names;
    uint32_t *slots; /* hash table of index + 1 */
    uint32_t slot_count, name_count, name_capacity;
    bool constants_loaded;
    enum tx_arch insns_loaded;
    struct asm_block *blocks;
};

/* lex.c */
void asm_next(struct asm_state *a);                 /* read one token into a->token */
void asm_enter(struct asm_state *a, const char *p); /* go on at p in the top frame */
bool asm_is_op(const struct asm_state *a, unsigned op);
bool asm_is_word(const struct asm_token *token, const char *lower_case);
bool asm_accept(struct asm_state *a, unsigned op);
bool asm_expect(struct asm_state *a, unsigned op, const char *where);
bool asm_expect_end(struct asm_state *a);
/* To the first character of the next statement, across comments and strings. */
void asm_skip_statement(struct asm_state *a);
/* Records the first error at [text, text + length); always returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
bool asm_fail(struct asm_state *a, enum tx_status status, const char *text, size_t length,
              const char *format, ...);
#define FAIL_TOKEN(a, ...) asm_fail((a), TX_EPARSE, (a)->token.text, (a)->token.length, __VA_ARGS__)
/* Length and text for "%.*s", cut to what fits a message. */
#define SHOW(text, length) (int)((length) < 40 ? (length) : 40), (text)

/* names.c */
char asm_lower(char c);
uint32_t asm_hash(const char *text, size_t length);
const struct asm_name *asm_find(struct asm_state *a, const char *text, size_t length,
                                unsigned kinds);
/* NULL where memory is out (recorded). The text must outlive the state: see asm_keep. */
struct asm_name *asm_add(struct asm_state *a, const char *text, size_t length,
                         enum asm_name_kind kind, int64_t value);
const char *asm_keep(struct asm_state *a, const char *text, size_t length);
const struct insn_form *asm_find_insn(struct asm_state *a, const char *text, size_t length,
                                      bool *prefixed);
/* The length of TTI_, TT_OP_ or TT_ where the name begins so. */
size_t asm_prefix_length(const char *text, size_t length);
void asm_names_free(struct asm_state *a);

/* constants.c */
/* The length of the vendor's namespaces before a name. */
size_t asm_space_length(const char *text, size_t length);
bool asm_find_constant(struct asm_state *a, const char *text, size_t length, int64_t *value);
/* A mode's short name, of the instruction whose operands are being read. */
bool asm_find_mode(const struct asm_state *a, const char *text, size_t length, int64_t *value);

/* near.c */
const char *asm_nearest_insn(enum tx_arch arch, const char *text, size_t length);
/* A constant, a user's name or a mode; false where nothing comes near. */
struct asm_near {
    const char *text;
    size_t length;
};
bool asm_nearest_name(const struct asm_state *a, const char *text, size_t length,
                      struct asm_near *found);

/* expr.c */
bool asm_expression(struct asm_state *a, int64_t *value);
/* L0..L15 by name: the number, or -1. */
int asm_lreg(const char *text, size_t length);

/* number.c: decimal text to the nearest binary number, ties to even. */
struct asm_float_format {
    unsigned precision; /* with the hidden bit */
    int max_exponent;   /* of the largest finite number, as a power of two */
    unsigned width;
};
enum asm_float_result { FLOAT_OK, FLOAT_SYNTAX, FLOAT_RANGE };
enum asm_float_result asm_float_parse(const char *text, size_t length,
                                      const struct asm_float_format *format, uint32_t *bits);

/* operand.c */
/* The name is the current token. The word, not emitted yet. */
bool asm_instruction_word(struct asm_state *a, const struct insn_form *form, bool prefixed,
                          uint32_t *word);
/* The same, emitted. */
bool asm_instruction(struct asm_state *a, const struct insn_form *form, bool prefixed);

/* directive.c */
bool asm_directive(struct asm_state *a, const struct asm_name *name);
bool asm_directives_load(struct asm_state *a);
bool asm_assign(struct asm_state *a, const struct asm_token *name);
/* One SFPLOADI where the value allows, else two. */
bool asm_emit_loadi(struct asm_state *a, unsigned lreg, uint32_t value, unsigned line);

/* macro_words.c: .template, .sequence and .misc */
bool asm_template(struct asm_state *a);
bool asm_sequence(struct asm_state *a);
bool asm_misc(struct asm_state *a);

/* free.c */
bool asm_free(struct asm_state *a);

/* block.c */
/* at: what to point to where the nesting is too deep */
bool asm_push(struct asm_state *a, const struct asm_frame *frame, const struct asm_token *at);
/* The file that the cursor is in. */
unsigned asm_file(const struct asm_state *a);
void asm_pop(struct asm_state *a);
bool asm_rept(struct asm_state *a);
bool asm_include(struct asm_state *a);
bool asm_macro_define(struct asm_state *a);
bool asm_macro_call(struct asm_state *a, const struct asm_macro *macro);
bool asm_if(struct asm_state *a);
bool asm_else(struct asm_state *a);
bool asm_endif(struct asm_state *a);
void asm_end_statement(struct asm_state *a);

/* assemble.c */
bool asm_emit(struct asm_state *a, uint32_t word, unsigned line);

#endif
