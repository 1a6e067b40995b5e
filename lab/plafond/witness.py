# SPDX-License-Identifier: MIT
"""Measure how fit this machine is for real time: a thread runs loops of run steps."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from plafond.errors import PlafondError, RefusedError
from plafond.programs import find_program, run_program

SECONDS = 1
LONGEST_SECONDS = 30.0


class Speed(BaseModel):
    """Turns of the loop of run steps in a microsecond; None: too few for a figure."""

    median: float | None
    slowest: float | None  # the slowest 10 us


class CpuBefore(BaseModel):
    """The observations of a real-time thread on a CPU before the runs."""

    cpu: int
    seconds: float
    stops: int
    longest_stop_ns: int
    stopped_ns: int
    turns_per_us: Speed


def stops_before(cpus: Sequence[int]) -> list[CpuBefore]:
    """Watch each CPU for a second; return nothing if that is refused: the run reports it."""
    try:
        program = find_program("linux/run/plafond-run")
        return [_watch(program, cpu) for cpu in cpus]
    except (PlafondError, RefusedError):
        return []


def _watch(program: Path, cpu: int) -> CpuBefore:
    command = [str(program), "--witness", str(cpu), str(SECONDS)]
    return CpuBefore.model_validate(
        json.loads(run_program(command, lambda _: None, LONGEST_SECONDS))
    )
