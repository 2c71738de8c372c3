/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "trace": what happened in each cycle, put together from the machine's events, and the forms
 * it is written in. It may use base, reference, data, kernel, flow and run.
 */
#ifndef LAB_TRACE_MODEL_H
#define LAB_TRACE_MODEL_H

#include "kernel/load.h"

#include <tensix-lab/flow.h>
#include <tensix-lab/trace.h>

enum { TRACE_TEXT = 96, TRACE_CAUSE = 160, TRACE_SCHEMA = 1, TRACE_SCHEMA_COMPACT = 2 };

enum trace_kind {
    TRACE_ISSUE,   /* a word left the wait gate */
    TRACE_EXECUTE, /* scheduled by SFPLOADMACRO */
    TRACE_SECOND,  /* second cycle of one of the above */
    TRACE_STALL    /* a word that was held */
};

/* Who holds a word; row NULL: no instruction in flight does. */
struct trace_producer {
    const struct tx_row *row;
    uint32_t word, lregs, needed; /* as in struct tx_stall */
    uint64_t number, start;
};

struct trace_insn {
    enum trace_kind kind;
    bool scheduled; /* also of its second cycle */
    bool macro;     /* is an SFPLOADMACRO */
    bool dropped;   /* a scheduled instruction took its sub-unit */
    uint8_t unit, thread, latency;
    uint8_t launch_vd;     /* scheduled or macro: VD of the SFPLOADMACRO */
    uint64_t number;       /* as issued; scheduled: of the SFPLOADMACRO */
    uint64_t start;        /* cycle in which it started; stall: the current one */
    uint64_t launch_cycle; /* scheduled: of the SFPLOADMACRO */
    uint64_t datum;        /* load that it belongs to, counted from 1; 0: none */
    uint32_t word, lanes;
    uint32_t reads; /* LRegs, bit n = Ln; of a word that was held, those that its fields name */
    const struct tx_row *row;
    struct tx_operands operands;
    bool has_address;
    uint16_t address;
    uint8_t format;          /* of a load or store: its mode, 0 resolved by the configuration */
    char text[TRACE_TEXT];   /* "mad L2=L0*L1+L9" */
    char cause[TRACE_CAUSE]; /* "L0 written by SFPMAD at t=4 (word 3)" */
    struct trace_producer by;
};

enum trace_file { TRACE_LREG, TRACE_DST, TRACE_FLAGS };

struct trace_write {
    enum trace_file file;
    bool scheduled;
    uint8_t unit, thread;
    uint16_t index, address;
    uint64_t number, start;
    uint32_t lanes;            /* flags: LaneFlags */
    uint32_t values[TX_LANES]; /* flags: values[0] = UseLaneFlagsForLaneEnable */
};

struct trace_note {
    bool fault;
    struct tx_finding finding;
};

struct trace_cycle {
    uint64_t t; /* from the first cycle that is traced */
    struct trace_insn *insns;
    size_t insn_count, insn_room;
    struct trace_write *writes;
    size_t write_count, write_room;
    struct trace_note *notes;
    size_t note_count, note_room;
};

struct trace_meta {
    const char *kernel, *title;
    const struct tx_program *program; /* for the places of words in the source */
    enum tx_arch arch;
    enum tx_dst_format dst;
    unsigned inputs, output;
    uint64_t first, last; /* cycles that are shown */
    unsigned thread;
    bool threads;  /* three of them run */
    uint32_t regs; /* bit per LReg to be shown in text */
    uint32_t rows[TX_DST_ROWS / 32];
    bool color;
    bool compact; /* nothing that follows from the rest */
};

struct trace_section {
    bool init;
    uint64_t tile, t;
    const tx_machine *machine; /* as the section starts */
};

/* A form of output. Any function may be NULL. */
struct trace_out {
    void (*begin)(struct trace_out *out, const struct trace_meta *meta);
    void (*section)(struct trace_out *out, const struct trace_section *section);
    void (*cycle)(struct trace_out *out, const struct trace_cycle *cycle);
    void (*end)(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters);
    FILE *stream;
    const struct trace_meta *meta;
    uint64_t next;  /* at first meta->first; then whatever the form keeps there */
    uint64_t count; /* of whatever the form numbers */
    void *own;      /* freed with the form */
    bool failed;    /* out of memory: something is missing */
};

struct trace_out trace_table(void);
struct trace_out trace_json(void);
struct trace_out trace_chrome(void);
struct trace_out trace_konata(void);
struct trace_out trace_html(void);

/* trace_text.c */
void trace_operands_text(struct trace_insn *insn);
const char *trace_unit(unsigned unit); /* "Load" ... */
/* The text with [x] before it, "'" where it is a second cycle. */
const char *trace_label(const struct trace_insn *insn, char *text, size_t size);
void trace_put_string(FILE *stream, const char *text); /* quoted as JSON, < hidden from HTML */
void trace_put_hex(FILE *stream, const uint32_t *values, size_t count, unsigned digits);

/* trace_collect.c */
enum { TRACE_OUTS = 8, TRACE_LAUNCHES = 64 };

struct trace_launch {
    uint64_t number, cycle, datum;
    uint8_t vd;
};

struct collect {
    struct trace_meta meta;
    struct trace_out outs[TRACE_OUTS];
    unsigned out_count;
    const tx_machine *machine;
    bool active, fresh; /* fresh: a section has begun and nothing has happened in it */
    bool failed;        /* out of memory */
    struct trace_section section;
    bool started;
    uint64_t base; /* machine's cycle that is t = 0 */
    struct trace_cycle now;
    struct trace_insn *second; /* in their second cycle in the next one */
    size_t second_count, second_room;
    struct trace_launch launches[TRACE_LAUNCHES];
    unsigned launch_next;
    uint64_t datums;
    txl_graph *graph; /* of the section */
    struct tx_macro_reader macros;
};

int trace_open(struct txl_error *err, struct collect *trace); /* first; else TXL_INPUT */
void trace_begin(struct collect *trace);
void trace_section(struct collect *trace, bool init, uint64_t tile);
void trace_event(void *user, const struct tx_event *event);
void trace_flush(struct collect *trace);
void trace_end(struct collect *trace, const struct tx_counters *counters);
void trace_free(struct collect *trace);

#endif
