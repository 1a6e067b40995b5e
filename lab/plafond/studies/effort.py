# SPDX-License-Identifier: MIT
"""What a study took: apart from its report, whose bytes depend on no clock."""

from os import times_result

from plafond.studies.model import SchedulabilityReport


def effort_in_words(
    report: SchedulabilityReport, begun: times_result, ended: times_result, *, is_here: bool
) -> str:
    """Return the sets of the report, the time, and that of the processors, if all was done here.

    The latter is that of all processes, and does not depend on how many others there are.
    """
    conditions = report.conditions
    sets = conditions.sets * len(conditions.utilisations)
    said = f"{sets} sets of {conditions.tasks:.1f} tasks, {ended.elapsed - begun.elapsed:.1f} s"
    if not is_here:
        return said
    return f"{said}, {_processor_s(ended) - _processor_s(begun):.1f} s of processor time"


def _processor_s(at: times_result) -> float:
    return at.user + at.system + at.children_user + at.children_system
