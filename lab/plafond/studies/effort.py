# SPDX-License-Identifier: MIT
"""The effort of a study, kept out of its report because the report must not depend on a clock."""

from os import times_result

from plafond.studies.model import SchedulabilityReport


def effort_in_words(
    report: SchedulabilityReport, begun: times_result, ended: times_result, *, is_here: bool
) -> str:
    """Return the number of sets, the elapsed time, and the processor time if all ran here.

    Processor time covers all processes, so it does not depend on their number.
    """
    conditions = report.conditions
    sets = conditions.sets * len(conditions.utilisations)
    said = f"{sets} sets of {conditions.tasks:.1f} tasks, {ended.elapsed - begun.elapsed:.1f} s"
    if not is_here:
        return said
    return f"{said}, {_processor_s(ended) - _processor_s(begun):.1f} s of processor time"


def _processor_s(at: times_result) -> float:
    return at.user + at.system + at.children_user + at.children_system
