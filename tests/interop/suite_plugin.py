# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of suite.py: picks the sample, and tells what each of the vendor's tests did.

The vendor's files stay as they are. SUITE_PLAN names a JSON file with what suite.py wants; one
JSON line for each test goes to its "out". A test runs in a process of its own (pytest-forked), so
that it finds a chip that nothing ran on yet, and so that a simulator that ends its process ends
one test only.
"""

import ctypes
import hashlib
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import pytest

PLAN = json.loads(Path(os.environ["SUITE_PLAN"]).read_text())
ARGUMENTS = 0x20000  # where tt-llk's tests have their run-time arguments, and behind them tiles
SENTENCE = 300
FOUND = re.compile(r"^tensix: (?:Tensix tile \(\d+, \d+\), )?(?:cycle (\d+): )?(.*)$", re.M)

state = {"variants": [], "sha": None}
enough = {}


def order(item):
    return hashlib.sha256(f"{PLAN['seed']} {item.nodeid}".encode()).hexdigest()


def function(nodeid):
    return nodeid.split("[")[0]


def name_of(item):
    """File and test as the table names them, whatever folder pytest was started in."""
    return f"{item.path.relative_to(PLAN['tests'])}::{item.nodeid.split('::', 1)[1]}"


# ---- the sample ----


def pytest_ignore_collect(collection_path, config):
    """Files of which the ledger says that no test in them needs a chip are not even read."""
    if any(re.fullmatch(p, collection_path.name) for p in PLAN["ignore"]):
        return True
    if PLAN["files"] and collection_path.suffix == ".py":
        return not re.search(PLAN["files"], collection_path.name) or None
    return None


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_generate_tests(metafunc):
    """Of 16,000 parameterisations only those that may be in the sample become tests."""
    yield
    most = PLAN["candidates"]
    calls = getattr(metafunc, "_calls", None)
    if most and calls and len(calls) > most:
        base = f"{PLAN['seed']} {metafunc.definition.nodeid}"
        calls.sort(key=lambda c: hashlib.sha256(f"{base}[{c.id}]".encode()).hexdigest())
        del calls[most:]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    result = yield
    wanted = re.compile(PLAN["match"])
    known = set(PLAN["only"]) if PLAN["only"] is not None else None
    keep = []
    for item in items:
        name = name_of(item)
        host = any(re.fullmatch(pattern, function(name)) for pattern in PLAN["host"])
        if not host and wanted.search(name) and (known is None or name in known):
            keep.append(item)
    keep.sort(key=lambda item: (function(name_of(item)), order(item)))
    config.hook.pytest_deselected(items=[i for i in items if i not in set(keep)])
    items[:] = keep
    return result


class Enough:
    """A test that skips itself makes room for the next of its function."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if PLAN["sample"] and enough.get(function(name_of(item)), 0) >= PLAN["sample"]:
            return True
        return None


# ---- what a test did ----


def pytest_configure(config):
    from helpers.stimuli_config import StimuliConfig
    from helpers.test_config import TestConfig

    split_mappings()
    config.pluginmanager.register(Enough())  # the last one registered is asked first
    TestConfig.SIMULATOR_TIMEOUT = PLAN["timeout"]
    load = TestConfig.run_elf_files

    def run_elf_files(self):
        remember(self, TestConfig)
        return load(self)

    TestConfig.run_elf_files = run_elf_files
    collect = StimuliConfig.collect_results

    def collect_results(self, location="0,0"):
        state["sha"] = hashlib.sha256(self.collect_raw_result_bytes(location)).hexdigest()[:16]
        return collect(self, location)

    StimuliConfig.collect_results = collect_results


def split_mappings():
    """Linux refuses to fork a process with one mapping above the size of its memory, such as the
    32 GB of DRAM that the vendor's simulator reserves; many smaller ones it lets pass. Parts of a
    mapping that differ in an advice are mappings of their own."""
    dont_dump, step = 16, 1 << 31
    libc = ctypes.CDLL(None)
    for line in Path("/proc/self/maps").read_text().splitlines():
        words = line.split()
        first, last = (int(n, 16) for n in words[0].split("-"))
        if words[1] == "rw-p" and last - first > 2 * step:
            for at in range(first, last, 2 * step):
                size = min(step, last - at)
                libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(size), dont_dump)


def keep_compiled():
    """What an earlier run of suite.py compiled stays: its folder is for one kit and one chip."""
    from helpers.test_config import TestConfig

    plain = TestConfig.setup_mode

    def setup_mode(*args, **kwargs):
        kwargs["collect_only"] = True
        return plain(*args, **kwargs)

    TestConfig.setup_mode = staticmethod(setup_mode)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    keep_compiled()


def remember(test, config):
    """The ELF files of a variant, and the words and tiles that its cores will find in L1."""
    from helpers.device_io import read_from_device

    folder = Path(config.ARTEFACTS_DIR) / test.test_name / test.variant_id
    known = {"source": Path(test.test_name).name, "folder": str(folder)}
    if PLAN["images"] and not any(v["folder"] == str(folder) for v in state["variants"]):
        memory = bytes(read_from_device(config.TENSIX_LOCATION, ARGUMENTS, num_bytes=PLAN["l1"]))
        memory = memory.rstrip(b"\0")
        image = Path(PLAN["images"]) / (folder.name[:16] + f"-{os.getpid()}.l1")
        image.write_bytes(memory + bytes(-len(memory) % 16))
        known["image"] = str(image)
    state["variants"].append(known)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """What the simulator says goes to descriptors 1 and 2."""
    state["variants"].clear()
    state["sha"] = None
    file = tempfile.TemporaryFile()
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    start = time.process_time()
    try:
        return (yield)
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        file.seek(0)
        said = file.read().decode(errors="replace")
        sys.stderr.write(said)
        told = {
            "variants": state["variants"],
            "sha": state["sha"],
            "findings": [text for _, text in FOUND.findall(said)],
            "seconds": round(time.process_time() - start, 2),
        }
        item.user_properties.append(("suite", json.dumps(told)))


def sentence(text):
    """The line of a failure that says most."""
    for pattern in (r"ERROR: (\w+: \S+.*)", r"((?:fatal )?error: .*)", r"(undefined reference .*)"):
        error = re.search(pattern, text)
        if error:
            return error.group(1)[:SENTENCE]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("E  ") or "Error" in line or "TIMED OUT" in line or "ASSERT" in line:
            return line[:SENTENCE]
    return (lines[0] if lines else "")[:SENTENCE]


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    if report.when == "teardown" or (report.when == "setup" and report.outcome == "passed"):
        return
    row = {"test": report.nodeid, "outcome": report.outcome}
    said = "\n".join(text for _, text in getattr(report, "sections", []))
    if getattr(report, "wasxfail", None) is not None:
        row["outcome"] = "xfailed" if report.outcome == "skipped" else "xpassed"
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        row["why"] = report.longrepr[2][:SENTENCE]
    elif report.outcome == "failed":
        if "Command's stderr" in str(report.longrepr):
            row["outcome"] = "uncompiled"
        row["why"] = sentence(said if "CRASHED" in str(report.longrepr) else str(report.longrepr))
    for key, value in report.user_properties:
        if key == "suite":
            row.update(json.loads(value))
    if row["outcome"] != "skipped":
        name = function(report.nodeid)
        enough[name] = enough.get(name, 0) + 1
    with open(PLAN["out"], "a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")
