/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "expand/expand.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/json.h"
#include "flow/lint_flow.h"

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_DST, KEY_OUT_DST, KEY_TILES, INPUTS = 16 };

struct expand_args {
    struct cli *cli;
    const char *file, *out;
    enum tx_arch arch;
    enum tx_dst_format dst, out_dst;
    uint64_t tiles;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"out", 'o', "OUT.s", 0, "Where to, default: standard output", 1},
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32; default: .dst",
     1},
    {"out-dst", KEY_OUT_DST, "FORMAT", 0,
     "Compare results read from Dst as this; default: .out, else --dst", 1},
    {"tiles", KEY_TILES, "N", 0, "Tiles of random and special data for the proof, default 64", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Rewrites a kernel with SFPLOADMACRO as straight-line code and shows both equal by running "
    "them.\vThe scheduled instructions of one tile are put in the order in which they run, with "
    "registers of their own: L16 becomes a free LReg. Where none is free, or an instruction wants "
    "a register by its number, or the two do not agree, the command names the cycle and the reason "
    "with exit status 1 and writes nothing.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct expand_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->out_dst);
    case KEY_TILES:
        return cli_unsigned(a->cli, "--tiles", arg, 1000000, &a->tiles);
    case 'o':
        a->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "kernel", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

/* Sequences and Misc: nothing uses them any more, and armed delay kinds are a hazard. */
static bool is_setup(const struct tx_program *p, uint32_t word)
{
    struct tx_decoded d;
    if (tx_insn_id_of(tx_program_arch(p), word) != TX_INSN_SFPCONFIG) {
        return false;
    }
    (void)tx_decode(tx_program_arch(p), word, &d);
    const uint32_t to = tx_row_field(d.row, TX_FLD_VD, word);
    return to >= 4 && to <= 8;
}

/*
 * Words of .init from i on that the straight-line form has no use for: what only prepares
 * SFPLOADMACRO, and recordings, whose replays are written out. Where .init replays itself all stay.
 */
static size_t superfluous(const struct tx_program *p, size_t i)
{
    const uint32_t *words = tx_program_words(p, TX_SECTION_INIT);
    size_t left = tx_program_count(p, TX_SECTION_INIT) - i;
    struct tx_decoded d;
    for (size_t k = 0; k < tx_program_count(p, TX_SECTION_INIT); k++) {
        (void)tx_decode(tx_program_arch(p), words[k], &d);
        if (d.row != NULL && d.row->insn == TX_INSN_REPLAY &&
            tx_row_field(d.row, TX_FLD_LOAD, words[k]) == 0) {
            return 0;
        }
    }
    (void)tx_decode(tx_program_arch(p), words[i], &d);
    if (d.row != NULL && d.row->insn == TX_INSN_REPLAY) {
        const uint32_t count = tx_row_field(d.row, TX_FLD_COUNT, words[i]);
        const bool runs = tx_row_field(d.row, TX_FLD_EXEC, words[i]) != 0;
        size_t recorded = runs ? 0 : count == 0 ? 32 : count;
        return recorded + 1 < left ? recorded + 1 : left;
    }
    return is_setup(p, words[i]) ? 1 : 0;
}

static void write_text(FILE *out, const struct expand *x)
{
    const struct tx_program *p = x->program;
    char text[128];
    fprintf(out, "# Straight-line form, written by tensix expand.\n.arch %s\n",
            tx_arch_name(tx_program_arch(p)));
    if (tx_program_title(p)[0] != '\0') {
        fprintf(out, ".title \"%s\"\n", tx_program_title(p));
    }
    if (tx_program_dst(p) != TX_DST_UNSET) {
        fprintf(out, ".dst %s\n", tx_dst_format_name(tx_program_dst(p)));
    }
    if (tx_program_start(p) != TX_START_UNSET) {
        fprintf(out, ".start %s\n", tx_start_name(tx_program_start(p)));
    }
    if (tx_program_out(p) != TX_DST_UNSET) {
        fprintf(out, ".out %s\n", tx_dst_format_name(tx_program_out(p)));
    }
    if (tx_program_reference(p)[0] != '\0') {
        fprintf(out, ".reference %s\n", tx_program_reference(p));
    }
    fprintf(out, ".inputs %u\n.output %u\n", tx_program_inputs(p), tx_program_output(p));
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        fprintf(out, ".config %s, %u\n", tx_program_config_name(p, i),
                tx_program_config_value(p, i));
    }
    fprintf(out, ".init\n");
    for (size_t i = 0; i < tx_program_count(p, TX_SECTION_INIT); i++) {
        size_t skip = superfluous(p, i);
        if (skip != 0) {
            i += skip - 1;
            continue;
        }
        (void)tx_disassemble(tx_program_arch(p), tx_program_words(p, TX_SECTION_INIT)[i],
                             TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
    fprintf(out, ".tile\n");
    for (size_t i = 0; i < x->out_count; i++) {
        (void)tx_disassemble(tx_program_arch(p), x->out[i], TX_DIS_NORMAL, text, sizeof text);
        fprintf(out, "    %s\n", text);
    }
}

struct side {
    tx_kernel *kernel;
    uint32_t out[TX_TILE_ELEMENTS];
    uint64_t first;               /* cycle of the tile's first event, where counting starts */
    uint64_t stored[TX_DST_ROWS]; /* cycle of the last write of each row, + 1 */
    bool begun;
};

static void on_store(void *user, const struct tx_event *event)
{
    struct side *side = user;
    if (!side->begun && event->kind == TX_EVENT_ISSUE) {
        side->begun = true;
        side->first = event->cycle;
    }
    if (side->begun && event->kind == TX_EVENT_WRITE_DST) {
        side->stored[event->index] = event->cycle - side->first + 1;
    }
}

static enum tx_status open_side(const struct expand *x, const struct tx_program *program,
                                struct side *side)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(program));
    settings.sink = (struct tx_sink){on_store, side};
    enum tx_status status = tx_kernel_open(&settings, program, &x->options, &side->kernel);
    return status == TX_OK ? tx_kernel_start(side->kernel) : status;
}

/* The first store of the kernel that the attempt does not do as well. */
static void tell_difference(struct expand *x, const struct side side[2], uint64_t tile)
{
    unsigned row = TX_DST_ROWS;
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        uint32_t cells[2][TX_DST_WIDTH] = {{0}};
        for (unsigned s = 0; s < 2; s++) {
            (void)tx_read(tx_kernel_machine(side[s].kernel), TX_FILE_DST, i, cells[s],
                          TX_DST_WIDTH);
        }
        if (memcmp(cells[0], cells[1], sizeof cells[0]) != 0 &&
            (row == TX_DST_ROWS || side[0].stored[i] < side[0].stored[row])) {
            row = i;
        }
    }
    if (row == TX_DST_ROWS || side[0].stored[row] == 0) {
        (void)expand_fail(x, "the attempt does not end as the kernel does, in tile %llu",
                          (unsigned long long)tile);
        return;
    }
    (void)expand_fail(x,
                      "the attempt differs in tile %llu, from the store of cycle %llu to Dst row "
                      "%u on",
                      (unsigned long long)tile, (unsigned long long)(side[0].stored[row] - 1), row);
}

/* Tiles that agree, all being the proof; where one does not, x->message says why. */
static uint64_t prove(const struct expand_args *a, struct expand *x,
                      const struct tx_program *straight)
{
    static uint32_t data[INPUTS][TX_TILE_ELEMENTS];
    static struct side side[2];
    const uint32_t *inputs[INPUTS];
    uint64_t random = 0x5EED;
    uint64_t agreed = 0;
    memset(side, 0, sizeof side);
    bool good =
        open_side(x, x->program, &side[0]) == TX_OK && open_side(x, straight, &side[1]) == TX_OK;
    for (uint64_t tile = 0; good && tile < a->tiles; tile++) {
        enum tx_dst_format dst = tx_kernel_dst(side[0].kernel);
        for (unsigned i = 0; i < INPUTS; i++) {
            flow_data(dst, &random, data[i]);
            inputs[i] = data[i];
        }
        for (unsigned s = 0; s < 2 && good; s++) {
            side[s].begun = false;
            good = tx_kernel_tile(side[s].kernel, tile, inputs, side[s].out) == TX_OK;
        }
        good = good && memcmp(side[0].out, side[1].out, sizeof side[0].out) == 0;
        agreed += good ? 1 : 0;
        if (!good) {
            tell_difference(x, side, tile);
        }
    }
    for (unsigned s = 0; s < 2; s++) {
        if (side[s].kernel != NULL) {
            tx_kernel_close(side[s].kernel);
        }
    }
    return agreed;
}

static int deliver(struct expand_args *a, const struct expand *x, const char *text, size_t size)
{
    if (a->out != NULL) {
        int result = txl_write_file(&a->cli->error, a->out, text, size);
        if (result != CLI_OK) {
            return result;
        }
    }
    if (a->cli->json) {
        json_t *root = json_object();
        jx_set_text(root, "kernel", a->file);
        jx_set_text(root, "arch", tx_arch_name(tx_program_arch(x->program)));
        jx_set_int(root, "macros", x->launches);
        jx_set_int(root, "instructions", x->out_count);
        jx_set_int(root, "tiles_compared", a->tiles);
        jx_set_bool(root, "equal", true);
        jx_set_text(root, "text", a->out == NULL ? text : NULL);
        jx_print(stdout, root);
        json_decref(root);
    } else if (a->out == NULL) {
        fputs(text, stdout);
    } else {
        printf("%s: %llu SFPLOADMACRO made %zu instructions; equal on %llu tiles\n", a->out,
               (unsigned long long)x->launches, x->out_count, (unsigned long long)a->tiles);
    }
    return CLI_OK;
}

static int expand(struct expand_args *a, struct expand *x)
{
    enum tx_status status = expand_trace(x);
    if (status != TX_OK) {
        return cli_refuse(a->cli, CLI_NEGATIVE, "%s: the kernel stops: %s", a->file,
                          tx_status_text(status));
    }
    if (x->launches == 0) {
        return cli_refuse(a->cli, CLI_NEGATIVE, "%s: no SFPLOADMACRO in it", a->file);
    }
    if (x->message[0] != '\0' || !expand_values(x) || !expand_alloc(x)) {
        return cli_refuse(a->cli, CLI_NEGATIVE, "%s: no straight-line form: %s", a->file,
                          x->message);
    }
    char *text = NULL;
    size_t size = 0;
    FILE *memory = guard_text(&text, &size);
    write_text(memory, x);
    guard_text_end(memory, &text);
    /* What is proved is the text itself, assembled again. */
    struct tx_program *straight = NULL;
    struct tx_diag diag = {0};
    const struct tx_asm_options how = {.arch = tx_program_arch(x->program)};
    int result = CLI_OK;
    if (tx_assemble(text, size, &how, &straight, &diag) != TX_OK) {
        result = cli_refuse(a->cli, CLI_NEGATIVE, "%s: no straight-line form: line %u: %s", a->file,
                            diag.line, diag.message);
    } else {
        uint64_t agreed = prove(a, x, straight);
        result = agreed == a->tiles
                     ? deliver(a, x, text, size)
                     : cli_refuse(a->cli, CLI_NEGATIVE, "%s: no straight-line form: %s", a->file,
                                  x->message[0] != '\0' ? x->message : "the attempt does not run");
    }
    tx_program_free(straight);
    free(text);
    return result;
}

int cmd_expand(struct cli *cli, int argc, char **argv)
{
    struct expand_args a = {.cli = cli, .tiles = 64};
    static const struct argp argp = {options, parse, "KERNEL", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL) {
        return cli_fail(cli, "no kernel given; see 'tensix expand --help'");
    }
    struct txl_load how = {.arch = a.arch};
    struct tx_program *program = NULL;
    result = txl_load_program(&cli->error, a.file, &how, &program);
    if (result == CLI_CONTINUE) {
        result = txl_check_words(&cli->error, a.file, program);
    }
    if (result == CLI_CONTINUE) {
        struct expand x = {.program = program};
        tx_kernel_options_default(&x.options);
        x.options.dst = a.dst;
        x.options.out = a.out_dst;
        result = expand(&a, &x);
        free(x.ops);
        free(x.values);
        free(x.out);
    }
    tx_program_free(program);
    return result;
}
