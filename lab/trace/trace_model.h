/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "trace": what happened in each cycle, put together from the machine's events, and the forms
 * it is written in. It may use base, reference, data, kernel, flow, run,
 * page and tile.
 */
#ifndef LAB_TRACE_MODEL_H
#define LAB_TRACE_MODEL_H

#include "kernel/load.h"

#include <tensix-lab/flow.h>
#include <tensix-lab/tile.h>
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

/* ---- unpackers, packers, banks of SrcA and SrcB ---- */

enum { TRACE_SRCS = 2, TRACE_SRC_BANKS = 2, TRACE_LANE_TEXT = 12 };

enum trace_phase { TRACE_ENTERS, TRACE_WAITS, TRACE_WORKS, TRACE_ENDED };

/* An instruction in an unpacker or a packer, as of the cycle. */
struct trace_job {
    uint8_t unit, index, thread; /* TX_UNIT_UNPACK or TX_UNIT_PACK, and which of them */
    uint8_t bank;                /* of an unpacker: enum tx_phase_bank */
    enum trace_phase phase;
    bool changed;  /* another phase or cause than in the cycle before */
    bool begun;    /* it has started to work */
    bool behind;   /* another one of the same unit */
    bool over;     /* it was at work until the cycle before: TRACE_ENDED, seen once */
    bool at_least; /* its time is a lower bound */
    uint8_t drain; /* of a packer: cycles after the last one until L1 has everything */
    uint32_t word;
    uint64_t number, issued; /* as numbered when issued; cycle in which it passed its gate */
    uint64_t came, since;    /* first cycle in the unit, and of the phase */
    uint64_t start, end;     /* works from start to before end; unpackers: end is not known */
    const struct tx_row *row;
    char text[40];           /* "unpacr" */
    char cause[TRACE_CAUSE]; /* waits: what for */
};

/* Which bank of a Src each side uses, and whose each is: 0 the unpacker's, 1 the Matrix Unit's. */
struct trace_banks {
    uint8_t matrix, unpack, owner[TRACE_SRC_BANKS];
};

/* An instruction that has changed that. */
struct trace_turn {
    uint8_t src, thread;
    uint64_t number;
    const struct tx_row *row;
    struct trace_banks after;
};

/* TRACE_LANE_CORE is a RISC-V core of a tile, by enum tx_core; trace_model.js knows these numbers.
 */
enum trace_lane { TRACE_LANE_UNPACK, TRACE_LANE_PACK, TRACE_LANE_BANK, TRACE_LANE_CORE };

/* What a core does in a cycle, where that is not what it did in the one before. */
struct trace_core {
    uint8_t core; /* enum tx_core */
    bool moved;   /* to another line, or function where no lines are known */
    uint32_t pc, word;
    char function[96]; /* "main+0x1c", or "" */
    char source[256];  /* "ckernel.h:216 from trisc.cpp:99", or "" */
    const char *state; /* "runs", "waits", "in reset" ... */
    const char *wait;  /* for what, or "" */
};

/* Cycles in which the same goes on; of a bank: the same owner, TRACE_WORKS the Matrix Unit. */
struct trace_span {
    enum trace_lane lane;
    enum trace_phase phase;
    uint8_t index, thread; /* index of a bank: bank + 2 * Src */
    bool at_least;
    uint32_t word;
    uint64_t number, issued, from, to; /* number of a bank: who gave it away */
    const struct tx_row *row;          /* NULL for banks */
    char text[40], cause[TRACE_CAUSE];
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
    const struct trace_job *jobs;
    size_t job_count;
    struct trace_turn *turns;
    size_t turn_count, turn_room;
    struct trace_banks banks[TRACE_SRCS]; /* after it */
    struct trace_core *cores;
    size_t core_count, core_room;
};

struct trace_meta {
    const char *kernel, *title;
    const char *source; /* the kernel's text, for a page; or NULL */
    size_t source_length;
    const struct tx_program *program; /* for the places of words in the source; NULL: a tile's */
    enum tx_arch arch;
    enum tx_dst_format dst;
    unsigned inputs, output;
    uint64_t first, last; /* cycles that are shown */
    unsigned thread;
    bool threads;   /* three of them run */
    bool units;     /* unpackers, packers and banks have their lanes */
    unsigned cores; /* bit by enum tx_core: RISC-V cores that have theirs */
    bool vector;    /* there are vector instructions, or no other lanes */
    uint32_t regs;  /* bit per LReg to be shown in text */
    uint32_t rows[TX_DST_ROWS / 32];
    bool color;
    bool compact;  /* nothing that follows from the rest */
    bool at_least; /* so far: some time was only bounded */
};

struct trace_section {
    bool init;
    uint64_t tile, t;
    const tx_machine *machine; /* as the section starts */
    struct trace_banks banks[TRACE_SRCS];
};

/* A form of output. Any function may be NULL. */
struct trace_out {
    void (*begin)(struct trace_out *out, const struct trace_meta *meta);
    void (*section)(struct trace_out *out, const struct trace_section *section);
    void (*cycle)(struct trace_out *out, const struct trace_cycle *cycle);
    /* Where units have lanes: as each span ends, which may be after later cycles. */
    void (*span)(struct trace_out *out, const struct trace_span *span);
    void (*end)(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters);
    void (*drop)(struct trace_out *out); /* before own is freed: what it has opened */
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
struct trace_out trace_view(void);

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
    struct trace_job *jobs; /* in unpackers and packers, in the order in which they came */
    size_t job_count, job_room;
    struct trace_banks earlier[TRACE_SRCS]; /* as the cycle began */
    struct trace_given {
        uint64_t number, since;
        uint8_t thread;
        const struct tx_row *row;
    } given[TRACE_SRCS][TRACE_SRC_BANKS]; /* who made the owner what it is */
    uint64_t dst_writer;                  /* last word of the Matrix Unit that wrote Dst */
    struct trace_watched *watched;        /* the cores of a tile, TX_CORES of them; or NULL */
    txl_tensix *tile;
};

void *trace_grow(struct collect *trace, void *array, size_t count, size_t *room, size_t size);

int trace_open(struct txl_error *err, struct collect *trace); /* first; else TXL_INPUT */
void trace_begin(struct collect *trace);
void trace_section(struct collect *trace, bool init, uint64_t tile);
void trace_event(void *user, const struct tx_event *event);
/* What follows belongs to this cycle of the machine. */
void trace_arrive(struct collect *trace, uint64_t cycle);
void trace_flush(struct collect *trace);
void trace_end(struct collect *trace, const struct tx_counters *counters);
void trace_free(struct collect *trace);

/* trace_units.c */
void trace_choose_lanes(struct trace_meta *meta); /* of its program: units, vector */
const char *trace_lane(enum trace_lane lane, unsigned index, char text[TRACE_LANE_TEXT]);
const char *trace_owner(unsigned owner); /* "unpack", "math" */
/* Of the jobs of a cycle: the one that the same unit does before this; NULL: none. */
const struct trace_job *trace_before(const struct trace_job *jobs, const struct trace_job *job);
void trace_units_section(struct collect *trace);
/* Why a word is held where no vector instruction holds it. */
void trace_units_held(const struct collect *trace, const struct tx_event *event,
                      char cause[TRACE_CAUSE]);
void trace_units_event(struct collect *trace, const struct tx_event *event);
void trace_units_cycle(struct collect *trace); /* what goes on in the cycle that ends */
void trace_units_next(struct collect *trace);  /* once it has been written */
void trace_units_flush(struct collect *trace);
void trace_units_end(struct collect *trace);
void trace_put_span(struct collect *trace, struct trace_span *span, uint64_t t);

/* trace_cores.c: from the tile's first cycle on, after each one, and in the end. */
bool trace_cores_open(struct collect *trace, txl_tensix *tile);
void trace_cores_cycle(void *collect);
void trace_cores_end(struct collect *trace);
void trace_cores_free(struct collect *trace);

#endif
