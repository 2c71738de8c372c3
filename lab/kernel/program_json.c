/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as JSON. */
#include "base/error.h"

#include <tensix-lab/isa.h>
#include <tensix-lab/kernel.h>

#include "base/json.h"

char *txl_program_json(const struct tx_program *p, bool ttinsn)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(p)));
    txl_json_set_text(root, "start",
                      tx_program_start(p) == TX_START_UNSET ? NULL
                                                            : tx_start_name(tx_program_start(p)));
    txl_json_set_text(
        root, "dst",
        tx_program_dst(p) == TX_DST_FORMAT_UNSET ? NULL : tx_dst_format_name(tx_program_dst(p)));
    txl_json_set_text(
        root, "out",
        tx_program_out(p) == TX_DST_FORMAT_UNSET ? NULL : tx_dst_format_name(tx_program_out(p)));
    txl_json_set_text(root, "title", tx_program_title(p));
    txl_json_set_text(root, "reference", tx_program_reference(p));
    txl_json_set_int(root, "inputs", tx_program_inputs(p));
    txl_json_set_int(root, "output", tx_program_output(p));
    txl_json *config = txl_json_object();
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        txl_json_set_int(config, tx_program_config_name(p, i), tx_program_config_value(p, i));
    }
    txl_json_set(root, "config", config);
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        txl_json *list = txl_json_array();
        for (size_t i = 0; i < tx_program_count(p, s); i++) {
            uint32_t word = tx_program_words(p, s)[i];
            char text[128];
            (void)tx_disassemble(tx_program_arch(p), word, TX_DIS_NORMAL, text, sizeof text);
            txl_json *item = txl_json_object();
            txl_json_set_word(item, "word", ttinsn ? tx_ttinsn(word) : word);
            txl_json_set_text(item, "text", text);
            if (tx_program_lines(p, s) != NULL) {
                txl_json_set_int(item, "line", tx_program_lines(p, s)[i]);
            }
            if (tx_program_files(p, s)[i] != 0) {
                txl_json_set_text(item, "file", tx_program_source(p, tx_program_files(p, s)[i]));
            }
            if (tx_program_threads(p, s)[i] != TX_THREADS) {
                txl_json_set_int(item, "thread", tx_program_threads(p, s)[i]);
            }
            txl_json_append(list, item);
        }
        txl_json_set(root, s == TX_SECTION_INIT ? "init" : "tile", list);
    }
    return json_text(root);
}
