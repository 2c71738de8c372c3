/* SPDX-License-Identifier: Apache-2.0 */
/* tensix expand: writes an SFPLOADMACRO kernel as straight-line code, proved equal. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/expand.h>
#include <tensix-lab/json.h>
#include <tensix-lab/kernel.h>

static int deliver(struct cli *cli, const struct expand_args *a, const txl_expansion *made)
{
    const char *text = txl_expansion_text(made);
    size_t count = 0;
    (void)txl_expansion_words(made, &count);
    if (a->out != NULL) {
        int result = txl_write_file(&cli->error, a->out, text, strlen(text));
        if (result != CLI_OK) {
            return result;
        }
    }
    if (cli->json) {
        return cli_json(cli, txl_expansion_json(made, a->words.text[0], a->out == NULL));
    }
    if (a->out == NULL) {
        fputs(text, stdout);
    } else {
        printf("%s: %llu SFPLOADMACRO made %zu instructions; equal on %llu tiles\n", a->out,
               (unsigned long long)txl_expansion_macros(made), count,
               (unsigned long long)txl_expansion_tiles(made));
    }
    return CLI_OK;
}

int cmd_expand(struct cli *cli, struct expand_args *a)
{
    struct tx_program *program = NULL;
    txl_expansion *made = NULL;
    a->how.name = a->words.text[0];
    int result = cli_kernel(cli, a->how.name, a->arch, &program);
    if (result == CLI_OK) {
        result = txl_expand(&cli->error, program, &a->how, &made);
    }
    if (result == CLI_OK) {
        result = deliver(cli, a, made);
    }
    txl_expansion_close(made);
    tx_program_free(program);
    return result;
}
