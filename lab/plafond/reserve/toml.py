# SPDX-License-Identifier: MIT
"""The table of a reservation in a description, and its name."""

import re
from collections.abc import Iterator, Sequence

from plafond.describe.server import Server, ServerKind
from plafond.describe.toml_text import quoted
from plafond.units import format_exactly

LONGEST_NAME = 32


def action_of(thread: str) -> str:
    """Return the action's name in the name of a thread: irq/N-ACTION."""
    return thread.partition("-")[2]


def irqs_of(threads: Sequence[str]) -> list[str]:
    """Return the name of each thread in a description: its action, if no other thread has that."""
    actions = [action_of(thread) for thread in threads]
    return [
        action if actions.count(action) == 1 else thread
        for thread, action in zip(threads, actions, strict=True)
    ]


def names_of(actions: Sequence[str]) -> list[str]:
    """Return a valid and unique table name for each action."""
    names: list[str] = []
    for action in actions:
        name = re.sub(r"[^A-Za-z0-9_]", "_", action)
        name = name if re.match(r"[A-Za-z]", name) else f"irq_{name}"
        names.append(_not_among(names, name[:LONGEST_NAME]))
    return names


def _not_among(names: Sequence[str], base: str) -> str:
    name, number = base, 2
    while name in names:
        end = f"_{number}"
        name, number = base[: LONGEST_NAME - len(end)] + end, number + 1
    return name


def table_lines(reservation: Server) -> Iterator[str]:
    """Yield the lines of the table of a reservation, which must be of an interrupt's thread."""
    assert reservation.irq is not None
    yield f"[server.{reservation.name}]"
    yield f"kind = {quoted(ServerKind.RESERVATION)}"
    yield f"period = {quoted(format_exactly(reservation.period_ns))}"
    yield f"budget = {quoted(format_exactly(reservation.budget_ns))}"
    yield f"irq = {quoted(reservation.irq)}"
