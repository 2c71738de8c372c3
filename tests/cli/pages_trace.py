# SPDX-License-Identifier: Apache-2.0
"""The page of a trace: cycles, tooltips, views, the source beside them; both themes, all widths."""
import json
import struct

from pages_common import CONTRAST, Page, holds, same


class TracePage(Page):
    def cycle(self):
        b = self.browser
        shown = [b.run("return document.querySelector('.number').value"),
                 b.run("return document.querySelector('.range').value"),
                 b.text(".nowtitle").replace("Cycle ", "")]
        return shown[0] if len(set(shown)) == 1 else shown

    def cell(self, cycle, text):
        return self.browser.run(
            "return [...document.querySelectorAll('.cell')].find(n => n.insn &&"
            " n.insn.t === arguments[0] && n.textContent.startsWith(arguments[1]))", cycle, text)

    def tip(self, cycle, text):
        cell = self.cell(cycle, text)
        if cell is None:
            return "no cell " + text
        self.browser.hover(cell)
        return self.browser.text(".tx-tip")


def steps(page):
    b = page.browser
    page.open("cycle=3")
    same("opens at a cycle", "3", page.cycle())
    last = int(b.run("return document.querySelector('.range').max"))
    for keys, want in ((["Right"], 4), (["Right"], 5), (["Left"], 4), (["Shift", "Right"], 14),
                       (["Shift", "Left"], 4), (["End"], last), (["Right"], last), (["Home"], 0),
                       (["Left"], 0)):
        b.press(*keys)
        same("key " + " ".join(keys), str(want), page.cycle())
    for button, want in (("next", 1), ("next", 2), ("back", 1), ("last", last), ("first", 0)):
        b.click("." + button)
        same("button " + button, str(want), page.cycle())
    b.click(".next")
    b.press("Right")
    same("keys after a button", "2", page.cycle())
    b.run("const r = document.querySelector('.range'); r.value = 7;"
          "r.dispatchEvent(new Event('input'))")
    same("slider", "7", page.cycle())
    b.run("const n = document.querySelector('.number'); n.value = 5;"
          "n.dispatchEvent(new Event('change'))")
    same("number", "5", page.cycle())
    b.click(".cell[aria-label^='MAD cycle 3:']")
    same("click on a cell", "3", page.cycle())
    page.choose("zoom", "200")
    same("zoom", "196px", b.run(
        "return getComputedStyle(document.querySelector('.cell.d')).width"))
    page.quiet("steps")


def tips(page):
    b = page.browser
    page.open("cycle=3")
    text = page.tip(3, "add L2=L1+L10")
    for part in ("MAD, cycle 3, instruction", "reads L1 2.25 in all lanes", "reads L10 1 in all",
                 "writes L2 3.25 in all lanes readable in 5", "sfpadd L2,L1,L10,0"):
        holds("tooltip: " + part, part in text, text)
    b.press("Escape")
    same("Escape hides it", True, b.run("return document.querySelector('.tx-tip').hidden"))
    b.press("Down")
    text = b.text(".tx-tip")
    holds("Down shows one", "cycle 3" in text, text)
    page.open("cycle=2")
    held = "L1 written by SFPMAD at t=1 (word "
    text = page.tip(2, "add L2=L1+L10")
    holds("tooltip: cause of a stall", "held: " + held in text, text)
    holds("the cycle's list tells it", "stall: add L2=L1+L10 waits: " + held in b.text(".now"))
    same("its producer is marked", ["mad L1=L0*L0+L9", "' mad L1"], b.run(
        "return [...document.querySelectorAll('.cell.holds')].map(n => n.textContent)"))
    page.open("cycle=7")
    text = page.tip(7, "[L3] cast L16=fp32 L3")
    holds("tooltip: who scheduled it",
          "scheduled by SFPLOADMACRO" in text and "launched in cycle 6" in text, text)
    page.quiet("tooltips")


def views(page):
    """-1.5 was loaded in cycle 0, its square plus 1 stored in cycle 5."""
    b = page.browser
    low = struct.unpack("<I", struct.pack("<f", -1.5))[0]
    sums = struct.unpack("<I", struct.pack("<f", 3.25))[0]
    lregs = {"fp32": "-1.5", "hex": "%08x" % low, "int": str(low - (1 << 32)),
             "sm": "-%d" % (low & 0x7fffffff), "bf16": "-1.5 0"}
    # Cells keep sign, mantissa, exponent (BF16) in this order; FP16 is 1, 10 and 5 bits.
    cells = {}
    for word in (low, sums):
        high = word >> 16
        cell = high & 0x8000 | (high & 0x7f) << 8 | high >> 7 & 0xff
        half = (1 + (cell >> 5 & 0x3ff) / 1024) * 2.0 ** ((cell & 31) - 15) if cell & 31 else 0
        sign = "-" if cell & 0x8000 else ""
        value = struct.unpack("<f", struct.pack("<I", word))[0]
        cells[word] = {"hex": "%04x" % cell, "bf16": "%g" % value, "fp16": sign + "%g" % half,
                       "int16": sign + str(cell & 0x7fff), "fp32": "%g" % value,
                       "int32": sign + str(word & 0x7fffffff)}
    page.open("cycle=4")
    offered = "return [...document.querySelector('.' + arguments[0]).options].map(o => o.value)"
    same("readings of LRegs", sorted(lregs), sorted(b.run(offered, "reading")))
    same("readings of Dst", sorted(cells[low]), sorted(b.run(offered, "dreading")))
    for name, want in lregs.items():
        page.choose("reading", name)
        same("L0 as " + name, "L0 %s in all lanes" % want, b.text(".tx-lregs .reg"))
    for cycle, word in ((4, low), (5, sums)):
        page.open("cycle=%d" % cycle)
        for name, want in cells[word].items():
            page.choose("dreading", name)
            same("Dst in cycle %d as %s" % (cycle, name), want, b.text(".tx-dst td"))
        same("written cells are marked", (word == sums) * 4 * 16, b.run(
            "return document.querySelectorAll('.tx-dst td.hot').length"))
    page.open("cycle=3")
    page.choose("reading", "fp32")
    lane = "return document.querySelectorAll('.tx-lregs .reg')[2].textContent"
    holds("L2 before the sum is written", b.run(lane).startswith("L2 0 in all lanes"), b.run(lane))
    b.click(".nowtitle")  # away from the list, which takes the arrows
    b.press("Right")
    same("L2 when it is", 32, b.run(
        "return [...document.querySelectorAll('.tx-lregs .reg')[2].querySelectorAll('td.hot')]"
        ".filter(n => n.textContent === '3.25').length"))
    page.quiet("views")


def looks(page):
    b = page.browser
    theme = "return tensixViews.theme.get()"
    for scheme, other in (("light", "dark"), ("dark", "light")):
        page.scheme(scheme)
        page.open("cycle=2")
        same("follows the system: " + scheme, scheme, b.run(theme))
        page.contrast(scheme, "h1", ".dim", ".cell", ".cell.stall", ".now div", ".reg", "button",
                      "th", ".tx-source span")
        b.click(".theme")
        same("the button changes to " + other, other, b.run(theme))
    for width in (1280, 760, 380):
        page.width(width)
        page.open("cycle=3")
        page.tip(3, "add L2=L1+L10")
        reach = b.run("return [document.documentElement.scrollWidth,"
                      " document.querySelector('.tx-tip').getBoundingClientRect().right]")
        holds("fits a window of %d" % width, max(reach) <= width, reach)
    b.devtools("Emulation.clearDeviceMetricsOverride")
    page.quiet("looks")


def sizes(browser, directory):
    page = TracePage(browser, directory + "/long.html")
    page.open("cycle=1900")
    same("long: opens", "1900", page.cycle())
    browser.press("End")
    same("long: end", "1997", page.cycle())
    count = browser.run("return document.querySelectorAll('.cell').length")
    holds("long: only what can be seen is there", 0 < count < 400, count)
    page.quiet("long")
    page = TracePage(browser, directory + "/cut.html")
    page.open("cycle=5")
    same("a cut begins where it begins", "100", page.cycle())
    browser.press("End")
    same("and ends there", "140", page.cycle())
    page.quiet("cut")


def units(browser, directory):
    """Lanes of unpackers, banks and packers, by the lines of --json of the same run."""
    page = TracePage(browser, directory + "/units.html")
    events = [json.loads(line) for line in open(directory + "/units.json")]
    wait = next(e for e in events if e["ev"] == "unpack" and e["phase"] == "wait" and
                e["cause"].startswith("bank"))
    end = next(e for e in events if e["ev"] == "unpack" and e["phase"] == "end" and
               e["unpacker"] == 0 and e["cycles"] > 2)
    page.open("cycle=%d" % wait["t"])
    same("lanes", "cycle T0 Unpack_0 Unpack_1 SrcA_0 SrcA_1 SrcB_0 SrcB_1 T1 Matrix T2 Pack_0",
         " ".join(name.replace(" ", "_") for name in browser.run(
             "return [...document.querySelectorAll('.names div')].map(n => n.textContent)")))
    holds("who waits, and for what", "Unpack %d unpacr waits: %s (%d)" % (
        wait["unpacker"], wait["cause"], wait["id"]) in
        browser.text(".now").replace("\u00a0", " ").replace("  ", " "), browser.text(".now"))
    holds("a semaphore is named", "semaphore 1 (0 of 1) to be above 0" in browser.text(".now"))
    page.open("cycle=%d" % end["start"])
    browser.hover(browser.run(
        "return [...document.querySelectorAll('.bar')].find(n => n.span.kind === 0 &&"
        " n.span.id === arguments[0] && n.span.phase === 2)", end["id"]))
    text = browser.text(".tx-tip")
    for part in ("Unpack 0: unpacr", "cycles %d to %d: at least %d" % (
            end["start"], end["start"] + end["cycles"] - 1, end["cycles"]),
            "issued in cycle %d" % end["issued"]):
        holds("bar's tooltip: " + part, part in text, text)
    browser.run("[...document.querySelectorAll('.bar')].find(n => n.span.kind === 2)"
                ".dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    holds("a bank's tooltip", "has it" in browser.text(".tx-tip"), browser.text(".tx-tip"))
    for scheme in ("light", "dark"):
        page.open("cycle=%d&theme=%s" % (wait["t"], scheme))
        for kind in ("work", "wait", "math", "unpack", "stall"):
            ratio = browser.run(CONTRAST, ".bar." + kind)
            holds("%s: contrast of %s" % (scheme, kind), ratio >= 4.5, ratio)
    for width in (1280, 400):
        page.width(width)
        page.open("cycle=%d" % end["start"])
        reach = browser.run("return document.documentElement.scrollWidth")
        holds("units fit a window of %d" % width, reach <= width, reach)
    browser.devtools("Emulation.clearDeviceMetricsOverride")
    page.quiet("units")


def source(browser, directory):
    """Line 12 is the sfpmad, issued in cycle 1; line 13 the sfpadd, held in 2, issued in 3."""
    page = TracePage(browser, directory + "/page.html")
    page.width(1280)
    page.open("cycle=3")
    lines = ("return [...document.querySelectorAll('.tx-source .%s .number')]"
             ".map(n => n.textContent)")
    same("the line of a cycle", ["13"], browser.run(lines % "line.at"))
    row = ("return [...document.querySelectorAll('.tx-source .line')]"
           ".find(n => n.dataset.line === '%s')")
    add = "13 3 +1"
    same("a line tells its cycles", add, " ".join(browser.run(
        (row % 13) + ".innerText.split(/\\s+/).slice(0, 3)")))
    browser.hover(browser.run(row % 12))
    same("a line marks its instructions", ["mad L1=L0*L0+L9"], browser.run(
        "return [...document.querySelectorAll('.cell.marked')].map(n => n.textContent)"
        ".filter(t => !t.startsWith(\"'\"))"))
    browser.run("arguments[0].click()", browser.run(row % 12))
    same("a click goes to its cycle", "1", page.cycle())
    page.tip(1, "mad L1")
    same("an instruction marks its line", ["12"], browser.run(lines % "line.chosen"))
    browser.write(".find", "L16")
    browser.press("Enter")
    same("found by its register", "7", page.cycle())
    holds("and how often", browser.text(".found").endswith("cycles"), browser.text(".found"))
    browser.press("Escape")
    page.open("cycle=0")
    browser.click(".dshow option[value='tile']")
    same("a tile has 32 x 32 elements", [32, 32], browser.run(
        "const t = document.querySelector('table.tile');"
        "return [t.rows.length, t.rows[0].cells.length]"))
    same("row 5, column 20 is in row 21 of 32 bits", "element 5, 20: -1.5 (Dst row 37, column 4)",
         browser.run("return document.querySelector('table.tile').rows[5].cells[20].title"))
    browser.click(".tx-lregs input")
    holds("L11 to L14 on demand", "L11 -1 in all lanes" in browser.text(".tx-lregs"),
          browser.text(".tx-lregs"))
    for width in (400, 1280):
        page.width(width)
        page.open("cycle=12")
        holds("the line is in sight at %d" % width, browser.run(
            "const line = document.querySelector('.line.at').getBoundingClientRect();"
            "const box = document.querySelector('.tx-source').getBoundingClientRect();"
            "return line.top >= box.top - 1 && line.bottom <= box.bottom + 1"))
    page.quiet("source")
    page = TracePage(browser, directory + "/broken.html")
    page.open("cycle=0")
    browser.press("n")
    same("n goes to the broken rule", "3", page.cycle())
    same("whose instruction is marked", 1, browser.run(
        "return document.querySelectorAll('.cell.broken').length"))
    same("and its line", ["6"], browser.run(lines % "line.broken"))
    page.quiet("broken")


def late(browser, directory):
    """Cycles that are packed, by the lines of --json of the same run."""
    last = {}
    for line in open(directory + "/late.json"):
        event = json.loads(line)
        if event["ev"] == "issue":
            last = event
    page = TracePage(browser, directory + "/late.html")
    page.width(1280)
    page.open("cycle=5")
    browser.press("End")
    end = str(last["t"])
    browser.wait("return document.querySelector('.now').textContent.includes('L7')")
    same("late: the end is that of --json", end, page.cycle())
    same("late: the line of its instruction", "8", browser.run(
        "return document.querySelector('.tx-source .line.at .number').textContent"))
    for _ in range(2):
        browser.press("Left")
    browser.run("const r = document.querySelector('.range'); r.value = 22000;"
                "r.dispatchEvent(new Event('input'))")
    browser.wait("return document.querySelectorAll('.cell').length > 3")
    browser.wait("return tensixViews.page.model.need(22000, 22000) === null")
    lane = "return tensixViews.page.model.state(22000).lreg[%d]"
    value = struct.unpack("<I", struct.pack("<f", -1.5))[0]
    same("late: L0 is still what was loaded", value, browser.run(lane % 0))
    same("late: L2 is the sum", struct.unpack("<I", struct.pack("<f", 3.25))[0],
         browser.run(lane % 64))
    browser.write(".find", "L7")
    browser.wait("return document.querySelector('.found').textContent === '1 cycle'")
    browser.press("Enter")
    same("late: found in the packed part", end, page.cycle())
    page.quiet("late")
    page = TracePage(browser, directory + "/latecut.html")
    page.open("cycle=0")
    same("late: a cut begins where it begins", "5", page.cycle())
    browser.press("End")
    same("late: and ends there", "15000", page.cycle())
    page.quiet("late cut")


def check(browser, directory):
    page = TracePage(browser, directory + "/page.html")
    for part in (steps, tips, views, looks):
        part(page)
    sizes(browser, directory)
    units(browser, directory)
    source(browser, directory)
    late(browser, directory)
