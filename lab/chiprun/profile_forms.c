/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's forms of a profile. Requests as tt-metal's profiler writes events of the NoC, which
 * tt-npe reads (convertNocTracesToNpeWorkload of tt-npe 23130223: sorted by place, processor and
 * time; coordinates of NoC 0); a row of the table of operations that tt-perf-report reads
 * (OPS_CSV_HEADER of tt-metal's process_ops_logs.py); the log of the device profiler
 * (import_device_profile_log of its process_device_log.py: 15 columns).
 */
#include "base/small.h"
#include "chiprun/profiled.h"
#include "base/json_put.h"
#include "page/op_table.h"

#include <stdlib.h>
#include <string.h>

static const char *const processors[TX_CORES + 1] = {
    [TX_CORE_B] = "BRISC",    [TX_CORE_T0] = "TRISC_0", [TX_CORE_T1] = "TRISC_1",
    [TX_CORE_T2] = "TRISC_2", [TX_CORE_NC] = "NCRISC",  [TX_CORES] = "BRISC"};

static unsigned long long wide(uint64_t value)
{
    return value;
}

static double mhz(const struct chiprun_profile *c)
{
    return (double)tx_arch_fact(c->arch, TX_FACT_CLOCK_MHZ);
}

/* ---- events of the NoC ---- */

static int by_place(const void *a, const void *b)
{
    const struct chiprun_moved *x = *(const struct chiprun_moved *const *)a;
    const struct chiprun_moved *y = *(const struct chiprun_moved *const *)b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->core != y->core) {
        return x->core < y->core ? -1 : 1;
    }
    return x->go != y->go ? (x->go < y->go ? -1 : 1) : (x < y ? -1 : x > y);
}

static const char *type_of(const struct chiprun_moved *m)
{
    return m->kind == 0   ? "READ"
           : m->kind == 1 ? "SEMAPHORE_INC"
           : m->many      ? "WRITE_MULTICAST"
                          : "WRITE_";
}

static void put_event(struct json_put *j, const struct chiprun_profile *c,
                      const struct chiprun_moved *m, const char *program, uint64_t first)
{
    json_put_break(j);
    json_put_open(j, NULL, '{');
    if (program != NULL) {
        json_put_uint(j, "run_host_id", 0);
        json_put_text(j, "op_name", program);
    }
    json_put_text(j, "proc", processors[m->core]);
    json_put_text(j, "noc", m->noc == 0 ? "NOC_0" : "NOC_1");
    json_put_int(j, "vc", m->channel == 255 ? -1 : m->channel);
    json_put_uint(j, "src_device_id", 0);
    json_put_uint(j, "sx", m->from % c->width);
    json_put_uint(j, "sy", m->from / c->width);
    json_put_uint(j, "num_bytes", m->length);
    json_put_text(j, "type", type_of(m));
    json_put_uint(j, "timestamp", first + m->go);
    if (m->many) {
        const unsigned start = m->noc == 0 ? 0 : 2; /* NOC 1 goes the other way */
        json_put_uint(j, "mcast_start_x", m->box[start]);
        json_put_uint(j, "mcast_start_y", m->box[start + 1]);
        json_put_uint(j, "mcast_end_x", m->box[2 - start]);
        json_put_uint(j, "mcast_end_y", m->box[3 - start]);
    } else {
        json_put_uint(j, "dst_device_id", 0);
        json_put_uint(j, "dx", m->to % c->width);
        json_put_uint(j, "dy", m->to / c->width);
    }
    json_put_close(j, '}');
}

void chiprun_profile_events(FILE *out, const struct chiprun_profile *c, const char *program,
                            uint64_t first)
{
    struct json_put j = {.stream = out};
    const struct chiprun_moved **list = malloc((c->moved_count + 1) * sizeof *list);
    json_put_open(&j, NULL, '[');
    for (size_t i = 0; i < c->moved_count && list != NULL; i++) {
        list[i] = &c->moved[i];
    }
    if (list != NULL && c->moved_count != 0) {
        qsort(list, c->moved_count, sizeof *list, by_place);
    }
    for (size_t i = 0; i < c->moved_count && list != NULL; i++) {
        put_event(&j, c, list[i], program, first);
    }
    json_put_end_line(&j);
    json_put_close(&j, ']');
    json_put_end_line(&j);
    free(list);
}

/* ---- when cores run ---- */

/* Firmware waits for its kernel's turn, and then for the next one, at a word of its mailboxes. */
static bool in_firmware(const struct chiprun_profile *c, const struct profile_state *s)
{
    return c->firmware && s->end == END_POLL && s->address < CHIPRUN_MAILBOXES;
}

/*
 * From the first cycle to the last in which a core is neither in reset nor at rest nor before or
 * behind its kernel. False: there is none.
 */
static bool core_runs(const struct chiprun_profile *c, const txl_profile *p, unsigned core,
                      uint64_t *from, uint64_t *to)
{
    const struct profile_lane_data *l = &p->lane[LANE_CORE + core];
    bool any = false;
    for (size_t i = 0; i < l->span_count; i++) {
        const struct profile_state *s = &l->states[l->spans[i].state];
        if (s->kind != TXL_PROFILE_IDLE && !in_firmware(c, s)) {
            *from = any ? *from : l->spans[i].from;
            *to = i + 1 < l->span_count ? l->spans[i + 1].from : p->total;
            any = true;
        }
    }
    return any;
}

uint64_t chiprun_profile_longest(const struct chiprun_profile *c, unsigned core)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < c->parts; i++) {
        uint64_t from = 0;
        uint64_t to = 0;
        if (core_runs(c, c->part[i].p, core, &from, &to) && to - from > most) {
            most = to - from;
        }
    }
    return most;
}

/* ---- the table of operations ---- */

static void operations(FILE *out, const struct chiprun_profile *c)
{
    static const enum tx_core cores[] = {TX_CORE_B, TX_CORE_NC, TX_CORE_T0, TX_CORE_T1, TX_CORE_T2};
    struct page_op op = {.code = "Program",
                         .arch = tx_arch_name(c->arch),
                         .at_least = c->whole->result.at_least,
                         .call = 1,
                         .cores = c->parts,
                         .cycles = c->whole->result.cycles,
                         .mhz = mhz(c)};
    for (unsigned i = 0; i < PAGE_OP_CORES; i++) {
        op.of[i] = chiprun_profile_longest(c, cores[i]);
    }
    page_op_head(out);
    page_op_row(out, &op);
}

/* ---- the log of the device profiler ---- */

static void put_mark(FILE *out, const struct chiprun_profile *c, size_t index, unsigned core,
                     const char *zone, bool starts, uint64_t cycle)
{
    fprintf(out, "0,%u,%u,%s,%u,%llu,0,0,,,%s,%s,0,program,\n", (unsigned)(index % c->width),
            (unsigned)(index / c->width), processors[core], (core << 8 | (starts ? 1u : 2u)),
            wide(cycle), zone, starts ? "ZONE_START" : "ZONE_END");
}

static void device_log(FILE *out, const struct chiprun_profile *c)
{
    fprintf(out,
            "ARCH: %s, CHIP_FREQ[MHz]: %.0f, Max Compute Cores: %u\n"
            "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], "
            "data, run host ID, trace id, trace id counter, zone name, type, source line, source "
            "file, meta data\n",
            tx_arch_name(c->arch), mhz(c), c->cores);
    for (unsigned i = 0; i < c->parts; i++) {
        for (unsigned core = 0; core < TX_CORES; core++) {
            char zone[32];
            uint64_t from = 0;
            uint64_t to = 0;
            if (!core_runs(c, c->part[i].p, core, &from, &to)) {
                continue;
            }
            const bool compute = core != TX_CORE_B && core != TX_CORE_NC;
            snprintf(zone, sizeof zone, "%s-KERNEL", compute ? "TRISC" : processors[core]);
            put_mark(out, c, c->part[i].index, core, zone, true, from);
            put_mark(out, c, c->part[i].index, core, zone, false, to);
        }
    }
}

bool chiprun_profile_form(FILE *out, const struct chiprun_profile *c, const char *path)
{
    if (text_ends_in(path, ".noc.json")) {
        chiprun_profile_events(out, c, "program", 0);
    } else if (text_ends_in(path, ".ops.csv")) {
        operations(out, c);
    } else if (text_ends_in(path, ".device.csv")) {
        device_log(out, c);
    } else {
        return false;
    }
    return true;
}
