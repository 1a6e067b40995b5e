# SPDX-License-Identifier: MIT
"""The emulator with an image of boundary/image.py: scripts of actors, and the kernel's half."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unicorn import UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE

from proof.boundary.image import Image
from proof.engine.emulator import ActorState, Answer, Emulator, FaultError, Step, page_of
from proof.engine.processor import PROCESSORS

__all__ = ["ActorState", "Answer", "FaultError", "Machine", "Step", "words_of"]
WORDS_OFFSET = 0xE00  # in an actor's page; its stack is below


def words_of(actor: int) -> int:
    """Address of an actor's words."""
    return page_of(actor) + WORDS_OFFSET


class Machine(Emulator):
    """A processor that can take and step the state of any actor."""

    def __init__(self, image: Image, actors: int) -> None:
        """Load the image; actors are numbered from 0."""
        super().__init__(PROCESSORS[image.isa], image, actors)
        self.image = image

    def entry(self, actor: int, name: str, *arguments: int) -> ActorState:
        """An actor that is about to enter this function of the driver."""
        # As after a call: on x86-64 the stack is 8 off a multiple of 16. No actor returns.
        stack = words_of(actor) - (8 if self.cpu.link is None else 0)
        return self.entering(actor, name, stack, *arguments)

    def kernel(self, name: str, actor: int, shared: int, *arguments: int) -> Answer:
        """Run a function of the kernel's half on this actor's words."""
        words = words_of(self.actors.values[actor].actor)
        return self.call(name, actor, shared, words, *arguments)

    def finish_set_up(self) -> int:
        """From now on only the image's pieces are shared. Return the number of their contents."""
        return self.begin(self.image.shared)

    def watch(self, watcher: Callable[[int, int, bool], None]) -> None:
        """From now on, report each access of an actor: address, value, whether it is a store."""

        def on_read(uc: Any, _kind: int, at: int, size: int, _value: int, _: Any) -> None:
            if not self.is_in_call:
                watcher(at, int.from_bytes(uc.mem_read(at, size), "little"), False)

        def on_write(_uc: Any, _kind: int, at: int, size: int, value: int, _: Any) -> None:
            if not self.is_in_call:
                watcher(at, value & (1 << 8 * size) - 1, True)

        self.forget()
        self.uc.hook_add(UC_HOOK_MEM_READ, on_read)
        self.uc.hook_add(UC_HOOK_MEM_WRITE, on_write)
