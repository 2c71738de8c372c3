/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fails and lists what no test exercised: a row, a legal mode (by a hand-stated vector of
 * tests/insn), any mode, an erratum, a category of findings or faults, the id of a finding that the
 * sources can record, a position of a rule switch. Reads what coverage.h wrote; ctest runs the
 * programs that write it first (cmake/tests.cmake, fixture "exercised").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "coverage/coverage.h"

#include <glob.h>
#include <stdlib.h>

enum { MAX_LINES = 20000 };

static char *lines[MAX_LINES];
static size_t line_count;
static unsigned missing;

static const char *const programs[] = {"insn",        "oracle",        "timing", "macro",
                                       "macro_lanes", "macro_kernels", "replay", "threads",
                                       "waits",       "dst_formats",   "l1",     "pcie"};
static const char *const chips[3] = {"-", "wh", "bh"};

/* "PROGRAM row bh SFPMAD_BH 3" */
static void read_program(const char *program)
{
    char path[512];
    char text[256];
    coverage.program = program;
    coverage_path(path);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        fail_msg("%s is missing: run the test %s first", path, program);
        return;
    }
    while (fgets(text, sizeof text, f) != NULL && line_count < MAX_LINES) {
        const size_t size = strlen(program) + strlen(text) + 2;
        text[strcspn(text, "\n")] = '\0';
        lines[line_count] = malloc(size);
        assert_non_null(lines[line_count]);
        snprintf(lines[line_count++], size, "%s %s", program, text);
    }
    fclose(f);
}

/* program NULL: any */
static bool met(const char *program, const char *line)
{
    for (size_t i = 0; i < line_count; i++) {
        const char *rest = strchr(lines[i], ' ') + 1;
        if (strcmp(rest, line) == 0 &&
            (program == NULL || (strncmp(lines[i], program, strlen(program)) == 0 &&
                                 lines[i][strlen(program)] == ' '))) {
            return true;
        }
    }
    return false;
}

static void want(const char *program, const char *why, const char *line)
{
    if (!met(program, line)) {
        missing++;
        fprintf(stderr, "never exercised%s: %s\n", why, line);
    }
}

static void verdict(void)
{
    if (missing != 0) {
        fail_msg("%u never exercised", missing);
    }
}

/* Does the format of a row have a modifier? Modes of the others are all mode 0. */
static bool has_mode(enum tx_arch arch, const struct tx_row *row)
{
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        for (unsigned lsb = 0; lsb <= 23; lsb++) {
            for (unsigned mode = 1; mode < 16 && (mode << lsb) >> 24 == 0; mode++) {
                struct tx_decoded d;
                if (tx_decode(arch, (uint32_t)opcode << 24 | mode << lsb, &d) == TX_OK &&
                    d.row == row && d.mode == mode) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void test_rows(void **state)
{
    (void)state;
    missing = 0;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        for (size_t i = 0; tx_row_at((enum tx_arch)a, i) != NULL; i++) {
            const struct tx_row *row = tx_row_at((enum tx_arch)a, i);
            const bool modes = has_mode((enum tx_arch)a, row);
            for (unsigned mode = 0; mode < (modes ? 16u : 1u); mode++) {
                char line[128];
                if ((row->modes >> mode & 1u) == 0) {
                    continue;
                }
                snprintf(line, sizeof line, "row %s %s %u", chips[a], row->id, mode);
                if ((row->legal >> mode & 1u) != 0) {
                    want("insn", " by a stated vector", line);
                } else {
                    want(NULL, "", line);
                }
            }
            /* A row without a legal mode still needs a stated vector. */
            if (row->legal == 0) {
                bool any = false;
                for (unsigned mode = 0; mode < 16; mode++) {
                    char line[128];
                    snprintf(line, sizeof line, "row %s %s %u", chips[a], row->id, mode);
                    any = any || met("insn", line);
                }
                if (!any) {
                    missing++;
                    fprintf(stderr, "never exercised by a stated vector: %s\n", row->id);
                }
            }
        }
    }
    verdict();
}

static void test_errata(void **state)
{
    (void)state;
    missing = 0;
    for (size_t i = 0; tx_erratum_at(i) != NULL; i++) {
        const struct tx_erratum *e = tx_erratum_at(i);
        for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
            if ((e->archs >> a & 1u) != 0) {
                char line[128];
                snprintf(line, sizeof line, "erratum %s %s", chips[a], e->id);
                want(NULL, " by a test that claims it", line);
            }
        }
    }
    verdict();
}

static bool any_of(const char *prefix)
{
    for (size_t i = 0; i < line_count; i++) {
        if (strncmp(strchr(lines[i], ' ') + 1, prefix, strlen(prefix)) == 0) {
            return true;
        }
    }
    return false;
}

/* Unsupported always stops; every other category is met as a finding and as a fault. */
static void test_categories(void **state)
{
    (void)state;
    missing = 0;
    for (int c = TX_NONE + 1; c < TX_CATEGORY_COUNT; c++) {
        char prefix[80];
        snprintf(prefix, sizeof prefix, "finding %s ", tx_category_name((enum tx_category)c));
        if (c != TX_UNSUPPORTED && !any_of(prefix)) {
            missing++;
            fprintf(stderr, "never exercised: %s\n", prefix);
        }
        snprintf(prefix, sizeof prefix, "fault %s ", tx_category_name((enum tx_category)c));
        if (!any_of(prefix)) {
            missing++;
            fprintf(stderr, "never exercised: %s\n", prefix);
        }
    }
    verdict();
}

/* ---- ids that the sources can record ---- */

struct id {
    const char *token, *id;
};

static const struct id ids[] = {
#define EVIDENCE(ID, id_, ...) {#ID, id_},
#include "isa/evidence.def"
#undef EVIDENCE
};

static void want_rule(const char *id)
{
    char finding[64];
    for (int c = TX_NONE + 1; c < TX_CATEGORY_COUNT; c++) {
        const char *name = tx_category_name((enum tx_category)c);
        snprintf(finding, sizeof finding, "finding %s %s", name, id);
        if (met(NULL, finding)) {
            return;
        }
        snprintf(finding, sizeof finding, "fault %s %s", name, id);
        if (met(NULL, finding)) {
            return;
        }
    }
    missing++;
    fprintf(stderr, "never exercised: a finding or fault %s\n", id);
}

/* Every NAME in text that follows one of the ways in which a source names a finding's entry. */
static void scan(const char *text)
{
    static const char *const ways[] = {"ID(", "evidence_get(EVIDENCE_", "return EVIDENCE_"};
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        for (const char *p = text; (p = strstr(p, ways[w])) != NULL; p++) {
            const char *name = p + strlen(ways[w]);
            const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
            if (p != text && (p[-1] == '_' || (p[-1] >= 'A' && p[-1] <= 'Z'))) {
                continue; /* the end of a longer word */
            }
            for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
                if (strlen(ids[i].token) == length && strncmp(ids[i].token, name, length) == 0) {
                    want_rule(ids[i].id);
                }
            }
        }
    }
}

static void test_findings(void **state)
{
    (void)state;
    glob_t found;
    missing = 0;
    assert_int_equal(glob(TX_SOURCE_DIR "/src/*/*.c", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        static char text[1 << 18];
        FILE *f = fopen(found.gl_pathv[i], "r");
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        scan(text);
    }
    globfree(&found);
    verdict();
}

static void test_rules(void **state)
{
    (void)state;
    missing = 0;
    for (size_t i = 0; tx_rule_at(i) != NULL; i++) {
        for (unsigned v = 0; v < 4 && tx_rule_at(i)->values[v] != NULL; v++) {
            char line[128];
            snprintf(line, sizeof line, "rule - %s=%s", tx_rule_at(i)->name,
                     tx_rule_at(i)->values[v]);
            want(NULL, "", line);
        }
    }
    verdict();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_errata),
        cmocka_unit_test(test_categories), cmocka_unit_test(test_findings),
        cmocka_unit_test(test_rules),
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char path[512];
        coverage.program = programs[i];
        coverage_path(path);
        FILE *f = fopen(path, "r");
        if (f == NULL) {
            fprintf(stderr, "%s is missing: run that test first\n", path);
            return 1;
        }
        fclose(f);
        read_program(programs[i]);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < line_count; i++) {
        free(lines[i]);
    }
    return failed != 0;
}
