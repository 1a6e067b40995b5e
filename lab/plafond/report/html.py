# SPDX-License-Identifier: MIT
"""The report as a single HTML file with pictures, script and data; it needs no network."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from plafond.report.alarm import alarm_lines
from plafond.report.alike import merged
from plafond.report.bands import tracks_of
from plafond.report.cells import count_table, time_groups, time_tables
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.report.drawing import themed
from plafond.report.files import DATA, GANTT, perfetto_file, recording_file, trace_file
from plafond.report.gantt import Gantt
from plafond.report.gantt_words import about, caption
from plafond.report.headline import headline
from plafond.report.histograms import Measure, clip_words, make_histogram
from plafond.report.page_data import legend, page_data, timeline_end_ns
from plafond.report.page_words import MEASURES, PARTS, SUMMARY_CAPTION, WORDS
from plafond.report.sharing import sharing_tables
from plafond.report.summary import summary_table
from plafond.report.tail import make_tail
from plafond.report.thread_pictures import thread_spreads
from plafond.report.threads import left_out, thread_tables
from plafond.rows import Table
from plafond.run.model import Execution
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration

TEMPLATES = Path(__file__).parent / "templates"
# In the order in which they are read: each may use the names of those before it.
SCRIPTS = tuple(
    f"{name}.js"
    for name in ("numbers", "runs", "place", "zoom", "timeline", "cursor", "histograms", "page")
)
TAIL_COLUMNS = 12  # most columns of a tail


def make_page(execution: Execution, gantt: Gantt, picture: str) -> str:
    """Return the page; `picture` shows `gantt` as an `<svg>` element."""
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
        shown=execution.shown_task.name,
        conditions=condition_rows(execution),
        words=WORDS,
        parts=PARTS,
        scripts=SCRIPTS,
        **_outcome(execution),
        **_pictures(execution, gantt, picture),
        **_tables(execution),
        **_threads(execution),
        **_files(execution),
    )


def _threads(execution: Execution) -> Mapping[str, Any]:
    """Return the values from a recording of the scheduler; empty without a recording."""
    return {
        "thread_tables": list(thread_tables(execution)),
        "threads_left_out": left_out(execution),
        "thread_spreads": list(thread_spreads(execution)),
        "recording_files": {protocol: recording_file(protocol) for protocol in execution.recorded},
    }


def _outcome(execution: Execution) -> Mapping[str, Any]:
    return {
        "headline": headline(execution),
        "alarms": [*cut_lines(execution), *alarm_lines(execution)],
        "summary": summary_table(execution),
        "summary_caption": SUMMARY_CAPTION,
    }


def _pictures(execution: Execution, gantt: Gantt, picture: str) -> Mapping[str, Any]:
    end_ns = timeline_end_ns(execution)
    tracks = tracks_of(execution.system)
    return {
        "gantt": themed(picture),
        "gantt_title": about(gantt, execution.shown_task.name),
        "gantt_caption": caption(gantt),
        "tasks": [(tracks.index(task), task.name) for task in execution.system.tasks],
        "has_servers": bool(execution.system.payers),
        "has_sharing": bool(execution.system.resources_of_servers),
        "legend": legend(execution, gantt),
        "timeline_end": None if end_ns is None else format_duration(end_ns),
        "measures": list(_measures(execution)),
        "data": page_data(execution, gantt),
    }


def _measures(execution: Execution) -> Iterator[Mapping[str, str]]:
    for measure in Measure:
        title, words = MEASURES[measure]
        clip = clip_words(make_histogram(execution, measure))
        yield {"name": measure, "title": title, "caption": words, "clip": clip}


def _tables(execution: Execution) -> Mapping[str, Any]:
    tables = time_tables(execution)
    return {
        "time_tables": [_merged(table, execution) for table in tables],
        "time_groups": time_groups(tables[0].columns),
        "counts": count_table(execution),
        "sharing": [table for table in sharing_tables(execution) if table.lines],
        "tails": list(_tails(execution)),
        "bad": _is_bad,
    }


def _tails(execution: Execution) -> Iterator[Table]:
    for measure in (Measure.LATENCY, Measure.RESPONSE):
        yield _merged(make_tail(execution, measure, TAIL_COLUMNS).table, execution)


def _merged(table: Table, execution: Execution) -> Table:
    """Return the table with a single line for all protocols that agree."""
    return replace(table, columns=merged(table.columns, len(execution.traces)))


def _is_bad(column: str, cell: str) -> bool:
    """Whether a cell reports a miss or an alarm."""
    match column:
        case "verdict":
            return cell == Verdict.EXCEEDED
        case "missed":
            return cell != "-" and not cell.startswith("0 ")
        case "deadline misses":
            return cell != "0"
    return False


def _files(execution: Execution) -> Mapping[str, Any]:
    return {
        "report_file": DATA,
        "gantt_file": GANTT,
        "trace_files": {
            protocol: (trace_file(protocol), perfetto_file(protocol))
            for protocol in execution.traces
        },
    }
