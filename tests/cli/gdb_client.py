#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb_client.py TENSIX: what gdb itself does not send to tile run --gdb, at a socket.

count.bin in the current folder counts in T0's a1 and stores it to 0x20000, for ever.
"""

import os
import socket
import subprocess
import sys
import time

PATH = "./socket"
failed = 0


def check(name, good, more=""):
    global failed
    print("ok" if good else "not ok", name, "" if good else more)
    failed += not good


class Client:
    def __init__(self, where=PATH, hello=True):
        deadline = time.monotonic() + 600
        while True:
            try:
                if isinstance(where, str):
                    self.socket = socket.socket(socket.AF_UNIX)
                else:
                    self.socket = socket.socket(socket.AF_INET)
                self.socket.connect(where)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self.socket.settimeout(600)
        self.bytes = b""
        self.acks = True
        if hello:
            self.say("qSupported")

    def raw(self, data):
        self.socket.sendall(data)

    def byte(self):
        if not self.bytes:
            self.bytes = self.socket.recv(65536)
            if not self.bytes:
                raise EOFError
        first, self.bytes = self.bytes[:1], self.bytes[1:]
        return first

    def packet(self):
        """The next one that is no text for the user."""
        while True:
            while self.byte() != b"$":
                pass
            text = b""
            while (c := self.byte()) != b"#":
                text += c
            total = int(self.byte() + self.byte(), 16)
            assert total == sum(text) & 255, text
            if self.acks:
                self.raw(b"+")
            if text[:1] != b"O" or text == b"OK":
                return text.decode()

    def send(self, text):
        self.raw(b"$" + text.encode() + b"#%02x" % (sum(text.encode()) & 255))

    def say(self, text):
        self.send(text)
        return self.packet()

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.say(f"p{number:x}")), "little")


def start(where, *options):
    return subprocess.Popen(
        [sys.argv[1], "tile", "run", "--arch", "bh", "--elf", "t0=count.bin", "--gdb", where,
         *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def spent(run):
    """Seconds of processor time that it has taken: no load of the machine changes them."""
    return time.clock_gettime(~run.pid << 3 | 2)  # clock_getcpuclockid


def works(run, seconds):
    """Waits until it has worked for so long."""
    end = spent(run) + seconds
    while spent(run) < end:
        time.sleep(0.01)


def packet_of(text):
    return b"$" + text + b"#%02x" % (sum(text) & 255)


def refused():
    """What a page in a browser can send to a port: packets, but never as the first bytes."""
    packets = packet_of(b"qSupported") + packet_of(b"M20000,4:efbeadde") + packet_of(b"k")
    for first in (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /", b"\x16\x03\x01", b"-", b"\x03",
                  b"$M20000,4:efbeadde#af", b"+++$k#6b", b" ", b"\n", b"$qSupporteX"):
        c = Client(hello=False)
        c.raw(first)
        try:
            c.raw(packets)
            end = c.socket.recv(100)
        except OSError:
            end = b""
        check(f"refused: {first[:12]}", end == b"", str(end))
        c.socket.close()


def acknowledged(c):
    c.raw(b"$m6000,4#00")
    check("a wrong sum", c.byte() == b"-")
    c.send("m6000,4")
    check("an acknowledgement", c.byte() == b"+")
    check("the answer", c.packet() == "37050200")
    c.raw(b"-")
    check("the answer once more", c.packet() == "37050200")
    check("no acknowledgements", c.say("QStartNoAckMode") == "OK")
    c.acks = False


def interrupted(c, run):
    c.send("vCont;c")
    works(run, 0.1)
    c.raw(b"\x03")
    stop = c.packet()
    check("an interrupt", stop.startswith("T02"), stop)
    count = c.register(11)
    check("it has counted", count > 1000, str(count))
    # Both in one piece.
    c.raw(b"$vCont;c#a8\x03")
    check("an interrupt at once", c.packet().startswith("T02"))


def quick(c, run):
    """A step back after a million cycles."""
    while c.register(11) < 200000:
        c.send("vCont;c")
        works(run, 0.02)
        c.raw(b"\x03")
        c.packet()
    cycles = int.from_bytes(bytes.fromhex(c.say("mffb121f0,4")), "little")
    best = 1e9
    good = True
    for _ in range(5):
        before = c.register(11), c.register(32)
        c.say("Hc2")
        begin = spent(run)
        c.say("bs")
        best = min(best, spent(run) - begin)
        c.say("vCont;s:2")
        good = good and (c.register(11), c.register(32)) == before
        c.say("bs")
    check("back and forth is the same place", good)
    # Some milliseconds; to replay from the beginning would take seconds.
    limit = 0.25 if os.environ.get("TX_SANITIZE", "off") == "off" else 10
    check("a step back takes a moment", best < limit, f"{best} s after {cycles} cycles")
    print(f"# a step back after {cycles} cycles: {1e3 * best:.1f} ms")


def lost(c, run):
    """Goes in the middle of a packet; the next one finds everything where it was."""
    place = c.register(32), c.register(11)
    c.say("Z0,6004,4")
    c.raw(b"$vCont;c#a")
    c.socket.close()
    c = Client()
    check("after a lost connection", c.say("?").startswith("T"))
    check("the same place", (c.register(32), c.register(11)) == place)
    # A core that runs while gdb goes.
    c.send("vCont;c")
    works(run, 0.02)
    c.socket.close()
    c = Client()
    check("after one that was lost while it ran", c.say("?").startswith("T02"))
    check("without the breakpoints of before", c.register(11) > place[1] + 10)
    return c


def main():
    run = start(PATH)
    refused()
    c = Client()
    check("nothing of what was refused is done", c.say("m20000,4") == "00000000")
    check("where it waits", "target remote ./socket" in run.stderr.readline())
    acknowledged(c)
    interrupted(c, run)
    quick(c, run)
    c = lost(c, run)
    c.send("k")
    check("killed: status", run.wait(60) == 3, str(run.returncode))
    check("killed: one line", run.stderr.read().count("\n") == 1)
    check("the socket is gone", not os.path.exists(PATH))
    # At a port; detached, the run goes on to its end, here to too many cycles.
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    run = start(str(port), "--max-cycles", "5000")
    c = Client(("127.0.0.1", port))
    c.say("vCont;s:2")
    check("detached", c.say("D") == "OK")
    check("detached: status", run.wait(60) == 1, str(run.returncode))
    check("detached: it went on", "not done after 5000 cycles" in run.stderr.read())
    sys.exit(failed != 0)


main()
