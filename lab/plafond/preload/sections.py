# SPDX-License-Identifier: MIT
"""The body of a thread for an activation: its sections, and the rest of its run.

Each mutex is held once, for as long as its longest hold. Its section is inside the section of a
mutex that was seen around it, if that section has room for it. Every other pair that was seen, a
mutex inside another, is an empty section. It shows which task can lift which, and adds no time.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plafond.describe.body import Lock, Run, Step, Unlock

DEEPEST = 32  # as deep as the drop-in follows one thread


@dataclass(frozen=True)
class Sections:
    """The mutexes of a thread."""

    holds: Mapping[str, int]  # by mutex, in ns
    inside: Mapping[str, frozenset[str]]  # by mutex: the mutexes held when it was locked
    # By mutex, the mutexes whose sections are directly inside its section.
    _inner: dict[str, list[str]] = field(default_factory=dict, init=False)
    _outer: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Find a place for each section: the longest first, and then the outermost."""
        room = dict(self.holds)
        for name in self._in_order():
            outer = next(
                (o for o in self._in_order(self._outers(name)) if room[o] >= self.holds[name]), None
            )
            # A mutex with inner sections is not moved, because A in B and B in A is no tree.
            if outer and name not in self._inner and self._depth(outer) < DEEPEST:
                room[outer] -= self.holds[name]
                self._inner.setdefault(outer, []).append(name)
                self._outer[name] = outer

    def steps(self, run_ns: int, without: frozenset[str] = frozenset()) -> tuple[Step, ...]:
        """Return a body that runs for at least `run_ns`.

        Mutexes in `without` have plain runs instead of sections.
        """
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
        """Return the mutexes directly around a mutex, without the mutexes around these in turn."""
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
    """Yield the steps, with consecutive runs joined and empty runs left out."""
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
