# SPDX-License-Identifier: MIT
"""A move counts as known only where the machine gives all answers that it was learned with."""

from __future__ import annotations

from typing import cast

from proof.boundary.machine import Machine
from proof.kernel.asked import Asked

KEY = ("a system", "an arrival")


class Shared:
    """Memories, by their numbers."""

    def __init__(self, *memories: bytes) -> None:
        """As many as are given."""
        self.values = list(memories)

    def number(self, memory: bytes) -> int:
        """A new one, if there is none."""
        if memory not in self.values:
            self.values.append(memory)
        return self.values.index(memory)


class FakeMachine:
    """It has nothing but the shared memory."""

    def __init__(self, *memories: bytes) -> None:
        """As many as are given."""
        self.shared = Shared(*memories)


def asked_of(*memories: bytes) -> Asked:
    """Questions to a machine with these memories."""
    return Asked(cast(Machine, FakeMachine(*memories)), 0)


def learn(asked: Asked, shared: int, system: int) -> None:
    """A move that reads the first byte, writes the last, and leaves the actor as it was."""
    asked.begin(shared)
    asked.part(shared, 0, 1)
    asked.learn(KEY, None, asked.put(shared, 2, b"!"), system)


def test_what_no_question_touches_may_differ() -> None:
    """The move ends the same, with the memory that follows from this one."""
    asked = asked_of(b"a.?", b"a,?", b"a.!", b"a,!")
    learn(asked, 0, 7)
    found = asked.end_of(KEY, 1)
    assert found is not None
    assert (found[0].system, found[1]) == (7, 3)


def test_another_answer_is_another_move() -> None:
    """It is not known; when it is learned, both are."""
    asked = asked_of(b"a.?", b"b.?")
    learn(asked, 0, 7)
    assert asked.end_of(KEY, 1) is None
    learn(asked, 1, 8)
    ends = [asked.end_of(KEY, shared) for shared in (0, 1)]
    assert [end[0].system for end in ends if end is not None] == [7, 8]


def test_that_nothing_was_changed_is_an_answer() -> None:
    """A move whose writing changed the memory says nothing of one whose writing did not."""
    asked = asked_of(b"a.?", b"a.!")
    learn(asked, 0, 7)
    assert asked.end_of(KEY, 1) is None
