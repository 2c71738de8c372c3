/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that show registers, waiting threads and cores, and findings. */
#include "debug/command.h"

#include "base/finding.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 8, LREGS = 17, GPRS = 64, STACK = 8 };

/* ---- LRegs as the hardware has them: 4 rows of 8 lanes ---- */

static void grid(struct answer *a, const char *name, enum reading reading, const uint32_t *lanes)
{
    char text[48];
    size_t width = 8;
    for (unsigned i = 0; i < TX_LANES; i++) {
        const size_t n = strlen(reading_text(reading, lanes[i], text));
        width = n > width ? n : width;
    }
    for (unsigned row = 0; row < ROWS; row++) {
        fprintf(a->out, "%-4s%2u", row == 0 ? name : "", row * COLUMNS);
        for (unsigned c = 0; c < COLUMNS; c++) {
            fprintf(a->out, " %*s", (int)width,
                    reading_text(reading, lanes[row * COLUMNS + c], text));
        }
        fputc('\n', a->out);
    }
}

/* Writes a value in all readings. */
static void everything(struct answer *a, const char *name, uint32_t word)
{
    static const enum reading all[] = {READ_FP32, READ_INT, READ_SM, READ_BF16};
    char text[48];
    fprintf(a->out, "%s = %08x", name, (unsigned)word);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        fprintf(a->out, "  %s %s", reading_name(all[i]), reading_text(all[i], word, text));
    }
    fputc('\n', a->out);
}

static txl_json *values_json(enum reading reading, const uint32_t *words, unsigned count)
{
    char text[48];
    txl_json *values = txl_json_array();
    for (unsigned i = 0; i < count; i++) {
        txl_json_append(values, txl_json_string(reading_text(reading, words[i], text)));
    }
    return values;
}

static void print_list(struct answer *a, const struct target *t, enum reading reading,
                       const uint32_t *values)
{
    char name[96];
    char text[48];
    const unsigned line = t->kind == TARGET_L1 ? 4 : 8;
    for (unsigned i = 0; i < t->count; i++) {
        if (i % line == 0) {
            fprintf(a->out, "%s%-12s", i == 0 ? "" : "\n", target_element(t, i, name, sizeof name));
        }
        fprintf(a->out, " %12s", reading_text(reading, values[i], text));
    }
    fputc('\n', a->out);
}

int command_print(struct answer *a)
{
    struct target t;
    uint32_t values[TARGET_MOST];
    char name[96];
    int result = words_between(a, 1, 1);
    result = result == TXL_CONTINUE ? target_parse(a->d, a->word[1], &t) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const unsigned count = target_read(a->d, &t, values);
    const enum reading reading = a->reading != READ_DEFAULT ? a->reading : target_reading(a->d, &t);
    if (count == 0) {
        return txl_fail(a->d->err, "print: %s cannot be read", t.name);
    }
    if (count == TX_LANES && t.kind == TARGET_LREG) {
        grid(a, t.name, reading, values);
    } else if (count == 1 && a->reading == READ_DEFAULT) {
        everything(a, target_element(&t, 0, name, sizeof name), values[0]);
    } else {
        print_list(a, &t, reading, values);
    }
    txl_json_set_text(a->json, "what", t.name);
    txl_json_set_int(a->json, "first", t.kind == TARGET_L1 ? t.address : t.first);
    txl_json_set_text(a->json, "reading", reading_name(reading));
    txl_json_set(a->json, "bits", txl_json_hex(values, count, 8));
    txl_json_set(a->json, "values", values_json(reading, values, count));
    return TXL_OK;
}

int command_registers(struct answer *a)
{
    const enum reading reading = a->reading != READ_DEFAULT ? a->reading : READ_FP32;
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *all = txl_json_array();
    for (unsigned r = 0; r < LREGS; r++) {
        uint32_t v[TX_LANES] = {0};
        char text[48];
        bool same = true;
        (void)tx_read(a->d->machine, TX_FILE_LREG, r, v, TX_LANES);
        for (unsigned i = 1; i < TX_LANES; i++) {
            same = same && v[i] == v[0];
        }
        fprintf(a->out, "L%-3u", r);
        for (unsigned i = 0; i < (same ? 1 : COLUMNS); i++) {
            fprintf(a->out, " %11.11s", reading_text(reading, v[i], text));
        }
        fputs(same ? " in all lanes\n" : " ...\n", a->out);
        txl_json_append(all, txl_json_hex(v, TX_LANES, 8));
    }
    txl_json_set(a->json, "lregs", all);
    return TXL_OK;
}

/* ---- predication ---- */

static void flag_grid(struct answer *a, uint32_t flags, uint32_t use)
{
    for (unsigned row = 0; row < ROWS; row++) {
        fprintf(a->out, "%2u ", row * COLUMNS);
        for (unsigned c = 0; c < COLUMNS; c++) {
            const unsigned lane = row * COLUMNS + c;
            const bool on = (flags >> lane & 1u) != 0;
            fprintf(a->out, " %c", (use >> lane & 1u) == 0 ? (on ? 'o' : '-') : on ? '1' : '0');
        }
        fputc('\n', a->out);
    }
}

int command_flags(struct answer *a)
{
    uint32_t flags = 0;
    uint32_t use = 0;
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    (void)tx_read(a->d->machine, TX_FILE_LANE_FLAGS, 0, &flags, 1);
    (void)tx_read(a->d->machine, TX_FILE_USE_LANE_FLAGS, 0, &use, 1);
    fprintf(a->out, "flags %08x, used in %08x; 1 and 0: used, o and -: set and clear, not used\n",
            (unsigned)flags, (unsigned)use);
    flag_grid(a, flags, use);
    txl_json_set_word(a->json, "flags", flags);
    txl_json_set_word(a->json, "use", use);
    txl_json_set_word(a->json, "enabled", ~use | flags);
    return TXL_OK;
}

int command_stacks(struct answer *a)
{
    uint32_t depth[TX_LANES] = {0};
    uint32_t deepest = 0;
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    (void)tx_read(a->d->machine, TX_FILE_STACK_DEPTH, 0, depth, TX_LANES);
    txl_json *levels = txl_json_array();
    fputs("depth by lane:", a->out);
    for (unsigned i = 0; i < TX_LANES; i++) {
        fprintf(a->out, " %u", (unsigned)depth[i]);
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    fputc('\n', a->out);
    for (unsigned level = 0; level < deepest && level < STACK; level++) {
        uint32_t v[2] = {0};
        (void)tx_read(a->d->machine, TX_FILE_FLAG_STACK, level, v, 2);
        fprintf(a->out, "level %u: flags %08x, used in %08x\n", level, (unsigned)v[0],
                (unsigned)v[1]);
        txl_json_append(levels, txl_json_hex(v, 2, 8));
    }
    txl_json_set(a->json, "depth", txl_json_hex(depth, TX_LANES, 2));
    txl_json_set(a->json, "levels", levels);
    return TXL_OK;
}

/* ---- counters, configuration, registers of threads ---- */

int command_rwc(struct answer *a)
{
    static const char *const names[TX_RWC_COUNT] = {
        "Dst", "Dst_Cr", "SrcA", "SrcA_Cr", "SrcB", "SrcB_Cr", "FidelityPhase", "SP", "Bias"};
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *threads = txl_json_array();
    for (unsigned t = 0; t < TX_THREADS; t++) {
        uint32_t v[TX_RWC_COUNT] = {0};
        txl_json *o = txl_json_object();
        (void)tx_read(a->d->machine, TX_FILE_RWC, t, v, TX_RWC_COUNT);
        fprintf(a->out, "T%u", t);
        for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
            fprintf(a->out, "%s %s %u", i == 0 ? "" : ",", names[i], (unsigned)v[i]);
            txl_json_set_int(o, names[i], v[i]);
        }
        fputc('\n', a->out);
        txl_json_append(threads, o);
    }
    txl_json_set(a->json, "threads", threads);
    return TXL_OK;
}

int command_gpr(struct answer *a)
{
    const unsigned thread = debug_thread(a->d);
    uint32_t all[GPRS] = {0};
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    fprintf(a->out, "T%u\n", thread);
    for (unsigned i = 0; i < GPRS; i++) {
        (void)tx_read(a->d->machine, TX_FILE_GPR, i + GPRS * thread, &all[i], 1);
        fprintf(a->out, "%sgpr%-2u %08x%s", i % 8 == 0 ? "" : "  ", i, (unsigned)all[i],
                i % 8 == 7 ? "\n" : "");
    }
    txl_json_set_int(a->json, "thread", thread);
    txl_json_set(a->json, "gprs", txl_json_hex(all, GPRS, 8));
    return TXL_OK;
}

int command_cfg(struct answer *a)
{
    const unsigned thread = debug_thread(a->d);
    const struct tx_config_field *f;
    uint32_t value = 0;
    unsigned shown = 0;
    const int result = words_between(a, 1, 1);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *fields = txl_json_object();
    const bool whole = tx_config_field_find(a->d->arch, a->word[1]) != NULL;
    for (size_t i = 0; (f = tx_config_field_at(a->d->arch, i)) != NULL; i++) {
        const bool same =
            whole ? strcmp(f->name, a->word[1]) == 0 : strcasestr(f->name, a->word[1]) != NULL;
        if (same && tx_config_get(a->d->machine, thread, f->name, &value) == TX_OK) {
            fprintf(a->out, "%s = %u (0x%x)\n", f->name, (unsigned)value, (unsigned)value);
            txl_json_set_int(fields, f->name, value);
            shown++;
        }
    }
    txl_json_set(a->json, "fields", fields);
    return shown != 0 ? TXL_OK
                      : txl_fail(a->d->err, "cfg: no field's name has '%.60s' in it", a->word[1]);
}

/* ---- waiting threads ---- */

static void say_gate(struct answer *a, txl_json *list, unsigned thread)
{
    char text[256];
    txl_json *o = txl_json_object();
    const bool waits = tx_wait_text(a->d->machine, thread, text, sizeof text);
    txl_json_set_text(o, "name", thread == 0 ? "T0" : thread == 1 ? "T1" : "T2");
    txl_json_set_text(o, "waits", waits ? text : NULL);
    if (waits) {
        fprintf(a->out, "%s\n", text);
    } else {
        fprintf(a->out, "T%u waits for nothing\n", thread);
    }
    txl_json_append(list, o);
}

int command_threads(struct answer *a)
{
    const int result = words_between(a, 0, 0);
    struct fact_issue next[TX_THREADS];
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *list = txl_json_array();
    const unsigned there = travel_peek(a->d, next);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        char text[256];
        say_gate(a, list, t);
        if ((there >> t & 1u) != 0) {
            fprintf(a->out, "   next %s\n", issue_text(a->d, &next[t], text, sizeof text));
        }
    }
    for (unsigned c = 0; a->d->tile != NULL && c < TX_CORES; c++) {
        char text[256];
        if (tx_tensix_wait_text(a->d->tile, (enum tx_core)c, text, sizeof text)) {
            uint32_t pc = 0;
            char name[96];
            enum { PC = 32 };
            (void)tx_core_read(a->d->tile, (enum tx_core)c, PC, &pc);
            const char *f = txl_tensix_function(a->d->tensix, (enum tx_core)c, pc, name);
            fprintf(a->out, "core %s%s%s\n", text, f != NULL ? " in " : "", f != NULL ? f : "");
            txl_json *o = txl_json_object();
            txl_json_set_text(o, "name", tx_core_name((enum tx_core)c));
            txl_json_set_text(o, "waits", text);
            txl_json_set_text(o, "function", f);
            txl_json_append(list, o);
        }
    }
    txl_json_set(a->json, "threads", list);
    return TXL_OK;
}

int command_select(struct answer *a)
{
    struct txl_debug *d = a->d;
    int64_t number;
    enum tx_core core;
    const int result = words_between(a, 1, 1);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (strcmp(a->word[1], "all") == 0) {
        d->thread = -1;
        d->core = TX_CORES;
    } else if (txl_number(a->word[1], 0, TX_THREADS - 1, &number)) {
        d->thread = (int)number;
        d->core = TX_CORES;
    } else if (d->tile != NULL && tx_core_parse(a->word[1], &core) == TX_OK) {
        d->core = core;
        d->thread = -1;
    } else {
        return txl_fail(d->err, "thread: '%.20s' is none of 0, 1, 2%s, all", a->word[1],
                        d->tile != NULL ? ", b, t0, t1, t2, nc" : "");
    }
    return TXL_OK;
}

/* ---- findings ---- */

int command_findings(struct answer *a)
{
    const tx_machine *m = a->d->machine;
    const size_t n = tx_finding_count(m);
    const int result = words_between(a, 0, 0);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < n; i++) {
        const struct tx_finding *f = tx_finding_at(m, i);
        txl_json_append(list, finding_json(f, f->count));
    }
    findings_print(a->out, finding_of_machine, m, n);
    if (n == 0) {
        fputs("no findings\n", a->out);
    }
    txl_json_set(a->json, "findings", list);
    return TXL_OK;
}
