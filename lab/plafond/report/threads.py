# SPDX-License-Identifier: MIT
"""The tables of all threads of a run whose scheduler was recorded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plafond.kernel_trace.model import Distribution, ThreadKind, ThreadMeasures
from plafond.report.summary import left_words
from plafond.run.model import Execution
from plafond.units import format_duration

# What is measured, by its name in the data, and what the page says of it.
MEASURES = {"execution": "execution", "inter-arrival": "inter_arrival", "response": "response"}
CAPTIONS = {
    "execution": "The time that it had a CPU, in each activation. One begins when the thread is "
    "woken up and ends when it goes to sleep. A softirq stands by its name inside the thread that "
    "runs it; it begins when it is raised.",
    "inter-arrival": "Between the begins of two activations. A period is inferred from them: “-” "
    "means that they have none, or are fewer than 12.",
    "response": "From the begin of an activation to its end.",
}
PARTS_CAPTION = (
    "Which thread had the task's CPU from the arrival to the end of that activation. A hard "
    "interrupt and a softirq are taken from the time of the thread that they met."
)
PLACE = TEXT_COLUMNS = ("thread", "protocol", "scheduled", "CPU")
MOST_OTHERS = 8  # threads of a table that are of neither interrupts, softirqs nor tasks
STATISTICS = ("samples", "average", "std", "least", "most")


@dataclass(frozen=True)
class Table:
    """A table of threads."""

    title: str
    caption: str
    columns: tuple[str, ...]
    lines: list[tuple[str, ...]]


def thread_tables(execution: Execution) -> Iterator[Table]:
    """Yield the tables, none without a recording; the first names all threads that ran."""
    rows = shown_threads(execution)
    for title, name in MEASURES.items() if rows else ():
        has_period = name == "inter_arrival"
        columns = (*PLACE, *STATISTICS, *(("period",) if has_period else ()))
        cells = [
            _cells(row, getattr(row, name), has_period)
            for row in rows
            if name == "execution" or getattr(row, name)
        ]
        yield Table(f"Threads: {title}", CAPTIONS[title], columns, _named_once(cells))
    lines = list(_part_lines(execution))
    if lines:
        title = f"The worst activation of {execution.shown_task.name}: what had its CPU"
        yield Table(title, PARTS_CAPTION, ("protocol", "thread", "time", "of it"), lines)


def left_out(execution: Execution) -> str:
    """Say how many threads the tables leave out, or nothing."""
    all_names = {row.thread for row in execution.report.threads}
    count = len(all_names - {row.thread for row in shown_threads(execution)})
    if not count:
        return ""
    return f"left out: {count} of {len(all_names)} names, which ran less; the data has all"


def shown_threads(execution: Execution) -> list[ThreadMeasures]:
    """Return the rows of the tables: all protocols of a thread follow each other."""
    rows = execution.report.threads
    names = list(dict.fromkeys(row.thread for row in sorted(rows, key=_rank)))
    others = [name for name in names if _is_other(rows, name)]
    kept = [name for name in names if name not in others[MOST_OTHERS:]]
    return [row for name in kept for row in rows if row.thread == name]


def _rank(row: ThreadMeasures) -> tuple[int, float]:
    """Return what comes first: as in the report, then by the time of its activations."""
    execution = row.execution
    total_ns = execution.average_ns * execution.samples if execution else 0.0
    return (list(ThreadKind).index(row.kind), -total_ns)


def _is_other(rows: Sequence[ThreadMeasures], name: str) -> bool:
    return all(row.kind is ThreadKind.OTHER for row in rows if row.thread == name)


def _cells(row: ThreadMeasures, times: Distribution | None, has_period: bool) -> tuple[str, ...]:
    scheduled = row.policy if row.priority is None else f"{row.policy} {row.priority}"
    cpus = ",".join(map(str, row.cpus))
    period = "-" if row.period_ns is None else format_duration(row.period_ns)
    return (
        row.thread,
        row.protocol,
        scheduled,
        cpus,
        *_statistics(times),
        *((period,) if has_period else ()),
    )


def _statistics(times: Distribution | None) -> tuple[str, ...]:
    if times is None:
        return ("0", "-", "-", "-", "-")
    each = (times.average_ns, times.deviation_ns, times.least_ns, times.most_ns)
    return (str(times.samples), *map(format_duration, each))


def _named_once(lines: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Name a thread in its first line only."""
    return [
        ("" if index and lines[index - 1][0] == line[0] else line[0], *line[1:])
        for index, line in enumerate(lines)
    ]


def _part_lines(execution: Execution) -> Iterator[tuple[str, ...]]:
    for each in execution.report.worst_parts:
        if each.task != execution.shown_task.name:
            continue
        total_ns = sum(part.time_ns for part in each.parts)
        for index, part in enumerate(each.parts):
            share = left_words(part.time_ns / total_ns)
            protocol = each.protocol if index == 0 else ""
            yield (protocol, part.thread, format_duration(part.time_ns), share)
