/* SPDX-License-Identifier: Apache-2.0 */
/* The host's libstdc++ asks for the version of a C library that the cores do not have. */
#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
#endif
