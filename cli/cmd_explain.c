/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "print/tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>

enum { KEY_ARCH = CLI_KEY_FIRST };

struct explain_args {
    struct cli *cli;
    enum tx_arch arch;
    const char *subject;
    const char *value; /* of .sequence, .misc, .template */
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Only this chip: bh or wh in any spelling", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Explains a mnemonic, an instruction word, or an id: of a finding, erratum, evidence entry, "
    "behaviour row, rule switch or configuration field.\vA mnemonic is taken in every spelling: "
    "sfpswap, SFPSWAP, TTI_SFPSWAP. Words are 7 or 8 hex digits or begin with 0x. "
    "'.sequence', '.misc' and '.template' explain SFPLOADMACRO's configuration, and with a word "
    "('.sequence 1b550400') what that word configures.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct explain_args *a = state->input;
    if (key == KEY_ARCH) {
        return cli_arch(a->cli, arg, &a->arch);
    }
    if (key == ARGP_KEY_ARG && a->subject != NULL && a->subject[0] == '.') {
        return cli_only(a->cli, "word", arg, &a->value);
    }
    if (key == ARGP_KEY_ARG) {
        return cli_only(a->cli, "thing", arg, &a->subject);
    }
    return cli_common(a->cli, key);
}

static bool wanted(const struct explain_args *a, enum tx_arch arch)
{
    return a->arch == TX_ARCH_NONE || a->arch == arch;
}

/* Fields from bit 31 down, with what lies between them, as a table of three lines. */
static void print_picture(const struct tx_insn *insn)
{
    char lines[3][640] = {"    ", "    ", "    "};
    unsigned used[3] = {4, 4, 4};
    int bit = 31;
    while (bit >= 0) {
        const char *name = bit >= 24 ? "opcode" : "-";
        int low = bit >= 24 ? 24 : 0;
        for (unsigned i = 0; i < insn->field_count && bit < 24; i++) {
            const struct tx_field *f = &insn->fields[i];
            int top = f->lsb + f->width - 1;
            if (top == bit) {
                name = f->name;
                low = f->lsb;
                break;
            }
            if (top < bit && top + 1 > low) {
                low = top + 1;
            }
        }
        char range[16];
        snprintf(range, sizeof range, bit == low ? "%d" : "%d:%d", bit, low);
        const char *texts[2] = {range, name};
        int width = (int)(strlen(range) > strlen(name) ? strlen(range) : strlen(name));
        for (unsigned l = 0; l < 2; l++) {
            used[l] += (unsigned)snprintf(lines[l] + used[l], sizeof lines[l] - used[l], "| %-*s ",
                                          width, texts[l]);
        }
        bit = low - 1;
    }
    printf("%s|\n%s|\n", lines[0], lines[1]);
}

static void print_mode(const struct tx_row *row, unsigned mode)
{
    char name[TXL_MODE_TEXT];
    char formula[TXL_MODE_TEXT];
    if (txl_row_mode_text(row, mode, TX_INSN_MODE_FORMULA, formula)[0] != '\0') {
        printf("      %2u  %-22s  %s\n", mode,
               txl_row_mode_text(row, mode, TX_INSN_MODE_NAME, name), formula);
    }
}

/* told: the modes whose formulas are shown. */
static void print_row(const struct tx_row *row, unsigned told)
{
    char modes[64];
    char other[64];
    unsigned beyond = row->modes & ~(unsigned)row->legal;
    printf("\n%s  %s\n", row->id, row->summary);
    printf("    modes     %s", table_modes_text(row->legal, modes, sizeof modes));
    if (beyond != 0) {
        printf("; outside the contract: %s", table_modes_text(beyond, other, sizeof other));
    }
    putchar('\n');
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((told >> mode & 1U) != 0) {
            print_mode(row, mode);
        }
    }
    printf("    chips    ");
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if ((row->archs >> arch & 1) != 0) {
            printf(" %s", tx_arch_name(arch));
        }
    }
    printf("\n    timing    %s sub-unit, result after %u cycle%s\n", txl_unit_name(row->unit),
           row->latency, row->latency == 1 ? "" : "s");
    char reads[TXL_SET_TEXT];
    char writes[192];
    char belief[192];
    printf("    reads     %s\n", txl_row_set_text(row, TX_ROW_READS, reads));
    printf("    writes    %s\n", txl_row_set_text(row, TX_ROW_WRITES, writes));
    if (strcmp(txl_row_set_text(row, TX_ROW_BELIEF, belief), reads) != 0) {
        printf("    the interlock believes it reads %s\n", belief);
    }
    printf("    source    %s\n", row->source != NULL ? row->source : "-");
}

/* What can be waited for: STALLWAIT has them all, FLUSHDMA the lowest four. */
static void print_conditions(const struct explain_args *a, const struct tx_insn *insn)
{
    const bool flush = insn->opcode == TX_INSN_FLUSHDMA;
    if (!flush && insn->opcode != TX_INSN_STALLWAIT) {
        return;
    }
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if (wanted(a, arch)) {
            printf("\nconditions on %s, by bit\n", tx_arch_name(arch));
        }
        for (unsigned c = 0; wanted(a, arch) && c < TX_CONDITION_COUNT; c++) {
            const int bit = tx_condition_bit(arch, (enum tx_condition)c);
            if (bit >= 0 && (!flush || bit < 4)) {
                printf("    %2d  %-12s %s\n", bit, tx_condition_name((enum tx_condition)c),
                       tx_condition_text((enum tx_condition)c));
            }
        }
    }
}

static void print_value(const struct tx_insn_mode *mode)
{
    char value[32] = "always";
    if (mode->bits == 15) {
        snprintf(value, sizeof value, "%s %u", mode->where, (unsigned)mode->value);
    } else if (mode->bits != 0) {
        snprintf(value, sizeof value, "%s & %u = %u", mode->where, (unsigned)mode->bits,
                 (unsigned)mode->value);
    }
    const bool known = mode->constants[0] != '\0';
    printf("    %-14s %-22s  %s%s%s%s\n", value, mode->name, mode->meaning, known ? " (" : "",
           mode->constants, known ? ")" : "");
}

/* What the fields that select can say: of each chip, what it does not share with the other once. */
static void print_values(const struct explain_args *a, const struct tx_insn *insn)
{
    const char *title = "\nvalues\n";
    const struct tx_insn_mode *mode;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_insn *of = wanted(a, arch) ? tx_insn_find(arch, insn->name) : NULL;
        for (size_t i = 0; of != NULL && (mode = tx_insn_mode_at(arch, of, i)) != NULL; i++) {
            const bool shared = mode->archs != 1U << arch;
            if (shared && arch == TX_BLACKHOLE && wanted(a, TX_WORMHOLE)) {
                continue; /* told of the other */
            }
            printf("%s", title);
            title = "";
            print_value(mode);
        }
    }
}

static void print_related(const struct tx_insn *insn, unsigned archs)
{
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    const char *title = "\nerrata\n";
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (tx_erratum_names(erratum, insn->opcode) && (erratum->archs & archs) != 0) {
            printf("%s    %s: %s (%s)\n", title, erratum->id, erratum->text, erratum->evidence);
            title = "";
        }
    }
    title = "\nevidence\n";
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
        if (tx_evidence_names(entry, insn->opcode)) {
            printf("%s    %s: %s (%s)%s%s\n", title, entry->id, entry->text, entry->source,
                   entry->rule != NULL ? "; switch: " : "", entry->rule != NULL ? entry->rule : "");
            title = "";
        }
    }
}

/* Rows of the chips asked for, each once. */
static size_t collect_rows(const struct explain_args *a, const struct tx_insn *insn,
                           const struct tx_row **rows, size_t most)
{
    size_t count = 0;
    for (enum tx_arch arch = TX_BLACKHOLE; arch >= TX_WORMHOLE; arch--) {
        const struct tx_row *row;
        for (size_t i = 0; wanted(a, arch) && (row = tx_row_at(arch, i)) != NULL; i++) {
            bool there = !table_row_of(row, insn) || count == most;
            for (size_t k = 0; k < count && !there; k++) {
                there = rows[k] == row;
            }
            if (!there) {
                rows[count++] = row;
            }
        }
    }
    return count;
}

static void mnemonic_json(const struct explain_args *a, const struct tx_insn *found,
                          const struct tx_row *const *rows, size_t count)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kind", "instruction");
    txl_json_set_text(root, "name", found->name);
    txl_json *encodings = txl_json_object();
    unsigned archs = 0;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_insn *insn = wanted(a, arch) ? tx_insn_find(arch, found->name) : NULL;
        if (insn != NULL) {
            txl_json_set(encodings, tx_arch_name(arch), txl_insn_json(arch, insn));
            archs |= 1U << arch;
        }
    }
    txl_json_set(root, "encodings", encodings);
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < count; i++) {
        txl_json_append(list, txl_row_json(rows[i]));
    }
    txl_json_set(root, "rows", list);
    txl_json *errata = txl_json_array();
    txl_json *evidence = txl_json_array();
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (tx_erratum_names(erratum, found->opcode) && (erratum->archs & archs) != 0) {
            txl_json_append(errata, txl_erratum_json(erratum));
        }
    }
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
        if (tx_evidence_names(entry, found->opcode)) {
            txl_json_append(evidence, txl_evidence_json(entry));
        }
    }
    txl_json_set(root, "errata", errata);
    txl_json_set(root, "evidence", evidence);
    char path[96];
    char text[TXL_BODY_TEXT];
    const enum tx_arch one = (archs >> TX_BLACKHOLE & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    txl_json_set_text(root, "body", txl_insn_body(one, found, text));
    snprintf(path, sizeof path, "tests/insn/%s.txt", found->name);
    txl_json_set_text(root, "tests", count > 0 ? path : NULL);
    cli_json(a->cli, root);
}

static bool explain_mnemonic(const struct explain_args *a)
{
    enum { MOST = 64 };
    const struct tx_row *rows[MOST];
    const struct tx_insn *found = NULL;
    unsigned archs = 0;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_insn *insn = wanted(a, arch) ? tx_insn_find(arch, a->subject) : NULL;
        if (insn != NULL) {
            found = insn;
            archs |= 1U << arch;
        }
    }
    if (found == NULL) {
        return false;
    }
    size_t count = collect_rows(a, found, rows, MOST);
    if (a->cli->json) {
        mnemonic_json(a, found, rows, count);
        return true;
    }
    printf("%s (macro TTI_%s), unit: %s\n", found->name, found->macro, txl_unit_name(found->unit));
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_insn *insn = wanted(a, arch) ? tx_insn_find(arch, a->subject) : NULL;
        if (insn == NULL) {
            if (wanted(a, arch)) {
                printf("\n%s: no such instruction\n", tx_arch_name(arch));
            }
            continue;
        }
        printf("\n%s: opcode 0x%02x\n", tx_arch_name(arch), insn->opcode);
        print_picture(insn);
    }
    for (size_t i = 0; i < count; i++) {
        print_row(rows[i], rows[i]->legal);
    }
    if (count == 0) {
        const char *reason = tx_insn_undocumented(found);
        printf("\nencoded and printed, not executed: %s\n",
               reason != NULL ? reason : "its behaviour is not modelled");
    }
    print_values(a, found);
    print_conditions(a, found);
    print_related(found, archs);
    char text[TXL_BODY_TEXT];
    const enum tx_arch one = (archs >> TX_BLACKHOLE & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    const char *body = txl_insn_body(one, found, text);
    if (body != NULL) {
        printf("\nbody %s, tests tests/insn/%s.txt\n", body, found->name);
    }
    return true;
}

static txl_json *word_json(enum tx_arch arch, const struct tx_decoded *d, const char *text)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "text", text);
    txl_json_set_text(object, "mnemonic", d->insn->name);
    txl_json *fields = txl_json_object();
    for (unsigned i = 0; i < d->insn->field_count; i++) {
        txl_json_set_int(fields, d->insn->fields[i].name, d->fields[i]);
    }
    txl_json_set(object, "fields", fields);
    txl_json_set_int(object, "mode", d->mode);
    txl_json_set_word(object, "unused", d->unused);
    txl_json_set_bool(object, "canonical", d->canonical);
    txl_json_set(object, "row", d->row != NULL ? txl_row_json(d->row) : txl_json_null());
    (void)arch;
    return object;
}

static void print_word(enum tx_arch arch, uint32_t word, const struct tx_decoded *d,
                       const char *text)
{
    struct tx_macro_reader reader = {0};
    char macro[256];
    printf("    %s\n", text);
    if (tx_macro_follow(&reader, arch, word, macro, sizeof macro)) {
        printf("    %s\n", macro);
    }
    print_picture(d->insn);
    for (unsigned i = 0; i < d->insn->field_count; i++) {
        printf("    %-20s %u (0x%x)\n", d->insn->fields[i].name, d->fields[i], d->fields[i]);
    }
    if (d->unused != 0) {
        printf("    bits that are set and not read: %08x\n", d->unused);
    }
    if (d->row == NULL) {
        const char *reason = tx_insn_undocumented(d->insn);
        printf("    not executed: %s\n",
               reason != NULL ? reason : "its behaviour is not modelled, or there is none");
        return;
    }
    printf("    mode %u is %s the contract\n", d->mode,
           (d->row->legal >> d->mode & 1) != 0 ? "inside" : "outside");
    const struct tx_insn_mode *mode;
    for (size_t i = 0; (mode = tx_insn_mode_at(arch, d->insn, i)) != NULL; i++) {
        if (mode->field != TX_FLD_MOD && tx_insn_mode_holds(arch, mode, word)) {
            printf("    %-4s %-16s %s: %s\n", mode->where, mode->name, mode->meaning,
                   mode->formula);
        }
    }
    print_row(d->row, 1U << d->mode);
}

static bool explain_word(const struct explain_args *a)
{
    const char *digits = a->subject;
    bool prefixed = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    digits += prefixed ? 2 : 0;
    size_t length = strspn(digits, "0123456789abcdefABCDEF");
    if (digits[length] != '\0' || length == 0 || length > 8 || (!prefixed && length < 7)) {
        return false;
    }
    uint32_t word = (uint32_t)strtoul(digits, NULL, 16);
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kind", "word");
    txl_json_set_word(root, "word", word);
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_decoded d;
        char text[128];
        if (!wanted(a, arch)) {
            continue;
        }
        bool known = tx_decode(arch, word, &d) == TX_OK;
        (void)tx_disassemble(arch, word, TX_DIS_NORMAL, text, sizeof text);
        if (a->cli->json) {
            txl_json_set(root, tx_arch_name(arch),
                         known ? word_json(arch, &d, text) : txl_json_null());
            continue;
        }
        printf("%s%s: %08x%s\n", arch == TX_BLACKHOLE && a->arch == TX_ARCH_NONE ? "\n" : "",
               tx_arch_name(arch), word, known ? "" : " is no instruction");
        if (known) {
            print_word(arch, word, &d, text);
        }
    }
    if (a->cli->json) {
        cli_json(a->cli, root);
    } else {
        txl_json_free(root);
    }
    return true;
}

/* One line of JSON for people: a space behind each colon and comma. */
static void print_spaced(const char *line)
{
    bool inside = false;
    for (const char *p = line; *p != '\0'; p++) {
        putchar(*p);
        inside ^= *p == '"';
        if (inside && *p == '\\') {
            putchar(*++p);
        } else if (!inside && (*p == ',' || *p == ':')) {
            putchar(' ');
        }
    }
}

/* Prints the object, or as "key: value" lines where its values are plain. */
static void show(const struct explain_args *a, const char *kind, txl_json *object)
{
    if (a->cli->json) {
        txl_json *root = txl_json_object();
        txl_json_set_text(root, "kind", kind);
        txl_json_merge(root, object);
        cli_json(a->cli, root);
        return;
    }
    printf("%s\n", kind);
    const char *key = NULL;
    const txl_json *value;
    for (size_t i = 0; (value = txl_json_at(object, i, &key)) != NULL; i++) {
        const char *plain = txl_json_chars(value);
        char *line = plain == NULL ? txl_json_line(value) : NULL;
        const bool empty = line != NULL && strcmp(line, "null") == 0;
        printf("    %-10s %s", key, plain != NULL ? plain : empty || line == NULL ? "-" : "");
        print_spaced(line != NULL && !empty ? line : "");
        putchar('\n');
        free(line);
    }
    txl_json_free(object);
}

static bool explain_id(const struct explain_args *a)
{
    const char *id = a->subject;
    bool found = false;
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    const struct tx_rule *rule;
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL && !found; i++) {
        if (strcasecmp(erratum->id, id) == 0) {
            show(a, "erratum", txl_erratum_json(erratum));
            found = true;
        }
    }
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL && !found; i++) {
        if (strcasecmp(entry->id, id) == 0) {
            show(a, "evidence", txl_evidence_json(entry));
            found = true;
        }
    }
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL && !found; i++) {
        if (strcasecmp(rule->name, id) == 0) {
            show(a, "rule switch", txl_rule_json(rule));
            found = true;
        }
    }
    for (enum tx_arch arch = TX_BLACKHOLE; arch >= TX_WORMHOLE && !found; arch--) {
        const struct tx_row *row = wanted(a, arch) ? tx_row_find(arch, id) : NULL;
        if (row != NULL) {
            show(a, "behaviour", txl_row_json(row));
            found = true;
        }
        const struct tx_config_field *field =
            found || !wanted(a, arch) ? NULL : tx_config_field_find(arch, id);
        if (field != NULL) {
            show(a, tx_arch_name(arch), txl_config_json(field));
            found = true;
        }
    }
    return found;
}

static int nothing(const struct explain_args *a)
{
    enum { MOST = 1024 };
    const char *names[MOST];
    size_t count = 0;
    char lower[64];
    snprintf(lower, sizeof lower, "%s", a->subject);
    for (char *p = lower; *p != '\0'; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_insn *insn;
        for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL && count < MOST; i++) {
            names[count++] = insn->name;
        }
    }
    const char *near = txl_nearest(lower, names, count);
    if (near != NULL) {
        return cli_fail(a->cli, "'%s' is no mnemonic, word or id; did you mean '%s'?", a->subject,
                        near);
    }
    return cli_fail(a->cli, "'%s' is no mnemonic, word or id; 'tensix isa' lists them", a->subject);
}

int cmd_explain(struct cli *cli, int argc, char **argv)
{
    struct explain_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "MNEMONIC|WORD|ID", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.subject == NULL) {
        return cli_fail(cli, "nothing to explain; see 'tensix explain --help'");
    }
    enum tx_arch arch = TX_ARCH_NONE;
    if (tx_arch_parse(a.subject, &arch) == TX_EUNSUPPORTED) {
        return cli_arch(cli, a.subject, &arch);
    }
    result = explain_macro(cli, a.arch, a.subject, a.value);
    if (result != CLI_CONTINUE) {
        return result;
    }
    return explain_mnemonic(&a) || explain_id(&a) || explain_word(&a) ? CLI_OK : nothing(&a);
}
