/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records kernels by running them: the macros of ckernel_ops.h append words to the current
 * recorder, which then writes them as a kernel file with the source line of each word. The header
 * is self-contained for C17 and C++17 with gcc or clang; no library is linked.
 *
 *     struct tx_recorder recorder;
 *     tx_recorder_open(&recorder, TX_RECORD_ARCH);
 *     kernel();
 *     tx_recorder_write(&recorder, file);
 *     tx_recorder_close(&recorder);
 *
 * Each thread has its own current recorder, and threads share nothing else. Errors (an argument
 * outside its field that the compiler could not detect, no memory, too many words) are kept in the
 * recorder: tx_recorder_error returns the first one, and then no file is written.
 */
#ifndef TENSIX_RECORD_H
#define TENSIX_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tensix/isa_names.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TX_RECORD_INIT = 0, TX_RECORD_TILE = 1, TX_RECORD_SECTIONS = 2 };
/* The assembler's limits: total number of words, number of names in .file. */
enum { TX_RECORD_WORDS = 1 << 20, TX_RECORD_FILES = 15 };

struct tx_recorded {
    uint32_t word, line;
    const char *file; /* NULL: unknown */
    /*
     * For free_constant.hpp: 0, or 1 + the register into which constant free_name is loaded. Only
     * the first word of such a load has a name.
     */
    uint32_t free_load;
    const char *free_name;
};

/* Requests to a tracer: take a word, append all words it holds back, free its memory. */
enum tx_trace { TX_TRACE_WORD, TX_TRACE_SETTLE, TX_TRACE_FREE };

struct tx_recorder {
    const char *arch; /* "blackhole" */
    struct {
        struct tx_recorded *words;
        size_t count, room;
    } section[TX_RECORD_SECTIONS];
    unsigned into; /* section that new words go to */
    char head[1024];
    char error[256];
    /*
     * Accept arguments wider than their field as the vendor's macros do; spilled lists the places.
     */
    bool spill;
    bool raw;           /* write .word lines, not mnemonics */
    char spilled[1024]; /* one line each, written as comments of the kernel file */
    /* Called at the first error, if not NULL, so that a kernel that never ends can be stopped. */
    void (*stop)(const struct tx_recorder *recorder);
    /* A tracer that holds words back until their registers are assigned (sfpi.hpp), or NULL. */
    void (*trace)(struct tx_recorder *recorder, enum tx_trace what, const struct tx_recorded *word);
    void *tracer;
    struct tx_recorder *before; /* the thread's current recorder when this one was opened */
};

/*
 * Weak, so that a program has one such variable however many files and languages include this
 * header; each thread has its own value.
 */
__attribute__((weak)) __thread struct tx_recorder *tx_recorder_current;

/*
 * Makes *recorder the thread's current recorder, with words going to .tile. arch: TX_RECORD_ARCH.
 */
static inline void tx_recorder_open(struct tx_recorder *recorder, const char *arch)
{
    memset(recorder, 0, sizeof *recorder);
    recorder->arch = arch;
    recorder->into = TX_RECORD_TILE;
    recorder->before = tx_recorder_current;
    tx_recorder_current = recorder;
}

/* Frees the recorder; the one that was current before it becomes current again. */
static inline void tx_recorder_close(struct tx_recorder *recorder)
{
    if (recorder->trace != NULL) {
        recorder->trace(recorder, TX_TRACE_FREE, NULL);
    }
    for (unsigned s = 0; s < TX_RECORD_SECTIONS; s++) {
        free(recorder->section[s].words);
    }
    if (tx_recorder_current == recorder) {
        tx_recorder_current = recorder->before;
    }
    memset(recorder, 0, sizeof *recorder);
}

/* Returns the first error; NULL: none. */
static inline const char *tx_recorder_error(const struct tx_recorder *recorder)
{
    return recorder->error[0] != '\0' ? recorder->error : NULL;
}

/* Returns the current recorder. Using a macro without one is a programming error and aborts. */
static inline struct tx_recorder *tx_recorder_get(const char *file, unsigned line)
{
    if (tx_recorder_current == NULL) {
        fprintf(stderr, "%s:%u: no recorder is open in this thread\n", file != NULL ? file : "?",
                line);
        abort();
    }
    return tx_recorder_current;
}

/* Makes a tracer append all words that it holds back to their section. */
static inline void tx_record_settle(struct tx_recorder *recorder)
{
    if (recorder->trace != NULL) {
        recorder->trace(recorder, TX_TRACE_SETTLE, NULL);
    }
}

/* Sends all further words to .init or .tile. */
static inline void tx_record_into(unsigned section)
{
    struct tx_recorder *r = tx_recorder_get(NULL, 0);
    tx_record_settle(r);
    r->into = section == TX_RECORD_INIT ? TX_RECORD_INIT : TX_RECORD_TILE;
}

/* Reports an error, whose message is already in r->error, to the stop function. */
static inline void tx_record_stop(const struct tx_recorder *r)
{
    if (r->stop != NULL) {
        r->stop(r);
    }
}

/* Adds a line to the head of the kernel file, such as ".dst bf16" or ".inputs 2". */
static inline void tx_record_head(const char *line)
{
    struct tx_recorder *r = tx_recorder_get(NULL, 0);
    const size_t used = strlen(r->head);
    const size_t length = strlen(line);
    if (used + length + 2 > sizeof r->head) {
        snprintf(r->error, sizeof r->error, "the lines of the head are too long");
        tx_record_stop(r);
        return;
    }
    memcpy(r->head + used, line, length);
    memcpy(r->head + used + length, "\n", 2);
}

/* Appends a word to section s, bypassing any tracer. */
static inline void tx_record_append(struct tx_recorder *r, unsigned s, uint32_t word,
                                    const char *file, unsigned line)
{
    if (r->error[0] != '\0') {
        return;
    }
    if (r->section[0].count + r->section[1].count >= TX_RECORD_WORDS) {
        snprintf(r->error, sizeof r->error, "%.200s:%u: more than %d words",
                 file != NULL ? file : "?", line, TX_RECORD_WORDS);
        tx_record_stop(r);
        return;
    }
    if (r->section[s].count == r->section[s].room) {
        const size_t room = r->section[s].room == 0 ? 64 : 2 * r->section[s].room;
        struct tx_recorded *words =
            (struct tx_recorded *)realloc(r->section[s].words, room * sizeof *words);
        if (words == NULL) {
            snprintf(r->error, sizeof r->error, "out of memory");
            tx_record_stop(r);
            return;
        }
        r->section[s].words = words;
        r->section[s].room = room;
    }
    struct tx_recorded *last = &r->section[s].words[r->section[s].count++];
    last->word = word;
    last->line = line;
    last->file = file;
    last->free_load = 0;
    last->free_name = NULL;
}

/*
 * Appends a word that loads constant NAME of .free; all but the first word of a load have name
 * NULL.
 */
static inline void tx_record_append_free(struct tx_recorder *r, uint32_t word, const char *name,
                                         uint32_t lreg, const char *file, unsigned line)
{
    tx_record_append(r, r->into, word, file, line);
    if (r->error[0] == '\0') {
        struct tx_recorded *last = &r->section[r->into].words[r->section[r->into].count - 1];
        last->free_load = 1 + lreg;
        last->free_name = name;
    }
}

static inline void tx_record(uint32_t word, const char *file, unsigned line)
{
    struct tx_recorder *r = tx_recorder_get(file, line);
    if (r->trace != NULL) {
        struct tx_recorded recorded;
        recorded.word = word;
        recorded.line = line;
        recorded.file = file;
        r->trace(r, TX_TRACE_WORD, &recorded);
        return;
    }
    tx_record_append(r, r->into, word, file, line);
}

/* Notes a place that spills, once, as long as there is room. */
static inline void tx_record_spilled(struct tx_recorder *r, const char *text)
{
    const size_t used = strlen(r->spilled);
    const size_t length = strlen(text);
    if (strstr(r->spilled, text) == NULL && used + length < sizeof r->spilled) {
        memcpy(r->spilled + used, text, length + 1);
    }
}

/*
 * Handles an argument that does not fit its field when the instruction is recorded. The vendor's
 * macros add up shifted arguments, so that an argument too wide changes the neighbouring field.
 * Here it is an error or, with spill, the same sum and a comment.
 */
static inline uint32_t tx_record_outside(long long value, unsigned lsb, unsigned width,
                                         const char *name, const char *file, unsigned line)
{
    struct tx_recorder *r = tx_recorder_get(file, line);
    char text[256];
    snprintf(text, sizeof text, "%.120s:%u: %.40s is %lld and must lie in 0..%u", file, line, name,
             value, (1u << width) - 1u);
    if (r->spill) {
        char comment[280];
        snprintf(comment, sizeof comment, "# spills: %.250s\n", text);
        tx_record_spilled(r, comment);
        return (uint32_t)((unsigned long long)value << lsb);
    }
    if (r->error[0] == '\0') {
        memcpy(r->error, text, sizeof r->error);
        tx_record_stop(r);
    }
    return 0;
}

/*
 * Checks the length of a replay: the Replay Expander's buffer has 32 entries, and what happens
 * beyond that is undocumented (E-REPLAY).
 */
static inline void tx_record_fits(unsigned length, const char *file, unsigned line)
{
    struct tx_recorder *r = tx_recorder_get(file, line);
    if (length > 32 && r->error[0] == '\0') {
        snprintf(r->error, sizeof r->error, "%.180s:%u: a replay of %u words: the buffer holds 32",
                 file != NULL ? file : "?", line, length);
        tx_record_stop(r);
    }
}

/*
 * Checks that exactly length words were recorded since the section had count of them, as a replay
 * buffer announced.
 */
static inline void tx_record_expect(size_t count, unsigned length)
{
    struct tx_recorder *r = tx_recorder_get(NULL, 0);
    tx_record_settle(r);
    const size_t got = r->section[r->into].count - count;
    if (r->error[0] == '\0' && got != length) {
        const struct tx_recorded *last = got > 0 ? &r->section[r->into].words[count] : NULL;
        snprintf(r->error, sizeof r->error, "%.180s:%u: %u words are recorded here, %u announced",
                 last != NULL && last->file != NULL ? last->file : "?",
                 last != NULL ? last->line : 0, (unsigned)got, length);
        tx_record_stop(r);
    } else if (got > 0) {
        const struct tx_recorded *first = &r->section[r->into].words[count];
        tx_record_fits(length, first->file, first->line);
    }
}

/* ---- the kernel file ---- */

static inline unsigned tx_record_file(const char *names[TX_RECORD_FILES + 1], const char *file)
{
    for (unsigned i = 1; file != NULL && i <= TX_RECORD_FILES && names[i] != NULL; i++) {
        if (strcmp(names[i], file) == 0) {
            return i;
        }
    }
    return 0;
}

static inline void tx_record_write_files(const struct tx_recorder *r,
                                         const char *names[TX_RECORD_FILES + 1], FILE *out)
{
    unsigned count = 0;
    for (unsigned s = 0; s < TX_RECORD_SECTIONS; s++) {
        for (size_t i = 0; i < r->section[s].count; i++) {
            const char *file = r->section[s].words[i].file;
            if (file != NULL && count < TX_RECORD_FILES && tx_record_file(names, file) == 0) {
                /* keep the end of a long name: it tells more than the start */
                const size_t length = strlen(file);
                names[++count] = file;
                fprintf(out, ".file %u, \"%s\"\n", count, file + (length > 180 ? length - 180 : 0));
            }
        }
    }
}

/* A mnemonic in the vendor's form: its macro, and the positions of the arguments in the word. */
struct tx_record_form {
    const char *name;
    uint8_t opcode, count;
    struct {
        uint8_t lsb, width;
    } field[16];
};

static inline const struct tx_record_form *tx_record_form(const char *arch, uint32_t word)
{
    static const struct tx_record_form blackhole[] = {
#include <tensix/chip/blackhole_forms.def>
        {NULL, 0, 0, {{0, 0}}}};
    static const struct tx_record_form wormhole[] = {
#include <tensix/chip/wormhole_forms.def>
        {NULL, 0, 0, {{0, 0}}}};
    const struct tx_record_form *form = strcmp(arch, "blackhole") == 0 ? blackhole : wormhole;
    while (form->name != NULL && form->opcode != TX_INSN_OF(word)) {
        form++;
    }
    return form->name != NULL ? form : NULL;
}

/* Writes TTI_NAME(arguments), or .word where the word has bits outside all fields. */
static inline void tx_record_write_word(const struct tx_recorder *r, uint32_t word, FILE *out)
{
    const struct tx_record_form *form = r->raw ? NULL : tx_record_form(r->arch, word);
    char text[256];
    uint32_t sum = TX_INSN_WORD(TX_INSN_OF(word));
    int used = 0;
    if (form != NULL) {
        used = snprintf(text, sizeof text, "TTI_%s", form->name);
        for (unsigned i = 0; i < form->count; i++) {
            const uint32_t mask = (1u << form->field[i].width) - 1u;
            const uint32_t value = word >> form->field[i].lsb & mask;
            sum |= value << form->field[i].lsb;
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%u%s", i == 0 ? "(" : ", ",
                             (unsigned)value, i + 1u == form->count ? ")" : "");
        }
    }
    if (form != NULL && sum == word) {
        fprintf(out, "    %s\n", text);
    } else {
        fprintf(out, "    .word 0x%08x\n", (unsigned)word);
    }
}

static inline void tx_record_write_section(const struct tx_recorder *r, unsigned s,
                                           const char *names[TX_RECORD_FILES + 1], FILE *out)
{
    unsigned file = 0;
    unsigned line = 0;
    fprintf(out, "%s\n.loc 0, 0\n", s == TX_RECORD_INIT ? ".init" : ".tile");
    for (size_t i = 0; i < r->section[s].count; i++) {
        const struct tx_recorded *word = &r->section[s].words[i];
        const unsigned now = tx_record_file(names, word->file);
        const unsigned now_line = now != 0 ? word->line : 0;
        if (now != file || now_line != line) {
            fprintf(out, ".loc %u, %u\n", now, now_line);
        }
        file = now;
        line = now_line;
        if (word->free_load == 0) {
            tx_record_write_word(r, word->word, out);
        } else if (word->free_name != NULL) {
            fprintf(out, "    .loadi L%u, %s\n", (unsigned)word->free_load - 1, word->free_name);
        }
    }
}

/*
 * Writes the kernel file: directives and mnemonics. Returns false, with nothing written, after an
 * error.
 */
static inline bool tx_recorder_write(struct tx_recorder *recorder, FILE *out)
{
    const char *names[TX_RECORD_FILES + 1] = {NULL};
    tx_record_settle(recorder);
    if (tx_recorder_error(recorder) != NULL) {
        return false;
    }
    /* The vendor's kernels rely on the vendor's start state, unless the head states another. */
    fprintf(out, ".arch %s\n%s%s%s", recorder->arch,
            strstr(recorder->head, ".start ") == NULL ? ".start vendor\n" : "", recorder->head,
            recorder->spilled);
    tx_record_write_files(recorder, names, out);
    for (unsigned s = 0; s < TX_RECORD_SECTIONS; s++) {
        if (recorder->section[s].count > 0) {
            tx_record_write_section(recorder, s, names, out);
        }
    }
    return !ferror(out);
}

#ifdef __cplusplus
}
#endif

#endif
