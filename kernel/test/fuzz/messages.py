# SPDX-License-Identifier: MIT
"""Drawn messages: their receivers and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from .schedule_tables import Signal

if TYPE_CHECKING:
    from .system import System

SENT = ["X0", "X1"]
RECEIVED = ["Y0", "Y1", "Y2", "Y3", "Y4"]


@dataclass(frozen=True)
class Receiver:
    """A receiver of a sent message. Its number comes after the numbers of sent messages."""

    message: int
    queue: int  # 0: only the last message is kept
    initial: int
    signal: Signal | None  # the notification of a message


def draw_receivers(random: Random, system: System) -> tuple[Receiver, ...]:
    """Return some receivers of each message, with and without a queue."""
    extended = [number for number, task in enumerate(system.tasks) if task.is_extended]
    return tuple(_draw_receiver(random, number, extended) for number in range(len(RECEIVED)))


def _draw_receiver(random: Random, number: int, extended: list[int]) -> Receiver:
    signals = [None, Signal(random.randrange(7))]
    if extended:
        signals.append(Signal(random.choice(extended), random.randrange(3)))
    queue = random.choice([0, 1, 2, 3])
    return Receiver(
        message=number % len(SENT),
        queue=queue,
        initial=0 if queue else random.randrange(100),
        signal=random.choice(signals),
    )


def message_lines(
    receivers: tuple[Receiver, ...], tasks: list[str], events: list[str]
) -> Iterator[str]:
    """Return the tables of messages in the language of descriptions."""
    yield "[message]"
    for name in SENT:
        yield f'{name} = {{ type = "uint32_t" }}'
    for name, receiver in zip(RECEIVED, receivers, strict=True):
        fields = [f'from = "{SENT[receiver.message]}"']
        if receiver.queue:
            fields.append(f"queue = {receiver.queue}")
        else:
            fields.append(f"initial = {receiver.initial}")
        if receiver.signal is not None:
            fields.append(f'action = "{receiver.signal.text(tasks, events)}"')
        yield f"{name} = {{ {', '.join(fields)} }}"
