/* SPDX-License-Identifier: Apache-2.0 */
/* Watching a chip: its listeners, the places in programs, and results as values. */
#include <tensix/facts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/small.h"
#include "order/memo.h"

#include "base/options.h"

uint32_t order_actor(struct txl_order *o)
{
    return ++o->actors;
}

struct order_core *order_core(struct txl_order *o, uint32_t tile, unsigned core)
{
    const uint32_t number = tile * ORDER_CORES + core;
    if (tile >= ORDER_TILES || core >= TX_CORES || o->tile[tile].tile == NULL) {
        return NULL;
    }
    if (o->core[number] == NULL) {
        struct order_core *c = calloc(1, sizeof *c);
        if (c == NULL) {
            o->failed = true;
            return NULL;
        }
        c->number = number;
        c->actor = order_actor(o);
        c->store_actor = order_actor(o);
        o->core[number] = c;
    }
    return o->core[number];
}

/* ---- places ---- */

uint32_t order_register(const struct txl_order *o, uint32_t core, unsigned x)
{
    uint32_t value = 0;
    (void)tx_core_read(o->tile[core / ORDER_CORES].tile, (enum tx_core)(core % ORDER_CORES), x,
                       &value);
    return value;
}

bool order_peek(const struct txl_order *o, uint32_t memory, uint64_t address, uint32_t *value)
{
    uint8_t b[4];
    tx_tensix *tile = memory < ORDER_TILES ? o->tile[memory].tile : NULL;
    const bool stream = order_is_stream(o, address);
    if (tile == NULL || (address >= tx_l1_size(o->arch) && !stream) ||
        tx_tensix_read(tile, (uint32_t)address, b, sizeof b) != TX_OK) {
        return false;
    }
    *value = word_of_bytes(b);
    return true;
}

/* Finds a site among all, or adds it. Returns its index + 1; 0 without memory. */
static uint32_t site_find(struct txl_order *o, const struct order_site *own)
{
    uint32_t *number = hash_at(&o->site_of, own, offsetof(struct order_site, place));
    if (number == NULL || !LIST_ONE(o->sites, o->site_count, o->site_room, o->failed)) {
        o->failed = true;
        return 0;
    }
    if (*number == 0) {
        o->sites[o->site_count++] = *own;
        *number = (uint32_t)o->site_count;
    }
    return *number;
}

uint32_t order_site(struct txl_order *o, struct order_core *core, uint32_t pc)
{
    enum { RA = 1 };
    const uint32_t tile = core->number / ORDER_CORES;
    struct order_site own = {
        core->number, pc, order_register(o, core->number, RA), core->program, 0, 0, NULL};
    const unsigned i = (pc >> 2 ^ own.caller >> 3) % ORDER_LAST_SITES;
    if (core->last_site[i].site != 0 && core->last_site[i].pc == pc &&
        core->last_site[i].caller == own.caller &&
        core->last_site[i].epoch == o->code_epoch[tile]) {
        return core->last_site[i].site - 1;
    }
    if (o->folders != NULL && pc != 0) {
        own.text = order_text_at(o, core->number, pc);
        own.caller_text = order_text_at(o, core->number, own.caller - 4);
    }
    order_code_used(o, tile, pc);
    core->last_site[i].pc = pc;
    core->last_site[i].caller = own.caller;
    core->last_site[i].epoch = o->code_epoch[tile];
    core->last_site[i].site = site_find(o, &own);
    return core->last_site[i].site - 1; /* ORDER_NONE without memory */
}

static void place_text(char *to, size_t size, const struct tile_place *place, bool line)
{
    const char *slash = strrchr(place->file, '/');
    const char *name = slash != NULL ? slash + 1 : place->file;
    if (line) {
        snprintf(to, size, "%.100s:%u", name, place->line);
    } else {
        snprintf(to, size, "%.120s", name);
    }
    txl_mask_controls(to);
}

static bool is_header(const char *file)
{
    const char *end = strrchr(file, '.');
    return end != NULL && (strcmp(end, ".h") == 0 || strcmp(end, ".hpp") == 0);
}

/* Whether it is one of the vendor's files around kernels, into which kernels are inlined. */
static bool is_wrapper(const char *file)
{
    static const char *const ends[] = {"brisck.cc", "ncrisck.cc", "trisck.cc", "erisck.cc"};
    const size_t n = strlen(file);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (n >= strlen(ends[i]) && strcmp(file + n - strlen(ends[i]), ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The lines of an instruction in the program that is named, or in the one that was found. */
static unsigned places_of(struct txl_order *o, uint32_t program, uint32_t text, uint32_t pc,
                          struct tile_place *places)
{
    if (program != 0) {
        return tile_places(&o->program[program - 1].p, pc, places, TILE_CALLS);
    }
    const struct order_text *t = text != 0 ? &o->text[text - 1] : NULL;
    return t != NULL && t->path != 0
               ? tile_places(&o->program[t->path - 1].p, t->address, places, TILE_CALLS)
               : 0;
}

static void find_place(struct txl_order *o, uint32_t site, struct txl_order_site *to)
{
    *to = (struct txl_order_site){.core = "host"};
    if (site >= o->site_count) {
        return;
    }
    const struct order_site *s = &o->sites[site];
    struct tile_place places[TILE_CALLS];
    to->core = tx_core_name((enum tx_core)(s->core % ORDER_CORES));
    to->tile_x = s->core / ORDER_CORES % o->width;
    to->tile_y = s->core / ORDER_CORES / o->width;
    to->pc = s->pc;
    unsigned count = s->pc != 0 ? places_of(o, s->program, s->text, s->pc, places) : 0;
    if (count == 0) { /* or a unit of the coprocessor */
        return;
    }
    count -= count > 1 && is_wrapper(places[count - 1].file);
    place_text(to->inner, sizeof to->inner, &places[0], true);
    if (is_header(places[count - 1].file)) { /* a function of a header: who called it? */
        struct tile_place calls[TILE_CALLS];
        const bool own =
            s->text == 0 ||
            (s->caller_text != 0 && o->text[s->text - 1].path == o->text[s->caller_text - 1].path);
        const unsigned more =
            own ? places_of(o, s->program, s->caller_text, s->caller - 4, calls) : 0;
        if (more != 0 && !is_wrapper(calls[more - 1].file)) {
            memcpy(places, calls, sizeof places);
            count = more;
        }
    }
    place_text(to->file, sizeof to->file, &places[count - 1], false);
    to->line = places[count - 1].line;
}

/* Lines are kept once no more programs come, as finding them is slow. */
void order_place(struct txl_order *o, uint32_t site, struct txl_order_site *to)
{
    if (!o->ended || site >= o->site_count) {
        find_place(o, site, to);
        return;
    }
    struct txl_order_site **kept = &o->sites[site].place;
    if (*kept == NULL) {
        *kept = malloc(sizeof **kept);
        if (*kept == NULL) {
            find_place(o, site, to);
            return;
        }
        find_place(o, site, *kept);
    }
    *to = **kept;
}

/* ---- listening ---- */

static void chip_order(void *user, const struct tx_chip_order *t)
{
    struct txl_order *o = user;
    if (t->kind <= TX_CHIP_ORDER_STORE) {
        order_core_register(o, t);
    } else {
        order_noc_order(o, t);
    }
}

static void find_banks(struct txl_order *o)
{
    uint32_t width;
    uint32_t height;
    tx_chip_grid(o->chip, &width, &height);
    o->width = width;
    for (uint32_t i = 0; i < width * height && i < ORDER_TILES; i++) {
        struct tx_chip_tile tile;
        if (tx_chip_tile_at(o->chip, i, &tile) != TX_OK) {
            continue;
        }
        o->kind[i] = (uint8_t)tile.kind;
        o->off[i] = tile.off;
        o->bank[i] = tile.kind == TX_CHIP_DRAM ? tile.number + 1 : 0;
        o->tile[i] = (struct order_tile){o, i, tx_chip_tensix(o->chip, i), 0};
        if (o->tile[i].tile != NULL) {
            const struct tx_order_sink sink = {order_core_order, &o->tile[i]};
            tx_order_listen(tx_tensix_machine(o->tile[i].tile), &sink);
        }
    }
}

/* What the board's firmware has written before any program runs. */
static void firmware_gives(struct txl_order *o)
{
    struct tx_chip_settings s = {.size = sizeof s};
    tx_chip_settings_of(o->chip, &s);
    const uint32_t bytes = s.raw ? 0 : tx_arch_fact(o->arch, TX_FACT_FIRMWARE_SCRATCH_BYTES);
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        if (o->tile[i].tile != NULL && bytes != 0) {
            order_shadow_given(o, i, tx_arch_fact(o->arch, TX_FACT_FIRMWARE_SCRATCH), bytes);
        }
    }
}

int txl_order_watch(struct txl_error *err, tx_chip *chip, const struct txl_order_options *options,
                    txl_order **order)
{
    struct txl_order_options how;
    *order = NULL;
    if (options_take(err, &how, sizeof how, options) != TXL_CONTINUE ||
        options_reserved(err, how.reserved, sizeof how.reserved) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    struct txl_order *o = zeroed(err, 1, sizeof *o);
    if (o == NULL) {
        return TXL_INPUT;
    }
    o->chip = chip;
    o->arch = tx_chip_arch(chip);
    o->documented = how.documented;
    o->test = how.test;
    o->user = how.user;
    o->niu_first = tx_arch_fact(o->arch, TX_FACT_AT_NIU);
    o->niu_bytes = (tx_arch_fact(o->arch, TX_FACT_END_NIU) - o->niu_first) / 2;
    o->stream_first = tx_arch_fact(o->arch, TX_FACT_AT_OVERLAY);
    o->stream_end = tx_arch_fact(o->arch, TX_FACT_END_OVERLAY);
    o->stream_bytes = tx_arch_fact(o->arch, TX_FACT_STREAM_BYTES);
    o->stream_update = tx_arch_fact(o->arch, TX_FACT_STREAM_UPDATE);
    o->stream_available = tx_arch_fact(o->arch, TX_FACT_STREAM_AVAILABLE);
    o->folders = how.elf_folders != NULL ? strdup(how.elf_folders) : NULL;
    o->letters = zeroed(err, (size_t)ORDER_TILES * ORDER_CORES * ORDER_CORES, sizeof *o->letters);
    o->memo = order_memo_new();
    if (o->letters == NULL || o->memo == NULL || (how.elf_folders != NULL && o->folders == NULL)) {
        free(o->letters);
        free(o->memo);
        free(o->folders);
        free(o);
        return TXL_INPUT;
    }
    o->host_actor = order_actor(o);
    find_banks(o);
    firmware_gives(o);
    const struct tx_chip_order_sink sink = {chip_order, o};
    tx_chip_order_listen(chip, &sink);
    *order = o;
    return TXL_OK;
}

static void deaf(struct txl_order *o)
{
    if (o->chip == NULL) {
        return;
    }
    tx_chip_order_listen(o->chip, NULL);
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        if (o->tile[i].tile != NULL) {
            tx_order_listen(tx_tensix_machine(o->tile[i].tile), NULL);
        }
    }
    o->chip = NULL;
}

void txl_order_close(txl_order *o)
{
    if (o == NULL) {
        return;
    }
    deaf(o);
    free(o->read);
    free(o->read_wait);
    while (o->strings != NULL) {
        struct order_string *s = o->strings;
        o->strings = s->next;
        free(s);
    }
    order_shadow_close(o);
    order_word_close(o);
    order_noc_close(o);
    order_units_close(o);
    for (uint32_t i = 0; i < ORDER_TILES * ORDER_CORES; i++) {
        struct order_core *c = o->core[i];
        for (unsigned k = 0; c != NULL && k < ORDER_PAST; k++) {
            order_vec_unref(c->past[k].v);
        }
        if (c != NULL) {
            order_vec_unref(c->known);
            order_vec_unref(c->start);
            order_vec_unref(c->later);
            free(c->gives);
            free(c);
        }
    }
    for (size_t i = 0; o->letters != NULL && i < (size_t)ORDER_TILES * ORDER_CORES * ORDER_CORES;
         i++) {
        for (unsigned k = 0; k < o->letters[i].count; k++) {
            order_vec_unref(o->letters[i].v[(o->letters[i].first + k) % 16]);
        }
    }
    for (unsigned i = 0; i < o->programs; i++) {
        tile_program_free(&o->program[i].p);
        free(o->program[i].path);
    }
    txl_order_forget(o);
    free(o->folders);
    free(o->text);
    hash_free(&o->text_of);
    order_vec_unref(o->host);
    free(o->letters);
    free(o->memo);
    for (uint32_t i = 0; i < o->site_count; i++) {
        free(o->sites[i].place);
    }
    free(o->sites);
    hash_free(&o->site_of);
    free(o->conflict);
    hash_free(&o->conflict_of);
    for (size_t i = 0; i < o->founds; i++) {
        free(o->found[i].delays);
        free(o->found[i].witness);
    }
    free(o->found);
    free(o->different);
    for (uint32_t i = 0; i < o->test_count; i++) {
        free(o->tests[i]);
    }
    free(o->tests);
    free(o);
}

int txl_order_program(struct txl_error *err, txl_order *o, uint32_t endpoint, enum tx_core core,
                      const char *path)
{
    struct order_core *c = order_core(o, endpoint, core);
    if (c == NULL || o->programs == TXL_ORDER_PROGRAMS) {
        return txl_fail(err, c == NULL ? "there is no such core" : "too many programs");
    }
    for (uint32_t i = 0; i < o->programs; i++) { /* it has been read for another tile */
        if (o->program[i].path == NULL && o->program[i].p.core == core &&
            strcmp(o->program[i].p.path, path) == 0) {
            c->program = i + 1;
            return TXL_OK;
        }
    }
    struct order_program *p = &o->program[o->programs];
    p->p = (struct tile_program){.path = path, .core = core};
    const int result = tile_program_read(err, o->arch, &p->p);
    if (result == TXL_CONTINUE) {
        c->program = ++o->programs;
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_order_area(struct txl_error *err, txl_order *o, const struct txl_order_area *area)
{
    if (area->endpoint >= ORDER_TILES) {
        return txl_fail(err, "an allocation is in the memory of an endpoint of the grid");
    }
    struct order_area *one = zeroed(err, 1, sizeof *one);
    if (one == NULL) {
        return TXL_INPUT;
    }
    struct order_area **of = &o->area_of[order_memory_of(o, area->endpoint)];
    *one = (struct order_area){*of, area->address, area->bytes};
    *of = one;
    return TXL_OK;
}

int txl_order_buffer(struct txl_error *err, txl_order *o, const struct txl_order_buffer *b)
{
    if (b->endpoint >= ORDER_TILES || b->pages == 0 || b->page_bytes == 0 || b->id >= 64) {
        return txl_fail(err, "a circular buffer has a number below 64, pages and bytes");
    }
    const uint32_t stream = tx_arch_fact(o->arch, TX_FACT_AT_OVERLAY) +
                            b->id * tx_arch_fact(o->arch, TX_FACT_STREAM_BYTES);
    struct order_buffer **of = &o->buffer_of[b->endpoint];
    struct order_buffer *one = zeroed(err, 1, sizeof *one);
    if (one == NULL) {
        return TXL_INPUT;
    }
    *one =
        (struct order_buffer){.next = *of,
                              .tile = b->endpoint,
                              .id = b->id,
                              .base = b->base,
                              .pages = b->pages,
                              .size = b->page_bytes,
                              .received = stream + tx_arch_fact(o->arch, TX_FACT_STREAM_DEST_SIZE),
                              .acked = stream + tx_arch_fact(o->arch, TX_FACT_STREAM_DEST_START),
                              .producer = ORDER_NONE,
                              .consumer = ORDER_NONE};
    *of = one;
    order_buffer_given(o, b->endpoint);
    return TXL_OK;
}

void txl_order_forget(txl_order *o)
{
    for (uint32_t i = 0; i < sizeof o->area_of / sizeof o->area_of[0]; i++) {
        while (o->area_of[i] != NULL) {
            struct order_area *one = o->area_of[i];
            o->area_of[i] = one->next;
            free(one);
        }
    }
    for (uint32_t i = 0; i < ORDER_TILES; i++) {
        while (o->buffer_of[i] != NULL) {
            struct order_buffer *one = o->buffer_of[i];
            o->buffer_of[i] = one->next;
            free(one);
        }
    }
}

void txl_order_settle(txl_order *o)
{
    order_core_ends(o, true);
}

void txl_order_end(txl_order *o, bool stuck)
{
    order_core_ends(o, !stuck);
    o->hung = stuck;
    order_find_files(o);
    order_judge(o);
    deaf(o);
}

int txl_order_result(struct txl_error *err, const txl_order *o)
{
    if (o->failed) {
        return txl_fail(err, "out of memory");
    }
    bool any = o->reads != 0;
    for (size_t i = 0; i < o->founds; i++) {
        any = any || !o->found[i].dropped;
    }
    return any ? TXL_NEGATIVE : TXL_OK;
}

const struct txl_order_found *txl_order_found_at(txl_order *o, size_t index)
{
    if (o->is_read) {
        return index < o->reads ? &o->read[index] : NULL;
    }
    for (size_t i = 0; i < o->founds; i++) {
        const struct order_found *f = &o->found[i];
        if (f->dropped || index-- != 0) {
            continue;
        }
        struct txl_order_found *r = &o->result;
        *r = (struct txl_order_found){.known = f->known,
                                      .kind = (enum txl_order_kind)f->kind,
                                      .name = txl_order_kind_name((enum txl_order_kind)f->kind),
                                      .why = f->why,
                                      .sites = f->sites,
                                      .times = f->times,
                                      .delays = f->delays,
                                      .witness = f->witness,
                                      .tried = f->tried,
                                      .more = f->more,
                                      .cycle = f->cycle,
                                      .test = f->test != 0 ? o->tests[f->test - 1] : NULL,
                                      .address = f->address,
                                      .dram = f->memory != ORDER_NONE && order_is_dram(f->memory)};
        if (f->memory < ORDER_TILES) {
            r->memory_x = f->memory % o->width;
            r->memory_y = f->memory / o->width;
        }
        for (unsigned k = 0; k < f->sites; k++) {
            order_place(o, f->site[k], &r->site[k]);
        }
        return r;
    }
    return NULL;
}
