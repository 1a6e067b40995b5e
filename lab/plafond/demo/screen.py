# SPDX-License-Identifier: MIT
"""The screen of the demo: a line of the picture and a row of the table for each lock."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.text import Text

from plafond.output import show
from plafond.report.gantt import Chart, make_gantt
from plafond.report.gantt_terminal import TaskLines
from plafond.report.machine import stops_sentence
from plafond.rows import Table, each
from plafond.run.model import Execution
from plafond.trace.activations import activations
from plafond.trace.measures import Measures
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration

# The lock of threads, and the protocol of the kernel that does the same to priorities.
PAIRS = {"none": "none", "inherit": "inherit", "protect": "syscall", "plafond": "lazy-ceiling"}
BASELINE = "plafond"
WIDEST = 112
MEANT = {
    "none": "plain mutex",
    "inherit": "inheritance",
    "protect": "eager ceiling",
    "plafond": "lazy ceiling",
}
NEXT = (
    ("./plafond doctor", "more on this machine, and the cures"),
    ("./plafond preload --stats -- ./app", "your pthread program, with cheap ceilings"),
    ("./plafond run my.toml --on sim", "your task set, in virtual time"),
)


@dataclass(frozen=True)
class Here:
    """What was measured on this machine, beside the run in virtual time."""

    virtual: Execution | None
    threads: Execution | None
    costs_ns: Mapping[str, float]


def print_virtual(execution: Execution, console: Console) -> None:
    """Print the worst activation under each protocol, a line each."""
    shown, gantt = execution.shown_task, make_gantt(execution)
    due = format_duration(shown.deadline_ns or 0)
    console.print(
        Text(
            f"Virtual time: exact, and the same on every machine. {shown.name} is due in {due}:",
            style="bold",
        )
    )
    charts = {protocol: chart for chart in gantt.charts for protocol in chart.protocols}
    names = {protocol: f"{protocol:>12}" for protocol in charts}
    outcomes = {protocol: _outcome(execution, protocol, charts[protocol]) for protocol in charts}
    room = min(console.width, WIDEST) - 14 - max(map(len, outcomes.values()))
    lines = TaskLines(gantt, console, room)
    for protocol, chart in charts.items():
        line = Text(f"{names[protocol]} ").append_text(lines.of(chart))
        console.print(line.append(f" {outcomes[protocol]}"), no_wrap=True, overflow="crop")
    for line in (*lines.ruler(shown.deadline_ns), lines.legend()):
        console.print(Text(" " * 13).append_text(line), no_wrap=True, overflow="crop")


def _outcome(execution: Execution, protocol: str, chart: Chart) -> str:
    row = _row(execution, protocol)
    longest = format_duration(chart.worst.response_ns) if chart.worst else "-"
    late = f"late {row.deadline_misses} of {row.activations}" if row.deadline_misses else "in time"
    return f"{longest}, {late}"


def print_here(here: Here, console: Console) -> None:
    """Print what a lock costs, and the same task set with threads."""
    columns = [
        each("lock", PAIRS, text=True),
        each("", MEANT.values(), text=True),
        each("ns a pair", (_cost(here, lock) for lock in PAIRS)),
        each("ratio", (_ratio(here, lock) for lock in PAIRS)),
        each("exact", (_median(here.virtual, protocol) for protocol in PAIRS.values())),
        each("here, median", (_median(here.threads, lock) for lock in PAIRS)),
        each("late here", (_late(here.threads, lock) for lock in PAIRS)),
    ]
    title = "This machine: the cost of lock and unlock, and the response with real threads"
    show(console, Table(title, columns))


def _cost(here: Here, lock: str) -> str:
    cost = here.costs_ns.get(lock)
    return f"{cost:.3g}" if cost and cost < 1000 else f"{cost:.0f}" if cost else "-"


def _ratio(here: Here, lock: str) -> str:
    cost, baseline = here.costs_ns.get(lock), here.costs_ns.get(BASELINE)
    return f"{cost / baseline:.3g}" if cost and baseline else "-"


def _late(threads: Execution | None, lock: str) -> str:
    row = _row(threads, lock) if threads else None
    return f"{row.deadline_misses} of {row.activations}" if row else "-"


def _median(execution: Execution | None, protocol: str) -> str:
    if execution is None or protocol not in execution.traces:
        return "-"
    trace = execution.traces[protocol]
    task = next(task for task in trace.tasks if task.name == execution.shown_task.name)
    ended = [each.end_ns - each.arrival_ns for each in activations(task) if each.end_ns is not None]
    return format_duration(round(median(ended)), digits=3) if ended else "-"


def _row(execution: Execution, protocol: str) -> Measures:
    wanted = (execution.shown_task.name, protocol)
    return next(row for row in execution.report.rows if (row.task, row.protocol) == wanted)


def print_machine(threads: Execution, console: Console) -> None:
    """Say whether this machine is fit for real time, if it is not."""
    stopped = stops_sentence(threads.report)
    exceeded = any(row.verdict is Verdict.EXCEEDED for row in threads.report.rows)
    if stopped:
        console.print(Text(f"\n{stopped}"))
    elif exceeded:
        console.print(Text("\nA response was above its bound: the report says which."))
    else:
        console.print()


def print_next(page: Path | None, console: Console) -> None:
    """Print where the report is, and what to try."""
    if page:
        console.print(Text(f"The report: {page}"), soft_wrap=True)
    room = max(len(command) for command, _ in NEXT)
    for command, words in NEXT:
        console.print(Text(f"{command:{room}}  {words}"), no_wrap=True, overflow="crop")
