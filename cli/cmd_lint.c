/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_HEX,
    KEY_TTINSN,
    KEY_DST,
    KEY_MOST,
    LINT_FILES = 256,
};

struct lint_args {
    struct cli *cli;
    const char *files[LINT_FILES];
    size_t count;
    enum tx_arch arch;
    enum tx_start start;
    enum tx_dst_format dst;
    uint64_t most_cycles;
    bool both, hex, ttinsn;
    json_t *results;
    bool found;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP|both", 0,
     "bh or wh in any spelling, or both; default: what the file says", 1},
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32 as the kernel's input; default: its .dst, else fp32",
     1},
    {"hex", KEY_HEX, NULL, 0, "The files are lists of hex words (as .hex files are)", 1},
    {"max-cycles", KEY_MOST, "N", 0,
     "End a program that is not through after N cycles, and say so (default 2000000)", 1},
    {"ttinsn", KEY_TTINSN, NULL, 0, "Hex words are rotated as in a RISC-V instruction stream", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs kernels, hex lists and the functions of ELF files on random data and reports timing "
    "hazards, other findings, missing and superfluous SFPNOPs.\vEach hazard names consumer, "
    "producer, operand, cycles and rule ('tensix explain RULE'). A kernel runs .init and one tile; "
    "hex words and the Tensix words of each ELF function (in order of address) run straight, from "
    "registers and Dst full of random values. An SFPNOP is superfluous when the program without it "
    "ends in the same state with the same findings, no scheduled instruction is near, and the rule "
    "asks for none; where its removal saves no cycle it is a note only. Exit status: 0 nothing "
    "found, 1 something found, 2 an input was refused.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct lint_args *a = state->input;
    switch (key) {
    case CLI_KEY_START:
        return cli_start(a->cli, arg, &a->start);
    case KEY_ARCH:
        a->both = strcmp(arg, "both") == 0;
        return a->both ? 0 : cli_arch(a->cli, arg, &a->arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->dst);
    case KEY_MOST:
        return cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->most_cycles);
    case KEY_HEX:
        a->hex = true;
        return 0;
    case KEY_TTINSN:
        a->ttinsn = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->count == LINT_FILES) {
            return cli_fail(a->cli, "more than %d files", LINT_FILES);
        }
        a->files[a->count++] = arg;
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

/* What the machine finds wrong with the REPLAYs themselves, at their places. */
static bool judge_replays(struct lint_result *r, struct flow *straight)
{
    struct flow_run run = {.seed = r->run.seed};
    bool good = flow_run(straight, &run) == TX_OK;
    for (size_t i = 0; good && i < run.count; i++) {
        const struct tx_finding *f = &run.found[i].finding;
        const struct tx_insn *insn = tx_insn_of(r->arch, f->word);
        if (f->word == 0 || insn == NULL || strcmp(insn->name, "ttreplay") != 0) {
            continue;
        }
        uint32_t site = run.found[i].site;
        for (uint32_t k = 0; k < r->flow.site_count; k++) {
            if (site == FLOW_NOWHERE || r->flow.sites[site].word != f->word) {
                site = k; /* one in a recording has no number of its own */
            }
        }
        (void)flow_add(&r->run, f, site);
    }
    flow_run_free(&run);
    return good && !r->run.memory;
}

/* Runs what result->flow holds and hands the result out. straight: the same words, unexpanded. */
static int judge(struct lint_args *a, struct lint_result *result, struct flow *straight)
{
    result->run.seed = 1;
    result->flow.most_cycles = straight->most_cycles = a->most_cycles;
    enum tx_status status = flow_run(&result->flow, &result->run);
    if (status == TX_OK && result->flow.replays && !judge_replays(result, straight)) {
        status = TX_ENOMEM;
    }
    if (status != TX_OK || !lint_nops(result)) {
        return cli_fail(a->cli, "%s: %s", result->file,
                        status != TX_OK ? tx_status_text(status) : "out of memory");
    }
    a->found |= result->run.count > 0 || lint_superfluous(result) > 0 || result->run.ended;
    if (a->cli->json) {
        json_array_append_new(a->results, lint_json(result));
    } else if (!lint_print(stdout, result)) {
        return cli_fail(a->cli, "%s: out of memory", result->file);
    }
    return CLI_CONTINUE;
}

static void free_result(struct lint_result *result)
{
    if (result != NULL) {
        flow_run_free(&result->run);
        flow_free(&result->flow);
        free(result->nops);
    }
    free(result);
}

static int kernel_on(struct lint_args *a, const char *file, enum tx_arch arch)
{
    struct txl_load how = {.arch = arch, .hex = a->hex, .ttinsn = a->ttinsn, .start = a->start};
    struct tx_program *program = NULL;
    int result = txl_load_program(&a->cli->error, file, &how, &program);
    if (result == CLI_CONTINUE) {
        result = txl_check_words(&a->cli->error, file, program);
    }
    struct lint_result *one = calloc(1, sizeof *one);
    struct flow straight = {.straight = true, .dst = a->dst};
    if (result == CLI_CONTINUE && one == NULL) {
        result = cli_fail(a->cli, "out of memory");
    }
    if (result == CLI_CONTINUE) {
        size_t length = strlen(file);
        bool hex = a->hex || (length > 4 && strcasecmp(file + length - 4, ".hex") == 0);
        one->arch = program->arch;
        one->file = file;
        one->flow.dst = a->dst;
        struct flow *const flows[] = {&one->flow, &straight};
        bool good = true;
        for (unsigned i = 0; i < 2; i++) {
            flows[i]->arch = program->arch;
            good = good && (hex ? flow_add_words(flows[i], program->section[TX_SECTION_TILE].words,
                                                 NULL, program->section[TX_SECTION_TILE].count,
                                                 TX_SECTION_TILE, 1)
                                : flow_build(flows[i], program));
        }
        result = good ? judge(a, one, &straight) : cli_fail(a->cli, "%s: too long to run", file);
    }
    free_result(one);
    flow_free(&straight);
    tx_program_free(program);
    return result;
}

/* Whether the text names its chip, asked without a word on the terminal. */
static bool states_arch(struct lint_args *a, const char *file, int *result)
{
    size_t length = 0;
    char *text = txl_read_file(&a->cli->error, file, &length);
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (text == NULL) {
        *result = CLI_INPUT;
        return false;
    }
    const struct tx_asm_options how = {.hex = a->hex};
    bool stated = tx_assemble(text, length, &how, &program, &diag) == TX_OK;
    tx_program_free(program);
    free(text);
    return stated;
}

static int lint_kernel(struct lint_args *a, const char *file)
{
    int result = CLI_CONTINUE;
    bool standard = strcmp(file, "-") == 0;
    size_t length = strlen(file);
    bool hex = a->hex || (length > 4 && strcasecmp(file + length - 4, ".hex") == 0);
    if (a->arch != TX_ARCH_NONE || hex || standard) {
        if (!a->both) {
            return kernel_on(a, file, a->arch);
        }
    } else if (!a->both && states_arch(a, file, &result)) {
        return kernel_on(a, file, TX_ARCH_NONE);
    }
    if (standard) {
        return cli_fail(a->cli, "standard input is read once: --arch both needs a file");
    }
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE && result == CLI_CONTINUE; arch++) {
        result = kernel_on(a, file, arch);
    }
    return result;
}

static int function_on(struct lint_args *a, const char *file, const struct lint_function *f,
                       enum tx_arch arch)
{
    struct lint_result *one = calloc(1, sizeof *one);
    int result = CLI_CONTINUE;
    if (one == NULL) {
        return cli_fail(a->cli, "out of memory");
    }
    one->arch = arch;
    one->file = file;
    one->function = f->name;
    struct flow straight = {.arch = arch, .straight = true};
    one->flow.arch = arch;
    one->flow.part = true;
    if (flow_add_words(&one->flow, f->words, NULL, f->count, TX_SECTION_TILE, 4) &&
        flow_add_words(&straight, f->words, NULL, f->count, TX_SECTION_TILE, 4)) {
        for (size_t i = 0; i < one->flow.site_count; i++) {
            one->flow.sites[i].offset = f->offsets[i];
        }
        result = judge(a, one, &straight);
    } else {
        result = cli_fail(a->cli, "%s: %s: too long to run", file, f->name);
    }
    free_result(one);
    flow_free(&straight);
    return result;
}

static int lint_elf_file(struct lint_args *a, const char *file)
{
    struct lint_elf elf;
    struct txl_where where = {.file = file};
    int result = lint_read_elf(&a->cli->error, file, &elf);
    if (result != CLI_CONTINUE) {
        return result;
    }
    enum tx_arch arch = a->arch != TX_ARCH_NONE ? a->arch : elf.arch;
    if (arch == TX_ARCH_NONE && !a->both) {
        result = cli_fail_at(a->cli, &where, "the file does not name its chip: give --arch");
    }
    if (elf.count == 0 && result == CLI_CONTINUE) {
        result = cli_fail_at(a->cli, &where, "no function of it holds a Tensix instruction");
    }
    for (size_t i = 0; i < elf.count && result == CLI_CONTINUE; i++) {
        for (enum tx_arch k = TX_WORMHOLE; k <= TX_BLACKHOLE && result == CLI_CONTINUE; k++) {
            if (a->both || k == arch) {
                result = function_on(a, file, &elf.functions[i], k);
            }
        }
    }
    lint_free_elf(&elf);
    return result;
}

int cmd_lint(struct cli *cli, int argc, char **argv)
{
    static struct lint_args a;
    a = (struct lint_args){.cli = cli};
    static const struct argp argp = {options, parse, "KERNEL|HEX|ELF...", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.count == 0) {
        return cli_fail(cli, "no file given; see 'tensix lint --help'");
    }
    cli->caret = true;
    a.results = json_array();
    for (size_t i = 0; i < a.count && result == CLI_CONTINUE; i++) {
        result =
            lint_is_elf(a.files[i]) ? lint_elf_file(&a, a.files[i]) : lint_kernel(&a, a.files[i]);
    }
    if (result == CLI_CONTINUE && cli->json) {
        json_t *root = json_object();
        jx_set_bool(root, "found", a.found);
        json_object_set(root, "results", a.results);
        jx_print(stdout, root);
        json_decref(root);
    }
    json_decref(a.results);
    return result != CLI_CONTINUE ? result : a.found ? CLI_NEGATIVE : CLI_OK;
}
