# SPDX-License-Identifier: Apache-2.0
"""The page of tensix card --report, with a session that is written here.

pages_card.py PAGE: puts that session into a page that the command has written without any.
"""
import json
import re
import sys

from pages_common import Page, holds, same


def finding(cycle, message, **more):
    return {"cycle": cycle, "category": "UnpredictableValue", "rule": "E-L1INIT", "count": 2,
            "message": message, **more}


def tile(column, kind="Tensix", **more):
    return {"kind": kind, "column": column, "row": 0, "x": column, "y": 2, "off": False, "noc": 64,
            "dram": 0, **more}


SESSION = {
    "schema": 1, "chip": "blackhole", "product": "p150a", "width": 4, "height": 1, "pid": 9,
    "program": "python train.py", "seconds": 2.5, "cycles": 1234567, "noc": 256, "dram": 20000,
    "findings": [], "samples": [[1, 500, 1, 64, 0, 0], [2, 900, 3, 128, 20000, 1]],
    "launches": [
        {"first": 100, "last": 150, "seconds": 1, "tiles": 2, "running": False, "id": 1,
         "kernels": ["reader", "</script><b>compute"]},
        {"first": 200, "last": 260, "seconds": 1.5, "tiles": 2, "running": False, "id": 2,
         "kernels": ["reader", "</script><b>compute"]},
        {"first": 300, "last": 0, "seconds": 2, "tiles": 1, "running": True, "id": 3,
         "kernels": ["writer"]}],
    "tiles": [tile(0, instructions=10, cycles=900, findings=[finding(70, "one")], fault=""),
              tile(1, instructions=40, cycles=900, findings=[finding(60, "one")], fault="an end"),
              tile(2, instructions=0, cycles=0, fault="", findings=[
                  finding(80, "two", source="a.h:3 from b.cc:9", elf="/k/trisc1.elf"),
                  finding(85, "two", source="a.h:4 from b.cc:9")]),
              tile(3, "DRAM", dram=20000)],
    "profile": [
        {"name": "reader, </script><b>compute", "kernels": [], "launches": 2, "tiles": 2,
         "cycles": 3000, "tile_cycles": 4000, "at_least": True, "busy": {"matrix": 750, "cores": 0},
         "lanes": [{"lane": "T1", "works": 1000, "waits": 2500, "idle": 500,
                    "for": [{"text": "a word", "cycles": 2000}, {"text": "Dst", "cycles": 500}]}],
         "op": {
             "launch": 1, "cycles": 2000, "at_least": True, "at_least_because": ["l1"],
             "bound": "matrix", "bound_cycles": 500, "change": "at least <b>this", "again_not": "",
             "again": [{"unit": "matrix", "path": 500, "half": 1800, "none": 1600, "stuck": False,
                        "at_least": True, "differs": True},
                       {"unit": "noc", "path": 300, "stuck": True, "at_least": True,
                        "differs": False}],
             "path": [{"lane": "1,2 T1", "kind": "waits", "text": "Dst", "bound": "matrix",
                       "cycles": 500}],
             "roofline": {"matrix": 0.375, "noc": 0.25},
             "tiles": [{"tile": [1, 2], "unpack": 0, "matrix": 0.375, "vector": 0, "pack": 0,
                        "cores": 0}],
             "links": [{"noc": 1, "x": 2, "y": 0, "direction": "row", "flits": 9, "busy": 0.25}]}},
        {"name": "writer", "kernels": [], "launches": 1, "tiles": 1, "cycles": 1000,
         "tile_cycles": 1000, "at_least": False, "busy": {"matrix": 0, "cores": 10}, "lanes": []}],
}
TABLE = "return [...document.querySelectorAll(arguments[0] + ' tr')].map(row => " \
        "[...row.children].map(cell => cell.textContent))"


def check(browser, directory):
    page = Page(browser, directory + "/card.html")
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        page.open("")
        page.contrast(scheme, ".tx-card h2", ".tx-card td", ".tx-card th", ".tx-card .dim",
                      ".tx-card .grid div:not([style*=shade])")
    rows = browser.run(TABLE, "[data-part=launches]")
    same("launches in order, equal ones in one row", [
        ["1", "reader, </script><b>compute", "2", "2", "100", "110", "1.00 s"],
        ["2", "writer", "1", "1", "300", "not ended", "2.00 s"]], rows[1:])
    rows = browser.run(TABLE, "[data-part=findings]")
    same("findings by cycle, equal ones in one row", [
        ["Tensix (1, 2) and 1 more", "60", "4", "one", ""],
        ["Tensix (2, 2)", "80", "2", "two", "a.h:3 from b.cc:9"],
        ["Tensix (2, 2)", "85", "2", "two", "a.h:4 from b.cc:9"],
        ["Tensix (1, 2)", "900", "1", "an end", ""]], [row[:5] for row in rows[1:]])
    rows = browser.run(TABLE, "[data-part=profile]")
    same("where the cycles of launches went", [
        ["reader, </script><b>compute", "2", "2", "at least 3\u202f000", "75.0 %", "25.0 %",
         "0.0 %", "T1: 25.0 %; 50.0 % waits for a word"],
        ["writer", "1", "1", "1\u202f000", "25.0 %", "0.0 %", "1.0 %", ""]], rows[1:])
    shades = "return [...document.querySelectorAll('[data-part=grid] div')]" \
             ".map(cell => cell.style.background !== '')"
    same("shades by instructions", [True, True, False, False], browser.run(shades))
    page.choose("tx-card", "dram")
    same("shades by traffic of DRAM", [False, False, False, True], browser.run(shades))
    same("lines over time", 4,
         browser.run("return document.querySelectorAll('.tx-card .line path').length"))
    text = browser.run("return [...document.querySelectorAll('[data-part=op] p')]"
                       ".map(p => p.textContent)")
    same("one launch", [
        "Launch 2: at least 2\u202f000 cycles, bound by matrix (25.0 % of the path)",
        "At least because of l1", "Change first at least <b>this"], text)
    same("what is saved", [
        ["matrix", "at least 500", "at least 1\u202f800", "at least 1\u202f600",
         "20.0 %; results depend on time"],
        ["noc", "at least 300", "", "does not end: ordered by time alone", ""]],
         browser.run(TABLE, "[data-part=op] .again")[1:])
    same("the path", [["1,2 T1", "at least 500", "25.0 %", "waits for Dst"]],
         browser.run(TABLE, "[data-part=op] .path")[1:])
    same("the roofline", [["matrix", "at least 37.5 %"], ["noc", "at least 25.0 %"]],
         browser.run(TABLE, "[data-part=op] .roof")[1:])
    shades = shades.replace("[data-part=grid] div", "[data-part=op] .grid div")
    pick = "const op = document.querySelector('[data-part=op]'), s = op.querySelector('select'); " \
           "s.value = arguments[0]; s.onchange(); " \
           "return op.querySelector('.tx-title span').textContent"
    for measure, wanted, most in (
            ("matrix", [False, True, False, False], "at least 37.5 %, the busiest"),
            ("link 1 row", [False, False, True, False], "at least 25.0 %, the busiest"),
            ("vector", [False] * 4, "none works")):
        same(f"the busiest by {measure}", most, browser.run(pick, measure))
        same(f"shades by {measure}", wanted, browser.run(shades))
    facts = browser.run("return document.querySelector('[data-part=facts]').textContent")
    holds("facts", "1\u202f234\u202f567 cycles" in facts and "20.0 kB of DRAM" in facts, facts)
    page.quiet("page of a card")


def put(path):
    text = open(path, encoding="utf-8").read()
    data = json.loads(re.search(r"id='data'>\n(.*)\n</script>\n<script>", text).group(1))
    data["sessions"] = [SESSION]
    new = json.dumps(data).replace("<", "\\u003c")
    text = re.sub(r"(?<=id='data'>\n).*(?=\n</script>\n<script>)", lambda _: new, text)
    open(path, "w", encoding="utf-8").write(text)


if __name__ == "__main__":
    put(sys.argv[1])
