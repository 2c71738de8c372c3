/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records as a kernel file what the cores of a tile make the coprocessor do: in the order of the
 * run, the words that each thread issued (MOP and REPLAY expanded), and between them its core's
 * stores to configuration, GPRs and semaphores, as words with the same effect. Before these the
 * recorded thread waits for its own units, because the core will have waited.
 */
#include "base/memory.h"
#include "tile/tile_program.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/tile_debug.h>

enum { CONFIG_WORDS = 256, MOST_WORDS = 1 << 20 };

static const char *const threads[TX_THREADS] = {"unpack", "math", "pack"};

struct line {
    bool store;    /* made by the core, not issued */
    char text[60]; /* empty: word is disassembled */
    uint32_t word;
};

struct stream {
    struct line *lines;
    size_t count, room;
    size_t start; /* number of lines from before T0 to T2 ran, which belong to B */
};

struct recording {
    struct txl_error *err;
    enum tx_arch arch;
    txl_tensix *tile;
    struct stream threads[TX_THREADS];
    /* Address and value of DBG_FEATURE_DISABLE. */
    uint32_t features_at, features;
    uint32_t config[2][CONFIG_WORDS], gprs[TX_THREADS][TX_GPRS]; /* as of the last cycle */
    int result;
};

static struct line *tile_record_add(struct recording *r, unsigned thread)
{
    struct stream *s = &r->threads[thread];
    if (r->result == TXL_CONTINUE && s->count == MOST_WORDS) {
        r->result = txl_refuse(r->err, TXL_NEGATIVE, "thread %u issues more than %d words", thread,
                               MOST_WORDS);
    }
    if (r->result == TXL_CONTINUE && !LIST_ROOM(s->lines, s->count, s->room, 1)) {
        r->result = no_memory(r->err);
    }
    if (r->result != TXL_CONTINUE) {
        return NULL;
    }
    struct line *line = &s->lines[s->count++];
    memset(line, 0, sizeof *line);
    return line;
}

static void on_event(void *user, const struct tx_event *event)
{
    struct recording *r = user;
    const unsigned insn = event->row != NULL ? (unsigned)event->row->insn : UINT32_MAX;
    if (event->kind != TX_EVENT_ISSUE || insn == TX_INSN_MOP || insn == TX_INSN_MOPCFG ||
        insn == TX_INSN_REPLAY) {
        return; /* the words that they expand to follow */
    }
    struct line *line = tile_record_add(r, event->thread);
    if (line != NULL) {
        line->word = event->word;
    }
}

static void tile_record_say(struct recording *r, unsigned thread, const char *format, unsigned a,
                            unsigned b, unsigned c)
{
    struct line *line = tile_record_add(r, thread);
    if (line != NULL) {
        line->store = true;
        snprintf(line->text, sizeof line->text, format, a, b, c);
    }
}

static void refuse(struct recording *r, const struct tx_core_store *s, const char *why)
{
    if (r->result == TXL_CONTINUE) {
        r->result =
            txl_refuse(r->err, TXL_NEGATIVE, "core %s stores %08x to %08x in cycle %llu: %s",
                       tx_core_name(s->core), (unsigned)s->value, (unsigned)s->address,
                       (unsigned long long)tx_tensix_cycles(txl_tensix_tile(r->tile)), why);
    }
}

static void store_config(struct recording *r, unsigned thread, const struct tx_tile_place *at,
                         const struct tx_core_store *s)
{
    uint32_t bank = 0;
    (void)tx_config_get(tx_tensix_machine(txl_tensix_tile(r->tile)), thread, "CFG_STATE_ID_StateID",
                        &bank);
    if (at->space != TX_SPACE_CONFIG || at->part != bank) {
        refuse(r, s, "configuration that is not the thread's own bank cannot be written by words");
        return;
    }
    const uint32_t changed = s->value ^ r->config[at->part][at->index];
    /* Only changed bytes, because others may belong to another thread. */
    for (unsigned i = 0; i < 4; i++) {
        char format[] = "TTI_RMWCIB0(0x%02x, 0x%02x, %u)";
        const unsigned mask = changed >> 8 * i & 0xff;
        format[10] = (char)('0' + i);
        if (mask != 0) {
            tile_record_say(r, thread, format, mask, s->value >> 8 * i & mask, at->index);
        }
    }
}

static void store_gpr(struct recording *r, unsigned thread, unsigned gpr,
                      const struct tx_core_store *s)
{
    const uint32_t changed = s->value ^ r->gprs[thread][gpr];
    if ((changed & 0xffff) != 0) {
        tile_record_say(r, thread, "TTI_SETDMAREG(0, 0x%04x, 0, %u)", s->value & 0xffff, 2 * gpr,
                        0);
    }
    if (changed >> 16 != 0) {
        tile_record_say(r, thread, "TTI_SETDMAREG(0, 0x%04x, 0, %u)", s->value >> 16, 2 * gpr + 1,
                        0);
    }
}

static void on_store(void *user, const struct tx_core_store *s)
{
    struct recording *r = user;
    const struct tx_tile_place at = tx_tile_place(r->arch, s->core, s->address);
    const bool t = s->core >= TX_CORE_T0 && s->core <= TX_CORE_T2;
    const unsigned thread = t ? (unsigned)s->core - TX_CORE_T0 : 0;
    switch (at.space) {
    case TX_SPACE_CONFIG:
    case TX_SPACE_CONFIG_BOTH:
        store_config(r, thread, &at, s);
        break;
    case TX_SPACE_GPRS:
        store_gpr(r, at.part, at.index, s);
        break;
    case TX_SPACE_SEMAPHORES:
        tile_record_say(r, thread, (s->value & 1) != 0 ? "TTI_SEMGET(%u)" : "TTI_SEMPOST(%u)",
                        1U << at.index, 0, 0);
        break;
    case TX_SPACE_DST:
        refuse(r, s, "no word stores a datum to Dst");
        break;
    default:
        if (s->address == r->features_at) {
            if (r->features != 0 && r->features != s->value) {
                refuse(r, s, "a kernel has one value of DBG_FEATURE_DISABLE");
            }
            r->features = s->value;
        }
        break;
    }
    /*
     * All other stores affect only the cores: pushes (whose words are issued), the MOP Expander's
     * configuration, mailboxes, resets, clocks.
     */
}

static void tile_record_keep(struct recording *r)
{
    const tx_machine *m = tx_tensix_machine(txl_tensix_tile(r->tile));
    for (unsigned bank = 0; bank < 2; bank++) {
        for (unsigned i = 0; i < CONFIG_WORDS; i++) {
            (void)tx_read(m, TX_FILE_CONFIG, i + CONFIG_WORDS * bank, &r->config[bank][i], 1);
        }
    }
    for (unsigned i = 0; i < TX_THREADS * TX_GPRS; i++) {
        (void)tx_read(m, TX_FILE_GPR, i, &r->gprs[i / TX_GPRS][i % TX_GPRS], 1);
    }
}

/* Called once per cycle. Until a T core has left reset, the words of thread 0 are B's. */
static void on_cycle(void *user)
{
    struct recording *r = user;
    tile_record_keep(r);
    for (unsigned c = TX_CORE_T0; c <= TX_CORE_T2; c++) {
        struct tx_core_state state;
        (void)tx_tensix_core(txl_tensix_tile(r->tile), (enum tx_core)c, &state);
        if (state.phase != TX_CORE_HELD) {
            return;
        }
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        r->threads[i].start = r->threads[i].count;
    }
}

static void put_lines(FILE *out, enum tx_arch arch, const struct line *lines, size_t count)
{
    char text[128];
    for (size_t i = 0; i < count; i++) {
        const struct line *line = &lines[i];
        if (line->store && (i == 0 || !lines[i - 1].store)) {
            fputs("    TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::ALL_THREAD_RES) # the core:\n",
                  out);
        }
        if (!line->store) {
            (void)tx_disassemble(arch, line->word, TX_DIS_NORMAL, text, sizeof text);
        }
        fprintf(out, "    %s\n", line->store ? line->text : text);
        if (line->store && (i + 1 == count || !lines[i + 1].store)) {
            fputs("    TTI_STALLWAIT(p_stall::STALL_THREAD, p_stall::THCON)\n", out);
        }
    }
}

static void write_kernel(const struct recording *r, FILE *out)
{
    fprintf(out,
            "# What the cores of a tile pushed in a run of %s%llu cycles: tensix record --elf\n",
            bound_prefix(txl_tensix_result(r->tile)->bounds),
            (unsigned long long)txl_tensix_result(r->tile)->cycles);
    fprintf(out, ".arch %s\n.start reset\n", tx_arch_name(r->arch));
    if (r->features != 0) {
        fprintf(out, ".config DBG_FEATURE_DISABLE, 0x%x\n", (unsigned)r->features);
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        const struct stream *s = &r->threads[i];
        fprintf(out, "\n.thread %s\n", threads[i]);
        if (s->start != 0) {
            fputs(".init\n", out);
            put_lines(out, r->arch, s->lines, s->start);
        }
        fputs(".tile\n", out);
        put_lines(out, r->arch, s->lines + s->start, s->count - s->start);
    }
}

static int tile_record_run(struct recording *r, const struct txl_tensix_options *options)
{
    const struct tile_watch watch = {{on_event, r}, on_cycle, r};
    int result = tile_open(r->err, options, &watch, &r->tile);
    if (result != TXL_OK) {
        return result;
    }
    (void)tx_tile_register("DBG_FEATURE_DISABLE", &r->features_at);
    tx_tensix_stores(txl_tensix_tile(r->tile), on_store, r);
    result = txl_tensix_run(r->err, r->tile);
    return result == TXL_OK ? r->result : result;
}

static void tile_record_end(struct recording *r)
{
    txl_tensix_close(r->tile);
    for (unsigned i = 0; i < TX_THREADS; i++) {
        free(r->threads[i].lines);
    }
}

int txl_tensix_record(struct txl_error *err, const struct txl_tensix_options *options, char **text,
                      size_t *size)
{
    struct recording r = {.err = err, .arch = options->arch, .result = TXL_CONTINUE};
    struct memory_text memory = {.stream = NULL};
    *text = NULL;
    *size = 0;
    int result = tile_record_run(&r, options);
    result = result == TXL_CONTINUE ? memory_text_open(err, &memory) : result;
    if (result == TXL_CONTINUE) {
        write_kernel(&r, memory.stream);
        result = memory_text_close(err, &memory);
    }
    tile_record_end(&r);
    if (result == TXL_CONTINUE) {
        *text = memory.text;
        *size = memory.size;
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

static int lint_thread(struct recording *r, unsigned thread, txl_lint *lint)
{
    const struct stream *s = &r->threads[thread];
    uint32_t *words = zeroed(r->err, s->count + 1, sizeof *words);
    char name[24];
    size_t count = 0;
    bool vector = false;
    if (words == NULL) {
        return TXL_INPUT;
    }
    for (size_t i = s->start; i < s->count; i++) {
        if (!s->lines[i].store) {
            const struct tx_insn *insn = tx_insn_of(r->arch, s->lines[i].word);
            const unsigned unit = insn != NULL ? insn->unit : TX_UNIT_NONE;
            vector = vector || (unit >= TX_UNIT_LOAD && unit <= TX_UNIT_STORE);
            words[count++] = s->lines[i].word;
        }
    }
    snprintf(name, sizeof name, "thread %s", threads[thread]);
    const int result = vector ? txl_lint_words(r->err, lint, name, r->arch, words, count) : TXL_OK;
    free(words);
    return result;
}

int txl_tensix_lint(struct txl_error *err, const struct txl_tensix_options *options, txl_lint *lint,
                    char **findings)
{
    struct recording r = {.err = err, .arch = options->arch, .result = TXL_CONTINUE};
    *findings = NULL;
    int result = tile_record_run(&r, options);
    for (unsigned i = 0; i < TX_THREADS && (result == TXL_CONTINUE || result == TXL_OK); i++) {
        result = lint_thread(&r, i, lint);
    }
    if (result == TXL_OK && txl_tensix_result(r.tile)->findings != 0) {
        *findings = txl_tensix_findings_text(r.tile);
        result = *findings == NULL ? no_memory(err) : TXL_OK;
    }
    tile_record_end(&r);
    return result;
}
