# SPDX-License-Identifier: MIT
"""The description from which the image of a case is built."""

from dataclasses import replace
from pathlib import Path

from plafond.describe.kernel import Scheduler, Status, Warnings
from plafond.describe.loading import load
from plafond.describe.system import System

from table import Case


def system_of(case: Case, folder: Path) -> System:
    """Return the description in a folder, in the status and under the scheduler of the case."""
    system = load(folder / f"{case.name}.toml")
    kernel = system.kernel.changed(status=Status(case.status), warnings=Warnings.ERRORS)
    system = replace(system, kernel=kernel)
    return replace(system, scheduler=Scheduler(case.scheduler)) if case.scheduler else system
