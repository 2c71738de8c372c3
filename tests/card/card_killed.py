# SPDX-License-Identifier: Apache-2.0
"""Kills programs with a card, and the command, at random moments; nothing may stay behind.

card_killed.py TENSIX PROGRAM ROUNDS [SEED]: PROGRAM is card_kill.c. In each round a command with a
card runs a shell that runs "PROGRAM work"; after a random time the program, the command, or all at
once get SIGKILL, the command also while it starts. Where the session outlives the program, "PROGRAM
check" must find all locks free and the card in order. In the end no process of the session, no
folder, and no shared memory may be there.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TENSIX, PROGRAM = sys.argv[1:3]
ROUNDS = int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
# The shell goes on when the program is killed, and tells the program's number.
SHELL = '"$1" work & echo $!; wait $!; echo ended $?; "$1" check; echo checked $?'


def processes(place):
    """Processes whose environment or command line names a folder in that place."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue
        if f"{place}/tensix-card".encode() in text:
            found.append(int(process.name))
    return found


def gone(look, seconds=30):
    """Waits until there is nothing; returns what there is."""
    end = time.time() + seconds
    while look() and time.time() < end:
        time.sleep(0.02)
    return look()


def kill(number, function=os.kill):
    try:
        function(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def one(chance, place):
    """Returns what is wrong, or None."""
    victim = chance.choice(["program", "program", "command", "all", "start"])
    command = subprocess.Popen(
        [TENSIX, "card", "--", "sh", "-c", SHELL, "-", PROGRAM], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=dict(os.environ, XDG_RUNTIME_DIR=place))
    if victim == "start":
        time.sleep(chance.random() ** 2 * 0.03)
    else:
        said = [command.stdout.readline().strip()]
        if said == ["working"] or chance.random() < 0.7:
            said.append(command.stdout.readline().strip())  # one is the number
        time.sleep(chance.random() ** 2 * 0.1)
    if victim == "program":
        kill(int(next(word for word in said if word != "working")))
        out, err = command.communicate(timeout=120)
        if out.split()[-4:] != ["ended", "137", "checked", "0"]:
            return f"the card after the program was killed: {out!r} {err!r}"
    elif victim != "all":
        kill(command.pid)
        time.sleep(chance.random() * 0.02)
    kill(command.pid, os.killpg)  # the command, the shell and the program
    command.communicate(timeout=120)
    there = gone(lambda: os.listdir(place))
    there = there or gone(lambda: [p for p in os.listdir("/dev/shm") if "card_kill" in p])
    there = there or gone(lambda: processes(place))
    return f"{victim}: there is {there}" if there else None


def main():
    chance = random.Random(SEED)
    bad = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(ROUNDS):
            wrong = one(chance, place)
            if wrong is not None:
                bad += 1
                print(f"round {number}: {wrong}")
    print(f"{ROUNDS} killed, {bad} wrong")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
