/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of room expand: straightens a kernel, has the result proved, and keeps it. */
#include "expand/expand.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/options.h"

enum { TILES = 64 };

struct txl_expansion {
    struct memory_text text;
    uint32_t *words;
    size_t count;
    uint64_t macros, tiles;
    enum tx_arch arch;
};

void txl_expansion_close(txl_expansion *expansion)
{
    if (expansion != NULL) {
        free(expansion->text.text);
        free(expansion->words);
        free(expansion);
    }
}

const char *txl_expansion_text(const txl_expansion *expansion)
{
    return expansion->text.text;
}

const uint32_t *txl_expansion_words(const txl_expansion *expansion, size_t *count)
{
    *count = expansion->count;
    return expansion->words;
}

uint64_t txl_expansion_macros(const txl_expansion *expansion)
{
    return expansion->macros;
}

uint64_t txl_expansion_tiles(const txl_expansion *expansion)
{
    return expansion->tiles;
}

txl_json *txl_expansion_json(const txl_expansion *made, const char *kernel, bool text)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", kernel);
    txl_json_set_text(root, "arch", tx_arch_name(made->arch));
    txl_json_set_int(root, "macros", made->macros);
    txl_json_set_int(root, "instructions", made->count);
    txl_json_set_int(root, "tiles_compared", made->tiles);
    txl_json_set_bool(root, "equal", true);
    txl_json_set_text(root, "text", text ? made->text.text : NULL);
    return root;
}

/* Sets the error "relu.s: no straight-line form: ...". Returns its result. */
static int no_form(struct txl_error *err, const struct expand *x,
                   const struct txl_expand_options *how)
{
    const bool named = how->name != NULL;
    if (x->failure.status == TXL_INPUT) {
        return no_memory(err);
    }
    return txl_refuse(err, TXL_NEGATIVE, "%s%sno straight-line form: %s", named ? how->name : "",
                      named ? ": " : "", x->failure.message);
}

/* Proves the text itself, assembled again, so that what the user gets is what was proved. */
static int prove_text(struct txl_error *err, struct expand *x, const struct memory_text *text,
                      const struct txl_expand_options *how)
{
    struct tx_program *straight = NULL;
    struct tx_diag diag = {0};
    const struct tx_asm_options as = {.arch = tx_program_arch(x->program)};
    int result = TXL_NEGATIVE;
    const enum tx_status status = tx_assemble(text->text, text->size, &as, &straight, &diag);
    if (status == TX_ENOMEM) {
        return no_memory(err);
    }
    if (status != TX_OK) {
        (void)expand_fail(x, "line %u: %s", diag.line, diag.message);
    } else {
        result = expand_prove(err, x, straight, how);
    }
    tx_program_free(straight);
    return result == TXL_NEGATIVE ? no_form(err, x, how) : result;
}

static int straighten(struct txl_error *err, struct expand *x, const struct txl_expand_options *how)
{
    const bool named = how->name != NULL;
    const enum tx_status status = expand_trace(x);
    if (status == TX_ENOMEM) {
        return no_memory(err);
    }
    if (status != TX_OK) {
        return txl_refuse(err, TXL_NEGATIVE, "%s%sthe kernel stops: %s", named ? how->name : "",
                          named ? ": " : "", tx_status_text(status));
    }
    if (x->launches == 0) {
        return txl_refuse(err, TXL_NEGATIVE, "%s%sno SFPLOADMACRO in it", named ? how->name : "",
                          named ? ": " : "");
    }
    if (x->failure.status != TXL_OK || !expand_values(x) || !expand_alloc(x)) {
        return no_form(err, x, how);
    }
    return TXL_CONTINUE;
}

static int make(struct txl_error *err, struct expand *x, const struct txl_expand_options *how,
                txl_expansion *made)
{
    int result = straighten(err, x, how);
    if (result == TXL_CONTINUE) {
        result = memory_text_open(err, &made->text);
    }
    if (result == TXL_CONTINUE) {
        expand_text(made->text.stream, x);
        result = memory_text_close(err, &made->text);
    }
    if (result == TXL_CONTINUE) {
        result = prove_text(err, x, &made->text, how);
    }
    made->words = x->out;
    made->count = x->out_count;
    made->macros = x->launches;
    made->tiles = how->tiles;
    x->out = NULL;
    return result;
}

int txl_expand(struct txl_error *err, const struct tx_program *program,
               const struct txl_expand_options *options, txl_expansion **out)
{
    struct txl_expand_options how;
    *out = NULL;
    int result = options_take(err, &how, sizeof how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    how.tiles = how.tiles != 0 ? how.tiles : TILES;
    struct expand *x = zeroed(err, 1, sizeof *x);
    txl_expansion *made = zeroed(err, 1, sizeof *made);
    result = TXL_INPUT;
    if (x != NULL && made != NULL) {
        x->program = program;
        made->arch = tx_program_arch(program);
        tx_kernel_options_default(&x->options);
        x->options.dst = how.dst;
        x->options.out = how.out;
        result = make(err, x, &how, made);
        txl_graph_close(x->graph);
        free(x->ops);
        free(x->values);
        free(x->out);
    }
    free(x);
    if (result == TXL_OK) {
        *out = made;
    } else {
        txl_expansion_close(made);
    }
    return result;
}
