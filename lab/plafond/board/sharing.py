# SPDX-License-Identifier: MIT
"""Check that servers with shared resources keep their policies in a trace."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plafond.board.console import KernelEvent, Recorded
from plafond.describe.server import Server, Sharing
from plafond.describe.system import System
from plafond.errors import PlafondError
from plafond.units import format_duration


def refuse_other_policies(recorded: Recorded, system: System) -> None:
    """Raise PlafondError if an event of a server or task contradicts the server's policy."""
    for server in system.servers:
        for event, does in _of_policies(system, recorded.servers[server.name]):
            if server.sharing not in does:
                raise _problem(f"server {server.name}", event, server, does)
    sharing = {server.name: server for server in system.servers}
    for task in system.tasks:
        for event in recorded.events[task.name]:
            server_of = sharing[task.server] if task.server else None
            if event.kind == "skip" and (not server_of or server_of.sharing is not Sharing.SKIP):
                raise _problem(f"task {task.name}", event, server_of, (Sharing.SKIP,))


def _of_policies(
    system: System, events: Sequence[KernelEvent]
) -> Iterator[tuple[KernelEvent, Sequence[Sharing | None]]]:
    """Yield the events that only some policies have, with these policies.

    None stands for a server without shared resources: other servers' sections keep it out, too.
    """
    for before, event in pairwise([KernelEvent(0, ""), *events]):
        match event.kind:
            case "overrun":
                yield event, [each for each in Sharing if each.overruns]
            case "payback":
                is_behind = before == KernelEvent(event.time_ns, "replenish")
                yield event, [Sharing.OVERRUN_PAYBACK] if is_behind else []
            case "keep-out":
                yield event, [*Sharing, *([None] if system.resources_of_servers else [])]


def _problem(
    name: str, event: KernelEvent, server: Server | None, does: Sequence[Sharing | None]
) -> PlafondError:
    policy = "none" if server is None or server.sharing is None else server.sharing
    expected = "only right behind a replenish"
    if does:
        expected = f"only under {', '.join(filter(None, does))}"
    return PlafondError(
        f"{name}: the trace has {event.kind!r} at {format_duration(event.time_ns)}, and the policy "
        f"of its server is {policy}; expected {expected}"
    )
