# SPDX-License-Identifier: MIT
"""What a thread does in one activation, as a body: its sections, and the rest of its run.

Each mutex is held once, for as long as it ever was, inside of one that was seen around it as long
as that one's hold has room for it. Every other pair that was seen, one inside of the other, is
shown by an empty section: it counts for which task can lift which, and takes no time twice.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plafond.describe.body import Lock, Run, Step, Unlock

DEEPEST = 32  # as deep as the drop-in follows one thread


@dataclass(frozen=True)
class Sections:
    """The mutexes of one thread."""

    holds: Mapping[str, int]  # by mutex, in nanoseconds
    inside: Mapping[str, frozenset[str]]  # by mutex: those that were held when it was locked
    # By mutex, those whose section is inside of its own.
    _inner: dict[str, list[str]] = field(default_factory=dict, init=False)
    _outer: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Find a place for each, those first that are held longest, and outermost."""
        room = dict(self.holds)
        for name in self._in_order():
            outer = next(
                (o for o in self._in_order(self._outers(name)) if room[o] >= self.holds[name]), None
            )
            # If A has a section inside of B, and B inside of A, that is no tree.
            if outer and name not in self._inner and self._depth(outer) < DEEPEST:
                room[outer] -= self.holds[name]
                self._inner.setdefault(outer, []).append(name)
                self._outer[name] = outer

    def steps(self, run_ns: int, without: frozenset[str] = frozenset()) -> tuple[Step, ...]:
        """Return a body that runs for so long at least; `without`: as runs, not as sections."""
        sections: list[Step] = []
        for name in self._in_order():
            if name not in self._outer:
                sections += self._section(name, without)
        sections += self._other_pairs(without)
        rest_ns = run_ns - sum(step.duration_ns for step in sections if isinstance(step, Run))
        return tuple(_joined([Run(max(rest_ns, 0)), *sections]))

    def _in_order(self, names: Iterable[str] | None = None) -> list[str]:
        return sorted(
            self.holds if names is None else names,
            key=lambda name: (-self.holds[name], len(self.inside.get(name, ())), name),
        )

    def _outers(self, name: str, without: frozenset[str] = frozenset()) -> frozenset[str]:
        """Those around it, less those that are around one of these in turn."""
        seen = self.inside.get(name, frozenset()).intersection(self.holds) - without - {name}
        around = {outer: self.inside.get(outer, frozenset()) for outer in seen}
        return frozenset(
            outer
            for outer in seen
            if not any(outer in around[o] and o not in around[outer] for o in seen)
        )

    def _depth(self, name: str) -> int:
        depth = 1
        while name in self._outer:
            name = self._outer[name]
            depth += 1
        return depth

    def _section(self, name: str, without: frozenset[str]) -> Iterator[Step]:
        inner = self._inner.get(name, [])
        if name not in without:
            yield Lock(name)
        yield Run(self.holds[name] - sum(self.holds[each] for each in inner))
        for each in inner:
            yield from self._section(each, without)
        if name not in without:
            yield Unlock(name)

    def _other_pairs(self, without: frozenset[str]) -> Iterator[Step]:
        for name in self._in_order(self.holds.keys() - without):
            for outer in self._in_order(self._outers(name, without)):
                if name not in self._inner.get(outer, ()):
                    yield from (Lock(outer), Lock(name), Unlock(name), Unlock(outer))


def _joined(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps, runs that follow each other as one, and none that takes no time."""
    run_ns = 0
    for step in steps:
        if isinstance(step, Run):
            run_ns += step.duration_ns
            continue
        if run_ns:
            yield Run(run_ns)
        run_ns = 0
        yield step
    if run_ns:
        yield Run(run_ns)
