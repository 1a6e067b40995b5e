# SPDX-License-Identifier: MIT
"""An exceeded bound with overheads, in words: the activation, and the parts of its response."""

from collections.abc import Iterator

from plafond.run.model import Execution
from plafond.trace.excess import Excess
from plafond.trace.measures import Measures
from plafond.units import format_duration


def alarm_lines(execution: Execution) -> list[str]:
    """Return a line for each task and protocol whose bound was EXCEEDED."""
    return [_line(row, row.excess) for row in execution.alarms if row.excess]


def _line(row: Measures, excess: Excess) -> str:
    response = format_duration(excess.response_ns, digits=6)
    above = format_duration(excess.response_ns - excess.bound_ns)
    bound = format_duration(excess.bound_ns, digits=6)
    window = format_duration(excess.window_ns, digits=6)
    described = format_duration(excess.described_ns, digits=6)
    parts = ", ".join(f"{format_duration(time_ns)} {what}" for time_ns, what in _parts(excess))
    return (
        f"EXCEEDED: {row.task} under {row.protocol}: activation {excess.activation} took "
        f"{response}, {above} more than its bound with overheads of {bound}. Of the {window} since "
        f"its level had no work, {described} are run steps as described; the rest: {parts or '0ns'}"
    )


def _parts(excess: Excess) -> Iterator[tuple[int, str]]:
    """Yield the parts that took time."""
    parts = (
        (
            excess.run_steps_ns,
            "run steps beyond (last turns, unlocks, the shortest gaps)",
        ),
        (excess.locks_ns, "locks"),
        (excess.switches_ns, "switches"),
        (excess.interrupts_ns, "interrupts and ticks"),
        (excess.host_ns, "gaps too long for the kernel"),
        (excess.rest_ns, "sleeps"),
    )
    return (part for part in parts if part[0])
