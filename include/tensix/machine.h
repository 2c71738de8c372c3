/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Tensix back end: open it, give it words, read any register.
 *
 *     struct tx_settings s;
 *     tx_machine *m;
 *     tx_settings_default(&s, TX_BLACKHOLE);
 *     if (tx_open(&s, &m) != TX_OK) { ... }
 *     tx_run(m, 1, words, count);
 *     tx_read(m, TX_FILE_LREG, 2, lanes, 32);
 *     tx_close(m);
 *
 * The library never prints, exits, reads the environment or keeps state outside its handles. A
 * machine allocates in tx_open alone.
 */
#ifndef TENSIX_MACHINE_H
#define TENSIX_MACHINE_H

#include <tensix/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_machine tx_machine;

/* silicon: behave as the hardware is known to and record findings. strict: stop with a fault. */
enum tx_mode { TX_MODE_SILICON = 0, TX_MODE_STRICT = 1 };

enum { TX_MAX_RULES = 64, TX_MAX_FINDINGS = 64, TX_MESSAGE = 192 };

/* A violation, a read of an unknown value, or the reason of a fault. */
struct tx_finding {
    uint32_t size; /* of this struct in the library's version */
    enum tx_category category;
    enum tx_arch arch;
    uint8_t thread;
    const char *rule; /* id of the evidence entry or erratum with details */
    uint64_t cycle;   /* of the first occurrence */
    /*
     * Number of the instruction, counted from 0 after expansion; a scheduled one has the number of
     * its SFPLOADMACRO.
     */
    uint64_t index;
    uint32_t word;
    uint32_t lanes; /* lanes affected at the first occurrence */
    uint64_t count; /* occurrences of the same rule with the same word */
    /*
     * For hazards between two instructions: number and cycle of the earlier one. Else producer is
     * all ones.
     */
    uint64_t producer, producer_cycle;
    uint32_t producer_word;
    char message[TX_MESSAGE];
    /*
     * Of an instruction that a core of a tile has pushed: 1 + the core (enum tx_core), and its
     * instruction that pushed the word last, or stored it for the MOP Expander. 0: not known.
     */
    uint8_t pusher;
    uint32_t pusher_pc;
};

enum tx_event_kind {
    TX_EVENT_ISSUE,       /* word, thread, row, unit, operands, number */
    TX_EVENT_STALL,       /* word that waits; text = cause, stall = for which instruction */
    TX_EVENT_WRITE_LREG,  /* index, lanes, values[32] after the write */
    TX_EVENT_WRITE_DST,   /* index = physical row, lanes = mask of the 16 columns, values[16] */
    TX_EVENT_WRITE_FLAGS, /* lanes = LaneFlags, values[0] = UseLaneFlagsForLaneEnable */
    TX_EVENT_FINDING,
    TX_EVENT_FAULT,
    TX_EVENT_EXECUTE, /* an instruction scheduled by SFPLOADMACRO executes: word, row, lanes */
    /*
     * A vector instruction, scheduled or not, has read its operands: row, operands, scheduled,
     * lanes that execute it, values[32 * r + lane] = L0..L16 as read. Its results are the WRITE_*
     * events of the same unit with start = this cycle.
     */
    TX_EVENT_COMPUTE,
    /*
     * An unpacker (index: which one) starts to fetch for an instruction, or has written the last of
     * its data: word, row, thread, number, start = cycle in which it began. WRITE_DST events for
     * cells of Dst that it writes come before the end.
     */
    TX_EVENT_PHASE_START,
    TX_EVENT_PHASE_END,
    /*
     * A packer has accepted an instruction: index = which packer. From cycle start on it reads data
     * for as many cycles as lanes says, as far as its timing is known (isa/pack.def).
     */
    TX_EVENT_PACK,
    /*
     * An instruction has arrived at an unpacker, with the same fields as PHASE_START, which follows
     * at once or after its turn has come and its bank is free. mode = the bank it waits for: enum
     * tx_phase_bank.
     */
    TX_EVENT_PHASE_WAIT,
    /*
     * A bank of SrcA or SrcB has changed its owner, or a unit has switched to its other bank. index
     * = 0 SrcA, 1 SrcB; values[4] = the new content of TX_FILE_SRC_BANK; word, row, thread, number:
     * the instruction that did it. Changes by tx_write, tx_restore and tx_reset give no event.
     */
    TX_EVENT_BANK
};

/*
 * The bank of Src that an unpacker's instruction waits for: the next one to fill, or the Matrix
 * Unit's.
 */
enum tx_phase_bank { TX_PHASE_BANK_NONE, TX_PHASE_BANK_OWN, TX_PHASE_BANK_MATRIX };

/* Registers and constants of an instruction, including those that SFPLOADMACRO supplies. */
struct tx_operands {
    uint32_t imm;           /* raw field value */
    uint8_t va, vb, vc, vd; /* LRegs; va of SFPLOADMACRO is the macro's number */
    uint8_t mode, rounding;
};

/* What stalls an instruction: one in its second cycle, for whose result or sub-unit it waits. */
struct tx_stall {
    const struct tx_row *row;
    uint32_t word;
    uint64_t number, start; /* as in its ISSUE event; cycle in which it started */
    uint32_t lregs;  /* LRegs that the interlock waits for; 0: it stalls regardless of registers */
    uint32_t needed; /* those of lregs that row writes and the stalled instruction reads */
};

struct tx_event {
    uint32_t size; /* of this struct in the library's version */
    enum tx_event_kind kind;
    uint8_t thread;
    uint8_t unit;
    uint16_t index;
    uint64_t cycle;
    uint32_t word;
    uint32_t lanes;
    const struct tx_row *row;
    const uint32_t *values;
    const struct tx_finding *finding;
    const char *text;
    /*
     * ISSUE, STALL, EXECUTE, COMPUTE: number of the instruction, counted from 0 in order of issue;
     * a scheduled one has the number of its SFPLOADMACRO. WRITE_*: number of the writer, whose
     * unit, thread and word are given too.
     */
    uint64_t number;
    uint64_t start;    /* WRITE_*: cycle in which the writer started */
    uint16_t address;  /* of loads and stores in WRITE_*, COMPUTE: resolved, see tx_dst_place */
    uint8_t scheduled; /* WRITE_*, COMPUTE: scheduled by SFPLOADMACRO */
    uint8_t mode;      /* COMPUTE of loads and stores: their modifier, 0 already resolved */
    const struct tx_operands *operands; /* ISSUE, STALL, EXECUTE, COMPUTE */
    const struct tx_stall *stall;       /* STALL; NULL where no instruction in flight holds it */
};

struct tx_sink {
    void (*event)(void *user, const struct tx_event *event); /* NULL: nothing is reported */
    void *user;
};

/*
 * A function that is asked at least every TX_WATCH_CYCLES cycles whether a run shall continue, and
 * sooner where cycles do more than usual, such as move a megabyte: so often that its answer is
 * obeyed within a tenth of a second. If it returns false, the run ends with TX_ELIMIT: words not
 * yet issued are dropped, and instructions in progress complete during the next run.
 */
enum { TX_WATCH_CYCLES = 1024 };
struct tx_watch {
    bool (*go_on)(void *user); /* NULL: runs are not watched */
    void *user;
};

/* Default of max_cycles: a minute or two of computing. */
enum { TX_MAX_CYCLES = 100000000 };

/*
 * How long a unit takes for what it does, to find out what the run would take if it were quicker:
 * as on the chip, half as long, or no time. What the unit computes, the order of a thread's words
 * and who waits for whom stay. Words that pass into a unit without time pass in any number per
 * cycle.
 */
enum tx_pace { TX_PACE_REAL, TX_PACE_HALF, TX_PACE_NONE };
enum tx_paced {
    TX_PACED_UNPACK,
    TX_PACED_MATRIX,
    TX_PACED_VECTOR,
    TX_PACED_PACK,
    TX_PACED_CORES, /* the RISC-V cores of a tile; "no time": 16 cycles in each */
    TX_PACED_COUNT
};

struct tx_settings {
    uint32_t size; /* of this struct, set by tx_settings_default */
    enum tx_arch arch;
    enum tx_mode mode;
    /* Value of each switch, by index of tx_rule_at; 0 is the default reading. */
    uint8_t rules[TX_MAX_RULES];
    struct tx_sink sink;
    struct tx_watch watch;
    /* limit for one tx_run, one .init or tile of a kernel; then TX_ELIMIT. 0: none */
    uint64_t max_cycles;
    /*
     * The program has no unpackers: STALLWAIT treats every bank of SrcA and SrcB as ready, so that
     * the math thread of a vector kernel does not wait for data that nothing will deliver.
     * Instructions that read a bank still wait for it. A tx_kernel without words for thread 0 has
     * this set.
     */
    bool src_ready;
    /*
     * Enum tx_pace of each unit, by enum tx_paced. With another pace than TX_PACE_REAL only
     * tx_run, tx_run_threads, tx_step and tiles that keep time run: tx_cycle, gaps and
     * tx_kernel_cycle give TX_EUNSUPPORTED, and a tile without time is not opened.
     */
    uint8_t pace[TX_PACED_COUNT];
    uint8_t reserved[2]; /* zero */
};

TX_API void tx_settings_default_sized(struct tx_settings *settings, size_t size, enum tx_arch arch);
static inline void tx_settings_default(struct tx_settings *settings, enum tx_arch arch)
{
    tx_settings_default_sized(settings, sizeof *settings, arch);
}
/*
 * Sets a rule switch from text, "prng-result=new". TX_ENOENT: no such rule; TX_EINVAL: no such
 * value.
 */
TX_API enum tx_status tx_settings_rule(struct tx_settings *settings, const char *assignment);

/*
 * Sets the pace of a unit from text: unpack, matrix, vector, pack or cores, "=", and real, half or
 * none. TX_ENOENT: no such unit; TX_EINVAL: no such pace.
 */
TX_API enum tx_status tx_settings_pace(struct tx_settings *settings, const char *assignment);

TX_API enum tx_status tx_open(const struct tx_settings *settings, tx_machine **out);
TX_API void tx_close(tx_machine *machine); /* NULL is allowed */
/* Restores the reset state (ruling R4). Settings stay; findings, notes and counters are cleared. */
TX_API void tx_reset(tx_machine *machine);
TX_API enum tx_arch tx_machine_arch(const tx_machine *machine);

/*
 * Presents count words to the front end of one thread (0..2), in order, and runs until all have
 * been issued and all results are written; with count 0 it only waits for results. gaps, if not
 * NULL, has for each word the number of idle cycles before it is presented. Returns TX_FAULT when
 * the machine has stopped, after which nothing runs until tx_reset or tx_restore. TX_EDEADLOCK: see
 * tx_cycle. TX_ELIMIT: max_cycles of the settings was reached, or tx_watch ended the run.
 */
TX_API enum tx_status tx_run(tx_machine *machine, unsigned thread, const uint32_t *words,
                             size_t count);
TX_API enum tx_status tx_run_gaps(tx_machine *machine, unsigned thread, const uint32_t *words,
                                  size_t count, const uint32_t *gaps);
/*
 * Runs one cycle. word NULL: no word is presented. *accepted tells whether the word was taken; one
 * that was not must be presented again (it was stalled, and TX_EVENT_STALL names the cause).
 * TX_EDEADLOCK: it was not accepted, and never will be unless the caller changes something;
 * tx_wait_text in threads.h says why.
 */
TX_API enum tx_status tx_cycle(tx_machine *machine, unsigned thread, const uint32_t *word,
                               bool *accepted);

/* Events since opening or tx_reset. */
struct tx_counters {
    uint64_t cycles;       /* first issue to last completion, both included, summed over runs */
    uint64_t issue_cycles; /* first issue to last issue, both included, summed over runs */
    uint64_t instructions; /* after expansion of REPLAY */
    uint64_t vector_instructions;    /* those of instructions that the Vector Unit executes */
    uint64_t scheduled_instructions; /* executed by SFPLOADMACRO in addition to instructions */
    uint64_t stall_cycles;
};

TX_API void tx_machine_counters_sized(const tx_machine *machine, struct tx_counters *counters,
                                      size_t size);
static inline struct tx_counters tx_machine_counters(const tx_machine *machine)
{
    struct tx_counters counters;
    tx_machine_counters_sized(machine, &counters, sizeof counters);
    return counters;
}

/* What stopped the machine, or NULL. */
TX_API const struct tx_finding *tx_fault(const tx_machine *machine);
/* number of distinct findings that are kept */
TX_API size_t tx_finding_count(const tx_machine *machine);
TX_API const struct tx_finding *tx_finding_at(const tx_machine *machine, size_t index);
TX_API uint64_t tx_finding_dropped(const tx_machine *machine);
/* Clears findings and notes; a fault stays until tx_reset or tx_restore. */
TX_API void tx_findings_clear(tx_machine *machine);
/*
 * Checks what a program leaves behind at its end and records findings (Hazard) for scheduled
 * instructions that still wait for further issues, and for delay kinds armed in Misc that no
 * SFPLOADMACRO used. tx_kernel_tile calls it. Returns TX_FAULT in strict mode where something is
 * left.
 */
TX_API enum tx_status tx_finish(tx_machine *machine);
/*
 * For callers who do the Matrix Unit's work: it writes these rows of Dst, in the view of the loads
 * that follow, just before the next instruction. An SFPLOAD of one of them with fewer than three
 * instructions in between, and without a STALLWAIT for the Matrix Unit, is a finding (E-FPU).
 * TX_EINVAL: rows beyond Dst.
 */
TX_API enum tx_status tx_fpu_wrote(tx_machine *machine, unsigned first_row, unsigned rows);
/* Returns how often the evidence entry with this index was relied on. */
TX_API uint64_t tx_note_count(const tx_machine *machine, size_t evidence_index);

/* Reasons why a number of cycles is only a lower bound, as bits; none: the number is exact. */
enum tx_bound {
    TX_BOUND_UNPACK = 1,   /* an unpacker has worked, whose time is a model */
    TX_BOUND_PACK = 2,     /* a packer has */
    TX_BOUND_NOC = 4,      /* requests over the NoC take no time */
    TX_BOUND_L1 = 8,       /* L1 had several users, which never wait for each other */
    TX_BOUND_UNTIMED = 16, /* no time was kept */
};
/* Returns the reasons that apply to the machine's cycles since it was opened or reset. */
TX_API uint32_t tx_bounds(const tx_machine *machine);
/* Return the name of the reason of bit 0, 1 ..., one word, and what it says; NULL past the last. */
TX_API const char *tx_bound_name(unsigned bit);
TX_API const char *tx_bound_text(unsigned bit);

/* Register files: meaning of the index, and number of 32-bit values per entry. */
enum tx_file {
    TX_FILE_LREG,           /* index 0..16: 32 lanes. L8, L9, L10, L15 cannot be written */
    TX_FILE_LANE_FLAGS,     /* index 0: 1 value, bit per lane */
    TX_FILE_USE_LANE_FLAGS, /* index 0: 1 value, bit per lane */
    TX_FILE_FLAG_STACK,     /* index 0..7, bottom first: 2 values {LaneFlags, UseLaneFlags} */
    TX_FILE_STACK_DEPTH,    /* index 0: 32 lanes, 0..15 (above 8: beyond the contract, R3) */
    TX_FILE_PRNG,           /* index 0: 32 lanes. A write counts as seeding */
    TX_FILE_LANE_CONFIG,    /* index 0: 8 columns */
    TX_FILE_MACRO_TEMPLATE, /* index 0..3: 32 lanes */
    TX_FILE_MACRO_SEQUENCE, /* index 0..3: 32 lanes */
    TX_FILE_MACRO_MISC,     /* index 0: 32 lanes */
    TX_FILE_DST,            /* index 0..1023: 16 cells as stored, low 16 bits of each value */
    TX_FILE_DST_VALID,      /* index 0..1023: 1 value, 0 or 1 */
    TX_FILE_DST_KNOWN,      /* index 0..1023: 1 value, bit per column whose content is known */
    TX_FILE_RWC,            /* index = thread: 9 values, see enum tx_rwc */
    TX_FILE_CONFIG,         /* index = word + 256 * bank: 1 value */
    TX_FILE_THREAD_CONFIG,  /* index = word + 128 * thread: 1 value of 16 bits */
    TX_FILE_GPR,            /* index = register + 64 * thread: 1 value */
    TX_FILE_SHIFT_LATCH,    /* index 0: 32 lanes, Wormhole's leak behind SFPSHFT2 mode 4 */
    TX_FILE_REPLAY,         /* index = slot + 32 * thread: 1 value */
    TX_FILE_SEMAPHORE,      /* index 0..7: 2 values {value, max} */
    TX_FILE_MUTEX,          /* index 0..7: 1 value, 0 free, else 1 + thread that holds it */
    TX_FILE_MOP,            /* index = word + 9 * thread: 1 value of MopCfg */
    TX_FILE_MOP_MASK,       /* index = thread: 1 value, the upper half that MOP_CFG has set */
    TX_FILE_SRC_BANK,       /* index 0 SrcA, 1 SrcB: 4 values {bank of the Matrix Unit, bank of the
                               unpacker, owner of bank 0, owner of bank 1}; owner 0 unpacker, 1
                               Matrix Unit */
    TX_FILE_SRC,        /* index = row + 64 * bank + 128 * (0 SrcA, 1 SrcB): 16 cells of 19 bits as
                           stored: sign, mantissa, exponent */
    TX_FILE_SRC_FORMAT, /* index 0 SrcA, 1 SrcB: 2 values, the implied format of each bank (BH) */
    TX_FILE_ADC,        /* index = unit + 3 * thread, unit 0, 1 the unpackers, 2 the packers: 16
                           values, the address counters {X, Y, Z, W and their Cr twins} of
                           channel 0, then of channel 1 */
    TX_FILE_COUNT
};
enum { TX_ADC_VALUES = 16 };

enum tx_rwc {
    TX_RWC_DST,
    TX_RWC_DST_CR,
    TX_RWC_SRCA,
    TX_RWC_SRCA_CR,
    TX_RWC_SRCB,
    TX_RWC_SRCB_CR,
    TX_RWC_FIDELITY,
    TX_RWC_SP,
    TX_RWC_BIAS,
    TX_RWC_COUNT
};

/*
 * Read and write one entry. count must be the number of values stated for the file; otherwise, or
 * past the last index: TX_EINVAL.
 */
TX_API enum tx_status tx_read(const tx_machine *machine, enum tx_file file, unsigned index,
                              uint32_t *values, size_t count);
TX_API enum tx_status tx_write(tx_machine *machine, enum tx_file file, unsigned index,
                               const uint32_t *values, size_t count);

/*
 * Read and write a configuration field by its vendor's name, as the given thread sees it: its own
 * thread configuration, or of the banked configuration the bank that its CFG_STATE_ID selects.
 * Writing has the side effects of the hardware only: PRNG_SEED_Seed_Val seeds the PRNG.
 * "DBG_FEATURE_DISABLE" is the debug register of that name: bit 11, the only one that can be set,
 * makes 16-bit data in Dst the upper halves of 32-bit ones. TX_ENOENT: no such field; TX_EINVAL:
 * the value is too large.
 */
TX_API enum tx_status tx_config_get(const tx_machine *machine, unsigned thread, const char *name,
                                    uint32_t *value);
TX_API enum tx_status tx_config_set(tx_machine *machine, unsigned thread, const char *name,
                                    uint32_t value);

/* Sets all PRNG lanes as a write of PRNG_SEED_Seed_Val does, but without its waiting time. */
TX_API void tx_prng_seed(tx_machine *machine, uint32_t seed);

/*
 * Save the whole state except findings and counters. It includes L1 where the machine owns it
 * (tx_l1_allocate), which makes the size larger. tx_snapshot_size(NULL) is the size without L1, the
 * same for every machine; a snapshot of that size leaves L1 out. TX_EINVAL: another size.
 */
TX_API size_t tx_snapshot_size(const tx_machine *machine);
TX_API enum tx_status tx_snapshot(const tx_machine *machine, void *buffer, size_t size);
/* TX_EINVAL: not a snapshot of this library version and of the machine's chip. */
TX_API enum tx_status tx_restore(tx_machine *machine, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
