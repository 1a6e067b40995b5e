# SPDX-License-Identifier: MIT
"""What the sweeps of compiled code have in common: arrivals at every boundary, and at every pair.

A state is a *moment* (who runs: its own state, what all share, the schedule and the notes) and a
*place* (the own states of all others). What a moment leads to does not depend on its place, as long
as the same one runs; so moments and places are numbered, and what follows a moment is kept by its
number.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T", bound=Hashable)

Moment = tuple[int, int, int]  # numbers: the own state of who runs (NOBODY), the shared, the rest
Node = tuple[int, int]  # numbers of a place and a moment
Way = tuple[tuple[int, int], ...]  # (boundaries after the last arrival, who arrives)
_Trail = tuple["_Trail", int, int] | None  # the same while it grows: the way before, then one more

NOBODY = -1
_UNKNOWN, _REST, _SWITCH = -1, -2, -3  # instead of the number of the moment that follows


class ViolationError(Exception):
    """A rule is broken."""


class Interned(Generic[T]):
    """Values and their numbers."""

    def __init__(self) -> None:
        """Start with none."""
        self.values: list[T] = []
        self._number: dict[T, int] = {}

    def number(self, value: T) -> int:
        """Return the value's number, a new one if it has none."""
        known = self._number.get(value)
        if known is None:
            known = self._number[value] = len(self.values)
            self.values.append(value)
        return known


class Steps(Protocol):
    """A system whose moments can be stepped and judged."""

    leap: int  # the limit of a step from mark to mark

    def running_in(self, system: int) -> int | None:
        """Who has the CPU; `system`: the last number of a moment."""

    def asleep_in(self, system: int) -> tuple[int, ...]:
        """Who can arrive."""

    def is_open(self, system: int) -> bool:
        """Whether anybody can arrive, now or after sleeping in a section."""

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """Run who runs for up to `limit` instructions or to one mark; of it, what it becomes."""

    def arrive(self, running: int | None, moment: Moment, who: int) -> Moment:
        """An interrupt wakes `who`; of whoever ran, what it becomes."""

    def judge_rest(self, shared: int, system: int) -> None:
        """Nobody runs and nobody is left to arrive."""


class _Moves:
    """What follows each moment after steps of one length, if the same one goes on."""

    def __init__(self) -> None:
        self.next: list[int] = []  # the moment's number, or why there is none
        self.switches: dict[int, Moment] = {}  # of who ran, what it becomes


class Moments:
    """All that were met, and what is known of each: explorations learn from each other."""

    def __init__(self, system: Steps) -> None:
        """Start with none."""
        self.system = system
        self._number: dict[Moment, int] = {}
        self.values: list[Moment] = []
        self.running: list[int | None] = []
        self.asleep: list[tuple[int, ...]] = []
        self.is_open: list[bool] = []
        self.steps, self.leaps = _Moves(), _Moves()
        self.arrivals: list[list[int]] = []  # in the order of `asleep`, as far as they are known
        self.preemptions: dict[tuple[int, int], Moment] = {}

    def number(self, moment: Moment) -> int:
        """Its number, a new one if it has none."""
        known = self._number.get(moment)
        if known is not None:
            return known
        number = self._number[moment] = len(self.values)
        system = moment[2]
        self.values.append(moment)
        self.running.append(self.system.running_in(system))
        self.asleep.append(self.system.asleep_in(system))
        self.is_open.append(self.system.is_open(system))
        self.steps.next.append(_UNKNOWN)
        self.leaps.next.append(_UNKNOWN)
        self.arrivals.append([])
        return number

    def move(self, moves: _Moves, number: int, limit: int) -> int:
        """Find what follows a moment, and keep it."""
        running = self.running[number]
        if running is None:
            following = _REST
        else:
            after = self.system.go(running, self.values[number], limit)
            following = self._follower(running, after)
            if following == _SWITCH:
                moves.switches[number] = after
        moves.next[number] = following
        return following

    def arrive(self, number: int, who: int) -> int:
        """Find what an arrival leads to, and keep it."""
        running = self.running[number]
        after = self.system.arrive(running, self.values[number], who)
        following = self._follower(running, after)
        if following == _SWITCH:
            self.preemptions[number, who] = after
        self.arrivals[number].append(following)
        return following

    def _follower(self, running: int | None, after: Moment) -> int:
        is_same = running is not None and self.system.running_in(after[2]) == running
        return self.number(after) if is_same else _SWITCH


class Exploration:
    """From one state: arrivals at every boundary, and at every boundary after each.

    Only a state that was met before, down to the last register and byte, is not run again: what
    follows is the same.
    """

    def __init__(self, moments: Moments, longest: int, arrivals: int | None = None) -> None:
        """`longest`: more instructions than from one arrival to the end of everything.

        `arrivals`: at most so many at chosen boundaries (None: any number).
        """
        self._system = moments.system
        self._longest = longest
        self._most = arrivals
        self._moments = moments
        self._places: Interned[tuple[int, ...]] = Interned()
        self._lengths: list[dict[int, int]] = []  # of each place: of moments, boundaries to the end
        self._finished: list[set[int]] = []  # of each place: moments after which nobody arrives
        self._trail: _Trail = None
        self.boundaries = self.pairs = 0

    @property
    def states(self) -> int:
        """Different ones."""
        return sum(map(len, self._lengths)) + sum(map(len, self._finished))

    @property
    def way(self) -> Way:
        """To where it is."""
        way: list[tuple[int, int]] = []
        trail = self._trail
        while trail is not None:
            trail, *last = trail
            way.append((last[0], last[1]))
        return tuple(reversed(way))

    def run(self, actors: tuple[int, ...], shared: int, system: int) -> None:
        """Explore to the end; raises at the first violation."""
        root = self._node(list(actors), shared, system)
        firsts: list[Node] = []
        work: list[tuple[Node, _Trail, int]] = [(root, None, 0)]
        while work:
            node, self._trail, arrivals = work.pop()
            before = self._trail
            for boundary, passed in enumerate(self._follow(node)):
                for index, who in enumerate(self._moments.asleep[passed[1]]):
                    self._trail = (before, boundary, who)
                    woken = self._woken(passed, index, who)
                    if arrivals == 0:
                        firsts.append(woken)
                    if not self._goes_on(woken[1], arrivals + 1):
                        if woken[1] not in self._finished[woken[0]]:
                            self._finish(woken)
                    elif woken[1] not in self._lengths[woken[0]]:
                        work.append((woken, self._trail, arrivals + 1))
        self.boundaries = self._length(root)
        self.pairs = sum(map(self._length, firsts))

    def _length(self, node: Node) -> int:
        return self._lengths[node[0]].get(node[1], 0)

    def _goes_on(self, moment: int, arrivals: int) -> bool:
        return (self._most is None or arrivals < self._most) and self._moments.is_open[moment]

    def _node(self, actors: list[int], shared: int, system: int) -> Node:
        """The state as numbers: who runs is taken out of its place."""
        running = self._system.running_in(system)
        own = NOBODY
        if running is not None:
            own, actors[running] = actors[running], NOBODY
        place = self._places.number(tuple(actors))
        if place == len(self._lengths):
            self._lengths.append({})
            self._finished.append(set())
        return place, self._moments.number((own, shared, system))

    def _switched(self, node: Node, after: Moment) -> Node:
        """Who ran goes to its place as that, and another takes over, or nobody."""
        place, moment = node
        own, shared, system = after
        actors = list(self._places.values[place])
        running = self._moments.running[moment]
        if running is not None:
            actors[running] = own
        return self._node(actors, shared, system)

    def _woken(self, node: Node, index: int, who: int) -> Node:
        place, moment = node
        known = self._moments.arrivals[moment]
        following = known[index] if index < len(known) else self._moments.arrive(moment, who)
        if following >= 0:
            return place, following
        return self._switched(node, self._moments.preemptions[moment, who])

    def _follow(self, node: Node) -> list[Node]:
        """Go on, an instruction at a time, until all is quiet or known; the states that are new."""
        moments = self._moments
        moves = moments.steps
        place, moment = node
        lengths = self._lengths[place]
        new: list[Node] = []
        while (rest := lengths.get(moment)) is None:
            lengths[moment] = 0  # on this very way
            new.append((place, moment))
            if len(new) > self._longest:
                break
            following = moves.next[moment]
            if following == _UNKNOWN:
                following = moments.move(moves, moment, 1)
            if following >= 0:
                moment = following
            elif following == _SWITCH:
                place, moment = self._switched((place, moment), moves.switches[moment])
                lengths = self._lengths[place]
            else:
                self._judge_rest(moment)
                return self._measured(new, 0)
        if not rest:
            raise ViolationError("livelock: they run in circles")
        return self._measured(new, rest)

    def _measured(self, new: list[Node], rest: int) -> list[Node]:
        """A way whose end is so many boundaries from the end of everything."""
        for distance, (place, moment) in enumerate(reversed(new), rest + 1):
            self._lengths[place][moment] = distance
        return new

    def _judge_rest(self, moment: int) -> None:
        if not self._moments.asleep[moment]:
            self._system.judge_rest(*self._moments.values[moment][1:])

    def _finish(self, node: Node) -> None:
        """No more arrivals of our choice: run to the end, a mark at a time."""
        moments = self._moments
        moves = moments.leaps
        here: set[Node] = set()
        while node[1] not in self._finished[node[0]]:
            if node in here:
                raise ViolationError("the actors run in circles")
            here.add(node)
            following = moves.next[node[1]]
            if following == _UNKNOWN:
                following = moments.move(moves, node[1], self._system.leap)
            if following >= 0:
                node = node[0], following
            elif following == _SWITCH:
                node = self._switched(node, moves.switches[node[1]])
            elif moments.asleep[node[1]]:
                node = self._woken(node, 0, moments.asleep[node[1]][0])
            else:
                self._judge_rest(node[1])
                break
        for place, moment in here:
            self._finished[place].add(moment)
