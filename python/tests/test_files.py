# SPDX-License-Identifier: Apache-2.0
"""files, check, record_vectors, bench, and what sweeps have besides errors: gate, parts, state."""

import json

import numpy as np
import pytest

import tensix
from tensix import benchmarks, files, formats


def test_load_and_save(tmp_path):
    x = np.linspace(-3, 3, 2000, dtype=np.float32).reshape(40, 50)
    files.save(tmp_path / "x.npy", x)
    assert np.array_equal(np.load(tmp_path / "x.npy"), x)
    assert np.array_equal(files.load(tmp_path / "x.npy"), x)
    np.savez(tmp_path / "x.npz", a=x, b=np.int32([[1, -2]]))
    assert files.load(f"{tmp_path / 'x.npz'}:b").tolist() == [[1, -2]]
    files.save(f"{tmp_path / 'x.tile'}:bf16", x)
    tiles = files.load(f"{tmp_path / 'x.tile'}:bf16", shape=(40, 50))
    assert np.array_equal(tiles, formats.quantize(x, "bf16"))
    assert files.load(tmp_path / "x.tile", format="bf16").shape == (4, 32, 32)
    files.save(tmp_path / "i.npy", np.array([[5, 2**32 - 1]], np.uint32))
    assert files.load(tmp_path / "i.npy").tolist() == [[5, 2**32 - 1]]
    files.save(tmp_path / "i.npy", np.int64([-7]))
    assert np.load(tmp_path / "i.npy").dtype == np.int32
    with pytest.raises(tensix.InputError, match="no.npy"):
        files.load(tmp_path / "no.npy")
    with pytest.raises(ValueError, match="values: an integer does not fit"):
        files.save(tmp_path / "i.npy", np.int64([2**40]))


def test_convert_and_diff(tmp_path):
    x = np.float32(np.random.default_rng(3).normal(size=(32, 64)))
    np.save(tmp_path / "x.npy", x)
    done = files.convert(tmp_path / "x.npy", f"{tmp_path / 'x.tile'}:bfp8_b", arch="bh",
                         route="host")
    assert done.route.startswith("host") and done.target == "bfp8_b (32, 64)"
    assert (tmp_path / "x.tile").read_bytes() == formats.encode(x, "bfp8_b").tobytes()
    back = files.convert(f"{tmp_path / 'x.tile'}:bfp8_b", tmp_path / "y.npy", route="host",
                         shape=(32, 64))
    assert back.exact is None or back.exact == x.size
    want = formats.quantize(x, "bfp8_b")
    assert np.array_equal(np.load(tmp_path / "y.npy"), want)
    assert done.exact == int((want == x).sum())
    found = files.diff(tmp_path / "x.npy", tmp_path / "y.npy", show=3)
    assert found and found.elements == x.size and found.differ == int((want != x).sum())
    assert len(found.report["first"]) == 3
    assert not files.diff(tmp_path / "x.npy", tmp_path / "x.npy")
    assert not files.diff(tmp_path / "x.npy", tmp_path / "y.npy", max_ulp=2**31)
    with pytest.raises(tensix.Cancelled):
        files.convert(tmp_path / "x.npy", f"{tmp_path / 'z.tile'}:bf16", arch="bh",
                      progress=lambda *_: False)
    assert not (tmp_path / "z.tile").exists()


def test_check(root, tmp_path):
    path = root / "tests" / "data" / "overruled.jsonl"
    seen = []
    done = tensix.check(path, progress=lambda *n: seen.append(n))
    assert done and (done.passed, done.failed) == (12, 0) and seen[-1][0] == 12
    assert tensix.check(path, path, jobs=2, engine="fast").passed == 24
    # A bit of the first one's result is turned: one failure, in its line.
    vectors = path.read_text().splitlines()
    first = json.loads(vectors[0])
    key = next(iter(first["final"]["lreg"]))
    word = first["final"]["lreg"][key]
    first["final"]["lreg"][key] = ("0" if word[0] != "0" else "1") + word[1:]
    wrong = tensix.check(text="\n".join([json.dumps(first), *vectors[1:]]))
    assert not wrong and (wrong.passed, wrong.failed) == (11, 1)
    assert (wrong.failures[0].line, wrong.failures[0].name) == (1, first["name"])
    with pytest.raises(tensix.InputError, match="absent"):
        tensix.check(tmp_path / "absent.jsonl")
    with pytest.raises(TypeError, match="files or text"):
        tensix.check()


def test_record_vectors(tmp_path):
    (tmp_path / "a.s").write_text(".arch bh\nsfploadi L0, 0x3f80, 0\n")
    text = tensix.record_vectors(tmp_path / "a.s")
    vector = json.loads(text)
    assert vector["arch"] == "blackhole" and vector["final"]["lreg"]["0"] == "3f800000" * 32
    assert tensix.check(text=text).passed == 1
    with pytest.raises(tensix.InputError):
        tensix.record_vectors(tmp_path / "b.s")


def test_bench(kernels):
    names = benchmarks.rows()
    assert len(names) == len(set(names)) > 10
    seen = []
    found = tensix.bench(row=[names[0], names[1]], runs=1, seconds=1e-4,
                         progress=lambda *n: seen.append(n))
    assert [entry["name"] for entry in found] == [
        name for name in names if name.startswith((names[0], names[1]))]
    assert all(entry["rate"] > 0 and entry["ratio"] > 0 for entry in found)
    assert seen[0] == (0, len(found)) and seen[-1] == (len(found), len(found))
    (own,) = tensix.bench(kernels / "relu.s", arch="bh", runs=1, seconds=1e-4, engine="reference")
    assert own["rate"] > 0 and own["name"].endswith("relu.s")
    with pytest.raises(tensix.Cancelled):
        tensix.bench(progress=lambda *_: False)
    with pytest.raises(ValueError, match="level: 'sse9' is none of"):
        tensix.bench(level="sse9")
    with pytest.raises(ValueError, match="row: none of"):
        tensix.bench(row=["nothing"])


def test_gate_of_a_sweep(kernels, root, tmp_path):
    exp = kernels / "exp.s"
    free = tensix.sweep(exp, "bf16:0:4", "exp", arch="bh")
    assert free.passed is None and free.verdict == "" and 0.5 < free.max_ulp <= 1
    assert tensix.sweep(exp, "bf16:0:4", "exp", arch="bh", max_ulp=1).passed is True
    over = tensix.sweep(exp, "bf16:0:4", "exp", arch="bh", max_ulp=0.5)
    assert over.passed is False and "0.5" in over.verdict
    budget = root / "examples" / "ci" / "budget.yaml"
    assert tensix.sweep(exp, "bf16", "exp", arch="bh", budget=budget).passed is True
    strict = tmp_path / "budget.yaml"
    strict.write_text(budget.read_text().replace("max_ulp: 2", "max_ulp: 0"))
    assert tensix.sweep(exp, "bf16", "exp", arch="bh", budget=strict).passed is False
    with pytest.raises(ValueError, match="max_ulp: nan is no number"):
        tensix.sweep(exp, "bf16", "exp", arch="bh", max_ulp=float("nan"))
    with pytest.raises(tensix.InputError, match="no.yaml"):
        tensix.sweep(exp, "bf16", "exp", arch="bh", budget=tmp_path / "no.yaml")
    with pytest.raises(ValueError, match="max_ulp: not with a function"):
        tensix.sweep(exp, "bf16", np.exp, arch="bh", max_ulp=1)
    told = tensix.sweep(exp, "bf16:0:4", "exp", arch="bh", worst=7, traces=1, blame=True).report
    assert len(told["accuracy"]["worst"]) == 7


def test_page_of_a_sweep(kernels, tmp_path):
    page = tmp_path / "exp.html"
    result = tensix.sweep(kernels / "exp.s", "bf16:0:4", arch="bh", html=page)
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    view = json.loads(text.split("id='data'>", 1)[1].split("</script>", 1)[0])[0]
    assert view["points"]["rows"] == result.count
    assert view["accuracy"]["max_ulp"] == result.max_ulp
    assert all(result.report[key] == view[key] for key in ("kernel", "reference", "outcomes"))


def test_shards_of_a_sweep(kernels, tmp_path):
    parts = [tmp_path / f"part{i}" for i in (1, 2, 3)]
    for i, part in enumerate(parts, 1):
        assert tensix.sweep(kernels / "exp.s", "bf16", "exp", arch="bh", state=part,
                            shard=(i, 3)) is None
    whole = tensix.sweep(kernels / "exp.s", "bf16", "exp", arch="bh")
    merged = tensix.merge(*parts, max_ulp=1)
    assert (merged.count, merged.exact, merged.max_ulp) == (whole.count, whole.exact, whole.max_ulp)
    assert merged.worst == whole.worst and merged.passed is True
    assert tensix.merge(*parts, max_ulp=0.5).passed is False
    with pytest.raises(tensix.InputError):
        tensix.merge(*parts[:2])
    with pytest.raises(ValueError, match="shard: 4 is outside 1 .. 3"):
        tensix.sweep(kernels / "exp.s", "bf16", "exp", arch="bh", state=parts[0], shard=(4, 3))


def test_a_sweep_goes_on(kernels, tmp_path):
    """Cancelled after some inputs, and not begun anew: the second call has the rest to do."""
    state, seen = tmp_path / "state", []
    with pytest.raises(tensix.Cancelled) as end:
        tensix.sweep(kernels / "relu.s", "fp32:1:16", "relu", arch="bh", state=state,
                     progress=lambda done, total: done < 2**20)
    done = tensix.sweep(kernels / "relu.s", "fp32:1:16", "relu", arch="bh", state=state,
                        progress=lambda *n: seen.append(n))
    assert done.count == done.exact == 4 * 2**23 + 1  # four binades and 16
    assert 2**20 <= end.value.result.count < done.count
    assert seen[0] == (0, done.count - end.value.result.count)
