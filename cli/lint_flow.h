/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as one linear stream, REPLAY expanded, and its run with every finding of every place.
 * Shared by lint and expand.
 */
#ifndef CLI_LINT_FLOW_H
#define CLI_LINT_FLOW_H

#include "cli.h"

enum { FLOW_FOUND = 512, FLOW_NOWHERE = 0xFFFFFFFF, FLOW_RULE = 16 };

/* Where a word stands in its source. */
struct flow_site {
    uint32_t word;
    const char *file; /* of .loc, or NULL: the program's own */
    uint32_t line;    /* 0: none */
    uint32_t offset;  /* in the section, or bytes from the start of the function */
    unsigned section;
    size_t start;    /* first word of the stream that it, or the replay it starts, gave */
    bool near_macro; /* met with an SFPLOADMACRO among the twelve instructions before it */
    bool issued;
};

struct flow_word {
    uint32_t word, site;
    bool idle; /* a cycle in which nothing reaches the back end: a recording without execution */
    bool fpu;  /* stands for an instruction of the Matrix Unit that writes Dst */
};

/* The replay buffer, and a recording under way. Slots never recorded are left out. */
struct flow_replay {
    struct flow_word slot[32];
    uint32_t recorded; /* bit per slot */
    unsigned at, left;
    bool execute;
};

struct flow {
    enum tx_arch arch;
    struct flow_replay replay;
    enum tx_dst_format dst;           /* TX_DST_UNSET: what the program says */
    const struct tx_program *program; /* configuration, formats; NULL: bare words */
    struct flow_word *words;
    size_t count, room;
    size_t tile; /* first word of .tile */
    struct flow_site *sites;
    size_t site_count, site_room;
    uint32_t *issued; /* site of each instruction of the last run, in order of issue */
    size_t issued_count, issued_room;
    uint64_t skipped; /* words of units that are not modelled */
};

struct flow_found {
    struct tx_finding finding;
    uint32_t site;                  /* of the instruction that found itself wrong */
    uint32_t producer;              /* FLOW_NOWHERE where the rule has none */
    uint64_t cycle, producer_cycle; /* cycle: of the last occurrence */
    uint64_t count;
    bool cured; /* one SFPNOP in front ends it */
};

struct live {
    uint32_t site;
    uint64_t cycle;
};

/* What one run is asked and answers. */
struct flow_run {
    const bool *removed;  /* by site, or NULL */
    uint32_t insert;      /* an SFPNOP before every word of this site; FLOW_NOWHERE: none */
    uint32_t insert_word; /* the SFPNOP */
    uint64_t seed;

    struct flow_found found[FLOW_FOUND];
    size_t count;
    uint64_t cycles, digest;
    bool stopped;

    tx_machine *machine;
    struct flow *flow;
    uint32_t site;
    uint64_t since_launch;
    bool configured;       /* SFPCONFIG, and no SFPLOADMACRO since */
    uint32_t gap_nops[16]; /* SFPNOPs between the two: the vendor asks for one (R2) */
    unsigned gap_count;
    /* Bits per register of L0..L3 and L4..L7: written by the program; of a transposed group. */
    uint8_t defined[2], turned[2];
    /* L0..L3: written and not read since; overwritten by SFPSHFT2 unread, or by what nobody wrote
     */
    uint8_t unread, lost, stray;
    struct live turner, shifter; /* the last SFPTRANSP, the last SFPSHFT2 of modes 0..2 */
};

/* false: out of memory, or longer than a run can be. */
bool flow_build(struct flow *flow, const struct tx_program *program);
bool flow_add_words(struct flow *flow, const uint32_t *words, const uint32_t *lines, size_t count,
                    unsigned section, uint32_t step);
void flow_free(struct flow *flow);

/* Runs with data made from seed. TX_OK also where the machine stopped: that is a finding. */
enum tx_status flow_run(struct flow *flow, struct flow_run *run);
struct flow_found *flow_add(struct flow_run *run, const struct tx_finding *finding, uint32_t site);
uint32_t flow_nop(enum tx_arch arch);

/* Random and special patterns of a format, for one tile. */
void flow_data(enum tx_dst_format format, uint64_t *state, uint32_t values[TX_TILE_ELEMENTS]);
uint64_t flow_random(uint64_t *state);

/* lint_live.c: one issued instruction; registers that SFPTRANSP and SFPSHFT2 did not name. */
void live_check(struct flow_run *run, const struct tx_event *event);

#endif
