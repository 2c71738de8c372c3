# SPDX-License-Identifier: Apache-2.0
"""What the checks of pages have in common."""

CONTRAST = """
const parse = text => text.match(/[0-9.]+/g).map(Number);
const light = rgb => rgb.slice(0, 3).map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
function behind(node) {
  for (let n = node; n; n = n.parentElement) {
    const rgb = parse(getComputedStyle(n).backgroundColor);
    if (rgb.length < 4 || rgb[3] === 1) return rgb;
  }
  return [255, 255, 255];
}
return Math.min(...[...document.querySelectorAll(arguments[0])].map(node => {
  const pair = [light(parse(getComputedStyle(node).color)), light(behind(node))];
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
}));
"""



def same(name, want, got):
    print("%s\t%s\t%s" % (name, want, got))


def holds(name, got, detail=""):
    same(name, "yes", "yes" if got else "no " + str(detail).replace("\t", " "))


class Page:
    def __init__(self, browser, path):
        self.browser, self.url = browser, "file://" + path

    def open(self, fragment):
        self.browser.open(self.url + "#" + fragment)

    def quiet(self, name):
        same(name + ": no script error", [], self.browser.complaints())
        asked = set(self.browser.requests())
        same(name + ": no request but for the page", {self.url},
             {url.split("#")[0] for url in asked if not url.startswith("about:")})

    def choose(self, select, value):
        self.browser.click(".%s option[value='%s']" % (select, value))

    def contrast(self, scheme, *selectors):
        for selector in selectors:
            ratio = self.browser.run(CONTRAST, selector)
            holds("%s: contrast of %s" % (scheme, selector), ratio >= 4.5, ratio)

    def width(self, width):
        self.browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900,
                              deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.browser.devtools("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": name}])
