/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "trace": what happens in each cycle, assembled from the machine's events, and the output
 * forms. It may use base, reference, data, kernel, flow, run, page and tile.
 */
#ifndef LAB_TRACE_MODEL_H
#define LAB_TRACE_MODEL_H

#include "base/bound.h"
#include "kernel/load.h"

#include <tensix-lab/flow.h>
#include <tensix-lab/tile.h>
#include <tensix-lab/trace.h>

enum { TRACE_TEXT = 96, TRACE_CAUSE = 160, TRACE_SCHEMA = 1, TRACE_SCHEMA_COMPACT = 2 };

enum trace_kind {
    TRACE_ISSUE,   /* a word passed the Wait Gate */
    TRACE_EXECUTE, /* an instruction scheduled by SFPLOADMACRO runs */
    TRACE_SECOND,  /* the second cycle of one of these */
    TRACE_STALL    /* a word was stalled */
};

/* The instruction that stalls a word; row NULL: none in flight does. */
struct trace_producer {
    const struct tx_row *row;
    uint32_t word, lregs, needed; /* as in struct tx_stall */
    uint64_t number, start;
};

struct trace_insn {
    enum trace_kind kind;
    bool scheduled; /* true in its second cycle, too */
    bool macro;     /* it is an SFPLOADMACRO */
    bool dropped;   /* a scheduled instruction took its sub-unit */
    uint8_t unit, thread, latency;
    uint8_t launch_vd;     /* for scheduled ones and SFPLOADMACROs: VD of the SFPLOADMACRO */
    uint64_t number;       /* as in its events; scheduled: that of the SFPLOADMACRO */
    uint64_t start;        /* cycle in which it started; stall: the current one */
    uint64_t launch_cycle; /* scheduled only: cycle of the SFPLOADMACRO */
    uint64_t datum;        /* the load whose datum it processes, counted from 1; 0: none */
    uint32_t word, lanes;
    uint32_t reads; /* LRegs, bit n for Ln; for a stalled word those that its fields name */
    const struct tx_row *row;
    struct tx_operands operands;
    bool has_address;
    uint16_t address;
    /* Of a load or store: its mode, with 0 resolved by the configuration. */
    uint8_t format;
    char text[TRACE_TEXT];   /* "mad L2=L0*L1+L9" */
    char cause[TRACE_CAUSE]; /* "L0 written by SFPMAD at t=4 (word 3)" */
    struct trace_producer by;
    unsigned place; /* tiles: place of the instruction that pushed it (trace_lines.h); 0: unknown */
};

enum trace_file { TRACE_LREG, TRACE_DST, TRACE_FLAGS };

/* A write to a register, Dst row or the flags. */
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

/* An instruction in an unpacker or a packer, in the current cycle. */
struct trace_job {
    uint8_t unit, index, thread; /* TX_UNIT_UNPACK or TX_UNIT_PACK, and its number */
    uint8_t bank;                /* unpackers: enum tx_phase_bank */
    enum trace_phase phase;
    bool changed;  /* phase or cause differ from the previous cycle */
    bool begun;    /* it has started to work */
    bool behind;   /* another instruction is before it in the same unit */
    bool over;     /* it worked until the previous cycle: shown once as TRACE_ENDED */
    bool at_least; /* its duration is a lower bound */
    uint8_t drain; /* packers: cycles after the last one until all data are in L1 */
    uint32_t word;
    uint64_t number, issued; /* number as in its events; cycle in which it passed its gate */
    uint64_t came, since;    /* first cycle in the unit, and of the current phase */
    uint64_t start, end;     /* works from start to before end; for unpackers end is unknown */
    const struct tx_row *row;
    char text[40];           /* "unpacr" */
    char cause[TRACE_CAUSE]; /* while it waits: what for */
};

/*
 * The bank of a Src that each side uses, and the owner of each bank: 0 the unpacker, 1 the Matrix
 * Unit.
 */
struct trace_banks {
    uint8_t matrix, unpack, owner[TRACE_SRC_BANKS];
};

/* A change of these by an instruction. */
struct trace_turn {
    uint8_t src, thread;
    uint64_t number;
    const struct tx_row *row;
    struct trace_banks after;
};

/*
 * TRACE_LANE_CORE is a RISC-V core, with an enum tx_core as index. trace_model.js uses the same
 * numbers.
 */
enum trace_lane { TRACE_LANE_UNPACK, TRACE_LANE_PACK, TRACE_LANE_BANK, TRACE_LANE_CORE };

/* What a core does in a cycle, reported only where it differs from the previous cycle. */
struct trace_core {
    uint8_t core; /* enum tx_core */
    bool moved;   /* it is at another line, or in another function where lines are unknown */
    uint32_t pc, word;
    char function[96]; /* "main+0x1c", or "" */
    char source[256];  /* "ckernel.h:216 from trisc.cpp:99", or "" */
    const char *state; /* "runs", "waits", "in reset" ... */
    const char *wait;  /* what it waits for, or "" */
};

/*
 * Consecutive cycles of the same state. For a bank: of the same owner, with TRACE_WORKS for the
 * Matrix Unit.
 */
struct trace_span {
    enum trace_lane lane;
    enum trace_phase phase;
    uint8_t index, thread; /* for a bank: bank + 2 * Src */
    bool at_least;
    uint32_t word;
    uint64_t number, issued, from, to; /* number for a bank: the instruction that gave it away */
    const struct tx_row *row;          /* NULL for banks */
    unsigned place;                    /* place of a core (trace_lines.h); 0: unknown */
    char text[40], cause[TRACE_CAUSE];
};

/* A finding or fault. */
struct trace_note {
    bool fault;
    struct tx_finding finding;
};

/* Everything that happens in one cycle. */
struct trace_cycle {
    uint64_t t; /* counted from the first traced cycle */
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
    struct trace_banks banks[TRACE_SRCS]; /* after the cycle */
    struct trace_core *cores;
    size_t core_count, core_room;
};

/* What is traced, and how it is shown. */
struct trace_meta {
    const char *kernel, *title;
    const char *source; /* the kernel's text, shown in a page; or NULL */
    size_t source_length;
    const char *const *sources; /* folders of files that the kernel names */
    size_t source_count;
    const struct tx_program *program; /* to find words in the source; NULL for a tile */
    const struct trace_lines *lines;  /* source lines of a tile, if a page wants them; or NULL */
    enum tx_arch arch;
    enum tx_dst_format dst;
    unsigned inputs, output;
    uint64_t first, last; /* range of cycles to show */
    unsigned thread;
    bool threads;   /* three threads run */
    bool units;     /* unpackers, packers and banks have lanes */
    unsigned cores; /* RISC-V cores with lanes, a bit per enum tx_core */
    bool vector;    /* the Vector Unit has lanes: it is used, or nothing else has lanes */
    uint32_t regs;  /* LRegs shown in text, a bit each */
    uint32_t rows[TX_DST_ROWS / 32];
    bool color;
    bool compact;    /* omit what follows from the rest */
    uint32_t bounds; /* enum tx_bound: why cycles so far are only a lower bound */
};

struct trace_section {
    bool init;
    uint64_t tile, t;
    const tx_machine *machine; /* at the start of the section */
    struct trace_banks banks[TRACE_SRCS];
};

/* An output form. Any function may be NULL. */
struct trace_out {
    void (*begin)(struct trace_out *out, const struct trace_meta *meta);
    void (*section)(struct trace_out *out, const struct trace_section *section);
    void (*cycle)(struct trace_out *out, const struct trace_cycle *cycle);
    /* With units: called when a span ends, which may be after events of later cycles. */
    void (*span)(struct trace_out *out, const struct trace_span *span);
    void (*end)(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters);
    /* Frees what own refers to; own itself is freed afterwards. */
    void (*drop)(struct trace_out *out);
    FILE *stream;
    const struct trace_meta *meta;
    uint64_t next;  /* starts as meta->first; then the form's own use */
    uint64_t count; /* a counter for the form's own use */
    void *own;      /* freed together with the form */
    bool failed;    /* memory ran out: the output is incomplete */
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
/* Writes the text with the macro's [x] before it, and with "'" in a second cycle. */
const char *trace_label(const struct trace_insn *insn, char *text, size_t size);

/* trace_collect.c */
enum { TRACE_OUTS = 8, TRACE_LAUNCHES = 64 };

struct trace_launch {
    uint64_t number, cycle, datum;
    uint8_t vd;
};

/* The collector: turns events into cycles. */
struct collect {
    struct trace_meta meta;
    struct trace_out outs[TRACE_OUTS];
    unsigned out_count;
    const tx_machine *machine;
    bool active, fresh; /* fresh: the section has just begun, and nothing has happened in it */
    bool failed;        /* memory ran out */
    struct trace_section section;
    bool started;
    uint64_t base; /* the machine's cycle that corresponds to t = 0 */
    struct trace_cycle now;
    struct trace_insn *second; /* instructions whose second cycle is the next one */
    size_t second_count, second_room;
    struct trace_launch launches[TRACE_LAUNCHES];
    unsigned launch_next;
    uint64_t datums;
    txl_graph *graph; /* data flow of the section */
    struct tx_macro_reader macros;
    struct trace_job *jobs; /* in unpackers and packers, in order of arrival */
    size_t job_count, job_room;
    struct trace_banks earlier[TRACE_SRCS]; /* banks at the beginning of the cycle */
    struct trace_given {
        uint64_t number, since;
        uint8_t thread;
        const struct tx_row *row;
    } given[TRACE_SRCS][TRACE_SRC_BANKS]; /* the instructions that determined the current owners */
    uint64_t dst_writer;                  /* last instruction of the Matrix Unit that wrote Dst */
    struct trace_watched *watched;        /* a tile's cores, TX_CORES entries; or NULL */
    struct trace_lines *lines; /* source lines of a tile's programs, for a page; or NULL */
    txl_tensix *tile;
    uint64_t ahead; /* the coprocessor's count of cycles less the tile's */
};

/* Call this first; TXL_INPUT without memory. */
int trace_open(struct txl_error *err, struct collect *trace);
void trace_begin(struct collect *trace);
void trace_section(struct collect *trace, bool init, uint64_t tile);
void trace_event(void *user, const struct tx_event *event);
/* Begins a cycle of the machine; the following events belong to it. */
void trace_arrive(struct collect *trace, uint64_t cycle);
void trace_flush(struct collect *trace);
void trace_end(struct collect *trace, const struct tx_counters *counters);
void trace_free(struct collect *trace);

/* trace_units.c */
/* Sets units and vector, depending on the program. */
void trace_choose_lanes(struct trace_meta *meta);
const char *trace_lane(enum trace_lane lane, unsigned index, char text[TRACE_LANE_TEXT]);
const char *trace_owner(unsigned owner); /* "unpack", "math" */
/* Returns the job that the same unit does before this one; NULL: none. */
const struct trace_job *trace_before(const struct trace_job *jobs, const struct trace_job *job);
void trace_units_section(struct collect *trace);
/* Describes why a word is stalled, where no vector instruction stalls it. */
void trace_units_held(const struct collect *trace, const struct tx_event *event,
                      char cause[TRACE_CAUSE]);
void trace_units_event(struct collect *trace, const struct tx_event *event);
void trace_units_cycle(struct collect *trace); /* updates the jobs in the cycle that ends */
void trace_units_next(struct collect *trace);  /* to be called after the cycle has been written */
void trace_units_flush(struct collect *trace);
void trace_units_end(struct collect *trace);
void trace_put_span(struct collect *trace, struct trace_span *span, uint64_t t);

/* trace_cores.c: to be called before the tile's first cycle, after each cycle, and at the end. */
bool trace_cores_open(struct collect *trace, txl_tensix *tile);
void trace_cores_cycle(void *collect);
void trace_cores_end(struct collect *trace);
void trace_cores_free(struct collect *trace);

#endif
