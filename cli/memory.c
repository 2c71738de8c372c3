/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the command when GMP and MPFR have no memory. */
#include "cli.h"

#include <gmp.h>
#include <stdlib.h>
#include <unistd.h>

static bool as_json; /* static, since GMP passes nothing of the caller's to these functions */

static _Noreturn void end(void)
{
    static const char text[] = "tensix: out of memory\n";
    static const char object[] =
        "{\"schema\": 1, \"error\": {\"message\": \"out of memory\", \"exit\": 2}}\n";
    _Static_assert(CLI_JSON_SCHEMA == 1, "the text above has it");
    txl_abandon();
    if (as_json) {
        (void)!write(STDOUT_FILENO, object, sizeof object - 1);
    } else {
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    _exit(CLI_INPUT);
}

static void *get(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);
    return memory != NULL ? memory : (end(), NULL);
}

static void *larger(void *old, size_t before, size_t size)
{
    (void)before;
    void *memory = realloc(old, size != 0 ? size : 1);
    return memory != NULL ? memory : (end(), NULL);
}

static void give_back(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

void cli_memory(bool json)
{
    as_json = json;
    mp_set_memory_functions(get, larger, give_back);
}
