/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The typed tables against the text of isa/: a second reading of its columns, which knows nothing
 * of the macros that made the tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include "bridge.h"
#include "source_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum tx_arch archs[2] = {TX_WORMHOLE, TX_BLACKHOLE};

enum { COLUMNS = 20, COLUMN = 400 };
enum row_column {
    ID,
    INSN,
    CHIPS,
    FORMAT,
    MODES,
    LEGAL,
    UNIT,
    LATENCY,
    BODY,
    GUARD,
    IMPLIED,
    READS,
    BELIEF,
    WRITES,
    OUTSIDE,
    SOURCE,
    SUMMARY,
    ROW_COLUMNS
};

/* ---- reading ---- */

/* A file without its comments. */
static char *read_text(const char *name)
{
    char *text = source_text(name, NULL);
    for (char *p = text; (p = strstr(p, "/*")) != NULL;) {
        const char *end = strstr(p, "*/");
        assert_non_null(end);
        memset(p, ' ', (size_t)(end + 2 - p));
    }
    return text;
}

/* Takes the next call "NAME(a, b, ...)" at the start of a line apart; NULL at the end. */
static const char *next_call(const char *p, const char *name, char column[COLUMNS][COLUMN],
                             unsigned *count)
{
    char start[40];
    snprintf(start, sizeof start, "\n%s(", name);
    p = strstr(p, start);
    if (p == NULL) {
        return NULL;
    }
    p += strlen(start);
    *count = 0;
    unsigned depth = 0;
    bool quoted = false;
    size_t used = 0;
    for (; depth > 0 || quoted || *p != ')'; p++) {
        assert_true(*p != '\0' && *count < COLUMNS && used < COLUMN - 1);
        quoted ^= *p == '"';
        depth += !quoted && *p == '(' ? 1 : 0;
        depth -= !quoted && *p == ')' ? 1 : 0;
        if (*p == ',' && depth == 0 && !quoted) {
            column[(*count)++][used] = '\0';
            used = 0;
        } else if (!isspace((unsigned char)*p) || quoted) {
            column[*count][used++] = *p;
        }
    }
    column[(*count)++][used] = '\0';
    return p;
}

/* The number that the public header gives a name. */
static long named(const char *names, const char *prefix, const char *name)
{
    char line[120];
    snprintf(line, sizeof line, "\n    %s%s = ", prefix, name);
    const char *found = strstr(names, line);
    if (found == NULL) {
        fail_msg("isa_names.h lacks %s%s", prefix, name);
        return -1;
    }
    return strtol(found + strlen(line), NULL, 0);
}

static bool on_chip(const char *chips, enum tx_arch arch)
{
    return strcmp(chips, "BOTH") == 0 || strcmp(chips, arch == TX_BLACKHOLE ? "BH" : "WH") == 0;
}

static unsigned mode_set(const char *text)
{
    return strcmp(text, "ANY") == 0 ? 0xFFFF : (unsigned)strtoul(text, NULL, 0);
}

static uint64_t operand_set(const char *names, const char *text)
{
    char copy[COLUMN];
    char *rest = NULL;
    uint64_t set = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *p = strtok_r(copy, "|", &rest); p != NULL; p = strtok_r(NULL, "|", &rest)) {
        if (strcmp(p, "L0_3") == 0 || strcmp(p, "L0_7") == 0) {
            set |= p[3] == '3' ? 0x0F : 0xFF;
        } else if (strcmp(p, "0") != 0) {
            set |= UINT64_C(1) << named(names, "TX_OPERAND_", p);
        }
    }
    return set;
}

/* By its id, and by the id in lower case. */
static const struct tx_row *row_named(enum tx_arch arch, const char *id)
{
    char lower[COLUMN];
    const struct tx_row *row = NULL;
    for (size_t i = 0; i <= strlen(id); i++) {
        lower[i] = (char)tolower((unsigned char)id[i]);
    }
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
        if (strcmp(row->id, id) == 0) {
            break;
        }
    }
    assert_ptr_equal(tx_row_find(arch, lower), row);
    return row;
}

/* ---- tests ---- */

static void test_rows(void **state)
{
    (void)state;
    static const char *const implied[] = {"NOTHING", "VB_VD", "VC_VD", "VB_IMM"};
    static char column[COLUMNS][COLUMN];
    char *names = read_text("include/tensix/isa_names.h");
    char *text = read_text("isa/isa.def");
    unsigned count = 0;
    unsigned rows[2] = {0, 0};
    for (const char *p = text; (p = next_call(p, "ROW", column, &count)) != NULL;) {
        assert_int_equal(count, ROW_COLUMNS);
        char plain[COLUMN]; /* the name of both chips' rows */
        snprintf(plain, sizeof plain, "%s", column[ID]);
        char *end = plain + strlen(plain) - 3;
        if (strcmp(end, "_WH") == 0 || strcmp(end, "_BH") == 0) {
            *end = '\0';
        }
        for (unsigned a = 0; a < 2; a++) {
            const struct tx_row *row = row_named(archs[a], column[ID]);
            assert_int_equal(row != NULL, on_chip(column[CHIPS], archs[a]));
            if (row == NULL) {
                continue;
            }
            rows[a]++;
            const uint64_t reads = operand_set(names, column[READS]);
            assert_true(row->reads == reads);
            assert_true(row->writes == operand_set(names, column[WRITES]));
            assert_true(
                row->belief ==
                (strcmp(column[BELIEF], "SAME") == 0 ? reads : operand_set(names, column[BELIEF])));
            assert_int_equal(row->insn, named(names, "TX_INSN_", column[INSN]));
            assert_int_equal(row->number, named(names, "TX_ROW_", plain));
            assert_int_equal(row->modes, mode_set(column[MODES]));
            assert_int_equal(row->legal, mode_set(column[LEGAL]));
            assert_int_equal(row->latency, strtol(column[LATENCY], NULL, 0));
            assert_string_equal(implied[row->implied], column[IMPLIED]);
            assert_string_equal(row->mnemonic, column[INSN]);
        }
    }
    for (unsigned a = 0; a < 2; a++) {
        assert_true(rows[a] > 150);
        assert_null(tx_row_at(archs[a], rows[a]));
    }
    free(text);
    free(names);
}

static void test_instructions(void **state)
{
    (void)state;
    static char column[COLUMNS][COLUMN];
    char *names = read_text("include/tensix/isa_names.h");
    char *text = read_text("isa/mnemonics.def");
    unsigned count = 0;
    unsigned insns = 0;
    bool known[2][256] = {{false}};
    for (const char *p = text; (p = next_call(p, "MNEMONIC", column, &count)) != NULL;) {
        const long opcode = strtol(column[3], NULL, 0);
        const char *next = strstr(p, "\nMNEMONIC(");
        assert_int_equal(opcode, named(names, "TX_INSN_", column[0]));
        assert_int_equal(TX_INSN_WORD((enum tx_insn_id)opcode), (uint32_t)opcode << 24);
        for (const char *form = p;
             (form = strstr(form, "\nFORM")) != NULL && (next == NULL || form < next); form++) {
            char chips[8] = "";
            assert_int_equal(sscanf(strchr(form, '('), "(%*[A-Z0-9_], %7[A-Z]", chips), 1);
            known[0][opcode] |= on_chip(chips, TX_WORMHOLE);
            known[1][opcode] |= on_chip(chips, TX_BLACKHOLE);
        }
        insns++;
    }
    assert_true(insns > 130);
    for (unsigned a = 0; a < 2; a++) {
        for (unsigned id = 0; id < 256; id++) {
            const struct tx_insn *insn = tx_insn_get(archs[a], (enum tx_insn_id)id);
            assert_int_equal(insn != NULL, known[a][id]);
            assert_int_equal(tx_insn_id_of(archs[a], id << 24 | 0x123456),
                             known[a][id] ? id : TX_INSN_NONE);
            assert_true(insn == NULL || insn->opcode == id);
        }
    }
    assert_null(tx_insn_get(TX_BLACKHOLE, (enum tx_insn_id)0x170));
    free(text);
    free(names);
}

static bool is_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += length) {
        if ((p == list || p[-1] == ' ') && (p[length] == '\0' || p[length] == ' ')) {
            return true;
        }
    }
    return false;
}

/* Errata and evidence name instructions by the ids of mnemonics.def. */
static void test_concerned(void **state)
{
    (void)state;
    static char column[COLUMNS][COLUMN];
    char *text = read_text("isa/mnemonics.def");
    unsigned count = 0;
    unsigned named = 0;
    for (const char *p = text; (p = next_call(p, "MNEMONIC", column, &count)) != NULL;) {
        const enum tx_insn_id insn = (enum tx_insn_id)strtol(column[3], NULL, 0);
        const struct tx_erratum *erratum;
        const struct tx_evidence *entry;
        column[2][strlen(column[2]) - 1] = '\0'; /* the macro's name, in quotes */
        for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
            assert_int_equal(tx_erratum_names(erratum, insn),
                             is_word(erratum->rows, column[0]) ||
                                 is_word(erratum->rows, column[2] + 1));
            named += tx_erratum_names(erratum, insn) ? 1 : 0;
        }
        for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
            assert_int_equal(tx_evidence_names(entry, insn),
                             is_word(entry->rows, column[0]) ||
                                 is_word(entry->rows, column[2] + 1));
            named += tx_evidence_names(entry, insn) ? 1 : 0;
        }
    }
    assert_true(named > 200);
    free(text);
}

/* The fields of a row are those of its line of formats.def. */
static void check_fields(struct bridge_rng *rng, const char *names, const struct tx_row *row,
                         const char *fields)
{
    char *all = read_text("isa/fields.def");
    static char column[COLUMNS][COLUMN];
    unsigned count = 0;
    for (const char *p = all; (p = next_call(p, "FIELD", column, &count)) != NULL;) {
        char start[COLUMN + 4];
        const enum tx_fld field = (enum tx_fld)named(names, "TX_FLD_", column[0]);
        snprintf(start, sizeof start, "F(%s,", column[0]);
        const char *place = strstr(fields, start);
        unsigned lsb = 0;
        unsigned width = 0;
        if (place != NULL) {
            assert_int_equal(sscanf(place + strlen(start), "%u,%u", &lsb, &width), 2);
        }
        const uint32_t word = bridge_u32(rng);
        const uint32_t value = bridge_u32(rng);
        const uint32_t mask = (uint32_t)((UINT64_C(1) << width) - 1);
        assert_int_equal(tx_row_has_field(row, field), width != 0);
        assert_int_equal(tx_row_field(row, field, word), word >> lsb & mask);
        assert_int_equal(tx_row_put(row, field, word, value),
                         (word & ~(mask << lsb)) | (value & mask) << lsb);
    }
    free(all);
}

static void test_fields(void **state)
{
    (void)state;
    static char column[COLUMNS][COLUMN];
    static char format[COLUMNS][COLUMN];
    struct bridge_rng rng = {7};
    char *names = read_text("include/tensix/isa_names.h");
    char *rows = read_text("isa/isa.def");
    char *formats = read_text("isa/formats.def");
    unsigned count = 0;
    unsigned checked = 0;
    for (const char *p = rows; (p = next_call(p, "ROW", column, &count)) != NULL;) {
        const enum tx_arch arch = on_chip(column[CHIPS], TX_BLACKHOLE) ? TX_BLACKHOLE : TX_WORMHOLE;
        for (const char *f = formats; (f = next_call(f, "FORMAT", format, &count)) != NULL;) {
            if (strcmp(format[0], column[FORMAT]) == 0) {
                check_fields(&rng, names, row_named(arch, column[ID]), format[1]);
                checked++;
            }
        }
    }
    assert_true(checked > 200);
    free(formats);
    free(rows);
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_concerned),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
