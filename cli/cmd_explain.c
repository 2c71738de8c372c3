/* SPDX-License-Identifier: Apache-2.0 */
/* tensix explain: what the tables know about an instruction, a rule, a field or a constant. */
#include "cli.h"

#include <tensix-lab/isa.h>

int cmd_explain(struct cli *cli, struct explain_args *a)
{
    const char *subject = a->words.text[0];
    const char *value = a->words.text[1]; /* of .sequence, .misc, .template */
    char *text = NULL;
    if (value != NULL && subject[0] != '.') {
        return cli_fail(cli, "one thing at a time: '%s' is the second", value);
    }
    const int result = cli->json ? txl_explain_json(&cli->error, a->arch, subject, value, &text)
                                 : txl_explain_text(&cli->error, a->arch, subject, value, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
