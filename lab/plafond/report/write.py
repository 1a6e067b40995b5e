# SPDX-License-Identifier: MIT
"""Write the files of the report."""

from collections.abc import Iterator
from pathlib import Path

from plafond.errors import RefusedError
from plafond.report.files import DATA, GANTT, PAGE, perfetto_file, recording_file, trace_file
from plafond.report.gantt import make_gantt
from plafond.report.gantt_picture import draw_gantt
from plafond.report.html import make_page
from plafond.report.perfetto import perfetto_trace
from plafond.run.model import Execution
from plafond.writing import write_whole


def write_report(execution: Execution, folder: Path) -> Path:
    """Write the page, its data and picture, and the trace of each protocol; return the page.

    RefusedError names the file that cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in _files(execution):
            write_whole(folder / name, content)
    except OSError as error:
        reason = error.strerror or str(error)
        place = error.filename or folder
        raise RefusedError(f"the report cannot be written to {place}: {reason}") from None
    return folder / PAGE


def _files(execution: Execution) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents; the data come first, so that they exist even if a picture fails."""
    report = execution.report
    title = report.name + execution.times
    yield DATA, report.model_dump_json(indent=2).encode() + b"\n"
    for protocol, trace in execution.traces.items():
        yield trace_file(protocol), trace.model_dump_json().encode() + b"\n"
        recorded = execution.recorded.get(protocol)
        if recorded:
            yield recording_file(protocol), recorded.content
        history = recorded.history if recorded else None
        yield perfetto_file(protocol), perfetto_trace(trace, title, execution.system, history)
    gantt = make_gantt(execution)
    picture = draw_gantt(gantt)
    yield GANTT, picture.encode()
    yield PAGE, make_page(execution, gantt, picture).encode()
