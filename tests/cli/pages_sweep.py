# SPDX-License-Identifier: Apache-2.0
"""The report of a sweep: every point against --points, worst inputs against --json."""
import csv
import json

from pages_common import Page, holds, same

PLOT = "const v = tensixViews.page, m = v.models[0], plot = v.plot;"


def ready(page, fragment=""):
    """Unpacking ends after the load event."""
    page.open(fragment)
    page.browser.wait("return !!(globalThis.tensixViews && tensixViews.page)")


def tip(browser):
    """The tooltip's lines by their name."""
    return dict(browser.run(
        "return [...document.querySelectorAll('.tx-accuracy .tx-tip tr')].map(r =>"
        " [r.cells[0].textContent, r.cells[1].textContent])"))


def points(page, lines):
    """All of them, and what the pointer and the keys show of some."""
    b = page.browser
    mine = list(csv.DictReader(b.run(PLOT + "return m.csv()").splitlines()))
    keys = ("x", "y", "y_ref", "ulp_error", "outcome")
    same("as many points as lines", len(lines), len(mine))
    wrong = [(m, line) for m, line in zip(mine, lines) if any(m[k] != line[k] for k in keys)]
    same("every point is the line of --points", [], wrong[:2])
    bins = b.run(PLOT + "return [Array.from(m.bins.max), Array.from(m.bins.mean)]")
    same("bins", [len(lines) // 16] * 2, [len(column) for column in bins])
    errors = [float(line["ulp_error"]) for line in lines]
    for i, (most, mean) in enumerate(zip(*bins)):
        inside = [e for e in errors[16 * i:16 * i + 16] if e == e]
        if inside and (max(inside) != most or abs(sum(inside) / len(inside) - mean) > 1e-3):
            holds("bin %d has largest and mean error of its sixteen inputs" % i, False, inside)
    holds("and some of them have errors", sum(most > 0 for most in bins[0]) > 20)
    worst = max(range(len(lines)), key=lambda i: (float(lines[i]["ulp_error"])
                                                  if lines[i]["ulp_error"] != "nan" else -1))
    for row in (worst, 20000, 40001):
        b.run(PLOT + "plot.zoom(...plot.range); plot.go(m, [m.points.x0[%d]])" % row)
        b.press("Escape")
        shown = b.run("const s = document.querySelector('.tx-accuracy .spot');"
                      "const c = document.querySelector('.points').getBoundingClientRect();"
                      "return [Math.round(c.left + parseFloat(s.style.left) - 10),"
                      " Math.round(c.top + parseFloat(s.style.top) - 10)]")
        b.point(*shown)
        got = tip(b)
        near = min(lines, key=lambda line: (line["x"] != got.get("input")))
        same("the pointer shows a line of --points (%d)" % row,
             [near[k] for k in ("x", "y", "y_ref", "ulp_error", "outcome")],
             [got.get(k) for k in ("input", "result", "expected", "ulp", "outcome")])
    b.run(PLOT + "plot.go(m, [m.points.x0[20000]]);"
          "document.querySelector('.points').focus({preventScroll: true})")
    b.press("Right")
    same("Right shows the next input", lines[20001]["x"], tip(b).get("input"))
    b.press("Shift", "Left")
    same("Shift Left ten back", lines[19991]["x"], tip(b).get("input"))
    before = b.run(PLOT + "return plot.range")
    b.press("+")
    after = b.run(PLOT + "return plot.range")
    holds("+ shows half as much", abs((after[1] - after[0]) * 2 - before[1] + before[0]) < 9, after)
    b.press("0")
    b.press("w")
    same("w shows the worst", lines[worst]["ulp_error"], tip(b).get("ulp"))
    page.quiet("points")


def figures(page, report):
    b = page.browser
    ready(page)
    worst = report["accuracy"]["worst"]
    rows = b.run("return [...document.querySelectorAll('.worst tr')].slice(1).map(r =>"
                 " [...r.cells].map(c => c.textContent))")
    same("worst inputs are those of --json", [
        [w["inputs"][0]["text"], w["expected"]["text"], w["got"]["text"]] for w in worst],
        [r[1:4] for r in rows[:len(worst)]])
    b.run("document.querySelectorAll('.worst tr')[1].click()")
    same("a row shows its point", worst[0]["inputs"][0]["text"], tip(b).get("input"))
    text = b.text(".facts")
    for part in ("all 65536 of bf16", "exp", "64 850", "1.02148 from the unrounded"):
        holds("figures: " + part, part in text.replace("\u202f", " "), text)
    counts = b.run("return document.querySelector('.tx-histogram canvas').ariaLabel")
    for part in ("exact: %d;" % report["outcomes"]["exact"], "exact: "):
        if part == "exact: ":
            holds("histogram: " + part, part + str(report["accuracy"]["exact"]) in counts, counts)
    same("no alarm", 0, b.run("return document.querySelectorAll('.alarm').length"))
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        ready(page)
        same("follows the system: " + scheme, scheme, b.run("return tensixViews.theme.get()"))
        page.contrast(scheme, "h1", ".dim", "button", "td", "th")
    b.click(".theme")
    same("the button changes the theme", "light", b.run("return tensixViews.theme.get()"))
    page.quiet("figures")


def several(browser, directory):
    page = Page(browser, directory + "/several.html")
    for width in (1280, 400):
        page.width(width)
        ready(page)
        browser.run(PLOT + "plot.worst()")
        reach = browser.run("return document.documentElement.scrollWidth")
        holds("several fit a window of %d" % width, reach <= width, reach)
    names = "return [...document.querySelectorAll('.sums .name')].map(n => n.textContent)"
    same("all of them", ["exp.s", "exp.s", "<b>'.s", "<b>'.s"], browser.run(names))
    same("a name stays text", 0, browser.run("return document.querySelectorAll('.sums b').length"))
    browser.run("document.querySelectorAll('.sums .name')[1].click()")
    holds("another one is chosen", "wormhole" in browser.text(".figures h2"))
    browser.run("document.querySelectorAll('.sums input')[0].click()")
    same("one is hidden", [False, True, True, True], browser.run(
        "return tensixViews.page.models.map(m => m.shown)"))
    page.quiet("several")
    page = Page(browser, directory + "/cut.sweep.html")
    ready(page)
    holds("an interrupted sweep says so", browser.text(".alarm").startswith("Interrupted. only"),
          browser.text(".alarm"))
    page.contrast("interrupted", ".alarm", ".alarm b")
    page.quiet("interrupted")


def front(browser, directory):
    """Kernels by cycles and error: those of the report, and which of them are on the line."""
    points = json.load(open(directory + "/front.json"))["points"]
    page = Page(browser, directory + "/front.html")
    for width in (1280, 400):
        page.width(width)
        ready(page)
        reach = browser.run("return document.documentElement.scrollWidth")
        holds("a front fits a window of %d" % width, reach <= width, reach)
    same("a front has the kernels of the report",
         [[p["cycles"], p["max_ulp_unrounded"], not p["front"]] for p in points],
         browser.run("return tensixViews.frontOf(tensixViews.page.models).map(o =>"
                     " [o.cycles, o.error, o.beaten])"))
    same("and a dot for each", [len(points), sum(p["front"] for p in points)], browser.run(
        "return ['circle', 'circle.best'].map(s =>"
        " document.querySelectorAll('.tx-front ' + s).length)"))
    at = browser.run("return [...document.querySelectorAll('.tx-front circle')].map(c =>"
                     " [+c.getAttribute('cx'), +c.getAttribute('cy')])")
    holds("more cycles are further right, more error is higher",
          all((a["cycles"] < b["cycles"]) == (x[0] < y[0]) and
              (a["max_ulp_unrounded"] > b["max_ulp_unrounded"]) == (x[1] < y[1])
              for a, x in zip(points, at) for b, y in zip(points, at)), at)
    page.quiet("front")


def check(browser, directory):
    page = Page(browser, directory + "/sweep.html")
    page.width(1280)
    ready(page)
    points(page, list(csv.DictReader(open(directory + "/points.csv"))))
    figures(page, json.load(open(directory + "/sweep.json")))
    same("one sweep has no front", True,
         browser.run("return document.querySelector('[data-part=front]').hidden"))
    several(browser, directory)
    front(browser, directory)
    page = Page(browser, directory + "/profile.html")
    page.open("")
    same("a profile has its lanes", 3, browser.run(
        "return Math.min(3, document.querySelectorAll('.tx-profile .names div').length)"))
    page.quiet("profile")
