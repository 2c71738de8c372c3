# SPDX-License-Identifier: Apache-2.0
"""What a result says: for each question which reading its answer supports, for each rule what the
card has, and what nothing explains."""

from . import questions as all_of
from .words import Chip

AGREES, DECIDES, OPEN, CONTRADICTS, TIMEOUT, MISSING, LOST, DIFFERS, EXPLAINED = (
    "agrees",
    "decides",
    "cannot tell",
    "contradicts all",
    "timeout",
    "missing",
    "lost",
    "differs",
    "explained",
)


PASSES = 3


class Verdict:
    """Of one question."""

    def __init__(self, question, state, words=None, expected=None):
        self.question = question
        self.state = state
        self.words = words
        self.expected = expected  # by default
        self.supports = []  # labels of readings that the answer fits
        self.against = []
        self.said = None  # by the process that ended
        self.beside = None  # what the simulator says

    def data(self):
        return {
            "state": self.state,
            "supports": self.supports,
            "against": self.against,
            "group": self.question.group,
            "about": list(self.question.about),
            **({"said": self.said} if self.said else {}),
            **({"simulator": self.beside} if self.beside else {}),
        }


class Judgement:
    """Of a whole result."""

    def __init__(self, data, verdicts, rules, unknown):
        self.data = data
        self.verdicts = verdicts
        self.rules = rules  # name of a rule to {"value", "default", "for", "against"}
        self.unknown = unknown  # questions that this kit does not know

    def count(self, state):
        return sum(v.state == state for v in self.verdicts.values())

    def others(self):
        """Rules that the card has otherwise than the defaults."""
        return {
            n: r["value"] for n, r in self.rules.items() if r["value"] not in (None, r["default"])
        }


def fits(reading, words, expected):
    if reading.rule is not None:
        return expected is not None and words == expected
    if reading.answer == "timeout" or words is None:
        return reading.answer == "timeout" and words is None
    if reading.test is not None:
        try:
            return bool(reading.test(words))
        except IndexError:
            return False
    return words == list(reading.answer)


def expected_of(reading, question, emulator, chip, base):
    """The answer under a rule's value, with all else as in base."""
    name = reading.rule.split("=")[0]
    rules = [r for r in base if r.split("=")[0] != name]
    if reading is not question.readings[0] or base:
        rules.append(reading.rule)
    return emulator.answers(chip, [question.name], rules)[question.name]


def needs_emulator(question):
    """Whether the default answer is the emulator's: other readings state theirs."""
    if question.readings:
        return any(r.rule is not None for r in question.readings)
    return not question.timing


def gather(emulator, chip, questions, base):
    """Asks the emulator once for each reading, of all questions that name it."""
    by_rule = {tuple(sorted(base)): [q.name for q in questions if needs_emulator(q)]}
    for question in questions:
        for number, reading in enumerate(question.readings):
            if reading.rule is None:
                continue
            name = reading.rule.split("=")[0]
            rules = [r for r in base if r.split("=")[0] != name]
            if number or base:
                rules.append(reading.rule)
            by_rule.setdefault(tuple(sorted(rules)), []).append(question.name)
    emulator.gather(chip, list(by_rule.items()))


def judge(data, emulator, tell=None):
    """Pass after pass, what one found about rules is given to the next, as long as answers are
    left that fit nothing: a reading may change answers to questions about others."""
    chip = Chip.of(data["card"]["chip"])
    known = {q.name: q for q in all_of.all_questions(chip)}
    unknown = sorted(set(data["questions"]) - set(known))
    asked = [known[name] for name in data["questions"] if name in known]
    base, verdicts, left = (), {}, asked
    for _ in range(PASSES):
        if tell:
            tell("readings taken as given: " + (", ".join(base) or "the defaults"))
        verdicts.update(one_pass(data, left, emulator, chip.name, base))
        rules = rules_of(verdicts, asked)
        found = tuple(
            sorted(
                f"{n}={r['value']}"
                for n, r in rules.items()
                if r["value"] not in (None, r["default"])
            )
        )
        odd = {n for r in rules.values() if r["conflict"] for n in r["questions"]}
        left = [
            q for q in asked if q.name in odd or verdicts[q.name].state in (DIFFERS, CONTRADICTS)
        ]
        if found == base or not left:
            break
        base = found
    needless(rules, verdicts, asked, emulator, chip.name)
    return Judgement(data, verdicts, rules, unknown)


def beside(judgement, simulator):
    """Notes at each question what another judgement, of the vendor's simulator, has of it."""
    for name, found in judgement.verdicts.items():
        other = simulator.verdicts.get(name)
        if other is None:
            continue
        if other.state in (LOST, TIMEOUT, MISSING):
            found.beside = other.said or other.state
        elif other.words == found.words:
            found.beside = "the same answer"
        elif other.state in (AGREES, EXPLAINED):
            found.beside = "the default answer"
        else:
            found.beside = " or ".join(other.supports) or "another answer"


def needless(rules, verdicts, asked, emulator, chip):
    """Takes back rules whose questions are answered as the other ones that were found have it."""
    found = {n: r["value"] for n, r in rules.items() if r["value"] not in (None, r["default"])}
    by_name = {q.name: q for q in asked}
    if len(found) < 2:
        return
    spare = []
    for name in found:
        rest = [f"{n}={v}" for n, v in found.items() if n != name]
        said = emulator.answers(chip, rules[name]["questions"], rest)
        if all(said[q] == verdicts[q].words for q in rules[name]["questions"]):
            spare.append(name)
    for name in spare if len(spare) < len(found) else ():
        entry = rules[name]
        entry["value"] = entry["default"]
        for question in entry["questions"]:
            verdicts[question].state = EXPLAINED
            verdicts[question].supports = [by_name[question].readings[0].label]


def one_pass(data, asked, emulator, chip, base):
    gather(emulator, chip, asked, base)
    expected = emulator.answers(chip, [q.name for q in asked if needs_emulator(q)], base)
    return {
        q.name: verdict(q, data["questions"][q.name], expected.get(q.name), emulator, chip, base)
        for q in asked
    }


def verdict(question, entry, expected, emulator, chip, base):
    stops = any(r.answer == "timeout" for r in question.readings)
    if entry["state"] != "answered" and not (stops and entry["state"] == "timeout"):
        found = Verdict(question, entry["state"])
        found.said = entry.get("said")
        return found
    words = entry.get("words")
    found = Verdict(question, AGREES, words, expected)
    if question.timing and not question.readings:
        return found
    if not question.readings:
        found.state = DIFFERS if words != expected else EXPLAINED if base else AGREES
        return found
    for reading in question.readings:
        said = (
            expected_of(reading, question, emulator, chip, base)
            if reading.rule is not None
            else None
        )
        (found.supports if fits(reading, words, said) else found.against).append(reading.label)
    if not found.supports:
        found.state = CONTRADICTS
    elif not found.against:
        found.state = OPEN
    else:
        found.state = DECIDES
    return found


def rules_of(verdicts, asked):
    """What each rule of the emulator is on this card; value None: nothing decides it."""
    rules = {}
    for question in asked:
        named = [r for r in question.readings if r.rule is not None]
        if not named:
            continue
        name, default = named[0].rule.split("=")
        entry = rules.setdefault(
            name, {"value": None, "default": default, "for": {}, "questions": [], "conflict": False}
        )
        entry["questions"].append(question.name)
        found = verdicts[question.name]
        if found.state == DECIDES and len(found.supports) == 1:
            value = found.supports[0].split("=")[1] if "=" in found.supports[0] else None
            if value is not None:
                entry["for"].setdefault(value, []).append(question.name)
        elif found.state == CONTRADICTS:
            entry["conflict"] = True
    for entry in rules.values():
        if len(entry["for"]) == 1 and not entry["conflict"]:
            (entry["value"],) = entry["for"]
        elif len(entry["for"]) > 1:
            entry["conflict"] = True
    return rules
