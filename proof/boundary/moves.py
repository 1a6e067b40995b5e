# SPDX-License-Identifier: MIT
"""The moves of actors that run a driver with the marks of marks.h."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from enum import IntEnum
from typing import TypeVar

from proof.boundary.image import Image
from proof.boundary.machine import Machine, Step
from proof.engine import moves
from proof.engine.explore import Moment, ViolationError
from proof.engine.moves import State

__all__ = ["Mark", "Moves", "State"]
F = TypeVar("F", bound=Hashable)


class Mark(IntEnum):
    """The marks of marks.h."""

    LOOK = 0
    IN = 1
    CHANGED = 2
    TORN = 3
    OUT = 4
    LEFT = 5
    REFUSED = 6
    END = 7
    SUSPEND = 8
    WAIT = 9
    WAKE = 10
    LOWER = 11
    SET_PRIORITY = 12
    PREEMPT_OFF = 13
    PREEMPT_ON = 14
    COUNTED = 15
    DETOUR = 16


DATA_FIRST, DATA_COUNT, DATA_SECOND = 0, 32, 64  # offsets in struct guarded


class Moves(moves.Moves[F, Machine]):
    """All actors of a scenario, from their preparation to the end of their scripts."""

    def __init__(self, image: Image, names: tuple[str, ...], arrivals: tuple[str, ...]) -> None:
        """`arrivals`: a description of each possible arrival."""
        super().__init__(Machine(image, len(names)), names, arrivals)

    @abstractmethod
    def _on_mark(self, index: int, ran: Step, mark: Mark) -> Moment:
        """The code reports a mark, in the system that was thawed."""

    def _at_mark(self, index: int, ran: Step, mark: int) -> Moment:
        return self._on_mark(index, ran, Mark(mark))

    def _judge_data(self, shared: int, start: int, size: int, changes: list[int]) -> None:
        """Judge that no change of any lock's data was lost."""
        memory = self.machine.shared.values[shared]
        for lock, expected in enumerate(changes):
            first, count, second = (
                int.from_bytes(memory[at : at + 2], "little")
                for at in (start + lock * size + d for d in (DATA_FIRST, DATA_COUNT, DATA_SECOND))
            )
            if count != expected or first != second:
                raise ViolationError(
                    f"{count} of {expected} changes of R{lock + 1}'s data are left"
                )
