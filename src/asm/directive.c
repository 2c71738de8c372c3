/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler's directives that describe the kernel, set configuration, emit words or define
 * names. Each body reads its operands; the table at the end has them all.
 */
#include "asm/state.h"

#include <string.h>

typedef bool directive_body(struct asm_state *a);

/*
 * Reads an expression whose value must lie in low..high. The rest of the line is left to the
 * caller.
 */
static bool read_number(struct asm_state *a, const char *what, int64_t low, int64_t high,
                        int64_t *value)
{
    const char *start = a->token.text;
    if (!asm_expression(a, value)) {
        return false;
    }
    if (*value < low || *value > high) {
        size_t length = (size_t)(a->token.text - start);
        while (length > 1 && (start[length - 1] == ' ' || start[length - 1] == '\t')) {
            length--;
        }
        return asm_fail(a, TX_EPARSE, start, length, "%s is %lld and must lie in %lld..%lld", what,
                        (long long)*value, (long long)low, (long long)high);
    }
    return true;
}

static bool read_name(struct asm_state *a, const char *what, struct asm_token *name)
{
    if (a->token.kind != TOKEN_NAME) {
        return FAIL_TOKEN(a, "%s is expected here", what);
    }
    *name = a->token;
    asm_next(a);
    return true;
}

/* Reads up to a blank or the end of the line: chips are spelled tt-bh, wormhole_b0 and so on. */
static struct asm_token read_bare(struct asm_state *a)
{
    const char *p = a->token.text;
    while (p<a->end && * p> ' ' && *p != '#' && *p != ';') {
        p++;
    }
    struct asm_token bare = a->token;
    bare.length = (size_t)(p - a->token.text);
    a->p = p;
    asm_next(a);
    return bare;
}

/*
 * Reads a string or a bare word. It is an error if it is too long or has control characters, since
 * it may be printed to a terminal.
 */
static bool read_text(struct asm_state *a, char *out, size_t size)
{
    struct asm_token token = a->token;
    if (token.kind == TOKEN_STRING) {
        token.text++;
        token.length -= 2;
        asm_next(a);
    } else if (token.kind != TOKEN_END) {
        token = read_bare(a);
    } else {
        return FAIL_TOKEN(a, "a text is expected here");
    }
    if (token.length >= size) {
        return asm_fail(a, TX_EPARSE, token.text, token.length, "text is longer than %u characters",
                        (unsigned)size - 1);
    }
    for (size_t i = 0; i < token.length; i++) {
        const unsigned char c = (unsigned char)token.text[i];
        const bool high = i > 0 && (unsigned char)token.text[i - 1] == 0xC2 && c < 0xA0;
        if (c < ' ' || c == '\x7F' ||
            high) { /* high: a control character of the C1 set, as UTF-8 */
            return asm_fail(a, TX_EPARSE, token.text + i, 1, "the text has a control character");
        }
    }
    memcpy(out, token.text, token.length);
    out[token.length] = '\0';
    return true;
}

/* ---- what the kernel is ---- */

static bool do_arch(struct asm_state *a)
{
    if (a->token.kind == TOKEN_END) {
        return FAIL_TOKEN(a, "the name of a chip is expected here, as in .arch blackhole");
    }
    const struct asm_token name = read_bare(a);
    char text[40];
    enum tx_arch arch = TX_ARCH_NONE;
    enum tx_status status = TX_ENOENT;
    if (name.length < sizeof text) {
        memcpy(text, name.text, name.length);
        text[name.length] = '\0';
        status = tx_arch_parse(text, &arch);
    }
    if (status != TX_OK) {
        return asm_fail(a, status == TX_EUNSUPPORTED ? status : TX_EPARSE, name.text, name.length,
                        status == TX_EUNSUPPORTED ? "chip '%.*s' is not modelled"
                                                  : "there is no chip '%.*s'",
                        SHOW(name.text, name.length));
    }
    if (a->force_arch || arch == a->arch) {
        return true;
    }
    /* Names that were looked up already belong to the other chip. */
    if (a->insns_loaded != TX_ARCH_NONE || a->constants_loaded) {
        return asm_fail(a, TX_EPARSE, name.text, name.length, "the chip is %s already",
                        tx_arch_name(a->arch));
    }
    a->arch = arch;
    return true;
}

static bool do_init(struct asm_state *a)
{
    a->section = TX_SECTION_INIT;
    return true;
}

static bool do_tile(struct asm_state *a)
{
    a->section = TX_SECTION_TILE;
    return true;
}

static bool do_thread(struct asm_state *a)
{
    int64_t number;
    char name[8];
    if (a->token.kind == TOKEN_NAME && a->token.length < sizeof name) {
        memcpy(name, a->token.text, a->token.length);
        name[a->token.length] = '\0';
        if (tx_thread_parse(name, &a->thread) == TX_OK) {
            asm_next(a);
            return true;
        }
    }
    if (!read_number(a, "thread", 0, TX_THREADS - 1, &number)) {
        return false;
    }
    a->thread = (unsigned)number;
    return true;
}

/*
 * .mop INDEX, WORD [, WORD ...]: MopCfg of the thread, as if a RISC-V core had written it before
 * the program starts.
 */
static bool do_mop(struct asm_state *a)
{
    int64_t index;
    int64_t value;
    if (!read_number(a, "index into MopCfg", 0, 8, &index) ||
        !asm_expect(a, ',', "behind the index")) {
        return false;
    }
    do {
        if (index > 8) {
            return FAIL_TOKEN(a, "MopCfg has nine words");
        }
        if (!read_number(a, "word", INT32_MIN, UINT32_MAX, &value)) {
            return false;
        }
        a->program->mop[a->thread][index] = (uint32_t)value;
        a->program->mop_given[a->thread] =
            (uint16_t)(a->program->mop_given[a->thread] | 1u << index);
        index++;
    } while (asm_accept(a, ','));
    return true;
}

static bool read_format(struct asm_state *a, enum tx_dst_format *format)
{
    char text[24];
    const struct asm_token token = a->token;
    if (!read_text(a, text, sizeof text)) {
        return false;
    }
    if (tx_dst_format_parse(text, format) != TX_OK) {
        return asm_fail(a, TX_EPARSE, token.text, strlen(text),
                        "there is no format '%s' (fp32 bf16 fp16, int or uint 32 16 8, -sm)", text);
    }
    return true;
}

static bool do_start(struct asm_state *a)
{
    char text[24];
    const struct asm_token token = a->token;
    if (!read_text(a, text, sizeof text)) {
        return false;
    }
    if (tx_start_parse(text, &a->program->start) != TX_OK) {
        return asm_fail(a, TX_EPARSE, token.text, strlen(text),
                        "there is no start state '%s' (reset vendor)", text);
    }
    return true;
}

static bool do_dst(struct asm_state *a)
{
    return read_format(a, &a->program->dst);
}

static bool do_out(struct asm_state *a)
{
    return read_format(a, &a->program->out);
}

static bool do_inputs(struct asm_state *a)
{
    int64_t value;
    if (!read_number(a, "number of inputs", 0, TX_DST_ROWS * TX_DST_WIDTH / TX_TILE_ELEMENTS,
                     &value)) {
        return false;
    }
    a->program->inputs = (unsigned)value;
    return true;
}

static bool do_output(struct asm_state *a)
{
    int64_t value;
    if (!read_number(a, "output tile", 0, TX_DST_ROWS * TX_DST_WIDTH / TX_TILE_ELEMENTS - 1,
                     &value)) {
        return false;
    }
    a->program->output = (unsigned)value;
    return true;
}

/* .file N, "NAME": names source file N. */
static bool do_file(struct asm_state *a)
{
    const struct asm_token token = a->token;
    int64_t number;
    if (!read_number(a, "number of the file", 1, TX_SOURCE_FILES, &number) ||
        !asm_expect(a, ',', "behind the number")) {
        return false;
    }
    if ((a->included >> (number - 1) & 1) != 0) {
        return asm_fail(a, TX_EPARSE, token.text, token.length,
                        "number %d belongs to an .include already; those count down from %d",
                        (int)number, TX_SOURCE_FILES);
    }
    return read_text(a, a->program->source[number - 1], TX_SOURCE_NAME);
}

/* .loc N, LINE: the words that follow come from that line; .loc 0, 0: from this text again. */
static bool do_loc(struct asm_state *a)
{
    const struct asm_token token = a->token;
    int64_t file;
    int64_t line;
    if (!read_number(a, "number of the file", 0, TX_SOURCE_FILES, &file) ||
        !asm_expect(a, ',', "behind the number") || !read_number(a, "line", 0, UINT32_MAX, &line)) {
        return false;
    }
    if (file != 0 && a->program->source[file - 1][0] == '\0') {
        return asm_fail(a, TX_EPARSE, token.text, token.length, "there was no .file %d", (int)file);
    }
    a->loc_file = (unsigned)file;
    a->loc_line = (uint32_t)line;
    return true;
}

/* .fpu FIRST, COUNT: rows of Dst that the Matrix Unit has written just before .tile. */
static bool do_fpu(struct asm_state *a)
{
    int64_t first;
    int64_t rows;
    if (!read_number(a, "first row", 0, TX_DST_ROWS - 1, &first) ||
        !asm_expect(a, ',', "behind the first row") ||
        !read_number(a, "number of rows", 1, TX_DST_ROWS - first, &rows)) {
        return false;
    }
    a->program->fpu_first = (unsigned)first;
    a->program->fpu_rows = (unsigned)rows;
    return true;
}

static bool do_reference(struct asm_state *a)
{
    return read_text(a, a->program->reference, sizeof a->program->reference);
}

static bool do_carry(struct asm_state *a)
{
    a->program->carry = true;
    return true;
}

static bool do_title(struct asm_state *a)
{
    return read_text(a, a->program->title, sizeof a->program->title);
}

static bool do_config(struct asm_state *a)
{
    struct asm_token name = {.kind = TOKEN_END};
    int64_t value;
    const unsigned room = sizeof a->program->config / sizeof a->program->config[0];
    if (!read_name(a, "the name of a configuration field", &name) ||
        !asm_expect(a, ',', "behind the name") ||
        !read_number(a, "value", INT32_MIN, UINT32_MAX, &value)) {
        return false;
    }
    const unsigned index = a->program->config_count;
    if (name.text == NULL || name.length >= sizeof a->program->config[0].name) {
        return asm_fail(a, TX_EPARSE, name.text, name.length, "name is too long");
    }
    if (index >= room) {
        return asm_fail(a, TX_ELIMIT, name.text, name.length, "more than %u .config lines", room);
    }
    memcpy(a->program->config[index].name, name.text, name.length);
    a->program->config[index].name[name.length] = '\0';
    a->program->config[index].value = (uint32_t)value;
    a->program->config_count++;
    return true;
}

/* ---- words that set configuration ---- */

static const struct tx_config_field *config_field(struct asm_state *a, struct asm_token *name)
{
    char text[64];
    if (!read_name(a, "the name of a configuration field", name)) {
        return NULL;
    }
    const struct tx_config_field *field = NULL;
    if (name->text != NULL && name->length < sizeof text) {
        memcpy(text, name->text, name->length);
        text[name->length] = '\0';
        field = tx_config_field_find(a->arch, text);
    }
    if (field == NULL) {
        (void)asm_fail(a, TX_EPARSE, name->text, name->length,
                       a->arch == TX_ARCH_NONE ? ".arch (or --arch) must come first"
                                               : "the chip has no such configuration field");
    }
    return field;
}

static uint32_t in_place(const struct tx_config_field *field, uint32_t value)
{
    return field->width == 32 ? value : (value & ((1u << field->width) - 1u)) << field->lsb;
}

/* Emits an RMWCIB for each byte that the field touches. */
static bool set_banked(struct asm_state *a, const struct tx_config_field *field, uint32_t value,
                       unsigned line)
{
    const uint32_t mask = in_place(field, UINT32_MAX);
    for (unsigned byte = 0; byte < 4; byte++) {
        const uint32_t fields[] = {mask >> 8 * byte & 255u,
                                   in_place(field, value) >> 8 * byte & 255u, field->word};
        uint32_t word = 0;
        if (fields[0] == 0) {
            continue;
        }
        const struct tx_insn *insn = insn_get(a->arch, (enum insn_id)(INSN_RMWCIB0 + byte));
        if (insn_fields_encode(insn, fields, &word) != TX_OK || !asm_emit(a, word, line)) {
            return false;
        }
    }
    return true;
}

/*
 * .setcfg FIELD, VALUE [, FIELD, VALUE ...]: a SETC16 of one word of thread configuration, or
 * RMWCIBs.
 */
static bool do_setcfg(struct asm_state *a)
{
    const unsigned line = a->line;
    uint32_t word = 0;
    uint32_t thread_value = 0;
    const struct tx_config_field *first = NULL;
    do {
        struct asm_token name = {.kind = TOKEN_END};
        int64_t value;
        const struct tx_config_field *field = config_field(a, &name);
        if (field == NULL || !asm_expect(a, ',', "behind the name") ||
            !read_number(a, "value", 0, field->width == 32 ? UINT32_MAX : (1u << field->width) - 1,
                         &value)) {
            return false;
        }
        if (first != NULL &&
            (field->thread != first->thread || !field->thread || field->word != first->word)) {
            return asm_fail(a, TX_EPARSE, name.text, name.length,
                            "fields of one .setcfg share a word of thread configuration");
        }
        first = field;
        thread_value |= in_place(field, (uint32_t)value);
        if (!field->thread && !set_banked(a, field, (uint32_t)value, line)) {
            return false;
        }
    } while (asm_accept(a, ','));
    if (!first->thread) {
        return true;
    }
    const uint32_t fields[] = {first->word, thread_value};
    return insn_fields_encode(insn_get(a->arch, INSN_SETC16), fields, &word) == TX_OK &&
           asm_emit(a, word, line);
}

/* ---- words ---- */

static bool word_list(struct asm_state *a, bool rotated)
{
    for (;;) {
        int64_t value;
        const unsigned line = a->line;
        if (!read_number(a, "word", INT32_MIN, UINT32_MAX, &value)) {
            return false;
        }
        const uint32_t word = (uint32_t)value;
        if (!asm_emit(a, rotated ? tx_ttinsn_undo(word) : word, line)) {
            return false;
        }
        if (!asm_accept(a, ',')) {
            return true;
        }
    }
}

static bool do_word(struct asm_state *a)
{
    return word_list(a, a->ttinsn);
}

/* .ttinsn: like the vendor's assembler, it takes the plain word and rotates it itself. */
static bool do_ttinsn(struct asm_state *a)
{
    return word_list(a, false);
}

/* .insn 4, WORD, as objdump prints it: the word as it is in the RISC-V stream. */
static bool do_insn(struct asm_state *a)
{
    int64_t value;
    const unsigned line = a->line;
    const char *start = a->token.text;
    if (!read_number(a, "word", INT32_MIN, UINT32_MAX, &value)) {
        return false;
    }
    if (asm_accept(a, ',')) {
        if (value != 4) {
            return asm_fail(a, TX_EPARSE, start, 1, "instructions have 4 bytes here");
        }
        if (!read_number(a, "word", INT32_MIN, UINT32_MAX, &value)) {
            return false;
        }
    }
    return asm_emit(a, tx_ttinsn_undo((uint32_t)value), line);
}

static bool emit_parts(struct asm_state *a, unsigned lreg, const uint32_t modes[],
                       const uint32_t parts[], unsigned count, unsigned line)
{
    const struct tx_insn *insn = insn_get(a->arch, INSN_SFPLOADI);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t fields[] = {lreg, modes[i], parts[i]};
        uint32_t word = 0;
        (void)insn_fields_encode(insn, fields, &word);
        if (!asm_emit(a, word, line)) {
            return false;
        }
    }
    return true;
}

/* Loads a constant of .free by a sequence that does not depend on its value. */
static bool emit_free(struct asm_state *a, unsigned lreg, uint32_t value, unsigned line)
{
    const uint32_t both[] = {TX_MOD_SFPLOADI_UPPER, TX_MOD_SFPLOADI_LOWER};
    const uint32_t parts[] = {value >> 16, value & 0xffff};
    const uint32_t bf16[] = {TX_MOD_SFPLOADI_FLOATB}, fp16[] = {TX_MOD_SFPLOADI_FLOATA};
    switch (a->free_kind) {
    case 1 + TX_FREE_BF16:
        return emit_parts(a, lreg, bf16, parts + 1, 1, line);
    case 1 + TX_FREE_FP16:
        return emit_parts(a, lreg, fp16, parts + 1, 1, line);
    default:
        return emit_parts(a, lreg, both, parts, 2, line);
    }
}

/*
 * Loads a value by one word if possible, otherwise by UPPER then LOWER, as the vendor's compiler
 * does.
 */
bool asm_emit_loadi(struct asm_state *a, unsigned lreg, uint32_t value, unsigned line)
{
    const uint32_t low = value & 0xffff, high = value >> 16;
    uint32_t modes[2] = {TX_MOD_SFPLOADI_UPPER, TX_MOD_SFPLOADI_LOWER}, parts[2] = {high, low};
    unsigned count = 1;
    if (high == 0) {
        modes[0] = TX_MOD_SFPLOADI_USHORT;
        parts[0] = low;
    } else if (low == 0) {
        modes[0] = TX_MOD_SFPLOADI_FLOATB;
    } else if (high == 0xffff && low >= 0x8000) {
        modes[0] = TX_MOD_SFPLOADI_SHORT;
        parts[0] = low;
    } else {
        count = 2;
    }
    return emit_parts(a, lreg, modes, parts, count, line);
}

static bool do_loadi(struct asm_state *a)
{
    const unsigned line = a->line;
    const struct asm_token token = a->token;
    const int lreg = token.kind == TOKEN_NAME ? asm_lreg(token.text, token.length) : -1;
    if (lreg < 0) {
        return FAIL_TOKEN(a, "a register, L0..L15, is expected here");
    }
    asm_next(a);
    int64_t number;
    if (!asm_expect(a, ',', "behind the register") ||
        !read_number(a, "value", INT32_MIN, UINT32_MAX, &number)) {
        return false;
    }
    if (insn_get(a->arch, INSN_SFPLOADI) == NULL) {
        return asm_fail(a, TX_EPARSE, token.text, token.length,
                        ".arch (or --arch) must come first");
    }
    return a->free_kind != 0 ? emit_free(a, (unsigned)lreg, (uint32_t)number, line)
                             : asm_emit_loadi(a, (unsigned)lreg, (uint32_t)number, line);
}

/* ---- names ---- */

bool asm_assign(struct asm_state *a, const struct asm_token *name)
{
    int64_t value;
    if (!asm_expression(a, &value)) {
        return false;
    }
    if (name->length > 255 || asm_lreg(name->text, name->length) >= 0) {
        return asm_fail(a, TX_EPARSE, name->text, name->length,
                        name->length > 255 ? "name is too long"
                                           : "a register is not a name to set");
    }
    const struct asm_name *found = asm_find(a, name->text, name->length, NAME_USER);
    struct asm_name *set = found != NULL ? &a->names[found - a->names] : NULL;
    for (unsigned i = 0; i < a->program->free_count; i++) {
        if (set != NULL && strlen(a->program->free[i].name) == name->length &&
            memcmp(a->program->free[i].name, name->text, name->length) == 0) {
            return asm_fail(a, TX_EPARSE, name->text, name->length, "'%.*s' is a constant of .free",
                            SHOW(name->text, name->length));
        }
    }
    if (set == NULL) {
        const char *kept = asm_keep(a, name->text, name->length);
        set = kept != NULL ? asm_add(a, kept, name->length, NAME_USER, value) : NULL;
    }
    if (set != NULL) {
        set->value = value;
        set->free_kind = a->free_kind;
    }
    return set != NULL;
}

static bool do_set(struct asm_state *a)
{
    struct asm_token name = {.kind = TOKEN_END};
    return read_name(a, "a name", &name) && asm_expect(a, ',', "behind the name") &&
           asm_assign(a, &name);
}

static bool do_stray(struct asm_state *a)
{
    return FAIL_TOKEN(a, "nothing is open that this could close");
}

/* ---- the table ---- */

static const struct {
    const char *name;
    directive_body *body;
    bool whole_line; /* the body reads the rest of the line itself */
} directives[] = {
    {".word", do_word, false},
    {".insn", do_insn, false},
    {".ttinsn", do_ttinsn, false},
    {".loadi", do_loadi, false},
    {".arch", do_arch, false},
    {".init", do_init, false},
    {".thread", do_thread, false},
    {".mop", do_mop, false},
    {".setcfg", do_setcfg, false},
    {".tile", do_tile, false},
    {".dst", do_dst, false},
    {".out", do_out, false},
    {".start", do_start, false},
    {".inputs", do_inputs, false},
    {".output", do_output, false},
    {".fpu", do_fpu, false},
    {".file", do_file, false},
    {".include", asm_include, true},
    {".loc", do_loc, false},
    {".reference", do_reference, false},
    {".title", do_title, false},
    {".carry", do_carry, false},
    {".config", do_config, false},
    {".free", asm_free, false},
    {".set", do_set, false},
    {".equ", do_set, false},
    {".rept", asm_rept, true},
    {".macro", asm_macro_define, true},
    {".template", asm_template, false},
    {".sequence", asm_sequence, false},
    {".misc", asm_misc, false},
    {".if", asm_if, true},
    {".else", asm_else, true},
    {".elseif", asm_else, true},
    {".endif", asm_endif, false},
    {".endr", do_stray, false},
    {".endm", do_stray, false},
};

bool asm_directives_load(struct asm_state *a)
{
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        const char *name = directives[i].name;
        if (asm_add(a, name, strlen(name), NAME_DIRECTIVE, (int64_t)i) == NULL) {
            return false;
        }
    }
    return true;
}

const char *tx_asm_directive_at(size_t index)
{
    return index < sizeof directives / sizeof directives[0] ? directives[index].name : NULL;
}

bool asm_directive(struct asm_state *a, const struct asm_name *name)
{
    const size_t index = (size_t)name->value; /* saved, because "name" moves when the table grows */
    if (directives[index].body == do_stray) {
        return do_stray(a);
    }
    asm_next(a);
    if (!directives[index].body(a)) {
        return false;
    }
    if (directives[index].whole_line) {
        return true;
    }
    if (!asm_expect_end(a)) {
        return false;
    }
    asm_end_statement(a);
    return true;
}
