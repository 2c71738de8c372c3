/* SPDX-License-Identifier: Apache-2.0 */
/* tensix debug: parses options and reads commands. The lab library carries them out. */
#include "debug_screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- commands ---- */

/* Carries out one command and prints its answer. */
static int debug_say(struct cli *cli, txl_debug *debug, const char *line)
{
    char *text = NULL;
    txl_json *json = NULL;
    const int result =
        txl_debug_do(&cli->error, debug, line, cli->json ? NULL : &text, cli->json ? &json : NULL);
    int put = CLI_OK;
    if (json != NULL) {
        put = cli_put(cli, txl_json_line(json));
        txl_json_free(json);
    } else if (text != NULL) {
        char shown[400];
        snprintf(shown, sizeof shown, "%s", line);
        txl_mask_controls(shown);
        printf("(tensix) %s\n%s", shown, text);
        free(text);
    }
    return result != TXL_OK ? result : put;
}

static int say_list(struct cli *cli, const struct cli_list *list, txl_debug *debug)
{
    int result = CLI_OK;
    for (unsigned i = 0; i < list->count && result == CLI_OK && !txl_debug_ended(debug); i++) {
        result = debug_say(cli, debug, list->text[i]);
    }
    return result;
}

/* Carries out the lines of a file; skips empty lines and comments. */
static int say_file(struct cli *cli, txl_debug *debug, const char *path)
{
    char line[512];
    int result = CLI_OK;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (file == NULL) {
        const struct txl_where where = {.file = path};
        return cli_fail_at(cli, &where, "cannot be read");
    }
    while (result == CLI_OK && !txl_debug_ended(debug) && fgets(line, sizeof line, file) != NULL) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        if (line[strspn(line, " \t\r")] != '\0' && line[0] != '#') {
            result = debug_say(cli, debug, line);
        }
        fflush(stdout);
    }
    if (file != stdin) {
        fclose(file);
    }
    return result;
}

int cli_talk(struct cli *cli, const struct talk_args *a, txl_debug *debug)
{
    const bool screen = a->batch == NULL && a->command.count == 0 && !cli->json &&
                        isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int result = screen ? debug_screen(cli, debug) : CLI_CONTINUE;
    if (result != CLI_CONTINUE) {
        return result;
    }
    result = a->batch != NULL ? say_file(cli, debug, a->batch) : CLI_OK;
    result = result == CLI_OK ? say_list(cli, &a->command, debug) : result;
    if (a->batch == NULL && a->command.count == 0) {
        result = say_file(cli, debug, "-");
    }
    return result;
}

/* ---- opening ---- */

static int open_kernel(struct debug_args *a, const struct tx_program *program, txl_debug **debug)
{
    struct txl_run_options run = {.size = sizeof run};
    CLI_GIVE_MACHINE(&run, &a->machine, a->words);
    return txl_debug_open(&a->cli->error, program, a->words.text[0], &run, &a->how, debug);
}

static int open_cores(struct debug_args *a, txl_debug **debug)
{
    static const char *const of_kernels[] = {"in",  "set",   "rule", "seed", "thread",
                                             "hex", "start", "dst",  NULL};
    const int result = cli_cores_only(a->cli, &a->words, of_kernels);
    cli_cores_settle(&a->cores, &a->machine);
    return result == CLI_CONTINUE
               ? txl_debug_open_tile(&a->cli->error, &a->cores.how, &a->how, debug)
               : result;
}

int cmd_debug(struct cli *cli, struct debug_args *a)
{
    struct tx_program *program = NULL;
    txl_debug *debug = NULL;
    int result = TXL_OK;
    a->how.progress = debug_goes_on;
    if (a->cores.how.program_count != 0) {
        result = open_cores(a, &debug);
    } else if (a->words.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix debug --help'");
    } else {
        result = cli_machine_load(cli, &a->machine, &a->words, &program);
        result = result == CLI_CONTINUE ? open_kernel(a, program, &debug) : result;
    }
    if (result == TXL_OK) {
        result = cli_talk(cli, &a->talk, debug);
    }
    txl_debug_close(debug);
    tx_program_free(program);
    return result;
}
