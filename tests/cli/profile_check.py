#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile_check.py TENSIX: --profile of every program of examples/tiles and examples/llk_style.

On both chips the cycles of each lane sum to those that the run takes without it, so do its parts
and the path; Perfetto's tracks and the page say the same.
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = ("works", "waits", "idle")
POKES = ("0x20000=0x21000", "0x20004=0x24000", "0x20008=0x28000")
failed = []


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        failed.append(f"{' '.join(map(str, command[:4]))}: {done.stderr.strip()}")
        return None
    return done.stdout


def expect(name, what, good):
    if not good:
        failed.append(f"{name}: {what}")


def check_profile(name, profile, cycles):
    expect(name, f"{profile['cycles']} cycles, the run takes {cycles}", profile["cycles"] == cycles)
    for lane in profile["lanes"]:
        for kind in KINDS:
            parts = sum(p["cycles"] for p in lane["parts"] if p["kind"] == kind)
            expect(name, f"{lane['lane']}: parts of {kind}", parts == lane[kind])
        still = [p["kind"] for p in lane["parts"] if p["text"] in ("in reset", "rests")]
        expect(name, f"{lane['lane']}: a core that stands still is {still}",
               all(kind == "idle" for kind in still))
        expect(name, f"{lane['lane']}: {[lane[k] for k in KINDS]}",
               sum(lane[k] for k in KINDS) == cycles)
    at = 0
    for step in profile["path"]:
        expect(name, f"the path has {step} behind {at}", step["from"] == at < step["to"])
        at = step["to"]
    expect(name, f"the path ends at {at}", at == cycles)
    bound = sum(s["to"] - s["from"] for s in profile["path"] if s["bound"] == profile["bound"])
    expect(name, f"bound: {bound}", bound == profile["bound_cycles"] and profile["change"])


def check_chrome(name, path, profile):
    events = json.loads(path.read_text())["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    for lane in profile["lanes"]:
        for kind in ("works", "waits"):
            seen = sum(e["dur"] for e in events if e["ph"] == "X" and e["cat"] == kind
                       and tracks[e["tid"]] == lane["lane"])
            expect(name, f"Perfetto: {lane['lane']} {kind} {seen}", seen == lane[kind])


def check_page(name, path, profile):
    text = path.read_text()
    data = json.loads(re.search(r"id='data'>\n(.*?)</script>", text, re.S).group(1))
    expect(name, "the page has other lanes", [(lane["name"], *lane["cycles"])
                                              for lane in data["lanes"]]
           == [(lane["lane"], *(lane[k] for k in KINDS)) for lane in profile["lanes"]])


def in_forms(name, folder, command, key):
    """The profile by its JSON, checked against the other forms."""
    profile = None
    for form in ("p.json", "p.html"):
        text = call(*command, f"--profile={folder / form}", "--json")
        if text is None:
            return None
        profile = json.loads(text)[key] if key else json.loads(text)
    check_chrome(name, folder / "p.json", profile)
    check_page(name, folder / "p.html", profile)
    return profile


def programs(tensix, folder, inputs):
    for source in sorted((ROOT / "examples" / "tiles").glob("*.s")):
        for chip in ("bh", "wh"):
            name = f"{source.name} {chip}"
            command = (tensix, "run", source, "--arch", chip, *inputs)
            text = call(*command, "--cycles", "--json")
            profile = in_forms(name, folder, command, None)
            if text is not None and profile is not None:
                check_profile(name, profile, json.loads(text)["tile_cycles"])


def kernels(tensix, folder, inputs):
    llk = ROOT / "examples" / "llk_style"
    for chip in ("bh", "wh"):
        call(tensix, "record", llk / "relu.cpp", "--arch", chip, "--tile", "kernel", "-o",
             folder / "relu.s")
        call(tensix, "asm", "--push", folder / "relu.s", "-o", folder / "relu.inc")
        for source in sorted(llk.glob("tile_*.cpp")):
            name = f"{source.name} {chip}"
            if call(tensix, "cc", "--arch", chip, "-I", folder, source, "-o", folder) is None:
                continue
            third = "0x20008=1" if "datacopy" in name else POKES[2]
            pokes = [word for poke in (*POKES[:2], third) for word in ("--poke", poke)]
            elfs = [word for core, thread in zip(("t0", "t1", "t2"), ("unpack", "math", "pack"))
                    for word in ("--elf", f"{core}={folder / thread}.elf")]
            command = (tensix, "tile", "run", "--arch", chip, *elfs, *pokes, *inputs)
            text = call(*command, "--json")
            profile = in_forms(name, folder, command, "profile")
            if text is not None and profile is not None:
                check_profile(name, profile, json.loads(text)["cycles"])
                expect(name, "no core is a lane", profile["lanes"][0]["lane"].startswith("core"))


def main():
    tensix, compiler = sys.argv[1], sys.argv[2:] == ["cc"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tile = struct.pack("<1024H", *(0x3F80 + 8 * (i % 32) for i in range(1024)))
        (folder / "tile.bin").write_bytes(4 * tile)
        places = ("0x10000", "0x18000", "0x21000", "0x24000")
        inputs = [word for at in places for word in ("--l1", f"{at}={folder / 'tile.bin'}")]
        programs(tensix, folder, inputs[:4])
        if compiler:
            kernels(tensix, folder, inputs[4:])
    print("\n".join(failed) if failed else "ok every lane of every program")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
