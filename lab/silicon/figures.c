/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of single figures, as far as their words say what runs: requests between neighbours of
 * an idle chip, the data movement tests of tt-metal that move as fast as they can, and the table of
 * DRAM rates of isa DRAMTile.
 */
#include <tensix/facts.h>

#include "silicon/silicon.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 64, LONG = 256, FEW = 4, SMALL = 64, MIB = 1 << 20 };

static uint32_t packet(enum tx_arch arch)
{
    return tx_arch_fact(arch, TX_FACT_NOC_PACKET);
}

static struct silicon_rect grid(enum tx_arch arch)
{
    const struct silicon_rect bh = {0, 0, 11, 10};
    const struct silicon_rect wh = {0, 0, 8, 7};
    return silicon_card(arch) != 0 ? bh : wh;
}

/* Requests of the first worker to one tile. */
static struct silicon_noc simple(enum tx_arch arch, bool reads, unsigned x, unsigned y,
                                 unsigned per)
{
    const struct silicon_noc n = {.arch = arch,
                                  .reads = reads,
                                  .single = true,
                                  .per = per,
                                  .noc = reads,
                                  .masters = {0, 0, 1, 1},
                                  .others = {x, y, 1, 1}};
    return n;
}

static bool latency(const char *where, struct silicon_row *r)
{
    const bool column = strcmp(where, "same column") == 0;
    const bool row = strcmp(where, "same row") == 0;
    const bool both = strcmp(where, "other row and column") == 0;
    if (!column && !row && !both && strcmp(where, "same tile") != 0) {
        return false;
    }
    r->noc = simple(r->noc.arch, true, row || both, column || both, 1);
    r->quantity = SILICON_LATENCY;
    r->bytes[0] = SMALL;
    return true;
}

/* What tt-metal's tests of data movement call a directed ideal, and rates of endpoints. */
static bool ideal(const char *what, struct silicon_row *r)
{
    static const struct {
        const char *words;
        bool reads, all, dram, interleaved, own;
        enum silicon_mechanism mechanism;
    } known[] = {
        {"One to One ", false, false, false, false, false, SILICON_UNICAST},
        {"One from One ", true, false, false, false, false, SILICON_UNICAST},
        {"One to All Unicast ", false, true, false, false, false, SILICON_UNICAST},
        {"One to All Multicast Linked ", false, true, false, false, false, SILICON_LINKED},
        {"One to All Multicast ", false, true, false, false, false, SILICON_MULTICAST},
        {"One from All ", true, true, false, false, false, SILICON_UNICAST},
        {"One Packet Write ", false, false, false, false, false, SILICON_UNICAST},
        {"One Packet Read ", true, false, false, false, false, SILICON_UNICAST},
        {"DRAM Directed Ideal, reader", true, false, true, false, false, SILICON_UNICAST},
        {"DRAM Directed Ideal, writer", false, false, true, false, false, SILICON_UNICAST},
        {"DRAM Interleaved Page Directed Ideal, reader", true, false, true, true, false,
         SILICON_UNICAST},
        {"DRAM Interleaved Page Directed Ideal, writer", false, false, true, true, false,
         SILICON_UNICAST},
        {"L1 Interleaved Page Directed Ideal, reader", true, true, false, false, false,
         SILICON_UNICAST},
        {"L1 Interleaved Page Directed Ideal, writer", false, true, false, false, false,
         SILICON_UNICAST},
        {"Loopback Directed Ideal", false, false, false, false, true, SILICON_UNICAST},
        {"endpoint worker", true, false, false, false, false, SILICON_UNICAST},
        {"endpoint dram sink", false, false, true, false, false, SILICON_UNICAST},
    };
    const enum tx_arch arch = r->noc.arch;
    unsigned i = 0;
    while (i < sizeof known / sizeof *known &&
           strncmp(what, known[i].words, strlen(known[i].words)) != 0) {
        i++;
    }
    if (i == sizeof known / sizeof *known ||
        (strstr(what, "Ideal") == NULL && strncmp(what, "endpoint", 8) != 0)) {
        return false;
    }
    r->noc = simple(arch, known[i].reads, known[i].own ? 0 : 1, known[i].own ? 0 : 1, MANY);
    r->noc.mechanism = known[i].mechanism;
    r->noc.dram = known[i].dram;
    r->noc.interleaved = known[i].interleaved;
    if (known[i].interleaved) {
        r->noc.single = false;
        r->noc.per = LONG;
    }
    if (known[i].all) {
        const bool unicast = known[i].mechanism == SILICON_UNICAST;
        r->noc.others = grid(arch);
        r->noc.minus_master = unicast;
        r->noc.loopback = !unicast;
        r->noc.single = !unicast;
        r->noc.per = unicast ? FEW : MANY;
    }
    r->noc.noc = known[i].reads && !known[i].dram;
    r->quantity = SILICON_BYTES_A_CYCLE;
    r->bytes[0] = packet(arch);
    return true;
}

/* "48 tiles, randomly chosen, each 1 MiB read, 12 channels, VC static, noc 0, ..." */
static bool dram(const char *what, struct silicon_row *r)
{
    char how[16];
    char kind[16];
    char vc[16];
    unsigned tiles;
    unsigned channels;
    unsigned noc;
    const char *rest = strstr(what, ", VC ");
    if (sscanf(what, "%u tiles, %15s chosen, each 1 MiB %15[a-z], %u channel", &tiles, how, kind,
               &channels) != 4 ||
        rest == NULL || sscanf(rest, ", VC %15[a-z], noc %u", vc, &noc) != 2) {
        return false;
    }
    const bool careful = strcmp(how, "carefully") == 0;
    if (tiles == 0 || tiles > 48 || noc > 1 || (channels != 1 && channels != 12) ||
        silicon_card(r->noc.arch) != 0 || (careful && channels == 1)) {
        return false;
    }
    r->bytes[0] = packet(r->noc.arch);
    r->noc = simple(r->noc.arch, strcmp(kind, "read") == 0, 0, 0, MIB / r->bytes[0]);
    r->noc.dram = true;
    r->noc.noc = noc;
    r->noc.dynamic = strcmp(vc, "dynamic") == 0;
    r->noc.one_bank = channels == 1;
    r->noc.tiles = tiles;
    r->noc.choice = careful ? SILICON_CAREFUL : SILICON_RANDOM;
    r->quantity = SILICON_ALL_BYTES;
    return true;
}

/*
 * Users of L1 (isa L1). Figures under contention of others are not built: users of L1 never wait
 * for each other here.
 */
static bool l1(const char *what, const char *unit, struct silicon_row *r)
{
    static const struct {
        const char *words;
        enum silicon_l1 kind;
        unsigned bits;
    } known[] = {
        {"mover L1 to L1", SILICON_L1_COPY, 128},
        {"mover memset L1", SILICON_L1_CLEAR, 128},
        {"RISC-V stores to L1", SILICON_L1_STORES, 32},
        {"RISC-V dependent loads from L1", SILICON_L1_CHASE, 32},
        {"RISC-V loads from L1", SILICON_L1_LOADS, 32},
        {"RISC-V independent loads from L1", SILICON_L1_LOADS, 32},
        {"packer", SILICON_L1_PACK, 128},
        {"ThCon 128-bit stores to L1", SILICON_L1_SCALAR, 128},
        {"NoC, each", SILICON_L1_NOC, 128},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(what, known[i].words) != 0) {
            continue;
        }
        r->l1 = known[i].kind;
        r->quantity = SILICON_ACCESSES;
        r->cycles = strncmp(unit, "cycles", 6) == 0;
        r->bits = strncmp(unit, "bits/cycle", 10) == 0 ? known[i].bits : 0;
        if (r->l1 == SILICON_L1_NOC) { /* to the tile itself */
            r->noc = simple(r->noc.arch, false, 0, 0, MANY);
            r->bytes[0] = packet(r->noc.arch);
        }
        return true;
    }
    return false;
}

bool silicon_figure(const char *what, const char *unit, enum tx_arch arch, struct silicon_row *r)
{
    static const char small[] = "read, small, idle chip, ";
    unsigned bytes = 0;
    r->noc.arch = arch;
    if (sscanf(what, "one master, %u-byte transfers back to back", &bytes) == 1 && bytes >= 16 &&
        bytes <= 65536) {
        r->noc = simple(arch, false, 1, 1, LONG);
        r->quantity = SILICON_BYTES_A_CYCLE;
        r->bytes[0] = bytes;
        return true;
    }
    if (strcmp(what, "router to router") == 0 || strcmp(what, "write, per router hop") == 0) {
        r->noc = simple(arch, what[0] == 'r', 1, 1, 1);
        r->quantity = SILICON_HOP;
        r->bytes[0] = SMALL;
        return true;
    }
    if (strcmp(what, "NIU to router") == 0 || strcmp(what, "router to NIU") == 0) {
        r->quantity = SILICON_TIME;
        r->time = "noc.niu";
        return true;
    }
    if (strncmp(what, small, sizeof small - 1) == 0) {
        return latency(what + sizeof small - 1, r);
    }
    return ideal(what, r) || dram(what, r) || l1(what, unit, r);
}
