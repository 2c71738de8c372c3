/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled, not run: a C++17 program can use the interface. tests/cli/install.sh runs one. */
#include <tensix/tensix.h>

#include <type_traits>

static_assert(std::is_standard_layout_v<tx_settings>, "settings cross the language border");
static_assert(std::is_trivially_copyable_v<tx_finding>, "findings are plain records");

extern "C" int tx_header_use(void);
int tx_header_use(void)
{
    tx_settings settings{};
    tx_settings_default(&settings, TX_BLACKHOLE);
    tx_machine *machine = nullptr;
    const tx_status status = tx_open(&settings, &machine);
    tx_close(machine);
    return status == TX_OK ? 0 : 1;
}
