# SPDX-License-Identifier: MIT
"""The tables of resources that several servers share: the same in the terminal and on the page."""

from collections.abc import Callable, Iterator

from plafond.describe.server import Sharing
from plafond.report.alike import names_of
from plafond.run.model import Execution
from plafond.trace.sharing import SharingMeasures, Times
from plafond.units import format_duration

SHARING = "Resources of several servers"
SHARING_COLUMNS = (
    "server",
    "protocol",
    "policy",
    "overruns",
    "longest",
    "in all",
    "paybacks",
    "in all",
    "skips",
    "longest wait",
)
SHARING_CAPTION = (
    "Overruns: how often a budget ended inside a section, and the processor time that the server "
    "used beyond it. Paybacks: how often the next budget was less by that. Skips: how often a task "
    "did not enter a section, for too little of its server's budget was left, and how long it "
    "waited for the next one at most."
)
KEPT_OUT = "Servers kept out by sections of others"
KEPT_OUT_COLUMNS = ("server", "protocol", "kept out by", "times", "longest", "in all")
KEPT_OUT_CAPTION = (
    "How often a server would have had the processor, but for a section of another one, and the "
    "processor time that this took."
)
TEXT_COLUMNS = ("server", "protocol", "policy", "kept out by")

Cells = tuple[str, ...]


def sharing_lines(execution: Execution) -> list[Cells]:
    """Return a line for each server and protocol; one for all protocols, where all agree."""
    return list(_lines(execution, _of_policy))


def kept_out_lines(execution: Execution) -> list[Cells]:
    """Return a line for each server, protocol and holder, in the same way."""
    return list(_lines(execution, _of_holders))


def _lines(
    execution: Execution, cells_of: Callable[[SharingMeasures], list[Cells]]
) -> Iterator[Cells]:
    servers = dict.fromkeys(row.server for row in execution.report.sharing)
    for server in servers:
        rows = [row for row in execution.report.sharing if row.server == server]
        cells = {row.protocol: cells_of(row) for row in rows}
        if all(several == cells[rows[0].protocol] for several in cells.values()):
            cells = {names_of(list(cells), len(execution.traces)): cells[rows[0].protocol]}
        name = server
        for protocol, several in cells.items():
            for one in several:
                yield (name, protocol, *one)
                name = ""


def _of_policy(row: SharingMeasures) -> list[Cells]:
    """Return its cells, `-` for what its policy has not."""
    if row.sharing is None:
        return []
    pays_back = row.sharing is Sharing.OVERRUN_PAYBACK
    return [
        (
            row.sharing,
            *(_times(row.overruns) if row.sharing.overruns else ("-", "-", "-")),
            *(_times(row.paybacks)[::2] if pays_back else ("-", "-")),
            *(("-", "-") if row.sharing.overruns else _times(row.skips)[:2]),
        )
    ]


def _of_holders(row: SharingMeasures) -> list[Cells]:
    if not row.kept_out:
        return [("-", "0", "-", "-")]
    return [(each.holder, *_times(each)) for each in row.kept_out]


def _times(times: Times) -> Cells:
    if not times.count:
        return ("0", "-", "-")
    longest, total = map(format_duration, (times.longest_ns, times.total_ns))
    return (str(times.count), longest, total)
