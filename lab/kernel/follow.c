/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the threads of a section from one issued word to the next. */
#include "kernel/follow.h"

struct follow follow_section(const struct tx_program *program, unsigned section)
{
    return (struct follow){.program = program, .section = section};
}

bool follow_expands(enum tx_arch arch, uint32_t word)
{
    const struct tx_insn *insn = tx_insn_of(arch, word);
    return insn != NULL && insn->unit == TX_UNIT_FRONT && insn->opcode != TX_INSN_NOP;
}

size_t follow_word(struct follow *f, unsigned thread, uint32_t word, bool go)
{
    const uint32_t *words = tx_program_words(f->program, f->section);
    const uint8_t *owners = tx_program_threads(f->program, f->section);
    const size_t count = tx_program_count(f->program, f->section);
    const bool threaded = tx_program_threaded(f->program);
    for (size_t i = f->next[thread]; i < count; i++) {
        if (threaded && owners[i] != thread && owners[i] != TX_THREADS) {
            continue;
        }
        if (words[i] == word) {
            f->next[thread] = go ? i + 1 : f->next[thread];
            return i;
        }
        if (!follow_expands(tx_program_arch(f->program), words[i])) {
            break;
        }
    }
    return SIZE_MAX;
}
