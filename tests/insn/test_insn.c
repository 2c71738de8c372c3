/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data files of this folder, one per mnemonic: state before, instructions, state after, where
 * that is stated. Whatever "after" does not name must be as before, and no finding may appear that
 * it does not name. Each line runs in silicon and in strict mode. README.md has the format.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "coverage/coverage.h"
#include "insn/line.h"

#include <glob.h>

enum { COLUMNS = 5, MAX_FILES = 200, MAX_FINDS = 8, MAX_WORDS = 64 };

struct finding {
    enum tx_category category;
    char rule[24];
    bool doubt; /* only strict mode says it */
};

struct vector {
    const char *path;
    unsigned line;
    enum tx_arch arch;
    char program[1024], before[2048], after[2048];
    struct finding finds[MAX_FINDS];
    unsigned find_count;
    bool stops, fresh;
    bool any; /* state and further findings are not stated */
    unsigned thread, gap;
    bool host, memory;
    long cycles, issue; /* -1: not stated */
    struct tx_settings settings;
    struct image start, want;
};

static struct image reset_image[3];
static unsigned failures;
static unsigned long vectors_run, excluded; /* excluded: those that only state what is found */

#define COMPLAIN(v, ...)                                                                          \
    (failures++, fprintf(stderr, "%s:%u (%s): ", (v)->path, (v)->line, tx_arch_short((v)->arch)), \
     fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), false)

/* Words of "finds CATEGORY RULE" and the like follow their keyword. */
static bool parse_finding(struct vector *v, char **rest, bool doubt)
{
    const char *category = strtok_r(NULL, " ", rest);
    const char *rule = strtok_r(NULL, " ", rest);
    if (rule == NULL || v->find_count == MAX_FINDS) {
        return false;
    }
    struct finding *f = &v->finds[v->find_count++];
    snprintf(f->rule, sizeof f->rule, "%s", rule);
    f->doubt = doubt;
    return tx_category_parse(category, &f->category) == TX_OK;
}

static bool parse_before(struct vector *v)
{
    static struct image pattern;
    char *rest;
    char text[2048];
    pattern = reset_image[v->arch];
    snprintf(text, sizeof text, "%s", v->before);
    if (strstr(text, "fresh") == NULL) {
        image_pattern(&pattern);
    }
    v->start = pattern;
    for (char *item = strtok_r(text, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
        bool good = true;
        if (strcmp(item, "fresh") == 0) {
            v->fresh = true;
        } else if (strncmp(item, "thread=", 7) == 0) {
            v->thread = (unsigned)atoi(item + 7);
        } else if (strcmp(item, "host") == 0) {
            v->host = true;
        } else if (strcmp(item, "memoryless") == 0) {
            v->memory = false;
        } else if (strncmp(item, "gap=", 4) == 0) {
            v->gap = (unsigned)atoi(item + 4);
        } else if (strcmp(item, "rule") == 0) {
            item = strtok_r(NULL, " ", &rest);
            good = item != NULL && tx_settings_rule(&v->settings, item) == TX_OK;
        } else {
            good = line_assign(item, &v->start, &pattern);
        }
        if (!good) {
            return COMPLAIN(v, "cannot read %s", item == NULL ? "a rule" : item);
        }
    }
    return true;
}

static bool parse_after(struct vector *v)
{
    char *rest;
    char text[2048];
    v->want = v->start;
    snprintf(text, sizeof text, "%s", v->after);
    for (char *item = strtok_r(text, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
        bool good = true;
        if (strcmp(item, "finds") == 0) {
            good = parse_finding(v, &rest, false);
        } else if (strcmp(item, "doubts") == 0) {
            good = parse_finding(v, &rest, true);
        } else if (strcmp(item, "stops") == 0) {
            v->stops = true;
            good = parse_finding(v, &rest, false);
        } else if (strcmp(item, "covers") == 0) {
            good = strtok_r(NULL, " ", &rest) != NULL; /* counted when the line has passed */
        } else if (strcmp(item, "any") == 0) {
            v->any = true;
        } else if (strcmp(item, "nothing") == 0) {
            continue;
        } else if (strncmp(item, "cycles=", 7) == 0) {
            v->cycles = atol(item + 7);
        } else if (strncmp(item, "issue=", 6) == 0) {
            v->issue = atol(item + 6);
        } else {
            good = line_assign(item, &v->want, &v->start);
        }
        if (!good) {
            return COMPLAIN(v, "cannot read %s", item);
        }
    }
    return true;
}

static bool expected(const struct vector *v, const struct tx_finding *f)
{
    const bool strict = v->settings.mode == TX_MODE_STRICT;
    for (unsigned i = 0; i < v->find_count; i++) {
        if ((strict || !v->finds[i].doubt) && v->finds[i].category == f->category &&
            strcmp(v->finds[i].rule, f->rule) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_findings(const struct vector *v, const tx_machine *m)
{
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        const struct tx_finding *f = tx_finding_at(m, i);
        if (!v->any && !expected(v, f)) {
            return COMPLAIN(v, "unexpected finding: %s %s: %s", tx_category_name(f->category),
                            f->rule, f->message);
        }
    }
    for (unsigned k = 0; k < v->find_count && !v->stops; k++) {
        bool met = v->finds[k].doubt;
        for (size_t i = 0; i < tx_finding_count(m); i++) {
            const struct tx_finding *f = tx_finding_at(m, i);
            met = met ||
                  (f->category == v->finds[k].category && strcmp(f->rule, v->finds[k].rule) == 0);
        }
        if (!met) {
            return COMPLAIN(v, "finding missing: %s %s", tx_category_name(v->finds[k].category),
                            v->finds[k].rule);
        }
    }
    return true;
}

static bool check_outcome(const struct vector *v, const tx_machine *m, enum tx_status status)
{
    static struct image got;
    const bool strict = v->settings.mode == TX_MODE_STRICT;
    char text[128];
    if (v->stops || (strict && v->find_count != 0)) {
        if (status != TX_FAULT) {
            return COMPLAIN(v, "%s: does not stop", strict ? "strict" : "silicon");
        }
        if (!v->any && !expected(v, tx_fault(m))) {
            return COMPLAIN(v, "%s: stopped by %s %s: %s", strict ? "strict" : "silicon",
                            tx_category_name(tx_fault(m)->category), tx_fault(m)->rule,
                            tx_fault(m)->message);
        }
        return true;
    }
    if (status != TX_OK) {
        return COMPLAIN(v, "%s: status %s: %s", strict ? "strict" : "silicon",
                        tx_status_text(status), tx_fault(m) ? tx_fault(m)->message : "");
    }
    if (v->any) {
        return check_findings(v, m);
    }
    image_read(m, v->thread, &got);
    if (image_differs(&v->want, &got, text)) {
        return COMPLAIN(v, "%s: %s", strict ? "strict" : "silicon", text);
    }
    const struct tx_counters c = tx_machine_counters(m);
    if (v->cycles >= 0 && (long)c.cycles != v->cycles) {
        return COMPLAIN(v, "cycles: want %ld, got %ld", v->cycles, (long)c.cycles);
    }
    if (v->issue >= 0 && (long)c.issue_cycles != v->issue) {
        return COMPLAIN(v, "issue: want %ld, got %ld", v->issue, (long)c.issue_cycles);
    }
    return check_findings(v, m);
}

/* Dst cells and PRNG that the pattern fills count as written; fresh lines leave them alone. */
static bool prepare(const struct vector *v, tx_machine *m)
{
    static struct image current;
    tx_reset(m);
    image_read(m, v->thread, &current);
    if (!v->fresh) {
        for (unsigned row = 0; row < TX_DST_ROWS; row++) {
            const uint32_t known = 0xFFFF;
            (void)tx_write(m, TX_FILE_DST_KNOWN, row, &known, 1);
        }
        (void)tx_write(m, TX_FILE_PRNG, 0, &current.v[image_base(7)], 32);
        for (unsigned i = 0; i < TX_GPRS; i++) { /* the pattern counts as written here, too */
            const uint32_t zero = 0;
            (void)tx_write(m, TX_FILE_GPR, i + TX_GPRS * v->thread, &zero, 1);
        }
    }
    return image_write(m, v->thread, &v->start, &current) || COMPLAIN(v, "state refused");
}

/* L1 and a few registers, and a unit that takes everything and gives four values. */
static bool outer_memory(void *user, struct tx_access *a)
{
    uint8_t *l1 = (uint8_t *)image_outside.l1;
    (void)user;
    if (a->address < sizeof image_outside.l1) {
        memcpy(a->write ? (void *)(l1 + a->address) : a->data,
               a->write ? (void *)a->data : l1 + a->address, a->size);
        return true;
    }
    const uint32_t reg = (a->address - 0xFFB00000u - IMAGE_REGISTER_BASE) / 4;
    if (reg >= 8) {
        return false;
    }
    *(a->write ? &image_outside.registers[reg] : a->data) =
        a->write ? a->data[0] : image_outside.registers[reg];
    return true;
}

static enum tx_port_answer outer_port(void *user, struct tx_port *port)
{
    (void)user;
    image_outside.port[0] = port->address;
    memcpy(&image_outside.port[1], port->values, sizeof port->values);
    for (unsigned i = 0; i < 4; i++) {
        port->values[i] = 0xC0DE5678u + i * 0x11111111u;
    }
    return TX_PORT_TAKEN;
}

static void surround(const struct vector *v, tx_machine *m)
{
    struct tx_host host;
    tx_host_default(&host);
    host.memory = v->memory ? outer_memory : NULL;
    host.port = v->host ? outer_port : NULL;
    memset(&image_outside, 0, sizeof image_outside);
    assert_int_equal(tx_host_set(m, &host), TX_OK);
}

static bool run_words(struct vector *v, const uint32_t *words, size_t count)
{
    uint32_t gaps[MAX_WORDS] = {0};
    bool good = true;
    gaps[count - 1] = v->gap;
    for (int mode = TX_MODE_SILICON; mode <= TX_MODE_STRICT && good; mode++) {
        tx_machine *m;
        v->settings.mode = (enum tx_mode)mode;
        coverage_watch(&v->settings);
        if (tx_open(&v->settings, &m) != TX_OK) {
            return COMPLAIN(v, "cannot open a machine");
        }
        surround(v, m);
        good = prepare(v, m) && check_outcome(v, m, tx_run_gaps(m, v->thread, words, count, gaps));
        tx_close(m);
    }
    return good;
}

static void claim(const struct vector *v)
{
    char *rest;
    char text[2048];
    snprintf(text, sizeof text, "%s", v->after);
    coverage_rules(&v->settings);
    for (char *item = strtok_r(text, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
        if (strcmp(item, "covers") == 0) {
            COVERS_ON(v->arch, strtok_r(NULL, " ", &rest));
        }
    }
}

static void run_vector(struct vector *v)
{
    struct tx_asm_options options = {.arch = v->arch, .force_arch = true};
    struct tx_program *program;
    struct tx_diag diag;
    for (char *p = v->program; *p != '\0'; p++) {
        *p = *p == ';' ? '\n' : *p;
    }
    tx_settings_default(&v->settings, v->arch);
    v->memory = true;
    if (!parse_before(v) || !parse_after(v)) {
        return;
    }
    if (tx_assemble(v->program, strlen(v->program), &options, &program, &diag) != TX_OK) {
        (void)COMPLAIN(v, "column %u: %s", diag.column, diag.message);
        return;
    }
    const size_t count = tx_program_count(program, TX_SECTION_TILE);
    if (count == 0 || count > MAX_WORDS) {
        (void)COMPLAIN(v, "%zu words", count);
    } else if (run_words(v, tx_program_words(program, TX_SECTION_TILE), count)) {
        claim(v);
    }
    vectors_run++;
    excluded += v->any && !(v->find_count != 0 && v->finds[0].doubt) ? 1 : 0;
    tx_program_free(program);
}

static void split(char *text, char *column[COLUMNS + 1])
{
    for (unsigned i = 0; i <= COLUMNS; i++) {
        char *bar = text == NULL ? NULL : strchr(text, '|');
        column[i] = text;
        if (bar != NULL) {
            *bar++ = '\0';
        }
        text = bar;
    }
}

static void run_line(const char *path, unsigned line, char *text)
{
    static struct vector v;
    char *column[COLUMNS + 1];
    split(text, column);
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        memset(&v, 0, sizeof v);
        v.path = path;
        v.line = line;
        v.arch = (enum tx_arch)arch;
        v.thread = 1;
        v.cycles = v.issue = -1;
        if (column[COLUMNS - 1] == NULL || column[COLUMNS] != NULL ||
            strspn(column[COLUMNS - 1], " ") == strlen(column[COLUMNS - 1])) {
            (void)COMPLAIN(&v, "five columns: chips | program | before | after | source");
            return;
        }
        if (strstr(column[0], tx_arch_short(v.arch)) == NULL) {
            continue;
        }
        snprintf(v.program, sizeof v.program, "%s", column[1]);
        snprintf(v.before, sizeof v.before, "%s", column[2]);
        snprintf(v.after, sizeof v.after, "%s", column[3]);
        run_vector(&v);
    }
}

/* <a,b,c> stands for each of the three: the line is run with every one in its place. */
static void run_each(const char *path, unsigned line, const char *text)
{
    char one[6000];
    const char *open = strchr(text, '<');
    const char *close = open == NULL ? NULL : strchr(open, '>');
    if (close == NULL) {
        snprintf(one, sizeof one, "%s", text);
        run_line(path, line, one);
        return;
    }
    for (const char *from = open + 1; from <= close;) {
        const size_t length = strcspn(from, ",>");
        snprintf(one, sizeof one, "%.*s%.*s%s", (int)(open - text), text, (int)length, from,
                 close + 1);
        run_each(path, line, one);
        from += length + 1;
    }
}

/* A line ending in a backslash goes on in the next one. */
static void test_file(void **state)
{
    const char *path = *state;
    char text[6000];
    size_t length = 0;
    unsigned line = 0;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    failures = 0;
    while (fgets(text + length, (int)(sizeof text - length), f) != NULL) {
        line++;
        length = strcspn(text, "\n");
        text[length] = '\0';
        if (length != 0 && text[length - 1] == '\\') {
            text[--length] = '\0';
            continue;
        }
        if (text[0] != '#' && length != 0) {
            run_each(path, line, text);
        }
        length = 0;
    }
    fclose(f);
    if (failures != 0) {
        fail_msg("%u vectors of %s", failures, path);
    }
}

int main(void)
{
    static struct CMUnitTest tests[MAX_FILES];
    glob_t found;
    size_t count = 0;
    coverage_open("insn");
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct tx_settings settings;
        tx_machine *m;
        tx_settings_default(&settings, (enum tx_arch)arch);
        if (tx_open(&settings, &m) != TX_OK) {
            return 1;
        }
        image_read(m, 1, &reset_image[arch]);
        tx_close(m);
    }
    if (glob(TX_SOURCE_DIR "/tests/insn/*.txt", 0, NULL, &found) != 0) {
        return 1;
    }
    for (; count < found.gl_pathc && count < MAX_FILES; count++) {
        char *path = found.gl_pathv[count];
        tests[count].name = strrchr(path, '/') + 1;
        tests[count].test_func = test_file;
        tests[count].initial_state = path;
    }
    const int failed = _cmocka_run_group_tests("insn", tests, count, NULL, NULL);
    printf("%lu vectors in %zu files, %lu of what is undefined\n", vectors_run, count, excluded);
    globfree(&found);
    /* The table of what is undefined is one of several files; a tree with one file has it not. */
    return !coverage_close() || failed != 0 || (count > 1 && excluded < 600);
}
