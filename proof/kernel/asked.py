# SPDX-License-Identifier: MIT
"""What a move asks of the machine, and what is known of moves that asked the same.

A move is judged by the system that it begins in and by what is asked of the machine: parts of the
shared memory, and what the kernel makes of it. The rest of the memory may differ, so the same is
judged again and again. Here all questions come through one place, with their answers: a move from
the same system, whose questions have the same answers, ends in the same system.

The questions of a move are a tree: which comes next depends on the answers before. Numbers of the
shared memory are not in it but their places: 0 is the one that the move began with.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from proof.boundary.machine import Machine

Spans = tuple[tuple[int, int], ...]  # of the shared memory: first byte, and behind the last


class End(NamedTuple):
    """What a move led to; `actor`: None, if it leaves the actor as it was."""

    actor: int | None
    place: int
    system: int


class Part(NamedTuple):
    """Question: what is there? The first byte, and behind the last."""

    place: int
    start: int
    end: int


class Parts(NamedTuple):
    """Question: what is in all these places?"""

    place: int
    spans: Spans


class Sameness(NamedTuple):
    """Question: is it the same there and there?"""

    place: int
    other: int
    spans: Spans


class Called(NamedTuple):
    """Question: what does this function of the kernel make of it, and what does it return?"""

    place: int
    function: str
    arguments: tuple[int, ...]


class Put(NamedTuple):
    """Question: which memory is that, with these bytes there?"""

    place: int
    at: int
    data: bytes


Question = Part | Parts | Sameness | Called | Put
Answer = bytes | bool | int | tuple[int, int]
After = dict[Hashable, "Node"]
Node = End | tuple[Question, After]


class Asked:
    """The questions of one move after the other; memories are given by their numbers."""

    def __init__(self, machine: Machine, actor: int) -> None:
        """`actor`: on whose words the kernel's functions run."""
        self._machine = machine
        self._actor = actor
        self._values = machine.shared.values
        self._memories: list[int] = []  # of this move, by their places
        self._answers: dict[Question, Answer] = {}  # of this move, in their order
        self._known: After = {}

    # ---- Moves ---------------------------------------------------------------------

    def begin(self, shared: int) -> None:
        """A move begins with that memory."""
        self._memories = [shared]
        self._answers = {}

    def end_of(self, key: Hashable, shared: int) -> tuple[End, int] | None:
        """How that move ends, and with which memory, if that is known."""
        self.begin(shared)
        node = self._known.get(key)
        while node is not None:
            if isinstance(node, End):
                return node, self._memories[node.place]
            question, after = node
            node = after.get(self._answer(question))
        return None

    def learn(self, key: Hashable, actor: int | None, shared: int, system: int) -> None:
        """The move has ended so."""
        after, answer = self._known, key
        for question, given in self._answers.items():
            known = after.setdefault(answer, (question, {}))
            if isinstance(known, End) or known[0] != question:
                raise AssertionError(f"after the same answers: {question}, not {known}")
            after, answer = known[1], given
        after[answer] = End(actor, self._memories.index(shared), system)

    # ---- Questions -----------------------------------------------------------------

    def part(self, shared: int, at: int, size: int) -> bytes:
        """What is there."""
        answer = self._ask(Part(self._memories.index(shared), at, at + size))
        assert isinstance(answer, bytes)
        return answer

    def parts(self, shared: int, spans: Spans) -> bytes:
        """What is there, one behind the other."""
        answer = self._ask(Parts(self._memories.index(shared), spans))
        assert isinstance(answer, bytes)
        return answer

    def is_same(self, one: int, other: int, spans: Spans) -> bool:
        """Whether both memories are the same there."""
        return bool(
            self._ask(Sameness(self._memories.index(one), self._memories.index(other), spans))
        )

    def kernel(self, function: str, shared: int, *arguments: int) -> tuple[int, int]:
        """Run it; the memory then, and the value."""
        answer = self._ask(Called(self._memories.index(shared), function, arguments))
        assert isinstance(answer, tuple)
        return self._memories[answer[0]], answer[1]

    def put(self, shared: int, at: int, data: bytes) -> int:
        """The memory with that in it."""
        answer = self._ask(Put(self._memories.index(shared), at, data))
        assert isinstance(answer, int)
        return self._memories[answer]

    def _ask(self, question: Question) -> Answer:
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._answer(question)
        return answer

    def _answer(self, question: Question) -> Answer:
        # Most of a proof's time goes by here: no `match`, which takes ten times as long.
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
        """One that has come up before has its place: what is asked of it is known."""
        if shared not in self._memories:
            self._memories.append(shared)
        return self._memories.index(shared)
