# SPDX-License-Identifier: MIT
"""The interrupt threads in a report of `plafond run --irqs`."""

from pathlib import Path

from pydantic import BaseModel, ValidationError

from plafond.errors import PlafondError
from plafond.kernel_trace.model import ThreadKind, ThreadMeasures
from plafond.regular import open_regular
from plafond.report.files import DATA

RECORD = "plafond run FILE --on vm --irqs"


class Recorded(BaseModel):
    """The fields that are read from the data of a report."""

    name: str
    target: str
    threads: list[ThreadMeasures] = []


def read_recorded(report: Path) -> Recorded:
    """Return the interrupt threads in a report: a folder, or its data.

    PlafondError if it is no report, or if it has no such threads.
    """
    file = report / DATA if report.is_dir() else report
    expected = f"expected the folder of a report, or {DATA} in it: {RECORD} writes one"
    try:
        with open_regular(file) as opened:
            recorded = Recorded.model_validate_json(opened.read())
    except OSError as error:
        raise PlafondError(f"{file}: {error.strerror}; {expected}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        found = f"{where}: {problem['msg']}" if where else problem["msg"]
        raise PlafondError(f"{file}: found no report: {found}; {expected}") from None
    threads = [each for each in recorded.threads if each.kind is ThreadKind.INTERRUPT]
    if not recorded.threads:
        raise PlafondError(f"{file}: found no threads in it; expected a run with --irqs: {RECORD}")
    if not threads:
        raise PlafondError(
            f"{file}: found no interrupt threads; expected a kernel that has them, PREEMPT_RT or "
            f"with threadirqs, and interrupts during the run: {RECORD}"
        )
    return recorded.model_copy(update={"threads": threads})
