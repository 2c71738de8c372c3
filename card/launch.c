/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs on the chip, by name. The host opens each kernel's ELF file before it sends the kernel:
 * its path says what the kernel is called, its code is kept here. A launch is seen in the mailbox
 * of a tile's firmware (tensix/metal.h: messages of another version are not found), and the
 * kernel is named whose code lies where the message says that the core will jump. So nothing is
 * named that was not found in L1, whatever the mailbox looks like.
 */
#include "report.h"

#include <tensix/facts.h>
#include <tensix/metal.h>

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    KERNELS = 4096,
    NAME = 96,
    CODE_MOST = 1 << 16,
    CODE_LEAST = 16,
    PAGE_NAMES = 24, /* names of one launch */
    LAUNCHES = 16384,
    MEMO = 1024
};

/* ---- kernels of this process: all chips share them ---- */

static struct kernel {
    char name[NAME];
    char *path;
    uint32_t *code;
    uint32_t words;
    uint32_t address; /* of the code, as the file has it */
} kernels[KERNELS];
static unsigned kernel_count;
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;

/* "eltwise_sfpu" of ".../kernels/eltwise_sfpu/123/trisc1/trisc1.elf", else the last two words. */
static void name_of(const char *path, char *name)
{
    const char *end = strstr(path, "/kernels/");
    for (const char *next = end; next != NULL; next = strstr(next + 1, "/kernels/")) {
        end = next;
    }
    const char *start = path;
    size_t length;
    if (end != NULL) {
        start = end + 9;
        length = strcspn(start, "/");
    } else {
        const char *last = strrchr(path, '/');
        while (last != NULL && start < last && memchr(start, '/', (size_t)(last - start)) != NULL) {
            start = (const char *)memchr(start, '/', (size_t)(last - start)) + 1;
        }
        length = strlen(start) - 4;
    }
    length = length < NAME - 1 ? length : NAME - 1;
    memcpy(name, start, length);
    name[length] = '\0';
}

/* Reads the executable segment of an ELF file of a 32-bit core. The caller frees it. */
static uint32_t *code_of(int fd, uint32_t *words, uint32_t *address)
{
    Elf32_Ehdr head;
    Elf32_Phdr part;
    if (pread(fd, &head, sizeof head, 0) != sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS32 ||
        head.e_machine != EM_RISCV || head.e_phentsize != sizeof part) {
        return NULL;
    }
    for (unsigned i = 0; i < head.e_phnum && i < 16; i++) {
        if (pread(fd, &part, sizeof part, (off_t)head.e_phoff + (off_t)(i * sizeof part)) !=
            sizeof part) {
            return NULL;
        }
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || part.p_filesz < CODE_LEAST) {
            continue;
        }
        const uint32_t size = (part.p_filesz < CODE_MOST ? part.p_filesz : CODE_MOST) & ~3u;
        uint32_t *code = malloc(size);
        if (code != NULL && pread(fd, code, size, (off_t)part.p_offset) != (ssize_t)size) {
            free(code);
            code = NULL;
        }
        *words = size / 4;
        *address = part.p_vaddr;
        return code;
    }
    return NULL;
}

void kernel_opened(const char *path)
{
    CARD_REAL(open);
    CARD_REAL(close);
    const size_t length = path != NULL ? strlen(path) : 0;
    if (length < 5 || strcmp(path + length - 4, ".elf") != 0) {
        return;
    }
    const int fd = real_open(path, O_RDONLY | O_CLOEXEC);
    uint32_t words = 0;
    uint32_t address = 0;
    uint32_t *code = fd >= 0 ? code_of(fd, &words, &address) : NULL;
    if (fd >= 0) {
        (void)real_close(fd);
    }
    if (code == NULL) {
        return;
    }
    struct kernel k = {.code = code, .words = words, .address = address, .path = strdup(path)};
    name_of(path, k.name);
    pthread_mutex_lock(&kernels_lock);
    bool known = kernel_count == KERNELS;
    for (unsigned i = 0; i < kernel_count && !known; i++) {
        known = kernels[i].words == words && strcmp(kernels[i].name, k.name) == 0 &&
                memcmp(kernels[i].code, code, 4 * (size_t)words) == 0;
    }
    if (known || k.path == NULL) {
        free(k.path);
        free(code);
    } else {
        kernels[kernel_count++] = k;
    }
    pthread_mutex_unlock(&kernels_lock);
}

void kernels_fork(int stage)
{
    lock_fork(&kernels_lock, stage);
}

/*
 * Returns the kernel with that code, or -1. The host changes a few instructions of what is in the
 * file, those that form addresses: the kernel that agrees in most words is meant, and at least in
 * nine of ten.
 */
static int kernel_with(const uint32_t *code, uint32_t words)
{
    int best = -1;
    uint32_t best_words = 0;
    double best_part = 0.9;
    pthread_mutex_lock(&kernels_lock);
    for (unsigned i = 0; i < kernel_count; i++) {
        const struct kernel *k = &kernels[i];
        if (k->words > words + 4) {
            continue;
        }
        const uint32_t both = k->words < words ? k->words : words;
        uint32_t equal = 0;
        for (uint32_t w = 0; w < both; w++) {
            equal += k->code[w] == code[w];
        }
        const double part = (double)equal / (double)k->words;
        if (part > best_part || (part == best_part && k->words > best_words)) {
            best = (int)i;
            best_part = part;
            best_words = k->words;
        }
    }
    pthread_mutex_unlock(&kernels_lock);
    return best;
}

/* How many words around the one at "at" of a kernel are those of the window; 0: not that one. */
static unsigned alike(const struct kernel *k, uint32_t at, const uint32_t window[CARD_WINDOW])
{
    unsigned equal = 0;
    unsigned both = 0;
    if (k->code[at] != window[CARD_WINDOW / 2]) {
        return 0;
    }
    for (uint32_t i = 0; i < CARD_WINDOW; i++) {
        const uint32_t word = at + i - CARD_WINDOW / 2;
        both += word < k->words;
        equal += word < k->words && k->code[word] == window[i];
    }
    return 4 * equal >= 3 * both ? equal : 0;
}

const char *kernel_line(const uint32_t window[CARD_WINDOW], uint32_t *address)
{
    unsigned best = 0;
    const char *path = NULL;
    pthread_mutex_lock(&kernels_lock);
    for (unsigned i = 0; i < kernel_count; i++) {
        for (uint32_t at = 0; at < kernels[i].words; at++) {
            const unsigned equal = alike(&kernels[i], at, window);
            if (equal > best) {
                best = equal;
                path = kernels[i].path;
                *address = kernels[i].address + 4 * at;
            }
        }
    }
    pthread_mutex_unlock(&kernels_lock);
    return path;
}

/* ---- launches of a chip ---- */

struct launch {
    uint64_t first, last; /* cycles of the looks that have seen it begin and end */
    double seconds;       /* since the chip was opened */
    uint32_t id;          /* the host's */
    unsigned tiles, running, names;
    uint16_t name[PAGE_NAMES];
    uint64_t on[CARD_TILES / 64];
    uint64_t kernels; /* of the first tile, as a hash */
};

struct card_launches {
    struct card_used *used;
    double start;
    unsigned count;
    uint64_t lost; /* for which there was no room */
    struct launch *launch;
    uint32_t code[CODE_MOST / 4]; /* of the kernel that is looked at */
    struct {
        bool running, seen;
        uint32_t read; /* TX_METAL_READ at the last look */
        unsigned launch;
        uint64_t entry[TX_METAL_LAUNCHES]; /* hash of what was counted in that place */
    } tile[CARD_TILES];
    struct {
        uint64_t hash;
        int kernel;
        unsigned of; /* so many kernels were known then */
    } memo[MEMO];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct card_launches *launches_open(struct card_used *used)
{
    struct card_launches *l = calloc(1, sizeof *l);
    struct launch *launch = calloc(LAUNCHES, sizeof *launch);
    if (l == NULL || launch == NULL) {
        free(launch);
        free(l);
        return NULL;
    }
    l->used = used;
    l->start = now();
    l->launch = launch;
    return l;
}

void launches_close(struct card_launches *l)
{
    if (l != NULL) {
        free(l->launch);
        free(l);
    }
}

void launches_cut(struct card_launches *l, size_t index, unsigned number)
{
    if (l->tile[number].running) {
        used_end(l->used, index, l->tile[number].launch);
    }
}

static uint64_t hash_of(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3;
    }
    return hash | 1;
}

static uint32_t word_of(const uint8_t *bytes, unsigned at)
{
    uint32_t word;
    memcpy(&word, bytes + at, sizeof word);
    return word;
}

/* Returns the kernel that an entry names for a core, or -1. */
static int kernel_of(struct card_launches *l, const tx_machine *tile, const uint8_t *entry,
                     unsigned core)
{
    uint32_t *code = l->code;
    const uint32_t at =
        word_of(entry, TX_METAL_IN_BASE) + word_of(entry, TX_METAL_IN_TEXT + 4 * core);
    uint32_t size = word_of(entry, TX_METAL_IN_SIZE + 4 * core);
    size = size < CODE_MOST ? size & ~3u : CODE_MOST;
    if ((word_of(entry, TX_METAL_IN_ENABLES) >> core & 1) == 0 || at % 4 != 0 ||
        size < CODE_LEAST || at > (1u << 21) || tx_l1_read(tile, at, code, size) != TX_OK) {
        return -1;
    }
    const uint64_t hash = hash_of(code, size);
    const unsigned place = (unsigned)(hash >> 7) % MEMO;
    const unsigned of = __atomic_load_n(&kernel_count, __ATOMIC_RELAXED);
    if (l->memo[place].hash != hash || (l->memo[place].kernel < 0 && l->memo[place].of != of)) {
        l->memo[place].hash = hash;
        l->memo[place].kernel = kernel_with(code, size / 4);
        l->memo[place].of = of;
    }
    return l->memo[place].kernel;
}

/* Finds the launch that a tile takes part in: one that runs or ran without this tile, or a new one.
 */
static unsigned join(struct card_launches *l, uint64_t cycle, uint32_t id, unsigned number,
                     const uint16_t *names, unsigned count)
{
    const uint64_t bit = 1ull << number % 64;
    for (unsigned i = l->count; i > 0 && l->count - i < 8; i--) {
        const struct launch *a = &l->launch[i - 1];
        bool one = a->id == id && (a->on[number / 64] & bit) == 0;
        for (unsigned k = 0; id == 0 && one && k < count; k++) {
            bool has = false;
            for (unsigned j = 0; j < a->names; j++) {
                has = has || a->name[j] == names[k];
            }
            one = has;
        }
        if (one) {
            return i - 1;
        }
    }
    if (l->count == LAUNCHES) {
        return LAUNCHES;
    }
    l->launch[l->count] = (struct launch){.first = cycle, .seconds = now() - l->start, .id = id};
    return l->count++;
}

/* Counts a launch of a tile. Returns false where the entry names no kernel that is known. */
static bool launched(struct card_launches *l, tx_chip *chip, const tx_machine *tile,
                     unsigned number, unsigned place, bool running)
{
    uint8_t entry[TX_METAL_LAUNCH_BYTES];
    uint16_t names[TX_METAL_IN_CORES];
    unsigned count = 0;
    const uint32_t base = tx_arch_fact(tx_chip_arch(chip), TX_FACT_METAL_MAILBOX);
    if (tx_l1_read(tile, base + TX_METAL_RING + place * TX_METAL_LAUNCH_BYTES, entry,
                   sizeof entry) != TX_OK) {
        return false;
    }
    const uint64_t hash = hash_of(entry, sizeof entry);
    if (!running && l->tile[number].entry[place] == hash) {
        return false; /* of the last time round */
    }
    for (unsigned core = 0; core < TX_METAL_IN_CORES; core++) {
        const int kernel = kernel_of(l, tile, entry, core);
        if (kernel >= 0) {
            names[count++] = (uint16_t)kernel;
        }
    }
    if (count == 0) {
        return false;
    }
    l->tile[number].entry[place] = hash;
    const unsigned which =
        join(l, tx_chip_cycles(chip), word_of(entry, TX_METAL_IN_ID), number, names, count);
    if (which == LAUNCHES) {
        l->lost++;
        return false;
    }
    struct launch *a = &l->launch[which];
    a->kernels = a->tiles == 0 ? hash_of(names, count * sizeof *names) : a->kernels;
    for (unsigned k = 0; k < count; k++) {
        bool has = false;
        for (unsigned j = 0; j < a->names; j++) {
            has = has || strcmp(kernels[a->name[j]].name, kernels[names[k]].name) == 0;
        }
        if (!has && a->names < PAGE_NAMES) {
            a->name[a->names++] = names[k];
        }
    }
    a->on[number / 64] |= 1ull << number % 64;
    a->tiles++;
    a->running += running;
    a->last = tx_chip_cycles(chip);
    l->tile[number].launch = which;
    return true;
}

void launches_look(struct card_launches *l, tx_chip *chip, size_t index, unsigned number,
                   unsigned x, unsigned y)
{
    const tx_machine *tile = tx_chip_machine(chip, index); /* which wakes nothing */
    const uint32_t base = tx_arch_fact(tx_chip_arch(chip), TX_FACT_METAL_MAILBOX);
    uint8_t go[TX_METAL_GO_INDEX + 4 - TX_METAL_GO];
    uint32_t read = 0;
    if (tile == NULL || number >= CARD_TILES ||
        tx_l1_read(tile, base + TX_METAL_GO, go, sizeof go) != TX_OK ||
        tx_l1_read(tile, base + TX_METAL_READ, &read, sizeof read) != TX_OK ||
        read >= TX_METAL_LAUNCHES) {
        return;
    }
    const uint32_t which = word_of(go, TX_METAL_GO_INDEX - TX_METAL_GO);
    const bool runs = which < TX_METAL_GOES && go[4 * which + 3] == TX_METAL_SIGNAL_GO;
    const uint32_t last = l->tile[number].read;
    const bool moved = l->tile[number].seen && read != last;
    if (l->tile[number].running && (!runs || moved)) {
        struct launch *a = &l->launch[l->tile[number].launch];
        a->running--;
        a->last = tx_chip_cycles(chip);
        used_end(l->used, index, l->tile[number].launch);
        l->tile[number].running = false;
        l->tile[number].read = moved ? (last + 1) % TX_METAL_LAUNCHES : last;
    }
    /* Those that began and ended since; at 0 the ring may have been started anew. */
    for (uint32_t i = l->tile[number].read;
         l->tile[number].seen && i != read && (read != 0 || last == TX_METAL_LAUNCHES - 1);
         i = (i + 1) % TX_METAL_LAUNCHES) {
        (void)launched(l, chip, tile, number, i, false);
    }
    l->tile[number].read = read;
    l->tile[number].seen = true;
    if (runs && !l->tile[number].running) {
        l->tile[number].running = launched(l, chip, tile, number, read, true);
        if (l->tile[number].running) {
            const struct card_begun begins = {.launch = l->tile[number].launch,
                                              .x = x,
                                              .y = y,
                                              .kernels = l->launch[l->tile[number].launch].kernels,
                                              .go = base + TX_METAL_GO + 4 * which};
            used_begin(l->used, index, &begins);
        }
    }
}

void launches_put(const struct card_launches *l, FILE *out)
{
    fputc('[', out);
    for (unsigned i = 0; i < l->count; i++) {
        const struct launch *a = &l->launch[i];
        fprintf(out,
                "%s\n    {\"first\": %" PRIu64 ", \"last\": %" PRIu64 ", \"seconds\": %.3f, "
                "\"tiles\": %u, \"running\": %s, \"id\": %" PRIu32 ", \"kernels\": [",
                i == 0 ? "" : ",", a->first, a->last, a->seconds, a->tiles,
                a->running != 0 ? "true" : "false", a->id);
        for (unsigned k = 0; k < a->names; k++) {
            fputs(k == 0 ? "" : ", ", out);
            report_text(out, kernels[a->name[k]].name);
        }
        fputc(']', out);
        used_put(l->used, i, out);
        fputc('}', out);
    }
    fputc(']', out);
}
