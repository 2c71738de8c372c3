#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races of a tile's cores: cores.py TENSIX SOURCE HEADERS. Each case of cores.cpp has the race that
stands here, and none when it is repaired. A case of both chips runs on one of them, on both with
TX_WHOLE in the environment."""

import json
import os
import subprocess
import sys
import tempfile

WHOLE = bool(os.environ.get("TX_WHOLE"))
BOTH, BH = ("bh", "wh"), ("bh",)
DATA, COPY = "L1 from 0x30000", "L1 from 0x38000"
BASE = "THCON_SEC0_REG3_Base_address"
# Chips; the state; who does the first and the second of the two; what the remedy says.
CASES = [
    (BOTH, DATA, "t0", "t1", "a mailbox or a semaphore"),
    (BOTH, DATA, "t0", "t1", "core t0 reads the word back"),
    (BOTH, DATA, "t0", "t1", "a mailbox or a semaphore"),
    (BOTH, DATA, "t0", 0, "reads the word back"),
    (BOTH, DATA, 2, "t2", "tensix_sync"),
    (BH, COPY, "t0", "t0", "NIU_MST_RD_RESP_RECEIVED"),
    (BH, "Dst row 0", 1, "t1", "tensix_sync"),
    (BH, BASE, "t0", 0, "p_stall::TRISC_CFG"),
    (BOTH, BASE, 0, "t0", "uses the value"),
    (BOTH, BASE, 0, "t0", "tensix_sync"),
    (BOTH, "THCON_SEC0_REG1_Out_data_format", 1, 2, "tensix_sync"),
    (BOTH, "MopCfg word 1 of T0", 0, "t0", "mop_sync"),
    (BH, "SCRATCH_SEC0_val", 0, "t0", "tensix_sync"),
    (BH, DATA, "t0", "t1", "a mailbox or a semaphore"),
    (BOTH, "GPR 20 of T0", "t0", 0, "p_stall::TRISC_CFG"),
    (BOTH, BASE, 0, "t0", "tensix_sync"),
    (BOTH, "ALU_FORMAT_SPEC_REG0_SrcA", 0, "t1", ""),
    (BOTH, DATA, "t0", "t1", "a mailbox or a semaphore"),
    (BOTH, DATA, "t1", "t0", "a mailbox or a semaphore"),
    (BOTH, DATA, "t0", "t1", "core t0 reads the word back"),
    (BOTH, DATA, "t1", "t0", "a mailbox or a semaphore"),
    (BOTH, DATA, 2, "t1", "tensix_sync"),
    (BH, DATA, "t0", "t0", "NIU_MST_NONPOSTED_WR_REQ_SENT"),
    (BH, "Dst row 0", "t1", 1, "reads the word back"),
    (BOTH, "THCON_SEC0_REG1_Out_data_format", 1, "t2", "tensix_sync"),
    (BOTH, BASE, 0, "t0", "tensix_sync"),
    (BOTH, "THCON_SEC0_REG1_L1_Dest_addr", 2, 2, "p_stall::PACK"),
    (BOTH, "THCON_SEC0_REG1_L1_Dest_addr", 2, 2, "p_stall::PACK"),
    (BOTH, "ALU_FORMAT_SPEC_REG0_SrcA", 0, "t1", ""),
]
OPEN = {(27, "bh"): "D-PACK-ADDRESS"}  # shipping code has it: a doubt, which does not fail
WITNESSES = 14  # of the first so many cases delays are looked for


def who(place):
    return place.get("core", place.get("thread"))


def words_of(tensix, chip, folder, case, repaired):
    words = [tensix, "tile", "run", "--arch", chip]
    for core, name in (("t0", "unpack"), ("t1", "math"), ("t2", "pack")):
        words += ["--elf", f"{core}={folder}/{name}.elf"]
    words += ["--poke", f"0x20000={case}", "--poke", f"0x20004={repaired}"]
    return words + ["--poke", "0x30000=5", "--poke", "0x30100=0"]


def races(tensix, chip, folder, case, repaired):
    words = words_of(tensix, chip, folder, case, repaired)
    words += ["--races", "--json"]
    words += ["--witness", "--budget", "80"] if case < WITNESSES else []
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    if "races" not in answer:
        raise SystemExit(f"case {case} on {chip}: {answer}")
    found = answer["races"]["races"]
    held = [race["doubt"] for race in found if race["open"]]
    assert held == ([OPEN[case, chip]] if found and (case, chip) in OPEN else []), (case, held)
    assert answer["races"]["open"] == len(held), case
    assert (done.returncode == 1) == (len(found) > len(held)), (case, done.returncode)
    if held:
        in_doubt(words_of(tensix, chip, folder, case, repaired), held[0])
    return found


def in_doubt(words, doubt):
    """One line without --doubts, the whole report and a failure with it; --known knows it, too."""
    done = subprocess.run([*words, "--races"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and not any(line.startswith("race:") for line in lines), done
    assert sum(line.startswith(f"doubt: {doubt}: 1 pair of places, ") for line in lines) == 1, lines
    assert lines[-1].startswith("tile: 0 races, 1 in doubt, which --doubts reports, "), lines[-1]
    words = [*words, "--races"]
    done = subprocess.run([*words, "--doubts"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"    doubt  {doubt}: " in done.stdout, done
    assert done.stdout.splitlines()[-1].startswith("tile: 1 race, "), done.stdout
    with tempfile.TemporaryDirectory() as folder:
        for races in ([], ["--doubts"]):
            known = [*words, *races, "--known", f"{folder}/known"]
            done = subprocess.run(known, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (races, done)


def shown(found):
    """Races with a delay that shows them; each was looked for."""
    assert all(race["trials"] > 0 for race in found), found
    return sum(race["delays"] is not None for race in found)


def replayed(tensix, chip, folder, case, found):
    """tile run with a witness's delays, given on the line and in a file, ends as it says."""
    for race in found:
        if race["delays"] is None:
            continue
        file = f"{folder}/delays"
        with open(file, "w", encoding="ascii") as out:
            out.write(race["delays"] + "\n")
        for delays in (race["delays"], file):
            words = words_of(tensix, chip, folder, case, 0) + ["--delays", delays]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            want = f"with delays {delays}: {race['witness']}"
            last = (done.stdout.splitlines() or [done.stderr])[-1]
            if "does not end" in race["witness"]:
                assert done.returncode == 1, (case, done)
            elif done.returncode != 1 or last != want:
                return f"{last} instead of {want}"
        return None
    return None


def check(found, case):
    _, state, first, second, remedy = CASES[case]
    if not found:
        return "nothing was found"
    for race in found:
        pair = [who(place) for place in race["places"]]
        if state not in race["state"]:
            return f"state '{race['state']}' instead of '{state}'"
        if pair not in ([first, second], [second, first]):
            return f"{pair} instead of {first}, {second}"
        if remedy not in race["remedy"]:
            return f"remedy '{race['remedy']}' instead of '{remedy}'"
    return None


def main():
    tensix, source, headers = sys.argv[1:]
    bad = witnesses = planted = 0
    for chip in BOTH:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [tensix, "cc", "--arch", chip, "-I", headers, source, "-o", folder], check=True
            )
            for case, (chips, *_) in enumerate(CASES):
                if chip not in chips:
                    continue
                if not WHOLE and chips == BOTH and chip != BOTH[case % 2]:
                    continue  # one of both, in turn
                found = races(tensix, chip, folder, case, 0)
                wrong = check(found, case)
                if case < WITNESSES:
                    planted += 1
                    witnesses += shown(found) != 0
                    wrong = wrong or replayed(tensix, chip, folder, case, found)
                found = races(tensix, chip, folder, case, 1)
                if wrong is None and found:
                    wrong = f"repaired: {found[0]['state']}, {found[0]['places']}"
                if wrong is not None:
                    bad += 1
                    print(f"case {case} on {chip}: {wrong}")
    print(f"{len(CASES)} cases, {bad} failed; witnesses for {witnesses} of {planted}")
    return 1 if bad or witnesses < (8 if WHOLE else 4) else 0


if __name__ == "__main__":
    sys.exit(main())
