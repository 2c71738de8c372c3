/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "order": determines, over a whole chip, which accesses a program orders and which only the
 * timing of this run did. Source: spec/order-chip.md; the names of its rules (C2, N6, S2, B4 ...)
 * stand at what carries them out. It may use base, kernel, run, tile and race.
 *
 * An actor is a component of vector clocks: a core, the arrival of a core's stores, a class of
 * requests of one network interface, a way of requests to one place. Events of an actor have rising
 * serial numbers, and to know one is to know those before it. A request enters the shadow when it
 * starts: who may be unordered with it does not depend on when this run moved its bytes.
 */
#ifndef LAB_ORDER_ORDER_H
#define LAB_ORDER_ORDER_H

#include <tensix/facts.h>
#include <tensix-lab/order.h>
#include <tensix/chip_order.h>
#include <tensix/order.h>

#include "base/hash.h"
#include "base/memory.h"
#include "tile/tile_program.h"

enum {
    ORDER_TILES = 256,
    ORDER_CORES = 8, /* of a tile: enum tx_core, and then the coprocessor's threads */
    ORDER_IDS = 16,
    ORDER_EXTRA = 6,
    ORDER_FLIGHTS = 1024,
    ORDER_RECENT = 16,
    ORDER_PAST = 32,
    ORDER_WAITS = 1024,
    ORDER_EXAMPLES = 32,
    ORDER_NONE = 0xFFFFFFFFu,
    ORDER_HOST = ORDER_TILES * ORDER_CORES, /* the host, where the number of a core is meant */
    ORDER_DRAM = ORDER_TILES                /* memories beyond those of tiles: banks of DRAM */
};

/* ---- vec.c: sparse vector clocks, shared and never changed ---- */

struct order_pair {
    uint32_t actor, at;
};
struct order_vec {
    uint32_t refs, count;
    struct order_vec *base; /* knows what no pair here tells, and has no base itself; or NULL */
    struct order_pair pair[];
};
struct order_vec *order_vec_ref(struct order_vec *v);
void order_vec_unref(struct order_vec *v);
uint32_t order_vec_get(const struct order_vec *v, uint32_t actor);
/* Return a new reference to what both know, or to v and one pair more; NULL knows nothing. */
struct order_vec *order_vec_join(const struct order_vec *a, const struct order_vec *b);
struct order_vec *order_vec_with(struct order_vec *v, uint32_t actor, uint32_t at);
/* Replaces *v by what both know. */
void order_vec_learn(struct order_vec **v, const struct order_vec *more);
void order_vec_learn_one(struct order_vec **v, uint32_t actor, uint32_t at);

/* What an event comes after: a vector and some pairs more. */
struct order_view {
    struct order_vec *v;
    struct order_pair extra[ORDER_EXTRA];
    unsigned extras;
};
uint32_t order_view_get(const struct order_view *view, uint32_t actor);
static inline void order_view_add(struct order_view *view, uint32_t actor, uint32_t at)
{
    if (view->extras < ORDER_EXTRA) {
        view->extra[view->extras++] = (struct order_pair){actor, at};
    }
}
/* Returns a new reference to a vector that knows what the view knows. */
struct order_vec *order_view_vec(const struct order_view *view);

/* ---- shadow.c: who touched which bytes ---- */

enum order_type {
    ORDER_LOAD,    /* a core, or a unit of the coprocessor */
    ORDER_STORE,   /* a core's store arrives */
    ORDER_SOURCE,  /* a write request reads its source */
    ORDER_TARGET,  /* a read request reads */
    ORDER_FETCHED, /* a read request's data arrive */
    ORDER_WRITTEN, /* a write request writes */
    ORDER_ATOMIC,
    ORDER_HOSTED, /* the host writes */
    ORDER_HOST_READS
};
static inline bool order_writes(uint8_t type)
{
    return type == ORDER_STORE || (type >= ORDER_FETCHED && type <= ORDER_HOSTED);
}

/* An event as the shadow and the words keep it. */
struct order_event {
    uint8_t type;
    bool zero;     /* a store of 0 */
    bool updates;  /* a store behind a load of the same word by the same core */
    uint32_t core; /* who issued it */
    uint32_t site;
    uint32_t issue;   /* serial of the core at its issue */
    uint32_t request; /* number of the request, or 0 */
    /* It is known to whoever knows one of these. */
    struct order_pair known[3];
    uint32_t way;   /* of a write: the way that it takes */
    uint32_t cycle; /* in which it was issued, its lower bits */
};
/* One event, which all lines of its access share. */
struct order_kept {
    struct order_event e;
    uint32_t uses; /* cells that have it; of a free one the next free one */
};
struct order_cell {
    uint32_t event; /* index of what is kept */
    uint32_t next;
    uint16_t mask;
};

/* ---- words that are waited for ---- */

struct order_change {
    struct order_event e;
    struct order_vec *v;    /* what its writer knew, itself included */
    uint32_t value, before; /* of the word afterwards, and before */
};
struct order_exact { /* a wait for an exact value that has ended */
    uint32_t core, at, site, value, mask, taken, cycle;
};
enum { ORDER_CHANGES = 128, ORDER_READERS = 8, ORDER_EXACTS = 16 };
struct order_reader {
    uint32_t core;
    uint32_t taken;   /* so many changes have been made for what it waits for */
    uint32_t learned; /* so many are known to it from its waits */
};
struct order_word {
    uint64_t key;
    struct order_change *change;
    uint32_t count, room, dropped;
    struct order_vec *base; /* of the changes dropped */
    uint32_t first;         /* value before all changes */
    bool waited, atomic;
    struct order_reader reader[ORDER_READERS];
    struct order_exact *exact; /* ORDER_EXACTS of them, once there is one */
    unsigned exacts;
};

/* ---- cores ---- */

enum { ORDER_LOOP = 24 };
struct order_code {
    uint32_t pc, first;      /* where the loop begins */
    uint32_t at[ORDER_LOOP]; /* its instructions */
    uint32_t count, epoch;
    bool waits, uses, drops; /* drops: the loop has a fence or an atomic */
    bool keeps;              /* what follows the loop goes by the value that ended it */
    bool decides;            /* outside such a loop: a branch close behind goes by the value */
};
struct order_poll { /* a load that decides: how often it has got the same from the same word */
    uint32_t pc, word, value, same;
};
enum { ORDER_POLLS = 256 };
enum { ORDER_CODES = 128, ORDER_LINES = 4, ORDER_LAST_SITES = 64, ORDER_GIVERS = 16 };

struct order_core {
    uint32_t number; /* endpoint * ORDER_CORES + core */
    uint32_t actor, at;
    uint32_t store_actor, stores, arrived;
    struct order_vec *known, *start;
    struct order_code code[ORDER_CODES];
    struct order_poll poll[ORDER_POLLS]; /* from the place of the pc on */
    bool live, letters;
    uint32_t started;  /* which event of its tile its start was */
    uint32_t began;    /* the cycle of it */
    uint32_t begun;    /* the cycle in which it last left a wait of its firmware */
    uint32_t polled;   /* the cycle in which it last asked for a word and got what it had */
    uint64_t executed; /* instructions at the last look whether all is still */
    struct {
        uint32_t pc, from, value;
        uint64_t key;
    } giver[ORDER_GIVERS]; /* who gave what the wait there ended by; what it asks for */
    /* what it will know for certain after so many instructions, of an unused load (C4) */
    struct order_vec *later;
    uint64_t later_at;
    uint32_t later_arrived;
    /* what it waits for at present */
    struct {
        bool on;
        uint32_t pc, site, value;
        uint64_t key;
    } wait;
    bool has_needs;
    uint32_t needs;                 /* the next value that would let it go on, when all hangs */
    uint32_t end_site, end_address; /* where it stands, and what it accesses, when all hangs */
    bool gated;                     /* the coprocessor's thread that it feeds waits at its gate */
    char *gives; /* who has to give what it waits for, as text; NULL: nothing is known */
    /* the last store, which a load right behind it looks for (C3) */
    struct {
        uint32_t address;
        uint64_t number;
    } stored;
    /* the last load of a word that was no wait, for updates (K8) */
    struct {
        uint64_t key;
        uint32_t site;
        uint64_t number;
    } loaded;
    uint32_t program; /* index + 1 of the program that it runs */
    struct {
        uint32_t pc, caller, site, epoch; /* site + 1; 0: none */
    } last_site[ORDER_LAST_SITES];
    uint32_t lines[ORDER_LINES];
    unsigned line_next;
    /* requests whose end the kernel has not proven: last serial and site by NoC, class and id */
    struct {
        uint32_t serial, actor;
    } open[2][4][ORDER_IDS];
    uint32_t open_site[2][4];
    /* what it knew at earlier serials, for words that are waited for later only */
    struct {
        uint32_t at;
        struct order_vec *v;
    } past[ORDER_PAST];
    unsigned pasts;
    uint32_t issued[2][ORDER_IDS]; /* since the last proof by the counter of the id (K21) */
};
enum order_class { ORDER_READS, ORDER_ACKED, ORDER_POSTED, ORDER_ATOMICS };

/* ---- requests ---- */

struct order_request {
    uint32_t refs, next;
    uint32_t core, site, issue;
    uint32_t left, acts, answers; /* packets that have yet to leave, to act, to be answered */
    uint32_t from, sequence;
    uint8_t noc, kind, id, class;
    bool answered, is_inline, used, has_word;
    uint32_t word; /* of L1 that it takes along, where it is one */
    uint64_t length;
    struct order_pair read, done;  /* what tells that its source is read, that it is done */
    struct order_pair own, before; /* itself on its way, and what it came after there */
    struct order_vec *go;
    struct order_way *way;
};

/* Requests of an interface to one place (or rectangle) over one channel. */
struct order_way {
    uint64_t key[2];
    uint32_t from, receiver;
    uint32_t write_actor, writes, atomic_actor, atomics;
    uint32_t core; /* who used it last */
    struct {
        uint32_t sequence, serial;
    } recent[ORDER_RECENT]; /* serials of the last writes, by their numbers at the interface */
    struct order_vec *acc;  /* what all who used it knew */
};

enum { ORDER_LATE = 64 };
struct order_niu {
    /* actors and serials: reads, acknowledged writes, sources of both kinds of writes, atomics */
    struct order_pair reads[ORDER_IDS], acked[ORDER_IDS], sent[2][ORDER_IDS], atomics;
    uint32_t out_reads, out_acked, out_sent[2], out_atomics;
    uint32_t out_id[ORDER_IDS], out_source[ORDER_IDS];
    /* the last writes of both kinds, in their order: packets issued with each, and its source */
    struct {
        uint32_t packets;
        struct order_pair source;
    } late[2][ORDER_LATE];
    uint32_t issued[2], lates[2];
    struct {
        bool open;
        uint32_t rectangle, core, site;
    } link;
    struct {
        bool unseen;
        uint32_t core;   /* who started its last request */
        uint32_t filler; /* who has filled in its fields since, number + 1 */
        uint32_t filled; /* at which of its serials */
        unsigned mixed;  /* so many requests may have fields of two cores */
        struct order_pair read, done;
    } initiator[4];
    uint32_t writer, writer_site, writer_issue; /* the last core with an acknowledged write */
    bool has_writer;
    bool shared; /* two cores count its acknowledgements */
    bool lost;   /* a request has led nowhere: its answer never comes */
    /* what the acknowledged writes and the atomics came behind on their ways (N6) */
    struct order_vec *behind[2];
    /* the last multicast and the last request, for barriers that cannot come true */
    uint32_t many_site, last_site;
    bool had_many;
    uint32_t flight[ORDER_FLIGHTS]; /* requests under way, by their numbers */
};

/* ---- circular buffers ---- */

struct order_buffer {
    struct order_buffer *next; /* of its tile */
    uint32_t tile, id, base, pages, size;
    uint32_t received, acked; /* addresses of the stream's registers */
    uint32_t count[2];        /* of pops and of pushes, as they were stored last */
    uint32_t pushed, popped;
    uint32_t reserved, waited;
    uint32_t producer, consumer; /* numbers of cores, or ORDER_NONE */
    struct {
        uint32_t core, site;
        bool write, outside;
    } early[32]; /* accesses of cores whose part is not known yet */
    unsigned earlies;
};

/* ---- findings ---- */

/* What of a run a delay can be given to, so that an event comes later. */
enum order_step { ORDER_NO_STEP, ORDER_STANDS, ORDER_LEAVES_LATE, ORDER_ACTS_LATE, ORDER_ANSWERED };
struct order_ref {
    uint8_t step, noc;
    uint32_t core;     /* number of the core that issued it */
    uint32_t receiver; /* endpoint that the request acts at */
    uint64_t number;   /* of the request at its interface; of a core: the cycle */
};
struct order_found {
    uint8_t kind; /* enum txl_order_kind */
    unsigned sites;
    uint32_t site[TXL_ORDER_SITES];
    uint64_t times;
    uint32_t memory;
    uint64_t address, cycle;
    const char *why;
    unsigned more; /* other places that the same lack shows at */
    bool dropped, known;
    struct order_ref ref[2];
    char *delays, *witness; /* the delay that shows it, and what it changes; to be freed */
    unsigned tried;
    uint32_t test; /* index + 1 of the test that ran; 0: none */
};
/* A conflict, which gets its kind when all waited words are known. */
struct order_conflict {
    uint8_t type[2];
    bool knows_issue, knew_request, own, zero[2], updates, letter;
    uint32_t site[2], core[2];
    uint32_t memory;
    uint64_t address[ORDER_EXAMPLES];
    unsigned addresses;
    bool more; /* at further addresses, too */
    uint64_t times, cycle;
    struct order_ref ref[2];
    uint32_t test;
};

struct order_site {
    uint32_t core, pc, caller, program;
    uint32_t text, caller_text; /* indices of texts + 1; 0: not kept */
    struct txl_order_site *place;
};
struct order_program {
    struct tile_program p;
    char *path; /* of one that was found; to be freed */
};
/* The instructions around a place, and where a file has them. */
enum { ORDER_TEXT = 32, ORDER_TEXT_BEFORE = 12 };
struct order_text {
    uint32_t word[ORDER_TEXT];
    uint32_t path, address; /* index of the program + 1, 0: not found; the address there */
    uint8_t alike;          /* so many instructions are the same */
    bool wanted;
};
/* Memory that may hold programs; a site is looked up anew where its page has been written. */
enum { ORDER_CODE_END = 1 << 21, ORDER_CODE_PAGE = 1 << 10 };
struct order_memory; /* shadow.c */

struct order_tile {
    struct txl_order *o;
    uint32_t index;
    tx_tensix *tile;
    uint32_t events; /* that its cores have told */
};

struct txl_order {
    struct txl_order_options options;
    tx_chip *chip;
    enum tx_arch arch;
    bool documented, failed;
    const char *(*test)(void *user); /* of the options */
    void *user;
    uint32_t width;
    uint32_t niu_first, niu_bytes, stream_first, stream_end; /* registers of a tile */
    uint32_t stream_bytes, stream_update, stream_available;
    struct order_memo *memo; /* what instructions are, and what loads are for */
    uint64_t cycle;
    uint32_t actors; /* number of actors in use */
    struct order_tile tile[ORDER_TILES];
    struct order_core *core[ORDER_TILES * ORDER_CORES];
    struct order_memory *memory[ORDER_TILES + 16];
    uint32_t bank[ORDER_TILES];
    uint8_t kind[ORDER_TILES]; /* enum tx_chip_kind of the endpoints */
    bool off[ORDER_TILES];
    struct order_cell *cells;
    uint32_t cell_count, cell_room, cell_free;
    struct order_kept *kept;
    uint32_t kept_count, kept_room, kept_free;
    struct order_word **words;
    size_t word_count, word_room;
    struct hash word_of; /* the number of each in the list, from 1, as in the other tables */
    struct order_niu *niu[ORDER_TILES][2];
    struct order_request *requests;
    uint32_t request_count, request_room, request_free;
    struct order_way **ways;
    size_t way_count, way_room;
    struct order_site *sites;
    size_t site_count, site_room;
    struct hash way_of, site_of, text_of, conflict_of;
    char *folders; /* with ELF files of programs that nobody names; NULL: none */
    bool ended;    /* the files have been looked for */
    struct order_text *text;
    size_t texts, text_room;
    uint32_t code_epoch[ORDER_TILES];
    uint32_t code_page[ORDER_TILES][ORDER_CODE_END / ORDER_CODE_PAGE / 32];
    struct order_buffer *buffer_of[ORDER_TILES]; /* the last one that was given */
    struct order_area {
        struct order_area *next; /* of its memory */
        uint64_t address, bytes;
    } * area_of[ORDER_TILES + 16]; /* by memory, the last that was given */
    struct order_program program[TXL_ORDER_PROGRAMS];
    unsigned programs;
    uint32_t host_actor, host_at;
    struct order_vec *host;
    struct {
        struct order_vec *v[16];
        unsigned first, count;
    } * letters; /* of mailboxes: by tile, sender and receiver */
    struct order_conflict *conflict;
    size_t conflicts, conflict_room;
    struct order_found *found;
    size_t founds, found_room;
    bool hung;
    uint64_t moves; /* events of cores but waits, and what the host wrote, for still.c */
    uint32_t looks; /* of the host since one of these */
    uint64_t work, looked;
    uint32_t now;
    bool told_still;
    uint32_t waits[ORDER_WAITS]; /* numbers of cores that wait for ever */
    unsigned wait_count;
    struct txl_order_found result;
    struct txl_order_wait wait;
    char **tests; /* names of tests in which something was found */
    uint32_t test_count;
    struct order_units *units[ORDER_TILES]; /* units.c */
    /* Of an order that was read (order_read.c), in place of found and waits. */
    bool is_read;
    struct txl_order_found *read;
    struct txl_order_wait *read_wait;
    size_t reads, read_waits;
    struct order_string {
        struct order_string *next;
        char text[];
    } * strings;
    char *different; /* what the delays of the run have changed; NULL: it had none */
};

/* order.c */
uint32_t order_actor(struct txl_order *o);
struct order_core *order_core(struct txl_order *o, uint32_t tile, unsigned core);
/* The number of the memory that an endpoint's addresses are in. */
static inline uint32_t order_memory_of(const struct txl_order *o, uint32_t endpoint)
{
    return o->bank[endpoint] != 0 ? ORDER_DRAM + o->bank[endpoint] - 1 : endpoint;
}
static inline bool order_is_dram(uint32_t memory)
{
    return memory >= ORDER_DRAM;
}
uint32_t order_site(struct txl_order *o, struct order_core *core, uint32_t pc);
uint32_t order_register(const struct txl_order *o, uint32_t core, unsigned x);
/* Returns where the registers of a tile's network interface begin. */
static inline uint32_t order_niu_at(const struct txl_order *o, unsigned noc)
{
    return o->niu_first + noc * o->niu_bytes;
}

static inline bool order_is_stream(const struct txl_order *o, uint64_t address)
{
    return address >= o->stream_first && address < o->stream_end;
}

/*
 * The register that a store changes: what goes to a stream's update register is added to the count
 * that is loaded elsewhere (isa/overlay.def).
 */
static inline uint64_t order_changes(const struct txl_order *o, uint64_t address)
{
    const uint64_t offset = address - o->stream_first;
    const uint64_t in = order_is_stream(o, address) ? offset % o->stream_bytes : 0;
    return in != 0 && in == o->stream_update ? address - in + o->stream_available : address;
}

bool order_peek(const struct txl_order *o, uint32_t memory, uint64_t address, uint32_t *value);

/* An instruction of a core, given by its number. Returns false where there is none. */
bool order_fetch(const struct txl_order *o, uint32_t core, uint32_t pc, struct tx_core_decoded *d);

/* found.c */
/* Memory has been written that may hold code. */
void order_code_changed(struct txl_order *o, uint32_t tile, uint64_t address, uint64_t bytes);
void order_code_used(struct txl_order *o, uint32_t tile, uint32_t pc);
/* The index + 1 of the text around an instruction; 0: there is none. */
uint32_t order_text_at(struct txl_order *o, uint32_t core, uint32_t pc);
/* Looks for the files of all that has been found. */
void order_find_files(struct txl_order *o);

/* shadow.c */
enum { ORDER_LINE = 16 };
/* Compares an event with those before it on these bytes, and remembers it. */
void order_shadow_access(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes,
                         const struct order_event *e, const struct order_view *view);
/* Bytes that somebody wrote before the run; and whether somebody has written all of them. */
void order_shadow_given(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes);
bool order_shadow_written(const struct txl_order *o, uint32_t memory, uint64_t address,
                          uint64_t bytes);
/* Returns the serial of the core's last store to any of the bytes; 0: none. */
uint32_t order_shadow_own_store(const struct txl_order *o, uint32_t memory, uint64_t address,
                                uint32_t bytes, const struct order_core *core);
/* Joins what all writers of the bytes knew, as far as the shadow keeps it. */
void order_shadow_learn(struct txl_order *o, uint32_t memory, uint64_t address, uint64_t bytes,
                        struct order_vec **v);
/*
 * What the last writer of a word knew, as far as it is kept; of a longer packet, its start only
 * (N3). A new reference.
 */
struct order_vec *order_shadow_last(struct txl_order *o, uint32_t memory, uint64_t address);
/* In which cycle a word was written last. Returns false where the shadow does not keep it. */
bool order_shadow_writer(const struct txl_order *o, uint32_t memory, uint64_t address,
                         uint32_t *cycle);
bool order_knows(const struct order_view *view, const struct order_event *e);
/* Calls for each page of 4096 bytes that was touched. */
void order_shadow_pages(const struct txl_order *o,
                        void (*page)(void *user, uint32_t memory, uint64_t address), void *user);
void order_shadow_close(struct txl_order *o);

/* word.c */
struct order_word *order_word_of(struct txl_order *o, uint64_t key); /* NULL: none */
struct order_word *order_word_at(struct txl_order *o, uint32_t memory, uint64_t address, bool make);
void order_word_change(struct txl_order *o, struct order_word *w, const struct order_event *e,
                       struct order_vec *v, uint32_t value);
/* A core has left a loop that waits for the word. */
void order_word_taken(struct txl_order *o, struct order_word *w, struct order_core *core,
                      uint32_t pc, uint32_t address);
/* The host has read the word: it learns what those knew who made it what it is. */
void order_word_seen(const struct order_word *w, struct order_vec **v);
void order_word_hung(struct txl_order *o, struct order_core *core);
void order_word_close(struct txl_order *o);

/* loop.c: whether a load is one of a loop that waits; fills in the loop. */
bool order_loop(const struct txl_order *o, uint32_t core, uint32_t pc, struct order_code *code);

/* code.c */
const struct order_code *order_code_at(struct txl_order *o, struct order_core *core, uint32_t pc);
bool order_code_copies(const struct txl_order *o, const struct order_core *core, uint32_t pc);
/*
 * A load outside a loop that only waits. Returns whether it polls: it got the same from the same
 * word again and again, and a branch goes by that, in a loop that does more. *fresh: now it got
 * another value.
 */
bool order_code_polls(struct order_core *core, uint32_t pc, uint32_t address, uint32_t value,
                      bool *fresh);
/* Whether the load has done so before. */
bool order_code_polled(const struct order_core *core, uint32_t pc, uint64_t address);
/*
 * What a loop does when a load of it gets other values than it got: up to two of them. *to, unless
 * NULL, becomes where it leaves to.
 */
enum order_exit { ORDER_STAYS, ORDER_LEAVES, ORDER_UNKNOWN };
struct order_guess {
    uint32_t address, value;
};
enum order_exit order_code_exit(struct txl_order *o, const struct order_core *core,
                                const struct order_code *code, const struct order_guess *guess,
                                unsigned guesses, uint32_t *to);

/* The first address of registers: what is below is memory. */
#define ORDER_MMIO (255u << 24)
/* core.c */
/* What the core knew at one of its serials, as far as it is kept; a new reference. */
struct order_vec *order_core_then(const struct order_core *core, uint32_t at);
bool order_caches(const struct txl_order *o, const struct order_core *core);
void order_core_order(void *user, const struct tx_order *order);
void order_core_register(struct txl_order *o, const struct tx_chip_order *order);
struct order_view order_core_view(const struct order_core *core);
struct order_vec *order_core_stamp(const struct txl_order *o, const struct order_core *core,
                                   bool stores);
void order_core_next(struct txl_order *o, struct order_core *core, uint64_t number);
/* The host has put cores of a tile into reset: what they have done is before what it does. */
void order_core_held(struct txl_order *o, uint32_t tile);
/* Programs of cores at ebreak have ended; with rests, those in a jump to itself, too. */
void order_core_ends(struct txl_order *o, bool rests);

/* noc.c */
struct order_niu *order_niu_of(struct txl_order *o, uint32_t tile, unsigned noc);
/* The way of a request to one of its receivers; NULL: nothing orders it (N6). */
struct order_way *order_way_of(struct txl_order *o, const struct tx_chip_transfer *t,
                               uint32_t receiver);
/* A request that is under way, and its number; NULL: it is not known. */
struct order_request *order_under_way(struct txl_order *o, const struct tx_chip_transfer *t,
                                      uint32_t *number);
/* To be called after each step of it. */
void order_land(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t number);
void order_go(struct txl_order *o, const struct tx_chip_order *order);
void order_noc_order(struct txl_order *o, const struct tx_chip_order *order);
void order_noc_counter(struct txl_order *o, struct order_core *core, unsigned noc, uint32_t offset,
                       uint32_t value, uint32_t pc);
void order_noc_field(struct txl_order *o, struct order_core *core, unsigned noc, uint32_t offset,
                     uint32_t pc);
/* Whether a core that waits at a counter of its interface can never go on; then it is reported. */
bool order_noc_mismatch(struct txl_order *o, const struct order_core *core);
void order_noc_exit(struct txl_order *o, struct order_core *core);
void order_request_use(struct txl_order *o, uint32_t request);
void order_request_drop(struct txl_order *o, uint32_t request);
void order_noc_close(struct txl_order *o);

/* extent.c: whether a request goes beyond the object or the circular buffer that it begins in. */
void order_extent_check(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t site);

/* buffer.c */
void order_buffer_access(struct txl_order *o, const struct order_core *core, uint32_t address,
                         uint64_t bytes, bool write, uint32_t site);
void order_buffer_store(struct txl_order *o, const struct order_core *core, uint32_t address,
                        uint32_t value);
/* The host has written to registers of a tile. */
void order_buffer_given(struct txl_order *o, uint32_t tile);
void order_buffer_taken(struct txl_order *o, const struct order_core *core,
                        const struct order_code *code, uint32_t address);
/* Whether the loop that a core is in waits for room in a buffer, and not for pages. */
bool order_buffer_wants_room(struct txl_order *o, const struct order_core *core,
                             const struct order_buffer *b);

/* units.c: what orders the threads of a tile's coprocessor. */
void order_units_order(struct txl_order *o, struct order_core *core, const struct tx_order *t);
void order_units_semaphore(struct txl_order *o, const struct order_core *core, unsigned index,
                           bool post);
void order_units_close(struct txl_order *o);

/* waits.c: keeps who has to give what a core waits for, while the chip is there. */
void order_wait_tell(struct txl_order *o, struct order_core *core);

/* still.c */
/* Whether a program was loaded while its core ran. */
bool order_is_kernel(const struct txl_order *o, const struct order_core *core, uint32_t pc);
/* A core asks for a word in such a loop, and has got another answer there before, or none. */
void order_still_asks(struct txl_order *o, struct order_core *core, uint32_t pc, uint64_t key,
                      uint32_t value);
/* A core has left a loop in which it waits for the word. */
void order_still_left(struct txl_order *o, struct order_core *core, const struct order_word *w);

/* order_args.c: TXL_CONTINUE, or an error */
struct order_program_text {
    uint32_t x, y, launch;
    enum tx_core core;
    const char *path;
};
struct order_words {
    uint32_t x, y, count, value;
    uint64_t address;
};
int order_program_read(struct txl_error *err, const char *text, struct order_program_text *p);
int order_words_read(struct txl_error *err, const char *text, struct order_words *w);
int order_area_read(struct txl_error *err, const char *text, struct order_words *w);
int order_buffer_read(struct txl_error *err, const char *text, struct order_words *w,
                      struct txl_order_buffer *b);

/* witness.c */
/*
 * Says what ends differently in another run of what was watched: a text to be freed, NULL: nothing
 * does. a is the chip of the watched run; ends: the other run has ended.
 */
char *order_difference(const struct txl_order *o, tx_chip *a, tx_chip *b, bool ends);

/* order_ci.c: writes a finding's kind and sites: "source-reuse\ta.c:5\ta.c:9". */
enum { ORDER_LINE_MOST = 160 * (TXL_ORDER_SITES + 1) };
void order_line(const struct txl_order_found *f, char text[ORDER_LINE_MOST]);

/* report.c */
/* What can be delayed so that an event comes later. */
struct order_ref order_ref_of(const struct txl_order *o, const struct order_event *e,
                              uint32_t memory);
void order_conflict(struct txl_order *o, const struct order_event *x, const struct order_event *y,
                    const struct order_view *view, uint32_t memory, uint64_t address);
void order_find(struct txl_order *o, enum txl_order_kind kind, const uint32_t *site, unsigned sites,
                const char *why);
static inline void order_find_one(struct txl_order *o, enum txl_order_kind kind, uint32_t site,
                                  const char *why)
{
    order_find(o, kind, (uint32_t[]){site, site}, 2, why);
}
/* Tells whether a site comes behind another one in the source, by file and line. */
bool order_after(struct txl_order *o, uint32_t a, uint32_t b);
void order_judge(struct txl_order *o);
void order_hang(struct txl_order *o);
/* Adds a core to the table of those who wait. Returns the site of its wait. */
uint32_t order_hang_row(struct txl_order *o, struct order_core *core);
void order_place(struct txl_order *o, uint32_t site, struct txl_order_site *to);

#endif
