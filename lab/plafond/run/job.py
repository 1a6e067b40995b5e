# SPDX-License-Identifier: MIT
"""A run of a plan on any target, and its outcome."""

from dataclasses import dataclass

from plafond.describe.server import Server
from plafond.trace.model import Trace


@dataclass(frozen=True)
class Job:
    """A plan to run."""

    what: str  # the name that the progress bar shows
    plan: str
    duration_ns: int  # the expected length; only progress uses it
    limit_ns: int  # plafond-run ends the run after this time
    reservations: tuple[Server, ...] = ()  # reservations of interrupt threads during the run
    is_recorded: bool = False  # plafond-record records the kernel's scheduler meanwhile


@dataclass(frozen=True)
class Outcome:
    """The result of a run: its trace, and the exception that interrupted the run, if any."""

    trace: Trace
    interrupted: BaseException | None
    # None if the job is not recorded, or if the recorder left no file
    recording: bytes | None = None
