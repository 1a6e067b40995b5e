# SPDX-License-Identifier: MIT
"""The tables of all threads of a run whose scheduler was recorded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plafond.columns import Column
from plafond.kernel_trace.model import Distribution, ThreadKind, ThreadMeasures
from plafond.kernel_trace.parts import Part, Parts
from plafond.report.alike import once
from plafond.report.summary import left_words
from plafond.rows import Table, columns_of, each
from plafond.run.model import Execution

# From each measure's name on the page to its name in the data.
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
MOST_OTHERS = 8  # in a table, threads that are no interrupts, softirqs or tasks


def thread_tables(execution: Execution) -> Iterator[Table]:
    """Yield the tables; nothing without a recording. The first table has all shown threads."""
    shown = shown_threads(execution)
    for title, name in MEASURES.items() if shown else ():
        rows = [row for row in shown if name == "execution" or getattr(row, name)]
        thread, *place, period = columns_of(ThreadMeasures, rows)
        columns = [
            replace(thread, cells=once(thread.cells)),
            *place,
            *columns_of(Distribution, [getattr(row, name) for row in rows]),
            *([period] if name == "inter_arrival" else []),
        ]
        yield Table(f"Threads: {title}", columns, CAPTIONS[title])
    task = execution.shown_task.name
    worst = [each for each in execution.report.worst_parts if each.task == task]
    if worst:
        title = f"The worst activation of {task}: what had its CPU"
        yield Table(title, list(_part_columns(worst)), PARTS_CAPTION)


def left_out(execution: Execution) -> str:
    """Return the number of threads that the tables leave out, in words; or ""."""
    all_names = {row.thread for row in execution.report.threads}
    count = len(all_names - {row.thread for row in shown_threads(execution)})
    if not count:
        return ""
    return f"left out: {count} of {len(all_names)} names, which ran less; the data has all"


def shown_threads(execution: Execution) -> list[ThreadMeasures]:
    """Return the rows of the tables, grouped by thread."""
    rows = execution.report.threads
    names = list(dict.fromkeys(row.thread for row in sorted(rows, key=_rank)))
    others = [name for name in names if _is_other(rows, name)]
    kept = [name for name in names if name not in others[MOST_OTHERS:]]
    return [row for name in kept for row in rows if row.thread == name]


def _rank(row: ThreadMeasures) -> tuple[int, float]:
    """Return the sort key: kinds as in the report, then the total time of activations."""
    execution = row.execution
    total_ns = execution.average_ns * execution.samples if execution else 0.0
    return (list(ThreadKind).index(row.kind), -total_ns)


def _is_other(rows: Sequence[ThreadMeasures], name: str) -> bool:
    return all(row.kind is ThreadKind.OTHER for row in rows if row.thread == name)


def _part_columns(worst: Iterable[Parts]) -> Iterator[Column]:
    lines = [(activation, part) for activation in worst for part in activation.parts]
    yield each("protocol", once(activation.protocol for activation, _ in lines), text=True)
    yield from columns_of(Part, [part for _, part in lines])
    shares = (part.time_ns / activation.time_ns for activation, part in lines)
    yield each("of it", shares, left_words)
