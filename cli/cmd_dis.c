/* SPDX-License-Identifier: Apache-2.0 */
/* tensix dis: words, kernel files and ELF files as assembler text. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/dis.h>

int cmd_dis(struct cli *cli, struct dis_args *a)
{
    char *text = NULL;
    if (a->words.count == 0) {
        return cli_fail(cli, "no words given; '-' reads standard input");
    }
    a->how.style = a->macros != 0 ? TX_DIS_MACRO : a->like != 0 ? TX_DIS_OBJDUMP : TX_DIS_NORMAL;
    const int result = (cli->json ? txl_dis_json : txl_dis_text)(&cli->error, a->words.text,
                                                                 a->words.count, &a->how, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
