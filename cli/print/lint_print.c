/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "lint/lint.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static bool is_hazard(const struct flow_found *f)
{
    return f->finding.category == TX_HAZARD;
}

size_t lint_hazards(const struct lint_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->run.count; i++) {
        count += is_hazard(&r->run.found[i]) ? 1 : 0;
    }
    return count;
}

size_t lint_others(const struct lint_result *r)
{
    return r->run.count - lint_hazards(r);
}

size_t lint_superfluous(const struct lint_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->nop_count; i++) {
        count += r->nops[i].kind == NOP_SUPERFLUOUS ? 1 : 0;
    }
    return count;
}

/* "kernel.s:12", "a.elf: calculate+0x1c", or "kernel.hex: word 7" */
static const char *place(const struct lint_result *r, uint32_t site, char text[320])
{
    const struct flow_site *s = site != FLOW_NOWHERE ? &r->flow.sites[site] : NULL;
    if (s == NULL) {
        snprintf(text, 320, "%.120s", r->file);
    } else if (r->function != NULL) {
        snprintf(text, 320, "%.120s: %.120s+0x%x", r->file, r->function, s->offset);
    } else if (s->line != 0) {
        snprintf(text, 320, "%.120s:%u", s->file != NULL ? s->file : r->file, s->line);
    } else {
        snprintf(text, 320, "%.120s: word %u", r->file, s->offset);
    }
    return text;
}

static const char *disassembly(const struct lint_result *r, uint32_t word, char text[128])
{
    (void)tx_disassemble(r->arch, word, TX_DIS_NORMAL, text, 128);
    return text;
}

/* The same line of the source, as .rept and loops that were recorded give it again and again. */
static bool same_line(const struct lint_result *r, uint32_t a, uint32_t b)
{
    if (a == FLOW_NOWHERE || b == FLOW_NOWHERE) {
        return a == b;
    }
    const struct flow_site *x = &r->flow.sites[a];
    const struct flow_site *y = &r->flow.sites[b];
    return x->line != 0 ? x->line == y->line && x->file == y->file && x->section == y->section
                        : x->word == y->word && y->line == 0;
}

/* Another word, the same thing: a hazard of the same two lines, or the same sentence. */
static bool alike(const struct lint_result *r, const struct flow_found *a,
                  const struct flow_found *b)
{
    if (a->finding.category != b->finding.category || a->finding.rule != b->finding.rule ||
        a->cured != b->cured) {
        return false;
    }
    return (same_line(r, a->site, b->site) && same_line(r, a->producer, b->producer)) ||
           (!is_hazard(a) && strcmp(a->finding.message, b->finding.message) == 0);
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    return (key ^ value) * UINT64_C(0x9E3779B97F4A7C15) ^ key >> 29;
}

static uint64_t mix_text(uint64_t key, const char *text)
{
    for (; *text != '\0'; text++) {
        key = mix(key, (unsigned char)*text);
    }
    return key;
}

static uint64_t mix_line(uint64_t key, const struct lint_result *r, uint32_t site)
{
    if (site == FLOW_NOWHERE) {
        return mix(key, 0);
    }
    const struct flow_site *s = &r->flow.sites[site];
    return s->line != 0 ? mix(mix(mix(key, s->line), (uintptr_t)s->file), s->section)
                        : mix(key, UINT64_C(1) << 32 | s->word);
}

/* Facts by what they have in common, so that long programs with one kind of fault stay quick. */
struct facts {
    uint32_t *slot; /* 0: empty, else a number + 1 */
    size_t mask;
    uint32_t *more; /* how many others are like this one; FLOW_NOWHERE: like one before */
};

static bool make_facts(struct facts *f, size_t count)
{
    f->mask = 15;
    while (f->mask < 4 * count) {
        f->mask = 2 * f->mask + 1;
    }
    f->slot = calloc(f->mask + 1, sizeof *f->slot);
    f->more = calloc(count + 1, sizeof *f->more);
    return f->slot != NULL && f->more != NULL;
}

static void free_facts(struct facts *f)
{
    free(f->slot);
    free(f->more);
}

/* The slot of this key: of one that "is" like number i, or empty. */
static uint32_t *slot_of(const struct facts *f, const struct lint_result *r, uint64_t key,
                         uint32_t i,
                         bool (*is)(const struct lint_result *r, uint32_t a, uint32_t b))
{
    size_t at = (size_t)(key ^ key >> 32) & f->mask;
    while (f->slot[at] != 0 && !is(r, f->slot[at] - 1, i)) {
        at = (at + 1) & f->mask;
    }
    return &f->slot[at];
}

static void put_together(struct facts *f, uint32_t *const slots[], unsigned count, uint32_t i)
{
    uint32_t leader = 0;
    for (unsigned k = 0; k < count && leader == 0; k++) {
        leader = *slots[k];
    }
    if (leader != 0) {
        f->more[leader - 1]++;
        f->more[i] = FLOW_NOWHERE;
    }
    for (unsigned k = 0; k < count; k++) {
        *slots[k] = *slots[k] != 0 ? *slots[k] : leader != 0 ? leader : i + 1;
    }
}

static bool found_alike(const struct lint_result *r, uint32_t a, uint32_t b)
{
    return alike(r, &r->run.found[a], &r->run.found[b]);
}

static void group_found(struct facts *f, const struct lint_result *r)
{
    for (uint32_t i = 0; i < r->run.count; i++) {
        const struct flow_found *x = &r->run.found[i];
        const uint64_t key = mix(mix(x->finding.category, (uintptr_t)x->finding.rule), x->cured);
        const uint64_t keys[] = {mix_line(mix_line(key, r, x->site), r, x->producer),
                                 mix_text(~key, x->finding.message)};
        const unsigned count = is_hazard(x) ? 1 : 2;
        uint32_t *slots[2];
        for (unsigned k = 0; k < count; k++) {
            slots[k] = slot_of(f, r, keys[k], i, found_alike);
        }
        put_together(f, slots, count, i);
    }
}

static bool nop_alike(const struct lint_result *r, uint32_t a, uint32_t b)
{
    const struct lint_nop *x = &r->nops[a];
    const struct lint_nop *y = &r->nops[b];
    return x->kind == y->kind && x->rule == y->rule && same_line(r, x->site, y->site) &&
           strcmp(x->text, y->text) == 0;
}

static void group_nops(struct facts *f, const struct lint_result *r)
{
    for (uint32_t i = 0; i < r->nop_count; i++) {
        const struct lint_nop *n = &r->nops[i];
        const uint64_t key = mix_text(mix(n->kind, (uintptr_t)n->rule), n->text);
        uint32_t *const slot = slot_of(f, r, mix_line(key, r, n->site), i, nop_alike);
        put_together(f, &slot, 1, i);
    }
}

static void print_more(FILE *stream, uint32_t more)
{
    if (more > 0) {
        fprintf(stream, "; the same at %u more word%s", more, more == 1 ? "" : "s");
    }
}

static void print_found(FILE *stream, const struct lint_result *r, const struct flow_found *f,
                        uint32_t more)
{
    char where[320];
    char text[128];
    bool of_word = f->finding.word != 0; /* else of the whole program, at its end */
    fprintf(stream, "%s: %s [%s] %s: %s (%s%scycle %llu", place(r, f->site, where),
            is_hazard(f) ? "hazard" : tx_category_name(f->finding.category),
            f->finding.rule != NULL ? f->finding.rule : "-", tx_arch_short(r->arch),
            f->finding.message, of_word ? disassembly(r, f->finding.word, text) : "",
            of_word ? ", " : "", (unsigned long long)f->finding.cycle);
    if (f->producer != FLOW_NOWHERE) {
        fprintf(stream, "; producer at %s: %s, cycle %llu", place(r, f->producer, where),
                disassembly(r, r->flow.sites[f->producer].word, text),
                (unsigned long long)f->producer_cycle);
    }
    if (f->count > 1) {
        fprintf(stream, "; %llu times", (unsigned long long)f->count);
    }
    print_more(stream, more);
    fprintf(stream, ")%s\n", f->cured ? ": an SFPNOP in front of it is missing" : "");
}

static void print_findings(FILE *stream, const struct lint_result *r, const struct facts *facts)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        bool headed = false;
        for (size_t i = 0; i < r->run.count; i++) {
            if (is_hazard(&r->run.found[i]) != (pass == 0) || facts->more[i] == FLOW_NOWHERE) {
                continue;
            }
            if (pass == 1 && !headed) {
                fprintf(stream, "%s: other findings on %s:\n", r->file, tx_arch_name(r->arch));
                headed = true;
            }
            print_found(stream, r, &r->run.found[i], facts->more[i]);
        }
    }
}

static void print_nops(FILE *stream, const struct lint_result *r, const struct facts *facts)
{
    char where[320];
    for (size_t i = 0; i < r->nop_count; i++) {
        const struct lint_nop *n = &r->nops[i];
        if (facts->more[i] == FLOW_NOWHERE) {
            continue;
        }
        fprintf(stream, "%s: %s [%s] %s: %s", place(r, n->site, where),
                n->kind == NOP_SUPERFLUOUS ? "superfluous SFPNOP" : "note: SFPNOP costs nothing",
                n->rule, tx_arch_short(r->arch), n->text);
        if (n->kind == NOP_SUPERFLUOUS) {
            fprintf(stream, "; without it %llu cycles less", (unsigned long long)n->cycles);
        }
        print_more(stream, facts->more[i]);
        fputc('\n', stream);
    }
}

static void print_summary(FILE *stream, const struct lint_result *r)
{
    fprintf(stream, "%s%s%s on %s: %zu hazards, %zu other findings, %zu superfluous SFPNOPs",
            r->file, r->function != NULL ? ": " : "", r->function != NULL ? r->function : "",
            tx_arch_name(r->arch), lint_hazards(r), lint_others(r), lint_superfluous(r));
    if (r->flow.skipped != 0) {
        fprintf(stream, ", %llu words of other units skipped", (unsigned long long)r->flow.skipped);
    }
    if (r->flow.unrecorded != 0) {
        fprintf(stream, ", %llu replayed words that it does not record skipped",
                (unsigned long long)r->flow.unrecorded);
    }
    if (r->run.ended) {
        fprintf(stream,
                "; not through after %llu cycles, the rest was not looked at (--max-cycles)",
                (unsigned long long)r->run.cycles);
    }
    fputc('\n', stream);
}

bool lint_print(FILE *stream, const struct lint_result *r)
{
    struct facts found = {.slot = NULL};
    struct facts nops = {.slot = NULL};
    const bool good = make_facts(&found, r->run.count) && make_facts(&nops, r->nop_count);
    if (good) {
        group_found(&found, r);
        group_nops(&nops, r);
        print_findings(stream, r, &found);
        print_nops(stream, r, &nops);
        print_summary(stream, r);
    }
    free_facts(&found);
    free_facts(&nops);
    return good;
}

static json_t *place_json(const struct lint_result *r, uint32_t site)
{
    if (site == FLOW_NOWHERE) {
        return json_null();
    }
    const struct flow_site *s = &r->flow.sites[site];
    char text[128];
    json_t *object = json_object();
    if (r->function == NULL) {
        jx_set_text(object, "section", s->section == TX_SECTION_INIT ? "init" : "tile");
    }
    jx_set_int(object, "offset", s->offset);
    if (s->file != NULL) {
        jx_set_text(object, "source", s->file);
    }
    if (s->line != 0) {
        jx_set_int(object, "line", s->line);
    }
    jx_set_hex(object, "word", s->word);
    jx_set_text(object, "text", disassembly(r, s->word, text));
    return object;
}

json_t *lint_json(const struct lint_result *r)
{
    json_t *root = json_object();
    jx_set_text(root, "file", r->file);
    jx_set_text(root, "function", r->function);
    jx_set_text(root, "arch", tx_arch_name(r->arch));
    json_t *list = json_array();
    for (size_t i = 0; i < r->run.count; i++) {
        const struct flow_found *f = &r->run.found[i];
        json_t *object = jx_finding(&f->finding, f->count);
        json_object_set_new(object, "place", place_json(r, f->site));
        json_object_set_new(object, "producer", place_json(r, f->producer));
        if (f->producer != FLOW_NOWHERE) {
            jx_set_int(object, "producer_cycle", f->producer_cycle);
        }
        jx_set_bool(object, "sfpnop_missing", f->cured);
        json_array_append_new(list, object);
    }
    json_object_set_new(root, "findings", list);
    json_t *nops = json_array();
    for (size_t i = 0; i < r->nop_count; i++) {
        const struct lint_nop *n = &r->nops[i];
        json_t *object = json_object();
        jx_set_text(object, "kind", n->kind == NOP_SUPERFLUOUS ? "superfluous" : "free");
        jx_set_text(object, "rule", n->rule);
        jx_set_text(object, "text", n->text);
        jx_set_int(object, "cycles", n->cycles);
        json_object_set_new(object, "place", place_json(r, n->site));
        json_array_append_new(nops, object);
    }
    json_object_set_new(root, "nops", nops);
    jx_set_int(root, "hazards", lint_hazards(r));
    jx_set_int(root, "others", lint_others(r));
    jx_set_int(root, "superfluous", lint_superfluous(r));
    jx_set_int(root, "cycles", r->run.cycles);
    jx_set_int(root, "skipped", r->flow.skipped);
    jx_set_int(root, "unrecorded", r->flow.unrecorded);
    jx_set_bool(root, "complete", !r->run.ended);
    return root;
}
