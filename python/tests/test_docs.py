# SPDX-License-Identifier: Apache-2.0
"""The code blocks of docs/python.md and of the README: run, and their output compared."""

import doctest
import re

import pytest

FENCE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def blocks(path):
    """(line, text) of each block of Python."""
    text = path.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield text.count("\n", 0, found.start(1)), found.group(1)


def sessions(path):
    return [(line, text) for line, text in blocks(path) if ">>>" in text]


@pytest.mark.parametrize("name, least", [("docs/python.md", 10), ("README.md", 1)])
def test_sessions(root, name, least, monkeypatch, capsys):
    monkeypatch.chdir(root)
    parts = sessions(root / name)
    assert len(parts) >= least
    names = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for line, text in parts:
        test = doctest.DocTestParser().get_doctest(text, names, name, name, line)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    results = runner.summarize(verbose=False)
    told = capsys.readouterr()
    assert results.failed == 0, told.out
    assert told.err == ""
    assert results.attempted >= 3 * least


def test_files_of_tests(root, pytester):
    (text,) = [text for _, text in blocks(root / "docs" / "python.md") if ">>>" not in text]
    path = pytester.makepyfile(test_relu=text.replace("examples/", f"{root}/examples/"))
    from importlib import metadata

    arguments = ["--tensix-arch", "bh", "-p", "no:cacheprovider", path]
    if not metadata.entry_points(group="pytest11", name="tensix"):
        arguments += ["-p", "tensix.pytest_plugin"]
    pytester.runpytest_inprocess(*arguments).assert_outcomes(passed=2)
