# SPDX-License-Identifier: MIT
"""How latency, blocking and response of the shown task are spread, as data."""

from dataclasses import dataclass
from enum import StrEnum

from plafond.run.model import Execution
from plafond.trace.activations import Activation, activations
from plafond.trace.measures import Verdict
from plafond.trace.model import TaskTrace


class Measure(StrEnum):
    """What is measured of each activation."""

    LATENCY = "latency"
    BLOCKING = "blocking"
    RESPONSE = "response"


@dataclass(frozen=True)
class Strip:
    """The values of one protocol."""

    protocol: str
    values_ns: tuple[int, ...]
    bound_ns: int | None
    verdict: Verdict | None
    cut: bool


@dataclass(frozen=True)
class Histogram:
    """One measure of one task under all protocols."""

    task: str
    measure: Measure
    deadline_ns: int | None
    strips: tuple[Strip, ...]
    clock: str = ""  # as of a Gantt chart


def make_histogram(execution: Execution, measure: Measure) -> Histogram:
    """Collect a measure of the shown task; only responses have bounds and a deadline."""
    shown = execution.shown_task
    is_response = measure is Measure.RESPONSE
    rows = {row.protocol: row for row in execution.report.rows if row.task == shown.name}
    strips = tuple(
        Strip(
            protocol,
            _values(next(task for task in trace.tasks if task.name == shown.name), measure),
            rows[protocol].judged_bound_ns if is_response else None,
            rows[protocol].verdict if is_response else None,
            trace.cut is not None,
        )
        for protocol, trace in execution.traces.items()
    )
    deadline_ns = shown.deadline_ns if is_response else None
    return Histogram(shown.name, measure, deadline_ns, strips, execution.clock)


def _values(task: TaskTrace, measure: Measure) -> tuple[int, ...]:
    finished = (activation for activation in activations(task) if activation.end_ns is not None)
    return tuple(_value(activation, measure) for activation in finished)


def _value(activation: Activation, measure: Measure) -> int:
    match measure:
        case Measure.LATENCY:
            return activation.latency_ns
        case Measure.BLOCKING:
            return activation.blocking_ns
        case Measure.RESPONSE:
            return activation.response_ns or 0
