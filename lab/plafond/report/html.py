# SPDX-License-Identifier: MIT
"""The report as one HTML file: no network, no script, the pictures inside."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from plafond.report.alarm import alarm_lines
from plafond.report.cells import (
    COUNT_COLUMNS,
    TEXT_COLUMNS,
    count_lines,
    time_columns,
    time_groups,
    time_tables,
)
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.run.model import Execution
from plafond.trace.measures import Verdict

TEMPLATES = Path(__file__).parent / "templates"

WORDS = {
    "activation latency": "from the arrival of an activation to its start. Under a ceiling "
    "(protect, plafond) a task that a section keeps out waits here, before it starts.",
    "blocking": "from the requests for resources to the grants, in all sections of the "
    "activation. Without a ceiling (none, inherit) a task waits here, in the midst of its work.",
    "response": "from the arrival to the end; what has been waited for is part of it.",
    "std": "the standard deviation.",
    "max*": "the longest response that was not disturbed. Disturbed is a response in whose time "
    "one gap of more than 100us lies in which a task could run and none did; clocks do not say "
    "what had the processor. Long responses are likelier to have one.",
    "bound": "what the analysis of the description promises, without the cost of locks, switches "
    "and interrupts, as the papers reckon it. “-” means that there is none.",
    "with overheads": "the same with the overheads of the target: no undisturbed response is "
    "longer.",
    "ratio": "the longest undisturbed response over the bound with overheads.",
    "verdict": f"{Verdict.KEPT}: no response was longer than the bound with overheads. "
    f"{Verdict.EXCEEDED}: one was, and the run failed. {Verdict.EXCEEDED_OUTSIDE}: only disturbed "
    "ones were, and within the bound of a CPU that is away for as long as it was then.",
    "skipped": "arrivals that found the task unfinished and were dropped, as described.",
    "dropped": "how many activations max* leaves out.",
    "deadline misses": "activations whose response was longer than the deadline.",
    "lock system calls": "system calls inside lock and unlock, of all activations together; "
    "a section in the driver is one call.",
}


def make_page(execution: Execution, gantt: str, histograms: Sequence[str]) -> str:
    """Return the page; each picture is an `<svg>` element."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    return environment.get_template("report.html.j2").render(
        report=execution.report,
        place=place_words(execution),
        times=execution.times,
        protocols=list(execution.traces),
        alarms=[*cut_lines(execution), *alarm_lines(execution)],
        conditions=condition_rows(execution),
        shown=execution.shown_task.name,
        gantt=gantt,
        histograms=histograms,
        time_tables=time_tables(execution),
        time_groups=time_groups(execution),
        # The groups say what it is an average of.
        time_columns=["avg" if name.endswith(" avg") else name for name in time_columns(execution)],
        count_columns=COUNT_COLUMNS,
        count_lines=count_lines(execution),
        text_columns=TEXT_COLUMNS,
        exceeded=Verdict.EXCEEDED,
        words=WORDS,
    )
