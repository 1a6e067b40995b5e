# SPDX-License-Identifier: MIT
"""Find the instructions of several cores on the path from a procedure's start to its end."""

from plafond.bench.kernel.log import IRQ, Executed, Signalled, Step, Taken
from plafond.bench.kernel.places import Places
from plafond.bench.kernel.windows import Window
from plafond.errors import PlafondError


def path_of(window: Window, places: Places) -> list[list[Step]]:
    """Return the legs of the path: the steps of each core while the path is on that core.

    A leg ends when an instruction of its core makes the interrupt controller signal another core.
    Later steps of the first core are not on the path: the return from the call, and waiting. The
    path continues with the next step of the other core. That step must be the interrupt, or the
    first instruction after the wait of an idle core, which waits with interrupts masked. Other work
    of that core would delay the path, so it is an error.
    """
    path = _Path(window, places)
    for step in window.steps:
        path.go(step)
    if path.core != window.ends_on:
        raise PlafondError(f"a path ends on core {path.core}, its procedure on {window.ends_on}")
    return path.legs


class _Path:
    def __init__(self, window: Window, places: Places) -> None:
        self.core = window.begins_on
        self.legs: list[list[Step]] = [[]]
        self._places = places
        self._waiting = set(window.waiting)
        self._executing = self.core
        self._has_come = True  # whether the core has begun its leg

    def go(self, step: Step) -> None:
        if isinstance(step, Signalled):
            self._signal(step.core)
            return
        if step.core == self.core:
            self._come(step)
            self.legs[-1].append(step)
        if isinstance(step, Executed):
            self._execute(step)

    def _signal(self, core: int) -> None:
        if self._executing == self.core != core:
            self.core, self._has_come = core, False
            self.legs.append([])

    def _come(self, step: Step) -> None:
        is_interrupted = isinstance(step, Taken) and step.kind == IRQ
        if not (self._has_come or is_interrupted or self.core in self._waiting):
            raise PlafondError(f"core {self.core} was busy when it was signalled")
        self._has_come = True

    def _execute(self, step: Executed) -> None:
        self._executing = step.core
        waits = step.address in self._places.waits
        (self._waiting.add if waits else self._waiting.discard)(step.core)
