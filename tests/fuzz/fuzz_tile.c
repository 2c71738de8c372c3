/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any program and any use of a tile: random RISC-V words, words of the coprocessor, stores to
 * registers and requests to the NoC, through the library, through the door and through gdb. Nothing
 * may be read or written out of bounds, no shift or sum may be undefined, and no call may take
 * long: a watchdog looks at the processor's time, and tx_watch must be asked.
 *
 * The input's bytes choose, then numbers made from them. A session of sequences uses one tile,
 * which then goes back to a snapshot: what fails only behind others is met again by -seed and
 * -runs.
 */
#define _GNU_SOURCE
#include <tensix-lab/gdb.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum {
    SESSION = 128,
    DOOR_TILES = 70, /* columns 1 to 7, rows 2 to 11 */
    OPERATIONS = 8,
    WORDS = 12,
    CYCLES = 48,
    WATCH_SECONDS = 4,
    MOST_BACK = 4096,
    MOST_ASKED = 2048
};
enum { WAYS = 16, WAY_DOOR = 0, WAY_GDB, WAY_STRICT /* the others: the library */ };

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* ---- choices ---- */

static const uint8_t *bytes;
static size_t left;
static uint64_t numbers;

static uint32_t any32(void)
{
    uint32_t word = 0;
    if (left >= 4) {
        memcpy(&word, bytes, 4);
        bytes += 4;
        left -= 4;
        return word;
    }
    numbers ^= numbers << 13;
    numbers ^= numbers >> 7;
    numbers ^= numbers << 17;
    return (uint32_t)(numbers >> 16);
}

static uint32_t any(uint32_t limit)
{
    return any32() % limit;
}

/* An address where something is, or is not quite. */
static uint32_t any_address(void)
{
    static const uint32_t bases[] = {
        0x00000000, 0x00001000, 0x00006000, 0x0016E000, 0x0017FF00, 0xFFB00000, 0xFFB01FF0,
        0xFFB11000, 0xFFB12000, 0xFFB12060, 0xFFB121B0, 0xFFB12240, 0xFFB13000, 0xFFB13100,
        0xFFB14000, 0xFFB20000, 0xFFB20040, 0xFFB20800, 0xFFB20100, 0xFFB20200, 0xFFB30000,
        0xFFB40000, 0xFFB48000, 0xFFB7FFF0, 0xFFB80000, 0xFFBD8000, 0xFFBDFFF0, 0xFFC00000,
        0xFFE00000, 0xFFE40000, 0xFFE50000, 0xFFE60000, 0xFFE80000, 0xFFE80020, 0xFFEC0000,
        0xFFEC1000, 0xFFEF0000, 0xFFEF0200, 0xFFEFE000, 0xFFFFFFF0, 0xFFAFFFF0};
    const uint32_t base = bases[any(sizeof bases / sizeof bases[0])];
    switch (any(8)) {
    case 0:
        return base + any(0x10000);
    case 1:
        return any32();
    default:
        return base + 4 * any(any(4) == 0 ? 0x400 : 0x20);
    }
}

static uint32_t any_value(void)
{
    static const uint32_t values[] = {0,          1,          2,          3,          0xFFFFFFFF,
                                      0xFFFFFF01, 0x80000000, 0x7FFFFFFF, 0x0000FFFF, 0x00047800};
    switch (any(4)) {
    case 0:
        return values[any(sizeof values / sizeof values[0])];
    case 1:
        return any(256);
    case 2:
        return any_address();
    default:
        return any32();
    }
}

/* ---- words ---- */

/* A word for the coprocessor, mostly of an instruction that the chip has. */
static uint32_t any_tensix(enum tx_arch arch)
{
    const uint32_t word = any32();
    if (any(8) == 0) {
        return word;
    }
    const struct tx_insn *insn = tx_insn_at(arch, any(200));
    return insn != NULL ? (uint32_t)insn->opcode << 24 | (word & 0xFFFFFF) : word;
}

/* An instruction of a core. x8 to x15 have addresses and values. */
static uint32_t any_riscv(enum tx_arch arch)
{
    const uint32_t word = any32();
    const uint32_t base = (8 + (word >> 15 & 7)) << 15;
    const uint32_t source = (8 + (word >> 20 & 7)) << 20;
    const uint32_t target = (word >> 7 & 31) << 7;
    switch (any(12)) {
    case 0:
    case 1:
    case 2:
    case 3: /* store: mostly whole words, at the address or near it */
        return 0x23 | (any(4) == 0 ? any(8) : 2) << 12 | base | source | (any(4) * 4) << 7;
    case 4:
    case 5: /* load */
        return 0x03 | (any(4) == 0 ? any(8) : 2) << 12 | base | target | (any(8) * 4) << 20;
    case 6:
    case 7: {
        const uint32_t push = any_tensix(arch);
        return push << 2 | push >> 30;
    }
    case 8: /* arithmetic */
        return 0x33 | (word & 0xFE007F80) | base | source;
    case 9: /* branches and jumps near by, CSRs, atomics, fences */
        return (any(2) == 0 ? 0x63u | any(8) << 12 : 0x6Fu) | (word & 0x0FF00F80u);
    case 10:
        return (word & 0xFFFFFF80u) | (any(3) == 0 ? 0x73u : any(2) == 0 ? 0x2Fu : 0x0Fu);
    default:
        return word;
    }
}

/* ---- the three ways ---- */

struct way {
    void (*write)(uint32_t address, uint32_t word);
    uint32_t (*read)(uint32_t address);
    void (*cycles)(unsigned count);
};

static enum tx_arch arch;
static unsigned sequences;
static uint64_t asked, asked_before; /* in all, and before this sequence */

/* Requests that start each other fill every cycle of a sequence, which then ends. */
static bool go_on(void *user)
{
    (void)user;
    return ++asked % 512 != 0 && asked - asked_before < MOST_ASKED;
}

static bool other_place(void *user, const struct tx_noc_access *a)
{
    (void)user;
    if (a->to != NULL) {
        memset(a->to, (int)a->address, a->size);
    } else {
        volatile uint8_t last = a->from[a->size - 1];
        (void)last;
    }
    return (a->x & 1u) == 0;
}

/* ---- the library ---- */

struct kept {
    tx_tensix *tile;
    void *fresh;
    size_t size;
    unsigned used;
};

static struct kept *own; /* of this sequence */

static struct kept *kept_tile(unsigned which)
{
    static struct kept tiles[8];
    struct kept *k = &tiles[which];
    if (k->tile == NULL) {
        struct tx_tensix_settings s;
        tx_tensix_settings_default(&s, (which & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE);
        s.untimed = (which & 2) != 0;
        s.machine.mode = (which & 4) != 0 ? TX_MODE_STRICT : TX_MODE_SILICON;
        s.machine.watch.go_on = go_on;
        require(tx_tensix_open(&s, &k->tile) == TX_OK);
        tx_tensix_noc(k->tile, other_place, NULL);
        k->size = tx_tensix_snapshot_size(k->tile);
        k->fresh = malloc(k->size);
        require(k->fresh != NULL && tx_tensix_snapshot(k->tile, k->fresh, k->size) == TX_OK);
    }
    if (++k->used % SESSION == 0 || tx_fault(tx_tensix_machine(k->tile)) != NULL) {
        require(tx_tensix_restore(k->tile, k->fresh, k->size) == TX_OK);
        tx_findings_clear(tx_tensix_machine(k->tile));
    }
    return k;
}

static void tile_write(uint32_t address, uint32_t word)
{
    (void)tx_tensix_write(own->tile, address, &word, 4);
}

static uint32_t tile_read(uint32_t address)
{
    uint32_t word = 0;
    (void)tx_tensix_read(own->tile, address, &word, 4);
    return word;
}

static void tile_cycles(unsigned count)
{
    (void)(any(4) == 0 ? tx_tensix_run(own->tile, count) : tx_tensix_cycle(own->tile, count));
}

static const struct way library = {tile_write, tile_read, tile_cycles};

/* What only the library has. */
static void library_only(void)
{
    tx_tensix *t = own->tile;
    tx_machine *m = tx_tensix_machine(t);
    const enum tx_core core = (enum tx_core)any(TX_CORES + 1);
    uint32_t words[32];
    char text[256];
    struct tx_core_state s;
    for (unsigned i = 0; i < 32; i++) {
        words[i] = i < 4 ? any_value() : words[i - 4] * 3u;
    }
    switch (any(14)) {
    case 0:
        (void)tx_core_write(t, core, any(34), words[0]);
        break;
    case 1:
        (void)tx_core_local_write(t, core, any(0x2100), words, 4 * any(4));
        break;
    case 2:
        (void)tx_core_csr_write(t, core, any(40), words[0]);
        break;
    case 3:
        (void)tx_core_wake(t, core);
        break;
    case 4:
        tx_tensix_freeze(t, any(32));
        break;
    case 5:
        (void)tx_core_poke(t, core, any_address(), words, any(9));
        break;
    case 6:
        (void)tx_core_peek(t, core, any_address(), words, any(64));
        break;
    case 7:
        words[0] = any_tensix(arch);
        (void)tx_push(m, any(4), words, 1);
        break;
    case 8:
        (void)tx_write(m, (enum tx_file)any(TX_FILE_COUNT + 1), any(512), words, 1 + any(32));
        break;
    case 9:
        (void)tx_mop_config(m, any(4), any(10), any(2) == 0 ? any_tensix(arch) : any(1024));
        break;
    case 10:
        (void)tx_tensix_wait_text(t, core, text, sizeof text);
        (void)tx_tensix_core(t, core, &s);
        (void)tx_wait_text(m, any(4), text, sizeof text);
        break;
    case 11:
        (void)tx_tensix_hold(t, core);
        break;
    case 12:
        (void)tx_tile_place(arch, core, any_address());
        (void)tx_tensix_split(t, words, any(4));
        break;
    default:
        (void)tx_read(m, (enum tx_file)any(TX_FILE_COUNT + 1), any(512), words, 1 + any(32));
        break;
    }
}

/* ---- the door ---- */

static struct {
    void (*init)(void), (*exit)(void), (*clock)(uint32_t);
    void (*rd)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*wr)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
} door;
static int quiet = -1, loud = -1;
static unsigned by_door; /* sequences */

__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);

static bool door_opens(void)
{
    static const char path[] = TX_BINARY_DIR "/ttsim/bh/libtensix-ttsim-bh.so";
    void *library_bh = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct {
        void *where;
        const char *name;
    } names[] = {{&door.init, "libttsim_init"},
                 {&door.exit, "libttsim_exit"},
                 {&door.clock, "libttsim_clock"},
                 {&door.rd, "libttsim_tile_rd_bytes"},
                 {&door.wr, "libttsim_tile_wr_bytes"}};
    for (size_t i = 0; library_bh != NULL && i < sizeof names / sizeof names[0]; i++) {
        void *symbol = dlsym(library_bh, names[i].name);
        require(symbol != NULL);
        memcpy(names[i].where, &symbol, sizeof symbol);
    }
    return library_bh != NULL;
}

static unsigned door_x(void)
{
    return 1 + by_door / SESSION % 7;
}

static unsigned door_y(void)
{
    return 2 + by_door / SESSION % DOOR_TILES / 7;
}

static void door_write(uint32_t address, uint32_t word)
{
    door.wr(any(16) == 0 ? any(20) : door_x(), any(16) == 0 ? any(14) : door_y(), address, &word,
            any(16) == 0 ? 1 + any(4) : 4);
}

static uint32_t door_read(uint32_t address)
{
    uint32_t word = 0;
    door.rd(door_x(), door_y(), address, &word, 4);
    return word;
}

/*
 * A chip is dear to open. So each session has a tile of its own on one chip, whose cores and units
 * it leaves in reset, and the chip is opened anew when no fresh tile is left.
 */
static void door_session(void)
{
    static const uint32_t all = 0xFFFFFFFF;
    if (by_door % SESSION == SESSION - 1) {
        door.wr(door_x(), door_y(), 0xFFB121B0, &all, 4);
    }
    if (++by_door % (SESSION * DOOR_TILES) == 0) {
        door.exit();
        door.init();
    }
}

static void door_cycles(unsigned count)
{
    door.clock(count);
}

static const struct way through_door = {door_write, door_read, door_cycles};

/* Its findings go to stderr, and are many. */
static void door_quiet(bool on)
{
    if (loud < 0) {
        loud = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
        quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (__sanitizer_set_report_fd != NULL) {
            __sanitizer_set_report_fd((void *)(intptr_t)loud);
        }
    }
    require(dup2(on ? quiet : loud, STDERR_FILENO) == STDERR_FILENO);
}

/* ---- gdb ---- */

static txl_tensix *held_tile;
static txl_gdb *gdb;
static unsigned by_gdb; /* sequences */

static bool take(void *user, const void *text, size_t size)
{
    (void)user;
    require(size == 1 || ((const char *)text)[size - 3] == '#');
    return true;
}

static void packet(const char *text)
{
    char framed[320];
    unsigned sum = 0;
    for (const char *c = text; *c != '\0'; c++) {
        sum += (unsigned char)*c;
    }
    const int n = snprintf(framed, sizeof framed, "$%s#%02x", text, sum & 255u);
    if (txl_gdb_input(gdb, framed, (size_t)n) != TXL_GDB_CONNECTED) {
        txl_gdb_connect(gdb);
    }
}

static void gdb_write(uint32_t address, uint32_t word)
{
    char text[64];
    (void)snprintf(text, sizeof text, "M%x,4:%02x%02x%02x%02x", address, word & 255u,
                   word >> 8 & 255u, word >> 16 & 255u, word >> 24);
    packet(text);
}

static uint32_t gdb_read(uint32_t address)
{
    char text[64];
    (void)snprintf(text, sizeof text, "m%x,%x", address, 1 + any(16));
    packet(text);
    (void)snprintf(text, sizeof text, "P%x=%08x", any(40), any_value());
    packet(text);
    (void)snprintf(text, sizeof text, "Z%u,%x,4", any(5), any_address());
    packet(any(4) == 0 ? text : "g");
    return 0;
}

static void gdb_cycles(unsigned count)
{
    char text[64];
    (void)snprintf(text, sizeof text, "Hg%u", 1 + any(TX_CORES + 1));
    packet(text);
    for (unsigned i = 0; i < count % 4; i++) {
        (void)snprintf(text, sizeof text, "vCont;s:%u", 1 + any(TX_CORES));
        packet(text);
    }
    /* Going back runs all of the session again, which takes long late in it (gdb can stop it). */
    const bool early =
        by_gdb % (4 * SESSION) < 8 && tx_tensix_cycles(txl_tensix_tile(held_tile)) < MOST_BACK;
    packet(early && any(4) == 0 ? "bs" : "vCont;s:1");
}

static const struct way through_gdb = {gdb_write, gdb_read, gdb_cycles};

static void gdb_open(void)
{
    char path[] = "/tmp/fuzz-tile-XXXXXX";
    static const uint32_t program[] = {0x0000006F};
    const int fd = mkstemp(path);
    require(fd >= 0 && write(fd, program, sizeof program) == sizeof program && close(fd) == 0);
    const struct txl_tensix_program programs[] = {{TX_CORE_T0, path}};
    struct txl_error err = {.status = TXL_OK};
    const struct txl_tensix_options o = {.size = sizeof o,
                                         .arch = TX_WORMHOLE,
                                         .programs = programs,
                                         .program_count = 1,
                                         .max_cycles = 1u << 30};
    const struct txl_gdb_options how = {.size = sizeof how, .history = 1 << 22, .send = take};
    txl_gdb_close(gdb);
    txl_tensix_close(held_tile);
    require(txl_tensix_open(&err, &o, &held_tile) == TXL_OK);
    require(txl_gdb_open(&err, held_tile, &how, &gdb) == TXL_OK);
    txl_gdb_connect(gdb);
    (void)unlink(path);
}

/* ---- a sequence ---- */

/* Loads of addresses and values into x8 to x15, then any instructions. */
static void put_program(const struct way *way, uint32_t at)
{
    for (unsigned i = 0; i < 8; i += 1 + any(3)) {
        const uint32_t value = i % 2 == 0 ? any_address() : any_value();
        way->write(at, ((value + 0x800u) & 0xFFFFF000u) | (8 + i) << 7 | 0x37u);
        way->write(at + 4, (value & 0xFFFu) << 20 | (8 + i) << 15 | (8 + i) << 7 | 0x13u);
        at += 8;
    }
    for (unsigned i = any(WORDS) + 1; i > 0; i--, at += 4) {
        way->write(at, any_riscv(arch));
    }
    if (any(2) == 0) {
        way->write(at, 0xFE1FF06F - (any(4) << 21)); /* back */
    }
}

/* A request of the NoC, filled in and started. */
static void put_request(const struct way *way)
{
    const bool bh = arch == TX_BLACKHOLE;
    const uint32_t niu = 0xFFB20000 + 0x10000 * any(2) + any(4) * (bh ? 0x800u : 0x400u);
    for (uint32_t at = 0; at <= 0x2C; at += 4) {
        way->write(niu + at, any(3) == 0 ? any_value() : any_address());
    }
    if (any(2) == 0) { /* here, from here */
        const uint32_t place = bh ? 1 | 2 << 6 : 1 | 1 << 6;
        way->write(niu + (bh ? 0x08 : 0x04), bh ? place : place << 4);
        way->write(niu + (bh ? 0x14 : 0x10), bh ? place : place << 4);
        way->write(niu + 0x1C, any(256));
    }
    way->write(niu + (bh ? 0x40 : 0x28), 1);
}

static void sequence(const struct way *way)
{
    static const uint32_t starts[] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    for (unsigned i = 1 + any(OPERATIONS); i > 0; i--) {
        switch (any(8)) {
        case 0:
        case 1: {
            const unsigned core = any(TX_CORES);
            put_program(way, starts[core]);
            if (way == &library) {
                (void)tx_tensix_start(own->tile, (enum tx_core)core, starts[core]);
            } else {
                way->write(0xFFB121B0, any(2) == 0 ? 0 : any32() & 0x47800);
            }
            break;
        }
        case 2:
            way->write(any_address(), any_value());
            break;
        case 3:
            (void)way->read(any_address());
            break;
        case 4:
            put_request(way);
            break;
        case 5:
            if (way == &library) {
                library_only();
                break;
            }
            way->write(any_address(), any_value());
            break;
        default:
            way->cycles(1 + any(CYCLES));
            break;
        }
    }
    way->cycles(1 + any(CYCLES));
}

/* ---- the watchdog ---- */

/* A sequence may be long, if tx_watch is asked meanwhile. */
static void look(int number)
{
    static unsigned last;
    static uint64_t last_asked;
    static unsigned times;
    (void)number;
    times = sequences == last && asked == last_asked ? times + 1 : 0;
    last = sequences;
    last_asked = asked;
    if (times == WATCH_SECONDS) {
        static const char text[] = "nobody asks whether it goes on\n";
        (void)!write(loud >= 0 ? loud : STDERR_FILENO, text, sizeof text - 1);
        abort();
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct itimerval second = {{1, 0}, {1, 0}};
    (void)argc;
    (void)argv;
    require(signal(SIGVTALRM, look) != SIG_ERR);
    return setitimer(ITIMER_VIRTUAL, &second, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool has_door, asked_for_door;
    if (size < 1) {
        return 0;
    }
    sequences++;
    asked_before = asked;
    bytes = data + 1;
    left = size - 1;
    numbers = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < size; i++) {
        numbers = (numbers ^ data[i]) * 0x100000001B3u;
    }
    numbers |= 1;
    const unsigned way = (unsigned)(numbers >> 40) % WAYS;
    if (way == WAY_DOOR && !asked_for_door) {
        asked_for_door = true;
        has_door = door_opens();
        if (has_door) {
            door.init();
        }
    }
    if (way == WAY_DOOR && has_door) {
        arch = TX_BLACKHOLE;
        door_quiet(true);
        sequence(&through_door);
        door_session();
        door_quiet(false);
        return 0;
    }
    if (way == WAY_GDB) {
        if (by_gdb++ % (4 * SESSION) == 0) {
            gdb_open();
        }
        arch = TX_WORMHOLE;
        sequence(&through_gdb);
        return 0;
    }
    /* In strict mode most sequences stop the machine, which then has to be restored. */
    own = kept_tile((data[0] & 3u) | (way == WAY_STRICT ? 4u : 0u));
    arch = (data[0] & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    sequence(&library);
    return 0;
}
