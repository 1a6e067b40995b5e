# SPDX-License-Identifier: MIT
"""Names of the files in a report's folder."""

PAGE = "report.html"
DATA = "report.json"
GANTT = "gantt.svg"


def trace_file(protocol: str) -> str:
    """Return the name of the trace of a protocol: every event, as JSON."""
    return f"{protocol}.trace.json"


def recording_file(protocol: str) -> str:
    """Return the name of the recording of the kernel's scheduler, as plafond-record wrote it."""
    return f"{protocol}.recording"


def perfetto_file(protocol: str) -> str:
    """Return the name of the protocol's trace for Perfetto."""
    return f"{protocol}.perfetto-trace"
