# SPDX-License-Identifier: Apache-2.0
"""A scripted editor: lsp.py TENSIX. Prints NAME<tab>WANT<tab>GOT for lsp.sh, and "end"."""

import json
import random
import subprocess
import sys
import threading

URI = "file:///tmp/k%20a.s"
# Every expected cycle is written beside its instruction, by spec/timing.md: a Blackhole reader of a
# multiply-add's result waits for a cycle, and so it issues two cycles behind it.
KERNEL = """.arch bh
OFF = 0
.macro twice a
    sfpadd \\a,L10,\\a,0
.endm
.tile
sfpload L0,0,3,OFF # \u00e9 \U0001f600
sfpmad L1,L0,L0,L9,0
sfpmul L2,L1,L1,L9,0
twice L2
sfpstore L2,0,3,0
"""
CYCLES = {6: "cycle 0", 7: "cycle 1", 8: "cycle 3, held 1", 3: "cycle 5, held 1",
          10: "cycle 7, held 1"}


def check(name, want, got):
    print(f"{name}\t{want}\t{got}", flush=True)

HANDOVER = """.arch wh
.thread unpack
.init
    ttseminit 1, 0, p_stall::SEMAPHORE_2
.tile
    sfploadi L1, 0x3F80, 0
    sfpstore L1, 0, 2, 3
    ttstallwait p_stall::{block}, p_stall::WAIT_SFPU
    ttsempost p_stall::SEMAPHORE_2
.thread math
.tile
    ttsemwait p_stall::STALL_SFPU, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO
    sfpload L2, 0, 2, 3
"""

# A text, the title of the quick fix at a line of it, and what the text is then to contain. Each is
# applied as an editor would, and checked again: nothing may be left to say.
LEAK = """.arch bh
.start vendor
.tile
{before}sfpload L0,0,3,0
sfpsetcc L0,0,0
sfpmov L0,L0,1
sfpstore L0,0,3,0
{after}"""
FIXES = [
    ("a misspelt mnemonic", ".arch bh\n.tile\nsfpload L0,0,3,0\nsfpmda L1,L0,L0,L9,0\n"
     "sfpstore L1,0,3,0\n", 3, "Write sfpmad", "\nsfpmad L1,L0,L0,L9,0\n"),
    ("a misspelt operand", ".arch bh\n.tile\nsfpload L0,0,3,0\nsfpmov p_sfpu::LRGE1,L0,0\n"
     "sfpstore L1,0,3,0\n", 3, "Write p_sfpu::LREG1", "sfpmov p_sfpu::LREG1,L0,0"),
    ("a missing SFPNOP", ".arch wh\n.tile\n    sfpload L0,0,3,0\n    sfpmad L1,L0,L0,L9,0\n"
     "    sfpstore L1,0,3,0\n", 4, "Insert sfpnop", "L9,0\n    sfpnop\n    sfpstore"),
    ("an SFPNOP too many", ".arch bh\n.tile\nsfpload L0,0,3,0\nsfpnop # wait\nsfpmov L1,L0,0\n"
     "sfpstore L1,0,3,0\n", 3, "Remove this sfpnop, which is not needed", "0,3,0\nsfpmov"),
    ("a condition that stays open", LEAK.format(before="", after=""), 3,
     "Close the condition: sfpencc 3, 10", "sfpstore L0,0,3,0\nsfpencc 3, 10\n"),
    ("one whose last line does not end", LEAK.format(before="", after="").rstrip("\n"), 3,
     "Close the condition: sfpencc 3, 10", "sfpstore L0,0,3,0\nsfpencc 3, 10\n"),
    ("in a row", LEAK.format(before=".rept 2\n", after="ttincrwc 0,2,0,0\n.endr\n"), 4,
     "Close the condition: sfpencc 3, 10", "\nsfpencc 3, 10\n.endr"),
    ("a stack that stays filled", LEAK.format(before="sfppushc 0\n", after=""), None,
     "Close the condition: sfppopc 0", "sfpstore L0,0,3,0\nsfppopc 0\n"),
    ("predication that is off", LEAK.format(before="", after="sfpencc 3, 10\n").replace(
        ".start vendor\n", ".init\n"), 4, "Switch predication on: sfpencc 3, 10",
     ".init\nsfpencc 3, 10\n.tile"),
    ("a missing wait", HANDOVER.format(block="STALL_MATH"), 12,
     "Insert ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU",
     "WAIT_SFPU\n    ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU\n    ttsempost"),
]


def applied(text, edits):
    """A text after edits of one line each, or of lines as a whole; all characters are ASCII."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(p):
        return starts[p["line"]] + p["character"]
    for e in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
        text = text[:offset(e["range"]["start"])] + e["newText"] + text[offset(e["range"]["end"]):]
    return text


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.argv[1], "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.ids = 0

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, **params):
        self.ids += 1
        self.send(id=self.ids, method=method, params=params)
        while (answer := self.receive()).get("id") != self.ids:
            pass
        return answer

    def at(self, method, line, character):
        return self.ask("textDocument/" + method, textDocument={"uri": URI},
                        position={"line": line, "character": character})["result"]

    def start(self, **params):
        return self.ask("initialize", processId=None, rootUri=None, **params)

    def open(self, text, uri=URI):
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "tensix", "version": 1, "text": text}})
        return self.receive()["params"]

    def change(self, text):
        self.send(method="textDocument/didChange", params={
            "textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]})
        return self.receive()["params"]["diagnostics"]

    def end(self):
        self.ask("shutdown")
        self.send(method="exit")
        return self.process.wait()


def place(diagnostic):
    r = diagnostic["range"]
    return [r["start"]["line"], r["start"]["character"], r["end"]["character"]]


def session():
    s = Server()
    check("not before initialize", -32002, s.ask("shutdown")["error"]["code"])
    result = s.start(capabilities={})["result"]
    check("the protocol's own positions", "utf-16", result["capabilities"]["positionEncoding"])
    check("not twice", -32600, s.start(capabilities={})["error"]["code"])
    s.send(method="initialized", params={})

    # ---- diagnostics ----
    published = s.open(KERNEL)
    check("of this document", URI, published["uri"])
    check("an operand too many", [8, 18, 19], place(published["diagnostics"][0]))
    fixed = KERNEL.replace("L1,L1,L9,0\ntwice", "L1,L1,0\ntwice")
    check("nothing to say", [], s.change(fixed))
    found = s.change(fixed.replace(".arch bh", ".arch wh"))
    check("Wormhole does not wait", ["E-HAZ"] * 3, [d["code"] for d in found])
    check("what it means on a card, and what to change", True, all(
        "\nOn a card: no interlock holds the reader" in d["message"]
        and "\nChange: put one cycle more between the two" in d["message"] for d in found))
    check("at the readers", [[8, 0], [3, 4], [10, 0]], [place(d)[:2] for d in found])
    nops = s.change(fixed.replace("twice L2", "sfpnop\ntwice L2"))
    check("an SFPNOP that is not needed", [[9, 4, [1]]],
          [[place(d)[0], d["severity"], d["tags"]] for d in nops])
    s.change(fixed)

    post = HANDOVER.format(block="STALL_MATH")
    found = s.change(post)
    check("a race of two threads", [[[12, 4], 2, "race"]],
          [[place(d)[:2], d["severity"], d["code"]] for d in found])
    check("what it says", True, all(w in found[0]["message"] for w in (
        "Dst row 0", ":7 (T0)", "ttstallwait p_stall::STALL_SYNC, p_stall::WAIT_SFPU")))
    check("repaired", [], s.change(post.replace("STALL_MATH", "STALL_SYNC")))
    check("threads that do not end", [3], [d["severity"] for d in s.change(
        post.replace("    ttsempost", "#"))])
    s.change(fixed)

    # ---- under the cursor ----
    hover = s.at("hover", 7, 3)
    check("hover over a mnemonic", True, "VD = VA * VB + VC" in hover["contents"]["value"])
    check("its range", {"line": 7, "character": 6}, hover["range"]["end"])
    check("the order of its operands", True,
          "sfpmad lreg_dest,lreg_src_a,lreg_src_b,lreg_src_c,instr_mod1"
          in hover["contents"]["value"])
    s.change(fixed + "\n# ROW_MASK Unp_LF8_4b_exp")
    last = len(fixed.split("\n"))
    for at, told in ((5, "bits 12 to 15 of LaneConfig"), (15, "configuration word 71")):
        check("hover over a field", True, told in s.at("hover", last, at)["contents"]["value"])
    s.change(fixed)
    check("hover over a name", "OFF = 0", s.at("hover", 6, 17)["contents"]["value"])
    check("hover over nothing", None, s.at("hover", 6, 22))
    check("hover behind the end", None, s.at("hover", 4000, 9))
    check("definition of a macro", [2, 7, 12], place(s.at("definition", 9, 1)))
    check("of what is not defined", None, s.at("definition", 7, 1))
    labels = [i["label"] for i in s.at("completion", 7, 2)]
    check("statements", True, {"sfpmad", "ttstallwait", ".rept", "twice"} <= set(labels))
    labels = [i["label"] for i in s.at("completion", 7, 12)]
    check("operands", True, {"NEGATE_VA", "L7", "p_sfpu::LREG1", "OFF"} <= set(labels))
    check("no statements there", False, "sfpmad" in labels)
    symbols = s.ask("textDocument/documentSymbol", textDocument={"uri": URI})["result"]
    check("symbols", [["OFF", 13, 1], ["twice", 12, 2], [".tile", 3, 5]],
          [[x["name"], x["kind"], x["selectionRange"]["start"]["line"]] for x in symbols])
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = s.ask("textDocument/inlayHint", textDocument={"uri": URI}, range=everything)["result"]
    check("cycles", CYCLES, {h["position"]["line"]: h["label"] for h in sorted(
        hints, key=lambda h: list(CYCLES).index(h["position"]["line"]))})
    # 21 of "sfpload L0,0,3,OFF # ", then one, a blank, and two of what UTF-16 writes as a pair.
    check("UTF-16", [25], [h["position"]["character"] for h in hints
                           if h["position"]["line"] == 6])

    help_ = s.at("signatureHelp", 7, 14)
    label = help_["signatures"][0]["label"]
    check("operands in their order",
          "sfpmad lreg_dest,lreg_src_a,lreg_src_b,lreg_src_c,instr_mod1", label)
    check("the operand that is written", [2, "lreg_src_b"], [help_["activeParameter"], label[slice(
        *help_["signatures"][0]["parameters"][2]["label"])]])
    check("parameters of a macro", "twice a", s.at("signatureHelp", 9, 7)["signatures"][0]["label"])
    check("no operands of a name", None, s.at("signatureHelp", 9, 3))

    def references(line, character, declaration=True):
        return [[r["range"]["start"]["line"], r["range"]["start"]["character"]] for r in s.ask(
            "textDocument/references", textDocument={"uri": URI}, position={
                "line": line, "character": character},
            context={"includeDeclaration": declaration})["result"]]
    check("references of a macro", [[2, 7], [9, 0]], references(9, 1))
    check("without its definition", [[9, 0]], references(2, 8, False))
    check("of a parameter", [[2, 13], [3, 12], [3, 19]], references(3, 12))
    check("of an instruction", [], references(7, 1))
    check("what can be renamed", [6, 15, 18], place({"range": s.at("prepareRename", 6, 17)}))

    def rename(line, character, name):
        return s.ask("textDocument/rename", textDocument={"uri": URI}, newName=name, position={
            "line": line, "character": character})
    for line, name in ((6, "START"), (9, "double"), (3, "value")):
        old = {6: "OFF", 9: "twice", 3: "a"}[line]
        edits = rename(line, {6: 17, 9: 0, 3: 12}[line], name)["result"]["changes"][URI]
        check(f"renamed to {name}", {6: 2, 9: 2, 3: 3}[line], len(edits))
        ranges = [(e["range"]["start"], e["range"]["end"]) for e in edits]
        check("each is the name", [old] * len(edits), [
            fixed.split("\n")[a["line"]][a["character"]:b["character"]] for a, b in ranges])
    for name in ("sfpmad", "twice", "p_sfpu::LREG1", "1st", "L1", ""):
        check(f"not renamed to '{name}'", -32803, rename(6, 17, name)["error"]["code"])
    check("nothing to rename", -32803, rename(7, 1, "x")["error"]["code"])

    # ---- quick fixes ----
    for name, text, line, title, contains in FIXES:
        before = s.change(text)
        check(f"{name} is seen", True, before != [])
        wanted = {"start": {"line": line or 0, "character": 0},
                  "end": {"line": len(text) if line is None else line, "character": 0}}
        found = [a for a in s.ask(
            "textDocument/codeAction", textDocument={"uri": URI}, range=wanted,
            context={"diagnostics": []})["result"] if a["title"] == title]
        check(f"a fix of {name}", title, found[0]["title"] if found else None)
        if found:
            mended = applied(text, found[0]["edit"]["changes"][URI])
            check(f"{name}, mended", True, contains in mended)
            check(f"{name}, checked again", [], [d["message"] for d in s.change(mended)])
    wanted["start"]["line"] = wanted["end"]["line"] = 0
    s.change(FIXES[2][1])
    check("none elsewhere", [], s.ask("textDocument/codeAction", textDocument={"uri": URI},
                                      range=wanted, context={"diagnostics": []})["result"])
    hints = s.ask("textDocument/inlayHint", textDocument={"uri": URI}, range=everything)["result"]
    check("the hazard beside its cycle", "cycle 2, hazard E-HAZ", hints[-1]["label"])
    s.change(fixed)

    # ---- what it does not know ----
    check("an unknown method", -32601, s.ask("textDocument/rangeFormatting")["error"]["code"])
    check("a document that is not open", -32602, s.ask(
        "textDocument/documentSymbol", textDocument={"uri": "file:///no"})["error"]["code"])
    check("no position", -32602, s.ask(
        "textDocument/hover", textDocument={"uri": URI})["error"]["code"])
    s.raw(b"Content-Length: 4\r\n\r\n{]{]")
    check("no JSON", -32700, s.receive()["error"]["code"])
    check("no method", -32600, (s.send(id=5), s.receive())[1]["error"]["code"])
    s.send(method="textDocument/didClose", params={"textDocument": {"uri": URI}})
    check("closed", [], s.receive()["params"]["diagnostics"])
    check("shutdown and exit", 0, s.end())


def others(folder):
    """UTF-8, the chip of files without one, .include."""
    s = Server("--arch", "wh")
    result = s.start(capabilities={"general": {"positionEncodings": ["utf-16", "utf-8"]}})["result"]
    check("UTF-8", "utf-8", result["capabilities"]["positionEncoding"])
    with open(folder + "/a.inc", "w", encoding="ascii") as f:
        f.write("TWO = 2\n.macro stop\nsfpmda\n.endm\n")
    uri = "file://" + folder + "/main.s"
    text = '/* \u00e9 */ sfpnop; sfpshft2 L0,L1,L2,7\n.include "a.inc"\nsfpiadd L0,L1,TWO,4\nstop\n'
    check("the chip it was started with", [0, 35, 37],
          place(s.open(text.replace("L2,7", "L2,77"), uri)["diagnostics"][0]))
    s.send(method="textDocument/didChange", params={
        "textDocument": {"uri": uri}, "contentChanges": [{"text": text}]})
    one = s.receive()["params"]["diagnostics"][0]
    check("an error in what is included", True,
          "a.inc:3: there is no instruction" in one["message"])

    def jump(line, character):
        return s.ask("textDocument/definition", textDocument={"uri": uri},
                     position={"line": line, "character": character})["result"]
    check("into what is included", [uri.replace("main.s", "a.inc"), 0],
          [jump(2, 15)["uri"], jump(2, 15)["range"]["start"]["line"]])
    check("the file itself", uri.replace("main.s", "a.inc"), jump(1, 11)["uri"])
    renamed = s.ask("textDocument/rename", textDocument={"uri": uri}, newName="PAIR",
                    position={"line": 2, "character": 15})["result"]["changes"]
    check("renamed in both files", {uri: 1, uri.replace("main.s", "a.inc"): 1},
          {u: len(e) for u, e in renamed.items()})

    # Includes are followed eight levels deep, a file that includes itself as well.
    for i in range(10):
        with open(f"{folder}/level{i}.inc", "w", encoding="ascii") as f:
            f.write(f'AT{i} = {i}\n.include "level{i + 1}.inc"\n')
    with open(folder + "/itself.inc", "w", encoding="ascii") as f:
        f.write('ONCE = 1\n.include "itself.inc"\n')
    uri = "file://" + folder + "/deep.s"
    s.open('.include "level0.inc"\nsfpiadd L0,L1,AT7,4\nsfpiadd L0,L1,AT8,4\n'
           '.include "itself.inc"\nsfpiadd L0,L1,ONCE,4\n', uri)
    check("eight levels of what is included", uri.replace("deep.s", "level7.inc"),
          (jump(1, 15) or {}).get("uri"))
    check("and no more", None, jump(2, 15))
    check("a file that includes itself", uri.replace("deep.s", "itself.inc"),
          (jump(4, 15) or {}).get("uri"))
    s.send(method="exit")
    check("exit without shutdown", 1, s.process.wait())


def broken():
    """Whatever comes, an answer or an end with one line; never a signal."""
    base = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": m, "params": {
        "textDocument": {"uri": URI, "text": KERNEL}, "contentChanges": [{"text": KERNEL}],
        "position": {"line": 6, "character": 9}, "newName": "x",
        "range": {"start": {"line": 0}, "end": {"line": 9}}
    }}).encode() for m in (
        "textDocument/hover", "textDocument/completion", "textDocument/definition",
        "textDocument/documentSymbol", "textDocument/inlayHint", "textDocument/signatureHelp",
        "textDocument/references", "textDocument/rename", "textDocument/codeAction")]
    rng = random.Random(20)
    s = Server()
    s.start(capabilities={})
    s.open(KERNEL)
    last = threading.Event()

    def read():  # else a full pipe would hold both
        while s.receive().get("id") != "last":
            pass
        last.set()
    threading.Thread(target=read, daemon=True).start()
    for _ in range(300):
        body = bytearray(rng.choice(base))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(body))
            new = rng.choice((b'"', b"{", b"-1", b"\xff", b"null", b"9e9"))
            body[at:at + rng.randrange(3)] = new
        s.raw(b"Content-Length: %d\r\n\r\n" % len(body) + bytes(body))
    s.send(id="last", method="shutdown")
    check("300 broken messages", True, last.wait(60))
    s.send(method="exit")
    check("and its end", 0, s.process.wait())
    for name, data in (("no head", b"hello\r\n\r\n"), ("no length", b"Content-Type: x\r\n\r\n"),
                       ("a length of -1", b"Content-Length: -1\r\n\r\n"),
                       ("cut short", b"Content-Length: 100\r\n\r\n{}")):
        s = Server()
        _, err = s.process.communicate(data)
        check(name, [2, 1], [s.process.returncode, err.count(b"\n")])
    s = Server()
    check("no message at all", (b"", 1), (s.process.communicate(b"")[0], s.process.returncode))


session()
others(sys.argv[2])
broken()
print("end")
