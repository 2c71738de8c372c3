/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "json.h"

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

/* Another word, the same thing. */
static bool alike(const struct flow_found *a, const struct flow_found *b)
{
    return !is_hazard(a) && a->finding.category == b->finding.category &&
           a->finding.rule == b->finding.rule &&
           strcmp(a->finding.message, b->finding.message) == 0;
}

/* How many findings before (or behind) this one are like it. */
static size_t alikes(const struct lint_result *r, size_t index, bool before)
{
    size_t count = 0;
    for (size_t i = before ? 0 : index + 1; i < (before ? index : r->run.count); i++) {
        count += alike(&r->run.found[index], &r->run.found[i]) ? 1 : 0;
    }
    return count;
}

static void print_found(FILE *stream, const struct lint_result *r, const struct flow_found *f)
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
    const size_t more = alikes(r, (size_t)(f - r->run.found), false);
    if (more > 0) {
        fprintf(stream, "; the same at %zu more word%s", more, more == 1 ? "" : "s");
    }
    fprintf(stream, ")%s\n", f->cured ? ": an SFPNOP in front of it is missing" : "");
}

void lint_print(FILE *stream, const struct lint_result *r)
{
    char where[320];
    for (unsigned pass = 0; pass < 2; pass++) {
        bool headed = false;
        for (size_t i = 0; i < r->run.count; i++) {
            if (is_hazard(&r->run.found[i]) != (pass == 0) || alikes(r, i, true) > 0) {
                continue;
            }
            if (pass == 1 && !headed) {
                fprintf(stream, "%s: other findings on %s:\n", r->file, tx_arch_name(r->arch));
                headed = true;
            }
            print_found(stream, r, &r->run.found[i]);
        }
    }
    for (size_t i = 0; i < r->nop_count; i++) {
        const struct lint_nop *n = &r->nops[i];
        fprintf(stream, "%s: %s [%s] %s: %s", place(r, n->site, where),
                n->kind == NOP_SUPERFLUOUS ? "superfluous SFPNOP" : "note: SFPNOP costs nothing",
                n->rule, tx_arch_short(r->arch), n->text);
        if (n->kind == NOP_SUPERFLUOUS) {
            fprintf(stream, "; without it %llu cycles less", (unsigned long long)n->cycles);
        }
        fputc('\n', stream);
    }
    fprintf(stream, "%s%s%s on %s: %zu hazards, %zu other findings, %zu superfluous SFPNOPs",
            r->file, r->function != NULL ? ": " : "", r->function != NULL ? r->function : "",
            tx_arch_name(r->arch), lint_hazards(r), lint_others(r), lint_superfluous(r));
    if (r->flow.skipped != 0) {
        fprintf(stream, ", %llu words of other units skipped", (unsigned long long)r->flow.skipped);
    }
    fputc('\n', stream);
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
    return root;
}
