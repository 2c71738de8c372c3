/* SPDX-License-Identifier: Apache-2.0 */
/* What SFPLOADMACRO needs, as clauses: templates and sequences, and who shares them. */
#include "schedule/model.h"

enum { BACKDOOR = 12 }; /* the destination of a template: the SFPLOADMACRO's register */

/* ---- templates and sequences ---- */

/* What a template contains: the variable of each word without registers, and what fields name. */
struct content {
    uint32_t word[SCHED_OPS * MODEL_KINDS];
    int is[SCHED_OPS * MODEL_KINDS];
    unsigned words;
    int named[SCHED_OPERANDS][MODEL_REGS];
};

static int word_of(struct model *m, struct content *content, uint32_t word)
{
    unsigned i = 0;
    while (i < content->words && content->word[i] != word) {
        i++;
    }
    if (i == content->words) {
        content->word[i] = word;
        content->is[i] = model_fresh(m);
        content->words++;
    }
    return content->is[i];
}

/* The template j is as this kind of the op needs it, where the op uses it in this phase. */
static void serves(struct model *m, struct content *content, unsigned j, unsigned op, unsigned k,
                   unsigned p)
{
    const struct sched_op *o = &m->body->op[op];
    const struct model_kind *kind = &m->kind[op][k];
    const struct sched_form *form = &o->form[kind->form];
    const unsigned own = model_own(o, kind);
    const int uses = m->template[op][p][j];
    MODEL_RULE(m, -uses, -m->is[op][k], word_of(m, content, form->word));
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        if (i == own && sched_tied(form, i)) {
            /* The field of the destination stands for both. */
            MODEL_RULE(m, -uses, -m->is[op][k], content->named[i][BACKDOOR]);
        }
        /* What the SFPLOADMACRO's register replaces may be anything. */
        for (unsigned r = 0;
             form->operand[i] != SCHED_NONE && i != own && i != SCHED_OLD && r < MODEL_REGS; r++) {
            MODEL_RULE(m, -uses, -m->is[op][k], -m->field[op][i][p][r], content->named[i][r]);
        }
    }
}

static void template(struct model *m, unsigned j)
{
    struct content content = {.words = 0};
    for (unsigned i = 0; i < SCHED_OPERANDS; i++) {
        for (unsigned r = 0; r < MODEL_REGS; r++) {
            model_list(m, content.named[i][r] = model_fresh(m));
        }
        model_not_two(m, false);
    }
    for (unsigned o = 0; o < m->body->ops; o++) {
        for (unsigned k = 0; !m->body->op[o].store && k < m->kinds[o] * m->phases; k++) {
            if (m->kind[o][k / m->phases].macro) {
                serves(m, &content, j, o, k / m->phases, k % m->phases);
            }
        }
    }
    for (unsigned i = 0; i < content.words; i++) {
        model_list(m, content.is[i]);
    }
    model_not_two(m, false);
}

static void templates(struct model *m)
{
    const unsigned count = SCHED_MACROS - m->limits->templates;
    for (unsigned o = 0; o < m->body->ops; o++) {
        for (unsigned p = 0; !m->body->op[o].store && p < m->phases; p++) {
            for (unsigned j = 0; j < count; j++) {
                model_list(m, m->template[o][p][j] = model_fresh(m));
            }
            model_not_two(m, true);
            model_list(m, m->plain[o]);
            model_one_of(m);
            /* Their numbers are in the order of their first use. */
            for (unsigned j = 1; j < count; j++) {
                for (unsigned k = 0; k < o * m->phases + p; k++) {
                    if (!m->body->op[k / m->phases].store) {
                        model_list(m, m->template[k / m->phases][k % m->phases][j - 1]);
                    }
                }
                model_list(m, -m->template[o][p][j]);
                model_one_of(m);
            }
        }
    }
    for (unsigned j = 0; j < count; j++) {
        template(m, j);
    }
}

struct part {
    int none, l16, other, template[SCHED_MACROS], delay[SCHED_DELAYS];
};

/* What a sequence says for one sub-unit. */
static void part(struct model *m, struct part *part)
{
    part->none = model_fresh(m);
    part->l16 = model_fresh(m);
    part->other = model_fresh(m);
    for (unsigned j = 0; j < SCHED_MACROS; j++) {
        model_list(m, part->template[j] = model_fresh(m));
    }
    model_not_two(m, false);
    for (unsigned d = 0; d < SCHED_DELAYS; d++) {
        model_list(m, part->delay[d] = model_fresh(m));
    }
    model_not_two(m, false);
}

/* The op is scheduled on this sub-unit by a load that uses the sequence (the variable "both"). */
static void matches(struct model *m, int both, const struct part *part, unsigned op, unsigned p)
{
    MODEL_RULE(m, -both, -part->none);
    MODEL_RULE(m, -both, -m->l16[op], part->l16);
    MODEL_RULE(m, -both, m->l16[op], -part->l16);
    MODEL_RULE(m, -both, -m->other[op], part->other);
    MODEL_RULE(m, -both, m->other[op], -part->other);
    for (unsigned d = 0; d < SCHED_DELAYS; d++) {
        MODEL_RULE(m, -both, -m->delay[op][d], part->delay[d]);
    }
    for (unsigned j = 0; !m->body->op[op].store && j < SCHED_MACROS - m->limits->templates; j++) {
        MODEL_RULE(m, -both, -m->template[op][p][j], part -> template[j]);
    }
}

static void sequence(struct model *m, unsigned q)
{
    struct part parts[4];
    for (unsigned u = 0; u < 4; u++) {
        part(m, &parts[u]);
    }
    for (int t = 0; t < m->times; t++) {
        for (unsigned p = 0; p < m->phases; p++) {
            const int uses = m->sequence[t][p][q];
            for (unsigned u = 0; u < 4; u++) {
                int any[SCHED_OPS + 2];
                unsigned count = 0;
                for (unsigned o = 0; o < m->body->ops; o++) {
                    if (m->unit[o][u] == 0) {
                        continue;
                    }
                    const int both = model_fresh(m);
                    MODEL_RULE(m, -uses, -m->launch[o][t], -m->unit[o][u], both);
                    MODEL_RULE(m, -both, m->launch[o][t]);
                    MODEL_RULE(m, -both, m->unit[o][u]);
                    matches(m, both, &parts[u], o, p);
                    any[count++] = both;
                }
                for (unsigned i = 0; i < count; i++) {
                    model_list(m, any[i]);
                }
                model_list(m, parts[u].none);
                model_list(m, -uses);
                model_one_of(m);
            }
        }
    }
}

static void sequences(struct model *m)
{
    const unsigned count = SCHED_MACROS - m->limits->sequences;
    for (int t = 0; t < m->times; t++) {
        for (unsigned p = 0; p < m->phases; p++) {
            for (unsigned q = 0; q < count; q++) {
                model_list(m, m->sequence[t][p][q] = model_fresh(m));
            }
            model_not_two(m, true);
            const unsigned listed = m->listed;
            for (unsigned o = 0; o < m->body->ops; o++) {
                model_list(m, -m->launch[o][t]);
                model_one_of(m);
                m->listed = listed;
            }
            m->listed = 0;
            for (unsigned q = 1; q < count; q++) {
                for (unsigned k = 0; k < (unsigned)t * m->phases + p; k++) {
                    model_list(m, m->sequence[k / m->phases][k % m->phases][q - 1]);
                }
                model_list(m, -m->sequence[t][p][q]);
                model_one_of(m);
            }
        }
    }
    for (unsigned q = 0; q < count; q++) {
        sequence(m, q);
    }
}

void model_macros(struct model *m)
{
    templates(m);
    sequences(m);
}
