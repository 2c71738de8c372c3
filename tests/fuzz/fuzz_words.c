/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a program of either chip, in either mode: decoded, executed, disassembled. The first
 * byte chooses chip, mode and thread, the second a rule switch, the rest are words.
 */
#include <tensix/tensix.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tx_settings s;
    tx_machine *m;
    if (size < 6) {
        return 0;
    }
    tx_settings_default(&s, (data[0] & 1) != 0 ? TX_BLACKHOLE : TX_WORMHOLE);
    s.mode = (data[0] & 2) != 0 ? TX_MODE_STRICT : TX_MODE_SILICON;
    s.rules[data[1] % TX_MAX_RULES] = data[1] >> 7;
    if (tx_open(&s, &m) != TX_OK) {
        abort();
    }
    const unsigned thread = (data[0] >> 2) % 3;
    for (size_t i = 2; i + 4 <= size; i += 4) {
        uint32_t word;
        uint32_t back;
        struct tx_decoded d;
        char text[160];
        memcpy(&word, data + i, sizeof word);
        if (tx_decode(s.arch, word, &d) == TX_OK &&
            (tx_encode(&d, &back) != TX_OK || back != word)) {
            abort();
        }
        (void)tx_disassemble(s.arch, word, (enum tx_dis_style)(data[1] % 3), text, sizeof text);
        if (tx_run(m, thread, &word, 1) == TX_FAULT) {
            if (tx_fault(m) == NULL || tx_fault(m)->message[0] == '\0') {
                abort();
            }
            break;
        }
    }
    tx_close(m);
    return 0;
}
