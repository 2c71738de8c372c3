/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables against each other, against tests/data/mnemonics.tsv, and against the positions that
 * the normative texts print (spec/README.md R18, formats-and-scalar-unit.md C.10).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bridge.h"
#include "source_text.h"

#include "isa/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const enum tx_arch archs[2] = {TX_WORMHOLE, TX_BLACKHOLE};

/* ---- rows ---- */

/* Is this row one of the mnemonic that the word's opcode names? Row names lack objdump's "tt". */
static bool row_of_insn(const struct tx_row *row, const struct tx_insn *insn)
{
    const char *name = insn->name;
    return strcasecmp(row->mnemonic, strncmp(name, "tt", 2) == 0 ? name + 2 : name) == 0;
}

/* Is the word among those that commas and blanks separate? */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = text; (p = strstr(p, word)) != NULL; p += length) {
        if ((p == text || strchr(" ,", p[-1]) != NULL) && strchr(" ,", p[length]) != NULL) {
            return true;
        }
    }
    return false;
}

/*
 * What a behaviour is said to read and write names operands that are fields of its form, or
 * registers that are implied.
 */
static void test_sets_in_words(void **state)
{
    (void)state;
    static const char *const names[] = {"VA", "VB", "VC", "VD"};
    unsigned told = 0;
    for (size_t a = 0; a < 2; a++) {
        const struct tx_row *row;
        for (size_t i = 0; (row = tx_row_at(archs[a], i)) != NULL; i++) {
            const struct isa_row *whole = (const struct isa_row *)(const void *)row;
            const uint8_t fields[] = {FLD_VA, FLD_VB, FLD_VC, FLD_VD};
            for (unsigned set = TX_ROW_READS; set <= TX_ROW_BELIEF; set++) {
                char text[192];
                assert_int_equal(tx_row_text(row, (enum tx_row_set)set, text, sizeof text), TX_OK);
                assert_null(strchr(text, '|'));
                assert_null(strchr(text, '_'));
                for (unsigned k = 0; k < 4; k++) {
                    if (has_word(text, names[k])) {
                        told++;
                        if (isa_layout(whole, (enum isa_field)fields[k]).width == 0) {
                            fail_msg("%s: %s is no field: %s", row->id, names[k], text);
                        }
                    }
                }
            }
        }
    }
    assert_true(told > 300);
    static const struct {
        enum tx_arch arch;
        const char *id, *reads, *writes;
    } rows[] = {
        {TX_BLACKHOLE, "SFPSWAP_MIN_MAX", "VC, VD", "VC, VD, index registers"},
        {TX_WORMHOLE, "SFPAND_WH", "VC, VD", "VD"},
        {TX_BLACKHOLE, "SFPAND_VB_BH", "VB, VC", "VD"},
        {TX_BLACKHOLE, "SFPMULI_BH", "VD, L7 with mode bit 3", "VD or L[L7]"},
        {TX_BLACKHOLE, "SFPSHFT2_SHFT_IMM", "L[imm & 15]", "VD"},
        {TX_BLACKHOLE, "SFPNOP", "nothing", "nothing"},
        {TX_BLACKHOLE, "SHIFTDMAREG", "GPR of operand A, GPR of operand B", "GPR of the result"},
        {TX_WORMHOLE, "FLUSHDMA", "what units are busy with", "nothing"},
        {TX_WORMHOLE, "LOADREG", "memory-mapped registers", "GPRs"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const struct tx_row *row;
        size_t i = 0;
        while ((row = tx_row_at(rows[k].arch, i)) != NULL && strcmp(row->id, rows[k].id) != 0) {
            i++;
        }
        char text[192];
        assert_non_null(row);
        assert_int_equal(tx_row_text(row, TX_ROW_READS, text, sizeof text), TX_OK);
        assert_string_equal(text, rows[k].reads);
        assert_int_equal(tx_row_text(row, TX_ROW_WRITES, text, sizeof text), TX_OK);
        assert_string_equal(text, rows[k].writes);
        assert_int_equal(tx_row_text(row, TX_ROW_WRITES, text, 2), TX_EINVAL);
    }
}

static void test_one_row_a_word(void **state)
{
    (void)state;
    struct bridge_rng rng = {1};
    for (size_t a = 0; a < 2; a++) {
        const struct tx_row *rows[320] = {NULL};
        for (size_t i = 0; i < 319; i++) {
            rows[i] = tx_row_at(archs[a], i);
        }
        for (uint32_t opcode = 0; opcode < 256; opcode++) {
            for (unsigned mode = 0; mode < 16; mode++) {
                for (unsigned sample = 0; sample < 256; sample++) {
                    struct tx_decoded d;
                    const unsigned lsb = sample < 128 ? 0 : 16;
                    const uint32_t random = bridge_u32(&rng) & 0xFFFFFFu & ~(15u << lsb);
                    const uint32_t word = opcode << 24 | random | mode << lsb;
                    const struct tx_row *accepting = NULL;
                    unsigned count = 0;
                    if (tx_decode(archs[a], word, &d) != TX_OK) {
                        assert_null(d.row);
                        continue;
                    }
                    for (size_t i = 0; rows[i] != NULL; i++) {
                        if ((rows[i]->modes >> d.mode & 1u) != 0 && row_of_insn(rows[i], d.insn)) {
                            accepting = rows[i];
                            count++;
                        }
                    }
                    assert_true(count <= 1);
                    assert_ptr_equal(accepting, d.row);
                }
            }
        }
    }
}

/* Numbers that name no chip, beyond the width of a chip set too, have no rows and no fields. */
static void test_no_such_chip(void **state)
{
    (void)state;
    static const unsigned numbers[] = {0, 3, 8, 31, 32, 33, 34, 65, 66, 0x80000002};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const enum tx_arch arch = (enum tx_arch)numbers[i];
        assert_null(tx_row_at(arch, 0));
        assert_null(tx_insn_at(arch, 0));
        assert_null(tx_insn_of(arch, 0x84010120));
        assert_null(tx_config_field_at(arch, 0));
        assert_null(tx_config_field_find(arch, "ALU_FORMAT_SPEC_REG0_SrcA"));
    }
}

/* Modes of the rows of one mnemonic and chip: disjoint, together all that the width of the modifier
 * allows, sixteen in the Vector Unit; legal within modes. */
static void test_modes_complete(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; tx_row_at(archs[a], i) != NULL; i++) {
            const struct tx_row *row = tx_row_at(archs[a], i);
            unsigned all = 0;
            for (size_t k = 0; tx_row_at(archs[a], k) != NULL; k++) {
                const struct tx_row *other = tx_row_at(archs[a], k);
                if (strcmp(other->mnemonic, row->mnemonic) == 0) {
                    assert_int_equal(all & other->modes, 0);
                    all |= other->modes;
                }
            }
            const bool vector = row->unit >= TX_UNIT_LOAD && row->unit <= TX_UNIT_STORE;
            assert_true(all == 0xFFFF || (!vector && (all == 0xFF || all == 0xF || all == 3)));
            assert_int_equal(row->legal & ~row->modes, 0);
            assert_true((row->archs >> archs[a] & 1u) != 0);
            assert_true(row->latency == 1 || row->latency == 2 ||
                        (row->unit == TX_UNIT_SCALAR && row->latency <= 15) ||
                        (row->unit == TX_UNIT_MATRIX && row->latency <= 5) ||
                        (row->unit == TX_UNIT_UNPACK && row->latency <= 3));
            assert_true(row->source[0] != '\0' && row->summary[0] != '\0');
        }
    }
}

static void test_rows_contiguous(void **state)
{
    (void)state;
    static const char *const mnemonics[] = {
#define ROW(id, mnemonic, ...) #mnemonic,
#include "isa/isa.def"
#undef ROW
    };
    const size_t count = sizeof mnemonics / sizeof mnemonics[0];
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k + 1 < i; k++) {
            if (strcmp(mnemonics[k], mnemonics[i]) == 0 &&
                strcmp(mnemonics[i - 1], mnemonics[i]) != 0) {
                fail_msg("rows of %s do not stand together", mnemonics[i]);
            }
        }
    }
}

/* Sub-unit and latency of every vector row, from spec/timing.md a.2 and blackhole.md 6.11. */
static void test_units(void **state)
{
    (void)state;
    static const char mad[] = " SFPADD SFPADDI SFPMAD SFPMUL SFPMULI SFPLUT SFPLUTFP32 SFPMUL24 ";
    static const char load[] = " SFPLOAD SFPLOADI SFPLOADMACRO SFPNOP ";
    static const char round[] = " SFPSHFT2 SFPSTOCHRND ";
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; tx_row_at(archs[a], i) != NULL; i++) {
            const struct tx_row *row = tx_row_at(archs[a], i);
            char name[40];
            if (strncmp(row->mnemonic, "SFP", 3) != 0) {
                continue;
            }
            snprintf(name, sizeof name, " %s ", row->mnemonic);
            const unsigned unit = strstr(mad, name) != NULL                ? TX_UNIT_MAD
                                  : strstr(load, name) != NULL             ? TX_UNIT_LOAD
                                  : strstr(round, name) != NULL            ? TX_UNIT_ROUND
                                  : strcmp(row->mnemonic, "SFPSTORE") == 0 ? TX_UNIT_STORE
                                                                           : TX_UNIT_SIMPLE;
            const bool two = unit == TX_UNIT_MAD || strcmp(row->mnemonic, "SFPSWAP") == 0 ||
                             (strcmp(row->mnemonic, "SFPSHFT2") == 0 && (row->modes & 0x1C) != 0);
            assert_int_equal(row->unit, unit);
            assert_int_equal(row->latency, two ? 2 : 1);
        }
    }
}

/* ---- decode and encode ---- */

static void test_round_trip(void **state)
{
    (void)state;
    struct bridge_rng rng = {2};
    for (size_t a = 0; a < 2; a++) {
        for (unsigned i = 0; i < 1000000; i++) {
            struct tx_decoded d;
            const uint32_t word = bridge_u32(&rng);
            uint32_t back = ~word;
            if (tx_decode(archs[a], word, &d) != TX_OK) {
                assert_null(d.insn);
                assert_int_equal(tx_encode(&d, &back), TX_ENOENT);
                continue;
            }
            assert_int_equal(tx_encode(&d, &back), TX_OK);
            assert_int_equal(back, word);
            assert_ptr_equal(tx_insn_of(archs[a], word), d.insn);
            if (d.row != NULL) {
                assert_int_equal(d.canonical, d.unused == 0 && (d.row->legal >> d.mode & 1u) != 0);
            }
            assert_int_equal(tx_ttinsn_undo(tx_ttinsn(word)), word);
        }
    }
    assert_int_equal(tx_ttinsn(0x80000001u), 0x00000006u);
}

static void test_encode_refuses(void **state)
{
    (void)state;
    struct tx_decoded d;
    uint32_t word;
    assert_int_equal(tx_decode(TX_BLACKHOLE, 0x84012340, &d), TX_OK);
    d.fields[0] = 16;
    assert_int_equal(tx_encode(&d, &word), TX_EINVAL);
    assert_int_equal(tx_decode(TX_WORMHOLE, 0x96000000, &d), TX_ENOENT);
    assert_int_equal(tx_encode(&d, &word), TX_ENOENT);
}

/* Bits that the hardware does not read, by the encodings in blackhole.md part II, wormhole.md 3. */
static void test_unused_bits(void **state)
{
    (void)state;
    static const struct {
        unsigned archs;
        uint32_t word, unused;
        uint8_t mode;
        bool canonical;
    } v[] = {
        {6, 0x84F12340, 0x00F00000, 0, false},
        {6, 0x84012340, 0, 0, true},
        {2, 0x84012341, 0, 1, false},
        {4, 0x84012341, 0, 1, true},
        {2, 0x7E003120, 0x00003000, 0, false},
        {4, 0x7E003121, 0, 1, true},
        {4, 0x7E003120, 0x00003000, 0, false},
        {6, 0x7DFFF121, 0x00FFF000, 1, false},
        {6, 0x76F12120, 0x00F00000, 0, false},
        {6, 0x7BFFE120, 0x00FFE000, 0, false},
        {6, 0x8AFFC00A, 0x00FFC000, 10, false},
        {6, 0x8F000000, 0, 0, true},
        {6, 0x80FFF12F, 0x00FFF00F, 0, false},
        {2, 0x8E600120, 0x00400000, 0, false},
        {4, 0x8E600120, 0, 0, true},
        {2, 0x95080040, 0x00080000, 0, false},
        {4, 0x95080040, 0, 0, true},
        {6, 0x9400012F, 0x00000100, 15, false},
        {2, 0x70103C00, 0x00003C00, 0, false},
        {4, 0x70101C00, 0x00001C00, 0, false},
        {6, 0x73441234, 0x00001234, 4, false},
        {4, 0x9900F120, 0x0000F000, 0, false},
        {4, 0x99003121, 0, 1, true},
        /* Bits that repeat the sign of what the hardware reads, and bits that do not. */
        {6, 0x76FFF121, 0, 1, true},
        {6, 0x76FFF120, 0, 0, true},
        {6, 0x76F80121, 0, 1, true},
        {6, 0x767FF121, 0x00700000, 1, false},
        {6, 0x76F7F121, 0x00F00000, 1, false},
        {6, 0x82FFF121, 0x00F00000, 1, false},
        {2, 0x70107FFE, 0, 0, true},
        {2, 0x70107BFE, 0x00003800, 0, false},
        {4, 0x70105FFE, 0, 0, true},
        {4, 0x72105FFE, 0, 0, true},
        {2, 0x93103FFE, 0x00003C00, 0, false},
        {6, 0x8CFFF000, 0x00FFF000, 0, false},
        {4, 0xA2006000, 0x00006000, 0, false},
        {2, 0xA2006000, 0, 0, true},
        /* TRNSPSRCA has no operands, and no behaviour that is known (assembly.yaml). */
        {6, 0x14000000, 0, 0, true},
        {6, 0x14000001, 1, 0, false},
    };
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        for (size_t a = 0; a < 2; a++) {
            struct tx_decoded d;
            if ((v[i].archs >> archs[a] & 1u) == 0) {
                continue;
            }
            assert_int_equal(tx_decode(archs[a], v[i].word, &d), TX_OK);
            if (d.unused != v[i].unused || d.mode != v[i].mode || d.canonical != v[i].canonical) {
                fail_msg("%s %08X: unused %08X mode %u canonical %d", tx_arch_short(archs[a]),
                         (unsigned)v[i].word, (unsigned)d.unused, d.mode, d.canonical);
            }
        }
    }
}

/* ---- mnemonics.tsv ---- */

/* "name=kind@lsb:width{...}" or "kind@lsb:width": the place must be that of a field of the insn. */
static void check_operand(const struct tx_insn *insn, const char *text)
{
    const char *at = strchr(text, '@');
    const char *equals = strchr(text, '=');
    char *end;
    assert_non_null(at);
    const unsigned lsb = (unsigned)strtoul(at + 1, &end, 10);
    const unsigned width = (unsigned)strtoul(end + 1, NULL, 10);
    const uint32_t bits = ((1u << width) - 1u) << lsb;
    uint32_t mask = 0;
    for (unsigned i = 0; i < insn->field_count; i++) {
        const struct tx_field *f = &insn->fields[i];
        const bool named = equals == NULL || equals > at ||
                           (strlen(f->name) == (size_t)(equals - text) &&
                            strncmp(f->name, text, (size_t)(equals - text)) == 0);
        if (named && f->lsb == lsb && f->width >= width) {
            return;
        }
        mask |= ((1u << f->width) - 1u) << f->lsb;
    }
    /* Without a name: the number of SFPLOADMACRO's macro, packed with its register. */
    if (equals == NULL && (bits & ~mask) == 0) {
        return;
    }
    fail_msg("%s has no operand %s", insn->name, text);
}

static void check_operands(const struct tx_insn *insn, char *text)
{
    unsigned depth = 0;
    char *start = text;
    for (char *p = text;; p++) {
        depth += *p == '{' || *p == '(';
        depth -= *p == '}' || *p == ')';
        if ((*p == ',' && depth == 0) || *p == '\0') {
            const bool last = *p == '\0';
            *p = '\0';
            while (*start == ' ') {
                start++;
            }
            if (*start != '\0') {
                check_operand(insn, start);
            }
            if (last) {
                return;
            }
            start = p + 1;
        }
    }
}

/* "SFPMAD(a, b, c)": name and parameters, in order. */
static void check_macro(const struct tx_insn *insn, char *text)
{
    char *rest;
    char *paren = strchr(text, '(');
    unsigned count = 0;
    assert_non_null(paren);
    *paren = '\0';
    assert_string_equal(insn->macro, text);
    for (char *p = strtok_r(paren + 1, ", )", &rest); p != NULL; p = strtok_r(NULL, ", )", &rest)) {
        assert_true(count < insn->field_count);
        if (strcmp(insn->fields[count].name, p) != 0) {
            fail_msg("%s: parameter %u is %s, want %s", insn->name, count, insn->fields[count].name,
                     p);
        }
        count++;
    }
}

static void test_mnemonics(void **state)
{
    (void)state;
    char line[1024];
    size_t seen[3] = {0, 0, 0};
    FILE *f = fopen(TX_SOURCE_DIR "/tests/data/mnemonics.tsv", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char *column[5];
        char *p = line;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        for (unsigned i = 0; i < 5; i++) {
            column[i] = p;
            p = p == NULL ? NULL : strchr(p, '\t');
            if (p != NULL) {
                *p++ = '\0';
            }
        }
        assert_non_null(column[4]);
        const enum tx_arch arch = strcmp(column[0], "BH") == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        const struct tx_insn *insn = tx_insn_find(arch, column[1]);
        if (insn == NULL) {
            fail_msg("%s: no %s", column[0], column[1]);
            continue;
        }
        assert_string_equal(insn->name, column[1]);
        assert_int_equal(insn->opcode, strtoul(column[2], NULL, 16));
        assert_ptr_equal(tx_insn_of(arch, (uint32_t)insn->opcode << 24), insn);
        /* The vendor's table lets two operands of Wormhole's UNPACR overlap; its macro does not. */
        if (arch == TX_BLACKHOLE || strcmp(insn->name, "ttunpacr") != 0) {
            check_operands(insn, column[3]);
        }
        check_macro(insn, column[4]);
        char spelled[80];
        snprintf(spelled, sizeof spelled, "TTI_%s", insn->macro);
        assert_ptr_equal(tx_insn_find(arch, spelled), insn);
        seen[arch]++;
    }
    fclose(f);
    for (size_t a = 0; a < 2; a++) {
        size_t count = 0;
        while (tx_insn_at(archs[a], count) != NULL) {
            count++;
        }
        assert_int_equal(count, seen[archs[a]]);
    }
}

/* ---- configuration ---- */

struct place {
    const char *name;
    bool thread;
    int wh, bh;
    unsigned lsb, width;
}; /* -1: absent */

static void test_config_places(void **state)
{
    (void)state;
    static const struct place places[] = {
#include "config_places.h"
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (size_t a = 0; a < 2; a++) {
            const struct place *p = &places[i];
            const int word = archs[a] == TX_WORMHOLE ? p->wh : p->bh;
            const struct tx_config_field *f = tx_config_field_find(archs[a], p->name);
            if (word < 0) {
                assert_null(f);
                continue;
            }
            if (f == NULL || f->thread != p->thread || f->word != word || f->lsb != p->lsb ||
                (p->width != 0 && f->width != p->width)) {
                fail_msg("%s %s", tx_arch_short(archs[a]), p->name);
            }
        }
    }
}

static void test_config_consistent(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; tx_config_field_at(archs[a], i) != NULL; i++) {
            const struct tx_config_field *f = tx_config_field_at(archs[a], i);
            assert_ptr_equal(tx_config_field_find(archs[a], f->name), f);
            assert_true(f->width >= 1 && f->lsb + f->width <= (f->thread ? 16 : 32));
            assert_true(f->word < (f->thread ? 128 : 256));
            for (size_t k = 0; k < i; k++) {
                assert_true(strcmp(tx_config_field_at(archs[a], k)->name, f->name) != 0);
            }
        }
    }
    assert_null(tx_config_field_find(TX_BLACKHOLE, "NO_SUCH_FIELD"));
}

/* ---- evidence, errata, rules ---- */

static bool is_mnemonic(const char *name)
{
    return tx_insn_find(TX_WORMHOLE, name) != NULL || tx_insn_find(TX_BLACKHOLE, name) != NULL;
}

static void check_names(const char *what, const char *names)
{
    char text[1024];
    char *rest;
    snprintf(text, sizeof text, "%s", names);
    for (char *p = strtok_r(text, " ", &rest); p != NULL; p = strtok_r(NULL, " ", &rest)) {
        if (strcmp(p, "*") != 0 && !is_mnemonic(p)) {
            fail_msg("%s names %s, which is no mnemonic", what, p);
        }
    }
}

static void test_evidence(void **state)
{
    (void)state;
    char *document = source_text("docs/evidence.md", NULL);
    for (size_t i = 0; tx_evidence_at(i) != NULL; i++) {
        const struct tx_evidence *e = tx_evidence_at(i);
        char cell[64];
        bool switched = e->rule == NULL;
        snprintf(cell, sizeof cell, "| %s |", e->id);
        if (strstr(document, cell) == NULL) {
            fail_msg("docs/evidence.md lacks %s", e->id);
        }
        check_names(e->id, e->rows);
        assert_true(e->text[0] != '\0' && e->source[0] != '\0');
        for (size_t k = 0; tx_rule_at(k) != NULL; k++) {
            switched = switched || strcmp(tx_rule_at(k)->name, e->rule) == 0;
        }
        assert_true(switched);
        for (size_t k = 0; k < i; k++) {
            assert_true(strcmp(tx_evidence_at(k)->id, e->id) != 0);
        }
    }
    free(document);
}

/* Every ruling R0..R18 and every open item O-1..O-20 has its entry. */
static void test_evidence_complete(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= 39; n++) {
        char id[16];
        bool found = false;
        snprintf(id, sizeof id, n <= 18 ? "R%u" : "O-%u", n <= 18 ? n : n - 18);
        for (size_t i = 0; tx_evidence_at(i) != NULL; i++) {
            found = found || strcmp(tx_evidence_at(i)->id, id) == 0;
        }
        if (!found && n <= 38) {
            fail_msg("no evidence entry %s", id);
        }
    }
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; tx_rule_at(i) != NULL; i++) {
        const struct tx_rule *rule = tx_rule_at(i);
        bool found = false;
        assert_non_null(rule->values[0]);
        assert_non_null(rule->values[1]);
        for (size_t k = 0; tx_evidence_at(k) != NULL; k++) {
            const struct tx_evidence *e = tx_evidence_at(k);
            found = found || (strcmp(e->id, rule->evidence) == 0 && e->rule != NULL &&
                              strcmp(e->rule, rule->name) == 0);
        }
        assert_true(found);
        for (unsigned v = 0; v < 4 && rule->values[v] != NULL; v++) {
            char text[80];
            struct tx_settings settings;
            tx_settings_default(&settings, TX_BLACKHOLE);
            snprintf(text, sizeof text, "%s=%s", rule->name, rule->values[v]);
            assert_int_equal(tx_settings_rule(&settings, text), TX_OK);
            assert_int_equal(settings.rules[i], v);
        }
    }
}

static void test_errata(void **state)
{
    (void)state;
    char *document = source_text("docs/errata.md", NULL);
    for (size_t i = 0; tx_erratum_at(i) != NULL; i++) {
        const struct tx_erratum *e = tx_erratum_at(i);
        if (strstr(document, e->id) == NULL) {
            fail_msg("docs/errata.md lacks %s", e->id);
        }
        check_names(e->id, e->rows);
        assert_true(e->archs != 0 && e->text[0] != '\0' && e->evidence[0] != '\0');
        for (size_t k = 0; k < i; k++) {
            assert_true(strcmp(tx_erratum_at(k)->id, e->id) != 0);
        }
    }
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_in_words),  cmocka_unit_test(test_one_row_a_word),
        cmocka_unit_test(test_modes_complete), cmocka_unit_test(test_rows_contiguous),
        cmocka_unit_test(test_units),          cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_encode_refuses), cmocka_unit_test(test_no_such_chip),
        cmocka_unit_test(test_unused_bits),    cmocka_unit_test(test_mnemonics),
        cmocka_unit_test(test_config_places),  cmocka_unit_test(test_config_consistent),
        cmocka_unit_test(test_evidence),       cmocka_unit_test(test_evidence_complete),
        cmocka_unit_test(test_rules),          cmocka_unit_test(test_errata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
