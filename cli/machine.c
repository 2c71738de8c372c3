/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a kernel's machine, which run, trace, eval and other commands share. */
#include "cli.h"

void cli_machine_default(struct cli_machine *m)
{
    *m = (struct cli_machine){.max_cycles = TX_MAX_CYCLES};
    tx_kernel_options_default(&m->kernel);
}

static error_t parse_seed(struct cli *cli, const char *arg, struct cli_machine *m)
{
    uint64_t number = 0;
    const int result = cli_unsigned(cli, "--seed", arg, UINT32_MAX, &number);
    m->kernel.seed = (uint32_t)number;
    return result;
}

error_t cli_machine_option(struct cli *cli, int key, const char *arg, struct cli_machine *m)
{
    switch (key) {
    case CLI_KEY_ARCH:
        return cli_arch(cli, arg, &m->arch);
    case CLI_KEY_START:
        return cli_start(cli, arg, &m->start);
    case CLI_KEY_IN:
        return cli_add(cli, &m->ins, CLI_INPUTS, "--in", arg);
    case CLI_KEY_SET:
        return cli_add(cli, &m->sets, 64, "--set", arg);
    case CLI_KEY_RULE:
        return cli_add(cli, &m->rules, TX_MAX_RULES, "--rule", arg);
    case CLI_KEY_L1:
        return cli_add(cli, &m->l1_in, CLI_L1_FILES, "--l1", arg);
    case CLI_KEY_L1_OUT:
        return cli_add(cli, &m->l1_out, CLI_L1_FILES, "--l1-out", arg);
    case CLI_KEY_SEED:
        return parse_seed(cli, arg, m);
    case CLI_KEY_THREAD:
        return cli_thread(cli, arg, &m->kernel.thread);
    case CLI_KEY_MAX_CYCLES:
        return cli_unsigned(cli, "--max-cycles", arg, UINT64_MAX / 2, &m->max_cycles);
    case CLI_KEY_STRICT:
        m->strict = true;
        return 0;
    case CLI_KEY_HEX:
        m->hex = true;
        return 0;
    case ARGP_KEY_ARG:
        if (m->kernels.count == TX_THREADS) {
            return cli_fail(cli, "three threads take three kernels: '%s' is one more", arg);
        }
        m->kernels.path[m->kernels.count++] = arg;
        return 0;
    default:
        return cli_common(cli, key);
    }
}

int cli_machine_settle(struct cli *cli, struct cli_machine *m, enum tx_arch arch)
{
    tx_settings_default(&m->settings, arch);
    m->settings.max_cycles = m->max_cycles;
    m->settings.mode = m->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    const int result = cli_rules(cli, &m->rules, &m->settings);
    return result == 0 ? CLI_CONTINUE : result;
}

int cli_kernel(struct cli *cli, const char *file, enum tx_arch arch, struct tx_program **program)
{
    const struct txl_kernel_options how = {.size = sizeof how, .arch = arch};
    return file != NULL ? txl_kernel_load(&cli->error, &file, 1, &how, program)
                        : cli_fail(cli, "no kernel given; see 'tensix %s --help'", cli->command);
}

int cli_machine_load(struct cli *cli, struct cli_machine *m, struct tx_program **program)
{
    const struct txl_kernel_options how = {
        .size = sizeof how, .arch = m->arch, .hex = m->hex, .start = m->start, .threads = true};
    const int result =
        txl_kernel_load(&cli->error, m->kernels.path, m->kernels.count, &how, program);
    return result == TXL_OK ? cli_machine_settle(cli, m, tx_program_arch(*program)) : result;
}
