/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches the messages of the protocol. Numbers and names are those of LSP 3.17. */
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"

enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002,
    REQUEST_FAILED = -32803
};
enum { SYNC_FULL = 1 };

static void send(txl_lsp *lsp, txl_json *message)
{
    char *text = txl_json_line(message);
    if (text != NULL) {
        lsp->how.send(lsp->how.user, text, strlen(text));
    }
    free(text);
    txl_json_free(message);
}

static txl_json *message_json(void)
{
    txl_json *message = txl_json_object();
    txl_json_set_text(message, "jsonrpc", "2.0");
    return message;
}

/* Returns the id of a request, which is a number or a text; null where it is unknown. */
static txl_json *id_json(const json_t *id)
{
    if (json_is_integer(id)) {
        return txl_json_int(json_integer_value(id));
    }
    return json_is_string(id) ? txl_json_string(json_string_value(id)) : txl_json_null();
}

static void answer(txl_lsp *lsp, const json_t *id, txl_json *result)
{
    txl_json *message = message_json();
    txl_json_set(message, "id", id_json(id));
    txl_json_set(message, "result", result != NULL ? result : txl_json_null());
    send(lsp, message);
}

static void fail(txl_lsp *lsp, const json_t *id, int code, const char *text)
{
    txl_json *message = message_json();
    txl_json *error = txl_json_object();
    txl_json_set(error, "code", txl_json_int(code));
    txl_json_set_text(error, "message", text);
    txl_json_set(message, "id", id_json(id));
    txl_json_set(message, "error", error);
    send(lsp, message);
}

static const char *text_of(const json_t *params, const char *object, const char *key)
{
    return json_string_value(json_object_get(json_object_get(params, object), key));
}

static void publish(txl_lsp *lsp, const char *uri, txl_json *diagnostics)
{
    txl_json *message = message_json();
    txl_json *params = txl_json_object();
    txl_json_set_text(params, "uri", uri);
    txl_json_set(params, "diagnostics", diagnostics);
    txl_json_set_text(message, "method", "textDocument/publishDiagnostics");
    txl_json_set(message, "params", params);
    send(lsp, message);
}

/* ---- requests ---- */

static bool offers(const json_t *params, const char *encoding)
{
    const json_t *list = json_object_get(
        json_object_get(json_object_get(params, "capabilities"), "general"), "positionEncodings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name != NULL && strcmp(name, encoding) == 0) {
            return true;
        }
    }
    return false;
}

static txl_json *capabilities(const txl_lsp *lsp)
{
    txl_json *can = txl_json_object();
    txl_json *sync = txl_json_object();
    txl_json *completion = txl_json_object();
    txl_json *triggers = txl_json_array();
    txl_json_set_text(can, "positionEncoding", lsp->utf8 ? "utf-8" : "utf-16");
    txl_json_set_bool(sync, "openClose", true);
    txl_json_set_int(sync, "change", SYNC_FULL);
    txl_json_set(can, "textDocumentSync", sync);
    txl_json_append(triggers, txl_json_string("."));
    txl_json_append(triggers, txl_json_string(":"));
    txl_json_set(completion, "triggerCharacters", triggers);
    txl_json_set(can, "completionProvider", completion);
    txl_json_set_bool(can, "hoverProvider", true);
    txl_json_set_bool(can, "definitionProvider", true);
    txl_json_set_bool(can, "documentSymbolProvider", true);
    txl_json_set_bool(can, "inlayHintProvider", true);
    txl_json_set_bool(can, "referencesProvider", true);
    txl_json *kinds = txl_json_array();
    txl_json_append(kinds, txl_json_string("quickfix"));
    txl_json *actions = txl_json_object();
    txl_json_set(actions, "codeActionKinds", kinds);
    txl_json_set(can, "codeActionProvider", actions);
    txl_json *signature = txl_json_object();
    txl_json *comma = txl_json_array();
    txl_json_append(comma, txl_json_string(" "));
    txl_json_append(comma, txl_json_string(","));
    txl_json_set(signature, "triggerCharacters", comma);
    txl_json_set(can, "signatureHelpProvider", signature);
    txl_json *rename = txl_json_object();
    txl_json_set_bool(rename, "prepareProvider", true);
    txl_json_set(can, "renameProvider", rename);
    return can;
}

static void initialize(txl_lsp *lsp, const json_t *id, const json_t *params)
{
    const char *chip = text_of(params, "initializationOptions", "arch");
    if (chip != NULL && tx_arch_parse(chip, &lsp->how.arch) != TX_OK) {
        fail(lsp, id, INVALID_PARAMS, "initializationOptions.arch names no chip: bh or wh");
        return;
    }
    lsp->utf8 = offers(params, "utf-8");
    lsp->initialized = true;
    txl_json *result = txl_json_object();
    txl_json *info = txl_json_object();
    txl_json_set_text(info, "name", "tensix");
    txl_json_set_text(info, "version", tx_version());
    txl_json_set(result, "capabilities", capabilities(lsp));
    txl_json_set(result, "serverInfo", info);
    answer(lsp, id, result);
}

static bool server_number(const json_t *object, const char *key, size_t *value)
{
    const json_t *member = json_object_get(object, key);
    *value = (size_t)json_integer_value(member);
    return json_is_integer(member) && json_integer_value(member) >= 0;
}

/* A request about an open document. Position or range are read where the method has them. */
struct asked {
    const json_t *params;
    struct document *d;
    size_t line, byte; /* of the position */
    size_t first, end; /* lines of the range */
    const char *why;   /* set: why there is no answer */
};

typedef txl_json *answer_fn(txl_lsp *lsp, struct asked *q);

static txl_json *hover(txl_lsp *lsp, struct asked *q)
{
    return hover_json(lsp, q->d, q->line, q->byte);
}

static txl_json *completion(txl_lsp *lsp, struct asked *q)
{
    return completion_json(lsp, q->d, q->line, q->byte);
}

static txl_json *definition(txl_lsp *lsp, struct asked *q)
{
    return definition_json(lsp, q->d, q->line, q->byte);
}

static txl_json *signature_help(txl_lsp *lsp, struct asked *q)
{
    return signature_json(lsp, q->d, q->line, q->byte);
}

static txl_json *references(txl_lsp *lsp, struct asked *q)
{
    const json_t *context = json_object_get(q->params, "context");
    return references_json(lsp, q->d, q->line, q->byte,
                           json_is_true(json_object_get(context, "includeDeclaration")));
}

static txl_json *prepare_rename(txl_lsp *lsp, struct asked *q)
{
    return renamable_json(lsp, q->d, q->line, q->byte);
}

static txl_json *rename_name(txl_lsp *lsp, struct asked *q)
{
    const char *name = json_string_value(json_object_get(q->params, "newName"));
    if (name == NULL) {
        q->why = "renaming needs a newName";
        return NULL;
    }
    return rename_json(lsp, q->d, q->line, q->byte, name, &q->why);
}

static txl_json *symbols(txl_lsp *lsp, struct asked *q)
{
    return symbols_json(lsp, q->d);
}

static txl_json *hints(txl_lsp *lsp, struct asked *q)
{
    return hints_json(lsp, q->d, q->first, q->end);
}

static txl_json *actions(txl_lsp *lsp, struct asked *q)
{
    return actions_json(lsp, q->d, q->first, q->end);
}

static bool read_position(const txl_lsp *lsp, struct asked *q)
{
    const json_t *position = json_object_get(q->params, "position");
    size_t character, length;
    if (!server_number(position, "line", &q->line) ||
        !server_number(position, "character", &character)) {
        q->why = "a position has a line and a character";
        return false;
    }
    const char *text = line_at(q->d->text, q->d->length, q->line, &length);
    q->byte = byte_of(lsp, text, length, character);
    return true;
}

static bool read_range(struct asked *q)
{
    const json_t *range = json_object_get(q->params, "range");
    size_t last;
    if (!server_number(json_object_get(range, "start"), "line", &q->first) ||
        !server_number(json_object_get(range, "end"), "line", &last)) {
        q->why = "a range has a start and an end with lines";
        return false;
    }
    q->end = last < SIZE_MAX ? last + 1 : last;
    return true;
}

enum needs { NEEDS_NOTHING, NEEDS_POSITION, NEEDS_RANGE };
static const struct {
    const char *method;
    answer_fn *body;
    enum needs needs;
} questions[] = {{"textDocument/hover", hover, NEEDS_POSITION},
                 {"textDocument/completion", completion, NEEDS_POSITION},
                 {"textDocument/definition", definition, NEEDS_POSITION},
                 {"textDocument/signatureHelp", signature_help, NEEDS_POSITION},
                 {"textDocument/references", references, NEEDS_POSITION},
                 {"textDocument/prepareRename", prepare_rename, NEEDS_POSITION},
                 {"textDocument/rename", rename_name, NEEDS_POSITION},
                 {"textDocument/documentSymbol", symbols, NEEDS_NOTHING},
                 {"textDocument/inlayHint", hints, NEEDS_RANGE},
                 {"textDocument/codeAction", actions, NEEDS_RANGE}};

static void question(txl_lsp *lsp, const json_t *id, const char *method, const json_t *params)
{
    size_t i = 0;
    while (i < sizeof questions / sizeof questions[0] && strcmp(questions[i].method, method) != 0) {
        i++;
    }
    const char *uri = text_of(params, "textDocument", "uri");
    if (i == sizeof questions / sizeof questions[0]) {
        fail(lsp, id, METHOD_NOT_FOUND, "this server does not know that method");
        return;
    }
    struct asked q = {.params = params, .d = uri != NULL ? document_find(lsp, uri) : NULL};
    if (q.d == NULL) {
        fail(lsp, id, INVALID_PARAMS, "that document is not open");
        return;
    }
    if ((questions[i].needs == NEEDS_POSITION && !read_position(lsp, &q)) ||
        (questions[i].needs == NEEDS_RANGE && !read_range(&q))) {
        fail(lsp, id, INVALID_PARAMS, q.why);
        return;
    }
    txl_json *result = questions[i].body(lsp, &q);
    if (result == NULL && q.why != NULL) {
        fail(lsp, id, REQUEST_FAILED, q.why);
    } else {
        answer(lsp, id, result);
    }
}

static void request(txl_lsp *lsp, const json_t *id, const char *method, const json_t *params)
{
    if (strcmp(method, "initialize") == 0 && !lsp->initialized) {
        initialize(lsp, id, params);
    } else if (!lsp->initialized) {
        fail(lsp, id, NOT_INITIALIZED, "the first request is initialize");
    } else if (lsp->shutdown || strcmp(method, "initialize") == 0) {
        fail(lsp, id, INVALID_REQUEST,
             lsp->shutdown ? "after shutdown comes exit" : "initialize comes once");
    } else if (strcmp(method, "shutdown") == 0) {
        lsp->shutdown = true;
        answer(lsp, id, NULL);
    } else {
        question(lsp, id, method, params);
    }
}

/* ---- notifications ---- */

static void changed(txl_lsp *lsp, const char *uri, const json_t *text)
{
    if (uri != NULL && json_is_string(text)) {
        (void)document_put(lsp, uri, json_string_value(text), json_string_length(text));
    }
}

static void notify(txl_lsp *lsp, const char *method, const json_t *params)
{
    const char *uri = text_of(params, "textDocument", "uri");
    if (strcmp(method, "exit") == 0) {
        lsp->ended = true;
    } else if (!lsp->initialized || lsp->shutdown || uri == NULL) {
        return;
    } else if (strcmp(method, "textDocument/didOpen") == 0) {
        changed(lsp, uri, json_object_get(json_object_get(params, "textDocument"), "text"));
    } else if (strcmp(method, "textDocument/didChange") == 0 && document_find(lsp, uri) != NULL) {
        const json_t *changes = json_object_get(params, "contentChanges");
        const size_t count = json_array_size(changes);
        const json_t *last = count != 0 ? json_array_get(changes, count - 1) : NULL;
        /* Only whole texts: the server announced that it wants these. */
        if (json_object_get(last, "range") == NULL) {
            changed(lsp, uri, json_object_get(last, "text"));
        }
    } else if (strcmp(method, "textDocument/didClose") == 0 && document_find(lsp, uri) != NULL) {
        publish(lsp, uri, txl_json_array());
        document_close(lsp, uri);
    }
}

/* ---- messages ---- */

void txl_lsp_message(txl_lsp *lsp, const char *text, size_t length)
{
    json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
    const json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    if (message == NULL) {
        fail(lsp, NULL, PARSE_ERROR, "that is no JSON");
    } else if (method == NULL) {
        if (!json_is_object(message) || json_object_get(message, "result") == NULL) {
            fail(lsp, id, INVALID_REQUEST, "a message has a method");
        }
    } else if (id != NULL) {
        request(lsp, id, method, params);
    } else {
        notify(lsp, method, params);
    }
    json_decref(message);
}

void txl_lsp_idle(txl_lsp *lsp)
{
    for (struct document *d = lsp->documents; d != NULL && !lsp->shutdown; d = d->next) {
        if (d->changed) {
            d->changed = false;
            publish(lsp, d->uri, diagnostics_json(lsp, d));
        }
    }
}

bool txl_lsp_ended(const txl_lsp *lsp, int *status)
{
    if (status != NULL) {
        *status = lsp->shutdown ? 0 : 1;
    }
    return lsp->ended;
}

int txl_lsp_open(struct txl_error *err, const struct txl_lsp_options *options, txl_lsp **lsp)
{
    struct txl_lsp_options how = {0};
    *lsp = NULL;
    const int result = options_take(err, &how, sizeof how, options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (how.send == NULL) {
        return txl_fail_option(err, NULL, "send", "nobody takes the answers");
    }
    how.arch = how.arch == TX_ARCH_NONE ? TX_BLACKHOLE : how.arch;
    *lsp = zeroed(err, 1, sizeof **lsp);
    if (*lsp == NULL) {
        return TXL_INPUT;
    }
    (*lsp)->how = how;
    return TXL_OK;
}

void txl_lsp_close(txl_lsp *lsp)
{
    while (lsp != NULL && lsp->documents != NULL) {
        document_close(lsp, lsp->documents->uri);
    }
    if (lsp != NULL) {
        constants_free(lsp);
    }
    free(lsp);
}
