/* SPDX-License-Identifier: Apache-2.0 */
/* tensix map: which lane, Dst row and tile element an address means. */
#include "cli.h"

#include <tensix-lab/isa.h>

int cmd_map(struct cli *cli, struct map_args *a)
{
    uint64_t address = 0;
    char *text = NULL;
    if (a->arch == TX_ARCH_NONE) {
        return cli_fail(cli, "no chip given: --arch bh or --arch wh");
    }
    int result = cli_unsigned(cli, "ADDRESS", a->words.text[0], TX_DST_ROWS - 1, &address);
    if (result != 0) {
        return result;
    }
    result = cli->json ? txl_map_json(&cli->error, a->arch, a->dst, (uint32_t)address, &text)
                       : txl_map_text(&cli->error, a->arch, a->dst, (uint32_t)address, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
