/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled code for runs that compute each step at once, without a plan. At first steps are
 * interpreted, and each kind of step that differs in more than its data is collected, to be
 * compiled once; after that only collected steps can run.
 */
#include "fast/steps.h"

static struct dag_node without_operands(const struct dag_node *node)
{
    struct dag_node kind = *node;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        kind.in[i] = DAG_NONE;
    }
    return kind;
}

static struct dag_node without_immediate(const struct dag_node *node)
{
    struct dag_node kind = *node;
    kind.imm = 0;
    kind.vector = STEPS_GIVEN;
    return kind;
}

static bool collect(tx_fast_steps *steps, const struct dag_node *node)
{
    struct dag_node kind = *node;
    uint8_t *immediates = &steps->immediates[kind.row][kind.mode & 15u];
    if (dag_number(&steps->set, &kind) == steps->set.count) {
        if (*immediates == STEPS_IMMEDIATES) {
            kind = without_immediate(&kind);
        }
        *immediates = (uint8_t)(*immediates + (kind.imm != 0));
        dag_intern(&steps->set, &kind);
    }
    return !steps->set.failed;
}

static tx_fast_code *code_of(const tx_fast_steps *steps, const struct dag_node *node)
{
    const size_t number = dag_number(&steps->set, node);
    return number < steps->set.count ? steps->code[number] : NULL;
}

bool fast_steps_run(tx_fast_steps *steps, const struct dag_node *node, const struct fast_step *s,
                    const struct fast_context *c)
{
    const struct dag_node kind = without_operands(node);
    if (steps->code == NULL) {
        s->run(s, c);
        return collect(steps, &kind);
    }
    const struct dag_node given = without_immediate(&kind);
    tx_fast_code *code = code_of(steps, &kind);
    code = code != NULL ? code : code_of(steps, &given);
    if (code != NULL) {
        code(s->in, s->out, node->imm, s->tier);
    }
    return code != NULL;
}
