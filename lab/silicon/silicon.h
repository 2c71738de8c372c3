/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of measurements, and the chip that runs their programs. */
#ifndef TXL_SILICON_SILICON_H
#define TXL_SILICON_SILICON_H

#include <tensix/facts.h>
#include <tensix-lab/silicon.h>

#include <tensix/chip.h>

enum { SILICON_SIZES = 11, SILICON_FIRST_SIZE = 64, SILICON_MOST_MASTERS = 256 };
enum { SILICON_MOST_ROWS = 20000, SILICON_MOST_PER = 65536, SILICON_ID = 48, SILICON_CLASS = 96 };
enum { SILICON_MOST_TIMES = 64 };

struct silicon_rect {
    unsigned x, y, w, h;
};
enum silicon_mechanism { SILICON_UNICAST, SILICON_MULTICAST, SILICON_LINKED };

/* One program: who sends what to whom. */
struct silicon_noc {
    enum tx_arch arch;
    bool dram, interleaved, reads, stateful, loopback, minus_master, single;
    bool dynamic, one_bank; /* channels of the NoC; all masters use the first bank */
    /* Masters that are not a rectangle: so many tiles of the whole card. */
    enum silicon_choice { SILICON_RECTANGLE, SILICON_RANDOM, SILICON_CAREFUL } choice;
    unsigned tiles;
    enum silicon_mechanism mechanism;
    unsigned noc, per;
    struct silicon_rect masters, others;
};

struct silicon_row {
    char id[SILICON_ID], name[SILICON_CLASS]; /* name: of its class */
    char why[96];                             /* it cannot be built; "": it can */
    struct silicon_noc noc;
    double measured[SILICON_SIZES];
    uint32_t bytes[SILICON_SIZES];
    unsigned values;
    enum silicon_quantity {
        SILICON_ZONE,          /* cycles of the zone, as a card's program shows it */
        SILICON_LATENCY,       /* without what the zone adds */
        SILICON_HOP,           /* cycles for each hop: of what another row and column add */
        SILICON_BYTES_A_CYCLE, /* of one master */
        SILICON_ALL_BYTES,     /* a cycle, of all masters until the last one ends */
        SILICON_ACCESSES,      /* of L1 in a cycle, as the row's unit says them */
        SILICON_TIME           /* one of the networks' times, which nothing measures alone */
    } quantity;
    enum silicon_l1 {
        SILICON_L1_COPY,   /* the mover, from L1 to L1 */
        SILICON_L1_CLEAR,  /* the mover */
        SILICON_L1_STORES, /* a core's */
        SILICON_L1_CHASE,  /* a core's loads, each of which needs the one before */
        SILICON_L1_LOADS,  /* a core's other loads */
        SILICON_L1_PACK,   /* one packer */
        SILICON_L1_SCALAR, /* the Scalar Unit's stores of 16 bytes */
        SILICON_L1_NOC     /* one network: noc */
    } l1;
    double bits;      /* of an access; 0: the row counts accesses in a cycle */
    const char *time; /* SILICON_TIME: its name */
    bool cycles;      /* the row counts cycles for each access */
    unsigned first;   /* its first value among all */
};

struct txl_silicon {
    struct silicon_row *row;
    unsigned rows;
    struct txl_silicon_value *value;
    unsigned values;
    const char **class;                   /* of each value */
    uint32_t time[2][SILICON_MOST_TIMES]; /* of the networks, by chip, where it was used */
    bool used[2];
};

/* rows.c: reads a file. */
int silicon_read(struct txl_error *err, const char *name, const char *text, size_t size,
                 txl_silicon *s);

/* A chip like the cards behind the rows, which is used again and again. */
struct silicon_chip {
    tx_chip *chip;
    enum tx_arch arch;
    uint32_t width;
};
int silicon_chip_open(struct txl_error *err, enum tx_arch arch, struct silicon_chip *c);
/* Returns the endpoint of a worker in logical coordinates, or UINT32_MAX. */
uint32_t silicon_worker(const struct silicon_chip *c, unsigned x, unsigned y);
/* Returns the endpoint that workers use for a bank, and the address where it begins. */
uint32_t silicon_bank(const struct silicon_chip *c, unsigned noc, unsigned bank, uint32_t *address);
unsigned silicon_banks(enum tx_arch arch);
/* Returns the coordinates by which requests on a NoC name an endpoint. */
uint32_t silicon_name(const struct silicon_chip *c, unsigned noc, uint32_t index);

/* What a run took, over its masters. */
struct silicon_took {
    double median, last;
};
/* noc_program.c: the cycles that the transactions of a row take. */
int silicon_run(struct txl_error *err, struct silicon_chip *c, const struct silicon_noc *row,
                uint32_t bytes, unsigned packets, struct silicon_took *took);
/* figures.c: finds the program of a figure. Returns false where it is not known. */
bool silicon_figure(const char *what, const char *unit, enum tx_arch arch, struct silicon_row *r);
/* l1_program.c: the accesses of L1 that its only user makes in a cycle; not for SILICON_L1_NOC. */
int silicon_l1_run(struct txl_error *err, enum tx_arch arch, enum silicon_l1 kind, double *rate);

/* Which of the two cards with public measurements: 0 an n150, 1 a p150. */
static inline unsigned silicon_card(enum tx_arch arch)
{
    return arch == TX_BLACKHOLE;
}

#endif
