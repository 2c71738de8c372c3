/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs as kernels that move data are written, each of them ordered. scripts/order_mutants.py
 * takes away one barrier, flush, wait, reserve, push, pop, letter or count at a time, each of which
 * stands on a line of its own. What is left must be reported, unless the line says "spare" and why
 * the others still order everything. A comment "run" says where the programs of a case run.
 */
#include "noc.h"

char stack[512];
__asm__(".globl stack_top\n.set stack_top, stack + 512");

enum { HERE = 0x20000, THERE = 0x24000, RESULT = 0x3C000, FLAG = 0x1F000, FLAG2 = 0x1F010 };
enum { TALLY = 0x1F020, SOURCE = 0x1F030, ME = 0x1F100, NEXT = 0x1F110, BANK = AT(0, 0) };

// run copy: 1,2/nc=copy_reader 1,2/b=copy_writer --fill 0,0:0x100000:64=3 --buffer RING
PROGRAM(copy_reader)
{
    for (unsigned i = 0; i < 4; i++) {
        reserve(1);
        read_from(1, RING(i % 2), BANK, 0x100000 + 64 * i, 64);
        until(1, 2);
        push(1);
    }
}
PROGRAM(copy_writer)
{
    for (unsigned i = 0; i < 4; i++) {
        have(1);
        write_to(0, RING(i % 2), TILE(1), THERE + 64 * i, 64);
        until(0, SENT);
        pop(1);
    }
    until(0, 1);
}

// run pair: 1,2/nc=pair_reader 1,2/b=pair_writer --fill 0,0:0x100000:128=3 --buffer RING
PROGRAM(pair_reader) /* two pages at a time */
{
    for (unsigned i = 0; i < 3; i++) {
        reserve(2);
        read_from(1, RING(0), BANK, 0x100000 + 128 * i, 64);
        read_from(1, RING(1), BANK, 0x100040 + 128 * i, 64);
        until(1, 2);
        push(2);
    }
}
PROGRAM(pair_writer)
{
    for (unsigned i = 0; i < 3; i++) {
        have(2);
        keep(RESULT + 4 * i, sum(RING(0), 32));
        pop(2);
    }
}

// run share: 1,2/b=share_sender 2,2/b=share_receiver 3,2/b=share_receiver
PROGRAM(share_sender) /* to all that are ready, three rounds */
{
    for (unsigned i = 0; i < 3; i++) {
        fill(HERE, 16, i);
        wait_least(FLAG, 2 * (i + 1));
        write_row(0, HERE, 1, 2, THERE, 64, 2);
        keep(SOURCE, i + 1);
        write_row(0, SOURCE, 1, 2, FLAG2, 4, 2);
        until(0, SENT);
    }
    until(0, 1);
}
PROGRAM(share_receiver)
{
    for (unsigned i = 0; i < 3; i++) {
        add(0, TILE(0), FLAG, 1);
        wait_least(FLAG2, i + 1);
        keep(RESULT + 4 * i, sum(THERE, 16));
    }
    until(0, 0);
}

// run ring: 1,2/b=ring 2,2/b=ring 3,2/b=ring --words 0,1 1,2 2,0
PROGRAM(ring) /* all gather what each has */
{
    const uint32_t me = WORD(ME);
    const uint32_t next = WORD(NEXT);
    fill(HERE + 64 * me, 16, me);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t block = HERE + 64 * ((me + 3 - i) % 3);
        write_to(0, block, TILE(next), block, 64);
        add(0, TILE(next), FLAG, 1);
        wait_least(FLAG, i + 1);
    }
    until(0, 1);
    until(0, 0);
    keep(RESULT, sum(HERE, 48));
}

// run gather: 1,2/b=gather_root 2,2/b=gather_worker 3,2/b=gather_worker --words 0,0 0,0 1,0
PROGRAM(gather_root) /* two rounds, with a word that is set back */
{
    for (unsigned i = 0; i < 2; i++) {
        wait_least(FLAG, 2);
        keep(FLAG, 0);
        keep(RESULT + 4 * i, sum(THERE, 32));
        add(0, TILE(1), FLAG2, 1);
        add(0, TILE(2), FLAG2, 1);
    }
    until(0, 0);
}
PROGRAM(gather_worker)
{
    for (unsigned i = 0; i < 2; i++) {
        fill(HERE, 16, i);
        write_to(0, HERE, TILE(0), THERE + 64 * WORD(ME), 64);
        until(0, 1);
        add(1, TILE(0), FLAG, 1);
        wait_least(FLAG2, i + 1);
    }
    until(1, 0);
}

// run ids: 1,2/nc=ids --fill 0,0:0x100000:64=3
PROGRAM(ids) /* reads two pages ahead, by transaction id */
{
    read_id(1, 1, HERE, BANK, 0x100000, 64);
    read_id(1, 2, HERE + 64, BANK, 0x100040, 64);
    until_id(1, 16 + 1);
    keep(RESULT, sum(HERE, 16));
    read_id(1, 1, HERE, BANK, 0x100080, 64);
    until_id(1, 16 + 2);
    keep(RESULT + 4, sum(HERE + 64, 16));
    until_id(1, 16 + 1);
    keep(RESULT + 8, sum(HERE, 16));
    until(1, 2); // spare: all three have been waited for by their ids
}

// run stages: 1,2/b=stages_first 2,2/b=stages_middle 3,2/b=stages_last
PROGRAM(stages_first) /* three tiles, two slots between each two */
{
    for (unsigned i = 0; i < 4; i++) {
        fill(HERE, 16, i);
        if (i >= 2) {
            wait_least(FLAG, i - 1);
        }
        write_to(0, HERE, TILE(1), THERE + 64 * (i % 2), 64);
        add(0, TILE(1), FLAG2, 1);
        until(0, SENT);
    }
    until(0, 1);
    until(0, 0);
}
PROGRAM(stages_middle)
{
    for (unsigned i = 0; i < 4; i++) {
        wait_least(FLAG2, i + 1);
        if (i >= 2) {
            wait_least(FLAG, i - 1);
        }
        write_to(0, THERE + 64 * (i % 2), TILE(2), THERE + 64 * (i % 2), 64);
        add(0, TILE(2), FLAG2, 1);
        until(0, SENT);
        add(0, TILE(0), FLAG, 1);
    }
    until(0, 1);
    until(0, 0);
}
PROGRAM(stages_last)
{
    for (unsigned i = 0; i < 4; i++) {
        wait_least(FLAG2, i + 1);
        keep(RESULT + 4 * i, sum(THERE + 64 * (i % 2), 16));
        add(0, TILE(1), FLAG, 1);
    }
    until(0, 0);
}

// run meet: 1,2/b=meet_leader 2,2/b=meet_other 3,2/b=meet_other --words 0,0 0,2 0,1
PROGRAM(meet_leader) /* nobody reads another's bytes before all have come */
{
    wait_least(FLAG, 2);
    keep(SOURCE, 1);
    write_row(0, SOURCE, 1, 2, FLAG2, 4, 2);
    until(0, 1);
}
PROGRAM(meet_other)
{
    fill(HERE, 4, 7);
    add(0, TILE(0), FLAG, 1);
    wait_least(FLAG2, 1);
    read_from(1, THERE, TILE(WORD(NEXT)), HERE, 16);
    until(1, 2);
    keep(RESULT, sum(THERE, 4));
    until(0, 0);
}

// run pull: 1,2/b=pull 2,2/b=pull_source
PROGRAM(pull) /* takes from another tile what that one has said to be there */
{
    for (unsigned i = 0; i < 3; i++) {
        wait_least(FLAG, i + 1);
        read_from(1, HERE, TILE(1), THERE, 64);
        until(1, 2);
        add(0, TILE(1), FLAG2, 1);
        keep(RESULT + 4 * i, sum(HERE, 16));
    }
    until(0, 0);
}
PROGRAM(pull_source)
{
    for (unsigned i = 0; i < 3; i++) {
        fill(THERE, 16, i);
        add(0, TILE(0), FLAG, 1);
        wait_least(FLAG2, i + 1);
    }
    until(0, 0);
}

// run posted: 1,2/b=posted
PROGRAM(posted) /* writes without answers */
{
    for (unsigned i = 0; i < 3; i++) {
        fill(HERE, 16, i);
        write_with(0, 0, 0, HERE, TILE(1), THERE + 64 * i, 64);
        until(0, 11);
    }
}

// run letters: 1,2/b=letters 1,2/t1=letters_other
PROGRAM(letters) /* two cores of a tile, which write to each other */
{
    for (unsigned i = 0; i < 3; i++) {
        keep(HERE, i);
        send_letter(2, 1);
        take_letter(2);
    }
}
PROGRAM(letters_other)
{
    for (unsigned i = 0; i < 3; i++) {
        take_letter(0);
        keep(RESULT + 4 * i, WORD(HERE));
        send_letter(0, 1);
    }
}

// run linked: 1,2/b=linked_sender 2,2/b=linked_receiver 3,2/b=linked_receiver
PROGRAM(linked_sender) /* data and flag in one reserved way */
{
    for (unsigned i = 0; i < 2; i++) {
        wait_least(FLAG, 2 * i);
        fill(HERE, 16, i);
        keep(SOURCE, i + 1);
        write_row(LINK, HERE, 1, 2, THERE, 64, 2);
        write_row(0, SOURCE, 1, 2, FLAG2, 4, 2);
        until(0, 1);
    }
}
PROGRAM(linked_receiver)
{
    for (unsigned i = 0; i < 2; i++) {
        wait_least(FLAG2, i + 1);
        keep(RESULT + 4 * i, sum(THERE, 16));
        add(0, TILE(0), FLAG, 1);
    }
    until(0, 0);
}

// run halo: 1,2/b=halo 2,2/b=halo --words 0,1 1,0
PROGRAM(halo) /* neighbours exchange their edges */
{
    fill(HERE, 16, WORD(ME));
    for (unsigned i = 0; i < 3; i++) {
        write_to(0, HERE, TILE(WORD(NEXT)), THERE + 64 * (i % 2), 64);
        until(0, 1);
        add(0, TILE(WORD(NEXT)), FLAG, 1);
        wait_least(FLAG, i + 1);
        fill(HERE, 16, sum(THERE + 64 * (i % 2), 16));
    }
    until(0, 0);
}

// run tree: 1,2/b=tree_root 2,2/b=tree_node 3,2/b=tree_leaf 4,2/b=tree_leaf
PROGRAM(tree_root)
{
    fill(HERE, 16, 1);
    write_to(0, HERE, TILE(1), HERE, 64);
    until(0, 1);
    add(0, TILE(1), FLAG, 1);
    until(0, 0);
}
PROGRAM(tree_node)
{
    wait_least(FLAG, 1);
    write_to(0, HERE, TILE(2), HERE, 64);
    write_to(0, HERE, TILE(3), HERE, 64);
    until(0, 1);
    add(0, TILE(2), FLAG, 1);
    add(0, TILE(3), FLAG, 1);
    until(0, 0);
}
PROGRAM(tree_leaf)
{
    wait_least(FLAG, 1);
    keep(RESULT, sum(HERE, 16));
}

// run networks: 1,2/b=networks 2,2/b=networks_taker
PROGRAM(networks) /* data on one NoC, counts on the other */
{
    fill(HERE, 48, 1);
    for (unsigned i = 0; i < 3; i++) {
        write_to(1, HERE + 64 * i, TILE(1), THERE + 64 * i, 64);
        until(1, 1);
        add(0, TILE(1), FLAG, 1);
    }
    until(0, 0);
}
PROGRAM(networks_taker)
{
    for (unsigned i = 0; i < 3; i++) {
        wait_least(FLAG, i + 1);
        keep(RESULT + 4 * i, sum(THERE + 64 * i, 16));
    }
}

// run tally: 1,2/b=tally 2,2/b=tally_adder 3,2/b=tally_adder
PROGRAM(tally)
{
    wait_least(FLAG, 2);
    keep(RESULT, WORD(TALLY));
}
PROGRAM(tally_adder)
{
    add(0, TILE(0), TALLY, 5); // spare: one number less is another sum, and no matter of order
    until(0, 0);               // spare: atomics of one way act in their order
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
}

// run again: 1,2/b=again --fill 0,0:0x100000:16=3
PROGRAM(again) /* reads, changes and writes DRAM, and reads it again */
{
    read_from(0, HERE, BANK, 0x100000, 64);
    until(0, 2);
    fill(HERE, 16, sum(HERE, 16));
    write_to(0, HERE, BANK, 0x100000, 64);
    until(0, 1);
    read_from(0, THERE, BANK, 0x100000, 64);
    until(0, 2);
    keep(RESULT, sum(THERE, 16));
}

// run through: 1,2/b=through 2,2/b=through_middle 3,2/b=through_end
PROGRAM(through) /* data here, the count by way of a third tile */
{
    fill(HERE, 16, 1);
    write_to(0, HERE, TILE(2), THERE, 64);
    until(0, 1);
    add(0, TILE(1), FLAG, 1);
    until(0, 0);
}
PROGRAM(through_middle)
{
    wait_least(FLAG, 1);
    add(0, TILE(2), FLAG, 1);
    until(0, 0);
}
PROGRAM(through_end)
{
    wait_least(FLAG, 1);
    keep(RESULT, sum(THERE, 16));
}

// run exchange: 1,2/b=exchange 2,2/b=exchange --words 0,1 1,0
PROGRAM(exchange) /* takes from the other, and says when it may be overwritten */
{
    for (unsigned i = 0; i < 2; i++) {
        fill(HERE, 16, WORD(ME) + i);
        add(0, TILE(WORD(NEXT)), FLAG, 1);
        wait_least(FLAG, i + 1);
        read_from(1, THERE, TILE(WORD(NEXT)), HERE, 64);
        until(1, 2);
        keep(RESULT + 4 * i, sum(THERE, 16));
        add(0, TILE(WORD(NEXT)), FLAG2, 1);
        wait_least(FLAG2, i + 1);
    }
    until(0, 0);
}

// run scatter: 1,2/b=scatter 2,2/b=scatter_taker 3,2/b=scatter_taker 4,2/b=scatter_taker
PROGRAM(scatter) /* by ids, then one count for each */
{
    fill(HERE, 48, 1);
    for (unsigned i = 0; i < 3; i++) {
        write_with(1, ANSWER, 1 + i, HERE + 64 * i, TILE(1 + i), THERE, 64);
    }
    until_id(1, 16 + 1);
    add(0, TILE(1), FLAG, 1);
    until_id(1, 16 + 2);
    add(0, TILE(2), FLAG, 1);
    until_id(1, 16 + 3);
    add(0, TILE(3), FLAG, 1);
    until(1, 1); // spare: all three have been waited for by their ids
    until(0, 0);
}
PROGRAM(scatter_taker)
{
    wait_least(FLAG, 1);
    keep(RESULT, sum(THERE, 16));
}

// run outgoing: 1,2/b=outgoing
PROGRAM(outgoing) /* the source of an id is read before it is written anew */
{
    fill(HERE, 16, 1);
    write_with(0, ANSWER, 2, HERE, TILE(1), THERE, 64);
    until_id(0, OUTGOING + 2);
    fill(HERE, 16, 2);
    write_with(0, ANSWER, 3, HERE, TILE(1), THERE + 64, 64);
    until_id(0, OUTGOING + 3);
    keep(HERE, 3);
    until_id(0, 16 + 2);
    until_id(0, 16 + 3);
}

// run relay: 1,2/nc=relay_maker 1,2/b=relay_sender 2,2/b=relay_taker --buffer RING
PROGRAM(relay_maker) /* pages of one core that another sends on, slots by counts */
{
    for (unsigned i = 0; i < 4; i++) {
        reserve(1);
        fill(RING(i % 2), 16, i);
        push(1);
    }
}
PROGRAM(relay_sender)
{
    for (unsigned i = 0; i < 4; i++) {
        have(1);
        wait_least(FLAG, i);
        write_to(0, RING(i % 2), TILE(1), THERE, 64);
        until(0, 1);
        add(1, TILE(1), FLAG, 1);
        pop(1);
    }
    until(1, 0);
}
PROGRAM(relay_taker)
{
    for (unsigned i = 0; i < 4; i++) {
        wait_least(FLAG, i + 1);
        keep(RESULT + 4 * i, sum(THERE, 16));
        add(0, TILE(0), FLAG, 1);
    }
    until(0, 0);
}

// run cores: 1,2/nc=cores_reader 1,2/t1=cores_middle 1,2/b=cores_writer --fill 3,2:0x20000:16=2
// --buffer RING
PROGRAM(cores_reader) /* a page to a second core, whose letter lets a third send the result */
{
    for (unsigned i = 0; i < 3; i++) {
        reserve(1);
        read_from(0, RING(i % 2), TILE(2), HERE, 64);
        until(0, 2);
        push(1);
    }
}
PROGRAM(cores_middle)
{
    for (unsigned i = 0; i < 3; i++) {
        have(1);
        fill(THERE, 16, sum(RING(i % 2), 16));
        pop(1);
        send_letter(0, 1);
        take_letter(0);
    }
}
PROGRAM(cores_writer)
{
    for (unsigned i = 0; i < 3; i++) {
        take_letter(2);
        write_to(1, THERE, TILE(1), THERE + 64 * i, 64);
        until(1, SENT);
        send_letter(2, 1);
    }
    until(1, 1);
}

// run rounds: 1,2/b=rounds_sender 2,2/b=rounds_receiver 3,2/b=rounds_receiver
PROGRAM(rounds_sender) /* a flag that each receiver takes down before it asks for more */
{
    for (unsigned i = 0; i < 3; i++) {
        fill(HERE, 16, i);
        wait_least(FLAG, 2);
        keep(FLAG, 0);
        write_row(0, HERE, 1, 2, THERE, 64, 2);
        until(0, 1); // spare: the flag comes the same way, and is waited for
        keep(SOURCE, 1);
        write_row(0, SOURCE, 1, 2, FLAG2, 4, 2);
        until(0, 1);
    }
}
PROGRAM(rounds_receiver)
{
    for (unsigned i = 0; i < 3; i++) {
        keep(FLAG2, 0);
        add(0, TILE(0), FLAG, 1);
        wait_least(FLAG2, 1);
        keep(RESULT + 4 * i, sum(THERE, 16));
    }
    until(0, 0);
}

// run all: 1,2/b=all 2,2/b=all 3,2/b=all --words 0,0 1,0 2,0
PROGRAM(all) /* each writes to each, then all have met, then each reads what it has got */
{
    fill(HERE, 16, WORD(ME));
    write_to(1, HERE, TILE(0), THERE + 64 * WORD(ME), 64);
    write_to(1, HERE, TILE(1), THERE + 64 * WORD(ME), 64);
    write_to(1, HERE, TILE(2), THERE + 64 * WORD(ME), 64);
    until(1, 1);
    add(0, TILE(0), FLAG, 1);
    add(0, TILE(1), FLAG, 1);
    add(0, TILE(2), FLAG, 1);
    wait_least(FLAG, 3);
    keep(RESULT, sum(THERE, 48));
    until(0, 0);
}

// run proven: 1,2/b=proven_sender 2,2/b=proven_receiver 3,2/b=proven_receiver
PROGRAM(proven_sender) /* no flush: who asks for more has got what was sent before */
{
    for (unsigned i = 0; i < 3; i++) {
        wait_least(FLAG, 2 * (i + 1));
        fill(HERE, 16, i);
        write_row(0, HERE, 1, 2, THERE, 64, 2);
        keep(SOURCE, i + 1);
        write_row(0, SOURCE, 1, 2, FLAG2, 4, 2);
    }
    until(0, 1);
}
PROGRAM(proven_receiver)
{
    for (unsigned i = 0; i < 3; i++) {
        add(0, TILE(0), FLAG, 1);
        wait_least(FLAG2, i + 1);
        keep(RESULT + 4 * i, sum(THERE, 16));
    }
    until(0, 0);
}

// run bulk: 1,2/b=bulk_sender 2,2/b=bulk_taker
PROGRAM(bulk_sender) /* pages of a ring, of which all that are there are taken */
{
    for (unsigned i = 0; i < 8; i++) {
        wait_least(FLAG2, i < 4 ? 0 : i - 3);
        fill(HERE, 16, i);
        write_to(1, HERE, TILE(1), THERE + 64 * (i % 4), 64);
        until(1, 1);
        add(0, TILE(1), FLAG, 1);
    }
    until(0, 0);
}
PROGRAM(bulk_taker)
{
    for (unsigned i = 0; i < 800; i++) { /* until several are there */
        __asm__ volatile("");
    }
    for (uint32_t taken = 0; taken < 8;) {
        const uint32_t there = other_than(FLAG, taken);
        for (; taken < there; taken++) {
            keep(RESULT + 4 * taken, sum(THERE + 64 * (taken % 4), 16));
            add(0, TILE(0), FLAG2, 1);
        }
    }
    until(0, 0);
}

// run counted: 1,2/b=counted 2,2/b=counted_adder 3,2/b=counted_adder --words 0,0 0,0 1,0
PROGRAM(counted) /* those that have ended are counted in a register */
{
    wait_count(2);
    keep(RESULT, sum(THERE, 32));
}
PROGRAM(counted_adder)
{
    fill(HERE, 16, WORD(ME));
    write_to(1, HERE, TILE(0), THERE + 64 * WORD(ME), 64);
    until(1, 1);
    write_word(TILE(0), COUNT_UP, 1 << 6);
    until(0, 1);
}

// run same: 1,2/b=same
PROGRAM(same) /* what a write takes along stays what it is */
{
    keep(SOURCE, 1);
    write_to(0, SOURCE, TILE(1), FLAG2, 4);
    keep(SOURCE, 1); // spare: it has that value
    until(0, 1);
}

// run blocks: 1,2/b=blocks
PROGRAM(blocks) /* a block is filled anew when what was sent from it has left */
{
    uint32_t sent[2] = {expected[0][SENT], expected[0][SENT]};
    for (unsigned i = 0; i < 6; i++) {
        until_least(0, SENT, sent[i % 2]);
        fill(HERE + 256 * (i % 2), 16, i);
        write_to(0, HERE + 256 * (i % 2), TILE(1), THERE + 64 * i, 64);
        sent[i % 2] = expected[0][SENT];
    }
    until(0, 1);
}

// run asks: 1,2/b=asks 2,2/b=asks_sender
PROGRAM(asks) /* looks for the flag beside other work, and once before */
{
    fence();
    if (WORD(FLAG) != 0) {
        WORD(RESULT + 8) = 1;
    }
    for (unsigned i = 0; i < 2000; i++) {
        WORD(RESULT + 4) = i;
        fence();
        if (WORD(FLAG) != 0) {
            break;
        }
    }
    keep(RESULT, sum(THERE, 16));
}
PROGRAM(asks_sender)
{
    fill(HERE, 16, 5);
    write_to(1, HERE, TILE(0), THERE, 64);
    until(1, 1);
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
}

// run orders: 1,2/b=orders 2,2/b=orders_sender
PROGRAM(
    orders) /* a word with several messages: one is answered in the loop, the next one ends it */
{
    for (uint32_t told = 0; told != 2; told = WORD(FLAG)) {
        if (told == 1) {
            WORD(RESULT + 4) = 0;
        }
        fence();
    }
    keep(RESULT, sum(THERE, 16));
}
PROGRAM(orders_sender)
{
    add(0, TILE(0), FLAG, 1);
    for (unsigned i = 0; i < 100; i++) { /* until it has been answered */
        __asm__ volatile("");
    }
    fill(HERE, 16, 5);
    write_to(1, HERE, TILE(0), THERE, 64);
    until(1, 1);
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
}

// run slots: 1,2/b=slots 2,2/b=slots_reader
PROGRAM(slots) /* asks once for the reader's count, and counts how often it has to wait for it */
{
    for (uint32_t i = 0; i < 6; i++) {
        if (i - WORD(FLAG) >= 2) {
            WORD(RESULT + 4) = WORD(RESULT + 4) + 1;
            do {
                fence();
            } while (i - WORD(FLAG) >= 2);
        }
        fill(THERE + 64 * (i % 2), 16, i);
        add(0, TILE(1), FLAG2, 1);
        for (unsigned k = 0; k < 300; k++) { /* so that a turn finds its slot read already */
            __asm__ volatile("");
        }
    }
    until(0, 0);
}
PROGRAM(slots_reader)
{
    for (uint32_t i = 0; i < 6; i++) {
        wait_least(FLAG2, i + 1);
        read_from(1, HERE, TILE(0), THERE + 64 * (i % 2), 64);
        until(1, 2);
        add(0, TILE(0), FLAG, 1);
    }
    until(0, 0);
}
