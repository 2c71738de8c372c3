/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the WebAssembly module that the browser's page calls. A question is one JSON
 * object, {"op": ...}, whose other members are named as the options of the library's function. The
 * answer is {"ok": ...} or what txl_error_json makes. Arrays go in and out as files in the module's
 * memory.
 */
#include <emscripten.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/kernel.h>
#include <tensix-lab/lsp.h>
#include <tensix-lab/run.h>
#include <tensix-lab/sweep.h>
#include <tensix-lab/trace.h>

enum { LIST = 64 };

/* One question and its answer. */
struct ask {
    const json_t *how;
    struct txl_error err;
    char *answer; /* JSON text, for free() */
};

/* The members of a question that describe a machine. */
struct machine {
    struct tx_program *program;
    struct tx_settings settings;
    struct tx_kernel_options kernel;
    const char *name;
    const char *inputs[16], *sets[LIST], *l1_in[32], *l1_out[32];
    unsigned input_count, set_count, l1_in_count, l1_out_count;
};

/* ---- members of the question ---- */

static const char *text_of(const struct ask *ask, const char *key)
{
    return json_string_value(json_object_get(ask->how, key));
}

static uint64_t number_of(const struct ask *ask, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(ask->how, key);
    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : otherwise;
}

static bool is(const struct ask *ask, const char *key)
{
    return json_is_true(json_object_get(ask->how, key));
}

/* Fills list with the texts of an array member. They live as long as the question. */
static unsigned list_of(const struct ask *ask, const char *key, const char **list, unsigned room)
{
    const json_t *array = json_object_get(ask->how, key);
    unsigned count = 0;
    for (size_t i = 0; i < json_array_size(array) && count < room; i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (text != NULL) {
            list[count++] = text;
        }
    }
    return count;
}

static int arch_of(struct ask *ask, enum tx_arch *arch)
{
    const char *text = text_of(ask, "arch");
    *arch = TX_ARCH_NONE;
    return text == NULL || *text == '\0' ? TXL_OK : txl_parse_arch(&ask->err, text, arch);
}

static int format_of(struct ask *ask, const char *key, enum tx_dst_format *format)
{
    const char *text = text_of(ask, key);
    if (text != NULL && *text != '\0' && tx_dst_format_parse(text, format) != TX_OK) {
        return txl_fail(&ask->err, "%s: there is no Dst format '%s'", key, text);
    }
    return TXL_OK;
}

/* ---- the answer ---- */

static int answer_text(struct ask *ask, char *text)
{
    ask->answer = text;
    return text != NULL ? TXL_OK : txl_fail(&ask->err, "out of memory");
}

static int answer_json(struct ask *ask, txl_json *value)
{
    char *text = txl_json_line(value);
    txl_json_free(value);
    return answer_text(ask, text);
}

/* Answers with {"key": text, ...} from texts that are JSON already. Frees the texts. */
static int answer_parts(struct ask *ask, const char *const *keys, char **texts, size_t count)
{
    char *answer = NULL;
    size_t size = 0;
    bool whole = true;
    FILE *out = open_memstream(&answer, &size);
    for (size_t i = 0; i < count; i++) {
        whole = whole && texts[i] != NULL;
        if (out != NULL && whole) {
            fprintf(out, "%c\"%s\":%s", i == 0 ? '{' : ',', keys[i], texts[i]);
        }
        free(texts[i]);
    }
    if (out == NULL) {
        return txl_fail(&ask->err, "out of memory");
    }
    fputc('}', out);
    if (fclose(out) != 0 || !whole) {
        free(answer);
        return txl_fail(&ask->err, "out of memory");
    }
    return answer_text(ask, answer);
}

/* ---- programs and machines ---- */

static int assemble(struct ask *ask, struct machine *m)
{
    const char *text = text_of(ask, "text");
    struct txl_kernel_options how = {.size = sizeof how, .threads = true};
    m->name = text_of(ask, "name");
    m->name = m->name != NULL ? m->name : "kernel.s";
    if (text == NULL) {
        return txl_fail(&ask->err, "the question has no text");
    }
    const int result = arch_of(ask, &how.arch);
    return result == TXL_OK
               ? txl_kernel_assemble(&ask->err, m->name, text, strlen(text), &how, &m->program)
               : result;
}

static int take_machine(struct ask *ask, struct machine *m)
{
    const char *rules[TX_MAX_RULES];
    *m = (struct machine){0};
    int result = assemble(ask, m);
    if (result != TXL_OK) {
        return result;
    }
    tx_settings_default(&m->settings, tx_program_arch(m->program));
    m->settings.max_cycles = number_of(ask, "max_cycles", m->settings.max_cycles);
    m->settings.mode = is(ask, "strict") ? TX_MODE_STRICT : TX_MODE_SILICON;
    const unsigned count = list_of(ask, "rules", rules, TX_MAX_RULES);
    for (unsigned i = 0; i < count; i++) {
        if (tx_settings_rule(&m->settings, rules[i]) != TX_OK) {
            return txl_fail(&ask->err, "there is no rule or no such value of it: %s", rules[i]);
        }
    }
    tx_kernel_options_default(&m->kernel);
    m->kernel.seed = (uint32_t)number_of(ask, "seed", m->kernel.seed);
    m->kernel.carry = is(ask, "carry");
    result = format_of(ask, "dst", &m->kernel.dst);
    result = result == TXL_OK ? format_of(ask, "out", &m->kernel.out) : result;
    m->input_count = list_of(ask, "inputs", m->inputs, 16);
    m->set_count = list_of(ask, "sets", m->sets, LIST);
    m->l1_in_count = list_of(ask, "l1_in", m->l1_in, 32);
    m->l1_out_count = list_of(ask, "l1_out", m->l1_out, 32);
    return result;
}

static int ask_program(struct ask *ask)
{
    struct machine m = {0};
    const int result = assemble(ask, &m);
    if (result == TXL_OK) {
        (void)answer_text(ask, txl_program_json(m.program, false));
    }
    tx_program_free(m.program);
    return result == TXL_OK && ask->answer == NULL ? TXL_INPUT : result;
}

/* ---- running ---- */

/*
 * The words of one tile, which the page reads from memory after "tile": inputs, result and
 * reference, and the errors.
 */
static struct {
    struct txl_run_tile seen;
    uint32_t expected[TX_TILE_ELEMENTS];
    double ulp[TX_TILE_ELEMENTS];
} tile;

EMSCRIPTEN_KEEPALIVE const uint32_t *web_held(unsigned input)
{
    return tile.seen.held[input < 16 ? input : 0];
}
EMSCRIPTEN_KEEPALIVE const uint32_t *web_got(void)
{
    return tile.seen.got;
}
EMSCRIPTEN_KEEPALIVE const uint32_t *web_expected(void)
{
    return tile.expected;
}
EMSCRIPTEN_KEEPALIVE const double *web_ulp(void)
{
    return tile.ulp;
}

static int open_run(struct ask *ask, struct machine *m, const char *output, txl_run **run)
{
    *run = NULL;
    int result = take_machine(ask, m);
    const struct txl_run_options how = {.size = sizeof how,
                                        .name = m->name,
                                        .settings = &m->settings,
                                        .kernel = &m->kernel,
                                        .kernel_size = sizeof m->kernel,
                                        .sets = m->sets,
                                        .set_count = m->set_count,
                                        .inputs = m->inputs,
                                        .input_count = m->input_count,
                                        .l1_in = m->l1_in,
                                        .l1_in_count = m->l1_in_count,
                                        .l1_out = m->l1_out,
                                        .l1_out_count = m->l1_out_count,
                                        .output = output,
                                        .reference = text_of(ask, "reference"),
                                        .evidence = is(ask, "evidence"),
                                        .threads = 1};
    return result == TXL_OK ? txl_run_open(&ask->err, m->program, &how, run) : result;
}

static void close_run(struct machine *m, txl_run *run)
{
    txl_run_close(run);
    tx_program_free(m->program);
}

/* Runs all tiles; the result goes to the file "output". */
static int ask_run(struct ask *ask)
{
    struct machine m;
    txl_run *run;
    const struct txl_cycles *cycles;
    int result = open_run(ask, &m, text_of(ask, "output"), &run);
    result = result == TXL_OK ? txl_run_tiles(&ask->err, run) : result;
    if (result == TXL_OK) {
        static const char *const keys[] = {"run", "cycles", "program"};
        /* Counting cycles runs one more tile; if that stops, there are no counts. */
        struct txl_error unsaid = {0};
        const bool counted = txl_run_cycles(&unsaid, run, &cycles) == TXL_OK;
        char *texts[] = {txl_run_json(run), counted ? txl_run_cycles_json(run) : strdup("null"),
                         txl_program_json(m.program, false)};
        result = answer_parts(ask, keys, texts, 3);
    }
    close_run(&m, run);
    return result;
}

/* Runs a program from L1 to L1; its results go to the files named in "l1_out". */
static int ask_l1(struct ask *ask)
{
    struct machine m;
    txl_run *run;
    int result = open_run(ask, &m, NULL, &run);
    result = result == TXL_OK ? txl_run_l1(&ask->err, run) : result;
    if (result == TXL_OK) {
        (void)answer_text(ask, txl_run_json(run));
    }
    close_run(&m, run);
    return result == TXL_OK && ask->answer == NULL ? TXL_INPUT : result;
}

/* Computes the reference's words for the tile and the errors of its results. */
static int compare_tile(struct ask *ask, const txl_run *run)
{
    const struct txl_run_result *about = txl_run_result(run);
    const char *name = txl_run_reference(run);
    txl_reference *reference;
    const int result = txl_reference_open(&ask->err, name, about->dst, about->out_dst, &reference);
    if (result != TXL_OK) {
        return result;
    }
    const uint32_t *inputs[TXL_REFERENCE_INPUTS];
    for (unsigned k = 0; k < TXL_REFERENCE_INPUTS; k++) {
        inputs[k] = tile.seen.held[k];
    }
    txl_reference_words(reference, inputs, TX_TILE_ELEMENTS, tile.expected, NULL);
    txl_reference_close(reference);
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        tile.ulp[i] = txl_ulp(about->out_dst, tile.expected[i], tile.seen.got[i]);
    }
    return TXL_OK;
}

/* Runs one tile on the reference engine. web_held and the others then give its words. */
static int ask_tile(struct ask *ask)
{
    struct machine m;
    txl_run *run;
    int result = open_run(ask, &m, NULL, &run);
    result = result == TXL_OK
                 ? txl_run_one(&ask->err, run, number_of(ask, "tile", 0), NULL, NULL, &tile.seen)
                 : result;
    const char *reference = result == TXL_OK ? txl_run_reference(run) : NULL;
    if (reference != NULL) {
        result = compare_tile(ask, run);
    }
    if (result == TXL_OK) {
        const struct txl_run_result *about = txl_run_result(run);
        txl_json *answer = txl_json_object();
        txl_json_set_int(answer, "elements", about->elements);
        txl_json_set_int(answer, "tiles", about->tile_count);
        txl_json_set_int(answer, "inputs", about->inputs);
        txl_json_set_text(answer, "dst", tx_dst_format_name(about->dst));
        txl_json_set_text(answer, "out", tx_dst_format_name(about->out_dst));
        txl_json_set_bool(answer, "integer_in", txl_number_is_integer(about->dst));
        txl_json_set_bool(answer, "integer_out", txl_number_is_integer(about->out_dst));
        txl_json_set(answer, "reference", txl_json_string(reference));
        result = answer_json(ask, answer);
    }
    close_run(&m, run);
    return result;
}

/* Answers with the account of the error of "element". */
static int ask_why(struct ask *ask)
{
    struct machine m;
    txl_run *run;
    const uint64_t element = number_of(ask, "element", 0);
    const struct txl_run_shadow_options how = {
        .size = sizeof how, .elements = &element, .element_count = 1};
    int result = open_run(ask, &m, NULL, &run);
    result = result == TXL_OK ? txl_run_shadow_json(&ask->err, run, &how, &ask->answer) : result;
    close_run(&m, run);
    return result;
}

/* Answers with the model of the trace's view. */
static int ask_trace(struct ask *ask)
{
    struct machine m;
    size_t size;
    int result = take_machine(ask, &m);
    if (result == TXL_OK) {
        const struct txl_trace_options how = {.size = sizeof how,
                                              .name = m.name,
                                              .settings = &m.settings,
                                              .kernel = &m.kernel,
                                              .kernel_size = sizeof m.kernel,
                                              .sets = m.sets,
                                              .set_count = m.set_count,
                                              .inputs = m.inputs,
                                              .input_count = m.input_count,
                                              .l1_in = m.l1_in,
                                              .l1_in_count = m.l1_in_count,
                                              .l1_out = m.l1_out,
                                              .l1_out_count = m.l1_out_count,
                                              .tile = number_of(ask, "tile", 0),
                                              .init = is(ask, "init"),
                                              .first = number_of(ask, "first", 0),
                                              .end = number_of(ask, "end", 0)};
        result = txl_trace_text(&ask->err, m.program, &how, TXL_TRACE_VIEW, &ask->answer, &size);
    }
    tx_program_free(m.program);
    return result;
}

/* ---- sweeps ---- */

/* Answers with the model of the sweep's view. */
static int ask_sweep(struct ask *ask)
{
    struct machine m;
    txl_sweep *sweep = NULL;
    const char *rules[TX_MAX_RULES];
    const struct txl_sweep_report report = {.size = sizeof report, .worst = 20};
    int result = take_machine(ask, &m);
    if (result == TXL_OK) {
        const struct txl_sweep_options how = {.size = sizeof how,
                                              .kernel = m.name,
                                              .program = m.program,
                                              .arch = tx_program_arch(m.program),
                                              .dst = m.kernel.dst,
                                              .out = m.kernel.out,
                                              .domain = text_of(ask, "domain"),
                                              .stride = number_of(ask, "stride", 0),
                                              .sample = number_of(ask, "sample", 0),
                                              .seed = m.kernel.seed,
                                              .rules = rules,
                                              .rule_count =
                                                  list_of(ask, "rules", rules, TX_MAX_RULES),
                                              .reference = text_of(ask, "reference"),
                                              .jobs = 1};
        result = txl_sweep_open(&ask->err, &how, &sweep);
    }
    result = result == TXL_OK ? txl_sweep_run(&ask->err, sweep) : result;
    result = result == TXL_OK ? txl_sweep_finish(&ask->err, sweep) : result;
    if (result == TXL_OK) {
        txl_json *told = txl_sweep_view(&ask->err, sweep, &report);
        result = told != NULL ? answer_json(ask, told) : TXL_INPUT;
    }
    txl_sweep_close(sweep);
    tx_program_free(m.program);
    return result;
}

/* ---- the tables ---- */

static int ask_explain(struct ask *ask)
{
    enum tx_arch arch;
    const char *subject = text_of(ask, "subject");
    char *text = NULL;
    int result = arch_of(ask, &arch);
    if (result == TXL_OK) {
        result = txl_explain_text(&ask->err, arch, subject != NULL ? subject : "",
                                  text_of(ask, "value"), &text);
    }
    if (result == TXL_OK) {
        result = answer_json(ask, txl_json_string(text));
    }
    free(text);
    return result;
}

static int ask_isa(struct ask *ask)
{
    enum tx_arch arch;
    const int result = arch_of(ask, &arch);
    return result == TXL_OK ? answer_text(ask, txl_isa_json(arch)) : result;
}

/* Answers with the choices that the page offers. */
static int ask_about(struct ask *ask)
{
    txl_json *about = txl_json_object();
    txl_json *references = txl_json_array();
    const char *name;
    txl_json_set_text(about, "version", tx_version());
    for (size_t i = 0; (name = txl_reference_name(i)) != NULL; i++) {
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "name", name);
        txl_json_set_int(one, "inputs", txl_reference_inputs(name));
        txl_json_append(references, one);
    }
    txl_json_set(about, "references", references);
    return answer_json(ask, about);
}

/* ---- the entry points ---- */

static const struct {
    const char *op;
    int (*body)(struct ask *ask);
} ops[] = {{"about", ask_about},     {"isa", ask_isa}, {"explain", ask_explain},
           {"program", ask_program}, {"run", ask_run}, {"l1", ask_l1},
           {"tile", ask_tile},       {"why", ask_why}, {"trace", ask_trace},
           {"sweep", ask_sweep}};

static int dispatch(struct ask *ask)
{
    const char *op = text_of(ask, "op");
    for (size_t i = 0; op != NULL && i < sizeof ops / sizeof ops[0]; i++) {
        if (strcmp(ops[i].op, op) == 0) {
            return ops[i].body(ask);
        }
    }
    return txl_fail(&ask->err, "there is no question '%s'", op != NULL ? op : "");
}

/* Answers one question. The text is to be freed; NULL: out of memory. */
EMSCRIPTEN_KEEPALIVE char *web_ask(const char *question)
{
    json_t *how = json_loads(question, 0, NULL);
    struct ask ask = {.how = how};
    const int result = dispatch(&ask);
    char *text = NULL;
    if (result == TXL_OK && ask.answer != NULL) {
        if (asprintf(&text, "{\"ok\":%s}", ask.answer) < 0) {
            text = NULL;
        }
    } else {
        text = txl_error_json(&ask.err, "web");
    }
    free(ask.answer);
    json_decref(how);
    return text;
}

/* ---- the language server ---- */

static struct {
    txl_lsp *server;
    txl_json *said;
} lsp;

static void hear(void *user, const char *text, size_t length)
{
    (void)user;
    (void)length;
    txl_json_append(lsp.said, txl_json_string(text));
}

/*
 * Passes a message of the editor to the language server and returns the server's messages as an
 * array of texts, to be freed. An empty message asks for the diagnostics of what has changed.
 */
EMSCRIPTEN_KEEPALIVE char *web_lsp(const char *message)
{
    const struct txl_lsp_options how = {.size = sizeof how, .send = hear};
    lsp.said = txl_json_array();
    if (lsp.server == NULL && txl_lsp_open(NULL, &how, &lsp.server) != TXL_OK) {
        txl_json_free(lsp.said);
        return NULL;
    }
    if (*message != '\0') {
        txl_lsp_message(lsp.server, message, strlen(message));
    } else {
        txl_lsp_idle(lsp.server);
    }
    char *text = txl_json_line(lsp.said);
    txl_json_free(lsp.said);
    if (txl_lsp_ended(lsp.server, NULL)) { /* the next message opens a new server */
        txl_lsp_close(lsp.server);
        lsp.server = NULL;
    }
    return text;
}
