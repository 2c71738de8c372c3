/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words pushed by .ttinsn: WORDS of them in a loop of LOOPS passes, gathering off as tt-metal's
 * firmware leaves it (mesham/tt-sim 8b031a6 measured bodies of many sizes so).
 */
#include "measure.hpp"

#ifndef WORDS
#define WORDS 512
#endif
#define SILICON_TEXT(x) #x
#define SILICON_NUMBER(x) SILICON_TEXT(x)

void kernel_main(void)
{
#if TENSIX_MATH
    const uint32_t loops = tx_argument(0);
    silicon::entry = 0;
#ifdef ARCH_BLACKHOLE
    __asm__ volatile("csrrs zero, 0x7c0, %0" : : "r"(1u << 18));
#endif
    for (int pass = 0; pass < 2; pass++) { /* the second with what the cache holds by then */
        silicon::entry = 0;
        tensix_sync();
        silicon::zone_begins(silicon::BODY);
        for (uint32_t loop = 0; loop < loops; loop++) {
            __asm__ volatile(".rept " SILICON_NUMBER(WORDS) "\n\t.4byte 0x08000000\n\t.endr");
        }
        silicon::zone_ends(silicon::BODY);
    }
#endif
}
