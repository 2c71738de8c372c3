# SPDX-License-Identifier: Apache-2.0
"""Programs: kernel files, text, words, C++ sources in TTI_ macros, Python functions."""

from __future__ import annotations

import ctypes
import operator
import os
import sys
import weakref
from ctypes import CFUNCTYPE, POINTER, byref, c_int, c_void_p, sizeof
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _abi
from ._abi import lib, text
from .errors import AssemblyError, Owner, UnsupportedError, raise_status
from .findings import disassemble as disassemble_word

Path = Union[str, "os.PathLike[str]"]


def arch_number(arch: Any) -> int:
    """Any spelling of a chip; 0 for None."""
    if arch is None:
        return 0
    if not isinstance(arch, str):
        raise TypeError(f"arch: {arch!r} is no text")
    out = c_int(0)
    status = lib.tx_arch_parse(arch.encode("utf-8", "replace"), byref(out))
    if status == _abi.EUNSUPPORTED:
        raise UnsupportedError(f"arch: {arch}: not modelled; blackhole and wormhole_b0 are")
    if status != _abi.OK:
        raise ValueError(f"arch: {arch!r} is no chip; blackhole (bh) and wormhole_b0 (wh) are")
    return out.value


def dst_number(dst: Optional[str]) -> int:
    if dst is None:
        return 0
    if not isinstance(dst, str):
        raise TypeError(f"dst: {dst!r} is no text")
    out = c_int(0)
    if lib.tx_dst_format_parse(dst.encode("utf-8", "replace"), byref(out)) != _abi.OK:
        raise ValueError(
            f"dst: {dst!r} is none of fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, "
            "int32-sm, int16-sm, uint16-dst32"
        )
    return out.value


def start_number(start: Optional[str]) -> int:
    if start is None:
        return 0
    if not isinstance(start, str):
        raise TypeError(f"start: {start!r} is no text")
    out = c_int(0)
    if lib.tx_start_parse(start.encode("utf-8", "replace"), byref(out)) != _abi.OK:
        raise ValueError(f"start: {start!r} is neither vendor nor reset")
    return out.value


def integer(value: Any, name: str, low: int, high: int) -> int:
    """An integer low .. high, or an exception that names it."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is no integer") from None
    if not low <= number <= high:
        raise ValueError(f"{name}: {number} is outside {low} .. {high}")
    return number


def word_list(words: Any, name: str = "words") -> List[int]:
    """Instruction words, each 0 .. 2^32 - 1."""
    if isinstance(words, (str, bytes)):
        raise TypeError(f"{name}: a list of words is wanted, not {type(words).__name__}")
    try:
        found = list(words)
    except TypeError:
        raise TypeError(f"{name}: {type(words).__name__} is no list of words") from None
    out = []
    for i, word in enumerate(found):
        try:
            value = operator.index(word)
        except TypeError:
            raise TypeError(f"{name}: word {i} is {word!r}, no integer") from None
        if not 0 <= value < 2**32:
            raise ValueError(f"{name}: word {i} is {value}, outside 0 .. 2^32 - 1")
        out.append(value)
    return out


_Include = CFUNCTYPE(c_int, c_void_p, POINTER(_abi.tx_include))


class _Includes:
    """Answers .include from the folder of a kernel file, or below; holds what it has read."""

    def __init__(self, root: Optional[str]):
        self._root = root
        self._texts: List[bytes] = []
        self.function = _Include(self._answer)

    def _path(self, name: str, origin: str) -> str:
        if self._root is None:
            raise ValueError("there is nothing to include here: .include belongs into a file")
        if not name.isprintable():
            raise ValueError("the name has a control character")
        if name.startswith("/") or any(part in ("", "..") for part in name.split("/")):
            raise ValueError("what is included lies in this file's folder or below, without '..'")
        return os.path.join(os.path.dirname(origin or self._root), name)

    def _answer(self, _user: Any, asked: Any) -> int:
        include = asked.contents
        try:
            path = self._path(os.fsdecode(include.name), os.fsdecode(getattr(include, "from")))
            with open(path, "rb") as stream:
                self._texts.append(stream.read())
            include.path = os.fsencode(path)
        except (OSError, ValueError) as error:
            reason = str(error)
            if isinstance(error, OSError):
                reason = f"{os.fsdecode(include.name)}: {error.strerror}"
            include.message = (reason or "the file cannot be read").encode()[:159]
            return int(_abi.EPARSE)
        include.text = self._texts[-1]
        include.length = len(self._texts[-1])
        return int(_abi.OK)


def _assemble(source: str, arch: int, hex_words: bool, name: str, root: Optional[str]) -> Any:
    data = source.encode("utf-8", "replace")
    includes = _Includes(root)
    options = _abi.tx_asm_options(
        arch, False, False, hex_words, 0, ctypes.cast(includes.function, c_void_p)
    )
    out = c_void_p()
    diag = _abi.tx_diag()
    status = lib.tx_assemble_sized(
        data, len(data), byref(options), sizeof(options), byref(out), byref(diag), sizeof(diag)
    )
    if status == _abi.OK:
        stated = lib.tx_program_arch(out)
        if arch not in (0, stated):
            lib.tx_program_free(out)
            raise ValueError(
                f"{name}: states .arch {text(lib.tx_arch_name(stated))}, "
                f"arch is {text(lib.tx_arch_name(arch))}"
            )
        return out
    if status != _abi.EPARSE:
        raise_status(status, name)
    name = os.fsdecode(diag.file) or name
    message = f"{name}:{diag.line}:{diag.column}: {text(diag.message)}"
    if diag.syntax:
        message += f" ({text(diag.syntax)})"
    source_line = text(diag.source)
    if source_line.strip():
        caret = " " * max(diag.column - 1, 0) + "^" + "~" * max(diag.length - 1, 0)
        message += f"\n    {source_line}\n    {caret}"
    raise AssemblyError(message, diag.line, diag.column, source_line, name)


class Program(Owner):
    """A kernel or a list of words for one chip. Immutable; any number of machines may run it."""

    def __init__(
        self, source: str, arch: int, name: str, hex_words: bool = False,
        root: Optional[str] = None,
    ):
        self._handle = handle = _assemble(source, arch, hex_words, name, root)
        self.name = name
        self.source = source
        self._places: Optional[Dict[int, Tuple[str, int]]] = None
        weakref.finalize(self, lib.tx_program_free, handle).atexit = False

    @classmethod
    def from_asm(cls, source: str, arch: Optional[str] = None, name: str = "<asm>") -> Program:
        """Text in any syntax of docs/assembler.md. arch: needed where there is no .arch."""
        if not isinstance(source, str):
            raise TypeError(f"source: {type(source).__name__} is no text")
        return cls(source, arch_number(arch), name)

    @classmethod
    def from_words(
        cls, words: Iterable[int], arch: str, init: Iterable[int] = (), dst: Optional[str] = None,
        inputs: int = 1, output: int = 0, start: Optional[str] = None,
    ) -> Program:
        """Instruction words as TT_OP_ gives them, of .tile and of .init."""
        tiles = integer(inputs, "inputs", 0, 16), integer(output, "output", 0, 15)
        lines = [f".inputs {tiles[0]}", f".output {tiles[1]}"]
        if dst is not None:
            dst_number(dst)
            lines.append(f".dst {dst}")
        if start is not None:
            start_number(start)
            lines.append(f".start {start}")
        sections = ((".init", word_list(init, "init")), (".tile", word_list(words)))
        for section, found in sections:
            lines += [section] + [f".word {word:#010x}" for word in found]
        return cls("\n".join(lines), _chip(arch), "<words>")

    @classmethod
    def from_file(cls, path: Path, arch: Optional[str] = None) -> Program:
        """A kernel file; FILE.hex: a list of hex words, for which arch is needed.

        .include takes what lies in the folder of the file, or below.
        """
        name = os.fspath(path)
        with open(name, encoding="utf-8", errors="replace") as stream:
            source = stream.read()
        is_hex = name.lower().endswith(".hex")
        if is_hex and arch is None:
            raise ValueError(f"arch: {name} is a list of hex words, which does not name its chip")
        return cls(source, arch_number(arch), name, is_hex, name)

    @classmethod
    def record(
        cls, source: Union[Path, Callable[[Recorder], Any]], arch: str,
        tile: Optional[str] = None,
        init: Union[None, str, Callable[[Recorder], Any]] = None, dst: Optional[str] = None,
        inputs: Optional[int] = None, output: Optional[int] = None,
        reference: Optional[str] = None, title: Optional[str] = None,
        include: Sequence[Path] = (), define: Sequence[str] = (),
        compiler: Optional[str] = None, standard: Optional[str] = None, fuse: bool = True,
        spill: bool = False, start: str = "vendor",
    ) -> Program:
        """What a kernel emits: a C++ (C) file, or a Python function.

        A file is compiled and run as by "tensix record" (docs/recording.md): tile and init are
        functions or calls in it, standard is gnu++17 (of C gnu17), fuse=False rounds a*b+c of sfpi
        twice, spill lets an argument that is too wide go into its neighbour. A Python function
        gets a Recorder; init is another. start: the state that .init finds, "vendor" (as tt-llk's
        start code leaves it) or "reset".
        """
        start_number(start)
        head = {"title": title, "dst": dst, "inputs": inputs, "output": output,
                "reference": reference, "start": start}
        number = _chip(arch)
        if callable(source):
            if tile is not None or include or define or compiler or standard or spill or not fuse:
                raise TypeError(
                    "tile, include, define, compiler, standard, fuse, spill: for sources in C and "
                    "C++ only"
                )
            if init is not None and not callable(init):
                raise TypeError("init: a function is wanted, as for the tile")
            written = _record_python(source, init, number, head)
            name = getattr(source, "__name__", "<function>")
            return cls(written, number, name)
        if callable(init):
            raise TypeError("init: the name of a function in the source is wanted")
        if tile is None:
            raise ValueError("tile: a function or a call in the source is wanted")
        from .recording import record_source

        name = os.fspath(source)
        flags = [f"-I{os.fspath(flag)}" for flag in include] + [f"-D{flag}" for flag in define]
        written = record_source(
            name, number, tile, init, head, compiler, standard, flags, bool(fuse), bool(spill)
        )
        return cls(written, number, name)

    # ---- what it says of itself ----

    def _says(self, what: str, *index: int) -> Any:
        """tx_program_<what>."""
        return getattr(lib, f"tx_program_{what}")(self._handle, *index)

    @property
    def arch(self) -> str:
        return text(lib.tx_arch_name(self._says("arch")))

    @property
    def dst(self) -> Optional[str]:
        """What .dst says: fp32, bf16 ...; None where it says nothing."""
        return text(lib.tx_dst_format_name(self._says("dst"))) if self._says("dst") else None

    @property
    def start(self) -> Optional[str]:
        """What .start says: vendor, reset; None where it says nothing, which is reset."""
        return text(lib.tx_start_name(self._says("start"))) if self._says("start") else None

    @property
    def inputs(self) -> int:
        return int(self._says("inputs"))

    @property
    def output(self) -> int:
        return int(self._says("output"))

    @property
    def title(self) -> str:
        return text(self._says("title"))

    @property
    def reference(self) -> str:
        return text(self._says("reference"))

    @property
    def threaded(self) -> bool:
        """Three threads run at once (.thread)."""
        return bool(self._says("threaded"))

    def _section(self, which: int) -> List[int]:
        count = self._says("count", which)
        return list(self._says("words", which)[:count]) if count else []

    @property
    def words(self) -> List[int]:
        """Of .tile."""
        return self._section(_abi.SECTION_TILE)

    @property
    def init(self) -> List[int]:
        """Words of .init."""
        return self._section(_abi.SECTION_INIT)

    def disassemble(self, macros: bool = False) -> str:
        """.tile, an instruction a line; macros: as TTI_ calls."""
        return "\n".join(disassemble(word, self.arch, macros) for word in self.words)

    def source_of(self, word: int) -> Optional[Tuple[str, int]]:
        """File and line that gave a word; None where there are several, or none."""
        if self._places is None:
            self._places = self._find_places()
        place = self._places.get(word, ("", 0))
        return place if place[1] else None

    def _find_places(self) -> Dict[int, Tuple[str, int]]:
        places: Dict[int, Tuple[str, int]] = {}
        for which in (_abi.SECTION_INIT, _abi.SECTION_TILE):
            files, lines = self._says("files", which), self._says("lines", which)
            for i, word in enumerate(self._section(which)):
                file = files[i] if files else 0
                name = text(self._says("source", file)) if file else self.name
                here = (name, lines[i] if lines else 0)
                places[word] = here if places.get(word, here) == here else ("", 0)
        return places

    def __repr__(self) -> str:
        return f"<Program {self.name}: {self.arch}, {len(self.init)} + {len(self.words)} words>"


def disassemble(word: int, arch: str, macros: bool = False) -> str:
    """One word as the assembler takes it back; no instruction: ".word 0x..."."""
    (value,) = word_list([word], "word")
    return disassemble_word(value, _chip(arch), macros)


def assemble(source: str, arch: str) -> List[int]:
    """The words of a text."""
    program = Program.from_asm(source, arch)
    return program.init + program.words


def _chip(arch: Any) -> int:
    number = arch_number(arch)
    if number == 0:
        raise ValueError("arch: a chip is wanted, blackhole (bh) or wormhole_b0 (wh)")
    return number


# ---- recording from Python ----


def _encode(insn: Any, arch: int, args: Tuple[Any, ...], named: Dict[str, Any]) -> int:
    name = text(insn.macro)
    fields = [insn.fields[i] for i in range(insn.field_count)]
    names = [text(field.name) for field in fields]
    if len(args) > len(names):
        raise TypeError(f"{name}: {len(names)} operands ({', '.join(names)}), got {len(args)}")
    given = dict(zip(names, args))
    for key, value in named.items():
        if key not in names:
            raise TypeError(f"{name}: no operand {key!r}; there are {', '.join(names) or 'none'}")
        if key in given:
            raise TypeError(f"{name}: operand {key} is given twice")
        given[key] = value
    decoded = _abi.tx_decoded()
    decoded.insn = ctypes.pointer(insn)
    for i, field in enumerate(fields):
        if names[i] not in given:
            raise TypeError(f"{name}: operand {names[i]} is missing")
        try:
            value = operator.index(given[names[i]])
        except TypeError:
            raise TypeError(f"{name}: {names[i]} is {given[names[i]]!r}, no integer") from None
        most = (1 << field.width) - 1
        if not 0 <= value <= most:
            raise ValueError(f"{name}: {names[i]} is {value}, outside 0 .. {most}")
        decoded.fields[i] = value
    word = ctypes.c_uint32()
    status = lib.tx_encode_sized(byref(decoded), sizeof(decoded), byref(word))
    if status != _abi.OK:
        raise_status(status, name)
    return word.value


class Recorder:
    """What a kernel in Python emits into: TTI_X(...) for every mnemonic X of the chip.

    Operands have the vendor's names and order (TT_OP_X of ckernel_ops.h). word() takes a word,
    asm() a line of text.
    """

    def __init__(self, arch: Any):
        self._arch = _chip(arch) if isinstance(arch, str) else arch
        self._emitted: List[Tuple[int, Tuple[str, int]]] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        insn: Any = None if name.startswith("__") else lib.tx_insn_find(self._arch, name.encode())
        if not insn:
            raise AttributeError(f"{text(lib.tx_arch_name(self._arch))} has no instruction {name}")

        def emit(*args: Any, **named: Any) -> int:
            word = _encode(insn.contents, self._arch, args, named)
            if not name.startswith("TT_OP_"):
                self._add(word, 2)
            return word

        emit.__name__ = name
        return emit

    def _add(self, word: int, depth: int) -> None:
        frame = sys._getframe(depth)
        self._emitted.append((word, (frame.f_code.co_filename, frame.f_lineno)))

    def word(self, word: int) -> None:
        self._add(word_list([word], "word")[0], 2)

    def asm(self, source: str) -> None:
        """Any text that gives words: "sfpmad L4,L1,L2,L3,0"."""
        for word in assemble(source, text(lib.tx_arch_name(self._arch))):
            self._add(word, 2)

    @property
    def words(self) -> List[int]:
        return [word for word, _ in self._emitted]


def _record_python(tile: Any, init: Any, arch: int, head: Dict[str, Any]) -> str:
    lines = []
    for key, value in head.items():
        if value is not None:
            if '"' in str(value) or "\n" in str(value) or "\\" in str(value):
                raise ValueError(f"{key}: {value!r} has a quote, a backslash or an end of line")
            lines.append(f'.{key} "{value}"' if key == "title" else f".{key} {value}")
    files: Dict[str, int] = {}
    for section, function in ((".init", init), (".tile", tile)):
        lines.append(section)
        recorder = Recorder(arch)
        if function is not None:
            function(recorder)
        for word, (file, line) in recorder._emitted:
            if file not in files and len(files) < _abi.CONSTANTS["TX_SOURCE_FILES"]:
                files[file] = len(files) + 1
                name = file[-(_abi.CONSTANTS["TX_SOURCE_NAME"] - 1):].replace('"', "'")
                lines.append(f'.file {files[file]}, "{name}"')
            lines.append(f".loc {files[file]}, {line}" if file in files else ".loc 0, 0")
            lines.append(f".word {word:#010x}")
    return "\n".join(lines)
