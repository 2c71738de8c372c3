# SPDX-License-Identifier: Apache-2.0
"""All questions of the kit, in the order in which they are asked."""
from . import vectors

MODULES = (vectors,)


def all_questions(chip):
    found, names = [], set()
    for module in MODULES:
        for question in module.questions(chip):
            if question.name in names:
                raise ValueError(f"two questions are called {question.name}")
            names.add(question.name)
            found.append(question)
    return sorted(found, key=lambda q: q.danger)
