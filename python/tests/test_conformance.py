# SPDX-License-Identifier: Apache-2.0
"""The recorded vectors of tests/data, and vectors that must fail."""

import gzip
import json

import pytest

from tensix import conformance


@pytest.mark.parametrize("name, count", [
    ("blackhole-sample.jsonl.gz", 418), ("wormhole-sample.jsonl.gz", 345),
    ("overruled.jsonl", 12),
])
def test_recorded(root, name, count):
    report = conformance.run(root / "tests" / "data" / name)
    assert str(report) == f"{count} passed, 0 failed"


# L1 = L0 * 2.0 in lane 0, by hand: 1.5 * 2 = 3.
VECTOR = {
    "name": "v", "arch": "bh", "program": ["86001910", "8f000000"],
    "initial": {"lreg": {"0": "3fc00000" * 32, "1": "40000000" * 32}},
}


def check(**changes):
    return conformance.Runner().check({**VECTOR, **changes})


def changed(**final):
    return check(final=final)


def test_what_must_fail():
    assert check() is None
    zeros = "00000000" * 32
    assert changed(lreg={"5": zeros}) is None
    assert changed(lreg={"5": zeros[:-1] + "1"}) == (
        "lreg 5 [31]: expected 00000001, got 00000000")
    for key, value, message in (
        ("lane_flags", "00000001", "lane_flags [0]: expected 00000001"),
        ("prng", "1" * 256, "prng [0]: expected 11111111"),
        ("gpr", "00000002" * 64, "gpr 0 [0]: expected 00000002"),
        ("flag_stack", [["00000000", "00000000"]], "flag_stack depth [0]"),
        ("macro", {"misc": "00000001"}, "macro misc [0]"),
        ("macro", {"template": ["00000001"] * 4}, "macro template 0 [0]"),
        ("dst", {"7": "0001" * 16}, "dst row 7 [0]: expected 00000001"),
        ("dst_valid", "0" * 256, "dst_valid row 0 [0]: expected 00000000, got 00000001"),
        ("rwc", {"dst": 3}, "rwc dst: expected 3, got 0"),
        ("config", {"PRNG_SEED_Seed_Val": 3}, "config PRNG_SEED_Seed_Val: expected 3, got 0"),
        ("sem", [[1, 1]], "sem 0 [0]"),
        ("nothing", 1, "final: unknown key 'nothing'"),
        ("lreg", {"17": zeros}, "lreg '17' is none of 0..16"),
        ("lreg", {"5": zeros[1:]}, "lreg 5 is not 256 hex digits"),
    ):
        assert changed(**{key: value}).startswith(message), key


def test_time():
    # SFPMUL takes two cycles, the SFPNOP behind it one: cycles 0 and 1.
    assert check(cycles=2, issue_cycles=2) is None
    assert check(cycles=3) == "cycles: expected 3, got 2"
    assert check(issue_cycles=1) == "issue_cycles: expected 1, got 2"
    assert check(gaps=[0, 4], issue_cycles=6) is None


def test_faults():
    # An unwritten Dst cell is an UnpredictableValue (R4).
    load = {"program": ["70000000"], "initial": {}}
    assert check(**load, fault="UnpredictableValue") is None
    assert check(**load, fault="Hazard").startswith(
        "fault: expected Hazard, got UnpredictableValue")
    assert check(fault="Hazard") == "fault: expected Hazard, got none"
    # A packer whose compression is on, as configuration of zeros has it.
    assert check(program=["41000000"]).startswith("stopped: Unsupported")


def test_several_threads():
    programs = {"0": ["8f000000"], "1": ["86001910", "8f000000"], "2": []}
    vector = {k: v for k, v in VECTOR.items() if k != "program"}
    assert conformance.Runner().check({**vector, "programs": programs}) is None


@pytest.mark.parametrize("vector, message", [
    (5, "name is missing"), ({}, "name is missing"), ({**VECTOR, "x": 1}, "unknown key 'x'"),
    ({**VECTOR, "programs": {}}, "either program or programs"),
    ({**VECTOR, "arch": "quasar"}, "not modelled"), ({**VECTOR, "format": 2}, "format is not 1"),
    ({**VECTOR, "program": ["1"]}, "program: word 0 is not 8 hex digits"),
    ({**VECTOR, "program": 5}, "program is not a list"),
    ({**VECTOR, "thread": 7}, "thread: 7"),
    ({**VECTOR, "gaps": [1]}, "gaps: 2 numbers are wanted"),
    ({**VECTOR, "initial": {"lreg": {"9": "1" * 256}}}, "lreg 9 cannot be set"),
    ({**VECTOR, "initial": {"config": {"NOTHING": 1}}}, "no field NOTHING"),
    ({**VECTOR, "initial": {"rwc": {"dst": 5000}}}, "RWC"),
    ({**VECTOR, "initial": {"mop": "0"}}, "unknown key 'mop'"),
])
def test_no_vectors(vector, message):
    assert message in conformance.Runner().check(vector)


def test_files(tmp_path):
    good, bad = json.dumps(VECTOR), json.dumps({**VECTOR, "name": "w", "cycles": 9})
    path = tmp_path / "v.jsonl"
    path.write_text(f"{good}\n\n{bad}\nnonsense\n")
    packed = tmp_path / "v.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for file in path, packed:
        report = conformance.run(file)
        assert (report.passed, report.failed) == (1, 2)
        assert str(report.failures[0]) == f"{file}:3: w: cycles: expected 9, got 2"
        assert report.failures[1].line == 4 and "not JSON" in report.failures[1].message
    assert conformance.run([path, packed]).failed == 4
    path.write_text(f"{good}\n{bad}\n")
    assert [vector["name"] for vector in conformance.vectors(path)] == ["v", "w"]
