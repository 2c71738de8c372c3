/* SPDX-License-Identifier: Apache-2.0 */
/* tensix lsp: a language server on standard input and output; lab/lsp answers the messages. */
#include "cli.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/lsp.h>

enum { HEAD = 4096, MOST = 64 << 20 };

static void answer(void *user, const char *text, size_t length)
{
    (void)user;
    printf("Content-Length: %zu\r\n\r\n", length);
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

/* Reads a head and its empty line. CLI_CONTINUE with the length; CLI_OK at the end of input. */
static int read_head(struct cli *cli, size_t *length)
{
    char line[HEAD];
    bool known = false;
    for (bool first = true; fgets(line, sizeof line, stdin) != NULL; first = false) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' && !first) {
            return known ? CLI_CONTINUE : cli_fail(cli, "a message without Content-Length");
        }
        int64_t value;
        if (strncasecmp(line, "Content-Length:", 15) == 0) {
            const char *text = line + 15 + strspn(line + 15, " ");
            if (!txl_number(text, 0, MOST, &value)) {
                return cli_fail(cli, "Content-Length is a number up to %d", MOST);
            }
            *length = (size_t)value;
            known = true;
        } else if (strncasecmp(line, "Content-Type:", 13) != 0) {
            return cli_fail(cli, "a message begins with Content-Length");
        }
    }
    return known ? cli_fail(cli, "a message is cut short") : CLI_OK;
}

/* Returns whether no input is waiting that should be read first. */
static bool quiet(void)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&fd, 1, 0) == 0;
}

static int serve(struct cli *cli, txl_lsp *lsp)
{
    size_t length = 0;
    int result;
    /* A buffer would hide from poll what has arrived. */
    setvbuf(stdin, NULL, _IONBF, 0);
    while ((result = read_head(cli, &length)) == CLI_CONTINUE) {
        char *text = malloc(length + 1);
        if (text == NULL || fread(text, 1, length, stdin) != length) {
            free(text);
            return cli_fail(cli, "a message is cut short");
        }
        txl_lsp_message(lsp, text, length);
        free(text);
        int status;
        if (txl_lsp_ended(lsp, &status)) {
            return status;
        }
        if (quiet()) {
            txl_lsp_idle(lsp);
        }
    }
    return result == CLI_OK ? CLI_NEGATIVE : result;
}

int cmd_lsp(struct cli *cli, struct lsp_args *a)
{
    txl_lsp *lsp;
    a->how.send = answer;
    int result = txl_lsp_open(&cli->error, &a->how, &lsp);
    if (result == CLI_OK) {
        result = serve(cli, lsp);
        txl_lsp_close(lsp);
    }
    return result;
}
