# SPDX-License-Identifier: MIT
"""One run of a plan, wherever it happens, and what it left."""

from dataclasses import dataclass

from plafond.describe.server import Server
from plafond.trace.model import Trace


@dataclass(frozen=True)
class Job:
    """A plan to run."""

    what: str  # as progress calls it
    plan: str
    duration_ns: int  # about
    limit_ns: int  # after which plafond-run ends it
    reservations: tuple[Server, ...] = ()  # of interrupts, while it runs
    is_recorded: bool = False  # the kernel's scheduler beside it: plafond-record


@dataclass(frozen=True)
class Outcome:
    """What a run left: its trace, and what interrupted it."""

    trace: Trace
    interrupted: BaseException | None
    recording: bytes | None = None  # of a job that is recorded; None also: it left none
