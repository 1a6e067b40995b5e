# SPDX-License-Identifier: MIT
"""The stack that a function can need, according to the compiler: -fcallgraph-info=su.

Only user code counts. Its calls of the kernel are system calls, which run on the kernel's stack.
Functions in assembly use no stack. A task in a mixed file never takes the kernel's path to a
service. The depth is not known in these cases: circles of calls, calls through pointers or to code
that was not compiled here, and frames of variable size.
"""

import re

from plafond.build.image import Image
from plafond.build.objects import MIXED, Part
from plafond.build.symbols import defined_in

NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "([^"]*)"', re.MULTILINE)
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', re.MULTILINE)
FRAME = re.compile(r"\\n(\d+) bytes \((static|dynamic,bounded)\)")


OF_KERNEL = ("plf_trusted_call", "GetISRID")  # called by mixed files only in the kernel's mode


class Stacks:
    """The frames and calls of an image's user code."""

    def __init__(self, image: Image) -> None:
        """Read the compiler's file beside each object."""
        self._frames: dict[str, int] = dict.fromkeys(OF_KERNEL, 0)
        self._calls: dict[str, set[str]] = {}
        # A board without user mode runs the kernel on the stacks of its tasks, so no need is known.
        self._has_own = bool(image.board.stack_unit)
        for unit in image.units:
            file = image.folder / unit.object
            if unit.part in (Part.USER, Part.MIXED) or unit.source.parent == MIXED:
                self._read(file.with_suffix(".ci").read_text())
            elif unit.source.suffix == ".S":
                self._frames |= dict.fromkeys(defined_in(file), 0)

    def bytes_of(self, function: str) -> int | None:
        """Return the most stack of a function with all its calls; None: not known."""
        return self._bytes_of(function, ()) if self._has_own else None

    def _bytes_of(self, function: str, callers: tuple[str, ...]) -> int | None:
        if function not in self._frames or function in callers:
            return None
        deepest = 0
        for called in sorted(self._calls.get(function, ())):
            needed = self._bytes_of(called, (*callers, function))
            if needed is None:
                return None
            deepest = max(deepest, needed)
        return self._frames[function] + deepest

    def _read(self, text: str) -> None:
        for title, label in NODE.findall(text):
            frame = FRAME.search(label)
            if frame:
                self._frames[title] = int(frame[1])
        for caller, called in EDGE.findall(text):
            self._calls.setdefault(caller, set()).add(called)
