/* SPDX-License-Identifier: Apache-2.0 */
/* First in every unit: the assembler's .ttinsn, which the vendor's compiler brings. */
__asm__(".macro .ttinsn word\n"
        ".4byte (((\\word & 0xffffffff) << 2) | (((\\word & 0xffffffff) >> 30) & 3)) & 0xffffffff\n"
        ".endm\n");
