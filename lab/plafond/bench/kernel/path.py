# SPDX-License-Identifier: MIT
"""Which instructions of several cores lie on the way from a procedure's begin to its end."""

from plafond.bench.kernel.log import IRQ, Executed, Signalled, Step, Taken
from plafond.bench.kernel.places import Places
from plafond.bench.kernel.windows import Window
from plafond.errors import PlafondError


def path_of(window: Window, places: Places) -> list[list[Step]]:
    """Return the legs of the path: what each core did while the way led over it.

    It does until an instruction of the core has the interrupt controller signal another one. What
    follows on the core is beside the path, however long: the return from the call, and waiting. On
    the other core the path goes on with its next step. That must be the interrupt which it takes;
    or the first instruction after one that waited for it with interrupts masked, as an idle core
    does. All else would be work that was in the way.
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
        self._has_come = True  # to the core: it does the next step

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
