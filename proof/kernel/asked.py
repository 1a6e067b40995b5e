# SPDX-License-Identifier: MIT
"""Remember the end of each move, so that an equal move is not made again.

A move depends on the system in which it begins, and on its questions to the machine: parts of the
shared memory, and results of kernel functions. The rest of the memory may differ, so many moves ask
the same questions. This module asks all questions and keeps their answers. If a move begins in the
same system and its questions have the same answers, it ends in the same system.

The questions of a move form a tree, because the next question depends on the answers before. A
question names a memory by its place in the move, not by its number. The move begins with place 0.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from proof.boundary.machine import Machine

Spans = tuple[tuple[int, int], ...]  # of shared memory: first byte, first byte after it


class End(NamedTuple):
    """The end of a move; `actor` is None if the move leaves the actor as it was."""

    actor: int | None
    place: int
    system: int


class Part(NamedTuple):
    """Question: which bytes are from `start` up to `end`, exclusively?"""

    place: int
    start: int
    end: int


class Parts(NamedTuple):
    """Question: which bytes are in all these spans?"""

    place: int
    spans: Spans


class Sameness(NamedTuple):
    """Question: are both memories equal in these spans?"""

    place: int
    other: int
    spans: Spans


class Called(NamedTuple):
    """Question: which memory does this function leave, and which value does it return?"""

    place: int
    function: str
    arguments: tuple[int, ...]


class Put(NamedTuple):
    """Question: which memory results if `data` is written at `at`?"""

    place: int
    at: int
    data: bytes


Question = Part | Parts | Sameness | Called | Put
Answer = bytes | bool | int | tuple[int, int]
After = dict[Hashable, "Node"]
Node = End | tuple[Question, After]


class Asked:
    """Asks the questions of one move after the other. Callers give memories by their numbers."""

    def __init__(self, machine: Machine, actor: int) -> None:
        """`actor`: the actor on whose words the kernel's functions run."""
        self._machine = machine
        self._actor = actor
        self._values = machine.shared.values
        self._memories: list[int] = []  # numbers of this move's memories, by place
        self._answers: dict[Question, Answer] = {}  # in the order of the questions
        self._known: After = {}

    # ---- Moves ---------------------------------------------------------------------

    def begin(self, shared: int) -> None:
        """Begin a move with this memory."""
        self._memories = [shared]
        self._answers = {}

    def end_of(self, key: Hashable, shared: int) -> tuple[End, int] | None:
        """Return the end of that move and its memory, or None if they are unknown."""
        self.begin(shared)
        node = self._known.get(key)
        while node is not None:
            if isinstance(node, End):
                return node, self._memories[node.place]
            question, after = node
            node = after.get(self._answer(question))
        return None

    def learn(self, key: Hashable, actor: int | None, shared: int, system: int) -> None:
        """Note how the move that began last has ended."""
        after, answer = self._known, key
        for question, given in self._answers.items():
            known = after.setdefault(answer, (question, {}))
            if isinstance(known, End) or known[0] != question:
                raise AssertionError(f"after the same answers: {question}, not {known}")
            after, answer = known[1], given
        after[answer] = End(actor, self._memories.index(shared), system)

    # ---- Questions -----------------------------------------------------------------

    def part(self, shared: int, at: int, size: int) -> bytes:
        """Return `size` bytes of this memory."""
        answer = self._ask(Part(self._memories.index(shared), at, at + size))
        assert isinstance(answer, bytes)
        return answer

    def parts(self, shared: int, spans: Spans) -> bytes:
        """Return the bytes of all spans, joined."""
        answer = self._ask(Parts(self._memories.index(shared), spans))
        assert isinstance(answer, bytes)
        return answer

    def is_same(self, one: int, other: int, spans: Spans) -> bool:
        """Return whether both memories are equal in these spans."""
        return bool(
            self._ask(Sameness(self._memories.index(one), self._memories.index(other), spans))
        )

    def kernel(self, function: str, shared: int, *arguments: int) -> tuple[int, int]:
        """Run this function; return the memory that it leaves, and its value."""
        answer = self._ask(Called(self._memories.index(shared), function, arguments))
        assert isinstance(answer, tuple)
        return self._memories[answer[0]], answer[1]

    def put(self, shared: int, at: int, data: bytes) -> int:
        """Return this memory with `data` in it."""
        answer = self._ask(Put(self._memories.index(shared), at, data))
        assert isinstance(answer, int)
        return self._memories[answer]

    def _ask(self, question: Question) -> Answer:
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._answer(question)
        return answer

    def _answer(self, question: Question) -> Answer:
        # No `match` here: it takes ten times as long, and most of a proof's time goes by here.
        memory, values = self._memories[question[0]], self._values
        if isinstance(question, Part):
            return values[memory][question[1] : question[2]]
        if isinstance(question, Parts):
            value = values[memory]
            return b"".join([value[start:end] for start, end in question[1]])
        if isinstance(question, Sameness):
            one, two = values[memory], values[self._memories[question[1]]]
            return all(one[start:end] == two[start:end] for start, end in question[2])
        if isinstance(question, Called):
            ran = self._machine.kernel(question[1], self._actor, memory, *question[2])
            return self._place_of(ran.shared), ran.value
        value, at, data = values[memory], question[1], question[2]
        changed = value[:at] + data + value[at + len(data) :]
        return self._place_of(self._machine.shared.number(changed))

    def _place_of(self, shared: int) -> int:
        """The place of this memory. A memory that came up before keeps its place."""
        if shared not in self._memories:
            self._memories.append(shared)
        return self._memories.index(shared)
