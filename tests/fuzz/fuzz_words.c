/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a program of either chip, in either mode: decoded, executed, disassembled. The first
 * byte chooses chip, mode and thread, the second a rule switch, the rest are words.
 */
#include <tensix/tensix.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One of each kind, for ever: to open one takes longer than what is run on it. */
static tx_machine *machine(enum tx_arch arch, bool strict, uint8_t rule)
{
    static tx_machine *machines[2][2][256];
    tx_machine **m = &machines[arch == TX_BLACKHOLE ? 1 : 0][strict ? 1 : 0][rule];
    struct tx_settings s;
    if (*m == NULL) {
        tx_settings_default(&s, arch);
        s.mode = strict ? TX_MODE_STRICT : TX_MODE_SILICON;
        s.rules[rule % TX_MAX_RULES] = rule >> 7;
        s.max_cycles = 400; /* of one word: a MOP has up to two million */
        if (tx_open(&s, m) != TX_OK) {
            abort();
        }
    }
    tx_reset(*m);
    return *m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 6) {
        return 0;
    }
    const enum tx_arch arch = (data[0] & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    tx_machine *m = machine(arch, (data[0] & 2) != 0, data[1]);
    const unsigned thread = (data[0] >> 2) % 3;
    for (size_t i = 2; i + 4 <= size; i += 4) {
        uint32_t word;
        uint32_t back;
        struct tx_decoded d;
        char text[160];
        memcpy(&word, data + i, sizeof word);
        if (tx_decode(arch, word, &d) == TX_OK && (tx_encode(&d, &back) != TX_OK || back != word)) {
            abort();
        }
        (void)tx_disassemble(arch, word, (enum tx_dis_style)(data[1] % 3), text, sizeof text);
        if (tx_run(m, thread, &word, 1) == TX_FAULT) {
            if (tx_fault(m) == NULL || tx_fault(m)->message[0] == '\0') {
                abort();
            }
            break;
        }
    }
    return 0;
}
