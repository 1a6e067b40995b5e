# SPDX-License-Identifier: MIT
"""Separate studies from descriptions of systems, because different commands take them."""

from plafond.describe.problems import Problem
from plafond.describe.source import Source


def refuse_study(source: Source) -> None:
    """Raise DescriptionError if the file is a study: it draws task sets, and has no task."""
    if "draw" in source.raw and "task" not in source.raw:
        wanted = "tables [task.NAME]: this is a study, for bench schedulability"
        raise source.error([Problem(("draw",), "a table of task sets to draw", wanted)])


def refuse_system(source: Source) -> None:
    """Raise DescriptionError if the file describes the tasks of a system, and draws no sets."""
    if "task" in source.raw and "draw" not in source.raw:
        wanted = "a table [draw]: this is a description, for check, analyse, run and build"
        raise source.error([Problem(("task",), "tables [task.NAME]", wanted)])
