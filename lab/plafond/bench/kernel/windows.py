# SPDX-License-Identifier: MIT
"""The steps of all cores between two readings of the counter, while a procedure is measured."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plafond.bench.kernel.log import Executed, Step, procedures_of
from plafond.bench.kernel.places import Places
from plafond.errors import PlafondError


@dataclass(frozen=True)
class Window:
    """The steps from the first reading up to the last reading, which is excluded."""

    steps: tuple[Step, ...]
    ends_on: int  # the core of the last reading
    waiting: frozenset[int]  # cores that waited for an interrupt at the start

    @property
    def begins_on(self) -> int:
        """Return the core of the first reading."""
        return self.steps[0].core

    @property
    def own_steps(self) -> list[Step]:
        """Return the steps of that core."""
        return [step for step in self.steps if step.core == self.begins_on]

    @property
    def instructions(self) -> int:
        """Return the instructions of all cores, which equal the counter's difference."""
        return instructions(self.steps)


def instructions(steps: Iterable[Step]) -> int:
    """Return the number of executed instructions."""
    return sum(isinstance(step, Executed) for step in steps)


def windows_of(log: Iterable[str], places: Places) -> Iterator[Window]:
    """Yield the windows of a log of all instructions."""
    for procedure in procedures_of(log):
        waiting = [core for core, at in procedure.begun_at.items() if at in places.waits]
        steps = _between_readings(procedure.steps, places)
        yield Window(steps, procedure.ends_on, frozenset(waiting))


def _between_readings(steps: list[Step], places: Places) -> tuple[Step, ...]:
    read = [
        index
        for index, step in enumerate(steps)
        if isinstance(step, Executed) and step.address in places.readings
    ]
    if len(read) < 2:
        raise PlafondError(f"the log has {len(read)} readings of the counter in a procedure, not 2")
    return tuple(steps[read[0] : read[-1]])
