# SPDX-License-Identifier: MIT
"""The moves of a system of actors: the running actor goes on, or another actor arrives.

The machine does not know which actors are ready, nor the notes. They are the system's own part of a
state. A subclass defines this part, an arrival, and each mark of the code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from proof.engine.emulator import Emulator, Step
from proof.engine.explore import NONE, Interned, Moment, ViolationError

F = TypeVar("F", bound=Hashable)
M = TypeVar("M", bound=Emulator)

NO_MARK_LIMIT = 20_000  # instructions between two marks; the longest way has hundreds


class State(NamedTuple):
    """A whole state: numbers of the actors' states, the shared memory and the system's part."""

    actors: tuple[int, ...]
    shared: int
    system: int


class Moves(ABC, Generic[F, M]):
    """All actors of one scenario, from their preparation to the end of their scripts."""

    leap = NO_MARK_LIMIT
    initial: State  # the first actor has arrived

    def __init__(self, machine: M, names: tuple[str, ...], arrivals: tuple[str, ...]) -> None:
        """`arrivals`: a description of each possible arrival."""
        self.machine = machine
        self.names = names
        self.arrivals = arrivals
        self.report: Callable[[str], None] | None = None
        self._systems: Interned[F] = Interned()
        self._running_of: list[int | None] = []
        self._asleep_of: list[tuple[int, ...]] = []
        self._is_open_of: list[bool] = []

    # ---- The system's part of a state ------------------------------------------------

    @abstractmethod
    def _frozen(self) -> F:
        """The system's part, as a value."""

    @abstractmethod
    def _adopt(self, frozen: F) -> None:
        """Restore the system's part."""

    @abstractmethod
    def _runs_now(self) -> int | None:
        """The actor that has the CPU now."""

    @abstractmethod
    def _can_arrive(self) -> tuple[int, ...]:
        """The actors that can arrive now."""

    def _can_sleep_yet(self) -> bool:
        """Whether an actor may be able to arrive later, although no actor can now."""
        return False

    def _freeze(self) -> int:
        number = self._systems.number(self._frozen())
        if number == len(self._running_of):
            asleep = self._can_arrive()
            self._running_of.append(self._runs_now())
            self._asleep_of.append(asleep)
            self._is_open_of.append(bool(asleep) or self._can_sleep_yet())
        return number

    def _thaw(self, number: int) -> None:
        self._adopt(self._systems.values[number])

    def running_in(self, system: int) -> int | None:
        """The actor that has the CPU."""
        return self._running_of[system]

    def asleep_in(self, system: int) -> tuple[int, ...]:
        """The actors that can arrive."""
        return self._asleep_of[system]

    def is_open(self, system: int) -> bool:
        """Whether any actor can arrive, now or later."""
        return self._is_open_of[system]

    def running(self, state: State) -> int | None:
        """The actor that has the CPU."""
        return self._running_of[state.system]

    def asleep(self, state: State) -> tuple[int, ...]:
        """The actors that can arrive."""
        return self._asleep_of[state.system]

    def _say(self, text: str) -> None:
        if self.report is not None:
            self.report(text)

    # ---- Moves ---------------------------------------------------------------------

    @abstractmethod
    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        """An actor arrives, in the system that was thawed."""

    @abstractmethod
    def _at_mark(self, index: int, ran: Step, mark: int) -> Moment:
        """The code reports a mark, in the system that was thawed."""

    def _judge_step(self, index: int, before: int, after: int) -> None:
        """Judge the change of the shared memory."""

    @abstractmethod
    def judge_rest(self, shared: int, system: int) -> None:
        """No actor runs, and no actor can arrive any more."""

    def wake(self, state: State, index: int) -> State:
        """An actor arrives."""
        running = self._running_of[state.system]
        actor = NONE if running is None else state.actors[running]
        moment = (actor, state.shared, state.system)
        return self._moved(state, running, self.arrive(running, moment, index))

    def step(self, state: State, limit: int) -> State | None:
        """Run the running actor up to `limit` instructions or to a mark; None: no actor runs."""
        running = self._running_of[state.system]
        if running is None:
            return None
        moment = (state.actors[running], state.shared, state.system)
        return self._moved(state, running, self.go(running, moment, limit))

    def _moved(self, state: State, running: int | None, to: Moment) -> State:
        actors = state.actors
        if running is not None and actors[running] != to[0]:
            actors = (*actors[:running], to[0], *actors[running + 1 :])
        return State(actors, to[1], to[2])

    def arrive(self, running: int | None, moment: Moment, index: int) -> Moment:
        """An actor arrives; return the moment after the interrupted actor."""
        actor, shared, system = moment
        if running is not None:
            actor = self.machine.interrupted(actor)
        return self._arrive_in(system, running, actor, shared, index)

    def _arrive_in(
        self, system: int, running: int | None, actor: int, shared: int, index: int
    ) -> Moment:
        """An actor arrives."""
        self._thaw(system)
        return self._arrive(running, actor, shared, index)

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """Run for up to `limit` instructions or to a mark; return the moment after `running`."""
        actor, shared, system = moment
        ran = self.machine.run(actor, shared, limit)
        if ran.shared != shared:
            self._judge_step(running, shared, ran.shared)
        if ran.mark is None:
            if limit >= NO_MARK_LIMIT:
                raise ViolationError(f"{self.names[running]} runs in circles")
            return ran.actor, ran.shared, system
        return self._at_mark_in(system, running, ran, ran.mark)

    def _at_mark_in(self, system: int, index: int, ran: Step, mark: int) -> Moment:
        """The code reports a mark."""
        self._thaw(system)
        return self._at_mark(index, ran, mark)

    def describe(self, state: State) -> str:
        """The running actor, and the instruction that it is about to execute."""
        running = self.running(state)
        if running is None:
            return "no actor runs"
        instruction = self.machine.describe(state.actors[running])
        return f"{self.names[running]} is about to execute {instruction}"
