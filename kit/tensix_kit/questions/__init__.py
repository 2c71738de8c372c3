# SPDX-License-Identifier: Apache-2.0
"""All questions of the kit, in the order in which they are asked."""

import functools

from . import cores, experiments, noc, noc_wide, openings, timing, units, vectors

MODULES = (vectors, units, experiments, openings, cores, noc, noc_wide, timing)


@functools.lru_cache(maxsize=None)
def all_questions(chip):
    found, names = [], set()
    for module in MODULES:
        for question in module.questions(chip):
            if question.name in names:
                raise ValueError(f"two questions are called {question.name}")
            names.add(question.name)
            found.append(question)
    return tuple(sorted(found, key=lambda q: q.danger))
