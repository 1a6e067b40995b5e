# SPDX-License-Identifier: MIT
"""The systems that a study draws."""

from fractions import Fraction

from plafond.describe.study import Case, Study
from plafond.describe.system import System
from plafond.studies.draw import draw_set, draw_uses, stream
from plafond.studies.sharing import system_of


def drawn_system(
    study: Study, number: int, utilisation: Fraction, case: Case | None = None
) -> System:
    """Return the task set of that number with its sections. Without `case`, use the study's first
    case."""
    random = stream(study, utilisation, number)
    tasks = draw_set(study, utilisation, random)
    assert study.sections
    uses = draw_uses(len(tasks), study.sections.resources, random)
    return system_of(study, tasks, uses, case or study.cases[0])
