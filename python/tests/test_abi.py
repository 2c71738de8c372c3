# SPDX-License-Identifier: Apache-2.0
"""The ctypes declarations against the headers, as a C program tells them."""

import ctypes
import os
import re
import shutil
import subprocess
import sys

import pytest

from tensix import _abi, _lab_functions, _lab_tables

STRUCTS = [*_abi.STRUCTS, *_lab_tables.STRUCTS]
FUNCTIONS = {**_abi.FUNCTIONS, **_lab_functions.FUNCTIONS}
CONSTANTS = {**_abi.CONSTANTS, **_lab_tables.CONSTANTS}


def lines_of_c(struct, prefix, nested):
    """printf lines for the size of a struct and the place and size of its members."""
    yield f'printf("{prefix} %zu\\n", sizeof({struct}));'
    for name, kind, *_ in nested._fields_:
        yield (
            f'printf("{prefix}.{name} %zu %zu\\n", offsetof({struct}, {name}), '
            f"sizeof((({struct} *)0)->{name}));"
        )


def lines_of_python(prefix, struct):
    yield f"{prefix} {ctypes.sizeof(struct)}"
    for name, kind, *_ in struct._fields_:
        yield f"{prefix}.{name} {getattr(struct, name).offset} {ctypes.sizeof(kind)}"


ENUMERATORS = {name: number for face in (_abi, _lab_tables) for names in face.ENUMS.values()
               for name, number in names.items()}
# C has no name for these.
UNNAMED = {"txl_accuracy_worst": "__typeof__(((struct txl_accuracy *)0)->worst[0])",
           "txl_cycles_cause": "__typeof__(((struct txl_cycles *)0)->cause[0])"}


@pytest.fixture(scope="module")
def told(tmp_path_factory, root):
    """What the compiler says: struct layouts, then enum values."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("no C compiler")
    body = []
    for n, struct in enumerate(STRUCTS):
        kind = UNNAMED.get(struct.__name__, f"struct {struct.__name__}")
        body.append(f"typedef {kind} t{n};")
        body += lines_of_c(f"t{n}", struct.__name__, struct)
    body += [f'printf("{n} %d\\n", (int){n});' for n in {**ENUMERATORS, **CONSTANTS}]
    folder = tmp_path_factory.mktemp("abi")
    source = folder / "abi.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdio.h>\n#include <tensix/tensix.h>\n"
        + "".join(f"#include <{path.parent.name}/{path.name}>\n" for path in lab_headers(root))
        + "int main(void)\n{\n" + "\n".join(body) + "\nreturn 0;\n}\n"
    )
    program = folder / "abi"
    subprocess.run([compiler, "-I", root / "include", source, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split("\n")


def test_structs(told):
    expected = []
    for struct in STRUCTS:
        expected += lines_of_python(struct.__name__, struct)
    assert told[: len(expected)] == expected


def test_enums_and_constants(told):
    expected = [f"{n} {v}" for n, v in {**ENUMERATORS, **CONSTANTS}.items()]
    assert told[-len(expected) - 1 : -1] == expected


def test_tables_are_those_of_the_headers(root):
    """And the other way round: whatever a header gains or loses shows here."""
    done = subprocess.run(
        [sys.executable, root / "scripts" / "python_abi.py", "--check"], capture_output=True,
        text=True, check=False,
    )
    assert done.returncode == 0, done.stderr


def lab_headers(root):
    include = root / "include"
    return [*sorted((include / "tensix-lab").glob("*.h")), include / "tensix-internal" / "bench.h"]


def headers(root):
    """Those of tensix.h, and those of the lab library."""
    folder = root / "include"
    names = re.findall(r"#include <(\S+)>", (folder / "tensix" / "tensix.h").read_text())
    return [folder / name for name in names] + lab_headers(root)


def enumerators(root):
    """As the headers have them, one name after the other, by a way that is not the generator's."""
    found = set()
    for header in headers(root):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for body in re.findall(r"\benum\b[^{};()]*\{([^}]*)\}", text):
            found |= set(re.findall(r"\bTXL?_[A-Z0-9_]+\b(?=\s*(?:=|,|$))", body))
    return found


def test_every_enumerator_is_there(root):
    known = set(ENUMERATORS) | set(CONSTANTS)
    assert enumerators(root) - known == set()
    macros = {"TX_ABI", "TX_VERSION_MAJOR", "TX_VERSION_MINOR", "TX_VERSION_PATCH"}
    assert known - enumerators(root) == macros


def test_every_function_is_there(root):
    assert set(FUNCTIONS) == set(prototypes(root))
    assert len(_lab_functions.FUNCTIONS) > 150


def prototypes(root):
    """Function -> text of its parameters, from the headers; without those that are for C alone."""
    found = {}
    for header in headers(root):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"TXL_PRINTF\([^()]*\);", ";", text)
        for name, parameters in re.findall(r"TXL?_API [^;(]*?(txl?_\w+)\(([^;]*)\)\s*;", text):
            if "..." not in parameters and "va_list" not in parameters:
                found[name] = " ".join(parameters.split())
    return found


def kind_of(parameter):
    """What a C parameter is to the calling convention."""
    if "*" in parameter or "[" in parameter:
        return "pointer"
    words = parameter.replace("const ", "").split()
    plain = {"bool": "bool", "unsigned": "4", "uint32_t": "4", "uint64_t": "8", "size_t": "8",
             "int": "4", "double": "double", "int64_t": "8", "txl_bench_tell": "8"}
    if words[0] == "struct":
        return words[1]
    return "4" if words[0] == "enum" else plain[words[0]]


def kind_of_ctypes(parameter):
    if parameter in (ctypes.c_void_p, ctypes.c_char_p) or hasattr(parameter, "contents"):
        return "pointer"
    if issubclass(parameter, ctypes.Structure):
        return parameter.__name__
    named = {ctypes.c_bool: "bool", ctypes.c_double: "double"}
    return named.get(parameter, str(ctypes.sizeof(parameter)))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_parameters(name, root):
    text = prototypes(root)[name]
    stated = [] if text == "void" else [kind_of(p.strip()) for p in re.split(r",(?![^(]*\))", text)]
    assert [kind_of_ctypes(p) for p in FUNCTIONS[name][1]] == stated


def test_a_missing_library_is_named(tmp_path, root):
    done = subprocess.run(
        [sys.executable, "-c", "import tensix; tensix.Machine"], capture_output=True, text=True,
        env={**os.environ, "TENSIX_LIBRARY": str(tmp_path / "none.so"),
             "PYTHONPATH": str(root / "python")}, check=False,
    )
    assert done.returncode == 1
    assert "none.so: no such file" in done.stderr


def test_calls_release_the_lock():
    """FUNCFLAG_PYTHONAPI (4) would keep the interpreter's lock."""
    for name in _abi.FUNCTIONS:
        assert getattr(_abi.lib, name)._flags_ & 4 == 0
    assert ctypes.pythonapi.Py_IncRef._flags_ & 4  # so that the flag is the right one


def test_version_is_that_of_the_header(root):
    import tensix

    header = (root / "include" / "tensix" / "base.h").read_text()
    assert f'#define TX_VERSION_STRING "{tensix.__version__}"' in header


def test_every_name_is_there():
    import tensix

    assert sorted(tensix.__all__) == sorted([*tensix._HOME, *tensix._MODULES, "__version__"])
    for name in tensix.__all__:
        assert getattr(tensix, name) is not None
    with pytest.raises(AttributeError):
        tensix.nothing


def test_what_cannot_grow_is_listed(root):
    """docs/decisions/0006: a struct within another, and the length of a list within one, are fixed:
    the growth tests hold their sizes, so that a change is seen to need another TX_ABI."""
    listed = "".join((root / "tests" / folder / "test_growth.c").read_text()
                     for folder in ("api", "lab"))
    held = set(re.findall(r"CLOSED\((\w+)", listed))
    held |= set(re.findall(r"sizeof\(struct (\w+)\) ==", listed))
    held |= {*UNNAMED, "tx_settings"}  # of a list's length; read by the size that it says
    for struct in STRUCTS:
        for name, kind, *_ in struct._fields_:
            while hasattr(kind, "_length_"):
                kind = kind._type_
            if issubclass(kind, ctypes.Structure):
                assert kind.__name__ in held, f"{struct.__name__}.{name}: {kind.__name__} may grow"
    whole = (root / "include" / "tensix" / "tensix.h").read_text()
    core = [root / "include" / name for name in re.findall(r"#include <(tensix/\w+\.h)>", whole)]
    assert len(core) > 5
    public = [path for path in lab_headers(root) if path.parent.name != "tensix-internal"]
    for path in [*core, *public]:
        for body in re.findall(r"^struct \w+ \{\n(.*?)^\};", path.read_text(), re.M | re.S):
            for length in re.findall(r"\[([A-Z]\w+)\]", body):
                assert length in listed, f"{path.name}: a list of {length} may grow"
