/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "print/tables.h"

enum { KEY_ARCH = CLI_KEY_FIRST };

struct isa_args {
    struct cli *cli;
    enum tx_arch arch;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Only this chip: bh or wh in any spelling", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Lists instructions and their behaviours, configuration fields, errata, and the rule "
    "switches that --rule takes.\v--json gives the whole tables.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct isa_args *a = state->input;
    if (key == KEY_ARCH) {
        return cli_arch(a->cli, arg, &a->arch);
    }
    if (key == ARGP_KEY_ARG) {
        return cli_fail(a->cli, "'%s': no arguments are taken; see 'tensix explain'", arg);
    }
    return cli_common(a->cli, key);
}

static void print_rows(enum tx_arch arch, const struct tx_insn *insn)
{
    const struct tx_row *row;
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
        if (!table_row_of(row, insn)) {
            continue;
        }
        char modes[64];
        printf("       %-22s %-7s %u cycle%s  modes %-18s %s\n", row->id, txl_unit_name(row->unit),
               row->latency, row->latency == 1 ? " " : "s",
               table_modes_text(row->legal, modes, sizeof modes), row->summary);
    }
}

static void print_arch(enum tx_arch arch)
{
    const struct tx_insn *insn;
    printf("%s\n\n", tx_arch_name(arch));
    for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL; i++) {
        printf("  %02x   %-18s %-7s", insn->opcode, insn->name, txl_unit_name(insn->unit));
        for (unsigned f = 0; f < insn->field_count; f++) {
            printf(" %s[%u:%u]", insn->fields[f].name,
                   insn->fields[f].lsb + insn->fields[f].width - 1U, insn->fields[f].lsb);
        }
        putchar('\n');
        print_rows(arch, insn);
    }
    putchar('\n');
}

static void print_text(const struct isa_args *a)
{
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if (a->arch == TX_ARCH_NONE || a->arch == arch) {
            print_arch(arch);
        }
    }
    const struct tx_erratum *erratum;
    const struct tx_rule *rule;
    printf("errata (tensix explain ID)\n\n");
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (a->arch == TX_ARCH_NONE || (erratum->archs >> a->arch & 1) != 0) {
            printf("  %-24s %s\n", erratum->id, erratum->rows);
        }
    }
    printf("\nrule switches (--rule NAME=VALUE; the first value is the default)\n\n");
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL; i++) {
        printf("  %-24s", rule->name);
        for (unsigned v = 0; v < 4 && rule->values[v] != NULL; v++) {
            printf(" %s", rule->values[v]);
        }
        printf("  [%s]\n", rule->evidence != NULL ? rule->evidence : "-");
    }
}

int cmd_isa(struct cli *cli, int argc, char **argv)
{
    struct isa_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (cli->json) {
        return cli_put_json(cli, txl_isa_json(a.arch));
    }
    print_text(&a);
    return CLI_OK;
}
