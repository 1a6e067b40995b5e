# SPDX-License-Identifier: MIT
"""The report as one HTML file: no network, no script, the pictures inside."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from plafond.report.cells import (
    COUNT_COLUMNS,
    TEXT_COLUMNS,
    TIME_COLUMNS,
    TIME_GROUPS,
    count_lines,
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
    "response bound": "what the analysis of the description promises: no response is longer. "
    "“-” means that there is none.",
    "verdict": f"{Verdict.KEPT}: no response was longer than the bound. {Verdict.EXCEEDED}: one "
    f"was. {Verdict.EXCEEDED_OUTSIDE}: one was, but within the bound of a CPU that is away for as "
    "long as it was then: the kernel, interrupts, other threads or the host had it.",
    "skipped": "arrivals that found the task unfinished and were dropped, as described.",
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
        cuts=cut_lines(execution),
        conditions=condition_rows(execution),
        shown=execution.shown_task.name,
        gantt=gantt,
        histograms=histograms,
        time_tables=time_tables(execution),
        time_groups=TIME_GROUPS,
        # The groups say what it is an average or a maximum of.
        time_columns=[column.split()[-1] for column in TIME_COLUMNS],
        count_columns=COUNT_COLUMNS,
        count_lines=count_lines(execution),
        text_columns=TEXT_COLUMNS,
        exceeded=Verdict.EXCEEDED,
        words=WORDS,
    )
