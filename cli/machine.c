/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a kernel's machine, which run, trace, eval and other commands share. */
#include "cli.h"

void cli_machine_default(struct machine_args *machine)
{
    tx_kernel_options_default(&machine->kernel);
}

int cli_machine_settle(struct cli *cli, struct machine_args *m, enum tx_arch arch)
{
    tx_settings_default(&m->settings, arch);
    m->settings.max_cycles = m->max_cycles;
    m->settings.mode = m->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    const int result = cli_rules(cli, &m->rule, &m->settings);
    return result == 0 ? CLI_CONTINUE : result;
}

int cli_kernel(struct cli *cli, const char *file, enum tx_arch arch, struct tx_program **program)
{
    const struct txl_kernel_options how = {.size = sizeof how, .arch = arch};
    return file != NULL ? txl_kernel_load(&cli->error, &file, 1, &how, program)
                        : cli_fail(cli, "no kernel given; see 'tensix %s --help'", cli->command);
}

int cli_machine_load(struct cli *cli, struct machine_args *m, const struct cli_list *kernels,
                     struct tx_program **program)
{
    const struct txl_kernel_options how = {
        .size = sizeof how, .arch = m->arch, .hex = m->hex, .start = m->start, .threads = true};
    const int result = txl_kernel_load(&cli->error, kernels->text, kernels->count, &how, program);
    return result == TXL_OK ? cli_machine_settle(cli, m, tx_program_arch(*program)) : result;
}
