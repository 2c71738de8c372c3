/* SPDX-License-Identifier: Apache-2.0 */
/* A finding as a sentence and as JSON, the same in every tool. */
#ifndef TENSIX_FINDING_H
#define TENSIX_FINDING_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TX_FINDING_TEXT = TX_MESSAGE + 80, TX_FINDING_JSON = 2048 };
/*
 * Writes a finding as a sentence, "Category: message [rule]", cut to size bytes with the final
 * zero; TX_FINDING_TEXT are enough. Returns text.
 */
TX_API const char *tx_finding_text(const struct tx_finding *finding, char *text, size_t size);
/*
 * Writes the Tensix instruction that a finding is about, as the disassembler does; 128 bytes are
 * enough. Returns false, and leaves text as it was, where there is none: the finding is about a
 * core's instruction, or its word is no instruction.
 */
TX_API bool tx_finding_instruction(const struct tx_finding *finding, char *text, size_t size);
/*
 * Writes it as a JSON object on one line: category, rule, message, arch, thread, cycle, index,
 * word, text (the instruction, where there is one), lanes, count, and of a pushed word core and pc.
 * Returns the length without the final zero; text is cut where that is not below size.
 * TX_FINDING_JSON are enough.
 */
TX_API size_t tx_finding_json(const struct tx_finding *finding, char *text, size_t size);
/* What a finding means to a program on a card, and what to change: clauses without a full stop. */
struct tx_advice {
    const char *on_card;
    const char *change;
};
/* Every finding has advice; what is not known of its rule is said of its category. */
TX_API struct tx_advice tx_finding_advice(const struct tx_finding *finding);

#ifdef __cplusplus
}
#endif

#endif
