# SPDX-License-Identifier: MIT
"""Arrivals at every instruction boundary, and at every pair of them.

From a state the CPU's thread goes on instruction by instruction; before each, any thread that
still sleeps may wake. That is every boundary of the holder for the first arrival and, for each of
these, every boundary of whoever runs for the second, in both orders. Only a state that was seen
before, down to the last register and byte, is not run again: what follows is the same.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass

from proof.aarch64.image import Image
from proof.aarch64.scenarios import PLAIN, STRENGTHS, Scenario
from proof.aarch64.system import State, System
from proof.engine.emulator import FaultError
from proof.engine.explore import Exploration, Moments, ViolationError

CHAIN_LIMIT = 100_000  # instructions from one arrival to the end of everything
TRACE_LINES = 60


@dataclass(frozen=True, slots=True)
class Result:
    """What one scenario in one strength came to."""

    scenario: str
    strength: str
    boundaries: int  # of the holder alone
    pairs: int  # boundary of the first arrival, boundary of the second
    states: int  # that were different
    violation: str | None
    trace: tuple[str, ...] = ()


class Sweep:
    """One scenario in one strength."""

    def __init__(self, image: Image, scenario: Scenario, strength: str) -> None:
        """Prepare its threads."""
        self._scenario = scenario
        self._strength = strength
        self._system = System(
            image,
            list(scenario.programs),
            list(scenario.ceilings),
            STRENGTHS.index(strength),
            timing=scenario.timing,
        )
        self._walk = Exploration(Moments(self._system), CHAIN_LIMIT)

    def run(self) -> Result:
        """Sweep to the end or to the first violation."""
        violation: str | None = None
        trace: tuple[str, ...] = ()
        try:
            self._walk.run(*self._prepared_root())
        except (ViolationError, FaultError) as error:
            violation = str(error)
            trace = self._trace()
        return Result(
            self._scenario.name,
            self._strength,
            self._walk.boundaries,
            self._walk.pairs,
            self._walk.states,
            violation,
            trace,
        )

    def _prepared_root(self) -> State:
        if not self._scenario.fresh:
            for who in reversed(range(len(self._scenario.programs))):
                if self._scenario.programs[who].function in PLAIN:
                    self._system.warm_up(who)
        return self._system.wake(self._system.initial, 0)

    # ---- The trace of a violation -----------------------------------------------------------

    def _trace(self) -> tuple[str, ...]:
        """Go the same way again and tell it."""
        system = self._system
        lines: list[str] = []
        log: list[str] = []
        system.log = log
        state: State | None = system.wake(system.initial, 0)
        last = system.initial
        try:
            for place, who in self._walk.way:
                for _ in range(place):
                    assert state is not None
                    state = system.step(state, 1)
                    lines += log
                    log.clear()
                assert state is not None
                lines.append(f"boundary {place}: {system.describe(state)}; thread {who} wakes")
                state = system.wake(state, who)
            for _ in range(CHAIN_LIMIT):
                if state is None:
                    break
                last = state
                state = system.step(state, 1)
                lines += log
                log.clear()
        except (ViolationError, FaultError) as error:
            lines += log
            lines.append(f"there {system.describe(last)}")
            lines.append(f"BROKEN: {error}")
        else:
            lines.append("and so on: it never ends" if state is not None else "at the end")
        if len(lines) > TRACE_LINES:
            lines = [*lines[: TRACE_LINES // 2], "...", *lines[-TRACE_LINES // 2 :]]
        return tuple(lines)


def sweep(image: Image, scenario: Scenario, strength: str) -> Result:
    """Return what one scenario in one strength comes to."""
    # Millions of states live to the end, and none of them in a cycle: do not look for any.
    gc.disable()
    return Sweep(image, scenario, strength).run()
