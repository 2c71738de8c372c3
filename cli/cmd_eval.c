/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "eval.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "run/run.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_LANES,
    KEY_STRICT,
    KEY_MOST,
    KEY_THREAD,
    KEY_RULE,
    KEY_EVIDENCE,
    KEY_L1,
    KEY_L1_OUT
};

enum { ASSIGNMENTS = 256 };

struct eval_args {
    struct cli *cli;
    enum tx_arch arch;
    int lanes;
    uint64_t max_cycles;
    bool strict, evidence;
    unsigned thread;
    const char *assignments[ASSIGNMENTS];
    unsigned assignment_count;
    const char *rules[TX_MAX_RULES];
    unsigned rule_count;
    char *text; /* the instructions, one a line */
    struct l1_job l1;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"lanes", KEY_LANES, "all|N", 0,
     "Every lane of a register that changed, or one; default: the "
     "lanes that changed, equal neighbours together",
     1},
    {"max-cycles", KEY_MOST, "N", 0, "End what takes more cycles (default 100000000, 0: no limit)",
     2},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 2},
    {"thread", KEY_THREAD, "N", 0,
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"evidence", KEY_EVIDENCE, NULL, 0, "Print the inferred rules that were relied on", 2},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 3),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs instructions from reset and shows every register that changed, in every reading: hex, "
    "FP32, two's complement, sign and magnitude, pair of BF16.\vInstructions are arguments, "
    "several in one separated by ';'. Arguments of the form NAME=VALUE are set before: L0 to "
    "L16, LaneFlags, UseLaneFlags, PRNG (a seed), GPR0 to GPR63, Dst0 to Dst1023 (rows as "
    "stored) or a configuration field by the vendor's name. Values: 1.5 or f:1.5 (FP32), "
    "0x3fc00000 (the pattern), i:-5, u:5, sm:-5; a list with commas goes over the lanes and "
    "round again.\n\nExample: tensix eval --arch bh 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=2";

static error_t parse_word(struct eval_args *a, const char *arg)
{
    const char *p = arg;
    while (isalnum((unsigned char)*p) || *p == '_') {
        p++;
    }
    if (*p == '=' && p != arg) {
        if (a->assignment_count == ASSIGNMENTS) {
            return cli_fail(a->cli, "more than %d assignments", ASSIGNMENTS);
        }
        a->assignments[a->assignment_count++] = arg;
        return 0;
    }
    size_t old = a->text != NULL ? strlen(a->text) : 0;
    char *larger = realloc(a->text, old + strlen(arg) + 2);
    if (larger == NULL) {
        return cli_fail(a->cli, "out of memory");
    }
    a->text = larger;
    sprintf(larger + old, "%s\n", arg);
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct eval_args *a = state->input;
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ARCH:
        result = cli_arch(a->cli, arg, &a->arch);
        break;
    case KEY_LANES:
        if (strcmp(arg, "all") == 0) {
            a->lanes = EVAL_ALL;
            break;
        }
        result = cli_unsigned(a->cli, "--lanes", arg, TX_LANES - 1, &number);
        a->lanes = (int)number;
        break;
    case KEY_MOST:
        result = cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->max_cycles);
        break;
    case KEY_STRICT:
        a->strict = true;
        break;
    case KEY_EVIDENCE:
        a->evidence = true;
        break;
    case KEY_L1:
    case KEY_L1_OUT:
        return l1_option(&a->l1, arg, key == KEY_L1_OUT);
    case KEY_THREAD:
        result = cli_thread(a->cli, arg, &a->thread);
        break;
    case KEY_RULE:
        if (a->rule_count == TX_MAX_RULES) {
            return cli_fail(a->cli, "more than %d --rule", TX_MAX_RULES);
        }
        a->rules[a->rule_count++] = arg;
        break;
    case ARGP_KEY_ARG:
        return parse_word(a, arg);
    default:
        return cli_common(a->cli, key);
    }
    return result;
}

static int assemble(struct eval_args *a, struct tx_program **program)
{
    struct tx_asm_options how = {.arch = a->arch, .force_arch = true};
    struct tx_diag diag = {0};
    enum tx_status status = tx_assemble(a->text, strlen(a->text), &how, program, &diag);
    if (status == TX_OK && *program != NULL && tx_program_threaded(*program)) {
        tx_program_free(*program);
        *program = NULL;
        return cli_fail(a->cli, "eval runs one thread; see --thread");
    }
    if (status == TX_OK && *program != NULL) {
        return txl_check_words(&a->cli->error, "instruction", *program);
    }
    struct txl_where where = {.file = "instruction",
                              .line = diag.line,
                              .column = diag.column,
                              .length = diag.length,
                              .source = diag.source};
    *program = NULL;
    return cli_fail_at(a->cli, &where, "%s",
                       diag.message[0] != '\0' ? diag.message : tx_status_text(status));
}

static int open_machine(struct eval_args *a, const struct tx_program *p, tx_machine **machine)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(p));
    settings.max_cycles = a->max_cycles;
    settings.mode = a->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    for (unsigned i = 0; i < a->rule_count; i++) {
        if (tx_settings_rule(&settings, a->rules[i]) != TX_OK) {
            return cli_fail(a->cli, "--rule: no such rule or value: '%s'", a->rules[i]);
        }
    }
    if (tx_open(&settings, machine) != TX_OK) {
        return cli_fail(a->cli, "out of memory");
    }
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        if (tx_config_set(*machine, a->thread, tx_program_config_name(p, i),
                          tx_program_config_value(p, i)) != TX_OK) {
            return cli_fail(a->cli, "configuration %s cannot be set", tx_program_config_name(p, i));
        }
    }
    if (l1_wanted(&a->l1)) {
        a->l1.arch = tx_program_arch(p);
        int result = l1_settle(&a->l1);
        result = result == CLI_CONTINUE ? l1_place(&a->l1, *machine) : result;
        if (result != CLI_CONTINUE) {
            return result;
        }
    }
    for (unsigned i = 0; i < a->assignment_count; i++) {
        int result = eval_assign(a->cli, *machine, a->thread, a->assignments[i]);
        if (result != CLI_CONTINUE) {
            return result;
        }
    }
    return CLI_CONTINUE;
}

static void print_answer(const struct eval_args *a, const tx_machine *m,
                         const struct eval_state *before, const struct eval_state *after)
{
    struct tx_counters c = tx_machine_counters(m);
    static struct run_findings findings;
    static uint64_t notes[RUN_NOTES];
    run_collect(&findings, m, false, NULL);
    for (size_t i = 0; i < RUN_NOTES && tx_evidence_at(i) != NULL; i++) {
        notes[i] = tx_note_count(m, i);
    }
    if (a->cli->json) {
        json_t *root = json_object();
        jx_set_text(root, "arch", tx_arch_name(tx_machine_arch(m)));
        json_object_set_new(root, "changed",
                            eval_json(before, after, tx_machine_arch(m), a->thread));
        jx_set_int(root, "instructions", c.instructions);
        jx_set_int(root, "cycles", c.cycles);
        jx_set_int(root, "issue_cycles", c.issue_cycles);
        jx_set_int(root, "stall_cycles", c.stall_cycles);
        json_object_set_new(root, "findings", run_findings_json(&findings, NULL));
        json_object_set_new(root, "notes", run_notes_json(notes));
        if (l1_wanted(&a->l1)) {
            json_object_set_new(root, "l1_changed", l1_changes_json(&a->l1, m));
        }
        jx_print(stdout, root);
        json_decref(root);
        return;
    }
    eval_print(before, after, tx_machine_arch(m), a->thread, a->lanes);
    if (l1_wanted(&a->l1)) {
        l1_print_changes(&a->l1, m);
    }
    printf("cycles          %llu (issue %llu, stalled %llu), instructions %llu\n",
           (unsigned long long)c.cycles, (unsigned long long)c.issue_cycles,
           (unsigned long long)c.stall_cycles, (unsigned long long)c.instructions);
    run_print_findings(stdout, &findings, NULL);
    if (a->evidence) {
        run_print_notes(stdout, notes);
    }
}

static int run_program(struct eval_args *a, tx_machine *m, const struct tx_program *p)
{
    struct eval_state before;
    struct eval_state after = {0};
    if (!eval_state_read(&before, m, a->thread)) {
        eval_state_free(&before);
        return cli_fail(a->cli, "out of memory");
    }
    enum tx_status status = TX_OK;
    for (unsigned s = 0; s < TX_SECTIONS && status == TX_OK; s++) {
        if (tx_program_count(p, s) > 0) {
            status = tx_run(m, a->thread, tx_program_words(p, s), tx_program_count(p, s));
        }
    }
    int result = CLI_OK;
    if (status != TX_OK) {
        const struct tx_finding *f = tx_fault(m);
        char text[512];
        result = f == NULL
                     ? cli_refuse(a->cli, CLI_NEGATIVE, "%s",
                                  txl_stuck_text(m, status, text, sizeof text))
                     : cli_refuse(a->cli, CLI_NEGATIVE, "%s: %s [%s] at instruction %llu",
                                  tx_category_name(f->category), f->message,
                                  f->rule != NULL ? f->rule : "-", (unsigned long long)f->index);
    } else if (!eval_state_read(&after, m, a->thread)) {
        result = cli_fail(a->cli, "out of memory");
    } else {
        result = l1_wanted(&a->l1) ? l1_take(&a->l1, m) : CLI_CONTINUE;
        if (result == CLI_CONTINUE) {
            print_answer(a, m, &before, &after);
            result = CLI_OK;
        }
    }
    eval_state_free(&before);
    eval_state_free(&after);
    return result;
}

int cmd_eval(struct cli *cli, int argc, char **argv)
{
    static struct eval_args a;
    a = (struct eval_args){.cli = cli,
                           .l1 = {.err = &cli->error},
                           .lanes = EVAL_CHANGED,
                           .thread = 1,
                           .max_cycles = TX_MAX_CYCLES};
    static const struct argp argp = {
        options, parse, "'INSTRUCTION; ...' [NAME=VALUE...]", doc, NULL, NULL, NULL};
    struct tx_program *program = NULL;
    tx_machine *machine = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE && a.arch == TX_ARCH_NONE) {
        result = cli_fail(cli, "no chip given: --arch bh or --arch wh");
    }
    if (result == CLI_CONTINUE && a.text == NULL) {
        result = cli_fail(cli, "no instruction given; see 'tensix eval --help'");
    }
    if (result == CLI_CONTINUE && a.text != NULL) {
        result = assemble(&a, &program);
    }
    if (result == CLI_CONTINUE && program != NULL) {
        result = open_machine(&a, program, &machine);
        if (result == CLI_CONTINUE) {
            result = run_program(&a, machine, program);
        }
    }
    tx_close(machine);
    tx_program_free(program);
    l1_free(&a.l1);
    free(a.text);
    return result;
}
