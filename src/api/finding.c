/* SPDX-License-Identifier: Apache-2.0 */
/* A finding as a sentence and as JSON, the same wherever it is shown. */
#include <tensix/asm.h>
#include <tensix/finding.h>
#include <tensix/tile.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "isa/evidence.h"

static const char *rule_of(const struct tx_finding *f)
{
    return f->rule != NULL ? f->rule : "-";
}

const char *tx_finding_text(const struct tx_finding *finding, char *text, size_t size)
{
    (void)snprintf(text, size, "%s: %s [%s]", tx_category_name(finding->category), finding->message,
                   rule_of(finding));
    return text;
}

/* What has been written so far; length goes on counting where there is no more room. */
struct line {
    char *text;
    size_t size, length;
};

static void finding_put(struct line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t used = l->length < l->size ? l->length : l->size;
    const int n = vsnprintf(l->size != 0 ? l->text + used : NULL, l->size - used, format, args);
    va_end(args);
    l->length += n > 0 ? (size_t)n : 0;
}

static void put_string(struct line *l, const char *key, const char *text)
{
    finding_put(l, "\"%s\": \"", key);
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ') {
            finding_put(l, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            finding_put(l, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
        }
    }
    finding_put(l, "\"");
}

bool tx_finding_instruction(const struct tx_finding *finding, char *text, size_t size)
{
    const struct tx_finding *f = finding;
    char core[8];
    unsigned pc;
    return sscanf(f->message, "core %7s at %8x", core, &pc) != 2 &&
           tx_disassemble(f->arch, f->word, TX_DIS_NORMAL, text, size) == TX_OK;
}

size_t tx_finding_json(const struct tx_finding *finding, char *text, size_t size)
{
    const struct tx_finding *f = finding;
    struct line l = {.text = text, .size = size};
    char insn[128];
    finding_put(&l, "{");
    put_string(&l, "category", tx_category_name(f->category));
    finding_put(&l, ", ");
    put_string(&l, "rule", rule_of(f));
    finding_put(&l, ", ");
    put_string(&l, "message", f->message);
    finding_put(&l, ", ");
    put_string(&l, "arch", tx_arch_name(f->arch));
    finding_put(&l, ", \"thread\": %u, \"cycle\": %llu, \"index\": %llu, \"word\": \"0x%08x\"",
                f->thread, (unsigned long long)f->cycle, (unsigned long long)f->index,
                (unsigned)f->word);
    if (tx_finding_instruction(f, insn, sizeof insn)) {
        finding_put(&l, ", ");
        put_string(&l, "text", insn);
    }
    finding_put(&l, ", \"lanes\": \"0x%08x\", \"count\": %llu", (unsigned)f->lanes,
                (unsigned long long)f->count);
    if (f->pusher != 0) {
        finding_put(&l, ", ");
        put_string(&l, "core", tx_core_name((enum tx_core)(f->pusher - 1)));
        finding_put(&l, ", \"pc\": \"0x%08x\"", (unsigned)f->pusher_pc);
    }
    finding_put(&l, "}");
    return l.length;
}

struct tx_advice tx_finding_advice(const struct tx_finding *finding)
{
    static const struct line_of {
        uint16_t evidence; /* enum evidence_id */
        const char *part;
        struct tx_advice advice;
    } lines[] = {
#define ADVICE(evidence_, part_, on_card_, change_) \
    {EVIDENCE_##evidence_, part_, {on_card_, change_}},
#include "isa/advice.def"
    };
    static const struct {
        enum tx_category category;
        struct tx_advice advice;
    } otherwise[] = {
#define OTHERWISE(category_, on_card_, change_) {TX_##category_, {on_card_, change_}},
#include "isa/advice.def"
    };
    const char *rule = rule_of(finding);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(evidence_get((enum evidence_id)lines[i].evidence)->id, rule) == 0 &&
            strstr(finding->message, lines[i].part) != NULL) {
            return lines[i].advice;
        }
    }
    size_t i = 0;
    while (i + 1 < sizeof otherwise / sizeof otherwise[0] &&
           otherwise[i].category != finding->category) {
        i++;
    }
    return otherwise[i].advice;
}
