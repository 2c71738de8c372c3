/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the environment: the compiler of --engine from $CC, the cache from $TENSIX_CACHE,
 * $XDG_CACHE_HOME or ~/.cache, and the folder of temporary files from $TMPDIR.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns a variable when it is set, not empty, and begins with `first`; otherwise NULL. */
static const char *variable(const char *name, const char *first)
{
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' && strncmp(text, first, strlen(first)) == 0 ? text
                                                                                       : NULL;
}

const char *cli_scratch(void)
{
    return variable("TMPDIR", "") != NULL ? getenv("TMPDIR") : "/tmp";
}

txl_compiler *cli_compiler(struct cli *cli)
{
    char cache[4096] = "";
    const char *own = variable("TENSIX_CACHE", "");
    const char *base = variable("XDG_CACHE_HOME", "/");
    const char *home = variable("HOME", "/");
    if (cli->compiler != NULL) {
        return cli->compiler;
    }
    if (own != NULL) {
        snprintf(cache, sizeof cache, "%s", own);
    } else if (base != NULL) {
        snprintf(cache, sizeof cache, "%s/tensix", base);
    } else if (home != NULL) {
        snprintf(cache, sizeof cache, "%s/.cache/tensix", home);
    }
    const struct txl_compiler_options options = {.size = sizeof options,
                                                 .cache = cache,
                                                 .make_parent = own == NULL,
                                                 .command = variable("CC", ""),
                                                 .path = getenv("PATH"),
                                                 .environment = environ};
    /* Without memory nothing is compiled, which matters only when compiling was asked for. */
    (void)txl_compiler_open(NULL, &options, &cli->compiler);
    return cli->compiler;
}

bool cli_engine(const char *text, enum txl_engine *engine)
{
    struct txl_error unused = {.status = TXL_OK};
    return txl_engine_parse(&unused, text, engine) == TXL_OK;
}
