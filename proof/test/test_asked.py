# SPDX-License-Identifier: MIT
"""A move counts as known only if the machine gives the same answers as when it was learned."""

from __future__ import annotations

from typing import cast

from proof.boundary.machine import Machine
from proof.kernel.asked import Asked

KEY = ("a system", "an arrival")


class Shared:
    """Shared memories, by number."""

    def __init__(self, *memories: bytes) -> None:
        """Take these memories."""
        self.values = list(memories)

    def number(self, memory: bytes) -> int:
        """Return the memory's number. An unknown memory gets a new number."""
        if memory not in self.values:
            self.values.append(memory)
        return self.values.index(memory)


class FakeMachine:
    """A machine with shared memory only."""

    def __init__(self, *memories: bytes) -> None:
        """Take these memories."""
        self.shared = Shared(*memories)


def asked_of(*memories: bytes) -> Asked:
    """Return the questions to a machine with these memories."""
    return Asked(cast(Machine, FakeMachine(*memories)), 0)


def learn(asked: Asked, shared: int, system: int) -> None:
    """Learn a move that reads the first byte, writes the last, and leaves the actor as it was."""
    asked.begin(shared)
    asked.part(shared, 0, 1)
    asked.learn(KEY, None, asked.put(shared, 2, b"!"), system)


def test_what_no_question_touches_may_differ() -> None:
    """The move ends the same, and changes this memory in the same way."""
    asked = asked_of(b"a.?", b"a,?", b"a.!", b"a,!")
    learn(asked, 0, 7)
    found = asked.end_of(KEY, 1)
    assert found is not None
    assert (found[0].system, found[1]) == (7, 3)


def test_another_answer_is_another_move() -> None:
    """The move with the other answer is unknown. Once it is learned, both are known."""
    asked = asked_of(b"a.?", b"b.?")
    learn(asked, 0, 7)
    assert asked.end_of(KEY, 1) is None
    learn(asked, 1, 8)
    ends = [asked.end_of(KEY, shared) for shared in (0, 1)]
    assert [end[0].system for end in ends if end is not None] == [7, 8]


def test_that_nothing_was_changed_is_an_answer() -> None:
    """A move whose write changed the memory differs from a move whose write did not."""
    asked = asked_of(b"a.?", b"a.!")
    learn(asked, 0, 7)
    assert asked.end_of(KEY, 1) is None
