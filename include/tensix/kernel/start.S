/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start of a kernel on a core of the tile: global and stack pointer, zeroed data, initialised
 * data into local memory, then kernel_main, then the completion mailbox of the thread, then a loop.
 * A core's data must lie in its local memory, which only the core itself reaches: the loader puts
 * their image behind the program in L1. Source: spec/tile.md 12.1.
 */
    .section .init, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    la      t0, __data_start
    la      t1, __data_end
    la      t2, __data_image
1:  bgeu    t0, t1, 2f
    lw      t3, 0(t2)
    sw      t3, 0(t0)
    addi    t0, t0, 4
    addi    t2, t2, 4
    j       1b
2:  la      t0, __bss_start
    la      t1, __bss_end
3:  bgeu    t0, t1, 4f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       3b
4:  la      s0, __constructors_start
    la      s1, __constructors_end
5:  bgeu    s0, s1, 6f
    lw      t0, 0(s0)
    jalr    t0
    addi    s0, s0, 4
    j       5b
6:  call    kernel_main
#if TENSIX_DATA_MOVEMENT
    fence
#else
    # Nothing of the thread is left when the mailbox tells so.
    li      t0, 0xFFE80004
    sw      zero, 0(t0)
    lw      t1, 0(t0)
    add     t1, t1, zero
#endif
    la      t0, __mailbox
    li      t1, 0xFF
    sw      t1, 0(t0)
7:  j       7b
    .size _start, . - _start
    /* For whom it is, as the vendor's compiler writes it into the attributes. */
    .section .tensix.chip, "", @progbits
#if TENSIX_ARCH_BLACKHOLE
    .asciz "xtttensixbh"
#else
    .asciz "xtttensixwh"
#endif
    .file "start.S" # for the symbol table; at the end, so that lines stay those of the whole path
