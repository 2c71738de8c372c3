/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a finding of the machine into JSON. */
#include "base/finding.h"

#include <tensix/asm.h>

txl_json *finding_json(const struct tx_finding *finding, uint64_t count)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "category", tx_category_name(finding->category));
    txl_json_set_text(object, "rule", finding->rule);
    txl_json_set_text(object, "message", finding->message);
    txl_json_set_text(object, "arch", tx_arch_name(finding->arch));
    txl_json_set_int(object, "thread", finding->thread);
    txl_json_set_int(object, "cycle", finding->cycle);
    txl_json_set_int(object, "index", finding->index);
    txl_json_set_word(object, "word", finding->word);
    char text[128];
    if (tx_disassemble(finding->arch, finding->word, TX_DIS_NORMAL, text, sizeof text) == TX_OK) {
        txl_json_set_text(object, "text", text);
    }
    txl_json_set_word(object, "lanes", finding->lanes);
    txl_json_set_int(object, "count", count);
    return object;
}
