# SPDX-License-Identifier: MIT
"""The report as one HTML file: no network, no script, the pictures inside."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from plafond.report.cells import (
    COUNT_COLUMNS,
    TEXT_COLUMNS,
    TIME_COLUMNS,
    TIME_GROUPS,
    TaskTable,
    count_lines,
    time_tables,
)
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.run.model import Execution
from plafond.trace.measures import Verdict

CSS = """
:root { color-scheme: light; }
body { background: #fff; color: #222; font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif;
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
h3 small { color: #555; font-weight: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; }
thead tr:last-child th { border-bottom: 1px solid #767676; }
thead th.group { border-bottom: 1px solid #ddd; text-align: center; }
.text { text-align: left; }
tbody tr.first td { border-top: 1px solid #ddd; }
tbody tr:hover { background: #f4f4f4; }
.exceeded { background: #a84300; color: #fff; font-weight: 700; }
.cut { border: 2px solid #d55e00; font-weight: 700; padding: .6rem 1rem; }
dl.conditions { display: grid; font-size: .85rem; gap: .1rem 1rem; grid-template-columns:
  max-content 1fr; }
dl.conditions dd { margin: 0; overflow-wrap: anywhere; }
dl.words dt { font-weight: 600; }
dl.words dd { margin: 0 0 .6rem 1.5rem; }
figure { margin: 1rem 0; }
svg { display: block; height: auto; max-width: 100%; }
"""

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
    report = execution.report
    shown = execution.shown_task.name
    times = execution.times
    title = escape(report.name)
    parts = [
        f"<h1>{title}</h1>",
        f"<p>A run of plafond {place_words(execution)}{times}: the task set under "
        f"{escape(', '.join(execution.traces))}, with the same arrivals.</p>",
        *(f'<p class="cut">{escape(line)}</p>' for line in cut_lines(execution)),
        *_conditions(execution),
        *_pictures(f"The worst activation of {shown}", [gantt]),
        *_pictures(f"All activations of {shown}", histograms),
        *_tables(execution),
        *_notes(report.notes),
        *_definitions(),
    ]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: plafond</title>\n<style>{CSS}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _conditions(execution: Execution) -> Iterator[str]:
    yield "<h2>Conditions</h2>"
    yield '<dl class="conditions">'
    for name, value in condition_rows(execution):
        shown = f"<code>{escape(value)}</code>" if name == "command" else escape(value)
        yield f"<dt>{escape(name)}</dt><dd>{shown}</dd>"
    yield "</dl>"


def _pictures(heading: str, pictures: Iterable[str]) -> Iterator[str]:
    yield f"<h2>{escape(heading)}</h2>"
    yield from (f"<figure>{picture}</figure>" for picture in pictures)


def _tables(execution: Execution) -> Iterator[str]:
    yield "<h2>Times</h2>"
    for table in time_tables(execution):
        yield from _time_table(table)
    yield "<h2>Counts</h2>"
    yield '<div class="scroll"><table>'
    yield f"<thead>{_header(COUNT_COLUMNS)}</thead>"
    yield from _body(COUNT_COLUMNS, count_lines(execution))
    yield "</table></div>"


def _time_table(table: TaskTable) -> Iterator[str]:
    yield f"<h3>{escape(table.task)} <small>{escape(table.description)}</small></h3>"
    groups = "".join(
        f'<th class="group" colspan="{columns}">{escape(name)}</th>' if name else "<th></th>"
        for columns, name in TIME_GROUPS
    )
    # The groups say what it is an average or a maximum of.
    columns = [column.split()[-1] for column in TIME_COLUMNS]
    yield '<div class="scroll"><table>'
    yield f"<thead><tr>{groups}</tr>{_header(columns)}</thead>"
    yield from _body(columns, table.lines)
    yield "</table></div>"


def _header(columns: Sequence[str]) -> str:
    cells = "".join(f"<th{_alignment(column)}>{escape(column)}</th>" for column in columns)
    return f"<tr>{cells}</tr>"


def _body(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "<tbody>"
    for line in lines:
        cells = "".join(
            f'<td class="exceeded">{cell}</td>'
            if cell == Verdict.EXCEEDED
            else f"<td{_alignment(column)}>{escape(cell)}</td>"
            for column, cell in zip(columns, line, strict=True)
        )
        # A task is named in its first line only.
        is_first = columns[0] == "task" and line[0]
        yield f'<tr class="first">{cells}</tr>' if is_first else f"<tr>{cells}</tr>"
    yield "</tbody>"


def _alignment(column: str) -> str:
    return ' class="text"' if column in TEXT_COLUMNS else ""


def _notes(notes: Sequence[str]) -> Iterator[str]:
    if notes:
        yield "<h2>Notes</h2>"
        yield "<ul>"
        yield from (f"<li>{escape(note)}</li>" for note in notes)
        yield "</ul>"


def _definitions() -> Iterator[str]:
    yield "<h2>What is measured</h2>"
    yield '<dl class="words">'
    yield from (f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in WORDS.items())
    yield "</dl>"
