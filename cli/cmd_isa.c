/* SPDX-License-Identifier: Apache-2.0 */
/* tensix isa: the instruction tables as text or JSON. */
#include "cli.h"

#include <tensix-lab/isa.h>

int cmd_isa(struct cli *cli, struct isa_args *a)
{
    return cli_put(cli, cli->json ? txl_isa_json(a->arch) : txl_isa_text(a->arch));
}
