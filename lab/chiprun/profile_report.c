/* SPDX-License-Identifier: Apache-2.0 */
/* How much of their time units, links and banks of DRAM work, by tile and beside each other. */
#include <tensix/facts.h>

#include "chiprun/profiled.h"

#include <string.h>

enum { UNITS = PROFILE_UNITS, TILES_SHOWN = 16, LINKS_SHOWN = 8 };

static const char *const link_names[4] = {"from the interface", "to the interface", "along the row",
                                          "along the column"};
static const char *const link_keys[4] = {"in", "out", "row", "column"};

static double share(uint64_t part, uint64_t whole)
{
    return whole != 0 ? (double)part / (double)whole : 0;
}

static double flit_time(const struct chiprun_profile *c)
{
    size_t i = 0;
    while (tx_chip_time_name(i) != NULL && strcmp(tx_chip_time_name(i), "noc.flit_time") != 0) {
        i++;
    }
    return tx_chip_time(c->on, i) / 1000.0;
}

struct link {
    double busy;
    uint64_t flits;
    uint32_t index;
    uint8_t noc, direction;
};

static double link_busy(const struct chiprun_profile *c, uint64_t flits)
{
    const uint64_t cycles = c->whole->result.cycles;
    return cycles != 0 ? (double)flits * flit_time(c) / (double)cycles : 0;
}

/* The busiest links, the first one first. Returns how many there are. */
static unsigned busiest(const struct chiprun_profile *c, struct link list[LINKS_SHOWN])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < c->width * c->height * 8 && i < CHIPRUN_PLACES * 8; i++) {
        const uint64_t flits = c->flits[i / 8][i / 4 % 2][i % 4];
        unsigned at = count;
        while (at > 0 && list[at - 1].flits < flits) {
            at--;
        }
        if (flits == 0 || at >= LINKS_SHOWN) {
            continue;
        }
        count = count < LINKS_SHOWN ? count + 1 : count;
        memmove(&list[at + 1], &list[at], (count - at - 1) * sizeof *list);
        list[at] = (struct link){link_busy(c, flits), flits, i / 8, (uint8_t)(i / 4 % 2),
                                 (uint8_t)(i % 4)};
    }
    return count;
}

/* Bytes that requests moved at the busiest bank of DRAM, and what it could have moved. */
static double dram(const struct chiprun_profile *c, uint64_t *bytes)
{
    uint64_t of[CHIPRUN_PLACES] = {0};
    uint64_t most = 0;
    size_t rate = 0;
    while (tx_chip_time_name(rate) != NULL &&
           strcmp(tx_chip_time_name(rate), "dram.rate, reads") != 0) {
        rate++;
    }
    *bytes = 0;
    for (size_t i = 0; i < c->moved_count; i++) {
        const struct chiprun_moved *m = &c->moved[i];
        if (m->dram) {
            uint64_t *bank = &of[c->place[m->to].number % CHIPRUN_PLACES];
            *bank += m->length;
            *bytes += m->length;
            most = *bank > most ? *bank : most;
        }
    }
    const double each = tx_chip_time(c->on, rate) / 1000.0 / 1024; /* cycles for a byte */
    const uint64_t cycles = c->whole->result.cycles;
    const double channels = tx_arch_fact(c->arch, TX_FACT_DRAM_CHANNELS);
    return cycles != 0 ? (double)most * each / channels / (double)cycles : 0;
}

/* What the busiest of each kind reaches. */
static void roofline(const struct chiprun_profile *c, double reached[UNITS + 2])
{
    struct link links[LINKS_SHOWN + 1];
    uint64_t bytes;
    for (unsigned u = 0; u < UNITS; u++) {
        reached[u] = 0;
    }
    for (unsigned i = 0; i < c->parts; i++) {
        uint64_t busy[UNITS];
        profile_busy(c->part[i].p, busy);
        for (unsigned u = 0; u < UNITS; u++) {
            const double one = share(busy[u], c->whole->result.cycles);
            reached[u] = one > reached[u] ? one : reached[u];
        }
    }
    reached[UNITS] = busiest(c, links) != 0 ? links[0].busy : 0;
    reached[UNITS + 1] = dram(c, &bytes);
}

static const char *roof_name(unsigned i)
{
    return i < UNITS ? profile_unit_name(i) : i == UNITS ? "noc" : "dram";
}

void chiprun_profile_print(FILE *out, const struct chiprun_profile *c)
{
    struct link links[LINKS_SHOWN + 1];
    double reached[UNITS + 2];
    const unsigned count = busiest(c, links);
    const char *least = bound_prefix(c->whole->result.bounds);
    roofline(c, reached);
    fprintf(out, "\nroofline        %sof the time the busiest works:", least);
    for (unsigned i = 0; i < UNITS + 2; i++) {
        fprintf(out, "%s %s %.1f %%", i != 0 ? "," : "", roof_name(i), 100 * reached[i]);
    }
    fprintf(out,
            "\n\ntile         unpack   matrix   vector     pack    cores   (%s%% of the cycles)\n",
            least);
    for (unsigned i = 0; i < c->parts && i < TILES_SHOWN; i++) {
        uint64_t busy[UNITS];
        profile_busy(c->part[i].p, busy);
        fprintf(out, "%u,%-8u", c->part[i].column, c->part[i].row);
        for (unsigned u = 0; u < UNITS; u++) {
            fprintf(out, " %8.1f", 100 * share(busy[u], c->whole->result.cycles));
        }
        fputc('\n', out);
    }
    if (c->parts > TILES_SHOWN) {
        fprintf(out, "and %u more tiles (--json has all)\n", c->parts - TILES_SHOWN);
    }
    fprintf(out, "\nlink                                    flits     busy%s\n",
            c->whole->result.bounds != 0 ? " at least" : "");
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "NoC %u, %2u,%-2u %-20s %8llu %7.1f %%\n", links[i].noc,
                (unsigned)(links[i].index % c->width), (unsigned)(links[i].index / c->width),
                link_names[links[i].direction], (unsigned long long)links[i].flits,
                100 * links[i].busy);
    }
}

static txl_json *tiles_json(const struct chiprun_profile *c)
{
    txl_json *tiles = txl_json_array();
    for (unsigned i = 0; i < c->parts; i++) {
        uint64_t busy[UNITS];
        txl_json *one = txl_json_object();
        txl_json *at = txl_json_array();
        profile_busy(c->part[i].p, busy);
        txl_json_append(at, txl_json_int(c->part[i].column));
        txl_json_append(at, txl_json_int(c->part[i].row));
        txl_json_set(one, "tile", at);
        for (unsigned u = 0; u < UNITS; u++) {
            txl_json_set_real(one, profile_unit_name(u), share(busy[u], c->whole->result.cycles));
        }
        txl_json_append(tiles, one);
    }
    return tiles;
}

static txl_json *links_json(const struct chiprun_profile *c)
{
    txl_json *links = txl_json_array();
    for (uint32_t i = 0; i < c->width * c->height * 8 && i < CHIPRUN_PLACES * 8; i++) {
        const uint64_t flits = c->flits[i / 8][i / 4 % 2][i % 4];
        if (flits == 0) {
            continue;
        }
        txl_json *one = txl_json_object();
        txl_json_set_int(one, "noc", i / 4 % 2);
        txl_json_set_int(one, "x", i / 8 % c->width);
        txl_json_set_int(one, "y", i / 8 / c->width);
        txl_json_set_text(one, "direction", link_keys[i % 4]);
        txl_json_set_int(one, "flits", flits);
        txl_json_set_real(one, "busy", link_busy(c, flits));
        txl_json_append(links, one);
    }
    return links;
}

void chiprun_profile_loads(txl_json *root, const struct chiprun_profile *c)
{
    txl_json *roof = txl_json_object();
    double reached[UNITS + 2];
    uint64_t bytes;
    roofline(c, reached);
    for (unsigned i = 0; i < UNITS + 2; i++) {
        txl_json_set_real(roof, roof_name(i), reached[i]);
    }
    (void)dram(c, &bytes);
    txl_json_set(root, "roofline", roof);
    txl_json_set_int(root, "dram_bytes", bytes);
    txl_json_set_int(root, "requests", c->moved_count);
    txl_json_set(root, "tiles", tiles_json(c));
    txl_json_set(root, "links", links_json(c));
}

txl_json *chiprun_profile_json(const struct chiprun_profile *c)
{
    txl_json *root = profile_json(c->whole);
    chiprun_profile_loads(root, c);
    return root;
}
