# SPDX-License-Identifier: Apache-2.0
"""Instruction words and configuration by name, from the tables that scripts/kit_data.py writes."""

import json
import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "data"


class DataError(Exception):
    """The package's own data are missing or not what they should be."""


class Chip:
    """What the kit knows of one chip."""

    _known = {}

    @classmethod
    def of(cls, name):
        if name not in cls._known:
            cls._known[name] = cls(name)
        return cls._known[name]

    def __init__(self, name):
        folder = Path(os.environ.get("TENSIX_KIT_DATA") or FOLDER)
        path = folder / f"{name}.json"
        try:
            self.data = json.loads(path.read_text(encoding="ascii"))
            self.instructions = self.data["instructions"]
            self.config = self.data["config"]
            self.modes = self.data["modes"]
            self.frame = self.data["frame"]
            self.runner = self.data["runner"]
            self.experiments = self.data["experiments"]
            self.evidence = self.data["evidence"]
            self.tables = self.data["tables"]
        except (OSError, ValueError, KeyError):
            raise DataError(
                f"{path} is missing or damaged: " "scripts/kit_data.py writes it"
            ) from None
        self.name = name
        self.blackhole = name == "bh"

    def has(self, name):
        return name in self.instructions

    def op(self, name, *values, **fields):
        """The word of an instruction: operands by name, or in the order of the vendor's macro."""
        opcode, layout = self.instructions[name]
        word = opcode << 24
        named = dict(fields)
        if values:
            if len(values) != len(layout):
                raise ValueError(f"{name} takes {len(layout)} operands, not {len(values)}")
            named.update({f[0]: v for f, v in zip(layout, values)})
        places = {f[0]: f[1:] for f in layout}
        for field, value in named.items():
            lsb, width = places[field]
            if not 0 <= value < 1 << width:
                raise ValueError(f"{name}: {value} is too wide for {field}")
            word |= value << lsb
        return word

    def thread_word(self, name, value, **more):
        """SETC16 of a thread's own word: fields by name that share it."""
        total, place = 0, None
        for field, given in [(name, value), *more.items()]:
            kind, word, lsb, width = self.config[field]
            if kind != "thread" or place not in (None, word) or not 0 <= given < 1 << width:
                raise ValueError(f"{field} does not fit")
            place = word
            total |= given << lsb
        layout = [f[0] for f in self.instructions["SETC16"][1]]
        values = {layout[0]: place, layout[1]: total}
        return self.op("SETC16", **values)

    def set_config(self, name, value):
        """Words that give a field of the common configuration its value."""
        kind, word, lsb, width = self.config[name]
        if kind == "thread":
            return [self.thread_word(name, value)]
        if not 0 <= value < 1 << width:
            raise ValueError(f"{name}: {value} is too wide")
        mask, data, found = ((1 << width) - 1) << lsb, value << lsb, []
        while mask:
            for part in range(4):
                bits = mask >> 8 * part & 0xFF
                if bits:
                    name = f"RMWCIB{part}"
                    layout = [f[0] for f in self.instructions[name][1]]
                    found.append(
                        self.op(name, **dict(zip(layout, (bits, data >> 8 * part & 0xFF, word))))
                    )
            mask, data, word = mask >> 32, data >> 32, word + 1
        return found
