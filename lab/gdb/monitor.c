/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of gdb's "monitor", for everything that gdb has no command for. */
#include "gdb/monitor.h"

#include "base/finding.h"

#include <string.h>

enum { PC = 32 };

void monitor_waits(txl_gdb *g, FILE *out)
{
    char text[256];
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (tx_tensix_wait_text(g->tile, (enum tx_core)c, text, sizeof text)) {
            uint32_t pc = 0;
            char name[96];
            char line[256];
            (void)tx_core_read(g->tile, (enum tx_core)c, PC, &pc);
            const char *function = txl_tensix_function(g->run, (enum tx_core)c, pc, name);
            const char *source = txl_tensix_source(g->run, (enum tx_core)c, pc, line);
            fprintf(out, "%s%s%s%s%s\n", text, function != NULL ? " in " : "",
                    function != NULL ? function : "", source != NULL ? ", " : "",
                    source != NULL ? source : "");
        }
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        if (tx_wait_text(tx_tensix_machine(g->tile), i, text, sizeof text)) {
            fprintf(out, "coprocessor: %s\n", text);
        }
    }
}

/* ---- arguments ---- */

bool monitor_number(const struct monitor *m, unsigned index, int64_t most, int64_t *value)
{
    if (index >= m->count) {
        fprintf(m->out, "%s: a number is missing; see monitor help\n", m->word[0]);
        return false;
    }
    if (!txl_number(m->word[index], 0, most, value)) {
        fprintf(m->out, "%s: '%s' is no number from 0 to %lld\n", m->word[0], m->word[index],
                (long long)most);
        return false;
    }
    return true;
}

/* Parses a number or range such as "3" or "3..7"; without the argument it is the whole range. */
bool monitor_range(const struct monitor *m, unsigned index, int64_t most, int64_t *first,
                   int64_t *last)
{
    *first = 0;
    *last = most;
    if (index >= m->count) {
        return true;
    }
    char left[32];
    const char *dots = strstr(m->word[index], "..");
    const int n = dots != NULL ? (int)(dots - m->word[index]) : 31;
    snprintf(left, sizeof left, "%.*s", n < 31 ? n : 31, m->word[index]);
    if (!txl_number(left, 0, most, first) ||
        !txl_number(dots != NULL ? dots + 2 : left, *first, most, last)) {
        fprintf(m->out, "%s: '%s' is neither a number from 0 to %lld nor A..B of them\n",
                m->word[0], m->word[index], (long long)most);
        return false;
    }
    return true;
}

/* Determines the thread from a core's name, or from the selected core. */
static bool thread_of(const struct monitor *m, unsigned index, unsigned *thread)
{
    enum tx_core core = m->g->general;
    if (index < m->count && tx_core_parse(m->word[index], &core) != TX_OK) {
        fprintf(m->out, "%s: no core '%s'\n", m->word[0], m->word[index]);
        return false;
    }
    if (core < TX_CORE_T0 || core > TX_CORE_T2) {
        fprintf(m->out, "%s: core %s has no thread; there are t0, t1, t2\n", m->word[0],
                tx_core_name(core));
        return false;
    }
    *thread = (unsigned)core - TX_CORE_T0;
    return true;
}

/* ---- commands ---- */

static bool do_waits(const struct monitor *m)
{
    monitor_waits(m->g, m->out);
    return true;
}

static bool do_cycles(const struct monitor *m)
{
    const struct history *past = &m->g->stops.past;
    const uint32_t bounds = tx_bounds(tx_tensix_machine(m->g->tile));
    fprintf(m->out, "cycle %llu; back to cycle %llu, %u checkpoints\n",
            (unsigned long long)tx_tensix_cycles(m->g->tile),
            (unsigned long long)history_begin(past), past->count);
    bound_print(m->out, bounds);
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(m->g->tile, (enum tx_core)c, &s);
        fprintf(m->out, "%-2s %llu instructions\n", tx_core_name((enum tx_core)c),
                (unsigned long long)s.instructions);
    }
    return true;
}

static bool do_findings(const struct monitor *m)
{
    const tx_machine *machine = tx_tensix_machine(m->g->tile);
    const size_t n = tx_finding_count(machine);
    findings_print(m->out, finding_of_machine, machine, n);
    if (n == 0) {
        fputs("none\n", m->out);
    }
    return true;
}

static bool do_races(const struct monitor *m)
{
    unsigned count;
    const struct tile_mark *mark = tile_marks(m->g->run, &count);
    for (unsigned i = 0; i < count; i++) {
        fprintf(m->out, "%u: cycle %llu, %s\n", i + 1, (unsigned long long)mark[i].cycle,
                mark[i].text);
    }
    if (count == 0) {
        fputs("none, or none was looked for: tensix chip run --races --gdb does\n", m->out);
    }
    return true;
}

static bool do_gpr(const struct monitor *m)
{
    unsigned thread;
    if (!thread_of(m, 1, &thread)) {
        return false;
    }
    for (unsigned i = 0; i < 64; i++) {
        uint32_t value = 0;
        (void)tx_read(tx_tensix_machine(m->g->tile), TX_FILE_GPR, i + 64 * thread, &value, 1);
        fprintf(m->out, "%s%2u %08x%s", i % 8 == 0 ? "gpr " : "  ", i, (unsigned)value,
                i % 8 == 7 ? "\n" : "");
    }
    return true;
}

static bool do_rwc(const struct monitor *m)
{
    static const char *const names[TX_RWC_COUNT] = {
        "Dst", "Dst_Cr", "SrcA", "SrcA_Cr", "SrcB", "SrcB_Cr", "FidelityPhase", "SP", "Bias"};
    for (unsigned t = 0; t < TX_THREADS; t++) {
        uint32_t v[TX_RWC_COUNT] = {0};
        (void)tx_read(tx_tensix_machine(m->g->tile), TX_FILE_RWC, t, v, TX_RWC_COUNT);
        fprintf(m->out, "T%u", t);
        for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
            fprintf(m->out, "%s %s %u", i == 0 ? "" : ",", names[i], (unsigned)v[i]);
        }
        fputc('\n', m->out);
    }
    return true;
}

static bool do_adc(const struct monitor *m)
{
    static const char *const units[] = {"unpacker 0", "unpacker 1", "packers"};
    static const char axes[] = "XYZW";
    for (unsigned i = 0; i < 3 * TX_THREADS; i++) {
        uint32_t v[TX_ADC_VALUES] = {0};
        (void)tx_read(tx_tensix_machine(m->g->tile), TX_FILE_ADC, i, v, TX_ADC_VALUES);
        fprintf(m->out, "T%u %s:", i / 3, units[i % 3]);
        for (unsigned channel = 0; channel < 2; channel++) {
            fprintf(m->out, "%s channel %u", channel == 0 ? "" : ",", channel);
            for (unsigned k = 0; k < 4; k++) {
                const uint32_t *pair = v + 8 * channel + k;
                fprintf(m->out, " %c %u (Cr %u)", axes[k], (unsigned)pair[0], (unsigned)pair[4]);
            }
        }
        fputc('\n', m->out);
    }
    return true;
}

static bool do_semaphores(const struct monitor *m)
{
    tx_machine *machine = tx_tensix_machine(m->g->tile);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t v[2] = {0};
        uint32_t holder = 0;
        (void)tx_read(machine, TX_FILE_SEMAPHORE, i, v, 2);
        (void)tx_read(machine, TX_FILE_MUTEX, i, &holder, 1);
        fprintf(m->out, "semaphore %u: %u of %u", i, (unsigned)v[0], (unsigned)v[1]);
        if (holder != 0) {
            fprintf(m->out, "; mutex %u: T%u", i, (unsigned)holder - 1);
        }
        fputc('\n', m->out);
    }
    return true;
}

/* Shows the words that wait before each stage of a thread. */
static bool do_queues(const struct monitor *m)
{
    static const char *const stages[TX_QUEUE_COUNT] = {"MOP Expander", "Replay Expander",
                                                       "Wait Gate"};
    tx_machine *machine = tx_tensix_machine(m->g->tile);
    for (unsigned i = 0; i < TX_THREADS * TX_QUEUE_COUNT; i++) {
        uint32_t words[64];
        const enum tx_queue q = (enum tx_queue)(i % TX_QUEUE_COUNT);
        const size_t n = tx_queue_words(machine, i / TX_QUEUE_COUNT, q, words, 64);
        fprintf(m->out, "T%u, before the %s:%s", i / TX_QUEUE_COUNT, stages[q],
                n == 0 ? " nothing" : "");
        for (size_t k = 0; k < n && k < 64; k++) {
            const struct tx_insn *insn = tx_insn_of(m->g->arch, words[k]);
            fprintf(m->out, " %s", insn != NULL ? insn->name : "?");
        }
        fputc('\n', m->out);
    }
    return true;
}

static bool do_cfg(const struct monitor *m)
{
    unsigned thread = m->g->general >= TX_CORE_T0 && m->g->general <= TX_CORE_T2
                          ? (unsigned)m->g->general - TX_CORE_T0
                          : 0;
    const struct tx_config_field *f;
    unsigned shown = 0;
    uint32_t value = 0;
    if (m->count < 2 || (m->count > 2 && !thread_of(m, 2, &thread))) {
        fputs(m->count < 2 ? "cfg: the name of a field, or a part of it, is missing\n" : "",
              m->out);
        return false;
    }
    const tx_machine *machine = tx_tensix_machine(m->g->tile);
    const bool whole = tx_config_get(machine, thread, m->word[1], &value) == TX_OK;
    for (size_t i = 0; (f = tx_config_field_at(m->g->arch, i)) != NULL; i++) {
        const bool same =
            whole ? strcmp(f->name, m->word[1]) == 0 : strstr(f->name, m->word[1]) != NULL;
        if (same && tx_config_get(machine, thread, f->name, &value) == TX_OK) {
            fprintf(m->out, "%s = %u (0x%x)\n", f->name, (unsigned)value, (unsigned)value);
            shown++;
        }
    }
    if (shown == 0) {
        fprintf(m->out, "cfg: no field's name has '%s' in it\n", m->word[1]);
    }
    return shown != 0;
}

static bool do_help(const struct monitor *m);

static const struct {
    const char *name, *arguments, *what;
    bool (*work)(const struct monitor *m);
} commands[] = {
    {"help", "", "this", do_help},
    {"waits", "", "where each core stands, and what it and the coprocessor wait for", do_waits},
    {"cycles", "", "the time, how far it can go back, instructions of each core", do_cycles},
    {"findings", "", "what the run has found so far", do_findings},
    {"races", "", "what nothing orders, and in which cycles; continue stops there, either way",
     do_races},
    {"lreg", "N [LANE]", "an LReg, as bits and as FP32", monitor_lreg},
    {"dst", "ROW[..ROW] [FORMAT]",
     "rows of Dst as stored, or their values: fp32 bf16 fp16 int32 ...", monitor_dst},
    {"srca", "[ROW[..ROW]]", "the Matrix Unit's bank of SrcA, as bits and as TF32", monitor_src},
    {"srcb", "[ROW[..ROW]]", "of SrcB", monitor_src},
    {"l1", "ADDRESS COUNT [FORMAT]", "words of L1, or data of a format without blocks", monitor_l1},
    {"gpr", "[CORE]", "GPRs of the thread of a core", do_gpr},
    {"cfg", "NAME [CORE]", "fields of the configuration, as the core's thread sees them", do_cfg},
    {"rwc", "", "RWCs of all threads", do_rwc},
    {"adc", "", "address counters of unpackers and packers", do_adc},
    {"semaphores", "", "values, and who holds which mutex", do_semaphores},
    {"queues", "", "instructions that wait before each stage of each thread", do_queues},
};

static bool do_help(const struct monitor *m)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s %s", commands[i].name, commands[i].arguments);
        fprintf(m->out, "monitor %-28s %s\n", line, commands[i].what);
    }
    return true;
}

bool monitor_do(txl_gdb *g, const char *line, FILE *out)
{
    char copy[256];
    char *rest = NULL;
    struct monitor m = {.g = g, .out = out};
    snprintf(copy, sizeof copy, "%s", line);
    txl_mask_controls(copy);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (m.count == MONITOR_WORDS) {
            fputs("too many words\n", out);
            return false;
        }
        m.word[m.count++] = word;
    }
    const char *name = m.count == 0 ? "help" : m.word[0];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return commands[i].work(&m);
        }
    }
    fprintf(out, "no command '%s'; see monitor help\n", name);
    return false;
}
