# SPDX-License-Identifier: MIT
"""The tables of resources that servers share; the terminal and the page show the same."""

from collections.abc import Iterable, Iterator, Sequence

from plafond.columns import Column
from plafond.describe.server import Sharing
from plafond.report.alike import in_one_line
from plafond.rows import Table, columns_of
from plafond.run.model import Execution
from plafond.trace.sharing import KeptOut, SharingMeasures, Times

SHARING_CAPTION = (
    "Overruns: how often a budget ended inside a section, and the processor time that the server "
    "used beyond it. Paybacks: how often the next budget was less by that. Skips: how often a task "
    "did not enter a section, for too little of its server's budget was left, and how long it "
    "waited for the next one at most."
)
KEPT_OUT_CAPTION = (
    "How often a server would have had the processor, but for a section of another one, and the "
    "processor time that this took."
)
NEVER = KeptOut(holder="-", count=0, longest_ns=0, total_ns=0)


def sharing_tables(execution: Execution) -> Iterator[Table]:
    """Yield the tables: a line for each server and protocol, or for each server if all agree."""
    servers = dict.fromkeys(row.server for row in execution.report.sharing)
    rows = [row for name in servers for row in execution.report.sharing if row.server == name]
    for title, columns, caption in (
        ("Resources of several servers", _of_policies(rows), SHARING_CAPTION),
        ("Servers kept out by sections of others", _of_holders(rows), KEPT_OUT_CAPTION),
    ):
        yield Table(title, in_one_line(list(columns), len(execution.traces)), caption)


def _of_policies(rows: Iterable[SharingMeasures]) -> Iterator[Column]:
    """Yield the columns; a cell is `-` if the policy has no such event."""
    own = [(row, row.sharing) for row in rows if row.sharing]
    yield from columns_of(SharingMeasures, [row for row, _ in own])
    overruns = [row.overruns if sharing.overruns else None for row, sharing in own]
    yield from _times("overruns", overruns)
    pays_back = Sharing.OVERRUN_PAYBACK
    paybacks = [row.paybacks if sharing is pays_back else None for row, sharing in own]
    yield from _times("paybacks", paybacks, without=["longest_ns"])
    skips = [None if sharing.overruns else row.skips for row, sharing in own]
    yield from _times("skips", skips, "longest wait", without=["total_ns"])


def _times(
    heading: str,
    times: Sequence[Times | None],
    longest: str = "longest",
    without: Sequence[str] = (),
) -> list[Column]:
    change = {"count": {"heading": heading}, "longest_ns": {"heading": longest}}
    return columns_of(Times, times, without=without, change=change)


def _of_holders(rows: Iterable[SharingMeasures]) -> Iterator[Column]:
    lines = [(row, holder) for row in rows for holder in row.kept_out or [NEVER]]
    yield from columns_of(SharingMeasures, [row for row, _ in lines], without=["sharing"])
    yield from columns_of(KeptOut, [holder for _, holder in lines])
