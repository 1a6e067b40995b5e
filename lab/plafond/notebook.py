# SPDX-License-Identifier: MIT
"""Runs and pictures from Python: `plafond.run()` and `plafond.draw()`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from plafond.board.boards import BOARDS
from plafond.describe.loading import load, loads
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.frame import Frame
from plafond.report import drawing
from plafond.report.gantt import make_gantt
from plafond.report.gantt_picture import gantt_figure
from plafond.report.histograms import Measure, make_histogram
from plafond.report.schedulability import schedulability_figure
from plafond.report.strips import strips_figure
from plafond.report.write import write_report
from plafond.run.execution import execute
from plafond.run.model import Execution
from plafond.run.options import Options, parse_scale, refuse_unknown_task
from plafond.run.overheads import refuse_unknown_target
from plafond.run.targets import choose_guest, protocols_to_run
from plafond.studies.model import SchedulabilityReport
from plafond.trace.activations import activations
from plafond.trace.measures import Measures, Spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORST = "worst"  # the picture of the worst activation
PICTURES = (WORST, *Measure)
# Fields of Measures: spreads of a time, and fields with several values in an activation or alarm.
SPREADS = ("latency", "blocking", "response", "response_without_stops")
NESTED = ("stopped_ns", "excess")
OF_ACTIVATION = (
    *("protocol", "task", "activation", "arrival_ns", "start_ns", "end_ns"),
    *("latency_ns", "blocking_ns", "response_ns"),
)
OF_EVENT = ("protocol", "task", "time_ns", "kind", "activation", "resource")


@dataclass(frozen=True)
class Run:
    """The results of `run()` as data frames."""

    execution: Execution

    @property
    def measures(self) -> Frame:
        """Return a row for each task and protocol: the figures of the report."""
        rows = [_flat(row) for row in self.execution.report.rows]
        return Frame.of(list(rows[0]) if rows else [], rows)

    @property
    def activations(self) -> Frame:
        """Return a row for each activation; without an end it has no response."""
        return Frame.of(OF_ACTIVATION, self._activations())

    @property
    def events(self) -> Frame:
        """Return a row for each event of a task, by protocol and task."""
        return Frame.of(OF_EVENT, self._events())

    @property
    def notes(self) -> list[str]:
        """Return the notes of the report."""
        return self.execution.report.notes

    def write(self, folder: str | Path) -> Path:
        """Write the page and its files, and return the page; PlafondError if that fails."""
        return write_report(self.execution, Path(folder))

    def _activations(self) -> Iterator[dict[str, Any]]:
        for protocol, trace in self.execution.traces.items():
            for task in trace.tasks:
                for each in activations(task):
                    values = {name: getattr(each, name) for name in OF_ACTIVATION[3:]}
                    yield {
                        "protocol": protocol,
                        "task": task.name,
                        "activation": each.index,
                        **values,
                    }

    def _events(self) -> Iterator[dict[str, Any]]:
        names = [resource.name for resource in self.execution.system.resources]
        for protocol, trace in self.execution.traces.items():
            for task in trace.tasks:
                for each in task.events:
                    yield {
                        "protocol": protocol,
                        "task": task.name,
                        "time_ns": each.time_ns,
                        "kind": str(each.kind),
                        "activation": each.activation,
                        "resource": None if each.resource is None else names[each.resource],
                    }


def run(
    description: str | Path | System,
    *,
    on: str = "sim",
    protocols: Sequence[str] | None = None,
    activations: int | None = None,
    seed: int | None = None,
    scale: str = "1",
    task: str | None = None,
    overheads: bool = True,
    worst: bool = False,
) -> Run:
    """Run a description under each protocol, as `plafond run` does, and return the results.

    `description`: a file; the text of a description, which has several lines; or a System.
    `on`: linux, vm, sim or a53. `protocols`: the default are those of `plafond run`.
    `worst`: arrivals that make responses as long as possible.

    PlafondError or an exception derived from it has the line that `plafond run` prints. An
    interrupted run raises its exception.
    """
    refuse_unknown_target(on)
    system = _system(description)
    text = None if protocols is None else ",".join(protocols)
    chosen = protocols_to_run(on, system, text)
    refuse_unknown_task(task, [each.name for each in system.tasks])
    with TemporaryDirectory(prefix="plafond-") as scratch:
        options = Options(
            command="plafond.run() of Python",
            protocols=chosen,
            scale=parse_scale(scale),
            activations=activations,
            seed=seed,
            out=Path(scratch),
            shown=task,
            overheads=overheads,
            guest=choose_guest(system, chosen, None, None) if on == "vm" else None,
            board=BOARDS.get(on),
            worst=worst,
        )
        execution, interrupted = execute(system, options)
    if interrupted:
        raise interrupted
    return Run(execution)


def draw(what: Run | SchedulabilityReport, picture: str = WORST) -> "Figure":
    """Return a figure of a run, or of the report of measure_schedulability().

    `picture` of a run: `worst`, the Gantt chart of the worst activation; or `latency`, `blocking`
    or `response`, the distribution of this time over all activations. The task is that of `run()`.
    ArgumentError for another picture.
    """
    with drawing.drawing_style():
        if isinstance(what, SchedulabilityReport):
            return schedulability_figure(what)
        if picture == WORST:
            return gantt_figure(make_gantt(what.execution))
        if picture not in PICTURES:
            raise ArgumentError(f"found picture {picture!r}; expected one of {', '.join(PICTURES)}")
        return strips_figure(make_histogram(what.execution, Measure(picture)))


def _system(description: str | Path | System) -> System:
    if isinstance(description, System):
        return description
    is_text = isinstance(description, str) and "\n" in description
    return loads(str(description)) if is_text else load(Path(description))


def _flat(row: Measures) -> dict[str, Any]:
    """Return the fields of a row; a spread becomes three columns."""
    flat: dict[str, Any] = {}
    for name in Measures.model_fields:
        value = getattr(row, name)
        if name in SPREADS:
            parts = value.model_dump() if value else dict.fromkeys(Spread.model_fields)
            flat |= {f"{name}_{part}": each for part, each in parts.items()}
        elif name not in NESTED:
            flat[name] = value
    return flat
