# SPDX-License-Identifier: Apache-2.0
"""pages.py CHROMEDRIVER CHROMIUM DIRECTORY: uses the pages there as a reader would.

Prints name, expected and found, separated by tabs, one check a line; "end" when all was tried.
"""
import os
import sys

import pages_card
import pages_sweep
import pages_trace
from webdriver import Browser


def main():
    browser = Browser(*sys.argv[1:4])
    try:
        pages_trace.check(browser, sys.argv[3])
        pages_sweep.check(browser, sys.argv[3])
        if os.path.exists(sys.argv[3] + "/card.html"):
            pages_card.check(browser, sys.argv[3])
    finally:
        browser.close()
    print("end")


main()
