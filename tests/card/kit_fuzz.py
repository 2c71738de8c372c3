#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kit_fuzz.py RESULT COUNT [SEED]: result files, changed by bytes or by values with a new hash, are
read or refused by one sentence, never anything else."""

import copy
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "kit"))
from tensix_kit import page, result  # noqa: E402
from tensix_kit import judge as j  # noqa: E402

VALUES = (
    None,
    True,
    -1,
    1 << 70,
    1.5,
    "",
    "x" * 5000,
    [],
    {},
    [[]],
    "\\ud800",
    "0" * 8,
    [0, 1],
    {"state": "answered"},
    {"what": "x"},
    "bh",
    "wh",
    "result",
)


class Nothing:
    """An emulator that knows no answer."""

    def gather(self, chip, wanted, door=None):
        pass

    def answers(self, chip, names, rules=(), door=None):
        return dict.fromkeys(names)


def paths(value, at=()):
    yield at
    for key in (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        yield from paths(value[key], (*at, key))


def changed(random_, data):
    data = json.loads(json.dumps(data))
    places = [p for p in paths(data) if p]
    for _ in range(random_.randrange(1, 4)):
        *way, last = random_.choice(places)
        into = data
        try:
            for key in way:
                into = into[key]
            if random_.randrange(4) == 0 and isinstance(into, dict):
                del into[last]
            else:
                value = copy.deepcopy(random_.choice(VALUES))  # it may be changed, too
                into[str(last) if isinstance(into, dict) else last] = value  # as JSON has them
        except (KeyError, IndexError, TypeError):
            pass
    if isinstance(data, dict) and random_.randrange(4):
        try:
            data["hash"] = result.signature(data)
        except UnicodeEncodeError:
            pass
    return json.dumps(data).encode()


def main():
    source = Path(sys.argv[1])
    data = json.loads(source.read_bytes())
    names = list(data["questions"])[:6]
    data["questions"] = {n: data["questions"][n] for n in names}
    data["hash"] = result.signature(data)
    random_ = random.Random(sys.argv[3] if len(sys.argv) > 3 else 39)
    path = source.with_name("fuzzed.json")
    read = refused = 0
    for _ in range(int(sys.argv[2])):
        if random_.randrange(2):
            body = changed(random_, data)
        else:
            body = bytearray(json.dumps(data).encode())
            for _ in range(random_.randrange(1, 5)):
                body[random_.randrange(len(body))] = random_.randrange(256)
            body = bytes(body[: random_.randrange(1, len(body) + 1)])
        path.write_bytes(body)
        try:
            found = result.read(path)
        except result.ResultError as error:
            refused += 1
            if "\n" in str(error):
                raise SystemExit("more than one line") from None
            continue
        read += 1
        judgement = j.judge(found, Nothing())
        page.html([judgement]).encode("ascii")
        page.text([judgement], True)
    print(f"{read} read, {refused} refused")
    return 0 if read and refused else 1


if __name__ == "__main__":
    sys.exit(main())
