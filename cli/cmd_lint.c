/* SPDX-License-Identifier: Apache-2.0 */
/* tensix lint: hazards and superfluous SFPNOPs of kernels, words and ELF files, without a run. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/lint.h>

/* Prints the results of each file as soon as it has been judged. */
static int lint_files(const struct lint_args *a, txl_lint *lint)
{
    int result = CLI_OK;
    for (size_t i = 0, shown = 0; i < a->words.count && result == CLI_OK; i++) {
        result = txl_lint_file(&a->cli->error, lint, a->words.text[i]);
        for (; shown < txl_lint_results(lint) && !a->cli->json && result == CLI_OK; shown++) {
            result = cli_put(a->cli, txl_lint_text(txl_lint_result(lint, shown)));
        }
    }
    return result == CLI_OK && a->cli->json ? cli_put(a->cli, txl_lint_json(lint)) : result;
}

/* Judges what the cores of a tile push during a run. */
static int lint_tile(struct lint_args *a, txl_lint *lint)
{
    static const char *const of_files[] = {"hex", "ttinsn", "dst", NULL};
    char *findings = NULL;
    if (a->words.count != 0 || cli_first_given(a->cli, of_files) != NULL || a->how.both) {
        return cli_fail(a->cli, "files and their options do not go with --elf");
    }
    a->cores.how.arch = a->how.arch;
    a->cores.how.max_cycles = a->how.max_cycles;
    cli_cores_settle(&a->cores, NULL);
    int result = txl_tensix_lint(&a->cli->error, &a->cores.how, lint, &findings);
    for (size_t i = 0; i < txl_lint_results(lint) && !a->cli->json && result == CLI_OK; i++) {
        result = cli_put(a->cli, txl_lint_text(txl_lint_result(lint, i)));
    }
    if (result == CLI_OK && a->cli->json) {
        char *text = txl_lint_json(lint);
        json_t *root = text != NULL ? json_loads(text, 0, NULL) : NULL;
        free(text);
        json_object_set_new(root, "tile", json_string(findings != NULL ? findings : ""));
        result = cli_put(a->cli, root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL);
        json_decref(root);
    } else if (result == CLI_OK && findings != NULL) {
        printf("%s", findings);
    }
    result = result == CLI_OK && findings != NULL ? CLI_NEGATIVE : result;
    free(findings);
    return result;
}

int cli_lint_arch(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct lint_args *a = args;
    (void)option;
    a->how.both = strcmp(text, "both") == 0;
    return a->how.both ? 0 : cli_arch(cli, text, &a->how.arch);
}

int cmd_lint(struct cli *cli, struct lint_args *a)
{
    const bool cores = a->cores.how.program_count != 0;
    txl_lint *lint = NULL;
    if (a->words.count == 0 && !cores) {
        return cli_fail(cli, "no file given; see 'tensix lint --help'");
    }
    cli->caret = true;
    if (cores && a->how.start == TX_START_UNSET) {
        a->how.start = TX_START_VENDOR; /* B has run before the threads' words */
    }
    int result = txl_lint_open(&cli->error, &a->how, &lint);
    if (result == CLI_OK) {
        result = cores ? lint_tile(a, lint) : lint_files(a, lint);
    }
    if (result == CLI_OK && txl_lint_found(lint)) {
        result = CLI_NEGATIVE;
    }
    txl_lint_close(lint);
    return result;
}
